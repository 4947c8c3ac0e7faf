//! A network that sees positions.

use serde::{Deserialize, Serialize};
use tilewright_engine::win_percentage::{States, TilesLeft, final_chance};

use super::inputs::{Seen, Sight};
use crate::win_percentage::network::Network;

/// The parts of the plain network, told more. Its inference is plain arithmetic in f64.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionNetwork {
    /// How it looks at positions.
    pub sight: Sight,
    /// Its weights; the first layer has the inputs of the plain network and then those of the sight.
    pub network: Network,
}

impl PositionNetwork {
    /// The chance of the player to move at a lead in points.
    pub fn chance(&self, left: TilesLeft, seen: &Seen, lead: f64) -> f64 {
        if left.is_over() {
            return final_chance(lead.signum() as i32 * i32::from(lead != 0.0));
        }
        self.network.chance_told(&self.sight.told(self.network.states(), left, seen), left, lead)
    }

    /// Whether its layers fit each other, its inputs and the states of a game.
    pub(super) fn is_sound(&self, states: States) -> bool {
        let Network { pairs, layers, .. } = &self.network;
        let most = TilesLeft { bag: states.most_bag(), own: states.rack_size(), other: states.rack_size() };
        let mut inputs = self.sight.told(states, most, &Seen::default()).len();
        let mut fit = self.network.states() == states && self.network.variance_of_tile > 0.0;
        for layer in layers {
            let outputs = layer.bias.len();
            fit &= layer.weights.len() == inputs && layer.weights.iter().all(|weights| weights.len() == outputs);
            inputs = outputs;
        }
        fit && inputs == 1 + 6 * pairs && *pairs > 0
    }
}
