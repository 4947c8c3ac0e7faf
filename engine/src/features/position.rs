//! Features of the position alone: they are the same for all moves of a turn.

use super::catalogue::family;
use super::openness;
use super::placed::Trial;
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
    /// Whether the feature is about replies, which need [`ReplyWords`](super::placed::ReplyWords).
    pub(super) fn is_about_replies(self) -> bool {
        use PositionFeature::{Openness, ScoreDifference, TilesInBag};
        !matches!(self, ScoreDifference | TilesInBag | Openness)
    }

    /// The value from the view of the player to move, in the unit of the feature.
    pub(super) fn value(self, turn: &Turn<'_>, trial: &mut Trial<'_>) -> f64 {
        let mut replies = |level: usize| f64::from(trial.replies_before()[level]);
        match self {
            PositionFeature::ScoreDifference => f64::from(turn.spread),
            PositionFeature::TilesInBag => turn.bag as f64,
            PositionFeature::Openness => openness::places(turn),
            PositionFeature::Words20 => replies(0),
            PositionFeature::Words30 => replies(1),
            PositionFeature::Words40 => replies(2),
            PositionFeature::Words50 => replies(3),
            PositionFeature::Words65 => replies(4),
            PositionFeature::Words80 => replies(5),
        }
    }
}
