//! Features of the leave, computed for all leaves of a turn at once.
//!
//! A feature is one row and one arm of [`LeaveFeature::column`], which names the function that computes it.

use std::cell::OnceCell;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use super::catalogue::{FeatureError, family};
use crate::leave::late::LateValues;
use crate::leave::{CorrectedLeaves, LeaveData, LeaveTable};
use crate::setup::Setup;

mod tiles;
mod rack_graph;
mod bingo;
mod playable;

pub use tiles::LeaveRow;
pub(crate) use tiles::companions;

pub(super) use tiles::{Companion, TurnLeaves};

use bingo::{BingoRacks, BingoWords};
use playable::LongWords;

family! {
    /// A feature of the leave.
    LeaveFeature {
        TableValue "leave" "points" "Maven; leave table"
            "Value of the leave in the leave table; with an empty bag, the value of going out or of the tiles left over."
        LeaveForUnseen "leave_for_unseen" "points" "Maven 5.4, leave+pool"
            "What the unseen tiles add to the table's value of the leave, to first order."
        Late "late" "points" "leave+late"
            "Adjustment of the leave table's value for few tiles in the bag."
        TilesPlayed "tiles_played" "tiles" "Barbicels"
            "Tiles played or exchanged."
        VowelsLessConsonants "vowels_less_consonants" "tiles" "Barbicels"
            "Vowels minus consonants in the leave."
        VowelImbalance "vowel_imbalance" "tiles" "Barbicels; Maven 5.4"
            "Absolute difference between vowels and consonants in the leave."
        BlanksKept "blanks_kept" "tiles" "Barbicels"
            "Blanks in the leave."
        DuplicatesKept "duplicates_kept" "tiles" "Maven 5.4"
            "Tiles in the leave beyond the first of their kind."
        DrawValue "draw_value" "points" "Maven 5.4, tile turnover"
            "Number of tiles drawn, times the mean table value of a single unseen tile."
        TileDensity "tile_density" "share of a tile" "Maven 5.4"
            "Sum over the tiles of the leave: share of the kind among the unseen tiles minus its share in a full bag."
        StrandedTiles "stranded_tiles" "tiles" "Maven 5.4"
            "Tiles in the leave without the tile that nearly always follows them in words: a Q without a U."
        AwaitedTiles "awaited_tiles" "share of a tile" "Maven 5.4, U with the Q unseen"
            "Share of the unseen tiles that need a tile of the leave: the Q for a U."
        GameState "game_state" "points" "Mathieu, γ"
            "Sum over the pairs of tiles in the leave: their synergy times the chances to draw each again."
        BagEmptied "bag_emptied" "0 or 1" "Maven 8"
            "Whether the draw empties the bag: the opponent moves first in the endgame."
        BagNearlyEmptied "bag_nearly_emptied" "0 or 1" "Maven 9"
            "Whether the draw leaves one tile to a full rack in the bag: the opponent may draw the last tile."
        BagLeft1 "bag_left_1" "0 or 1" "Maven 9"
            "Whether the draw leaves one tile in the bag."
        BagLeft2 "bag_left_2" "0 or 1" "Maven 9"
            "Whether the draw leaves two tiles in the bag."
        BagLeft3 "bag_left_3" "0 or 1" "Maven 9"
            "Whether the draw leaves three tiles in the bag."
        BagLeft4 "bag_left_4" "0 or 1" "Maven 9"
            "Whether the draw leaves four tiles in the bag."
        BagLeft5 "bag_left_5" "0 or 1" "Maven 9"
            "Whether the draw leaves five tiles in the bag."
        BagLeft6 "bag_left_6" "0 or 1" "Maven 9"
            "Whether the draw leaves six tiles in the bag."
        BagLeft7 "bag_left_7" "0 or 1" "Maven 9"
            "Whether the draw leaves seven tiles in the bag."
        LastTiles "last_tiles" "tiles" "Maven 9"
            "Tiles in the bag after the draw, at most two full racks."
        BingoChance "bingo_chance" "0 to 1" "Barbicels; Heuri, second engine"
            "Chance that the next rack spells a word with all its tiles."
        BingosExpected "bingos_expected" "words" "Barbicels"
            "Expected number of words that the next rack spells with all its tiles."
        BingoAveragePoints "bingo_average_points" "points" "Heuri, first engine"
            "Bingo chance times the estimated score of a bingo made of the leave and average tiles."
        BingoPoints "bingo_points" "points" "Heuri, second engine"
            "Expected points of a bingo with the next rack, estimated rack by rack."
        PlayableBingoPoints "playable_bingo_points" "points" "Heuri, third engine"
            "Expected points of a bingo that fits on the board, estimated rack by rack."
    }
}

impl LeaveFeature {
    /// Whether the feature needs a leave table.
    pub(crate) const fn needs_leaves(self) -> bool {
        use LeaveFeature::{DrawValue, GameState, Late, LeaveForUnseen, TableValue};
        matches!(self, TableValue | LeaveForUnseen | Late | DrawValue | GameState)
    }

    /// Prepares the feature for computation.
    ///
    /// # Errors
    /// [`FeatureError::NeedsLeaves`] if it needs a leave table and there is none.
    pub(super) fn column(self, sources: &Sources<'_>) -> Result<LeaveColumn, FeatureError> {
        let setup = sources.setup;
        let fill: Fill = match self {
            LeaveFeature::TableValue => from(Arc::new(sources.flat(self)?), tiles::leave),
            LeaveFeature::LeaveForUnseen => sources.correction(self, |flat| flat.with_pool(&setup.tileset))?,
            LeaveFeature::Late => {
                let late = sources.late(self)?;
                sources.correction(self, |flat| flat.with_late(late))?
            }
            LeaveFeature::TilesPlayed => Arc::new(tiles::played),
            LeaveFeature::VowelsLessConsonants => Arc::new(tiles::vowels_less_consonants),
            LeaveFeature::VowelImbalance => Arc::new(tiles::vowel_imbalance),
            LeaveFeature::BlanksKept => Arc::new(tiles::blanks),
            LeaveFeature::DuplicatesKept => Arc::new(tiles::duplicates),
            LeaveFeature::DrawValue => from(sources.leaves(self)?, tiles::draw_value),
            LeaveFeature::TileDensity => Arc::new(tiles::density),
            LeaveFeature::StrandedTiles => from(sources.companions(), tiles::stranded),
            LeaveFeature::AwaitedTiles => from(sources.companions(), tiles::awaited),
            LeaveFeature::GameState => from(sources.leaves(self)?, tiles::game_state),
            LeaveFeature::BagEmptied => Arc::new(tiles::bag_left::<0>),
            LeaveFeature::BagNearlyEmptied => Arc::new(tiles::bag_nearly_emptied),
            LeaveFeature::BagLeft1 => Arc::new(tiles::bag_left::<1>),
            LeaveFeature::BagLeft2 => Arc::new(tiles::bag_left::<2>),
            LeaveFeature::BagLeft3 => Arc::new(tiles::bag_left::<3>),
            LeaveFeature::BagLeft4 => Arc::new(tiles::bag_left::<4>),
            LeaveFeature::BagLeft5 => Arc::new(tiles::bag_left::<5>),
            LeaveFeature::BagLeft6 => Arc::new(tiles::bag_left::<6>),
            LeaveFeature::BagLeft7 => Arc::new(tiles::bag_left::<7>),
            LeaveFeature::LastTiles => Arc::new(tiles::last_tiles),
            LeaveFeature::BingoChance => from(sources.bingos(), BingoRacks::chances),
            LeaveFeature::BingosExpected => from(Arc::new(BingoWords::new(setup)), BingoWords::expected),
            LeaveFeature::BingoAveragePoints => from(sources.bingos(), BingoRacks::average_points),
            LeaveFeature::BingoPoints => from(sources.bingos(), BingoRacks::points),
            LeaveFeature::PlayableBingoPoints => from(Arc::new(LongWords::new(setup)), LongWords::points),
        };
        Ok(LeaveColumn { feature: self, fill })
    }
}

/// Computes a feature for all leaves of a turn.
type Fill = Arc<dyn Fn(&TurnLeaves<'_>, &mut LeaveRow) + Send + Sync>;

/// Binds a function that computes a feature to its source.
fn from<T: ?Sized + Send + Sync + 'static>(source: Arc<T>, fill: fn(&T, &TurnLeaves<'_>, &mut LeaveRow)) -> Fill {
    Arc::new(move |at, values| fill(&source, at, values))
}

/// A feature of the leave with its computation.
#[derive(Clone)]
pub(super) struct LeaveColumn {
    pub feature: LeaveFeature,
    /// Writes the value for every leave.
    pub fill: Fill,
}

impl Debug for LeaveColumn {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.feature.fmt(formatter)
    }
}

/// The data that features need besides the turn. Sources that several features share are built on first use.
pub(super) struct Sources<'a> {
    setup: &'a Setup,
    leaves: Option<LeaveData>,
    companions: OnceCell<Arc<[Companion]>>,
    /// The racks that spell a word.
    bingos: OnceCell<Arc<BingoRacks>>,
}

impl Sources<'_> {
    pub(super) fn new(setup: &Setup, leaves: Option<LeaveData>) -> Sources<'_> {
        Sources { setup, leaves, companions: OnceCell::new(), bingos: OnceCell::new() }
    }

    fn leaves(&self, feature: LeaveFeature) -> Result<Arc<LeaveTable>, FeatureError> {
        self.data(feature).map(|data| Arc::clone(&data.table))
    }

    fn flat(&self, feature: LeaveFeature) -> Result<CorrectedLeaves, FeatureError> {
        self.leaves(feature).map(CorrectedLeaves::new)
    }

    fn correction(
        &self,
        feature: LeaveFeature,
        corrected: impl FnOnce(CorrectedLeaves) -> CorrectedLeaves,
    ) -> Result<Fill, FeatureError> {
        let flat = self.flat(feature)?;
        Ok(from(Arc::new([flat.clone(), corrected(flat)]), tiles::correction))
    }

    fn late(&self, feature: LeaveFeature) -> Result<Arc<LateValues>, FeatureError> {
        self.data(feature)?.late.clone().ok_or(FeatureError::NeedsLate(feature.about().name))
    }

    fn data(&self, feature: LeaveFeature) -> Result<&LeaveData, FeatureError> {
        self.leaves.as_ref().ok_or(FeatureError::NeedsLeaves(feature.about().name))
    }

    fn companions(&self) -> Arc<[Companion]> {
        Arc::clone(self.companions.get_or_init(|| companions(self.setup).into()))
    }

    fn bingos(&self) -> Arc<BingoRacks> {
        Arc::clone(self.bingos.get_or_init(|| Arc::new(BingoRacks::new(self.setup))))
    }
}

#[cfg(test)]
mod tests;
