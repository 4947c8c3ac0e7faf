//! A match that several processes share.
//!
//! Its shards are looks of a sequential test, also without a test. When the last one is there, the pairs are stored as if
//! one process had played the match, so the folder reads the same.
//!
//! The looks of a sequential match that several processes share, read while it goes on.

use std::ops::Range;

use tilewright_engine::folder::Folder;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::series::sequential::{Decision, PAIRS_PER_LOOK, SequentialTest};
use tilewright_engine::series::{Pair, Tally};

use super::spec::{ASKED, FILES, MatchRun, PAIRS_PER_FILE, are_of};
use crate::journal::{Journal, JournalError, ShardJob, StoredRun};

/// The prefix of the shards.
const LOOKS: &str = "look";

/// The looks of a match with this many pairs.
pub(super) fn job(pairs: u64) -> ShardJob<'static> {
    ShardJob { name: LOOKS, units: pairs, size: PAIRS_PER_LOOK }
}

/// Whether these are all pairs of a look.
pub(super) fn is_whole(job: &ShardJob<'_>, number: u64, look: &[Pair]) -> bool {
    let range = job.units_of(number);
    look.len() as u64 == range.end - range.start && are_of(look, &range)
}

/// The pairs of the looks as they come, in the files of a match that one process plays.
struct Files<'a> {
    journal: &'a Journal<'a>,
    take: &'a dyn Fn(&[Pair]),
    tally: Tally,
    /// The pairs of the file that is not full yet.
    waiting: Vec<Pair>,
}

impl Files<'_> {
    fn add(&mut self, job: &ShardJob<'_>, number: u64, look: Vec<Pair>) -> Result<(), JournalError> {
        if !is_whole(job, number, &look) {
            return Err(self.journal.strange_shard(job, number));
        }
        (self.take)(&look);
        self.tally = Pair::tally_of(&look).plus(&self.tally);
        self.waiting.extend(look);
        if self.waiting.len() as u64 >= PAIRS_PER_FILE { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> Result<(), JournalError> {
        let Some(first) = self.waiting.first() else { return Ok(()) };
        let name = format!("{FILES}{:05}", first.index / PAIRS_PER_FILE);
        self.journal.write(&name, "", &std::mem::take(&mut self.waiting)).map(drop)
    }
}

/// Plays this process's looks of a match, or gathers all looks and passes the pairs to `take`. Returns the tally, and the
/// decision of the test, which is open if there is no test.
///
/// # Errors
/// [`JournalError`], and [`JournalError::ShardsMissing`] as long as looks are missing.
pub(super) fn play(run: &MatchRun<'_>, journal: &Journal<'_>) -> Result<(Tally, Decision), JournalError> {
    let &MatchRun { pairs, ref test, take, .. } = run;
    let job = job(pairs);
    let make = |range: Range<u64>| {
        let count = range.end - range.start;
        Some(run.play_each(range, journal.monitor())).filter(|played| played.len() as u64 == count)
    };
    let mut files = Files { journal, take, tally: Tally::default(), waiting: Vec::new() };
    let mut decision = Decision::Open;
    if let Some(test) = test {
        let look = |range: Range<u64>| {
            let ahead = test.expected_pairs_left(&files.tally.outcomes) as u64 / PAIRS_PER_LOOK;
            let number = range.start / PAIRS_PER_LOOK;
            let look: Vec<Pair> = journal.next_shard(&job, (number, ahead), "", make)?;
            let tally = Pair::tally_of(&look);
            files.add(&job, number, look)?;
            Ok::<_, JournalError>(tally)
        };
        decision = test.play_by(pairs, journal.monitor(), look)?.decision;
        journal.has_enough(&job)?;
    } else {
        let mut added = Ok(());
        let add = |number, look| {
            if added.is_ok() {
                added = files.add(&job, number, look);
            }
        };
        journal.each_unless_stopped(&job, "", |range| Ok(make(range)), add)?;
        added?;
        journal.write(ASKED, "", &pairs)?;
    }
    files.save()?;
    Ok((files.tally, decision))
}

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
        if self.is_over() || !self.job.has(&self.run) {
            return Ok(());
        }
        let Some(run) = StoredRun::of(&self.job.folder(&self.run)?)? else { return Ok(()) };
        let job = job(self.most);
        while !self.is_over() {
            let next = self.tally.pairs / PAIRS_PER_LOOK;
            let look: Option<Vec<Pair>> = run.shard(&job, next, "", &NoMonitor)?;
            let Some(look) = look.filter(|look| is_whole(&job, next, look)) else { break };
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
