//! A match that several processes share.
//!
//! Its shards are looks of a sequential test, also without a test. When the last one is there, the pairs are stored as if
//! one process had played the match, so the folder reads the same.

use std::ops::Range;

use tilewright_engine::series::sequential::{Decision, PAIRS_PER_LOOK};
use tilewright_engine::series::{Pair, Tally};

use super::files::{ASKED, FILES, MatchRun, PAIRS_PER_FILE};
use crate::journal::{Journal, JournalError, ShardJob};

/// The prefix of the shards.
const LOOKS: &str = "look";

/// The looks of a match with this many pairs.
pub(super) fn job(pairs: u64) -> ShardJob<'static> {
    ShardJob { name: LOOKS, units: pairs, size: PAIRS_PER_LOOK }
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
    fn add(&mut self, look: Vec<Pair>) -> Result<(), JournalError> {
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
            let look: Vec<Pair> = journal.next_shard(&job, (range.start / PAIRS_PER_LOOK, ahead), "", make)?;
            let tally = Pair::tally_of(&look);
            files.add(look)?;
            Ok::<_, JournalError>(tally)
        };
        decision = test.play_by(pairs, journal.monitor(), look)?.decision;
        journal.has_enough(&job)?;
    } else {
        let mut added = Ok(());
        let mut add = |look| {
            if added.is_ok() {
                added = files.add(look);
            }
        };
        journal.each_unless_stopped(&job, "", |range| Ok(make(range)), |_, look| add(look))?;
        added?;
        journal.write(ASKED, "", &pairs)?;
    }
    files.save()?;
    Ok((files.tally, decision))
}
