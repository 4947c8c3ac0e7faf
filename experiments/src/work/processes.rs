//! The two kinds of processes of a job. The coordinator runs the job up to the missing shards, which are the next stage. A
//! worker runs the job for the shards of one loop after the other, and gives it one shard at a time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use tilewright_engine::artefact::MANIFEST;
use tilewright_train::journal::{Fault, JournalError, Role, Scheduler, UnusableShard};

use super::flags::ProcessFlags;
use super::job::{Job, RESULT, RESULT_TEXT, RUN};
use super::stage::{Making, Shard, Stage};
use crate::output::{NewFile, captured};
use crate::runs::RunWords;
use crate::{Failure, interrupts};

/// The most shards that a message names.
const NAMED: usize = 20;

/// Puts the shards of the last stage together, and writes the stage that follows. The first stage follows an empty one.
///
/// # Errors
/// [`Failure::Input`] that names the shards of the last stage which are missing, and all that are wrong.
pub fn next_stage(job: &Job, last: &Stage, process: &ProcessFlags, run_words: RunWords) -> Result<Stage, Failure> {
    let coordinator = Arc::new(Coordinator { root: job.folder.path().into(), unusable: Mutex::default() });
    let result = job.folder.place(RESULT);
    // A process that was killed at the end may have finished the run, or written the result, and not have marked the job as
    // finished. All shards are still there, so the run ends once more.
    if job.folder.has(RUN) {
        job.folder.folder(RUN)?.remove(MANIFEST)?;
    }
    job.folder.remove(RESULT)?;
    let json = NewFile::new(Some(&result))?;
    let scheduler: Arc<dyn Scheduler> = coordinator.clone();
    let (done, text) = captured(|| job.run("", json, &scheduler, (process.threads, process.quiet), run_words));
    let unusable = std::mem::take(&mut *coordinator.unusable.lock().unwrap_or_else(PoisonError::into_inner));
    let next = match done {
        Err(failure) if unusable.is_empty() || !lacks_shards(&failure) => return Err(failure),
        _ if unusable.is_empty() => {
            job.folder.write(RESULT_TEXT, text.as_bytes())?;
            Stage { number: last.number.max(1), is_finished: true, shards: Vec::new() }
        }
        _ => {
            refuse(job, last, &unusable)?;
            let shards = unusable.into_iter().map(|(shard, _)| shard).collect();
            Stage { number: last.number + 1, is_finished: false, shards }
        }
    };
    next.write(job)?;
    Ok(next)
}

/// Whether a run ended because other processes have to make shards.
pub fn lacks_shards(failure: &Failure) -> bool {
    matches!(failure.journal(), Some(JournalError::ShardsMissing { .. }))
}

/// Refuses shards that are torn or of something else, and shards of the last stage that are missing.
fn refuse(job: &Job, last: &Stage, unusable: &[(Shard, Fault)]) -> Result<(), Failure> {
    let numbers: BTreeMap<String, usize> = last.shards.iter().map(Shard::place).zip(0..).collect();
    let mut text = String::new();
    for (fault, what, advice) in [
        (Fault::Torn, "torn (its checksum is wrong)", "run it again"),
        (Fault::Mismatched, "of another build, another run or another shard", "delete it and run it again"),
        (Fault::Missing, "missing", "run it"),
    ] {
        let places = unusable.iter().filter(|(_, own)| *own == fault).map(|(shard, _)| shard.place());
        let mut wrong = places.filter(|place| fault != Fault::Missing || numbers.contains_key(place));
        for place in wrong.by_ref().take(NAMED) {
            text += &format!("\n  {place}: {what}; {advice}");
            if let Some(number) = numbers.get(&place) {
                text += &format!(": tilewright work run {} --shard {number}", job.folder.path().display());
            }
        }
        let more = wrong.count();
        if more > 0 {
            text += &format!("\n  and {more} more of that kind");
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    Err(Failure::input(format!("{}: the stage cannot be put together{text}", job.folder.path().display())))
}

/// A folder relative to the folder of the job.
pub fn relative(root: &Path, folder: &Path) -> String {
    folder.strip_prefix(root).unwrap_or(folder).to_string_lossy().replace('\\', "/")
}

struct Coordinator {
    root: PathBuf,
    unusable: Mutex<Vec<(Shard, Fault)>>,
}

impl Scheduler for Coordinator {
    fn role(&self, _folder: &Path, _job: &str) -> Role {
        Role::Coordinator
    }

    fn is_alone(&self) -> bool {
        true
    }

    fn report(&self, shard: UnusableShard<'_>) {
        let UnusableShard { label, folder, job, number, file, fault } = shard;
        let folder = relative(&self.root, folder);
        let shard = Shard { part: label.into(), folder, name: job.into(), number, file: file.into() };
        self.unusable.lock().unwrap_or_else(PoisonError::into_inner).push((shard, fault));
    }
}

/// Shards of a stage that this process wants to make.
pub struct Wanted {
    pub job: Arc<Job>,
    pub stage: Arc<Stage>,
    /// Their numbers in the stage.
    pub numbers: Vec<usize>,
    /// Whether they were asked for by number. Then the work of other processes does not matter.
    pub are_asked: bool,
    /// The time after which no shard is begun but the first.
    pub until: Option<Instant>,
}

/// A shard that was made.
#[derive(Clone, Copy, schemars::JsonSchema, Serialize)]
pub struct Made {
    pub shard: usize,
    pub seconds: f64,
    pub cpu_seconds: f64,
}

/// The outcome of wanted shards.
pub struct Outcome {
    /// The shards that were made.
    pub made: Vec<Made>,
    /// The shards that are not needed any more, because a sequential test is over.
    pub needless: Vec<usize>,
}

impl Wanted {
    /// Makes the shards that are neither made nor in the making.
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
            let (done, _) = captured(|| job.run(&shard.part, json, &scheduler, (process.threads, true), run_words));
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

    /// The numbers, by the loop of the shards. Shards of large loops tend to be small. They come last, so that workers do
    /// not wait long for the end of the stage.
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
    /// Whether the loop has enough shards.
    has_enough: bool,
    made: Vec<Made>,
    /// Why no shard can be taken.
    failure: Option<Failure>,
}

impl Going {
    /// Ends the shard in the making. A needless shard is given back.
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

    /// Takes the first shard of a loop. Returns whether there is one.
    fn begin(&self, shard: &Shard, numbers: &[usize]) -> bool {
        let mut going = self.going();
        let left = numbers.iter().rev().copied().collect();
        *going = Going { shard: Some(shard.clone()), left, made: std::mem::take(&mut going.made), ..Going::default() };
        going.making = self.take(&mut going);
        going.is_ahead = true;
        going.making.is_some()
    }

    /// Takes the next shard that is neither made nor in the making.
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
            let making = Making::new(job, stage.number, number);
            let mut making = making.map_err(|failure| going.failure = Some(failure)).ok()?;
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
