//! The whole run: self-play in shards that survive a kill, the tables, and their scores on games that none of them saw.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::deals::Purpose;
use tilewright_engine::hash::sha256;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::{States, WinPercentage};

use super::config::WinPercentageConfig;
use super::curve::Curves;
use super::network::Network;
use super::swings::SwingTally;
use super::{empirical, fit};

/// Where shards live inside the run's folder.
const WORK: &str = "work";
/// Hexadecimal digits of a checksum.
const CHECKSUM: usize = 64;

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// It was asked to.
    #[error("interrupted")]
    Interrupted,
    /// A file of it cannot be read or written.
    #[error(transparent)]
    File(#[from] ArtefactError),
}

/// What a run ends with.
pub struct WinPercentageOutcome {
    /// The network.
    pub network: Network,
    /// Its loss beyond the least possible, in nats a turn, every 50 steps and at the last.
    pub losses: Vec<f64>,
    /// Its table.
    pub table: WinPercentage,
    /// The table of shares.
    pub empirical: WinPercentage,
    /// The table of fitted logistic curves.
    pub curves: WinPercentage,
    /// What self-play said.
    pub tally: SwingTally,
    /// The held-out games, by shard.
    pub held_out: Vec<SwingTally>,
}

/// Games of a seed that a player plays against itself, kept in a folder as they are done.
pub struct Games<'a> {
    /// What is played with.
    pub setup: &'a Setup,
    /// Who plays both sides.
    pub player: &'a Player,
    /// Of the deals.
    pub seed: u64,
    /// Games in a shard.
    pub shard_games: u64,
    /// Where shards are kept; `None` keeps none.
    pub folder: Option<PathBuf>,
}

impl Games<'_> {
    /// The shards of so many training games, in order; shards that are there already are read back. A shard that is begun is
    /// finished and kept, so a kill loses one at most.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn training(&self, games: u64, monitor: &dyn Monitor, take: impl FnMut(SwingTally)) -> Result<(), RunError> {
        monitor.begin("self-play", games, "games");
        self.each("training", Purpose::WinPercentage, games, monitor, take)
    }

    /// The same of games to score tables on; none of their deals is one of training's.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn held_out(&self, games: u64, monitor: &dyn Monitor) -> Result<Vec<SwingTally>, RunError> {
        monitor.begin("held-out self-play", games, "games");
        let mut shards = Vec::new();
        self.each("held-out", Purpose::WinPercentageHeldOut, games, monitor, |shard| shards.push(shard))?;
        Ok(shards)
    }

    fn each(
        &self,
        name: &str,
        purpose: Purpose,
        games: u64,
        monitor: &dyn Monitor,
        mut take: impl FnMut(SwingTally),
    ) -> Result<(), RunError> {
        for shard in 0..games.div_ceil(self.shard_games) {
            let range = shard * self.shard_games..((shard + 1) * self.shard_games).min(games);
            let path = self.folder.as_ref().map(|folder| folder.join(format!("{name}-{shard:05}.swings")));
            let key = self.key(name, &range);
            if let Some(tally) = path.as_ref().and_then(|path| read(path, &key)) {
                monitor.advance(range.end - range.start);
                take(tally);
                continue;
            }
            if monitor.is_stopped() {
                return Err(RunError::Interrupted);
            }
            let deals = purpose.deals(self.seed);
            let tally = SwingTally::of_games(self.setup, self.player, deals, range, || monitor.advance(1));
            if let Some(path) = path {
                write_atomically(&path, &to_bytes(&key, &tally))?;
            }
            take(tally);
        }
        Ok(())
    }

    /// Everything that a shard depends on.
    fn key(&self, name: &str, range: &std::ops::Range<u64>) -> String {
        let (rules, words) = (self.setup.rules_hash(), &self.setup.lexicon.hash);
        let (version, player) = (env!("CARGO_PKG_VERSION"), &self.player.identity);
        sha256(format!("{version} {rules} {words} {player} {} {name} {range:?}", self.seed).as_bytes())
    }
}

/// A shard as a file: the checksum of the rest, then its key and its tally.
fn to_bytes(key: &str, tally: &SwingTally) -> Vec<u8> {
    let rest = postcard::to_stdvec(&(key, tally)).unwrap_or_default();
    [sha256(&rest).as_bytes(), &rest].concat()
}

/// The tally of a shard that is whole and has this key; any other is made anew.
fn read(path: &Path, key: &str) -> Option<SwingTally> {
    let bytes = std::fs::read(path).ok()?;
    let (checksum, rest) = bytes.split_at_checked(CHECKSUM)?;
    if sha256(rest).as_bytes() != checksum {
        return None;
    }
    let (own, tally): (String, SwingTally) = postcard::from_bytes(rest).ok()?;
    (own == key).then_some(tally)
}

/// Trains in `folder`, which exists. Interrupted and started again, it goes on from its shards and ends with the same result.
///
/// # Errors
/// [`RunError`]; [`RunError::Interrupted`] leaves everything finished on disk.
pub fn run(
    setup: &Setup,
    player: &Player,
    config: &WinPercentageConfig,
    folder: &Path,
    monitor: &dyn Monitor,
) -> Result<WinPercentageOutcome, RunError> {
    let work = folder.join(WORK);
    std::fs::create_dir_all(&work).map_err(|source| ArtefactError::File { path: work.clone(), source })?;
    let games = |seed| Games { setup, player, seed, shard_games: config.shard_games, folder: Some(work.clone()) };
    let states = States::of(&setup.tileset);
    let mut tally = SwingTally::new(states);
    games(config.seed).training(config.games, monitor, |shard| tally.merge(&shard))?;
    let held_out = games(config.held_out_seed).held_out(config.held_out_games, monitor)?;
    monitor.begin("training the network", config.steps as u64, "steps");
    let (network, losses) = fit::fit(states, &tally, &config.training(), monitor).ok_or(RunError::Interrupted)?;
    let most_spread = WinPercentage::most_spread_of(&setup.tileset);
    let curves = Curves::fit(states, &tally);
    let turns: Vec<u64> = tally.states.iter().map(super::swings::StateTally::turns).collect();
    let table = network.table(most_spread).with_turns(turns.clone());
    let empirical = empirical::table(states, &tally, &curves, most_spread);
    let curves = curves.table(most_spread).with_turns(turns);
    Ok(WinPercentageOutcome { network, losses, table, empirical, curves, tally, held_out })
}
