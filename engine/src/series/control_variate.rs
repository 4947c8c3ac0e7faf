//! Luck adjustment: win rate and spread with the luck of the draw as a control variate.
//!
//! A pair's luck L ([`super::luck`]) has expectation zero, so y − βL has the mean of y for every fixed β, and 1 − ρ² times its
//! variance for the β of the regression of y on L. β is fitted to the same pairs. The bias is of the order of 1 / pairs, far below
//! the standard error, which is of the order of 1 / √pairs.
//!
//! Both players of a pair have the same deal, so most luck cancels before it is measured. The rest comes from turns after the games
//! differ, when different moves draw different numbers of tiles.

use super::sequential::SHARES;
use super::{Estimate, Tally};

/// The luck-adjusted figures of a series, from the view of player A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuckAdjusted {
    /// A's luck less B's, in points per game.
    pub luck: Estimate,
    /// The adjusted win rate, 0–1.
    pub win_rate: Estimate,
    /// The variance of that, as a share of the variance with luck.
    pub win_rate_variance: f64,
    /// The adjusted spread, in points per game.
    pub spread: Estimate,
    /// The variance of that, as a share of the variance with luck.
    pub spread_variance: f64,
    /// Points of spread per point of luck.
    pub points_per_point: f64,
}

/// Sums over pairs of an outcome to be adjusted.
struct Outcome {
    sum: f64,
    squares: f64,
    /// The sum of its products with luck.
    products: f64,
}

/// An outcome after adjustment.
struct Rest {
    estimate: Estimate,
    variance: f64,
    slope: f64,
}

impl Tally {
    /// The luck-adjusted figures; `None` unless at least three pairs were played, all were measured and luck varied.
    pub fn luck_adjusted(&self) -> Option<LuckAdjusted> {
        let measured = &self.measured;
        if self.pairs < 3 || measured.pairs != self.pairs {
            return None;
        }
        let pairs = self.pairs as f64;
        // In points per game, like the spread.
        let sum = measured.luck_sum as f64 / 2e3;
        let squares = measured.luck_squares as f64 / 4e6;
        let deviations = squares - sum * sum / pairs;
        if deviations <= 0.0 {
            return None;
        }
        let expect = |value: &dyn Fn(f64) -> f64| {
            self.outcomes.iter().zip(SHARES).map(|(&count, share)| count as f64 * value(share)).sum::<f64>()
        };
        let shares = Outcome {
            sum: expect(&|share| share),
            squares: expect(&|share| share * share),
            products: measured.luck_half_wins as f64 / 8e3,
        };
        let spreads = Outcome {
            sum: self.spread_sum as f64 / 2.0,
            squares: self.spread_squares as f64 / 4.0,
            products: measured.luck_spread as f64 / 4e3,
        };
        let [shares, spreads] = [shares, spreads].map(|outcome| outcome.without(sum, deviations, pairs));
        let win_rate =
            Estimate { low: shares.estimate.low.max(0.0), high: shares.estimate.high.min(1.0), ..shares.estimate };
        Some(LuckAdjusted {
            luck: Estimate::new(sum / pairs, (deviations / (pairs - 1.0) / pairs).sqrt()),
            win_rate,
            win_rate_variance: shares.variance,
            spread: spreads.estimate,
            spread_variance: spreads.variance,
            points_per_point: spreads.slope,
        })
    }
}

impl Outcome {
    /// By regression on luck: of that the sum, the sum of squared deviations, and over how many pairs.
    fn without(&self, luck: f64, luck_deviations: f64, pairs: f64) -> Rest {
        let deviations = (self.squares - self.sum * self.sum / pairs).max(0.0);
        let slope = (self.products - self.sum * luck / pairs) / luck_deviations;
        let rest = (deviations - slope * slope * luck_deviations).max(0.0) / (pairs - 2.0);
        let mean_luck = luck / pairs;
        // The second part is for the slope, which is estimated too.
        let standard_error = (rest * (1.0 / pairs + mean_luck * mean_luck / luck_deviations)).sqrt();
        let variance = if deviations > 0.0 { rest * (pairs - 1.0) / deviations } else { 1.0 };
        Rest { estimate: Estimate::new(self.sum / pairs - slope * mean_luck, standard_error), variance, slope }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::stream;
    use crate::series::PairSums;

    /// A pair with this luck in points and this spread; won twice or lost twice by the spread's sign.
    fn pair(luck: i32, spread: i64) -> Tally {
        let half_wins = 2 + 2 * spread.signum();
        let mut tally =
            Tally { pairs: 1, spread_sum: spread, spread_squares: spread.unsigned_abs().pow(2), ..Tally::default() };
        tally.outcomes[half_wins as usize] = 1;
        let luck = i128::from(luck) * 1000;
        tally.measured = PairSums {
            pairs: 1,
            games_differ: 1,
            luck_sum: luck,
            luck_squares: luck * luck,
            luck_spread: luck * i128::from(spread),
            luck_half_wins: luck * i128::from(half_wins),
        };
        tally
    }

    fn sum(pairs: impl IntoIterator<Item = (i32, i64)>) -> Tally {
        pairs.into_iter().fold(Tally::default(), |sum, (luck, spread)| sum.plus(&pair(luck, spread)))
    }

    #[test]
    fn a_spread_that_is_all_luck_leaves_nothing_to_doubt() {
        // Twice the luck and 10 points: without luck a player is 5 points ahead in each game, for certain.
        let luck = [-12, 4, 20, -6, 14];
        let adjusted = sum(luck.map(|luck| (luck, i64::from(2 * luck + 10)))).luck_adjusted().unwrap();
        assert!((adjusted.luck.mean - 2.0).abs() < 1e-12 && (adjusted.points_per_point - 2.0).abs() < 1e-12);
        assert!((adjusted.spread.mean - 5.0).abs() < 1e-9, "{adjusted:?}");
        assert!((adjusted.spread.high - adjusted.spread.low).abs() < 1e-6 && adjusted.spread_variance < 1e-12);
    }

    #[test]
    fn the_regression_is_as_worked_by_hand() {
        // Luck −2, 0, 2, 4 and spreads −4, 6, 2, 8: means 1 and 3, sums of squares 20 and 84, of products 32; by game half of all.
        let adjusted = sum([(-2, -4), (0, 6), (2, 2), (4, 8)]).luck_adjusted().unwrap();
        assert!((adjusted.points_per_point - 1.6).abs() < 1e-12);
        assert!((adjusted.spread.mean - (1.5 - 1.6 * 0.5)).abs() < 1e-12);
        let rest = (84.0 - 1.6 * 32.0) / 4.0 / 2.0;
        assert!((adjusted.spread_variance - rest / (21.0 / 3.0)).abs() < 1e-12);
        let width = crate::series::NORMAL_95 * (rest * (0.25 + 0.25 / 5.0)).sqrt();
        assert!((adjusted.spread.high - adjusted.spread.mean - width).abs() < 1e-12, "{adjusted:?}");
        // Of the luck itself −1, 0, 1, 2 by game: mean ½ and variance 5 / 3.
        let width = crate::series::NORMAL_95 * (5.0f64 / 3.0 / 4.0).sqrt();
        assert!((adjusted.luck.mean - 0.5).abs() < 1e-12, "{adjusted:?}");
        assert!((adjusted.luck.high - adjusted.luck.mean - width).abs() < 1e-12, "{adjusted:?}");
        // Shares 0, 1, 1, 1: 1.5 of products with the luck is a slope of 0.3.
        assert!((adjusted.win_rate.mean - (0.75 - 0.3 * 0.5)).abs() < 1e-12, "{adjusted:?}");
        assert_eq!(sum([(1, 2), (3, 4)]).luck_adjusted(), None);
        assert_eq!(sum([(1, 2), (1, 4), (1, 6)]).luck_adjusted(), None);
    }

    #[test]
    fn intervals_hold_and_the_variance_is_what_it_is_said_to_be() {
        // A true spread of 3 points a game, luck of ±30 points a pair that explains a part of it.
        let (series, pairs) = (600, 400);
        let (mut held, mut errors, mut plain_errors, mut told) = (0, 0.0, 0.0, 0.0);
        for index in 0..series {
            let mut stream = stream(1, "luck", index);
            let tally = sum((0..pairs).map(|_| {
                let mut dice = |most: i32| (0..4).map(|_| stream.random_range(-most..=most)).sum::<i32>();
                let luck = dice(15);
                (luck, i64::from(6 + 2 * luck + dice(30)))
            }));
            let adjusted = tally.luck_adjusted().unwrap();
            held += u32::from((adjusted.spread.low..=adjusted.spread.high).contains(&3.0));
            errors += (adjusted.spread.mean - 3.0).powi(2);
            plain_errors += (tally.summary().unwrap().spread.mean - 3.0).powi(2);
            told += adjusted.spread_variance / f64::from(series as u32);
        }
        // 570 of 600 on average; three standard errors are 16.
        assert!((554..=586).contains(&held), "{held}");
        assert!((errors / plain_errors - told).abs() < 0.12, "{errors} / {plain_errors}, told {told}");
        assert!((told - 0.5).abs() < 0.05, "{told}");
    }
}
