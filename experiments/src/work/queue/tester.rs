//! `work match --work`: a worker of a queue.
//!
//! It makes shards of the candidate whose test is expected to need the fewest further pairs, for a short time, and then looks again which that
//! is. When a test is over, or all shards of its stage are there, it merges the candidate's stage, which ends the test or begins its next stage.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;
use tilewright_engine::folder::Folder;

use super::candidate::{Candidate, FAILED, Settings, folders};
use crate::failure::Failure;
use crate::runs::RunWords;
use crate::status::status;
use crate::work::files;
use crate::work::flags::QueueArguments;
use crate::work::job::Job;
use crate::work::stay::{Stayer, Step, Worked, work};

/// The time after which a worker looks again which candidate comes first: long against the start of a command, and short against a test.
const TURN: Duration = Duration::from_secs(2);

/// A worker of a queue.
pub struct Tester<'a> {
    arguments: &'a QueueArguments,
    queue: &'a Folder,
    settings: &'a Settings,
    run_words: RunWords,
    /// The candidates so far, by the names of their folders. `None` for a candidate with nothing left to do.
    candidates: BTreeMap<String, Option<(Candidate, Stayer<'a>)>>,
    until: Option<Instant>,
}

/// The result of `work match --work`.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Tested {
    queue: String,
    /// Shards that this worker made.
    made: usize,
    /// Stages of candidates that it merged.
    merged: u64,
    /// Candidates whose tests are not over.
    open: usize,
    /// Candidates that failed.
    failed: usize,
    seconds: f64,
    /// The time that it waited for others.
    waited_seconds: f64,
}

impl<'a> Tester<'a> {
    pub fn new(
        arguments: &'a QueueArguments,
        queue: &'a Folder,
        settings: &'a Settings,
        run_words: RunWords,
    ) -> Result<Tester<'a>, Failure> {
        settings.check_build(&arguments.queue, arguments.accepted.build)?;
        let until = arguments.time.map(|time| Instant::now() + time);
        Ok(Tester { arguments, queue, settings, run_words, candidates: BTreeMap::new(), until })
    }

    /// Works until all tests are over, or until its time is.
    ///
    /// # Errors
    /// As [`work`].
    pub fn run(mut self) -> Result<Tested, Failure> {
        let queue = self.arguments.queue.display().to_string();
        let again = format!("tilewright work match --queue {queue} --work");
        let Worked { made, merged, seconds, waited_seconds } = work(&again, || self.step())?;
        let open = self.candidates.values().flatten().count();
        let failed = folders(self.queue)?.iter().filter(|(_, folder)| folder.has(FAILED)).count();
        Ok(Tested { queue, made: made.len(), merged, open, failed, seconds, waited_seconds })
    }

    /// Finds candidates that were added.
    fn find_candidates(&mut self) -> Result<(), Failure> {
        for (name, folder) in folders(self.queue)? {
            if !self.candidates.contains_key(&name) {
                let candidate = Candidate::new(Job::open(folder, self.arguments.accepted)?, self.settings)?;
                files::check_locks(&candidate.job.folder)?;
                let stayer = Stayer::new(candidate.job.clone(), &self.arguments.process, self.run_words);
                self.candidates.insert(name, Some((candidate, stayer)));
            }
        }
        Ok(())
    }

    /// Does something for the first candidate for which something can be done. The test that is expected to end first comes first.
    fn step(&mut self) -> Result<Step, Failure> {
        self.find_candidates()?;
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        if is_late || self.candidates.values().all(Option::is_none) && !self.arguments.stay {
            return Ok(Step::Finished);
        }
        for (candidate, _) in self.candidates.values_mut().flatten() {
            // An error shows when it is this candidate's turn.
            let _ = candidate.looks.read();
        }
        let left = |place: &Option<(Candidate, Stayer<'_>)>| {
            place.as_ref().map_or(0.0, |(candidate, _)| candidate.looks.expected_pairs_left())
        };
        let mut order: Vec<_> = self.candidates.values_mut().collect();
        order.sort_by(|one, other| left(one).total_cmp(&left(other)));
        let turn = Instant::now() + TURN;
        let until = self.until.map_or(turn, |until| until.min(turn));
        for place in order {
            let Some((candidate, stayer)) = place else { continue };
            match work_on(candidate, stayer, until)? {
                Step::Nothing => {}
                Step::Finished => {
                    *place = None;
                    return Ok(Step::Made(Vec::new()));
                }
                step => return Ok(step),
            }
        }
        Ok(Step::Nothing)
    }
}

/// Makes shards of a candidate until a time, or merges them. A candidate fails by its own input alone. A full disk, for
/// example, is a failure of this worker.
fn work_on(candidate: &mut Candidate, stayer: &mut Stayer<'_>, until: Instant) -> Result<Step, Failure> {
    if candidate.failed().is_some() {
        return Ok(Step::Finished);
    }
    let read = candidate.looks.read().map_err(Failure::from);
    match read.and_then(|()| stayer.step(Some(until))) {
        Err(failure @ Failure::Input(_)) => {
            status!("warning: candidate {} failed: {}", candidate.name, failure.message());
            candidate.fail(failure.message())?;
            Ok(Step::Finished)
        }
        step => step,
    }
}

impl fmt::Display for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tested { queue, made, open, failed, seconds, waited_seconds, .. } = self;
        let mut left = match open {
            0 => "all tests are over".into(),
            open => format!("{open} tests are not over"),
        };
        if *failed > 0 {
            left += &format!(", {failed} candidates failed (why: tilewright work match --queue {queue})");
        }
        write!(
            f,
            "{queue}: {left}; this worker made {made} shards in {seconds:.1} s and waited {waited_seconds:.1} s of them"
        )
    }
}
