//! Features of the position alone: they are the same for all moves of a turn.

use super::catalogue::family;
use super::openness;
use crate::turn::Turn;

family! {
    /// A feature of the position alone.
    PositionFeature {
        ScoreDifference "score_difference" "points" "Barbicels"
            "Spread before the move."
        TilesInBag "tiles_in_bag" "tiles" "Barbicels"
            "Tiles in the bag before the move."
        Openness "openness" "places" "Maven 6.5"
            "Places for a bingo on the board before the move, each weighted by the tiles that fit there."
    }
}

impl PositionFeature {
    /// The value from the view of the player to move, in the unit of the feature.
    pub fn value(self, turn: &Turn<'_>) -> f64 {
        match self {
            PositionFeature::ScoreDifference => f64::from(turn.spread),
            PositionFeature::TilesInBag => turn.bag as f64,
            PositionFeature::Openness => openness::places(turn),
        }
    }
}
