//! `work run`: makes shards of the stage in work, or of one stage after the other.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::flags::RunArguments;
use super::job::{self, Job};
use super::stage::Stage;
use super::stay;
use super::worker::{Made, Wanted, in_some_order};
use crate::runs::RunWords;
use crate::{Failure, Number, output};

/// `work run`.
pub fn run(arguments: &RunArguments, run_words: RunWords) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let job = Arc::new(Job::open(job::folder(&arguments.job)?, arguments.accepted)?);
    if arguments.stay {
        return output::show(&stay::run(&job, &arguments.process, run_words)?, json);
    }
    let stage = Arc::new(Stage::read(&job)?);
    let all = stage.shards.len();
    let numbers = match &arguments.shard[..] {
        _ if stage.is_finished => Vec::new(),
        _ if arguments.next => in_some_order((0..all).collect()),
        asked => asked.to_vec(),
    };
    let folder = job.folder.path().display().to_string();
    if let Some(shard) = numbers.iter().find(|&&shard| shard >= all) {
        let (stage, last) = (stage.number, all.saturating_sub(1));
        return Err(Failure::input(format!("--shard {shard}: stage {stage} of {folder} has shards 0 to {last}")));
    }
    let until = arguments.next.then(|| Instant::now() + arguments.time.unwrap_or_default());
    let wanted = Wanted { job, stage: stage.clone(), numbers, are_asked: !arguments.next, until };
    let outcome = wanted.make(&arguments.process, run_words)?;
    let ran = Ran {
        job: folder,
        stage: stage.number,
        is_finished: stage.is_finished,
        shards: all,
        made: outcome.made,
        is_enough: !outcome.needless.is_empty(),
    };
    output::show(&ran, json)
}

/// The result of `work run`.
#[derive(Serialize)]
struct Ran {
    job: String,
    stage: u64,
    is_finished: bool,
    /// Shards of the stage.
    shards: usize,
    /// The shards that this process made.
    made: Vec<Made>,
    /// Whether a sequential test is over, so that nobody needs the shards that are missing.
    is_enough: bool,
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ran { job, stage, is_finished, shards, made, is_enough } = self;
        if *is_finished {
            return write!(f, "{job} is finished");
        }
        write!(f, "{job}, stage {stage}: ")?;
        match &made[..] {
            [] if *is_enough => write!(f, "the test is over; next: tilewright work merge {job}"),
            [] => write!(f, "no shard is free; once all {shards} are made: tilewright work merge {job}"),
            [Made { shard, seconds, cpu_seconds }] => {
                write!(
                    f,
                    "shard {shard} of 0 to {}: {:.1} s, {:.1} CPU-s",
                    shards - 1,
                    Number(*seconds),
                    Number(*cpu_seconds)
                )
            }
            made => {
                let cpu: f64 = made.iter().map(|made| made.cpu_seconds).sum();
                write!(f, "{} of {shards} shards: {:.1} CPU-s", made.len(), Number(cpu))
            }
        }
    }
}
