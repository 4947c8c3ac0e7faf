//! A match that several processes share.
//!
//! Its shards are looks of a sequential test, also without a test. When the last one is there, the pairs are stored as those of a match that
//! one process plays, so the folder reads the same.

use std::ops::Range;

use tilewright_engine::series::sequential::{Decision, PAIRS_PER_LOOK, SequentialTest};
use tilewright_engine::series::{Pair, Series, Tally};

use super::files::{ASKED, FILES, PAIRS_PER_FILE, play_each};
use crate::journal::{Journal, JournalError, ShardJob};

/// The prefix of the shards.
const LOOKS: &str = "look";

/// The looks of a match with this many pairs.
pub(super) fn job(pairs: u64) -> ShardJob<'static> {
    ShardJob { name: LOOKS, units: pairs, size: PAIRS_PER_LOOK }
}

/// Plays the looks of a match that this process has to play, or gathers them all and passes the pairs to `take`. Returns the decision of the
/// test, which is open without one.
///
/// # Errors
/// [`JournalError`]; [`JournalError::ShardsMissing`] as long as looks are missing.
pub(super) fn play(
    series: &Series<'_>,
    keeps_moves: bool,
    pairs: u64,
    test: Option<&SequentialTest>,
    journal: &Journal<'_>,
    mut take: impl FnMut(&[Pair]),
) -> Result<Decision, JournalError> {
    let job = job(pairs);
    let make = |range: Range<u64>| {
        let count = range.end - range.start;
        Some(play_each(series, keeps_moves, range, journal.monitor())).filter(|played| played.len() as u64 == count)
    };
    let mut played: Vec<Pair> = Vec::new();
    let (mut decision, mut so_far) = (Decision::Open, Tally::default());
    if let Some(test) = test {
        let look = |range: Range<u64>| {
            let ahead = test.expected_pairs_left(&so_far.outcomes) as u64 / PAIRS_PER_LOOK;
            let look: Vec<Pair> = journal.next_shard(&job, (range.start / PAIRS_PER_LOOK, ahead), "", make)?;
            let tally = look.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally()));
            so_far = tally.clone().plus(&so_far);
            played.extend(look);
            Ok::<_, JournalError>(tally)
        };
        decision = test.play_by(pairs, journal.monitor(), look)?.decision;
        journal.has_enough(&job)?;
    } else {
        journal.each_unless_stopped(&job, "", |range| Ok(make(range)), |_, look: Vec<Pair>| played.extend(look))?;
        journal.write(ASKED, "", &pairs)?;
    }
    for file in played.chunk_by(|one, next| one.index / PAIRS_PER_FILE == next.index / PAIRS_PER_FILE) {
        let number = file[0].index / PAIRS_PER_FILE;
        journal.write(&format!("{FILES}{number:05}"), "", &file.to_vec())?;
    }
    take(&played);
    Ok(decision)
}
