//! The list of features: what each is called, counts, depends on, and comes from.

use serde::{Deserialize, Serialize};

/// Changes with every change of what a feature of a given name counts.
pub const VERSION: u32 = 1;

/// What a feature depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The position alone.
    Position,
    /// The points of the move.
    Score,
    /// What the move keeps on the rack.
    Kept,
    /// Where the move lays its tiles.
    Placed,
}

/// What there is to know of a feature.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// As files have it.
    pub name: &'static str,
    /// What it depends on.
    pub part: Part,
    /// What it counts.
    pub unit: &'static str,
    /// What it is, in a line.
    pub meaning: &'static str,
    /// Where the idea comes from.
    pub source: &'static str,
}

macro_rules! features {
    ($($feature:ident $name:literal $part:ident $unit:literal $source:literal $meaning:literal)*) => {
        /// A number that says something about a position and a move.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Feature {
            $(#[doc = $meaning] $feature,)*
        }

        impl Feature {
            /// Every feature.
            pub const ALL: &'static [Feature] = &[$(Feature::$feature),*];

            /// What there is to know of it.
            pub const fn about(self) -> About {
                match self {
                    $(Feature::$feature => About {
                        name: $name, part: Part::$part, unit: $unit, meaning: $meaning, source: $source,
                    },)*
                }
            }
        }
    };
}

features! {
    Score "score" Score "points" "rules"
        "Points of the move."
    ScoreDifference "score_difference" Position "points" "Barbicels"
        "Points ahead before the move."
    TilesInBag "tiles_in_bag" Position "tiles" "Barbicels"
        "Tiles in the bag before the move."
    Openness "openness" Position "places" "Maven 6.5"
        "Places for a bingo before the move, each counted by the letters that fit it."
    Leave "leave" Kept "points" "Maven; leave table"
        "What the leave table gives for what is kept; with an empty bag, what is left at the end."
    LeaveForUnseen "leave_for_unseen" Kept "points" "Maven 5.4, leave+pool"
        "What the unseen tiles add to that, to first order."
    TilesPlayed "tiles_played" Kept "tiles" "Barbicels"
        "Tiles that leave the rack."
    VowelsLessConsonants "vowels_less_consonants" Kept "tiles" "Barbicels"
        "Vowels kept less consonants kept."
    VowelImbalance "vowel_imbalance" Kept "tiles" "Barbicels; Maven 5.4"
        "The same without its sign."
    BlanksKept "blanks_kept" Kept "tiles" "Barbicels"
        "Blanks kept."
    DuplicatesKept "duplicates_kept" Kept "tiles" "Maven 5.4"
        "Tiles kept beside others of their kind."
    DrawValue "draw_value" Kept "points" "Maven 5.4, tile turnover"
        "What the tiles drawn are worth alone, on average over the unseen tiles."
    TileDensity "tile_density" Kept "share of a tile" "Maven 5.4"
        "How much more of the unseen tiles are of the kinds kept than of a full bag, each tile for itself."
    StrandedTiles "stranded_tiles" Kept "tiles" "Maven 5.4"
        "Tiles kept without the one that their words have beside them: a Q without a U."
    AwaitedTiles "awaited_tiles" Kept "share of a tile" "Maven 5.4, U with the Q unseen"
        "How much of what is unseen waits for a tile that is kept: the Q for a U."
    GameState "game_state" Kept "points" "Mathieu, γ"
        "For each two tiles kept their synergy, times the chances to draw each again."
    BagEmptied "bag_emptied" Kept "0 or 1" "Maven 8"
        "Whether the tiles drawn are the last: the other moves first in the endgame."
    BagNearlyEmptied "bag_nearly_emptied" Kept "0 or 1" "Maven 9"
        "Whether a rackful is left at most, and not nothing: the other may have the last draw."
    BingoChance "bingo_chance" Kept "0 to 1" "Barbicels; Heuri, second engine"
        "Chance that the next rack spells a word."
    BingosExpected "bingos_expected" Kept "words" "Barbicels"
        "Words that the next rack is expected to spell."
    BingoAveragePoints "bingo_average_points" Kept "points" "Heuri, first engine"
        "That chance times what a bingo is expected to score, by the tiles kept and the average tile."
    BingoPoints "bingo_points" Kept "points" "Heuri, second engine"
        "Points that words of the next rack are expected to score, rack by rack."
    LongBingoChance "long_bingo_chance" Kept "0 to 1" "Heuri, third engine"
        "Chance that the next rack spells a word by itself or with one tile of the board, whatever the board."
    PlayableBingoChance "playable_bingo_chance" Kept "0 to 1" "Barbicels; Heuri, third engine"
        "Chance that the next rack is one that the board has room for as a bingo."
    PlayableBingosExpected "playable_bingos_expected" Kept "plays" "Barbicels"
        "Plays of the whole next rack that the board is expected to have room for."
    PlayableBingoPoints "playable_bingo_points" Kept "points" "Heuri, third engine"
        "Points that such a bingo is expected to score, rack by rack."
    TripleWordsOpened "triple_words_opened" Placed "lanes" "Maven 6.4"
        "Lanes in which an empty triple word square can now be reached and could not before, less those in which it no longer can."
    BingoLanesOpened "bingo_lanes_opened" Placed "places" "Maven 6.5"
        "New places for a full rack with one tile or one hook to bind it."
    BingoLanesClosed "bingo_lanes_closed" Placed "places" "Maven 6.5"
        "Such places that are no more."
    PremiumsBesideVowels "premiums_beside_vowels" Placed "squares" "Maven 6; Heuri"
        "Empty letter premium squares beside the vowels laid."
    HooksOpened "hooks_opened" Placed "share of the unseen tiles" "Maven 6"
        "Unseen tiles that make another word before or after the one laid."
    MultipliersOpened "multipliers_opened" Placed "points" "Heuri, first engine"
        "What Heuri takes off for a lane opened between triple word squares (20), or a vowel beside a triple (10) or double (5) letter square."
}

impl Feature {
    /// Whether it is made from a leave table.
    pub const fn needs_leaves(self) -> bool {
        matches!(self, Feature::Leave | Feature::LeaveForUnseen | Feature::DrawValue | Feature::GameState)
    }
}
