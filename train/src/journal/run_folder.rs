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
    /// Whether a finished run in it may be continued, as a match with more pairs.
    pub grows: bool,
}

impl RunFolder {
    /// The folder that `flag`, such as `--candidates`, chooses.
    pub fn chosen_by(flag: &'static str, path: impl Into<PathBuf>) -> RunFolder {
        RunFolder { path: path.into(), flag, grows: false }
    }

    /// The folder of a run that may be continued after its end.
    #[must_use]
    pub fn growing(self) -> RunFolder {
        RunFolder { grows: true, ..self }
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
