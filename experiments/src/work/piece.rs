//! `work run`: makes pieces of the stage in work.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use cpu_time::ProcessTime;
use serde::Serialize;
use tilewright_train::journal::{Crew, Piece, Task};

use super::flags::RunArguments;
use super::gather::is_part_done;
use super::gatherer::relative;
use super::job::Job;
use super::stage::{Group, Stage, StoredPiece};
use super::tasks::{self, OwnTask};
use crate::crew::{self, Command};
use crate::failure::Failure;
use crate::interrupts;
use crate::output::{self, muted};

/// `work run`.
pub fn run(arguments: &RunArguments, command: Command<'_>) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let job = Arc::new(Job::open(&arguments.job)?);
    let stage = Arc::new(Stage::read(&job)?);
    let wanted = match arguments.shard {
        _ if stage.is_finished => Vec::new(),
        Some(shard) if shard >= stage.len() => {
            return Err(Failure::input(format!(
                "--shard {shard}: stage {} of {} has pieces 0 to {}",
                stage.number,
                job.folder.display(),
                stage.len().saturating_sub(1)
            )));
        }
        Some(shard) => vec![shard],
        None => in_some_order(stage.len()),
    };
    let until = Instant::now() + arguments.time.unwrap_or_default();
    let limits = Limits { is_asked: arguments.shard.is_some(), until: arguments.time.map(|_| until) };
    let mut made = Vec::new();
    for (group, numbers) in by_group(&stage, &wanted) {
        if limits.are_reached(made.len()) {
            break;
        }
        let maker = Maker { job: job.clone(), stage: stage.clone(), group, limits, going: Mutex::default() };
        made.extend(maker.make(numbers, made.len(), arguments, command)?);
    }
    let (is_finished, job) = (stage.is_finished, job.folder.display().to_string());
    output::show(&Ran { job, stage: stage.number, is_finished, shards: stage.len(), pieces: made }, json)
}

/// The numbers of all pieces, in turn from one with which other processes are unlikely to begin.
fn in_some_order(pieces: u64) -> Vec<u64> {
    let mut hasher = DefaultHasher::new();
    (std::process::id(), SystemTime::now()).hash(&mut hasher);
    let first = hasher.finish() % pieces.max(1);
    (first..pieces).chain(0..first).collect()
}

/// The wanted pieces by the group they belong to.
fn by_group(stage: &Stage, wanted: &[u64]) -> BTreeMap<usize, Vec<u64>> {
    let sizes = stage.groups.iter().enumerate();
    let groups: Vec<usize> = sizes.flat_map(|(at, group)| std::iter::repeat_n(at, group.pieces.len())).collect();
    let mut found: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for &number in wanted {
        found.entry(groups[number as usize]).or_default().push(number);
    }
    found
}

/// How much a process makes.
#[derive(Clone, Copy)]
struct Limits {
    /// Whether the piece was asked for by its number: then no task of another process is in its way.
    is_asked: bool,
    /// No piece is begun after this; without it, one piece is made.
    until: Option<Instant>,
}

impl Limits {
    fn are_reached(self, made: usize) -> bool {
        interrupts::is_stopped() || made > 0 && self.until.is_none_or(|until| Instant::now() >= until)
    }
}

/// A process that makes pieces of one group.
struct Maker {
    job: Arc<Job>,
    stage: Arc<Stage>,
    /// The group.
    group: usize,
    limits: Limits,
    going: Mutex<Going>,
}

/// How far a process has come in a group.
#[derive(Default)]
struct Going {
    /// The pieces that it has not looked at, by their numbers in the stage, the last one first.
    left: Vec<u64>,
    /// The piece that it has taken but not begun.
    ahead: Option<u64>,
    begun: Option<Begun>,
    made: Vec<Made>,
    /// Pieces that it made in other groups.
    before: usize,
}

/// A piece in the making.
struct Begun {
    number: u64,
    /// `None` if another process has the task.
    task: Option<OwnTask>,
    time: Instant,
    cpu: ProcessTime,
}

impl Maker {
    /// Makes the pieces with these numbers that nobody has made and nobody is making; `before` pieces are made already.
    fn make(
        self,
        mut numbers: Vec<u64>,
        before: usize,
        arguments: &RunArguments,
        command: Command<'_>,
    ) -> Result<Vec<Made>, Failure> {
        numbers.reverse();
        let maker = Arc::new(self);
        *maker.going() = Going { left: numbers, before, ..Going::default() };
        // The command loads a lexicon, so it is not run for nothing.
        let first = maker.take(&mut maker.going());
        if first.is_none() {
            return Ok(Vec::new());
        }
        maker.going().ahead = first;
        let mut words = maker.job.filled(&maker.stage.groups[maker.group].command, &arguments.process);
        if !arguments.process.quiet {
            words.push("--quiet".into());
        }
        let done = muted(|| crew::with(maker.clone(), || command(&words)));
        let failure = done.err().filter(|failure| !is_part_done(failure));
        let mut going = maker.going();
        end(&mut going, failure.as_ref().map(Failure::message));
        failure.map_or_else(|| Ok(std::mem::take(&mut going.made)), Err)
    }

    fn going(&self) -> MutexGuard<'_, Going> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn group(&self) -> &Group {
        &self.stage.groups[self.group]
    }

    /// The piece with this number in the stage.
    fn piece(&self, number: u64) -> &StoredPiece {
        let before: u64 = self.stage.groups[..self.group].iter().map(|group| group.pieces.len() as u64).sum();
        &self.group().pieces[(number - before) as usize]
    }

    /// Takes the next task, and returns its number in the stage.
    fn take(&self, going: &mut Going) -> Option<u64> {
        if self.limits.are_reached(going.before + going.made.len()) {
            return None;
        }
        let is_there = |number| !self.limits.is_asked && self.group().path(&self.job, self.piece(number)).exists();
        while let Some(number) = going.left.pop() {
            if is_there(number) {
                continue;
            }
            // A task that cannot be written down is done all the same: the piece is what counts.
            let task = tasks::take(&self.job, self.stage.number, number).unwrap_or_default();
            // Another process may have made it in the meantime.
            if is_there(number) || task.is_none() && !self.limits.is_asked {
                continue;
            }
            going.begun = Some(Begun { number, task, time: Instant::now(), cpu: ProcessTime::now() });
            return Some(number);
        }
        None
    }
}

/// Ends the piece in the making.
fn end(going: &mut Going, error: Option<String>) {
    let Some(Begun { number, task, time, cpu }) = going.begun.take() else { return };
    let (seconds, cpu) = (time.elapsed(), cpu.elapsed());
    if error.is_none() {
        going.made.push(Made { shard: number, seconds: seconds.as_secs_f64(), cpu_seconds: cpu.as_secs_f64() });
    }
    if let Some(Err(failure)) = task.map(|task| task.end(seconds, cpu, error)) {
        eprintln!("warning: piece {number} is made, but its cost cannot be written down: {}", failure.message());
    }
}

impl Crew for Maker {
    fn task(&self, folder: &Path, job: &str) -> Task {
        let folder = relative(&self.job.folder, folder);
        match self.stage.groups.iter().position(|group| group.folder == folder && group.shards == job) {
            Some(group) if group == self.group => Task::Make,
            Some(_) => Task::Leave,
            None => Task::Gather,
        }
    }

    fn next(&self, _folder: &Path, _job: &str) -> Option<u64> {
        let mut going = self.going();
        let next = if let Some(first) = going.ahead.take() {
            first
        } else {
            end(&mut going, None);
            self.take(&mut going)?
        };
        Some(self.piece(next).number)
    }

    fn report(&self, _piece: Piece<'_>) {}

    fn is_alone(&self) -> bool {
        false
    }

    fn build(&self) -> &str {
        &self.job.stored.version
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
}

/// A piece that was made.
#[derive(Serialize)]
struct Made {
    shard: u64,
    seconds: f64,
    cpu_seconds: f64,
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ran { job, stage, shards, .. } = self;
        match &self.pieces[..] {
            _ if self.is_finished => write!(f, "{job} is finished"),
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
