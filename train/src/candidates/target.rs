//! The targets of fits to candidate sets: the gain in points, the win probability, both, or one part of the results.

use std::fmt;

use serde::{Deserialize, Serialize};
use tilewright_engine::{Equity, Setup, WinPercentage};

use super::label::{CandidateSet, Label, LabelledMove};
use crate::run_config::{above_zero, within};

/// The slope of the win probability is that between spreads this many points lower and higher.
const STEP: i32 = 15;

/// The shares of gain and win probability in the loss of a fit.
///
/// A fit predicts points f. Where the win probability rises by s per point of spread, f points are worth s · f. With m the share of the win
/// probability, P the points per win, and Δ the differences from the mean of the set, the loss of a candidate is
///
/// ```text
/// (1 − m) · (Δgain − f)²  +  m · P² · (Δwin − s · f)²
/// ```
///
/// which is, but for a constant, weight · (target − f)² with a target in points. So at m = 0 all positions weigh the same, and
/// at m = 1 those weigh most in which a point decides most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TargetConfig {
    /// The share of the win probability, 0–1.
    pub win_probability: f64,
    /// Points of spread for a whole win at the slope of a typical position.
    pub points_per_win: f64,
}

impl Default for TargetConfig {
    fn default() -> TargetConfig {
        TargetConfig { win_probability: 0.0, points_per_win: 240.0 }
    }
}

/// A part of the results of a candidate's playouts. Configs and reports hold its name in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The gain.
    Gain,
    /// The win probability, in points at the slope of the position, weighted as [`TargetConfig`] weights it.
    Win,
    /// The points of the opponent's next turn.
    Reply,
    /// The points of the player's own next turn.
    NextTurn,
}

impl fmt::Display for Part {
    /// The name that configs and reports hold.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}

impl Part {
    /// Whether the score of the move is in the label. If so, a fit explains the rest beyond score and prior.
    pub fn contains_the_score(self) -> bool {
        matches!(self, Part::Gain | Part::Win)
    }
}

/// Makes targets of labels.
#[derive(Clone, Copy)]
pub struct Targets<'a> {
    /// The shares.
    pub config: TargetConfig,
    /// The deals of the labels.
    pub deals: u64,
    /// The win table, which gives the slope of the win probability per point.
    pub win_percentage: &'a WinPercentage,
}

/// The target of a fit for one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The target, in points.
    pub points: f64,
    /// Its variance, in square points, with gain and win probability taken as fully correlated.
    pub noise: f64,
    /// Its weight, above 0.
    pub weight: f64,
}

impl TargetConfig {
    /// Checks that the values are valid.
    ///
    /// # Errors
    /// The invalid value and the valid ones.
    pub fn check(self) -> Result<(), String> {
        let TargetConfig { win_probability, points_per_win } = self;
        within("target.win_probability", win_probability, &(0.0..=1.0))?;
        above_zero("target.points_per_win", points_per_win, "points", 10_000.0)
    }

    /// The target of a candidate where a point is worth `slope` of a win, above 0, from labels of `deals` deals.
    fn target(self, labelled: &LabelledMove, deals: u64, slope: f64) -> Target {
        let LabelledMove { gain, win_probability, .. } = labelled;
        let (of_gain, of_win) = (1.0 - self.win_probability, self.win_probability * (slope * self.points_per_win).powi(2));
        let weight = of_gain + of_win;
        // Gains are in thousandths of a point, win probabilities in millionths.
        let (of_gain, of_win) = (of_gain / weight / 1e3, of_win / weight / slope / 1e6);
        let points = of_gain * gain.mean(deals) + of_win * win_probability.mean(deals);
        let deviation = of_gain * gain.variance(deals).sqrt() + of_win * win_probability.variance(deals).sqrt();
        Target { points, noise: deviation * deviation, weight }
    }
}

impl Targets<'_> {
    /// The targets of the candidates of a set.
    pub fn of_set<'b>(self, set: &'b CandidateSet, setup: &Setup) -> impl Iterator<Item = Target> + 'b {
        let (left, spread) = (set.tiles_left(setup), set.spread);
        let probability = |spread| self.win_percentage.win_probability(left, Equity::from_points(spread));
        let slope = (probability(spread + STEP) - probability(spread - STEP)) / f64::from(2 * STEP);
        // Where the game is decided, points still count a little.
        let slope = slope.max(0.01 / self.config.points_per_win);
        set.candidates.iter().map(move |labelled| self.config.target(labelled, self.deals, slope))
    }

    /// The labels of one part for the candidates of a set, less their mean. Replies and next turns weigh like the target.
    pub fn of_part(self, part: Part, set: &CandidateSet, setup: &Setup) -> Vec<Target> {
        let mixed = |win_probability| Targets { config: TargetConfig { win_probability, ..self.config }, ..self };
        let points = |label: fn(&LabelledMove) -> Label| {
            let label_of = |(target, labelled)| {
                let label = label(labelled);
                let (points, noise) = (label.mean(self.deals) / 1e3, label.variance(self.deals) / 1e6);
                Target { points, noise, ..target }
            };
            self.of_set(set, setup).zip(&set.candidates).map(label_of).collect()
        };
        match part {
            Part::Gain => mixed(0.0).of_set(set, setup).collect(),
            Part::Win => mixed(1.0).of_set(set, setup).collect(),
            Part::Reply => points(|labelled| labelled.reply),
            Part::NextTurn => points(|labelled| labelled.next_turn),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::equity::Equity;
    use tilewright_engine::moves::Move;

    use super::*;
    use crate::candidates::test_support::labelled_sets;

    /// Target, weight and the loss differ by a constant from the loss of the definition.
    #[test]
    fn the_target_has_the_loss_of_the_definition() {
        let mut labelled = LabelledMove::new(Move::Pass, Equity::ZERO);
        labelled.gain = Label { sum: 4 * 5_500, squares: 900_000_000 };
        labelled.win_probability = Label { sum: 4 * 31_000, squares: 40_000_000_000 };
        for (share, slope) in [(0.0, 0.004), (0.3, 0.001), (0.5, 0.02), (1.0, 0.004)] {
            let config = TargetConfig { win_probability: share, points_per_win: 200.0 };
            let target = config.target(&labelled, 4, slope);
            let loss = |f: f64| (1.0 - share) * (5.5 - f).powi(2) + share * 200.0f64.powi(2) * (0.031 - slope * f).powi(2);
            let found = |f: f64| target.weight * (target.points - f).powi(2);
            for f in [-3.0, 0.0, 2.5, 40.0] {
                assert!((loss(f) - loss(1.0) - (found(f) - found(1.0))).abs() < 1e-6, "{share} {slope} {f}");
            }
            assert!(target.noise > 0.0);
        }
        assert!(TargetConfig { win_probability: 1.5, ..TargetConfig::default() }.check().is_err());
    }

    #[test]
    fn parts_are_the_labels_in_points_and_the_target_is_a_mix_of_gain_and_win() {
        let setup = Setup::embedded("english").unwrap();
        let table = WinPercentage::for_setup(&setup).0;
        let config = TargetConfig { win_probability: 0.4, points_per_win: 200.0 };
        let targets = Targets { config, deals: 4, win_percentage: &table };
        for set in labelled_sets(&setup) {
            let of_part = |part| targets.of_part(part, &set, &setup);
            let [gains, wins, replies, next_turns] = [Part::Gain, Part::Win, Part::Reply, Part::NextTurn].map(of_part);
            for (number, (target, labelled)) in targets.of_set(&set, &setup).zip(&set.candidates).enumerate() {
                let is_near = |found: f64, expected: f64| (found - expected).abs() < 1e-9 * (1.0 + expected.abs());
                assert!(is_near(gains[number].points, labelled.gain.sum as f64 / 4000.0));
                assert!(is_near(replies[number].points, labelled.reply.sum as f64 / 4000.0));
                assert!(is_near(next_turns[number].noise, labelled.next_turn.variance(4) / 1e6));
                assert!(is_near(replies[number].weight, target.weight));
                // The losses of gain and win probability add up to that of the target.
                let weight = 0.6 * gains[number].weight + 0.4 * wins[number].weight;
                let sum =
                    0.6 * gains[number].weight * gains[number].points + 0.4 * wins[number].weight * wins[number].points;
                assert!(is_near(target.weight, weight) && is_near(target.points, sum / weight), "{target:?}");
            }
        }
    }
}
