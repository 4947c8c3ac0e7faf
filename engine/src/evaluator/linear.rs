//! `linear:PATH`: a weighted sum of features.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Evaluator;
use crate::equity::Equity;
use crate::features::{Feature, FeatureError, Features, KeptFeature, VERSION};
use crate::leave::LeaveTable;
use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;
use crate::turn::Turn;

pub mod load;

/// Moves that are looked at again unless a file says otherwise.
const CANDIDATES: usize = 20;
/// A weight beyond this is a slip, and would leave the range of [`Equity`].
const MOST_WEIGHT: f64 = 10_000.0;
/// Points beyond which a sum is cut off.
const MOST_POINTS: f32 = 100_000.0;

/// The weights of a linear evaluator, as in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// [`VERSION`] of the features that they are for.
    pub feature_version: u32,
    /// Where the leave table of its features is: a path from the folder of the file, or nothing for the embedded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<PathBuf>,
    /// Moves that are looked at again for where they lay their tiles, if there are weights for that.
    #[serde(default = "candidates")]
    pub candidates: usize,
    /// By feature, equity for one unit of it; divided by that of the score, so that equities are points.
    pub weights: BTreeMap<Feature, f64>,
}

fn candidates() -> usize {
    CANDIDATES
}

/// Weights that no evaluator can be made of.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BadWeights {
    /// Not TOML of the expected form.
    #[error("{0}")]
    Syntax(String),
    /// Of other features.
    #[error(
        "feature_version = {0}, but the features are of version {VERSION}; weights are for the features that they were found with"
    )]
    Version(u32),
    /// The score does not count, or against the player.
    #[error(
        "score = {0}; the score has a weight above 0, up to {MOST_WEIGHT}, and all others are worth what they are beside it"
    )]
    Score(f64),
    /// Not a number, or a huge one.
    #[error(
        "{name} = {value} where score = {score}; a weight is a number from -{MOST_WEIGHT} to {MOST_WEIGHT}, beside the score too"
    )]
    Weight {
        /// Of the feature.
        name: &'static str,
        /// As given.
        value: f64,
        /// The weight of the score.
        score: f64,
    },
    /// No moves to look at.
    #[error("candidates = {0}; 1 to 1000 moves are looked at again")]
    Candidates(usize),
    /// They need something that is not there.
    #[error(transparent)]
    Feature(#[from] FeatureError),
}

impl Weights {
    /// Of the present features.
    pub fn new(weights: BTreeMap<Feature, f64>) -> Weights {
        Weights { feature_version: VERSION, leaves: None, candidates: CANDIDATES, weights }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`BadWeights`], with the line.
    pub fn from_toml(text: &str) -> Result<Weights, BadWeights> {
        let weights: Weights = toml::from_str(text).map_err(|error| BadWeights::Syntax(error.to_string()))?;
        weights.check()?;
        Ok(weights)
    }

    /// Whether some of its features are made from a leave table.
    pub fn needs_leaves(&self) -> bool {
        self.weights.keys().any(|feature| feature.needs_leaves())
    }

    /// Whether an evaluator can be made of them.
    ///
    /// # Errors
    /// [`BadWeights`].
    pub fn check(&self) -> Result<(), BadWeights> {
        if self.feature_version != VERSION {
            return Err(BadWeights::Version(self.feature_version));
        }
        let score = self.weights.get(&Feature::Score).copied().unwrap_or_default();
        if score.is_nan() || score <= 0.0 || score > MOST_WEIGHT {
            return Err(BadWeights::Score(score));
        }
        for (feature, &value) in &self.weights {
            let beside_score = value / score;
            if value.is_nan() || value.abs().max(beside_score.abs()) > MOST_WEIGHT {
                return Err(BadWeights::Weight { name: feature.about().name, value, score });
            }
        }
        if !(1..=1000).contains(&self.candidates) {
            return Err(BadWeights::Candidates(self.candidates));
        }
        Ok(())
    }
}

/// Values a move at a weighted sum of its features.
///
/// The features that tell positions apart and not moves do not count. With an empty bag nothing is drawn, so that score and leave alone
/// count, and where tiles are laid, if the leave counts at all.
#[derive(Clone, Debug)]
pub struct Linear {
    features: Arc<Features>,
    /// In the order of the features of what is kept, and of where plays lay their tiles.
    kept: Vec<f32>,
    placed: Vec<f32>,
    candidates: usize,
    leave: Option<usize>,
}

impl Linear {
    /// The evaluator of these weights; `leaves` is the table that its features are made from.
    ///
    /// # Errors
    /// [`BadWeights`].
    pub fn new(weights: &Weights, setup: &Setup, leaves: Option<Arc<LeaveTable>>) -> Result<Linear, BadWeights> {
        weights.check()?;
        // A weight of nothing costs nothing.
        let counted: Vec<Feature> =
            weights.weights.iter().filter(|&(_, &weight)| weight != 0.0).map(|(&feature, _)| feature).collect();
        let features = Arc::new(Features::new(&counted, setup, leaves)?);
        Linear::from_features(features, weights)
    }

    /// The evaluator of these weights with features that are ready; a feature without a weight counts nothing.
    ///
    /// # Errors
    /// [`BadWeights`].
    pub fn from_features(features: Arc<Features>, weights: &Weights) -> Result<Linear, BadWeights> {
        weights.check()?;
        let weight = |feature: &Feature| weights.weights.get(feature).copied().unwrap_or_default();
        let score = weight(&Feature::Score);
        let column = |feature: Feature| (weight(&feature) / score) as f32;
        let (kept, placed): (Vec<f32>, Vec<f32>) =
            (features.kept().map(column).collect(), features.placed().map(column).collect());
        let leave = features.kept().position(|feature| feature == Feature::Kept(KeptFeature::Leave));
        let candidates = if placed.iter().any(|&weight| weight != 0.0) { weights.candidates } else { 0 };
        Ok(Linear { leave: leave.filter(|&place| kept[place] != 0.0), features, kept, placed, candidates })
    }
}

impl Evaluator for Linear {
    fn keep_values(&self, turn: &Turn<'_>, numbers: &SubRacks, keep_values: &mut [Equity; MAX_SUB_RACKS]) {
        let mut sums = [0.0; MAX_SUB_RACKS];
        let rows = self.features.kept_values(turn, numbers);
        let is_last = turn.bag == 0 && self.leave.is_some();
        for (place, (row, &weight)) in rows.iter().zip(&self.kept).enumerate() {
            if !is_last || self.leave == Some(place) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        for (value, sum) in keep_values[..numbers.len()].iter_mut().zip(sums) {
            *value = points(sum);
        }
        if !is_last {
            keep_values[numbers.whole()] = Equity::PASS;
        }
    }

    fn second_look(&self) -> usize {
        self.candidates
    }

    fn add_placed(&self, turn: &Turn<'_>, moves: &mut [ValuedMove]) {
        let plays = moves.iter().filter_map(|valued| if let Move::Play(play) = valued.chosen { Some(play) } else { None });
        let mut values = self.features.placed_values(turn, plays.collect::<Vec<_>>()).into_iter();
        for valued in moves.iter_mut().filter(|valued| matches!(valued.chosen, Move::Play(_))) {
            let features = values.next().unwrap_or_default();
            valued.equity += points(features.iter().zip(&self.placed).map(|(value, weight)| value * weight).sum());
        }
    }
}

fn points(sum: f32) -> Equity {
    Equity::from_fractional_points(f64::from(sum.clamp(-MOST_POINTS, MOST_POINTS)))
}

/// Whether a feature can tell moves apart in a linear evaluator.
pub fn tells_moves_apart(feature: Feature) -> bool {
    !matches!(feature, Feature::Position(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Loader;
    use crate::deals::Purpose;
    use crate::game::Game;
    use crate::leave::embedded::embedded;
    use crate::movegen::Generator;
    use crate::static_player::StaticPlayer;

    #[test]
    fn the_best_move_has_the_largest_sum_of_all() {
        let setup = Setup::embedded("english").unwrap();
        let leaves = Arc::new(embedded(Loader::new(&setup)).unwrap().0);
        let text = include_str!("../../../configs/linear/evolved.toml");
        // Every move is looked at again, so that the best is the best of all.
        let weights = Weights { candidates: 1000, ..Weights::from_toml(text).unwrap() };
        let player = StaticPlayer::new(Linear::new(&weights, &setup, Some(Arc::clone(&leaves))).unwrap());
        let wanted: Vec<Feature> = weights.weights.keys().copied().collect();
        let features = Features::new(&wanted, &setup, Some(leaves)).unwrap();
        let mut generator = Generator::new(&setup);
        let mut game = Game::deal(&setup, Purpose::Match.deals(3), 1);
        let mut compared = 0;
        while !game.is_over() && !game.bag.is_empty() {
            let turn = game.turn(&setup);
            let ranked = player.rank(&mut generator, &turn);
            for valued in ranked.iter().step_by(97).filter(|valued| valued.chosen != Move::Pass) {
                let values = features.move_values(&turn, &valued.chosen);
                let sum: f64 = values.iter().zip(weights.weights.values()).map(|(value, weight)| value * weight).sum();
                assert!((sum - valued.equity.points()).abs() < 0.01, "{valued:?} {sum}");
                compared += 1;
            }
            let best = player.choose(&mut generator, &turn);
            assert!(best == ranked[0] || ranked.len() > 1000);
            game.make(&setup, &best.chosen);
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn weights_are_read_and_checked() {
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/linear")).unwrap().flatten() {
            Weights::from_toml(&std::fs::read_to_string(entry.path()).unwrap()).unwrap();
        }
        let message = |text: &str| Weights::from_toml(text).unwrap_err().to_string();
        assert!(message("feature_version = 1\n[weights]\nscore = -1.0\n").contains("score = -1"));
        assert!(message("feature_version = 1\ncandidates = 0\n[weights]\nscore = 1.0\n").contains("candidates = 0"));
        assert!(message("feature_version = 1\n[weights]\nscore = 1.0\nleave = 1e9\n").contains("leave = 1000000000"));
        assert!(message("feature_version = 2\n[weights]\nscore = 1.0\n").contains("version 1"));
    }
}
