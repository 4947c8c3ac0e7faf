//! Features of the leave, which a move keeps on the rack: computed for all leaves of a turn at once.
//!
//! A feature is one row and one arm of [`KeptFeature::column`], which names the function that computes it.

use std::cell::OnceCell;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use super::catalogue::{FeatureError, family};
use crate::leave::LeaveTable;
use crate::setup::Setup;

mod turn_leaves;
mod tiles;
mod companions;
mod leave_table;
mod rack_graph;
mod bingo;
mod playable;

pub use bingo::BingoChance;
pub use companions::{Companion, companions};
pub use turn_leaves::KeptValues;

pub(super) use turn_leaves::TurnLeaves;

use bingo::{BingoRacks, BingoWords, Longest};
use leave_table::UnseenPool;
use playable::LongWords;

family! {
    /// A feature of the leave.
    KeptFeature {
        Leave "leave" "points" "Maven; leave table"
            "What the leave table gives for the leave; with an empty bag, what is left at the end."
        LeaveForUnseen "leave_for_unseen" "points" "Maven 5.4, leave+pool"
            "What the unseen tiles add to that, to first order."
        TilesPlayed "tiles_played" "tiles" "Barbicels"
            "Tiles that leave the rack."
        VowelsLessConsonants "vowels_less_consonants" "tiles" "Barbicels"
            "Vowels kept less consonants kept."
        VowelImbalance "vowel_imbalance" "tiles" "Barbicels; Maven 5.4"
            "The same without its sign."
        BlanksKept "blanks_kept" "tiles" "Barbicels"
            "Blanks kept."
        DuplicatesKept "duplicates_kept" "tiles" "Maven 5.4"
            "Tiles kept beyond the first of their kind."
        DrawValue "draw_value" "points" "Maven 5.4, tile turnover"
            "What the tiles drawn are worth alone, on average over the unseen tiles."
        TileDensity "tile_density" "share of a tile" "Maven 5.4"
            "How much more of the unseen tiles are of the kinds kept than of a full bag, each tile for itself."
        StrandedTiles "stranded_tiles" "tiles" "Maven 5.4"
            "Tiles kept without the tile that follows them in their words: a Q without a U."
        AwaitedTiles "awaited_tiles" "share of a tile" "Maven 5.4, U with the Q unseen"
            "Share of the unseen tiles that need a tile that is kept: the Q for a U."
        GameState "game_state" "points" "Mathieu, γ"
            "For each two tiles kept their synergy, times the chances to draw each again."
        BagEmptied "bag_emptied" "0 or 1" "Maven 8"
            "Whether the tiles drawn are the last: the other moves first in the endgame."
        BagNearlyEmptied "bag_nearly_emptied" "0 or 1" "Maven 9"
            "Whether a rackful is left at most, and not nothing: the other may have the last draw."
        BingoChance "bingo_chance" "0 to 1" "Barbicels; Heuri, second engine"
            "Chance that the next rack spells a word."
        BingosExpected "bingos_expected" "words" "Barbicels"
            "Words that the next rack is expected to spell."
        BingoAveragePoints "bingo_average_points" "points" "Heuri, first engine"
            "That chance times what a bingo is expected to score, by the tiles kept and the average tile."
        BingoPoints "bingo_points" "points" "Heuri, second engine"
            "Points that words of the next rack are expected to score, rack by rack."
        LongBingoChance "long_bingo_chance" "0 to 1" "Heuri, third engine"
            "Chance that the next rack spells a word by itself or with one tile of the board, whatever the board."
        PlayableBingoChance "playable_bingo_chance" "0 to 1" "Barbicels; Heuri, third engine"
            "Chance that the board has room for the next rack as a bingo."
        PlayableBingosExpected "playable_bingos_expected" "plays" "Barbicels"
            "Plays of the whole next rack that the board is expected to have room for."
        PlayableBingoPoints "playable_bingo_points" "points" "Heuri, third engine"
            "Points that such a bingo is expected to score, rack by rack."
    }
}

impl KeptFeature {
    /// Whether the feature is made from a leave table.
    pub const fn needs_leaves(self) -> bool {
        matches!(self, KeptFeature::Leave | KeptFeature::LeaveForUnseen | KeptFeature::DrawValue | KeptFeature::GameState)
    }

    /// The feature ready to be computed.
    ///
    /// # Errors
    /// [`FeatureError::NeedsLeaves`].
    pub(super) fn column(self, sources: &Sources<'_>) -> Result<KeptColumn, FeatureError> {
        let setup = sources.setup;
        let fill: Fill = match self {
            KeptFeature::Leave => from(sources.leaves(self)?, leave_table::leave),
            KeptFeature::LeaveForUnseen => from(Arc::new(UnseenPool::new(sources.leaves(self)?, setup)), UnseenPool::added),
            KeptFeature::TilesPlayed => Arc::new(tiles::played),
            KeptFeature::VowelsLessConsonants => Arc::new(tiles::vowels_less_consonants),
            KeptFeature::VowelImbalance => Arc::new(tiles::vowel_imbalance),
            KeptFeature::BlanksKept => Arc::new(tiles::blanks),
            KeptFeature::DuplicatesKept => Arc::new(tiles::duplicates),
            KeptFeature::DrawValue => from(sources.leaves(self)?, leave_table::draw_value),
            KeptFeature::TileDensity => Arc::new(tiles::density),
            KeptFeature::StrandedTiles => from(sources.companions(), companions::stranded),
            KeptFeature::AwaitedTiles => from(sources.companions(), companions::awaited),
            KeptFeature::GameState => from(sources.leaves(self)?, leave_table::game_state),
            KeptFeature::BagEmptied => Arc::new(tiles::bag_emptied),
            KeptFeature::BagNearlyEmptied => Arc::new(tiles::bag_nearly_emptied),
            KeptFeature::BingoChance => from(sources.bingos(), BingoRacks::chances),
            KeptFeature::BingosExpected => from(Arc::new(BingoWords::new(setup)), BingoWords::expected),
            KeptFeature::BingoAveragePoints => from(sources.bingos(), BingoRacks::average_points),
            KeptFeature::BingoPoints => from(sources.bingos(), BingoRacks::points),
            KeptFeature::LongBingoChance => from(Arc::new(BingoRacks::new(setup, Longest::OneMore)), BingoRacks::chances),
            KeptFeature::PlayableBingoChance => from(sources.long_words(), LongWords::chances),
            KeptFeature::PlayableBingosExpected => from(sources.long_words(), LongWords::expected),
            KeptFeature::PlayableBingoPoints => from(sources.long_words(), LongWords::points),
        };
        Ok(KeptColumn { feature: self, fill })
    }
}

/// Computes a feature for all leaves of a turn.
type Fill = Arc<dyn Fn(&TurnLeaves<'_>, &mut KeptValues) + Send + Sync>;

/// A computation from the turn and something that is made once.
fn from<T: ?Sized + Send + Sync + 'static>(source: Arc<T>, fill: fn(&T, &TurnLeaves<'_>, &mut KeptValues)) -> Fill {
    Arc::new(move |at, values| fill(&source, at, values))
}

/// A feature of the leave, ready to be computed.
#[derive(Clone)]
pub(super) struct KeptColumn {
    pub feature: KeptFeature,
    fill: Fill,
}

impl KeptColumn {
    /// Fills in the value of every leave.
    pub(super) fn fill(&self, at: &TurnLeaves<'_>, values: &mut KeptValues) {
        (self.fill)(at, values);
    }
}

impl Debug for KeptColumn {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.feature.fmt(formatter)
    }
}

/// What features are computed from next to the turn. What several features share is made when the first of them asks for it.
pub(super) struct Sources<'a> {
    setup: &'a Setup,
    leaves: Option<Arc<LeaveTable>>,
    companions: OnceCell<Arc<[Companion]>>,
    /// The racks that spell a word.
    bingos: OnceCell<Arc<BingoRacks>>,
    long_words: OnceCell<Arc<LongWords>>,
}

impl Sources<'_> {
    pub(super) fn new(setup: &Setup, leaves: Option<Arc<LeaveTable>>) -> Sources<'_> {
        let (companions, bingos, long_words) = Default::default();
        Sources { setup, leaves, companions, bingos, long_words }
    }

    fn leaves(&self, feature: KeptFeature) -> Result<Arc<LeaveTable>, FeatureError> {
        self.leaves.clone().ok_or(FeatureError::NeedsLeaves(feature.about().name))
    }

    fn companions(&self) -> Arc<[Companion]> {
        Arc::clone(self.companions.get_or_init(|| companions(self.setup).into()))
    }

    fn bingos(&self) -> Arc<BingoRacks> {
        Arc::clone(self.bingos.get_or_init(|| Arc::new(BingoRacks::new(self.setup, Longest::Rack))))
    }

    fn long_words(&self) -> Arc<LongWords> {
        Arc::clone(self.long_words.get_or_init(|| Arc::new(LongWords::new(self.setup))))
    }
}

#[cfg(test)]
mod tests;
