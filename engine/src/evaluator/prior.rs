//! The errors of an evaluator's equities against playouts, by stage of the game.
//!
//! A simulation that starts from the equities as a prior needs both figures (see [`crate::simulator::posterior`]).

use serde::{Deserialize, Serialize};

/// The errors of a stage of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// The most tiles in the bag.
    pub bag: usize,
    /// The variance of a move's simulated gain about its equity, within one position, in points².
    pub variance: f64,
    /// The variance of one playout about the simulated gain, without the luck of the deal, which all moves share, in points².
    pub noise: f64,
}

/// The errors of `leave+pool+late` on enable2k, by two-ply playouts. The errors of `leave` are hardly greater.
/// `experiments/studies/26-search.md` has the measurement.
const OF_LEAVES: [Prior; 4] = [
    Prior { bag: 10, variance: 47.6, noise: 551.0 },
    Prior { bag: 30, variance: 13.3, noise: 315.0 },
    Prior { bag: 60, variance: 5.6, noise: 266.0 },
    Prior { bag: 1000, variance: 5.4, noise: 267.0 },
];

impl Prior {
    /// The errors of a leave table.
    pub(crate) fn of_leaves(bag: usize) -> Prior {
        Prior::of_stage(&OF_LEAVES, bag).unwrap_or(OF_LEAVES[0])
    }

    /// The errors with this many tiles in the bag, from the first stage with room for them, or else from the last stage.
    pub(crate) fn of_stage(stages: &[Prior], bag: usize) -> Option<Prior> {
        stages.iter().find(|stage| bag <= stage.bag).or(stages.last()).copied()
    }

    /// Whether the figures are possible in a prior.
    pub(crate) fn is_valid(self) -> bool {
        let is_valid = |value: f64| value > 0.0 && value <= 1e6;
        is_valid(self.variance) && is_valid(self.noise)
    }
}
