//! A logistic curve for each number of unseen tiles, as in hand-made tables, and the empirical table: for each state and lead, the share of
//! remaining spreads that would have won. The curves are a yardstick for the network, and the prior of rare states in the empirical table.

use tilewright_engine::win_percentage::load::logistic;
use tilewright_engine::win_percentage::{States, WinPercentage};

use super::remaining_spreads::{RemainingSpreads, StateTally};

/// Newton steps. The fit converges after a few.
const STEPS: usize = 30;
/// The smallest width of a curve, in points. Very few turns would otherwise give a step.
const LEAST_WIDTH: f64 = 0.5;

/// `1 / (1 + exp(-(lead + ahead) / width))`, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The value of the turn, in points.
    pub ahead: f64,
    /// The width of the curve, in points.
    pub width: f64,
}

impl Curve {
    /// The win probability at a lead.
    pub fn win_probability(&self, lead: i32) -> f64 {
        logistic(f64::from(lead) + self.ahead, self.width)
    }

    /// Fits by maximum likelihood, with equal weight for all leads within three standard deviations, where every remaining spread
    /// informs every lead. `None` if all remaining spreads are equal.
    fn fit(state: &StateTally) -> Option<Curve> {
        let (turns, (mean, squares)) = (state.turns() as f64, state.moments());
        let deviation = (squares / turns).sqrt();
        if deviation.is_nan() || deviation <= 0.0 {
            return None;
        }
        let most = (mean.abs() + 3.0 * deviation).ceil() as i32;
        let wins: Vec<f64> = state.doubled_wins(most).into_iter().map(|doubled| doubled as f64 / (2.0 * turns)).collect();
        // Start from the moments, then fit the logit a + b·lead by Newton's method, with leads in standard deviations.
        let (mut a, mut b) = (0.0, std::f64::consts::PI / 3.0_f64.sqrt());
        for _ in 0..STEPS {
            let (mut gradient, mut curvature) = ([0.0; 2], [0.0; 3]);
            for (lead, &won) in (-most..=most).zip(&wins) {
                let x = (f64::from(lead) + mean) / deviation;
                let chance = logistic(a + b * x, 1.0);
                let (error, variance) = (won - chance, chance * (1.0 - chance));
                gradient = [gradient[0] + error, gradient[1] + error * x];
                curvature = [curvature[0] + variance, curvature[1] + variance * x, curvature[2] + variance * x * x];
            }
            let determinant = curvature[0] * curvature[2] - curvature[1].powi(2);
            if determinant.is_nan() || determinant <= 1e-9 {
                break;
            }
            let step = [
                (gradient[0] * curvature[2] - gradient[1] * curvature[1]) / determinant,
                (gradient[1] * curvature[0] - gradient[0] * curvature[1]) / determinant,
            ];
            (a, b) =
                (a + step[0].clamp(-1.0, 1.0), (b + step[1].clamp(-1.0, 1.0)).clamp(0.1, deviation / LEAST_WIDTH + 0.1));
        }
        let width = (deviation / b).max(LEAST_WIDTH);
        Some(Curve { ahead: mean + a * width, width })
    }
}

/// A curve for each number of unseen tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    states: States,
    /// The curves for 1, 2, … unseen tiles.
    by_unseen: Vec<Curve>,
}

impl Curves {
    /// Fits the curves. A number of tiles without turns takes the curve of the next smaller (or larger) number with turns.
    pub fn fit(states: States, tally: &RemainingSpreads) -> Curves {
        let most = states.rack_size + states.most_bag;
        let mut pooled = vec![StateTally::default(); most + 1];
        for (left, state) in states.all().zip(&tally.states) {
            for (&remaining, &turns) in &state.remaining {
                *pooled[left.unseen()].remaining.entry(remaining).or_default() += turns;
            }
        }
        let fitted: Vec<Option<Curve>> = pooled[1..].iter().map(Curve::fit).collect();
        let first = fitted.iter().flatten().next().copied().unwrap_or(Curve { ahead: 0.0, width: LEAST_WIDTH });
        let mut last = first;
        let by_unseen = fitted.into_iter().map(|curve| {
            last = curve.unwrap_or(last);
            last
        });
        Curves { states, by_unseen: by_unseen.collect() }
    }

    /// The curve for a number of unseen tiles, at least 1.
    pub fn at(&self, unseen: usize) -> Curve {
        self.by_unseen[unseen.clamp(1, self.by_unseen.len()) - 1]
    }

    /// The win table of the curves.
    pub fn table(&self, most_spread: i32) -> WinPercentage {
        WinPercentage::from_fn(self.states, most_spread, |left, spread| self.at(left.unseen()).win_probability(spread))
            .rounded()
    }
}

/// The turns that the fitted curve counts for in every state: a weak prior of common states, a strong prior of rare ones.
const CURVE_TURNS: f64 = 20.0;

/// The table for leads up to `most_spread`. It never falls as the lead grows, and is 0 or 1 only at the end of the game.
pub fn table(states: States, tally: &RemainingSpreads, curves: &Curves, most_spread: i32) -> WinPercentage {
    let doubled: Vec<Vec<u64>> = tally.states.iter().map(|state| state.doubled_wins(most_spread)).collect();
    let turns: Vec<u64> = tally.states.iter().map(super::remaining_spreads::StateTally::turns).collect();
    let table = WinPercentage::from_fn(states, most_spread, |left, spread| {
        let number = states.number(left);
        let won = doubled[number][(spread + most_spread) as usize] as f64 / 2.0;
        (won + CURVE_TURNS * curves.at(left.unseen()).win_probability(spread)) / (turns[number] as f64 + CURVE_TURNS)
    });
    table.with_turns(turns).rounded()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_curve_is_recovered_from_its_swings() {
        let curve = Curve { ahead: 12.5, width: 20.0 };
        // Each remaining spread has the curve's probability between half points, so that each lead has the curve's win probability.
        let share = |remaining: i32| {
            let below = |at: f64| logistic(at - curve.ahead, curve.width);
            ((below(f64::from(remaining) + 0.5) - below(f64::from(remaining) - 0.5)) * 1e9) as u64
        };
        let remaining: BTreeMap<i32, u64> = (-300..=300).map(|remaining| (remaining, share(remaining))).collect();
        let found = Curve::fit(&StateTally { remaining, ..StateTally::default() }).unwrap();
        assert!((found.ahead - 12.5).abs() < 0.05 && (found.width - 20.0).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn few_swings_give_a_finite_curve_and_equal_swings_none() {
        let curve = |remaining: &[(i32, u64)]| {
            Curve::fit(&StateTally { remaining: remaining.iter().copied().collect(), ..StateTally::default() })
        };
        assert_eq!((curve(&[]), curve(&[(5, 9)])), (None, None));
        for remaining in [&[(5, 1), (6, 1)][..], &[(-400, 1), (400, 1)], &[(0, 1_000_000), (1, 1)]] {
            let curve = curve(remaining).unwrap();
            assert!(curve.ahead.is_finite() && curve.width >= LEAST_WIDTH && curve.width < 5000.0, "{curve:?}");
        }
    }
}
