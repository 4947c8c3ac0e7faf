//! What a tally of pairs says, with intervals that respect the pairing.

use super::Tally;

/// Half the width of a 95 % interval in standard errors.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// A mean over pairs with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    fn new(mean: f64, standard_error: f64) -> Estimate {
        Estimate { mean, low: mean - NORMAL_95 * standard_error, high: mean + NORMAL_95 * standard_error }
    }
}

/// The figures of a series, from the view of player A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Share of games won, a draw half; the interval is clamped to 0–1.
    pub win_rate: Estimate,
    /// Points ahead a game.
    pub spread: Estimate,
    /// Share of games won by whoever moved first.
    pub first_mover_win_rate: f64,
    /// Points a game of A and of B.
    pub scores: [f64; 2],
    /// Bingos a game of A and of B.
    pub bingos: [f64; 2],
    /// Turns a game, of both players.
    pub turns: f64,
}

impl Tally {
    /// The figures; `None` without pairs.
    ///
    /// The unit is the pair: with share `x` of its two games won, the variance is that of `x` over the five outcomes
    /// (pentanomial), not the binomial one over games, which ignores that the halves of a pair are correlated.
    pub fn summary(&self) -> Option<Summary> {
        if self.pairs == 0 {
            return None;
        }
        let pairs = self.pairs as f64;
        let games = 2.0 * pairs;
        let shares = [0.0, 0.25, 0.5, 0.75, 1.0];
        let expect = |value: &dyn Fn(f64) -> f64| {
            self.outcomes.iter().zip(shares).map(|(&count, share)| count as f64 * value(share)).sum::<f64>() / pairs
        };
        let mean = expect(&|share| share);
        let variance = expect(&|share| (share - mean).powi(2)) * pairs / (pairs - 1.0).max(1.0);
        let mut win_rate = Estimate::new(mean, (variance / pairs).sqrt());
        (win_rate.low, win_rate.high) = (win_rate.low.max(0.0), win_rate.high.min(1.0));
        let pair_spread = self.spread_sum as f64 / pairs;
        let squares = self.spread_squares as f64 / pairs - pair_spread.powi(2);
        let pair_variance = squares.max(0.0) * pairs / (pairs - 1.0).max(1.0);
        Some(Summary {
            win_rate,
            spread: Estimate::new(pair_spread / 2.0, (pair_variance / pairs).sqrt() / 2.0),
            first_mover_win_rate: self.first_mover_half_wins as f64 / (2.0 * games),
            scores: self.scores.map(|sum| sum as f64 / games),
            bingos: self.bingos.map(|sum| sum as f64 / games),
            turns: self.turns as f64 / games,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_pairs() {
        // Ten pairs: shares 0, 0.5 × 4, 1 × 5 have mean 0.7 and variance (0.49 + 4 × 0.04 + 5 × 0.09) / 9.
        let tally =
            Tally { pairs: 10, outcomes: [1, 0, 4, 0, 5], spread_sum: 400, spread_squares: 40_000, ..Tally::default() };
        let summary = tally.summary().unwrap();
        let standard_error = (1.1f64 / 9.0 / 10.0).sqrt();
        assert!((summary.win_rate.mean - 0.7).abs() < 1e-12);
        assert!((summary.win_rate.low - (0.7 - NORMAL_95 * standard_error)).abs() < 1e-12);
        // Pair spreads have mean 40 and variance (40000 − 10 × 1600) / 9; a game's mean is half.
        let standard_error = (24_000.0f64 / 9.0 / 10.0).sqrt() / 2.0;
        assert!((summary.spread.mean - 20.0).abs() < 1e-12);
        assert!((summary.spread.high - (20.0 + NORMAL_95 * standard_error)).abs() < 1e-12);
        assert_eq!(Tally::default().summary(), None);
    }

    #[test]
    fn equal_outcomes_have_no_width() {
        let tally = Tally { pairs: 3, outcomes: [0, 0, 3, 0, 0], ..Tally::default() };
        let summary = tally.summary().unwrap();
        assert_eq!(summary.win_rate, Estimate { mean: 0.5, low: 0.5, high: 0.5 });
        assert_eq!(summary.spread, Estimate { mean: 0.0, low: 0.0, high: 0.0 });
    }
}
