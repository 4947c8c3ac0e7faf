//! The whole run: self-play, the network, the tables, and held-out games to score them on. The journal stores the tallies
//! of the games and the network.

use tilewright_engine::deals::Domain;
use tilewright_engine::win_percentage::{States, WinPercentage};
use tilewright_engine::{Player, Setup};

use super::config::WinPercentageConfig;
use super::curve::Curves;
use super::network::Network;
use super::remaining_spreads::{RemainingSpreads, StateTally};
use super::{curve, fit};
use crate::journal::{Journal, JournalError, ShardJob};

/// The result of a run.
pub struct WinPercentageOutcome {
    /// The network.
    pub network: Network,
    /// Its loss above the least possible loss, in nats per turn, every 50 steps and at the last.
    pub losses: Vec<f64>,
    /// The table of the network.
    pub table: WinPercentage,
    /// The empirical table.
    pub empirical: WinPercentage,
    /// The table of the fitted logistic curves.
    pub curves: WinPercentage,
    /// The tally of all training games.
    pub tally: RemainingSpreads,
    /// The tallies of the held-out games, by shard.
    pub held_out: Vec<RemainingSpreads>,
}

/// The tallies of self-play games of one seed and player, stored shard by shard in a journal.
pub struct Games<'a> {
    /// The tile set, the board and the words.
    pub setup: &'a Setup,
    /// The player of both sides.
    pub player: &'a Player,
    /// The seed of the deals.
    pub seed: u64,
    /// Games per shard.
    pub shard_games: u64,
    /// The journal, which stores the shards.
    pub journal: &'a Journal<'a>,
}

impl Games<'_> {
    /// The tallies of `games` games to score tables on, by shard. They share no deal with the training games.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn held_out(&self, games: u64) -> Result<Vec<RemainingSpreads>, JournalError> {
        self.journal.monitor().begin("held-out self-play", games, "games");
        let mut shards = Vec::new();
        self.each("held-out", Domain::WinPercentageHeldOut, games, |shard| shards.push(shard))?;
        Ok(shards)
    }

    /// Passes the tallies of games to `take`, shard by shard in order.
    fn each(
        &self,
        name: &str,
        domain: Domain,
        games: u64,
        mut take: impl FnMut(RemainingSpreads),
    ) -> Result<(), JournalError> {
        let job = ShardJob { name, units: games, size: self.shard_games };
        let deals = domain.deals(self.seed);
        let advance = || self.journal.monitor().advance(1);
        let play = |range| RemainingSpreads::play(self.setup, self.player, deals, range, advance);
        self.journal.each(&job, "", play, |_, tally| take(tally))
    }
}

/// A run that trains a win table.
pub struct WinPercentageRun<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// The player of both sides.
    pub player: &'a Player,
    /// The config.
    pub config: &'a WinPercentageConfig,
}

impl WinPercentageRun<'_> {
    /// Plays the games, fits the network and makes the tables.
    pub(super) fn run(&self, journal: &Journal<'_>) -> Result<WinPercentageOutcome, JournalError> {
        let WinPercentageRun { setup, player, config } = *self;
        let games = |seed| Games { setup, player, seed, shard_games: config.shard_games, journal };
        let states = States::from_tileset(&setup.tileset);
        let mut tally = RemainingSpreads::new(states);
        journal.monitor().begin("self-play", config.games, "games");
        let training = games(config.seed);
        let trained = training.each("training", Domain::WinPercentage, config.games, |shard| tally.merge(&shard));
        let ((), held_out) = JournalError::of_both(trained, || games(config.held_out_seed).held_out(config.held_out_games))?;
        journal.monitor().begin("training the network", config.steps as u64, "steps");
        let (network, losses) = journal.once("network", "", || {
            let fitted = fit::fit(states, &tally, config, journal.monitor());
            fitted.ok_or_else(|| journal.interrupted())
        })?;
        let most_spread = WinPercentage::most_spread_of(&setup.tileset);
        let curves = Curves::fit(states, &tally);
        let turns: Vec<u64> = tally.states.iter().map(StateTally::turns).collect();
        let table = network.table(most_spread).with_turns(turns.clone());
        let empirical = curve::table(states, &tally, &curves, most_spread);
        let curves = curves.table(most_spread).with_turns(turns);
        Ok(WinPercentageOutcome { network, losses, table, empirical, curves, tally, held_out })
    }
}
