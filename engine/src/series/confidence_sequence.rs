//! The anytime-valid interval of the win rate: it holds at all looks together, so one may look after every pair and stop at will.
//!
//! The method is betting: Waudby-Smith and Ramdas, *Estimating means of bounded random variables by betting*, Journal of the Royal
//! Statistical Society B 86 (2024), sections 4 and 5. Let m be player A's expected share of a pair. A bettor who stakes the
//! fraction c of its capital on a larger share multiplies the capital by 1 + c (x − m) / m when the pair gives the share x. This
//! factor is never negative, and its mean is 1. After n(x) pairs of each share, a bettor who divided its capital equally over
//! several fractions c has
//!
//! ```text
//! K(m) = mean over c of Π (1 + c (x − m) / m) ^ n(x),    c = 1, 2^−½, 2^−1, …, 2^−14
//! ```
//!
//! If m is the true share, the capital ever reaches 2 / α with probability at most α / 2 (Ville's inequality), for any distribution
//! of outcomes and any length of play. The interval holds the win rates for which neither this bettor nor the one who stakes on
//! less than m has become that rich. K falls as m rises, so bisection finds each end. The fractions are constants, which makes K a
//! function of the counts alone: the order of the pairs and the number of threads do not matter, and no history is stored. The
//! price is a fixed mixture of 29 fractions, where the original method adapts its stake.
//!
//! A normal 95 % interval is valid at one number of pairs chosen in advance. This interval is 1.85 times as wide after 100 pairs
//! and 1.8 times as wide after 1,000 to a million, for players of equal strength and for a favourite who wins seven of eight games.

use super::sequential::SHARES;
use super::{Estimate, Tally};

/// The number of stakes: 1 and powers of √½ down to 2^−14, which is best at about 10⁹ pairs.
const STAKES: i32 = 29;

impl Tally {
    /// The win rate with its anytime-valid interval, which fails with probability at most `error_rate` over all looks.
    /// `None` without pairs.
    ///
    /// The interval depends on the counts so far only, so it may grow from one look to the next.
    pub fn anytime_win_rate(&self, error_rate: f64) -> Option<Estimate> {
        let mean = self.win_rate_within(0.0)?.mean;
        let mut mirrored = self.outcomes;
        mirrored.reverse();
        let low = lower_end(&self.outcomes, error_rate);
        Some(Estimate { mean, low, high: 1.0 - lower_end(&mirrored, error_rate) })
    }
}

/// The highest expected share m at which a bettor on more than m has become rich.
fn lower_end(outcomes: &[u64; 5], error_rate: f64) -> f64 {
    let rich = (2.0 / error_rate).ln();
    let (mut low, mut high) = (0.0, 1.0);
    // Fifty bisections leave less than 10⁻¹⁵.
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

/// The logarithm of the capital of a bettor on more than `mean` who started with 1.
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
    use crate::series::NORMAL_95;

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
                let normal = tally(outcomes).win_rate_within(NORMAL_95).unwrap();
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
                let at_any_stop = tally.anytime_win_rate(0.05).unwrap();
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
        let one = tally([0, 0, 0, 0, 1]).anytime_win_rate(0.05).unwrap();
        assert!((one.low - expected).abs() < 1e-12, "{} {expected}", one.low);
        assert!(one.high > 1.0 - 1e-12);
        // Seen from the other side.
        let [a, b] = [[3, 1, 7, 2, 9], [9, 2, 7, 1, 3]].map(|outcomes| tally(outcomes).anytime_win_rate(0.05).unwrap());
        assert!((a.low + b.high - 1.0).abs() < 1e-12 && (a.high + b.low - 1.0).abs() < 1e-12);
        // Without variance the interval closes like 1 / n.
        let even = tally([0, 0, 10_000, 0, 0]).anytime_win_rate(0.05).unwrap();
        assert!(even.low > 0.499 && even.high < 0.501);
        assert_eq!(Tally::default().anytime_win_rate(0.05), None);
    }
}
