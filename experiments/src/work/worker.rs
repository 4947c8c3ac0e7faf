//! A process that makes shards: it runs the job for the shards of one loop after the other, and gives it one shard at a time.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tilewright_train::journal::{Role, Scheduler};

use super::coordinator::{lacks_shards, relative};
use super::flags::ProcessFlags;
use super::job::Job;
use super::records::Making;
use super::stage::{Shard, Stage};
use crate::output::{NewFile, muted};
use crate::runs::RunWords;
use crate::{Failure, interrupts};

/// Shards of a stage that this process wants to make.
pub struct Wanted {
    pub job: Arc<Job>,
    pub stage: Arc<Stage>,
    /// Their numbers in the stage.
    pub numbers: Vec<usize>,
    /// Whether they were asked for by number: then it does not matter what other processes make.
    pub are_asked: bool,
    /// The time after which no shard is begun but the first.
    pub until: Option<Instant>,
}

/// A shard that was made.
#[derive(Clone, Copy, Serialize)]
pub struct Made {
    pub shard: usize,
    pub seconds: f64,
    pub cpu_seconds: f64,
}

/// What came of shards that were wanted.
pub struct Outcome {
    /// Those that were made.
    pub made: Vec<Made>,
    /// Those that nobody needs any more, because a sequential test is over.
    pub needless: Vec<usize>,
}

impl Wanted {
    /// Makes those that nobody has made and nobody is making.
    pub fn make(self, process: &ProcessFlags, run_words: RunWords) -> Result<Outcome, Failure> {
        let loops = self.loops();
        let worker = Arc::new(Worker { wanted: self, going: Mutex::default() });
        let scheduler: Arc<dyn Scheduler> = worker.clone();
        let Wanted { job, stage, .. } = &worker.wanted;
        let mut needless = Vec::new();
        for numbers in loops {
            let shard = &stage.shards[numbers[0]];
            // The command loads a lexicon, so it is not run for nothing.
            let is_begun = worker.begin(shard, &numbers);
            if let Some(failure) = worker.going().failure.take() {
                return Err(failure);
            }
            if !is_begun {
                continue;
            }
            let json = NewFile::new(None)?;
            let done = muted(|| job.run(&shard.part, json, &scheduler, (process.threads, true), run_words));
            let failure = done.err().filter(|failure| !lacks_shards(failure));
            let mut going = worker.going();
            let is_unknown = going.is_ahead && going.making.is_some() && !going.has_enough;
            going.end(failure.as_ref().map(Failure::message));
            if let Some(failure) = failure.or_else(|| going.failure.take()) {
                return Err(failure);
            }
            if going.has_enough {
                needless.extend(numbers);
            }
            if is_unknown && !interrupts::is_stopped() && stage.is_in_work(job) {
                return Err(shard.unknown(job));
            }
        }
        let made = std::mem::take(&mut worker.going().made);
        Ok(Outcome { made, needless })
    }

    /// The numbers, by the loop to which the shards belong. The shards of large loops tend to be small. They come last, so that nobody waits
    /// long for the end of the stage.
    fn loops(&self) -> Vec<Vec<usize>> {
        let shards = &self.stage.shards;
        let mut loops: Vec<Vec<usize>> = Vec::new();
        for &number in &self.numbers {
            match loops.iter_mut().find(|others| shards[others[0]].is_beside(&shards[number])) {
                Some(others) => others.push(number),
                None => loops.push(vec![number]),
            }
        }
        loops.sort_by_key(Vec::len);
        loops
    }
}

/// Shards in turn from one with which other processes are unlikely to begin, so that they share the work even where files cannot be locked.
pub fn in_some_order(mut numbers: Vec<usize>) -> Vec<usize> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let first = now.subsec_nanos() as usize % numbers.len().max(1);
    numbers.rotate_left(first);
    numbers
}

struct Worker {
    wanted: Wanted,
    going: Mutex<Going>,
}

/// How far the process has come.
#[derive(Default)]
struct Going {
    /// A shard of the loop whose shards it makes.
    shard: Option<Shard>,
    /// The shards of the loop that it has not looked at, by their numbers in the stage, the last one first.
    left: Vec<usize>,
    making: Option<Making>,
    /// Whether the shard in the making was only taken, and not begun.
    is_ahead: bool,
    /// Whether nobody needs more shards of the loop.
    has_enough: bool,
    made: Vec<Made>,
    /// Why no shard can be taken.
    failure: Option<Failure>,
}

impl Going {
    /// Ends the shard in the making. One that was taken and turned out to be needless is given back.
    fn end(&mut self, error: Option<String>) {
        let Some(making) = self.making.take() else { return };
        if self.is_ahead && error.is_none() {
            return making.give_back();
        }
        let (shard, is_made) = (making.number, error.is_none());
        let [seconds, cpu_seconds] = making.end(error);
        self.made.extend(is_made.then_some(Made { shard, seconds, cpu_seconds }));
    }
}

impl Worker {
    fn going(&self) -> MutexGuard<'_, Going> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the first shard of a loop; returns whether there is one.
    fn begin(&self, shard: &Shard, numbers: &[usize]) -> bool {
        let mut going = self.going();
        let left = numbers.iter().rev().copied().collect();
        *going = Going { shard: Some(shard.clone()), left, made: std::mem::take(&mut going.made), ..Going::default() };
        going.making = self.take(&mut going);
        going.is_ahead = true;
        going.making.is_some()
    }

    /// Takes the next shard that nobody has made and nobody is making.
    fn take(&self, going: &mut Going) -> Option<Making> {
        let Wanted { job, stage, are_asked, until, .. } = &self.wanted;
        if interrupts::is_stopped() || !going.made.is_empty() && until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        while let Some(number) = going.left.pop() {
            let is_there = || stage.shards[number].is_there(job);
            if !are_asked && is_there() {
                continue;
            }
            let mut making = match Making::new(job, stage.number, number) {
                Ok(making) => making,
                Err(failure) => {
                    going.failure = Some(failure);
                    return None;
                }
            };
            if !are_asked {
                // Another process may have made it in the meantime, or have merged the stage and removed its shards.
                if !making.is_own() || is_there() {
                    continue;
                }
                if !stage.is_in_work(job) {
                    return None;
                }
            }
            making.begin();
            return Some(making);
        }
        None
    }
}

impl Scheduler for Worker {
    fn role(&self, folder: &Path, job: &str) -> Role {
        let folder = relative(self.wanted.job.folder.path(), folder);
        let is_of = |shard: &Shard| shard.folder == folder && shard.name == job;
        if self.going().shard.as_ref().is_some_and(is_of) {
            return Role::Worker;
        }
        if self.wanted.stage.shards.iter().any(is_of) { Role::Bystander } else { Role::Coordinator }
    }

    fn is_alone(&self) -> bool {
        false
    }

    fn next(&self) -> Option<u64> {
        let mut going = self.going();
        if !std::mem::take(&mut going.is_ahead) {
            going.end(None);
            going.making = self.take(&mut going);
        }
        let number = going.making.as_ref()?.number;
        Some(self.wanted.stage.shards[number].number)
    }

    fn has_enough(&self) {
        self.going().has_enough = true;
    }
}
