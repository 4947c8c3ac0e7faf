//! `work run --stay`: a worker that makes pieces of one stage after the other until the job is finished.
//!
//! A worker that finds no free piece waits. When all pieces of the stage are there, the first worker that gets the lock merges them, and the
//! others go on with the next stage. A lock ends with its process, so what a worker that was killed has begun is begun again by another.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tilewright_train::journal::JournalError;

use super::flags::ProcessFlags;
use super::job::Job;
use super::maker::{Made, Outcome, Wanted};
use super::merge;
use super::merge_lock::{self, Asked, MergeLock};
use super::plan::StageJson;
use super::presence::{self, Presence};
use super::stage::Stage;
use super::waiting::Waiting;
use crate::failure::Failure;
use crate::interrupts;
use crate::requests::Verbs;
use crate::status::status;

/// Works until the job is finished.
///
/// # Errors
/// [`Failure::Interrupted`] with how to go on.
pub fn run(job: &Arc<Job>, process: &ProcessFlags, verbs: Verbs) -> Result<Worked, Failure> {
    interrupts::catch();
    merge_lock::check(job)?;
    let _presence = Presence::new(job, process)?;
    let worked = Worked { job: job.folder.display().to_string(), ..Worked::default() };
    let mut worker = Worker { job, process, verbs, waiting: Waiting::default(), worked };
    let begun = Instant::now();
    let end = presence::with_own_threads(process, || worker.work());
    (worker.worked.seconds, worker.worked.waited_seconds) = (begun.elapsed().as_secs_f64(), worker.waiting.seconds());
    match end {
        Err(Failure::Interrupted(_)) => {
            let Worked { job, pieces, .. } = &worker.worked;
            Err(Failure::Interrupted(format!(
                "this worker made {} pieces, which are kept; go on with: tilewright work run {job} --stay",
                pieces.len()
            )))
        }
        end => end.map(|()| worker.worked),
    }
}

/// A worker that stays.
struct Worker<'a> {
    job: &'a Arc<Job>,
    process: &'a ProcessFlags,
    verbs: Verbs,
    waiting: Waiting,
    worked: Worked,
}

impl Worker<'_> {
    fn work(&mut self) -> Result<(), Failure> {
        loop {
            let stage = Arc::new(Stage::read(self.job)?);
            if stage.is_finished {
                return Ok(());
            }
            if !self.process.quiet {
                status!("{}: {}", self.worked.job, StageJson::new(&stage));
            }
            self.work_on(&stage)?;
        }
    }

    /// Makes pieces of a stage, or waits, until there is another one.
    fn work_on(&mut self, stage: &Arc<Stage>) -> Result<(), Failure> {
        let places: Vec<_> = stage.pieces().map(|(group, piece)| group.path(self.job, piece)).collect();
        // In order, because a sequential test needs them in order.
        let mut left: Vec<u64> = (0..stage.len()).collect();
        while Stage::read(self.job)?.is_same(stage) {
            left.retain(|&number| !places[number as usize].exists());
            let did_something = if left.is_empty() { self.merge(stage)? } else { self.make(stage, &mut left)? };
            if interrupts::is_stopped() {
                return Err(Failure::Interrupted(String::new()));
            }
            if did_something { self.waiting.end() } else { self.waiting.sleep() }
        }
        Ok(())
    }

    /// Makes pieces that are left, and forgets those that are needless; returns whether there was one of either kind.
    fn make(&mut self, stage: &Arc<Stage>, left: &mut Vec<u64>) -> Result<bool, Failure> {
        let (job, stage) = (self.job.clone(), stage.clone());
        let wanted = Wanted { job, stage, numbers: left.clone(), is_asked: false, goes_on: Arc::new(|_| true) };
        let Outcome { made, needless } = wanted.make(self.process, self.verbs)?;
        self.worked.pieces.extend(&made);
        left.retain(|number| !needless.contains(number));
        Ok(!made.is_empty() || !needless.is_empty())
    }

    /// Merges the stage, unless another process does; returns whether it did.
    fn merge(&mut self, stage: &Stage) -> Result<bool, Failure> {
        let is_merged = merge_in_turn(self.job, stage, self.process, self.verbs)?;
        self.worked.merged += u64::from(is_merged);
        Ok(is_merged)
    }
}

/// Merges a stage, unless another process does or has done; returns whether it did.
pub fn merge_in_turn(job: &Job, stage: &Stage, process: &ProcessFlags, verbs: Verbs) -> Result<bool, Failure> {
    let Asked::Granted(_lock) = MergeLock::ask(job)? else { return Ok(false) };
    if !Stage::read(job)?.is_same(stage) {
        return Ok(false);
    }
    match presence::with_all_threads(job, process, || merge::next_stage(job, stage, process, verbs)) {
        // A process that has stored its last piece still has the run open for a moment.
        Err(failure) if matches!(failure.journal(), Some(JournalError::Locked { .. })) => Ok(false),
        merged => merged.map(|_| true),
    }
}

/// The result of `work run --stay`.
#[derive(Default, Serialize)]
pub struct Worked {
    job: String,
    /// The pieces that this worker made.
    pieces: Vec<Made>,
    /// Stages that it merged.
    merged: u64,
    /// The time from its start to the end of the job.
    seconds: f64,
    /// The time that it waited for others.
    waited_seconds: f64,
}

impl fmt::Display for Worked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Worked { job, pieces, merged, seconds, waited_seconds } = self;
        let made: f64 = pieces.iter().map(|piece| piece.seconds).sum();
        write!(
            f,
            "{job} is finished; this worker made {} pieces in {made:.1} s, merged {merged} stages, and waited {waited_seconds:.1} s of {seconds:.1} s",
            pieces.len()
        )
    }
}
