//! The deals of a round robin, in shards.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;

use tilewright_engine::series::round_robin::{RoundRobin, Standings};
use tilewright_engine::series::sequential::PAIRS_PER_LOOK;

use crate::journal::{Journal, JournalError, Json, ShardJob};

/// The approximate number of shards of a long round robin: a kill loses little, and the files stay few.
const SHARDS: u64 = 1000;
/// The prefix of the work files with the finished deals of shards that were stopped.
const BEGUN: &str = "begun-";

/// Plays the deals of a round robin, or reads their standings back, and passes the standings of each shard to `take`.
/// Returns the number of deals that this process played.
///
/// # Errors
/// [`JournalError`]. After [`JournalError::Interrupted`], `take` has the finished deals up to the shard of the stop.
pub(super) fn play_deals(
    round_robin: &RoundRobin<'_>,
    deals: u64,
    journal: &Journal<'_>,
    mut take: impl FnMut(Standings),
) -> Result<u64, JournalError> {
    let (played, begun) = (Cell::new(0), RefCell::new(None));
    let none = || Standings::none(round_robin.players);
    let make = |deals: Range<u64>| {
        let (name, count) = (format!("{BEGUN}{:010}", deals.start), deals.end - deals.start);
        let stored: Option<Json<BTreeMap<u64, Standings>>> = journal.read(&name, "")?;
        let mut finished = stored.map_or_else(BTreeMap::new, |Json(finished)| finished);
        journal.monitor().advance(finished.len() as u64 * round_robin.matches());
        let missing: Vec<u64> = deals.filter(|deal| !finished.contains_key(deal)).collect();
        let more = round_robin.play_each(missing, journal.monitor());
        played.set(played.get() + more.len() as u64);
        finished.extend(more);
        if finished.len() as u64 == count {
            return Ok(Some(Json(finished.into_values().fold(none(), Standings::plus))));
        }
        let Json(finished) = journal.write(&name, "", &Json(finished))?;
        begun.replace(Some(finished.into_values().fold(none(), Standings::plus)));
        Ok(None)
    };
    let end = journal.each_unless_stopped(&job(deals), "", make, |_, Json(standings)| take(standings));
    if let Some(begun) = begun.into_inner() {
        take(begun);
    }
    end?;
    journal.forget(BEGUN)?;
    Ok(played.get())
}

/// The job of this many deals. Its shards hold at least as many as one look of a sequential test.
pub(super) fn job(deals: u64) -> ShardJob<'static> {
    ShardJob { name: "deals", units: deals, size: PAIRS_PER_LOOK * (deals / (SHARDS * PAIRS_PER_LOOK)).max(1) }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::deals::Domain;
    use tilewright_engine::monitor::{Monitor, NoMonitor};

    use super::super::pairs::samples;
    use super::*;
    use crate::journal::RunKey;

    /// The standings after this many deals.
    fn played(round_robin: &RoundRobin<'_>, deals: u64) -> Standings {
        let played = round_robin.play_each((0..deals).collect(), &NoMonitor);
        played.into_iter().fold(Standings::none(round_robin.players), |sum, (_, deal)| sum.plus(deal))
    }

    #[test]
    fn the_shards_of_a_round_robin_add_up() {
        let setup = samples::setup();
        let greedy = samples::greedy();
        let round_robin = RoundRobin::new(&setup, &[&greedy; 2], Domain::UnpairedMatch.deals(3), None);
        let mut sum = Standings::none(2);
        let add = |more: Standings| sum = more.plus(sum.clone());
        assert_eq!(play_deals(&round_robin, 150, &Journal::in_memory(&NoMonitor), add).unwrap(), 150);
        assert_eq!(sum, played(&round_robin, 150));
    }

    #[test]
    fn the_finished_deals_of_a_stopped_round_robin_are_not_played_again() {
        let (setup, greedy, folder) = (samples::setup(), samples::greedy(), tempfile::tempdir().unwrap());
        let round_robin = RoundRobin::new(&setup, &[&greedy; 3], Domain::UnpairedMatch.deals(3), None);
        let play = |monitor: &dyn Monitor| {
            let journal = Journal::open(folder.path(), &RunKey::new("round-robin", "deals"), monitor).unwrap();
            let mut sum = Standings::none(3);
            let end = play_deals(&round_robin, 140, &journal, |more: Standings| sum = more.plus(sum.clone()));
            (sum, end, journal.names(BEGUN).unwrap().len())
        };
        let mut finished = 0;
        for looks in [900, 1500, 30, 2000] {
            let (sum, end, begun) = play(&samples::StopAtLook::new(looks));
            assert!(matches!(end, Err(JournalError::Interrupted { .. })), "{end:?}");
            assert!(begun == 1 && sum.deals >= finished && sum.deals < 128, "{} after {finished}", sum.deals);
            finished = sum.deals;
        }
        assert!(finished > 5);
        let (sum, end, begun) = play(&NoMonitor);
        assert_eq!((end.unwrap(), begun), (140 - finished, 0));
        assert_eq!(sum, played(&round_robin, 140));
    }
}
