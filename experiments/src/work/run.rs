//! `work run`: makes shards of the stage in work, or of one stage after the other. `work status`: how far a job is.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::flags::{RunArguments, StatusArguments};
use super::job::{self, Job};
use super::processes::{Made, Wanted, in_some_order};
use super::stage::{self, Record, Stage, State};
use super::stay;
use crate::runs::RunWords;
use crate::{Failure, Number, output};

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
#[derive(schemars::JsonSchema, Serialize)]
pub struct Ran {
    job: String,
    stage: u64,
    is_finished: bool,
    /// Shards of the stage.
    shards: usize,
    /// The shards that this process made.
    made: Vec<Made>,
    /// Whether a sequential test is over, so that the missing shards are not needed.
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
                let [seconds, cpu] = [seconds, cpu_seconds].map(|&seconds| Number(seconds));
                write!(f, "shard {shard} of 0 to {}: {seconds:.1} s, {cpu:.1} CPU-s", shards - 1)
            }
            made => {
                let cpu: f64 = made.iter().map(|made| made.cpu_seconds).sum();
                write!(f, "{} of {shards} shards: {:.1} CPU-s", made.len(), Number(cpu))
            }
        }
    }
}

/// The most shards that the text names.
const NAMED: usize = 10;

pub fn status(arguments: &StatusArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let job = Job::read_only(job::folder(&arguments.job)?)?;
    let stage = Stage::read(&job)?;
    output::show(&Status::of(&job, &stage), json)
}

/// The result of `work status`.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Status {
    job: String,
    /// The kind of its run.
    kind: &'static str,
    /// The build of the program that makes the shards.
    version: String,
    stage: u64,
    is_finished: bool,
    /// Shards of the stage.
    shards: usize,
    done: usize,
    /// Numbers of the shards that processes are making.
    running: Vec<usize>,
    /// Shards whose process ended without them.
    failed: Vec<Failed>,
    /// The CPU time of all shards of all stages.
    cpu_seconds: f64,
    /// The time until the last shard of the stage is made, if as many processes go on as are making shards now.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
    /// The text that the finished run prints.
    #[serde(skip)]
    result: String,
}

/// A shard that was begun and is not there.
#[derive(schemars::JsonSchema, Serialize)]
struct Failed {
    shard: usize,
    by: String,
    error: String,
}

impl Status {
    fn of(job: &Job, stage: &Stage) -> Status {
        let (mut done, mut running, mut failed, mut seconds) = (0, Vec::new(), Vec::new(), Vec::new());
        let presence = stage.presence(job);
        for (number, shard) in stage.shards.iter().enumerate() {
            let is_there = presence(shard);
            done += usize::from(is_there);
            match stage::state_of(job, stage.number, number) {
                State::Open => {}
                State::Running if is_there => {}
                State::Running => running.push(number),
                State::Ended(record) if is_there => seconds.extend((record.seconds > 0.0).then_some(record.seconds)),
                State::Ended(Record { by, error, .. }) => {
                    let error = error.unwrap_or_else(|| "the process ended".into());
                    failed.push(Failed { shard: number, by, error });
                }
            }
        }
        let shards = stage.shards.len();
        let mean = (!seconds.is_empty()).then(|| seconds.iter().sum::<f64>() / seconds.len() as f64);
        let left = (shards - done) as f64 / running.len().max(1) as f64;
        Status {
            job: job.folder.path().display().to_string(),
            kind: job.stored.run.kind(),
            version: job.stored.version.clone(),
            stage: stage.number,
            is_finished: stage.is_finished,
            shards,
            done,
            running,
            failed,
            cpu_seconds: stage::cpu_seconds(job),
            seconds_left: mean.map(|mean| mean * left),
            result: job.result_text(),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Status { job, kind, stage, shards, done, running, failed, cpu_seconds, .. } = self;
        let cpu_seconds = Number(*cpu_seconds);
        writeln!(f, "{job}: {kind}")?;
        if self.is_finished {
            return write!(f, "finished; {cpu_seconds:.1} CPU-s for its shards\n{}", self.result);
        }
        let open = shards - done - running.len() - failed.len();
        write!(
            f,
            "stage {stage}: {done} of {shards} shards done, {} running, {} failed, {open} not begun; {cpu_seconds:.1} CPU-s so far",
            running.len(),
            failed.len()
        )?;
        if let Some(seconds) = self.seconds_left.filter(|_| done < shards) {
            write!(f, ", {:.0} s left in this stage", Number(seconds))?;
        }
        for Failed { shard, by, error } in failed.iter().take(NAMED) {
            write!(f, "\n  shard {shard}, by {by}: {error}")?;
        }
        if failed.len() > NAMED {
            write!(f, "\n  and {} more", failed.len() - NAMED)?;
        }
        if done == shards { write!(f, "\nNext: tilewright work merge {job}") } else { Ok(()) }
    }
}
