//! Why a journal ends a run.

use std::path::PathBuf;

use thiserror::Error;
use tilewright_engine::artefact::ArtefactError;

/// Why a journal ends a run.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A stop was requested.
    #[error("{}", resume(folder.as_ref()))]
    Interrupted {
        /// The run's folder, if the run keeps anything.
        folder: Option<PathBuf>,
    },
    /// The shards of the part that was asked for are there, and others are not.
    #[error("this part is done; {missing} shards are with the other parts")]
    PartDone {
        /// Shards that other parts make.
        missing: u64,
    },
    /// The folder cannot be made or written to.
    #[error("cannot write to {folder}: {source}; choose another --out")]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The folder is a file.
    #[error("{folder} is a file; --out names a folder")]
    NotAFolder {
        /// The file.
        folder: PathBuf,
    },
    /// The folder holds something else.
    #[error("{folder} is not empty and no run of tilewright; choose another --out")]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// The run of the folder has ended.
    #[error("{folder} holds a finished result, which is never overwritten; choose another --out")]
    Finished {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder belongs to another run.
    #[error("{folder} belongs to a run with another {what} ({difference}); repeat that run or choose another --out")]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// What differs: `config`, or an input.
        what: String,
        /// How it differs.
        difference: String,
    },
    /// Another process has the folder open.
    #[error("{folder} is in use by another tilewright process; wait until that ends, or choose another --out")]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// A work file is whole, but something else made it.
    #[error(
        "{path} was made by another run, or for another place in this one; delete it to have it made again, or choose another --out"
    )]
    OtherWorkFile {
        /// The file.
        path: PathBuf,
    },
    /// A value cannot be kept.
    #[error("the value of {name} cannot be kept: {reason}")]
    Payload {
        /// Its work file.
        name: String,
        /// Why.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] ArtefactError),
}

impl JournalError {
    /// Whether the user can mend it by another folder or another flag: exit code 2.
    pub fn is_input(&self) -> bool {
        use JournalError::{Finished, Locked, NotAFolder, NotEmpty, OtherRun, OtherWorkFile, Unwritable};
        matches!(
            self,
            Unwritable { .. }
                | NotAFolder { .. }
                | NotEmpty { .. }
                | Finished { .. }
                | OtherRun { .. }
                | Locked { .. }
                | OtherWorkFile { .. }
        )
    }
}

fn resume(folder: Option<&PathBuf>) -> String {
    match folder {
        Some(folder) => format!("{} keeps the finished work; rerun the command to resume", folder.display()),
        None => "nothing was kept".into(),
    }
}
