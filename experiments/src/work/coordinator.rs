//! The process of a job that coordinates, and the shards that it lacks.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tilewright_train::journal::{Fault, JournalError, Role, Scheduler, UnusableShard};

use super::flags::ProcessFlags;
use super::job::{Job, RESULT};
use super::stage::{Group, Stage, StoredPiece};
use crate::failure::Failure;
use crate::output::{NewFile, muted};
use crate::requests::Verbs;

/// A shard that is missing or wrong.
#[derive(Clone)]
pub struct Lack {
    /// The part of a study that makes it; empty for another run.
    pub part: String,
    /// The folder of its run, relative to that of the job.
    pub folder: String,
    pub shards: String,
    pub number: u64,
    pub file: String,
    pub units: u64,
    pub fault: Fault,
}

/// How far a job has come.
pub enum Gathered {
    /// It is finished.
    Finished,
    /// It lacks these shards.
    Lacks(Vec<Lack>),
}

/// Runs a job as the process that coordinates, up to the shards that it lacks.
pub fn gather(job: &Job, process: &ProcessFlags, verbs: Verbs) -> Result<Gathered, Failure> {
    let coordinator = Arc::new(Coordinator { root: job.folder.clone(), lacks: Mutex::default() });
    let result = job.folder.join(RESULT);
    // A process that was killed after it had written the result may not have marked the job as finished.
    let _ = std::fs::remove_file(&result);
    let json = NewFile::new(Some(&result))?;
    let scheduler: Arc<dyn Scheduler> = coordinator.clone();
    let done = muted(|| job.run("", json, &scheduler, (process.threads, process.quiet), verbs));
    let lacks = coordinator.lacks.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match done {
        Err(failure) if lacks.is_empty() || !lacks_shards(&failure) => Err(failure),
        Ok(()) if lacks.is_empty() => Ok(Gathered::Finished),
        _ => Ok(Gathered::Lacks(lacks)),
    }
}

/// Whether a run ended because other processes have to make shards.
pub fn lacks_shards(failure: &Failure) -> bool {
    matches!(failure.journal(), Some(JournalError::ShardsMissing { .. }))
}

/// The stage that makes what is lacking.
pub fn stage(number: u64, lacks: &[Lack]) -> Stage {
    let mut groups: Vec<Group> = Vec::new();
    for lack in lacks {
        let is_own = |group: &&mut Group| group.folder == lack.folder && group.shards == lack.shards;
        let piece = StoredPiece { number: lack.number, file: lack.file.clone(), units: lack.units };
        match groups.iter_mut().find(is_own) {
            Some(group) => group.pieces.push(piece),
            None => groups.push(Group {
                part: lack.part.clone(),
                folder: lack.folder.clone(),
                shards: lack.shards.clone(),
                pieces: vec![piece],
            }),
        }
    }
    Stage { number, is_finished: false, groups }
}

/// A folder relative to that of the job.
pub fn relative(root: &Path, folder: &Path) -> String {
    folder.strip_prefix(root).unwrap_or(folder).to_string_lossy().replace('\\', "/")
}

struct Coordinator {
    root: PathBuf,
    lacks: Mutex<Vec<Lack>>,
}

impl Scheduler for Coordinator {
    fn role(&self, _folder: &Path, _job: &str) -> Role {
        Role::Coordinator
    }

    fn next(&self, _folder: &Path, _job: &str) -> Option<u64> {
        None
    }

    fn has_enough(&self, _folder: &Path, _job: &str) {}

    fn report(&self, shard: UnusableShard<'_>) {
        let lack = Lack {
            part: shard.label.into(),
            folder: relative(&self.root, shard.folder),
            shards: shard.job.into(),
            number: shard.number,
            file: shard.file.into(),
            units: shard.units,
            fault: shard.fault,
        };
        self.lacks.lock().unwrap_or_else(PoisonError::into_inner).push(lack);
    }

    fn is_alone(&self) -> bool {
        true
    }
}
