//! Win rates as ratings.
//!
//! **Elo** is −400 log10(1 / w − 1) of the win rate w. **Normalised Elo** is the win rate above one half in standard
//! deviations of a game, scaled so that it equals Elo for games without draws between equal players: t · 800 / ln 10 with t
//! = (w − ½) / σ. Elo says how often a player wins. Normalised Elo says how many games separate the players, with draws and
//! pairing taken into account. Van den Bergh, *Normalized Elo* and *Normalized Elo, practical guide* (cantate.be/Fishtest).
//! σ is the standard deviation of a game as pairs show it: √2 times the standard deviation of a pair's share.

use super::sequential::sum_over_shares;
use super::statistics::NORMAL_95;
use super::{Estimate, Tally};

/// The Elo difference of a win rate, 0–1.
pub fn elo(win_rate: f64) -> f64 {
    -400.0 * (1.0 / win_rate - 1.0).log10()
}

impl Tally {
    /// The Elo difference, with the 95 % interval of the win rate. It is infinite at win rates of 0 and 1. `None` without
    /// pairs.
    pub fn elo(&self) -> Option<Estimate> {
        let Estimate { mean, low, high } = self.win_rate_within(NORMAL_95)?;
        Some(Estimate { mean: elo(mean), low: elo(low), high: elo(high) })
    }

    /// The difference in normalised Elo, with a 95 % interval that also accounts for the estimated standard deviation. It is
    /// `None` without pairs, or if all pairs ended alike.
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let (pairs, mean) = (self.pairs as f64, self.win_rate_within(NORMAL_95)?.mean);
        let deviation = (sum_over_shares(&self.outcomes, |share| (share - mean).powi(2)) / pairs).sqrt();
        if deviation == 0.0 {
            return None;
        }
        let ahead = (mean - 0.5) / deviation;
        // The influence of a pair on the ratio: its share above the mean, less half of the effect of its square on σ.
        let influence = |share: f64| {
            let z = (share - mean) / deviation;
            z - ahead * (z * z - 1.0) / 2.0
        };
        let standard_error = (sum_over_shares(&self.outcomes, |share| influence(share).powi(2)) / pairs / pairs).sqrt();
        let points = 800.0 / std::f64::consts::LN_10 / std::f64::consts::SQRT_2;
        let width = points * NORMAL_95 * standard_error;
        Some(Estimate { mean: points * ahead, low: points * ahead - width, high: points * ahead + width })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(outcomes: [u64; 5]) -> Tally {
        Tally { pairs: outcomes.iter().sum(), outcomes, ..Tally::default() }
    }

    #[test]
    fn ratings_are_as_worked_by_hand() {
        // Ten wins to one are 400 points.
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9 && elo(0.5) == 0.0 && elo(1.0) == f64::INFINITY);
        // Games without draws and without pairing, shares 0, ½, 1 of 1 : 2 : 1: a game's deviation is ½, so normalised Elo is
        // that of a small Elo. Here 10,000 pairs with a win rate of 0.505.
        let independent = tally([2450, 0, 5000, 0, 2550]);
        let (elo, normalised) = (independent.elo().unwrap(), independent.normalised_elo().unwrap());
        assert!((elo.mean - 3.4744).abs() < 1e-3, "{elo:?}");
        assert!((normalised.mean - 3.4744).abs() < 1e-2, "{normalised:?}");
        // The interval of t is close to ± 1.96 / √(games).
        assert!((normalised.high - normalised.mean - 347.4356 * NORMAL_95 / 20_000f64.sqrt()).abs() < 0.01);
        // Pairing that takes half of the variance out makes √2 of it.
        let paired = tally([1200, 0, 7500, 0, 1300]).normalised_elo().unwrap();
        assert!((paired.mean / normalised.mean - 2f64.sqrt()).abs() < 1e-3);
        assert_eq!(tally([0, 0, 3, 0, 0]).normalised_elo(), None);
        assert_eq!((Tally::default().elo(), Tally::default().normalised_elo()), (None, None));
    }
}
