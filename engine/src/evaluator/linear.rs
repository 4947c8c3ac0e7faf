//! `linear:PATH`: a weighted sum of features.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Evaluator;
use crate::equity::Equity;
use crate::features::{Feature, FeatureError, Features, LeaveFeature, VERSION};
use crate::leave::LeaveData;
use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;
use crate::turn::Turn;

pub mod load;

/// The default of [`Weights::candidates`].
const CANDIDATES: usize = 20;
/// The largest magnitude of a weight. A larger one is a mistake, and sums could leave the range of [`Equity`].
const MAX_WEIGHT: f64 = 10_000.0;
/// Sums are clamped to this many points either way.
const MAX_POINTS: f32 = 100_000.0;

/// The weights of a linear evaluator, as a TOML file has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The [`VERSION`] of the features that the weights are for.
    pub feature_version: u32,
    /// The leave table of the features, as a path from the folder of the file, or `None` for the embedded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<PathBuf>,
    /// How many of the best moves are valued again for where they lay their tiles, 1 to 1000, if there are weights for that.
    #[serde(default = "candidates")]
    pub candidates: usize,
    /// For each feature, the weight of one unit. Weights are divided by the weight of the score, so equities are in points.
    pub weights: BTreeMap<Feature, f64>,
}

fn candidates() -> usize {
    CANDIDATES
}

/// Why weights make no evaluator.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BadWeights {
    /// The text is not TOML of the expected form.
    #[error("{0}")]
    Syntax(String),
    #[error("feature_version = {0}, but this program computes version {VERSION} of the features; fit the weights again")]
    Version(u32),
    #[error("score = {0}; its weight must be above 0 and at most {MAX_WEIGHT}, because it divides all other weights")]
    Score(f64),
    #[error(
        "{name} = {value} with score = {score}; a weight must be -{MAX_WEIGHT} to {MAX_WEIGHT}, also divided by that of the score"
    )]
    Weight { name: &'static str, value: f64, score: f64 },
    #[error("candidates = {0}; must be 1 to 1000, the number of best moves that are valued again")]
    Candidates(usize),
    /// A feature cannot be computed.
    #[error(transparent)]
    Feature(#[from] FeatureError),
}

impl Weights {
    /// Weights of the present version of the features, with the embedded leave table.
    pub fn new(weights: BTreeMap<Feature, f64>) -> Weights {
        Weights { feature_version: VERSION, leaves: None, candidates: CANDIDATES, weights }
    }

    /// Reads the TOML text of a file.
    ///
    /// # Errors
    /// [`BadWeights`], with the line.
    pub fn from_toml(text: &str) -> Result<Weights, BadWeights> {
        let weights: Weights = toml::from_str(text).map_err(|error| BadWeights::Syntax(error.to_string()))?;
        weights.check()?;
        Ok(weights)
    }

    /// Whether a feature needs a leave table.
    pub fn needs_leaves(&self) -> bool {
        self.weights.keys().any(|feature| feature.needs_leaves())
    }

    /// Checks that the weights make an evaluator.
    ///
    /// # Errors
    /// [`BadWeights`].
    pub fn check(&self) -> Result<(), BadWeights> {
        if self.feature_version != VERSION {
            return Err(BadWeights::Version(self.feature_version));
        }
        let score = self.weights.get(&Feature::Score).copied().unwrap_or_default();
        if score.is_nan() || score <= 0.0 || score > MAX_WEIGHT {
            return Err(BadWeights::Score(score));
        }
        for (feature, &value) in &self.weights {
            let divided = value / score;
            if value.is_nan() || value.abs().max(divided.abs()) > MAX_WEIGHT {
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
/// Features of the position do not count, because they are the same for all moves. With an empty bag nothing is drawn: if
/// the feature `leave` has a weight, it is then the only feature of the leave that counts.
#[derive(Clone, Debug)]
pub struct Linear {
    features: Arc<Features>,
    /// In the order of the features of the leave.
    leave_weights: Vec<f32>,
    /// In the order of the features of where plays lay their tiles.
    placed: Vec<f32>,
    candidates: usize,
    /// The place of the feature `leave` among the features of the leave, if it has a weight.
    leave: Option<usize>,
}

impl Linear {
    /// The evaluator of these weights. Some features need the leave table `leaves` ([`Weights::needs_leaves`]).
    ///
    /// # Errors
    /// [`BadWeights`].
    pub fn new(weights: &Weights, setup: &Setup, leaves: Option<LeaveData>) -> Result<Linear, BadWeights> {
        weights.check()?;
        // Features of weight 0 are not computed.
        let counted: Vec<Feature> =
            weights.weights.iter().filter(|&(_, &weight)| weight != 0.0).map(|(&feature, _)| feature).collect();
        let features = Arc::new(Features::new(&counted, setup, leaves)?);
        Linear::from_features(features, weights)
    }

    /// The evaluator of these weights with features that are already prepared. A feature without a weight does not count.
    ///
    /// # Errors
    /// [`BadWeights`].
    pub fn from_features(features: Arc<Features>, weights: &Weights) -> Result<Linear, BadWeights> {
        weights.check()?;
        let weight = |feature: &Feature| weights.weights.get(feature).copied().unwrap_or_default();
        let score = weight(&Feature::Score);
        let column = |feature: Feature| (weight(&feature) / score) as f32;
        let (leave_weights, placed): (Vec<f32>, Vec<f32>) =
            (features.leave().map(column).collect(), features.placed().map(column).collect());
        let leave = features.leave().position(|feature| feature == Feature::Leave(LeaveFeature::TableValue));
        let candidates = if placed.iter().any(|&weight| weight != 0.0) { weights.candidates } else { 0 };
        Ok(Linear { leave: leave.filter(|&place| leave_weights[place] != 0.0), features, leave_weights, placed, candidates })
    }
}

impl Evaluator for Linear {
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        let mut sums = [0.0; MAX_SUB_RACKS];
        let rows = self.features.leave_rows(turn, sub_racks);
        let is_last = turn.bag == 0 && self.leave.is_some();
        for (place, (row, &weight)) in rows.iter().zip(&self.leave_weights).enumerate() {
            if !is_last || self.leave == Some(place) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        for (value, sum) in leave_values[..sub_racks.len()].iter_mut().zip(sums) {
            *value = points(sum);
        }
        if !is_last {
            leave_values[sub_racks.whole()] = Equity::PASS;
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
    Equity::from_fractional_points(f64::from(sum.clamp(-MAX_POINTS, MAX_POINTS)))
}

/// Whether the values of a feature can differ between the moves of a turn.
pub fn varies_by_move(feature: Feature) -> bool {
    !matches!(feature, Feature::Position(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Loader;
    use crate::deals::Domain;
    use crate::game::Game;
    use crate::movegen::Generator;
    use crate::static_player::StaticPlayer;

    #[test]
    fn the_best_move_has_the_largest_sum_of_all() {
        let setup = Setup::embedded("english").unwrap();
        let leaves = LeaveData::embedded(Loader::new(&setup)).unwrap();
        let text = crate::configs::text("linear", "evolved").unwrap();
        // Every move is valued again, so the best move is the best of all.
        let weights = Weights { candidates: 1000, ..Weights::from_toml(text).unwrap() };
        let player = StaticPlayer::new(Linear::new(&weights, &setup, Some(leaves.clone())).unwrap());
        let wanted: Vec<Feature> = weights.weights.keys().copied().collect();
        let features = Features::new(&wanted, &setup, Some(leaves)).unwrap();
        let mut generator = Generator::new(&setup);
        let mut game = Game::deal(&setup, Domain::Match.deals(3), 1);
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
        for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/configs/linear")).unwrap().flatten() {
            Weights::from_toml(&std::fs::read_to_string(entry.path()).unwrap()).unwrap();
        }
        let message = |text: &str| Weights::from_toml(text).unwrap_err().to_string();
        assert!(message("feature_version = 3\n[weights]\nscore = -1.0\n").contains("score = -1"));
        assert!(message("feature_version = 3\ncandidates = 0\n[weights]\nscore = 1.0\n").contains("candidates = 0"));
        assert!(message("feature_version = 3\n[weights]\nscore = 1.0\nleave = 1e9\n").contains("leave = 1000000000"));
        assert!(message("feature_version = 1\n[weights]\nscore = 1.0\n").contains("computes version 3"));
    }

    #[test]
    fn a_multiple_of_all_weights_changes_no_equity() {
        let setup = Setup::embedded("english").unwrap();
        let leaves = LeaveData::embedded(Loader::new(&setup)).unwrap();
        let weights = Weights::from_toml(crate::configs::text("linear", "evolved").unwrap()).unwrap();
        let doubled = weights.weights.iter().map(|(&feature, weight)| (feature, 2.0 * weight)).collect();
        let doubled = Weights { weights: doubled, ..weights.clone() };
        let game = Game::deal(&setup, Domain::Match.deals(3), 2);
        let [once, twice] = [&weights, &doubled].map(|weights| {
            let player = StaticPlayer::new(Linear::new(weights, &setup, Some(leaves.clone())).unwrap());
            player.rank(&mut Generator::new(&setup), &game.turn(&setup))
        });
        assert_eq!(once, twice);
    }
}
