//! The folder of a journal, as a command line names it.

use std::fmt;
use std::path::{Path, PathBuf};

/// The folder of a journal, with the flag that chooses it, so that a refusal can say which flag to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    /// The folder.
    pub path: PathBuf,
    /// The flag, with its dashes.
    pub flag: &'static str,
}

impl RunFolder {
    /// The folder that `flag`, such as `--candidates`, chooses.
    pub fn chosen_by(flag: &'static str, path: impl Into<PathBuf>) -> RunFolder {
        RunFolder { path: path.into(), flag }
    }
}

/// A folder that `--out` chooses.
impl<P: AsRef<Path> + ?Sized> From<&P> for RunFolder {
    fn from(path: &P) -> RunFolder {
        RunFolder::chosen_by("--out", path.as_ref())
    }
}

impl fmt::Display for RunFolder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path.display().fmt(out)
    }
}
