//! Features of the position: they cannot tell moves apart, but positions.

use super::catalogue::family;
use super::openness;
use crate::turn::Turn;

family! {
    /// A feature of the position alone.
    PositionFeature {
        ScoreDifference "score_difference" "points" "Barbicels"
            "Points ahead before the move."
        TilesInBag "tiles_in_bag" "tiles" "Barbicels"
            "Tiles in the bag before the move."
        Openness "openness" "places" "Maven 6.5"
            "Places for a bingo before the move, each counted by the letters that fit it."
    }
}

impl PositionFeature {
    /// The value for the player to move.
    pub fn value(self, turn: &Turn<'_>) -> f64 {
        match self {
            PositionFeature::ScoreDifference => f64::from(turn.spread),
            PositionFeature::TilesInBag => turn.bag as f64,
            PositionFeature::Openness => openness::places(turn),
        }
    }
}
