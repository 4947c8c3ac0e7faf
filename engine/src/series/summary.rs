//! The figures of a series, as text and JSON have them.

use serde::Serialize;

use super::statistics::{ERROR_RATE, Estimate, NORMAL_95};
use super::tally::{Squares, Tally};

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
