//! Matches and round robins whose results a journal stores, so that they can be killed and resumed.
//!
//! A match of two players stores every pair. A round robin stores the standings of each shard of deals.

use std::cell::Cell;
use std::ops::Range;

use serde::Serialize;
use tilewright_engine::clock::Clock;
use tilewright_engine::deals::Deals;
use tilewright_engine::monitor::ProgressOnly;
use tilewright_engine::player::Player;
use tilewright_engine::series::round_robin::{RoundRobin, Standings};
use tilewright_engine::series::sequential::{Decision, PAIRS_PER_LOOK, SequentialTest};
use tilewright_engine::series::{MeasuredPair, MeasuredSeries, Tally};
use tilewright_engine::setup::Setup;

use crate::journal::{Journal, JournalError, Json, RunKey, ShardJob};

/// The approximate number of shards of a long match without a test: a kill loses little, and the files stay few.
const SHARDS: u64 = 1000;

/// What a match or a round robin depends on.
pub struct MatchConfig<'a> {
    /// The tile set, the board and the words.
    pub setup: &'a Setup,
    /// Two for a match, more for a round robin.
    pub players: &'a [&'a Player],
    /// The deals of the games.
    pub deals: Deals,
    /// Time for each player and game.
    pub clock: Option<Clock>,
    /// Pairs of each match; with a test, the limit.
    pub pairs: u64,
    /// A sequential test, which may end a match of two players early.
    pub test: Option<SequentialTest>,
}

/// The config, as written to TOML.
#[derive(Serialize)]
struct StoredConfig<'a> {
    lexicon: &'a str,
    tileset: &'a str,
    players: Vec<&'a str>,
    pairs: u64,
    seed: u64,
    unpaired: bool,
    /// Win rates, 0–1.
    hypotheses: Option<[f64; 2]>,
    error_rates: Option<[f64; 2]>,
    clock_seconds: Option<f64>,
    overtime: Option<i32>,
}

impl MatchConfig<'_> {
    /// The key of the run.
    pub fn key(&self) -> RunKey {
        let written = StoredConfig {
            lexicon: &self.setup.lexicon.name,
            tileset: self.setup.tileset.name(),
            players: self.players.iter().map(|player| player.name.as_str()).collect(),
            pairs: self.pairs,
            seed: self.deals.seed,
            unpaired: self.deals.is_unpaired(),
            hypotheses: self.test.as_ref().map(SequentialTest::hypotheses),
            error_rates: self.test.as_ref().map(SequentialTest::error_rates),
            clock_seconds: self.clock.map(|clock| clock.time.as_secs_f64()),
            overtime: self.clock.map(|clock| clock.overtime),
        };
        let config = toml::to_string(&written).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"));
        let players = (1..).zip(self.players);
        players.fold(RunKey::new(config).with_setup(self.setup), |key, (number, player)| {
            key.with_input(&format!("player {number}"), &player.identity)
        })
    }
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchEnd {
    /// The decision of the test; [`Decision::Open`] without a test.
    pub decision: Decision,
    /// Pairs that this process played; the others were read back.
    pub played: u64,
}

/// Plays the pairs of a match, or reads them back, and passes them to `take` in order. Unless it is stopped, it ends at the
/// same pair as a match without a journal.
///
/// # Errors
/// [`JournalError`].
pub fn play_pairs(
    series: &MeasuredSeries<'_>,
    pairs: u64,
    test: Option<&SequentialTest>,
    journal: &Journal<'_>,
    mut take: impl FnMut(&[MeasuredPair]),
) -> Result<MatchEnd, JournalError> {
    let played = Cell::new(0);
    let make = |pairs: Range<u64>| {
        played.set(played.get() + (pairs.end - pairs.start));
        series.play_each(pairs, &ProgressOnly(journal.monitor()))
    };
    let Some(test) = test else {
        journal.each(&job("pairs", pairs), "", make, |_, pairs: Vec<MeasuredPair>| take(&pairs))?;
        return Ok(MatchEnd { decision: Decision::Open, played: played.get() });
    };
    // The test looks at one shard after the other.
    let job = ShardJob { size: PAIRS_PER_LOOK, ..job("pairs", pairs) };
    let series = test.play_by(pairs, journal.monitor(), |pairs| {
        let shard: Option<Vec<MeasuredPair>> = journal.shard(&job, pairs.start / PAIRS_PER_LOOK, "", make)?;
        let shard = shard.unwrap_or_default();
        take(&shard);
        Ok::<_, JournalError>(shard.iter().fold(Tally::default(), |sum, pair| sum.plus(&pair.tally())))
    })?;
    Ok(MatchEnd { decision: series.decision, played: played.get() })
}

/// Plays the deals of a round robin, or reads their standings back, and passes the standings of each shard to `take`.
/// Returns the number of deals that this process played.
///
/// # Errors
/// [`JournalError`].
pub fn play_deals(
    round_robin: &RoundRobin<'_>,
    deals: u64,
    journal: &Journal<'_>,
    mut take: impl FnMut(Standings),
) -> Result<u64, JournalError> {
    let played = Cell::new(0);
    let make = |deals: Range<u64>| {
        played.set(played.get() + (deals.end - deals.start));
        Json(round_robin.play(deals, &ProgressOnly(journal.monitor())))
    };
    journal.each(&job("deals", deals), "", make, |_, Json(standings)| take(standings))?;
    Ok(played.get())
}

/// A job whose shards hold at least as many units as one look of a sequential test.
fn job(name: &str, units: u64) -> ShardJob<'_> {
    ShardJob { name, units, size: PAIRS_PER_LOOK * (units / (SHARDS * PAIRS_PER_LOOK)).max(1), part: None }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use tilewright_engine::deals::Purpose;
    use tilewright_engine::layout::Layout;
    use tilewright_engine::lexicon::Lexicon;
    use tilewright_engine::monitor::{Monitor, NoMonitor};
    use tilewright_engine::series::Series;
    use tilewright_engine::tileset::TileSet;

    use super::*;

    /// A monitor that stops after this number of pairs.
    struct StopAt(AtomicU64);

    impl Monitor for StopAt {
        fn begin(&self, _what: &str, _units: u64, _unit: &'static str) {}
        fn advance(&self, done: u64) {
            let left = self.0.load(Ordering::Relaxed);
            self.0.store(left.saturating_sub(done), Ordering::Relaxed);
        }
        fn is_stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn a_match_that_is_stopped_and_resumed_equals_an_uninterrupted_one() {
        let tileset = TileSet::embedded("english").unwrap();
        let lexicon = Lexicon::from_text("AE\nAI\nEA\nTEA\nEAT\nRAT\nSEA\nTIN\nIN\nNIT\nONE\nNOR\n", &tileset).unwrap();
        let setup = Setup::new(tileset, Layout::embedded("standard").unwrap(), lexicon);
        let greedy = Player::from_static(
            "greedy",
            tilewright_engine::static_player::StaticPlayer::new(tilewright_engine::evaluator::Greedy),
        );
        let deals = Purpose::UnpairedMatch.deals(3);
        let players = [&greedy; 2];
        let series = MeasuredSeries::new(Series { setup: &setup, players, deals, clock: None });
        for test in [None, Some(SequentialTest::new(0.5, 0.500_1, 0.05, 0.05).unwrap())] {
            let pairs = 300;
            let config = MatchConfig { setup: &setup, players: &players, deals, clock: None, pairs, test };
            let folder = tempfile::tempdir().unwrap();
            let run = |monitor: &dyn Monitor| {
                let mut taken = Vec::new();
                let journal = Journal::open(folder.path(), &config.key(), monitor)?;
                play_pairs(&series, pairs, test.as_ref(), &journal, |pairs| taken.extend_from_slice(pairs))
                    .map(|end| (taken, end))
            };
            for stop in [1, 200] {
                let error = run(&StopAt(AtomicU64::new(stop))).unwrap_err();
                assert!(matches!(error, JournalError::Interrupted { .. }), "{error}");
            }
            let (taken, end) = run(&NoMonitor).unwrap();
            assert_eq!((taken, end.decision), (series.play_each(0..pairs, &NoMonitor), Decision::Open));
            assert_eq!(end.played, 300 - 256);
            assert_eq!(run(&NoMonitor).unwrap().1.played, 0);
        }
        let round_robin = RoundRobin::new(&setup, &players, deals, None);
        let mut sum = Standings::none(2);
        let add = |more: Standings| sum = more.plus(sum.clone());
        assert_eq!(play_deals(&round_robin, 150, &Journal::in_memory(&NoMonitor), add).unwrap(), 150);
        assert_eq!(sum, round_robin.play(0..150, &NoMonitor));
    }
}
