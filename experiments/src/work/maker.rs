//! A process that makes pieces: it runs the command of a group, and gives it one shard after the other.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use cpu_time::ProcessTime;
use serde::Serialize;
use tilewright_train::journal::{Role, Scheduler, UnusableShard};

use super::coordinator::{lacks_shards, relative};
use super::flags::ProcessFlags;
use super::job::Job;
use super::stage::{Group, Stage, StoredPiece};
use super::tasks::{self, OwnTask};
use crate::failure::Failure;
use crate::interrupts;
use crate::output::{NewFile, muted};
use crate::requests::Verbs;
use crate::status::status;

/// Pieces of a stage that this process wants to make.
pub struct Wanted {
    pub job: Arc<Job>,
    pub stage: Arc<Stage>,
    /// Their numbers in the stage.
    pub numbers: Vec<u64>,
    /// Whether they were asked for by number: then no task of another process is in the way.
    pub is_asked: bool,
    /// Whether to begin another piece, given the number that are made.
    pub goes_on: Arc<dyn Fn(usize) -> bool + Send + Sync>,
}

/// A piece that was made.
#[derive(Clone, Copy, Serialize)]
pub struct Made {
    pub shard: u64,
    pub seconds: f64,
    pub cpu_seconds: f64,
}

/// What came of pieces that were wanted.
#[derive(Default)]
pub struct Outcome {
    /// Those that were made.
    pub made: Vec<Made>,
    /// Those that nobody needs any more, because a sequential test is over.
    pub needless: Vec<u64>,
}

impl Wanted {
    /// Makes those that nobody has made and nobody is making.
    pub fn make(self, process: &ProcessFlags, verbs: Verbs) -> Result<Outcome, Failure> {
        let Wanted { job, stage, numbers, is_asked, goes_on } = self;
        let mut outcome = Outcome::default();
        let mut groups: Vec<(usize, Vec<u64>)> = by_group(&stage, &numbers).into_iter().collect();
        // The pieces of large groups tend to be small. They come last, so that nobody waits long for the end of the stage.
        groups.sort_by_key(|&(group, _)| stage.groups[group].pieces.len());
        for (group, numbers) in groups {
            let (job, stage, goes_on) = (job.clone(), stage.clone(), goes_on.clone());
            let maker = Maker { job, stage, group, is_asked, goes_on, going: Mutex::default() };
            maker.make(numbers, &mut outcome, process, verbs)?;
        }
        Ok(outcome)
    }
}

/// Pieces in turn from one with which other processes are unlikely to begin, so that they share the work even where files cannot be locked.
pub fn in_some_order(mut pieces: Vec<u64>) -> Vec<u64> {
    let mut hasher = DefaultHasher::new();
    (std::process::id(), SystemTime::now()).hash(&mut hasher);
    let first = hasher.finish() % (pieces.len() as u64).max(1);
    pieces.rotate_left(first as usize);
    pieces
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

/// The process, as it makes pieces of one group.
struct Maker {
    job: Arc<Job>,
    stage: Arc<Stage>,
    /// The group.
    group: usize,
    is_asked: bool,
    goes_on: Arc<dyn Fn(usize) -> bool + Send + Sync>,
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
    /// Whether nobody needs more pieces of the group.
    has_enough: bool,
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
    /// Makes the pieces with these numbers that nobody has made and nobody is making.
    fn make(self, numbers: Vec<u64>, outcome: &mut Outcome, process: &ProcessFlags, verbs: Verbs) -> Result<(), Failure> {
        let maker = Arc::new(self);
        let left = numbers.iter().rev().copied().collect();
        *maker.going() = Going { left, before: outcome.made.len(), ..Going::default() };
        // The command loads a lexicon, so it is not run for nothing.
        let first = maker.take(&mut maker.going());
        if first.is_none() {
            return Ok(());
        }
        maker.going().ahead = first;
        let json = NewFile::new(None)?;
        let scheduler: Arc<dyn Scheduler> = maker.clone();
        let done = muted(|| maker.job.run(&maker.group().part, json, &scheduler, (process.threads, true), verbs));
        let failure = done.err().filter(|failure| !lacks_shards(failure));
        let mut going = maker.going();
        end(&mut going, failure.as_ref().map(Failure::message));
        outcome.made.append(&mut going.made);
        if going.has_enough {
            outcome.needless.extend(numbers);
        }
        failure.map_or(Ok(()), Err)
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
        if interrupts::is_stopped() || !(self.goes_on)(going.before + going.made.len()) {
            return None;
        }
        let is_there = |number| self.group().path(&self.job, self.piece(number)).exists();
        while let Some(number) = going.left.pop() {
            if !self.is_asked && is_there(number) {
                continue;
            }
            // A task that cannot be written down is done all the same: the piece is what counts.
            let mut task = tasks::take(&self.job, self.stage.number, number).unwrap_or_default();
            if !self.is_asked {
                // Another process may have made it in the meantime, or have merged the stage and removed its pieces.
                if task.is_none() || is_there(number) {
                    continue;
                }
                if !self.stage.is_in_work(&self.job) {
                    return None;
                }
            }
            let _ = task.as_mut().map(OwnTask::begin);
            going.begun = Some(Begun { number, task, time: Instant::now(), cpu: ProcessTime::now() });
            return Some(number);
        }
        None
    }
}

/// Ends the piece in the making. One that was taken and turned out to be needless is given back.
fn end(going: &mut Going, error: Option<String>) {
    let Some(Begun { number, task, time, cpu }) = going.begun.take() else { return };
    if going.ahead.take().is_some() && error.is_none() {
        return task.map_or((), OwnTask::give_back);
    }
    let (seconds, cpu) = (time.elapsed(), cpu.elapsed());
    if error.is_none() {
        going.made.push(Made { shard: number, seconds: seconds.as_secs_f64(), cpu_seconds: cpu.as_secs_f64() });
    }
    if let Some(Err(failure)) = task.map(|task| task.end(seconds, cpu, error)) {
        status!("warning: piece {number} is made, but its cost cannot be written down: {}", failure.message());
    }
}

impl Scheduler for Maker {
    fn role(&self, folder: &Path, job: &str) -> Role {
        let folder = relative(&self.job.folder, folder);
        match self.stage.groups.iter().position(|group| group.folder == folder && group.shards == job) {
            Some(group) if group == self.group => Role::Worker,
            Some(_) => Role::Bystander,
            None => Role::Coordinator,
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

    fn has_enough(&self, _folder: &Path, _job: &str) {
        self.going().has_enough = true;
    }

    fn report(&self, _shard: UnusableShard<'_>) {}

    fn is_alone(&self) -> bool {
        false
    }
}
