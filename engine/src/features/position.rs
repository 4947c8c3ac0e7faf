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
        Words20 "words_20" "logarithm" "Maven 6; extents"
            "Logarithm of the number of words that a rack may find before the move for at least 20 points."
        Words30 "words_30" "logarithm" "Maven 6; extents"
            "Logarithm of the number of words that a rack may find before the move for at least 30 points."
        Words40 "words_40" "logarithm" "Maven 6; extents"
            "Logarithm of the number of words that a rack may find before the move for at least 40 points."
        Words50 "words_50" "logarithm" "Maven 6; extents"
            "Logarithm of the number of words that a rack may find before the move for at least 50 points."
        Words65 "words_65" "logarithm" "Maven 6; extents"
            "Logarithm of the number of words that a rack may find before the move for at least 65 points."
        Words80 "words_80" "logarithm" "Maven 6; extents"
            "Logarithm of the number of words that a rack may find before the move for at least 80 points."
    }
}

impl PositionFeature {
    /// The level of the replies that the feature counts, by number; `None` if it counts none.
    pub(super) fn reply_level(self) -> Option<usize> {
        match self {
            PositionFeature::ScoreDifference | PositionFeature::TilesInBag | PositionFeature::Openness => None,
            PositionFeature::Words20 => Some(0),
            PositionFeature::Words30 => Some(1),
            PositionFeature::Words40 => Some(2),
            PositionFeature::Words50 => Some(3),
            PositionFeature::Words65 => Some(4),
            PositionFeature::Words80 => Some(5),
        }
    }

    /// The value from the view of the player to move, in the unit of the feature; 0 for a feature that counts replies.
    pub(super) fn value(self, turn: &Turn<'_>) -> f64 {
        match self {
            PositionFeature::Words20
            | PositionFeature::Words30
            | PositionFeature::Words40
            | PositionFeature::Words50
            | PositionFeature::Words65
            | PositionFeature::Words80 => 0.0,
            PositionFeature::ScoreDifference => f64::from(turn.spread),
            PositionFeature::TilesInBag => turn.bag as f64,
            PositionFeature::Openness => openness::places(turn),
        }
    }
}
