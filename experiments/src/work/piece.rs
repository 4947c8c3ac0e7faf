//! `work run`: makes pieces of the stage in work, or of one stage after the other.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::flags::RunArguments;
use super::job::Job;
use super::maker::{Made, Outcome, Wanted, in_some_order};
use super::stage::Stage;
use super::worker;
use crate::failure::Failure;
use crate::output;
use crate::requests::Verbs;

/// `work run`.
pub fn run(arguments: &RunArguments, verbs: Verbs) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let job = Arc::new(Job::open(&arguments.job)?);
    if arguments.stay {
        return output::show(&worker::run(&job, &arguments.process, verbs)?, json);
    }
    let stage = Arc::new(Stage::read(&job)?);
    let is_asked = !arguments.next;
    let numbers = match &arguments.shard[..] {
        _ if stage.is_finished => Vec::new(),
        _ if arguments.next => in_some_order((0..stage.len()).collect()),
        asked => asked_for(&job, &stage, asked)?,
    };
    let until = arguments.time.map(|time| Instant::now() + time);
    let goes_on = move |made| is_asked || made == 0 || until.is_some_and(|until| Instant::now() < until);
    let wanted = Wanted { job: job.clone(), stage: stage.clone(), numbers, is_asked, goes_on: Arc::new(goes_on) };
    let Outcome { made: pieces, needless } = wanted.make(&arguments.process, verbs)?;
    let (is_finished, job) = (stage.is_finished, job.folder.display().to_string());
    let is_enough = !needless.is_empty();
    output::show(&Ran { job, stage: stage.number, is_finished, shards: stage.len(), pieces, is_enough }, json)
}

/// The pieces of `--shard`.
fn asked_for(job: &Job, stage: &Stage, asked: &[u64]) -> Result<Vec<u64>, Failure> {
    match asked.iter().find(|&&shard| shard >= stage.len()) {
        Some(shard) => Err(Failure::input(format!(
            "--shard {shard}: stage {} of {} has pieces 0 to {}",
            stage.number,
            job.folder.display(),
            stage.len().saturating_sub(1)
        ))),
        None => Ok(asked.to_vec()),
    }
}

/// The result of `work run`.
#[derive(Serialize)]
struct Ran {
    job: String,
    stage: u64,
    is_finished: bool,
    /// Pieces of the stage.
    shards: u64,
    /// The pieces that this process made.
    pieces: Vec<Made>,
    /// Whether a sequential test is over, so that nobody needs the pieces that are missing.
    is_enough: bool,
}
impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ran { job, stage, shards, .. } = self;
        match &self.pieces[..] {
            _ if self.is_finished => write!(f, "{job} is finished"),
            [] if self.is_enough => write!(f, "{job}, stage {stage}: the test is over; next: tilewright work merge {job}"),
            [] => {
                write!(f, "{job}, stage {stage}: no piece is free; once all {shards} are made: tilewright work merge {job}")
            }
            [piece] => {
                let Made { shard, seconds, cpu_seconds } = piece;
                write!(
                    f,
                    "{job}, stage {stage}: piece {shard} of 0 to {}: {seconds:.1} s, {cpu_seconds:.1} CPU-s",
                    shards - 1
                )
            }
            pieces => {
                let cpu: f64 = pieces.iter().map(|piece| piece.cpu_seconds).sum();
                write!(f, "{job}, stage {stage}: {} of {shards} pieces: {cpu:.1} CPU-s", pieces.len())
            }
        }
    }
}
