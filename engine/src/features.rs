//! Features: numbers that describe a position and a move.
//!
//! Each feature has a name, a unit and a source ([`Feature::about`]). `tilewright bench features` measures its cost. A
//! feature belongs to one of four families, by its inputs, because they decide when it is computed:
//!
//! | family | depends on | computed |
//! | --- | --- | --- |
//! | score | the points of the move | for each move, by the generator |
//! | [position](PositionFeature) | the position alone | once per turn, the same for all moves |
//! | [leave](LeaveFeature) | the position and the leave | once per turn, for all leaves at once |
//! | [placed](PlacedFeature) | the position and where a play lays its tiles | for the plays that the caller passes |
//!
//! A weighted sum of score and leave features therefore costs one look-up per move, and the generator finds the best move
//! under it without listing all moves. Values are from the view of the player to move, before the opponent's reply.
//!
//! Each family has one file, with its rows of the catalogue and their computation. A row without a computation does not
//! compile. [`TilePatterns`] are features of the leave too: their number depends on the tile set. They share [`VERSION`].

use std::sync::Arc;

use crate::leave::LeaveData;
use crate::moves::{Move, Play};
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;
use crate::turn::Turn;

#[cfg(test)]
mod test_support;
mod catalogue;
pub mod openness;
mod leave;
mod placed;
mod position;
mod feature;
mod tile_patterns;
mod inputs;

pub use catalogue::{About, FeatureError, VERSION, feature_set};
pub use feature::Feature;
pub use inputs::{ExtraInput, Inputs};
pub use leave::{LeaveFeature, LeaveRow};
pub use placed::PlacedFeature;
pub use position::PositionFeature;
pub use tile_patterns::TilePatterns;

use leave::{LeaveColumn, Sources, TurnLeaves};
use placed::{ReplyWords, Trial};

/// A list of features, prepared for a setup.
#[derive(Clone, Debug)]
pub struct Features {
    /// Each feature with its index in its family.
    wanted: Vec<(Feature, usize)>,
    leave: Vec<LeaveColumn>,
    placed: Vec<PlacedFeature>,
    /// Only if a feature counts replies.
    reply_words: Option<Arc<ReplyWords>>,
}

impl Features {
    /// Prepares the features of `wanted` for a setup. Some need the leave table `leaves` ([`Feature::needs_leaves`]).
    ///
    /// # Errors
    /// [`FeatureError::NeedsLeaves`] if there is no leave table and a feature needs one.
    pub fn new(wanted: &[Feature], setup: &Setup, leaves: Option<LeaveData>) -> Result<Features, FeatureError> {
        let sources = Sources::new(setup, leaves);
        let mut features = Features { wanted: Vec::new(), leave: Vec::new(), placed: Vec::new(), reply_words: None };
        for &wanted in wanted {
            let place = match wanted {
                Feature::Score | Feature::Position(_) => 0,
                Feature::Leave(feature) => {
                    features.leave.push(feature.column(&sources)?);
                    features.leave.len() - 1
                }
                Feature::Placed(feature) => {
                    features.placed.push(feature);
                    features.placed.len() - 1
                }
            };
            features.wanted.push((wanted, place));
        }
        let counts_replies = |wanted: &Feature| match wanted {
            Feature::Placed(feature) => feature.is_about_replies(),
            Feature::Position(feature) => feature.is_about_replies(),
            Feature::Score | Feature::Leave(_) => false,
        };
        if wanted.iter().any(counts_replies) {
            features.reply_words = Some(Arc::new(ReplyWords::new(setup)));
        }
        Ok(features)
    }

    /// The features of the leave, in the order of the rows of [`Features::leave_rows`].
    pub(crate) fn leave(&self) -> impl Iterator<Item = Feature> + '_ {
        self.leave.iter().map(|column| Feature::Leave(column.feature))
    }

    /// The features of where plays lay their tiles, in the order of the values of [`Features::placed_values`].
    pub(crate) fn placed(&self) -> impl Iterator<Item = Feature> + '_ {
        self.placed.iter().map(|&feature| Feature::Placed(feature))
    }

    /// One row per feature of the leave, with its value for every leave of the turn's rack.
    pub fn leave_rows(&self, turn: &Turn<'_>, sub_racks: &SubRacks) -> Vec<LeaveRow> {
        let leaves = TurnLeaves { turn, sub_racks };
        let mut rows = vec![[0.0; MAX_SUB_RACKS]; self.leave.len()];
        rows.iter_mut().zip(&self.leave).for_each(|(row, column)| (column.fill)(&leaves, row));
        rows
    }

    /// For each play, the values of the features of where it lays its tiles.
    pub fn placed_values(&self, turn: &Turn<'_>, plays: impl IntoIterator<Item = Play>) -> Vec<Vec<f32>> {
        let mut trial = Trial::new(turn, self.reply_words.as_deref());
        plays.into_iter().map(|play| trial.values(&self.placed, &play)).collect()
    }

    /// The values of all features for one move, in the order of [`Features::new`].
    pub fn move_values(&self, turn: &Turn<'_>, chosen: &Move) -> Vec<f64> {
        self.values(turn, std::slice::from_ref(chosen)).remove(0)
    }

    /// The values of all features for some moves of a turn: by move, in the order of [`Features::new`]. The features of the
    /// leave are computed once for the turn, the features of placements once per play.
    pub fn values(&self, turn: &Turn<'_>, moves: &[Move]) -> Vec<Vec<f64>> {
        let sub_racks = SubRacks::new(&turn.rack);
        let leave = self.leave_rows(turn, &sub_racks);
        let mut trial = Trial::new(turn, self.reply_words.as_deref());
        let mut position = |&(feature, _): &(Feature, usize)| match feature {
            Feature::Position(feature) => feature.value(turn, &mut trial),
            _ => 0.0,
        };
        let position: Vec<f64> = self.wanted.iter().map(&mut position).collect();
        let mut values = |chosen: &Move| {
            let leave_number = sub_racks.whole() - sub_racks.number(chosen.tiles());
            let placed = match chosen {
                Move::Play(play) => trial.values(&self.placed, play),
                Move::Exchange(_) | Move::Pass => vec![0.0; self.placed.len()],
            };
            let value = |(&(feature, place), &of_position): (&(Feature, usize), &f64)| match feature {
                Feature::Score => f64::from(chosen.score()),
                Feature::Position(_) => of_position,
                Feature::Leave(_) => f64::from(leave[place][leave_number]),
                Feature::Placed(_) => f64::from(placed[place]),
            };
            self.wanted.iter().zip(&position).map(value).collect()
        };
        moves.iter().map(&mut values).collect()
    }
}

#[cfg(test)]
mod tests;
