//! The errors of a journal.

use std::path::PathBuf;

use thiserror::Error;
use tilewright_engine::artefact::ArtefactError;

use super::run_folder::RunFolder;

/// An error that ends a run.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A stop was requested.
    #[error("{}", resume(folder.as_ref()))]
    Interrupted {
        /// The run's folder; `None` for a journal in memory.
        folder: Option<PathBuf>,
    },
    /// The shards of this part are finished, but shards of other parts are missing.
    #[error("this part is done; {missing} shards of the other parts are missing")]
    PartDone {
        /// The number of missing shards.
        missing: u64,
    },
    /// The folder cannot be made or written to.
    #[error("cannot write to {folder}: {source}; choose another {}", .folder.flag)]
    Unwritable {
        /// The folder.
        folder: RunFolder,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder is a file.
    #[error("{folder} is a file; {} names a folder", .folder.flag)]
    NotAFolder {
        /// The file.
        folder: RunFolder,
    },
    /// The folder holds something else.
    #[error("{folder} is not empty and does not belong to a tilewright run; choose another {}", .folder.flag)]
    NotEmpty {
        /// The folder.
        folder: RunFolder,
    },
    /// The folder holds a finished run.
    #[error("{folder} holds a finished result, which is never overwritten; choose another {}", .folder.flag)]
    Finished {
        /// The folder.
        folder: RunFolder,
    },
    /// The folder belongs to another run.
    #[error("{folder} belongs to a run with another {what} ({difference}); repeat that run or choose another {}", .folder.flag)]
    OtherRun {
        /// The folder.
        folder: RunFolder,
        /// What differs: `config` or the name of an input.
        what: String,
        /// How it differs.
        difference: String,
    },
    /// A process was to make shards of a run that nobody has begun.
    #[error("{folder} holds no run to share; plan it, or merge it, first")]
    NotBegun {
        /// The folder.
        folder: RunFolder,
    },
    /// Another process has the folder open.
    #[error("{folder} is in use by another tilewright process; wait until that ends, or choose another {}", .folder.flag)]
    Locked {
        /// The folder.
        folder: RunFolder,
    },
    /// A work file is not damaged, but belongs to another run or to another step of this run.
    #[error(
        "{path} was made by another run or for another step of this run; delete it to rebuild it, or choose another {flag}"
    )]
    OtherWorkFile {
        /// The file.
        path: PathBuf,
        /// The flag that chooses the folder of the journal.
        flag: &'static str,
    },
    /// A value cannot be stored.
    #[error("the value of {name} cannot be stored: {reason}")]
    Payload {
        /// The work file.
        name: String,
        /// Why.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] ArtefactError),
}

impl JournalError {
    /// Whether the user can avoid it with another folder or flag; the exit code is then 2.
    pub fn is_input(&self) -> bool {
        use JournalError::{Finished, Locked, NotAFolder, NotBegun, NotEmpty, OtherRun, OtherWorkFile, Unwritable};
        matches!(
            self,
            Unwritable { .. }
                | NotAFolder { .. }
                | NotEmpty { .. }
                | Finished { .. }
                | OtherRun { .. }
                | NotBegun { .. }
                | Locked { .. }
                | OtherWorkFile { .. }
        )
    }

    /// The missing shards of two jobs that do not need each other, of which this is the first; any other error of theirs comes first.
    ///
    /// # Errors
    /// The error of both.
    pub fn of_both<A, B>(
        a: Result<A, JournalError>,
        b: impl FnOnce() -> Result<B, JournalError>,
    ) -> Result<(A, B), JournalError> {
        use JournalError::PartDone;
        let a = match a {
            Err(error) if !matches!(error, PartDone { .. }) => return Err(error),
            a => a,
        };
        match (a, b()) {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(PartDone { missing: one }), Err(PartDone { missing: other })) => Err(PartDone { missing: one + other }),
            (_, Err(error)) | (Err(error), _) => Err(error),
        }
    }
}

fn resume(folder: Option<&PathBuf>) -> String {
    match folder {
        Some(folder) => format!("{} keeps the finished work; rerun the command to resume", folder.display()),
        None => "nothing was stored".into(),
    }
}
