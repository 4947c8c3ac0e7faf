//! An interval of the win rate that holds at every look at once: one may look after every pair and stop when one likes.
//!
//! By betting: Waudby-Smith and Ramdas, *Estimating means of bounded random variables by betting*, Journal of the Royal Statistical
//! Society B 86 (2024), sections 4 and 5. Suppose that player A's expected share of a pair is m. Whoever stakes the fraction c of its
//! capital on more than that multiplies it by 1 + c (x − m) / m when the pair gives the share x, which is never negative and is 1 on
//! average. After n(x) pairs of each share the capital of a bettor who divided it at the start over fractions c is
//!
//! ```text
//! K(m) = mean over c of Π (1 + c (x − m) / m) ^ n(x),    c = 1, 2^−½, 2^−1, …, 2^−14
//! ```
//!
//! If m is right, a capital of 2 / α is ever reached with a probability of α / 2 at most (Ville's inequality), whatever the outcomes'
//! distribution and however long one plays. The win rates that do not make the bettor so rich, nor the one who stakes on less
//! than m, are the interval. K falls as m rises, so each end is found by halving. Fractions that stay what they are make K a
//! function of the counts alone: it does not matter in which order the pairs came or on how many threads, and nothing of the past is
//! kept. The price is the choice among 29 fractions, which the best of the method chooses as it goes.
//!
//! A normal interval of 95 % is right at one number of pairs that was chosen beforehand. This one is 1.85 times as wide after 100 pairs
//! and 1.8 times after 1,000 to a million, for players of equal strength as for a favourite who wins seven games of eight.

use super::sequential::SHARES;
use super::{Estimate, Tally};

/// Fractions of the capital that are staked: 1 and powers of √½ down to 2^−14, which wins most at some 10⁹ pairs.
const STAKES: i32 = 29;

impl Tally {
    /// The win rate with an interval that fails with probability `error_rate` at most, however often one looks and whenever one
    /// stops; `None` without pairs.
    ///
    /// Its ends are of the counts so far. That it may only shrink from look to look is true of intersections with earlier ones,
    /// which no tally remembers.
    pub fn win_rate_at_any_stop(&self, error_rate: f64) -> Option<Estimate> {
        let summary = self.summary()?;
        let mut mirrored = self.outcomes;
        mirrored.reverse();
        let low = lower_end(&self.outcomes, error_rate);
        Some(Estimate { mean: summary.win_rate.mean, low, high: 1.0 - lower_end(&mirrored, error_rate) })
    }
}

/// The highest expected share that a bettor on more than that was made rich by.
fn lower_end(outcomes: &[u64; 5], error_rate: f64) -> f64 {
    let rich = (2.0 / error_rate).ln();
    let (mut low, mut high) = (0.0, 1.0);
    // Fifty halvings leave less than 10⁻¹⁵.
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if log_capital(outcomes, middle) >= rich {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The logarithm of what a bettor on more than `mean` has made of a capital of 1.
fn log_capital(outcomes: &[u64; 5], mean: f64) -> f64 {
    let log_capitals = (0..STAKES).map(|step| {
        let stake = (-0.5 * f64::from(step)).exp2();
        let seen = outcomes.iter().zip(SHARES).filter(|&(&pairs, _)| pairs > 0);
        seen.map(|(&pairs, share)| pairs as f64 * (stake * (share - mean) / mean).ln_1p()).sum::<f64>()
    });
    let log_capitals: Vec<f64> = log_capitals.collect();
    let most = log_capitals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + (log_capitals.iter().map(|log_capital| (log_capital - most).exp()).sum::<f64>() / f64::from(STAKES)).ln()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::stream;

    /// Outcomes as two players of nearly equal strength have them.
    const EQUAL: [f64; 5] = [0.165, 0.003, 0.664, 0.003, 0.165];
    /// A strong favourite, with an expected share of 0.875.
    const FAVOURITE: [f64; 5] = [0.025, 0.0, 0.2, 0.0, 0.775];

    fn tally(outcomes: [u64; 5]) -> Tally {
        Tally { pairs: outcomes.iter().sum(), outcomes, ..Tally::default() }
    }

    /// How many of some simulated series have the true win rate outside the interval at any of `looks` looks, one after every
    /// pair: outside that of this module, and outside the normal one once 50 pairs are played.
    fn misses(shares: [f64; 5], series: u64, looks: u64) -> [u64; 2] {
        let mean: f64 = shares.iter().zip(SHARES).map(|(p, x)| p * x).sum();
        let rich = 40f64.ln();
        let mut misses = [0; 2];
        for index in 0..series {
            let mut stream = stream(mean.to_bits(), "looks", index);
            let mut outcomes = [0u64; 5];
            let mut missed = [false; 2];
            for look in 1..=looks {
                let mut draw: f64 = stream.random();
                let outcome = shares.iter().position(|&p| {
                    draw -= p;
                    draw < 0.0
                });
                outcomes[outcome.unwrap_or(4)] += 1;
                let mut mirrored = outcomes;
                mirrored.reverse();
                missed[0] |= log_capital(&outcomes, mean) >= rich || log_capital(&mirrored, 1.0 - mean) >= rich;
                let normal = tally(outcomes).summary().unwrap().win_rate;
                missed[1] |= look >= 50 && !(normal.low..=normal.high).contains(&mean);
            }
            misses[0] += u64::from(missed[0]);
            misses[1] += u64::from(missed[1]);
        }
        misses
    }

    #[test]
    fn it_holds_at_the_worst_moment_to_stop_where_the_normal_interval_does_not() {
        for shares in [EQUAL, FAVOURITE] {
            let [ours, normal] = misses(shares, 400, 1500);
            // 20 of 400 are allowed on average; three standard errors of that are 13.
            assert!(ours <= 20, "{ours} of 400 missed");
            assert!(normal > 80, "{normal} of 400 normal intervals missed");
        }
    }

    #[test]
    fn it_is_not_much_wider_than_the_normal_interval() {
        for shares in [EQUAL, FAVOURITE] {
            for pairs in [100.0, 1e3, 1e4, 1e5, 1e6] {
                let tally = tally(shares.map(|share| (pairs * share).round() as u64));
                let width = |estimate: Estimate| estimate.high - estimate.low;
                let at_any_stop = tally.win_rate_at_any_stop(0.05).unwrap();
                let ratio = width(at_any_stop) / width(tally.summary().unwrap().win_rate);
                assert!((1.79..1.88).contains(&ratio), "{pairs} pairs: {ratio}");
                assert!(at_any_stop.low < at_any_stop.mean && at_any_stop.mean < at_any_stop.high);
            }
        }
    }

    #[test]
    fn the_ends_are_where_the_bettor_is_just_rich_enough() {
        // Worked by hand: one pair won. Capital (1/29) Σ (1 − c + c / m) = 40 where m = S / (29 · 40 − 29 + S), S the sum of stakes.
        let stakes: f64 = (0..STAKES).map(|step| (-0.5 * f64::from(step)).exp2()).sum();
        let expected = stakes / (29.0 * 39.0 + stakes);
        let one = tally([0, 0, 0, 0, 1]).win_rate_at_any_stop(0.05).unwrap();
        assert!((one.low - expected).abs() < 1e-12, "{} {expected}", one.low);
        assert!(one.high > 1.0 - 1e-12);
        // Seen from the other side.
        let [a, b] = [[3, 1, 7, 2, 9], [9, 2, 7, 1, 3]].map(|outcomes| tally(outcomes).win_rate_at_any_stop(0.05).unwrap());
        assert!((a.low + b.high - 1.0).abs() < 1e-12 && (a.high + b.low - 1.0).abs() < 1e-12);
        // Without variance the interval closes like 1 / n.
        let even = tally([0, 0, 10_000, 0, 0]).win_rate_at_any_stop(0.05).unwrap();
        assert!(even.low > 0.499 && even.high < 0.501);
        assert_eq!(Tally::default().win_rate_at_any_stop(0.05), None);
    }
}
