//! Matches and round robins whose results a journal stores, so that they can be killed and resumed.
//!
//! A match of two players stores every pair ([`play_pairs`]). The number of pairs and the test are not part of the run, so a match can
//! be extended. A round robin stores the standings of each shard of deals. A stop abandons games in progress and stores the finished ones. At
//! its end a match gets a [`manifest`].

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::clock::Clock;
use tilewright_engine::deals::Deals;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::series::round_robin::{RoundRobin, Standings};
use tilewright_engine::series::sequential::PAIRS_PER_LOOK;
use tilewright_engine::setup::Setup;

use crate::journal::{Journal, JournalError, Json, RunKey, ShardJob, StoredRun};
use crate::run::kind;

mod files;
mod shared;
mod looks;
mod pairs;
mod stored_pairs;
pub mod manifest;

pub use files::PAIRS_PER_FILE;
pub use looks::Looks;
pub use pairs::{MatchEnd, play_pairs};
pub use stored_pairs::{StoredMatch, stored_pairs};

/// The version of stored pairs.
const PAIRS_FORMAT: &str = "4";
/// The approximate number of shards of a long round robin: a kill loses little, and the files stay few.
const SHARDS: u64 = 1000;

/// The prefix of the work files with the finished deals of shards that were stopped.
const BEGUN: &str = "begun-";

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
    /// Pairs of each match of a round robin. A match of two players does not depend on their number.
    pub pairs: u64,
}

/// The config, as written to TOML.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredConfig {
    /// The name of the lexicon.
    pub lexicon: String,
    /// The name of the tile set.
    pub tileset: String,
    /// The names of the players.
    pub players: Vec<String>,
    /// Pairs of each match of a round robin.
    pub pairs: Option<u64>,
    /// The seed of the deals.
    pub seed: u64,
    /// Whether the two games of a pair have separate deals.
    pub unpaired: bool,
    /// Time of each player per game.
    pub clock_seconds: Option<f64>,
    /// Penalty in points for each started minute beyond that.
    pub overtime: Option<i32>,
}

impl StoredConfig {
    /// The config of the match or round robin in a folder; `None` if there is none.
    pub fn of_folder(folder: &Path) -> Option<StoredConfig> {
        toml::from_str(StoredRun::open(folder).ok()??.key().config()).ok()
    }

    /// The clock of a timed match.
    pub fn clock(&self) -> Option<Clock> {
        let time = Duration::try_from_secs_f64(self.clock_seconds?).ok()?;
        Some(Clock { time, overtime: self.overtime? })
    }
}

impl MatchConfig<'_> {
    /// The key of the run.
    pub fn key(&self) -> RunKey {
        let written = StoredConfig {
            lexicon: self.setup.lexicon.name.clone(),
            tileset: self.setup.tileset.name().into(),
            players: self.players.iter().map(|player| player.name.clone()).collect(),
            pairs: (self.players.len() > 2).then_some(self.pairs),
            seed: self.deals.seed,
            unpaired: self.deals.is_unpaired(),
            clock_seconds: self.clock.map(|clock| clock.time.as_secs_f64()),
            overtime: self.clock.map(|clock| clock.overtime),
        };
        let config = toml::to_string(&written).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"));
        let players = (1..).zip(self.players);
        let kind = if self.players.len() > 2 { kind::ROUND_ROBIN } else { kind::MATCH };
        let key = RunKey::new(kind, config).with_setup(self.setup).with_input("pairs", PAIRS_FORMAT);
        players.fold(key, |key, (number, player)| key.with_input(&format!("player {number}"), &player.identity))
    }
}

/// Plays the deals of a round robin, or reads their standings back, and passes the standings of each shard to `take`.
/// Returns the number of deals that this process played.
///
/// # Errors
/// [`JournalError`]; after [`JournalError::Interrupted`], `take` has received the finished deals up to the shard of the stop.
pub fn play_deals(
    round_robin: &RoundRobin<'_>,
    deals: u64,
    journal: &Journal<'_>,
    mut take: impl FnMut(Standings),
) -> Result<u64, JournalError> {
    let (played, begun) = (Cell::new(0), RefCell::new(None));
    let none = || Standings::none(round_robin.players());
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
    let end = journal.each_unless_stopped(&job("deals", deals), "", make, |_, Json(standings)| take(standings));
    if let Some(begun) = begun.into_inner() {
        take(begun);
    }
    end?;
    journal.forget(BEGUN)?;
    Ok(played.get())
}

/// The standings of the round robin in a folder, up to the first shard that is missing.
///
/// # Errors
/// [`JournalError`]; [`StoredError::NoRoundRobin`] for another kind of run.
pub fn stored_standings(folder: &Path, monitor: &dyn Monitor) -> Result<(StoredConfig, Standings), StoredError> {
    let none = || StoredError::NoRoundRobin { folder: folder.into() };
    let run = StoredRun::open(folder)?.ok_or_else(none)?;
    let config: StoredConfig = toml::from_str(run.key().config()).map_err(|_| none())?;
    let deals = config.pairs.filter(|_| config.players.len() > 2).ok_or_else(none)?;
    let shards = run.shards(&job("deals", deals), "", monitor)?.into_iter().map(|Json(standings)| standings);
    let standings = shards.fold(Standings::none(config.players.len()), |sum, more: Standings| more.plus(sum));
    Ok((config, standings))
}

/// Why a folder has no standings or no pairs.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum StoredError {
    /// The folder cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{folder} holds no round robin")]
    NoRoundRobin { folder: PathBuf },
    /// It belongs to a round robin or to another kind of run.
    #[error("{folder} holds no match of two players")]
    NoMatch { folder: PathBuf },
    #[error("{folder}: work/{name} is damaged; rerun the match in this folder, which plays its pairs again")]
    Damaged { folder: PathBuf, name: String },
}

/// A job whose shards hold at least as many units as one look of a sequential test.
fn job(name: &str, units: u64) -> ShardJob<'_> {
    ShardJob { name, units, size: PAIRS_PER_LOOK * (units / (SHARDS * PAIRS_PER_LOOK)).max(1) }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::deals::Domain;
    use tilewright_engine::monitor::NoMonitor;

    use super::pairs::samples;
    use super::*;

    #[test]
    fn the_shards_of_a_round_robin_add_up() {
        let setup = samples::setup();
        let greedy = samples::greedy();
        let round_robin = RoundRobin::new(&setup, &[&greedy; 2], Domain::UnpairedMatch.deals(3), None);
        let mut sum = Standings::none(2);
        let add = |more: Standings| sum = more.plus(sum.clone());
        assert_eq!(play_deals(&round_robin, 150, &Journal::in_memory(&NoMonitor), add).unwrap(), 150);
        assert_eq!(sum, round_robin.play(0..150, &NoMonitor));
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
        assert_eq!(sum, round_robin.play(0..140, &NoMonitor));
    }

    #[test]
    fn a_config_keeps_its_clock() {
        let (setup, greedy) = (samples::setup(), samples::greedy());
        let clock = Some(Clock { time: Duration::from_millis(1500), overtime: 10 });
        let config = MatchConfig { setup: &setup, players: &[&greedy; 2], deals: Domain::Match.deals(1), clock, pairs: 7 };
        let read: StoredConfig = toml::from_str(config.key().config()).unwrap();
        assert_eq!((read.clock().map(|clock| clock.time), read.pairs), (clock.map(|clock| clock.time), None));
    }
}
