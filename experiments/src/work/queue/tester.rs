//! `work match --work`: a worker of a queue.
//!
//! It makes pieces of the candidate whose test is expected to need the fewest further pairs, for a short time, and then looks again which that is.
//! When a test is over, or all pieces of its stage are there, it merges the candidate's stage, which ends the test or begins its next stage.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tilewright_train::journal::JournalError;

use super::candidate::{Candidate, folders, is_running};
use super::settings::Settings;
use crate::failure::Failure;
use crate::interrupts;
use crate::requests::Verbs;
use crate::status::status;
use crate::work::flags::queue::QueueArguments;
use crate::work::job::Job;
use crate::work::maker::Wanted;
use crate::work::merge_lock;
use crate::work::stage::Stage;
use crate::work::waiting::Waiting;
use crate::work::worker::merge_in_turn;

/// The time after which a worker looks again which candidate comes first: long against the start of a command, and short against a test.
const TURN: Duration = Duration::from_secs(2);

/// A worker of a queue.
pub struct Tester<'a> {
    arguments: &'a QueueArguments,
    settings: &'a Settings,
    verbs: Verbs,
    /// The candidates that it knows, by their folders; `None` once nothing is left to do for one.
    candidates: BTreeMap<PathBuf, Option<Candidate>>,
    until: Option<Instant>,
    tested: Tested,
}

/// The result of `work match --work`.
#[derive(Default, Serialize)]
pub struct Tested {
    queue: String,
    /// Pieces that this worker made.
    pieces: u64,
    /// Stages of candidates that it merged.
    merged: u64,
    /// Candidates whose tests are not over.
    open: u64,
    seconds: f64,
    /// The time that it waited for others.
    waited_seconds: f64,
}

impl<'a> Tester<'a> {
    /// A worker of the queue.
    pub fn new(arguments: &'a QueueArguments, settings: &'a Settings, verbs: Verbs) -> Result<Tester<'a>, Failure> {
        settings.check(&arguments.queue, &arguments.settings)?;
        settings.check_build(&arguments.queue)?;
        let until = arguments.time.map(|time| Instant::now() + time);
        let tested = Tested { queue: arguments.queue.display().to_string(), ..Tested::default() };
        Ok(Tester { arguments, settings, verbs, candidates: BTreeMap::new(), until, tested })
    }

    /// Works until all tests are over, or until its time is.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] with how to go on.
    pub fn run(mut self) -> Result<Tested, Failure> {
        interrupts::catch();
        let (begun, mut waiting) = (Instant::now(), Waiting::default());
        loop {
            let did_something = self.step()?;
            if interrupts::is_stopped() {
                return Err(self.interrupted());
            }
            let is_late = self.until.is_some_and(|until| Instant::now() >= until);
            if is_late || self.open().next().is_none() && !self.arguments.stay {
                break;
            }
            if did_something { waiting.end() } else { waiting.sleep() }
        }
        self.tested.open = self.open().count() as u64;
        (self.tested.seconds, self.tested.waited_seconds) = (begun.elapsed().as_secs_f64(), waiting.seconds());
        Ok(self.tested)
    }

    fn open(&self) -> impl Iterator<Item = (&PathBuf, &Candidate)> {
        self.candidates.iter().filter_map(|(folder, candidate)| Some((folder, candidate.as_ref()?)))
    }

    fn interrupted(&self) -> Failure {
        let Tested { queue, pieces, .. } = &self.tested;
        Failure::Interrupted(format!(
            "this worker made {pieces} pieces, which are kept; go on with: tilewright work match --queue {queue} --work"
        ))
    }

    /// Does something for the first candidate for which something can be done; returns whether there was one.
    fn step(&mut self) -> Result<bool, Failure> {
        self.find_candidates()?;
        for folder in self.in_order() {
            let Some(Some(candidate)) = self.candidates.get(&folder) else { continue };
            let done = self.work_on(candidate).or_else(|failure| failed(candidate, &failure))?;
            match done {
                Done::Nothing => continue,
                Done::Over => drop(self.candidates.insert(folder, None)),
                Done::Merged => self.tested.merged += 1,
                Done::Made(pieces) => self.tested.pieces += pieces,
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Finds candidates that were added.
    fn find_candidates(&mut self) -> Result<(), Failure> {
        for folder in folders(&self.arguments.queue)? {
            if !self.candidates.contains_key(&folder) {
                let candidate = Candidate::new(Job::open(&folder)?, self.settings)?;
                merge_lock::check(&candidate.job)?;
                self.candidates.insert(folder, Some(candidate));
            }
        }
        Ok(())
    }

    /// The folders of the open candidates. The test that is expected to end first comes first.
    fn in_order(&self) -> Vec<PathBuf> {
        let left = |(folder, candidate): (&PathBuf, &Candidate)| {
            // An error shows when it is this candidate's turn.
            let _ = candidate.read();
            (candidate.looks().expected_pairs_left(), folder.clone())
        };
        let mut order: Vec<(f64, PathBuf)> = self.open().map(left).collect();
        order.sort_by(|(a, one), (b, other)| a.total_cmp(b).then_with(|| one.cmp(other)));
        order.into_iter().map(|(_, folder)| folder).collect()
    }

    /// Does what there is to do for a candidate.
    fn work_on(&self, candidate: &Candidate) -> Result<Done, Failure> {
        let job = &candidate.job;
        let stage = Stage::read(job)?;
        if stage.is_finished || candidate.failed().is_some() {
            return Ok(Done::Over);
        }
        candidate.read()?;
        let is_over = candidate.looks().is_over();
        let missing = (0..).zip(stage.pieces()).filter(|(_, (group, piece))| !group.path(job, piece).exists());
        let missing: Vec<u64> = missing.map(|(number, _)| number).collect();
        if !missing.is_empty() && !is_over {
            return self.make(candidate, stage, missing);
        }
        // Those who make pieces that the test does not need any more have the run open.
        if is_running(job, &stage) {
            return Ok(Done::Nothing);
        }
        let is_merged = merge_in_turn(job, &stage, &self.arguments.process, self.verbs)?;
        Ok(if is_merged { Done::Merged } else { Done::Nothing })
    }

    /// Makes pieces, in order because the test needs them in order, until it is over or another candidate may come first.
    fn make(&self, candidate: &Candidate, stage: Stage, numbers: Vec<u64>) -> Result<Done, Failure> {
        let until = self.until;
        let turn = Instant::now() + TURN;
        let goes_on = move |_| {
            let now = Instant::now();
            now < turn && until.is_none_or(|until| now < until)
        };
        let (job, stage) = (candidate.job.clone(), Arc::new(stage));
        let wanted = Wanted { job, stage, numbers, is_asked: false, goes_on: Arc::new(goes_on) };
        let made = wanted.make(&self.arguments.process, self.verbs)?.made;
        Ok(if made.is_empty() { Done::Nothing } else { Done::Made(made.len() as u64) })
    }
}

/// What a worker did for a candidate.
enum Done {
    /// There was nothing to do at the moment.
    Nothing,
    /// There is nothing left to do.
    Over,
    Merged,
    Made(u64),
}

/// Marks a candidate as failed, unless the failure is a stop, or another process has the run open for a moment.
fn failed(candidate: &Candidate, failure: &Failure) -> Result<Done, Failure> {
    if matches!(failure, Failure::Interrupted(_)) || matches!(failure.journal(), Some(JournalError::Locked { .. })) {
        return Ok(Done::Nothing);
    }
    status!("warning: candidate {} failed: {}", candidate.name, failure.message());
    candidate.fail(failure.message())?;
    Ok(Done::Over)
}

impl fmt::Display for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tested { queue, pieces, open, seconds, waited_seconds, .. } = self;
        let left = match open {
            0 => "all tests are over".into(),
            open => format!("{open} tests are not over"),
        };
        write!(
            f,
            "{queue}: {left}; this worker made {pieces} pieces in {seconds:.1} s, of which it waited {waited_seconds:.1} s"
        )
    }
}
