//! Short matches of the network under training.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Network;
use tilewright_engine::evaluator::network::{BadNetwork, NetworkWeights};
use tilewright_engine::features::Inputs;
use tilewright_engine::monitor::{Monitor, StopOnly};
use tilewright_engine::series::{Estimate, Series};
use tilewright_engine::{Player, Setup, StaticPlayer};

/// The result of a match, from the view of the network, with 95 % intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct MatchFigures {
    /// Pairs of games.
    pub pairs: u64,
    /// The win rate, 0–1.
    pub win_rate: Estimate,
    /// The spread, in points per game.
    pub spread: Estimate,
}

/// The inputs of the short matches of a network.
pub struct Matches<'a> {
    pub setup: &'a Setup,
    pub inputs: Arc<Inputs>,
    pub opponent: &'a Player,
    /// Pairs per match.
    pub pairs: u64,
    /// The seed of the deals.
    pub seed: u64,
}

impl Matches<'_> {
    /// The result of a match, or `None` if the monitor stops it.
    ///
    /// # Errors
    /// [`BadNetwork`].
    pub fn play(&self, network: NetworkWeights, monitor: &dyn Monitor) -> Result<Option<MatchFigures>, BadNetwork> {
        let evaluator = Network::from_inputs(network, Arc::clone(&self.inputs))?;
        let player = Player::from_static("network", StaticPlayer::new(evaluator));
        let deals = Domain::NetworkTraining.deals(self.seed);
        let series = Series::new(self.setup, [&player, self.opponent], deals);
        // Epochs are counted, not pairs.
        let tally = series.play(0..self.pairs, &StopOnly(monitor));
        let summary = tally.summary().filter(|_| tally.pairs == self.pairs);
        Ok(summary.map(|summary| MatchFigures { pairs: tally.pairs, win_rate: summary.win_rate, spread: summary.spread }))
    }
}
