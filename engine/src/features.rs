//! Features: numbers that say something about a position and a move.
//!
//! Each has a name, a unit and a source ([`Feature::about`]); `tilewright bench features` measures what it costs. What a feature
//! depends on decides when it is computed, and so a feature belongs to one of four families:
//!
//! | family | depends on | computed |
//! | --- | --- | --- |
//! | score | the points of the move | for each move, by the generator |
//! | [position](PositionFeature) | the position alone | once a turn; it cannot tell moves apart, but positions |
//! | [kept](KeptFeature) | the position and the leave, the tiles that the move keeps on the rack | once a turn, for all leaves at once |
//! | [placed](PlacedFeature) | the position and where a play lays its tiles | for the plays that are asked about |
//!
//! So a weighted sum of score and leave costs one look-up per move, and the best move under it is found without listing moves. Values
//! are from the view of the player who moves. The board is seen before the other player's reply.
//!
//! Each family has one file, with its rows of the catalogue and the computation of each row; a row without a computation does not
//! compile. [`TilePatterns`] are features of the leave too: as many as a tile set gives rise to, under the same [`VERSION`].

use std::sync::Arc;

use crate::leave::LeaveTable;
use crate::moves::{Move, Play};
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;
use crate::turn::Turn;

#[cfg(test)]
mod samples;
mod catalogue;
pub mod openness;
mod position;
mod kept;
mod placed;
mod feature;
mod tile_patterns;

pub use catalogue::{About, FeatureError, VERSION, feature_set};
pub use feature::Feature;
pub use kept::{BingoChance, KeptFeature, KeptValues};
pub use placed::PlacedFeature;
pub use position::PositionFeature;
pub use tile_patterns::TilePatterns;

use kept::{KeptColumn, Sources, TurnLeaves};
use placed::Trial;

/// Features ready to be computed, with what they are computed from.
#[derive(Clone, Debug)]
pub struct Features {
    /// Each with its place among the features of its family.
    wanted: Vec<(Feature, usize)>,
    kept: Vec<KeptColumn>,
    placed: Vec<PlacedFeature>,
}

impl Features {
    /// Prepares the features of `wanted` for a setup; `leaves` is the table that some are made from.
    ///
    /// # Errors
    /// [`FeatureError::NeedsLeaves`] if there is no leave table and one of them is made from it.
    pub fn new(wanted: &[Feature], setup: &Setup, leaves: Option<Arc<LeaveTable>>) -> Result<Features, FeatureError> {
        let sources = Sources::new(setup, leaves);
        let mut features = Features { wanted: Vec::new(), kept: Vec::new(), placed: Vec::new() };
        for &wanted in wanted {
            let place = match wanted {
                Feature::Score | Feature::Position(_) => 0,
                Feature::Kept(feature) => {
                    features.kept.push(feature.column(&sources)?);
                    features.kept.len() - 1
                }
                Feature::Placed(feature) => {
                    features.placed.push(feature);
                    features.placed.len() - 1
                }
            };
            features.wanted.push((wanted, place));
        }
        Ok(features)
    }

    /// The features of the leave, in the order of [`Features::kept_values`].
    pub fn kept(&self) -> impl Iterator<Item = Feature> + '_ {
        self.kept.iter().map(|column| Feature::Kept(column.feature))
    }

    /// The features of where plays lay their tiles, in the order of [`Features::placed_values`].
    pub fn placed(&self) -> impl Iterator<Item = Feature> + '_ {
        self.placed.iter().map(|&feature| Feature::Placed(feature))
    }

    /// For each feature of the leave its value for every leave.
    pub fn kept_values(&self, turn: &Turn<'_>, numbers: &SubRacks) -> Vec<KeptValues> {
        let leaves = TurnLeaves::new(turn, numbers);
        let mut rows = vec![[0.0; MAX_SUB_RACKS]; self.kept.len()];
        rows.iter_mut().zip(&self.kept).for_each(|(row, column)| column.fill(&leaves, row));
        rows
    }

    /// For each play its features of where it lays its tiles.
    pub fn placed_values(&self, turn: &Turn<'_>, plays: impl IntoIterator<Item = Play>) -> Vec<Vec<f32>> {
        let mut trial = Trial::new(turn);
        plays.into_iter().map(|play| trial.values(&self.placed, &play)).collect()
    }

    /// All features, in the order of [`Features::new`], for one move; slow and obvious.
    pub fn move_values(&self, turn: &Turn<'_>, chosen: &Move) -> Vec<f64> {
        let numbers = SubRacks::new(&turn.rack);
        let taken: usize = chosen.tiles().iter().map(|tile| numbers.stride(tile.kind())).sum();
        let kept = self.kept_values(turn, &numbers);
        let placed = match chosen {
            Move::Play(play) => self.placed_values(turn, [*play]).remove(0),
            Move::Exchange(_) | Move::Pass => vec![0.0; self.placed.len()],
        };
        let value = |&(feature, place): &(Feature, usize)| match feature {
            Feature::Score => f64::from(chosen.score()),
            Feature::Position(feature) => feature.value(turn),
            Feature::Kept(_) => f64::from(kept[place][numbers.whole() - taken]),
            Feature::Placed(_) => f64::from(placed[place]),
        };
        self.wanted.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests;
