//! The looks of a sequential match that several processes share, read while it goes on.

use tilewright_engine::folder::Folder;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::series::sequential::{Decision, PAIRS_PER_LOOK, SequentialTest};
use tilewright_engine::series::{Pair, Tally};

use super::shared;
use crate::journal::{JournalError, StoredRun};

/// How far the test of a shared match has come: the looks that are there without a gap, up to the decision.
#[derive(Clone, Debug)]
pub struct Looks {
    job: Folder,
    run: String,
    /// The test.
    pub test: SequentialTest,
    most: u64,
    /// The pairs of these looks.
    pub tally: Tally,
    /// The decision of the test after these looks.
    pub decision: Decision,
}

impl Looks {
    /// No look yet of the match in the folder `run` of a job, which has `most` pairs at most.
    pub fn new(job: &Folder, run: &str, test: SequentialTest, most: u64) -> Looks {
        let (tally, decision) = (Tally::default(), Decision::Open);
        Looks { job: job.clone(), run: run.into(), test, most, tally, decision }
    }

    /// Reads the looks that have come since the last call. It takes no lock.
    ///
    /// # Errors
    /// [`JournalError`], if the folder or a file cannot be read, or belongs to something else.
    pub fn read(&mut self) -> Result<(), JournalError> {
        if self.is_over() {
            return Ok(());
        }
        if !self.job.has(&self.run) {
            return Ok(());
        }
        let Some(run) = StoredRun::of(&self.job.folder(&self.run)?)? else { return Ok(()) };
        let job = shared::job(self.most);
        while !self.is_over() {
            let next = self.tally.pairs / PAIRS_PER_LOOK;
            let look: Option<Vec<Pair>> = run.shard(&job, next, "", &NoMonitor)?;
            let Some(look) = look else { break };
            let look = Pair::tally_of(&look);
            self.tally = look.plus(&self.tally);
            self.decision = self.test.decide(&self.tally.outcomes);
        }
        Ok(())
    }

    /// Whether no further look is needed: the test has decided, or all pairs are played.
    pub fn is_over(&self) -> bool {
        self.decision != Decision::Open || self.tally.pairs >= self.most
    }

    /// The number of further pairs that the test is expected to need. It is 0 once the test is over.
    pub fn expected_pairs_left(&self) -> f64 {
        let left = self.most.saturating_sub(self.tally.pairs) as f64;
        if self.is_over() { 0.0 } else { self.test.expected_pairs_left(&self.tally.outcomes).min(left) }
    }
}
