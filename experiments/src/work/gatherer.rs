//! The process of a job that gathers, and what it finds missing.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tilewright_engine::artefact::stated_code_version;
use tilewright_train::journal::{Crew, Fault, Piece, Task};

use super::job::Job;
use crate::crew;

/// A shard that is missing or wrong, with the command that makes it.
#[derive(Clone)]
pub struct Lack {
    pub command: Vec<String>,
    /// The folder of its run, relative to that of the job.
    pub folder: String,
    pub shards: String,
    pub number: u64,
    pub file: String,
    pub units: u64,
    pub fault: Fault,
}

/// The process that gathers.
pub struct Gatherer {
    root: PathBuf,
    version: String,
    lacks: Mutex<Vec<Lack>>,
}

impl Gatherer {
    pub fn new(job: &Job) -> Gatherer {
        Gatherer { root: job.folder.clone(), version: stated_code_version(), lacks: Mutex::default() }
    }

    /// What the run lacked.
    pub fn lacks(&self) -> Vec<Lack> {
        self.lacks.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A folder relative to that of the job.
pub fn relative(root: &Path, folder: &Path) -> String {
    folder.strip_prefix(root).unwrap_or(folder).to_string_lossy().replace('\\', "/")
}

impl Crew for Gatherer {
    fn task(&self, _folder: &Path, _job: &str) -> Task {
        Task::Gather
    }

    fn next(&self, _folder: &Path, _job: &str) -> Option<u64> {
        None
    }

    fn has_enough(&self, _folder: &Path, _job: &str) {}

    fn report(&self, piece: Piece<'_>) {
        let lack = Lack {
            command: crew::running(),
            folder: relative(&self.root, piece.folder),
            shards: piece.job.into(),
            number: piece.number,
            file: piece.file.into(),
            units: piece.units,
            fault: piece.fault,
        };
        self.lacks.lock().unwrap_or_else(PoisonError::into_inner).push(lack);
    }

    fn is_alone(&self) -> bool {
        true
    }

    fn build(&self) -> &str {
        &self.version
    }
}
