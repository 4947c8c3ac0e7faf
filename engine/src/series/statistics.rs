//! The figures of a tally of pairs, with intervals that respect the pairing. The figures of a series, as text and JSON have them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::sequential::sum_over_shares;
use super::tally::{Squares, Tally};
use crate::simulator::Mean;

/// Half the width of a 95 % interval in standard errors.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The usual probability that an interval or a test fails.
pub const ERROR_RATE: f64 = 0.05;

/// A mean with its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The mean.
    #[cfg_attr(feature = "schemas", schemars(with = "Option<f64>"))]
    pub mean: f64,
    /// Lower end of the interval.
    #[cfg_attr(feature = "schemas", schemars(with = "Option<f64>"))]
    pub low: f64,
    /// Upper end of the interval.
    #[cfg_attr(feature = "schemas", schemars(with = "Option<f64>"))]
    pub high: f64,
}

impl fmt::Display for Estimate {
    /// The mean and the interval, such as `0.600 (0.567 to 0.633)` by `{:.3}`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = formatter.precision().unwrap_or(3);
        write!(formatter, "{:.digits$} ({:.digits$} to {:.digits$})", self.mean, self.low, self.high)
    }
}

impl Estimate {
    /// A mean with the normal interval of its standard error.
    pub fn normal(mean: f64, standard_error: f64) -> Estimate {
        let half = NORMAL_95 * standard_error;
        Estimate { mean, low: mean - half, high: mean + half }
    }

    /// Half the width of the interval.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Multiplies mean and interval: by 100 for percent.
    #[must_use]
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { mean: factor * self.mean, low: factor * self.low, high: factor * self.high }
    }
}

impl From<Mean> for Estimate {
    /// The mean with its 95 % interval.
    fn from(Mean { mean, error }: Mean) -> Estimate {
        Estimate::normal(mean, error)
    }
}

/// Half the width, in standard errors, of a normal interval that fails with this probability, from 10⁻⁹ to 1. [`NORMAL_95`]
/// is the half width for 0.05.
pub fn standard_errors(error_rate: f64) -> f64 {
    let (mut low, mut high) = (0.0, 7.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle) < 1.0 - error_rate {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The probability that a normal variable is within x standard deviations of its mean: 2 φ(x) (x + x³/3 + x⁵/(3·5) + …).
fn within(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > 1e-17 * sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    2.0 * sum * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt()
}

impl Tally {
    /// The two-sided probabilities, with equal players, of a result at least as far from half of the games. `None` without
    /// pairs. Both are normal approximations. The first is by independent pairs. The second is a binomial test of wins in
    /// decided games, as if games were independent: two draws in one pair count as a win and a loss.
    pub(super) fn p_values(&self) -> Option<[f64; 2]> {
        if self.pairs == 0 {
            return None;
        }
        // With equal players, 0.5 is the mean about which shares vary.
        let sum = |of: fn(f64) -> f64| sum_over_shares(&self.outcomes, |share| of(share - 0.5));
        let paired = sum(|off| off) / sum(|off| off * off).sqrt();
        let outside = |x: f64| if x.is_nan() { 1.0 } else { (1.0 - within(x.abs().min(8.0))).max(0.0) };
        let [_, half, one, more, two] = self.outcomes.map(|pairs| pairs as f64);
        let games = 2.0 * self.pairs as f64 - half - more;
        let wins = one + more + 2.0 * two;
        // With a correction for continuity.
        let beyond = ((wins - games / 2.0).abs() - 0.5).max(0.0);
        Some([outside(paired), outside(beyond / (games.sqrt() / 2.0))])
    }

    /// The win rate with an interval of `standard_errors` standard errors, clamped to 0–1, or `None` without pairs.
    pub fn win_rate_within(&self, standard_errors: f64) -> Option<Estimate> {
        if self.pairs == 0 {
            return None;
        }
        let pairs = self.pairs as f64;
        let mean = sum_over_shares(&self.outcomes, |share| share) / pairs;
        let squares = sum_over_shares(&self.outcomes, |share| (share - mean).powi(2));
        let variance = squares / pairs * pairs / (pairs - 1.0).max(1.0);
        let width = standard_errors * (variance / pairs).sqrt();
        Some(Estimate { mean, low: (mean - width).max(0.0), high: (mean + width).min(1.0) })
    }

    /// The win rate with the half width of its 95 % interval in a few words, for progress. `None` before the second pair.
    pub fn rate_so_far(&self) -> Option<String> {
        let rate = self.win_rate_within(NORMAL_95).filter(|_| self.pairs > 1)?;
        Some(format!("{:.2} ± {:.2} %", 100.0 * rate.mean, 50.0 * (rate.high - rate.low)))
    }

    /// The mean per game of something with this sum and sum of squares over pairs.
    pub(super) fn per_game(&self, sum: f64, squares: u64) -> Estimate {
        let pairs = self.pairs as f64;
        let mean = sum / pairs;
        let variance = (squares as f64 / pairs - mean.powi(2)).max(0.0) * pairs / (pairs - 1.0).max(1.0);
        let width = NORMAL_95 * (variance / pairs).sqrt();
        // A game's mean is half of a pair's.
        Estimate { mean, low: mean - width, high: mean + width }.times(0.5)
    }
}

/// The figures of a series, from the view of player A. Users' scripts read these names. Intervals hold with 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Pairs played.
    pub pairs: u64,
    /// The win rate, 0–1. The interval is clamped to 0–1. A sequential test biases it towards its verdict.
    pub win_rate: Estimate,
    /// The win rate with its anytime-valid interval, which a sequential test does not bias.
    pub anytime_win_rate: Estimate,
    /// The probability, with equal players, of a result at least as far from half of the games, by pairs.
    pub p_value: f64,
    /// The probability of a win rate at least as far from one half between equal players, by a binomial test, as if games were independent.
    pub binomial_p_value: f64,
    /// The spread, in points per game.
    pub spread: Estimate,
    /// The win rate of the player who moved first, 0–1.
    pub first_mover_win_rate: Estimate,
    /// Points per game of A and of B.
    pub scores: [Estimate; 2],
    /// Bingos per game of A and of B.
    pub bingos: [Estimate; 2],
    /// Turns of both players per game.
    pub turns: Estimate,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games.
    pub pentanomial: [u64; 5],
    /// The Elo difference. Infinite ends are null in JSON.
    pub elo: Estimate,
    /// The difference in normalised Elo, or `None` if all pairs ended alike.
    pub normalised_elo: Option<Estimate>,
    /// Share of the pairs whose two games differ in any move.
    pub differing: f64,
}

impl Tally {
    /// The figures, or `None` without pairs.
    ///
    /// The unit is the pair: with share `x` of its two games won, the variance is the variance of `x` over the five outcomes
    /// (pentanomial). It is not the binomial variance over games, which ignores that the halves of a pair are correlated.
    pub fn summary(&self) -> Option<Summary> {
        self.summary_within(NORMAL_95, ERROR_RATE)
    }

    /// The figures with an interval of `standard_errors` standard errors for the win rate, and an anytime-valid interval
    /// that fails with probability `error_rate`. `None` without pairs.
    pub fn summary_within(&self, standard_errors: f64, error_rate: f64) -> Option<Summary> {
        let (win_rate, anytime_win_rate) = (self.win_rate_within(standard_errors)?, self.anytime_win_rate(error_rate)?);
        let [p_value, binomial_p_value] = self.p_values()?;
        let of_players =
            |sums: [f64; 2], squares: [u64; 2]| [0, 1].map(|player| self.per_game(sums[player], squares[player]));
        let Squares { first_mover_half_wins, scores, bingos, turns } = self.squares;
        Some(Summary {
            pairs: self.pairs,
            win_rate,
            anytime_win_rate,
            p_value,
            binomial_p_value,
            spread: self.per_game(self.spread_sum as f64, self.spread_squares),
            first_mover_win_rate: self.per_game(self.first_mover_half_wins as f64, first_mover_half_wins).times(0.5),
            scores: of_players(self.scores.map(|points| points as f64), scores),
            bingos: of_players(self.bingos.map(|bingos| bingos as f64), bingos),
            turns: self.per_game(self.turns as f64, turns),
            pentanomial: self.outcomes,
            elo: self.elo()?,
            normalised_elo: self.normalised_elo(),
            differing: self.games_differ as f64 / self.pairs as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Squares;
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_pairs() {
        // Ten pairs: shares 0, 0.5 × 4, 1 × 5 have mean 0.7 and variance (0.49 + 4 × 0.04 + 5 × 0.09) / 9.
        let squares = Squares { turns: 21_000, ..Squares::default() };
        let of_pairs = Tally { pairs: 10, outcomes: [1, 0, 4, 0, 5], turns: 450, squares, ..Tally::default() };
        let tally = Tally { spread_sum: 400, spread_squares: 40_000, ..of_pairs };
        let summary = tally.summary().unwrap();
        let standard_error = (1.1f64 / 9.0 / 10.0).sqrt();
        assert!((summary.win_rate.mean - 0.7).abs() < 1e-12);
        assert!((summary.win_rate.low - (0.7 - NORMAL_95 * standard_error)).abs() < 1e-12);
        // Pair spreads have mean 40 and variance (40000 − 10 × 1600) / 9; a game's mean is half.
        let standard_error = (24_000.0f64 / 9.0 / 10.0).sqrt() / 2.0;
        assert!((summary.spread.mean - 20.0).abs() < 1e-12);
        assert!((summary.spread.high - (20.0 + NORMAL_95 * standard_error)).abs() < 1e-12);
        // Turns of pairs have mean 45 and variance (21000 − 10 × 2025) / 9.
        let standard_error = (750.0f64 / 9.0 / 10.0).sqrt() / 2.0;
        assert!((summary.turns.mean - 22.5).abs() < 1e-12);
        assert!((summary.turns.low - (22.5 - NORMAL_95 * standard_error)).abs() < 1e-12);
        assert_eq!(Tally::default().summary(), None);
    }

    #[test]
    fn intervals_are_as_wide_as_their_error_rate_asks() {
        assert!((standard_errors(0.05) - NORMAL_95).abs() < 1e-12);
        // From tables of the normal distribution.
        for (rate, width) in [(1.0, 0.0), (0.317_310_507_863, 1.0), (0.01, 2.575_829_303_5), (0.05 / 6.0, 2.638_257_273_5)] {
            assert!((standard_errors(rate) - width).abs() < 1e-9, "{rate}: {}", standard_errors(rate));
        }
    }

    #[test]
    fn equal_outcomes_have_no_width() {
        let tally = Tally { pairs: 3, outcomes: [0, 0, 3, 0, 0], ..Tally::default() };
        let summary = tally.summary().unwrap();
        assert_eq!(summary.win_rate, Estimate { mean: 0.5, low: 0.5, high: 0.5 });
        assert_eq!(summary.spread, Estimate { mean: 0.0, low: 0.0, high: 0.0 });
    }

    #[test]
    fn p_values_are_near_those_of_exact_sums() {
        // Mathieu's Table 4.1: 427 wins of 993 games, as if no pair had a draw but one. By the binomial distribution 1.15 in 100,000.
        let tally = Tally { pairs: 497, outcomes: [142, 1, 282, 0, 72], ..Tally::default() };
        let [paired, binomial] = tally.p_values().unwrap();
        let exact = two_sided(993, 426);
        assert!((binomial / exact - 1.0).abs() < 0.05, "{binomial} {exact}");
        // By pairs 35.25 below half of 497, with a standard error of √53.56: 4.816 of them. More pairs are level than of independent games.
        assert!((paired / 1.46e-6 - 1.0).abs() < 0.02, "{paired}");
        let level = Tally { outcomes: [0, 0, 497, 0, 0], ..tally.clone() };
        assert_eq!(level.p_values(), Some([1.0; 2]));
        assert_eq!(Tally::default().p_values(), None);
        // Two pairs won say little, though they do not vary.
        let few = Tally { pairs: 2, outcomes: [0, 0, 0, 0, 2], ..Tally::default() }.p_values().unwrap();
        assert!(few.iter().all(|p_value| (0.1..0.2).contains(p_value)), "{few:?}");
        // Pairs that are alike: every difference counts, where a binomial test sees little.
        let alike = Tally { pairs: 1000, outcomes: [0, 0, 970, 0, 30], ..Tally::default() };
        let [paired, binomial] = alike.p_values().unwrap();
        assert!(paired < 1e-6 && binomial > 0.1, "{paired} {binomial}");
    }

    /// The probability of at most `wins` of `games`, or as many losses, with equal players.
    fn two_sided(games: u64, wins: u64) -> f64 {
        let mut term = -(games as f64) * 2f64.ln();
        let mut sum = term.exp();
        for won in 1..=wins {
            term += ((games - won + 1) as f64 / won as f64).ln();
            sum += term.exp();
        }
        2.0 * sum
    }
}
