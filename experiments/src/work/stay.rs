//! `work run --stay`: a worker that makes shards of one stage after the other until the job is finished.
//!
//! A worker without a free shard waits. When all shards of the stage are there, the first worker with the lock merges them,
//! and the others go on with the next stage. A lock ends with its process, so another begins the shard of a killed worker.
//!
//! Each worker has a file in `workers/`, locked as long as it lives, with its threads in the name. When one of them merges,
//! the others wait, so it may use the threads of all workers of its machine.

use std::fmt;
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tilewright_engine::folder::Folder;
use tilewright_train::journal::JournalError;

use super::files::{self, MERGE_LOCK, Waiting};
use super::flags::ProcessFlags;
use super::job::Job;
use super::processes::{Made, Outcome, Wanted, next_stage};
use super::stage::{self, Stage, StageJson};
use crate::runs::RunWords;
use crate::status::status;
use crate::{Failure, interrupts, loading};

const WORKERS: &str = "workers";
/// The stack of the threads, in bytes, as large as the stack of the main thread, on which commands otherwise run.
const STACK: usize = 8 << 20;

/// Works until the job is finished.
///
/// # Errors
/// As [`work`].
pub fn run(job: &Arc<Job>, process: &ProcessFlags, run_words: RunWords) -> Result<Stayed, Failure> {
    files::check_locks(&job.folder)?;
    let workers = job.folder.make_folder(WORKERS)?;
    let name = format!("{}-{}", files::drawn_name(), threads(process));
    let _presence = Presence { _lock: files::lock(&workers, &name)?, folder: workers, name };
    let folder = job.folder.path().display().to_string();
    let mut stayer = Stayer { reports: !process.quiet, ..Stayer::new(job.clone(), process, run_words) };
    let again = format!("tilewright work run {folder} --stay");
    // Work that goes back and forth between threads loses the caches of their cores, so one thread does it all.
    let worked = with_threads(threads(process), || work(&again, || stayer.step(None)))?;
    Ok(Stayed { job: folder, worked, result: job.result_text() })
}

/// Does steps until they are finished, and waits while there is nothing to do.
///
/// # Errors
/// The errors of the steps. [`Failure::Interrupted`] has the command that goes on.
pub fn work(again: &str, mut step: impl FnMut() -> Result<Step, Failure>) -> Result<Worked, Failure> {
    interrupts::catch();
    let (begun, mut waiting, mut worked) = (Instant::now(), Waiting::default(), Worked::default());
    loop {
        match step() {
            Ok(Step::Finished) => break,
            Ok(Step::Nothing) => waiting.sleep(),
            Ok(Step::Made(made)) => {
                worked.made.extend(made);
                waiting.end();
            }
            Ok(Step::Merged) => {
                worked.merged += 1;
                waiting.end();
            }
            Err(Failure::Interrupted(_)) => {}
            Err(failure) => return Err(failure),
        }
        if interrupts::is_stopped() {
            let made = worked.made.len();
            return Err(Failure::Interrupted(format!(
                "this worker made {made} shards, which are kept; go on with: {again}"
            )));
        }
    }
    (worked.seconds, worked.waited_seconds) = (begun.elapsed().as_secs_f64(), waiting.seconds());
    Ok(worked)
}

/// A process that works on a job, step by step.
pub struct Stayer<'a> {
    job: Arc<Job>,
    process: &'a ProcessFlags,
    run_words: RunWords,
    /// Whether to report the beginning of a stage.
    reports: bool,
    stage: Arc<Stage>,
    /// The shards of the stage that may be missing.
    left: Vec<usize>,
    /// The shards that are not needed any more.
    needless: Vec<usize>,
}

/// The outcome of a step.
pub enum Step {
    /// The job is finished.
    Finished,
    /// There is nothing to do at the moment.
    Nothing,
    /// It made these shards, or found them needless.
    Made(Vec<Made>),
    /// It merged the stage.
    Merged,
}

impl<'a> Stayer<'a> {
    pub fn new(job: Arc<Job>, process: &'a ProcessFlags, run_words: RunWords) -> Stayer<'a> {
        let (stage, left, needless) = Default::default();
        Stayer { job, process, run_words, reports: false, stage, left, needless }
    }

    /// Makes shards until a time, or merges the stage if all are there.
    pub fn step(&mut self, until: Option<Instant>) -> Result<Step, Failure> {
        let stage = Stage::read(&self.job)?;
        if stage.is_finished {
            return Ok(Step::Finished);
        }
        if !stage.is_same(&self.stage) {
            if self.reports {
                status!("{}", StageJson::new(&self.job, &stage, String::new()));
            }
            // In order, because a sequential test needs them in order.
            self.left = (0..stage.shards.len()).collect();
            self.needless.clear();
            self.stage = Arc::new(stage);
        }
        let is_there = self.stage.presence(&self.job);
        self.left.retain(|&number| !is_there(&self.stage.shards[number]));
        let step = if self.left.is_empty() { self.merge() } else { self.make(until) };
        match step {
            // A process that has stored its last shard still has the run open for a moment, and a merging process locks it.
            Err(failure) if matches!(failure.journal(), Some(JournalError::Locked { .. })) => Ok(Step::Nothing),
            step => step,
        }
    }

    fn make(&mut self, until: Option<Instant>) -> Result<Step, Failure> {
        let (job, stage, numbers) = (self.job.clone(), self.stage.clone(), self.left.clone());
        let wanted = Wanted { job, stage, numbers, are_asked: false, until };
        let Outcome { made, needless } = wanted.make(self.process, self.run_words)?;
        if made.is_empty() && needless.is_empty() {
            return Ok(Step::Nothing);
        }
        self.left.retain(|number| !needless.contains(number));
        self.needless.extend(needless);
        Ok(Step::Made(made))
    }

    /// Merges the stage, unless another process does or has done.
    fn merge(&self) -> Result<Step, Failure> {
        let Stayer { job, process, stage, .. } = self;
        // Processes that still make needless shards have the run open.
        if stage::are_running(job, stage.number, &self.needless) {
            return Ok(Step::Nothing);
        }
        let Some(_lock) = files::lock(&job.folder, MERGE_LOCK)? else { return Ok(Step::Nothing) };
        if !Stage::read(job)?.is_same(stage) {
            return Ok(Step::Nothing);
        }
        let merge = || next_stage(job, stage, process, self.run_words).map(|_| Step::Merged);
        let all = threads_here(job)?;
        if all <= threads(process) { merge() } else { with_threads(all, merge) }
    }
}

/// A worker's own file, whose name ends in the number of its threads.
struct Presence {
    folder: Folder,
    name: String,
    _lock: Option<File>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        // A file that stays has no lock, and is not counted.
        let _ = self.folder.remove(&self.name);
    }
}

/// The threads of this process.
fn threads(process: &ProcessFlags) -> usize {
    process.threads.map_or_else(cores, usize::from)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The threads of all workers of this machine, at most one for each core.
fn threads_here(job: &Job) -> Result<usize, Failure> {
    let prefix = format!("{}-", files::host());
    let mut threads = 0;
    // Workers of a queue do not state their threads.
    let folder = job.folder.make_folder(WORKERS)?;
    for name in folder.names()? {
        let Some((_, of_worker)) = name.strip_prefix(&prefix).and_then(|rest| rest.split_once('-')) else { continue };
        if files::is_locked(&folder, &name) {
            threads += of_worker.parse().unwrap_or(0);
        } else {
            // It was killed. If it has not had the time to lock its file, it is only not counted.
            let _ = folder.remove(&name);
        }
    }
    Ok(threads.min(cores()))
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build()
        .map_err(loading::no_threads)?
        .install(work)
}

/// The work of a worker so far.
#[derive(Default, schemars::JsonSchema, Serialize)]
pub struct Worked {
    /// Shards that it made.
    pub made: Vec<Made>,
    /// Stages that it merged.
    pub merged: u64,
    /// The time from its start to its end.
    pub seconds: f64,
    /// The time that it waited for others.
    pub waited_seconds: f64,
}

/// The result of `work run --stay`.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Stayed {
    job: String,
    #[serde(flatten)]
    worked: Worked,
    /// The text that the finished run prints.
    #[serde(skip)]
    result: String,
}

impl fmt::Display for Stayed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stayed { job, worked: Worked { made, merged, seconds, waited_seconds }, result } = self;
        let making = made.iter().fold(0.0, |sum, shard| sum + shard.seconds);
        write!(
            f,
            "{job} is finished; this worker made {} shards in {making:.1} s, merged {merged} stages, and waited {waited_seconds:.1} s of {seconds:.1} s\n{result}",
            made.len()
        )
    }
}
