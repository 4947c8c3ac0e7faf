//! Running the command of a job up to the shards that it lacks.

use std::sync::Arc;

use tilewright_train::journal::JournalError;

use super::flags::ProcessFlags;
use super::gatherer::{Gatherer, Lack};
use super::job::{Job, RESULT};
use super::stage::{Group, Stage, StoredPiece};
use crate::crew::{self, Command};
use crate::failure::Failure;
use crate::output::muted;

/// How far a job has come.
pub enum Gathered {
    /// It is finished.
    Finished,
    /// It lacks these shards.
    Lacks(Vec<Lack>),
}

/// Runs the command of a job as the process that gathers.
pub fn gather(job: &Job, process: &ProcessFlags, command: Command<'_>) -> Result<Gathered, Failure> {
    let gatherer = Arc::new(Gatherer::new(job));
    let mut words = job.filled(&job.stored.command, process);
    let result = job.folder.join(RESULT);
    // A process that was killed after it had written the result may not have said that the job is finished.
    let _ = std::fs::remove_file(&result);
    words.extend(["--json".into(), result.display().to_string()]);
    let done = muted(|| crew::with(gatherer.clone(), || command(&words)));
    let lacks = gatherer.lacks();
    match done {
        Err(failure) if lacks.is_empty() || !is_part_done(&failure) => Err(failure),
        Ok(()) if lacks.is_empty() => Ok(Gathered::Finished),
        _ => Ok(Gathered::Lacks(lacks)),
    }
}

/// Whether a run ended because others have to make shards.
pub fn is_part_done(failure: &Failure) -> bool {
    matches!(failure.journal(), Some(JournalError::PartDone { .. }))
}

/// The stage that makes what is lacking.
pub fn stage(job: &Job, number: u64, lacks: &[Lack]) -> Stage {
    let mut groups: Vec<Group> = Vec::new();
    for lack in lacks {
        let is_own = |group: &&mut Group| group.folder == lack.folder && group.shards == lack.shards;
        let piece = StoredPiece { number: lack.number, file: lack.file.clone(), units: lack.units };
        match groups.iter_mut().find(is_own) {
            Some(group) => group.pieces.push(piece),
            None => groups.push(Group {
                command: job.stored_words(&lack.command),
                folder: lack.folder.clone(),
                shards: lack.shards.clone(),
                pieces: vec![piece],
            }),
        }
    }
    Stage { number, is_finished: false, groups }
}
