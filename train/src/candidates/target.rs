//! What fits learn from a candidate set: the gain in points, the win probability, or both.

use serde::{Deserialize, Serialize};
use tilewright_engine::equity::Equity;
use tilewright_engine::evaluator::Network;
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::WinPercentage;

use super::label::{CandidateSet, LabelledMove};

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

/// Makes targets of labels.
#[derive(Clone, Copy)]
pub struct Targets<'a> {
    /// The shares.
    pub config: TargetConfig,
    /// The deals of the labels.
    pub deals: u64,
    /// The table that says what a point is worth.
    pub win_percentage: &'a WinPercentage,
    /// The network whose equities are known already. Without one, score and prior weights are.
    pub start: Option<&'a Network>,
}

/// What a fit learns from one candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The target, in points.
    pub points: f64,
    /// Its variance, in square points, with gain and win probability taken as fully correlated.
    pub noise: f64,
    /// Its weight; above 0.
    pub weight: f64,
}

impl TargetConfig {
    /// Checks that the values are valid.
    ///
    /// # Errors
    /// What is wrong, and what is expected.
    pub fn check(self) -> Result<(), String> {
        let TargetConfig { win_probability, points_per_win } = self;
        if !(0.0..=1.0).contains(&win_probability) {
            return Err(format!("target.win_probability = {win_probability}; expected 0 to 1"));
        }
        if !(points_per_win > 0.0 && points_per_win <= 10_000.0) {
            return Err(format!("target.points_per_win = {points_per_win}; expected points above 0, and 10000 at most"));
        }
        Ok(())
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
        let (left, spread) = (set.tiles_left(setup), set.spread());
        let probability = |spread| self.win_percentage.win_probability(left, Equity::from_points(spread));
        let slope = (probability(spread + STEP) - probability(spread - STEP)) / f64::from(2 * STEP);
        // Where the game is decided, points still count a little.
        let slope = slope.max(0.01 / self.config.points_per_win);
        set.candidates.iter().map(move |labelled| self.config.target(labelled, self.deals, slope))
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::equity::Equity;
    use tilewright_engine::moves::Move;

    use super::*;
    use crate::candidates::Label;

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
}
