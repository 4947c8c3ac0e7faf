//! Candidate sets for tests.

use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::{Player, Setup, WinPercentage};

use super::{CandidateConfig, CandidateSet, FitInputs, Maker, SetPlayer};
use crate::exploration::Exploration;
use crate::journal::Journal;

/// Inputs with one player for everything and no leave table.
pub fn plain_inputs<'a>(setup: &'a Setup, player: &'a Player, win_percentage: &'a WinPercentage) -> FitInputs<'a> {
    let ranker = SetPlayer::new(player).unwrap();
    FitInputs { setup, ranker, policy: None, leaves: None, win_percentage }
}

/// The candidate sets of six games of `greedy`, four deals each.
pub fn labelled_sets(setup: &Setup) -> Vec<CandidateSet> {
    let player = Player::from_name("greedy", tilewright_engine::artefact::Loader::new(setup)).unwrap();
    let table = WinPercentage::for_setup(setup).0;
    let inputs = plain_inputs(setup, &player, &table);
    let config = CandidateConfig {
        player: "greedy".parse().unwrap(),
        policy: None,
        turns: 1,
        candidates: 6,
        window: 8.0,
        deals: 4,
        plies: 1,
        shard_games: 6,
        exploration: Exploration::default(),
    };
    let mut sets = Vec::new();
    Maker::new(&inputs, &config, 3).each(&Journal::in_memory(&NoMonitor), 6, |shard| sets.extend(shard)).unwrap();
    sets
}
