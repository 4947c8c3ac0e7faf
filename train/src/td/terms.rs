//! The terms of a value, which is their weighted sum: the tile patterns of the leave, and features of the move.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewright_engine::evaluator::linear::{BadWeights, Weights};
use tilewright_engine::evaluator::{Evaluator, Linear};
use tilewright_engine::features::{Feature, FeatureError, Features, LeaveFeature, TilePatterns, VERSION, feature_set};
use tilewright_engine::leave::leftover;
use tilewright_engine::leave::load::LEAVES_FILE;
use tilewright_engine::movegen::ValuedMove;
use tilewright_engine::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use tilewright_engine::turn::Turn;
use tilewright_engine::{Equity, Move, Setup, TileSet};

/// The weight of the leave value from the patterns' table.
const LEAVE: Feature = Feature::Leave(LeaveFeature::TableValue);

/// An amount of one term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The number of the term.
    pub number: u16,
    /// 1 for a pattern. For a feature, its value divided by its usual size.
    pub amount: f32,
}

impl Term {
    /// A pattern that occurs once.
    pub fn once(number: u16) -> Term {
        Term { number, amount: 1.0 }
    }
}

/// The terms of a run, numbered: the patterns, then the features.
#[derive(Debug)]
pub struct Terms {
    /// The tile patterns.
    pub patterns: TilePatterns,
    /// The features, each with its usual size.
    wanted: Vec<(Feature, f64)>,
    features: Arc<Features>,
    candidates: usize,
}

impl Terms {
    /// Creates the terms: the tile patterns, if `with_patterns`, and features with their usual sizes. `candidates` is the
    /// number of best moves that are re-ranked by features of their placement.
    ///
    /// # Errors
    /// [`FeatureError`], for features that a run of TD learning does not accept.
    pub fn new(
        setup: &Setup,
        with_patterns: bool,
        sizes: &BTreeMap<Feature, f64>,
        candidates: usize,
    ) -> Result<Terms, FeatureError> {
        let patterns = if with_patterns { TilePatterns::new(setup) } else { TilePatterns::none(&setup.tileset) };
        let wanted: Vec<(Feature, f64)> = sizes.iter().map(|(&feature, &size)| (feature, size)).collect();
        let names: Vec<Feature> = sizes.keys().copied().collect();
        let features = Arc::new(Features::new(&names, setup, None)?);
        Ok(Terms { patterns, wanted, features, candidates })
    }

    /// The number of terms.
    pub fn count(&self) -> usize {
        self.patterns.count() + self.wanted.len()
    }

    /// The terms of a move.
    pub fn for_move(&self, turn: &Turn<'_>, chosen: &Move) -> Vec<Term> {
        let leave = turn.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
        let mut terms: Vec<Term> = self.patterns.present(&leave).into_iter().map(Term::once).collect();
        if !self.wanted.is_empty() {
            let amounts = self.features.move_values(turn, chosen);
            let amounts = amounts.iter().zip(&self.wanted).map(|(&amount, &(_, size))| (amount / size) as f32);
            let numbered = (self.patterns.count() as u16..).zip(amounts).filter(|&(_, amount)| amount != 0.0);
            terms.extend(numbered.map(|(number, amount)| Term { number, amount }));
        }
        terms
    }

    /// All terms in words.
    pub fn names(&self, tileset: &TileSet) -> Vec<String> {
        (0..self.count()).map(|number| self.show(number, tileset)).collect()
    }

    /// A term in words: a pattern in notation, or the name of a feature.
    pub fn show(&self, number: usize, tileset: &TileSet) -> String {
        let feature = number.checked_sub(self.patterns.count()).and_then(|feature| self.wanted.get(feature));
        feature.map_or_else(|| self.patterns.show(number, tileset), |(feature, _)| feature.about().name.into())
    }

    /// Whether there are features.
    pub fn has_features(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// The feature set that the weights are for, as a manifest names it.
    pub fn feature_set(&self) -> String {
        feature_set(if self.has_features() { "tile patterns and features of moves" } else { "tile patterns" })
    }

    /// The weights of the linear evaluator that goes with the [table](TilePatterns::table) of the patterns.
    pub fn linear_weights(&self, weights: &[f64]) -> Weights {
        let learned = self.wanted.iter().zip(&weights[self.patterns.count()..]);
        let mut all: BTreeMap<Feature, f64> = learned.map(|(&(feature, size), weight)| (feature, weight / size)).collect();
        all.insert(Feature::Score, 1.0);
        all.insert(LEAVE, 1.0);
        Weights { feature_version: VERSION, leaves: Some(LEAVES_FILE.into()), candidates: self.candidates, weights: all }
    }

    /// Creates an evaluator for these weights, equivalent to [`Terms::linear_weights`] with the table of the patterns.
    ///
    /// # Errors
    /// [`BadWeights`] if they are out of bounds.
    pub fn evaluator(self: &Arc<Terms>, weights: &[f64]) -> Result<LearnedEvaluator, BadWeights> {
        let mut linear = self.linear_weights(weights);
        linear.weights.remove(&LEAVE);
        let linear =
            if self.has_features() { Some(Linear::from_features(Arc::clone(&self.features), &linear)?) } else { None };
        Ok(LearnedEvaluator { terms: Arc::clone(self), weights: weights.into(), linear })
    }
}

/// The evaluator during learning.
#[derive(Clone, Debug)]
pub struct LearnedEvaluator {
    terms: Arc<Terms>,
    weights: Arc<[f64]>,
    linear: Option<Linear>,
}

impl Evaluator for LearnedEvaluator {
    fn leave_values(&self, turn: &Turn<'_>, numbers: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag == 0 {
            leftover(turn, numbers, leave_values);
            return;
        }
        leave_values[..numbers.len()].fill(Equity::ZERO);
        if let Some(linear) = &self.linear {
            linear.leave_values(turn, numbers, leave_values);
        }
        for (number, value) in leave_values[..numbers.len()].iter_mut().enumerate() {
            *value += Equity::from_fractional_points(self.terms.patterns.value(&self.weights, &numbers.get(number)));
        }
        leave_values[numbers.whole()] = Equity::PASS;
    }

    fn second_look(&self) -> usize {
        self.linear.as_ref().map_or(0, Evaluator::second_look)
    }

    fn add_placed(&self, turn: &Turn<'_>, moves: &mut [ValuedMove]) {
        self.linear.iter().for_each(|linear| linear.add_placed(turn, moves));
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::deals::Domain;
    use tilewright_engine::features::{PlacedFeature, PositionFeature};
    use tilewright_engine::game::Game;
    use tilewright_engine::movegen::Generator;
    use tilewright_engine::static_player::StaticPlayer;

    use super::*;

    /// The player during learning and the written artefact choose the same moves at the same equities.
    #[test]
    fn the_evaluator_is_the_one_of_the_table_and_the_weights() {
        let setup = Setup::embedded("english").unwrap();
        let sizes = [
            (Feature::Position(PositionFeature::TilesInBag), 50.0),
            (Feature::Leave(LeaveFeature::VowelImbalance), 2.0),
            (Feature::Leave(LeaveFeature::BagEmptied), 1.0),
            (Feature::Placed(PlacedFeature::HooksOpened), 0.3),
        ];
        let terms = Arc::new(Terms::new(&setup, true, &BTreeMap::from(sizes), 20).unwrap());
        let weights: Vec<f64> = (0..terms.count()).map(|number| f64::from((number * 37 % 23) as u32) - 11.0).collect();
        let table = terms.patterns.table(&weights, &setup.tileset);
        let written = terms.linear_weights(&weights);
        let written = StaticPlayer::new(Linear::new(&written, &setup, Some(table.into())).unwrap());
        let learning = StaticPlayer::new(terms.evaluator(&weights).unwrap());
        let mut generator = Generator::new(&setup);
        let (mut game, mut compared) = (Game::deal(&setup, Domain::Match.deals(3), 1), 0);
        while !game.is_over() {
            let turn = game.turn(&setup);
            let best = [&learning, &written].map(|player| player.choose(&mut generator, &turn));
            assert!((best[0].equity - best[1].equity).points().abs() < 0.01, "{best:?}");
            if turn.bag > 0 {
                // The sum of the terms is the equity less the score, up to a part that all moves of a turn share.
                let sum: f64 = terms
                    .for_move(&turn, &best[0].chosen)
                    .iter()
                    .filter(|term| term.number != 0 && terms.show(term.number as usize, &setup.tileset) != "tiles_in_bag")
                    .map(|term| f64::from(term.amount) * weights[term.number as usize])
                    .sum();
                let added = best[0].equity.points() - f64::from(best[0].chosen.score());
                assert!((sum - added).abs() < 0.01, "{sum} {added}");
                compared += 1;
            }
            game.make(&setup, &best[0].chosen);
        }
        assert!(compared > 10);
    }
}
