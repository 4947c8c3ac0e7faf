//! The errors of a journal.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::folder::FileError;

/// An error that ends a run.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum JournalError {
    /// A stop was requested. There is no folder in memory.
    #[error("{}", resume(folder.as_ref()))]
    Interrupted { folder: Option<PathBuf> },
    #[error("{missing} shards are left to other processes")]
    ShardsMissing { missing: u64 },
    #[error("cannot write to {folder}: {source}")]
    Unwritable { folder: PathBuf, source: std::io::Error },
    #[error("{folder} is a file")]
    NotAFolder { folder: PathBuf },
    #[error("{folder} is not empty and does not belong to a tilewright run")]
    NotEmpty { folder: PathBuf },
    #[error("{folder} holds a finished result, which is never overwritten")]
    Finished { folder: PathBuf },
    /// The folder belongs to another run. `what` is `kind`, `config` or the name of an input.
    #[error("{folder} belongs to a run with another {what} ({difference}); repeat that run")]
    OtherRun { folder: PathBuf, what: String, difference: String },
    #[error("{folder}: tilewright {theirs} began this run, and this is tilewright {own}; its parts might not fit together")]
    OtherBuild { folder: PathBuf, theirs: String, own: String },
    /// A process was to make shards of a run that nobody has begun.
    #[error("{folder} holds no run to share; plan it, or merge it, first")]
    NotBegun { folder: PathBuf },
    #[error("{folder} is in use by another tilewright process; wait until that ends")]
    Locked { folder: PathBuf },
    /// A work file is not damaged, but belongs to another run, another build, or another step of this run.
    #[error("{path} was made by another run or for another step of this run; delete it to rebuild it")]
    OtherWorkFile { path: PathBuf },
    #[error("the value of {name} cannot be stored: {reason}")]
    Payload { name: String, reason: String },
    /// A file that is read by itself, not as part of a run that could rebuild it, is damaged.
    #[error("{path} is damaged; rerun the command in this folder, which rebuilds it")]
    Damaged { path: PathBuf },
    /// A file cannot be read or written.
    #[error("{0}")]
    File(#[from] FileError),
}

impl JournalError {
    /// The folder or the work file that does not fit, if another choice of the user avoids the error.
    pub fn misfit(&self) -> Option<&Path> {
        use JournalError::{
            Damaged, File, Finished, Locked, NotAFolder, NotBegun, NotEmpty, OtherBuild, OtherRun, OtherWorkFile, Unwritable,
        };
        match self {
            Unwritable { folder, .. }
            | NotAFolder { folder }
            | NotEmpty { folder }
            | Finished { folder }
            | OtherRun { folder, .. }
            | OtherBuild { folder, .. }
            | NotBegun { folder }
            | Locked { folder } => Some(folder),
            OtherWorkFile { path } | Damaged { path } | File(FileError::Strange { path, .. }) => Some(path),
            _ => None,
        }
    }

    /// The results of two independent jobs. If both miss shards, the error has the sum. Any other error comes first.
    ///
    /// # Errors
    /// The errors of the jobs.
    pub fn of_both<A, B>(
        a: Result<A, JournalError>,
        b: impl FnOnce() -> Result<B, JournalError>,
    ) -> Result<(A, B), JournalError> {
        use JournalError::ShardsMissing;
        let a = match a {
            Err(error) if !matches!(error, ShardsMissing { .. }) => return Err(error),
            a => a,
        };
        match (a, b()) {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(ShardsMissing { missing: one }), Err(ShardsMissing { missing: other })) => {
                Err(ShardsMissing { missing: one + other })
            }
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
