//! A sequential test of paired matches: play until the data favour one of two win rates.
//!
//! It is the **generalised sequential probability ratio test** on pairs, the standard for chess engines: Wald, *Sequential Tests of
//! Statistical Hypotheses*, Annals of Mathematical Statistics 16 (1945); generalised to maximised likelihoods by Li, Liu and Ying,
//! *Generalized Sequential Probability Ratio Test for Separate Families of Hypotheses*, Sequential Analysis 33 (2014); for games in
//! Van den Bergh's notes at cantate.be/Fishtest: *A Practical Introduction to the GSPRT*, and for the most likely distribution with
//! a given mean `support_MLE_multinomial.pdf`, Proposition 1.1.
//!
//! A pair gives player A a share x of 0, ¼, ½, ¾ or 1 of its two games. The hypotheses fix the mean of the shares only: H0 says that
//! A's expected share is s0, H1 that it is s1. With n(x) pairs of each share, N in all, the log-likelihood ratio is
//!
//! ```text
//! LLR = Σ n(x) log p1(x) − Σ n(x) log p0(x),    p(x) = n(x) / (N (1 + θ (x − s)))
//! ```
//!
//! where each p is the most likely distribution with mean s, and θ is the root of Σ n(x) (x − s) / (1 + θ (x − s)) = 0, which falls
//! from +∞ to −∞ between θ = −1/(1 − s) and 1/s. A share that never occurred counts as a thousandth of a pair, so that such a
//! distribution exists for every s.
//!
//! The test ends with H0 when LLR ≤ log(β / (1 − α)) and with H1 when LLR ≥ log((1 − β) / α). α is the probability of
//! accepting H1 if H0 is true, and β is the probability of accepting H0 if H1 is true. These are Wald's bounds for an LLR
//! that stops **at** a bound. Here the LLR is checked after every [`PAIRS_PER_LOOK`] pairs, and it overshoots. This is not
//! corrected: errors are rarer and matches a little longer than requested. Measured for α = β = 5 % over 20,000 simulated
//! series each, with the outcomes of two players of nearly equal strength, by `simulate` in this module's tests. The test
//! `errors_are_as_rare_as_asked` repeats the second row with fewer series:
//!
//! | H0 : H1 | H1 accepted at H0 | H0 accepted at H1 | pairs at H0, at H1, halfway |
//! | --- | --- | --- | --- |
//! | 50 % : 50.5 % | 4.4 % | 4.2 % | 18,600, 18,400 |
//! | 50 % : 51 % | 4.1 % | 4.2 % | 4,800, 4,900, 8,400 |
//! | 50 % : 60 % | 0.4 % | 0.4 % | 144, 148 |
//!
//! The win rate of a series that stopped by its test is biased towards the verdict, and so are its intervals, except the
//! anytime-valid one ([`super::confidence_sequence`]).

use std::convert::Infallible;
use std::ops::Range;

use thiserror::Error;

use super::{Series, Tally};
use crate::monitor::Monitor;

/// Pairs between two looks at the ratio. It is constant, so that the end of a series depends on its seed and players only.
pub const PAIRS_PER_LOOK: u64 = 128;

/// Pairs without drift that [`SequentialTest::expected_pairs_left`] adds.
const DRIFTLESS: f64 = 100.0;
/// The usual variance of A's share of the games of a pair.
const USUAL_VARIANCE: f64 = 0.1;
/// A's shares of the two games of a pair, in the order of [`Tally::outcomes`].
pub(super) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// The count of an outcome that never occurred, in pairs.
const UNSEEN: f64 = 1e-3;
/// The smallest share of all pairs that an outcome counts. It matters only beyond a thousand million pairs, where it separates
/// the root of θ from the ends of its interval in 64 bits.
const LEAST: f64 = 1e-12;

/// A sequential test: two win rates and two error rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialTest {
    h0: f64,
    h1: f64,
    alpha: f64,
    beta: f64,
}

/// The decision at a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// No decision yet.
    Open,
    /// H0, the lower win rate of player A, is accepted.
    AcceptH0,
    /// H1, the higher win rate of player A, is accepted.
    AcceptH1,
}

/// A finished sequential series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequentialSeries {
    /// The pairs played.
    pub tally: Tally,
    /// The decision, or [`Decision::Open`] if the limit of pairs or a stop request came first.
    pub decision: Decision,
}

/// Invalid parameters of a test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum TestError {
    #[error(
        "win rates {h0} and {h1}: H0 must be above 0, H1 above H0 and below 1; to ask the opposite, change the players over"
    )]
    Hypotheses { h0: f64, h1: f64 },
    #[error("error rate {rate:?}: alpha and beta must be above 0 and below 0.5")]
    ErrorRate { rate: f64 },
}

impl SequentialTest {
    /// Creates a test of the win rate `h0` against the higher `h1` (of player A, 0–1, a draw counts half) that accepts H1 wrongly
    /// with probability `alpha` and H0 wrongly with probability `beta`.
    ///
    /// # Errors
    /// [`TestError`], unless 0 < h0 < h1 < 1 and both error rates are above 0 and below ½.
    pub fn new(h0: f64, h1: f64, alpha: f64, beta: f64) -> Result<SequentialTest, TestError> {
        let ordered = 0.0 < h0 && h0 < h1 && h1 < 1.0;
        if !ordered {
            return Err(TestError::Hypotheses { h0, h1 });
        }
        match [alpha, beta].into_iter().find(|&rate| !(rate > 0.0 && rate < 0.5)) {
            Some(rate) => Err(TestError::ErrorRate { rate }),
            None => Ok(SequentialTest { h0, h1, alpha, beta }),
        }
    }

    /// The lower and the higher win rate of player A, 0–1.
    pub fn hypotheses(&self) -> [f64; 2] {
        [self.h0, self.h1]
    }

    /// The probabilities of accepting H1 and H0 wrongly.
    pub fn error_rates(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted, as natural logarithms, like all here.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of H1 to H0 given how many pairs had each outcome. It is 0 without pairs, and always finite.
    pub fn log_likelihood_ratio(&self, outcomes: &[u64; 5]) -> f64 {
        if outcomes.iter().all(|&pairs| pairs == 0) {
            return 0.0;
        }
        let pairs: f64 = outcomes.iter().map(|&pairs| pairs as f64).sum();
        let mut shares = outcomes.map(|seen| ((seen as f64).max(UNSEEN) / pairs).max(LEAST));
        let sum: f64 = shares.iter().sum();
        shares = shares.map(|share| share / sum);
        let log_likelihood = |mean: f64| {
            let tilt = tilt_to_mean(&shares, mean);
            shares.iter().zip(SHARES).map(|(share, x)| -share * (tilt * (x - mean)).ln_1p()).sum::<f64>()
        };
        pairs * (log_likelihood(self.h1) - log_likelihood(self.h0))
    }

    /// The decision for these outcomes.
    pub fn decide(&self, outcomes: &[u64; 5]) -> Decision {
        let ratio = self.log_likelihood_ratio(outcomes);
        match self.bounds() {
            [lower, _] if ratio <= lower => Decision::AcceptH0,
            [_, upper] if ratio >= upper => Decision::AcceptH1,
            _ => Decision::Open,
        }
    }

    /// The expected number of further pairs until the test decides, if the pairs go on as these did: the mean time in which
    /// a Brownian motion with the drift and the variance of the ratio leaves the bounds (Wald). The first pairs say little
    /// about the drift, so a hundred pairs without drift are added. Without any pairs it is the mean halfway between the
    /// hypotheses.
    pub fn expected_pairs_left(&self, outcomes: &[u64; 5]) -> f64 {
        let pairs = sum_over_shares(outcomes, |_| 1.0);
        let mean = sum_over_shares(outcomes, |x| x) / pairs.max(1.0);
        let variance =
            (sum_over_shares(outcomes, |x| (x - mean).powi(2)) + DRIFTLESS * USUAL_VARIANCE) / (pairs + DRIFTLESS);
        let ([lower, upper], ratio) = (self.bounds(), self.log_likelihood_ratio(outcomes));
        let ratio = ratio.clamp(lower, upper);
        let variance_of_ratio = (self.h1 - self.h0).powi(2) / variance;
        // The drift leads to the near bound.
        let drift = ratio.abs() / (pairs + DRIFTLESS);
        let (near, far) = if ratio > 0.0 { (upper - ratio, ratio - lower) } else { (ratio - lower, upper - ratio) };
        let steepness = 2.0 * drift / variance_of_ratio;
        if steepness * (near + far) < 1e-6 {
            return near * far / variance_of_ratio;
        }
        let reaches_near = (-steepness * far).exp_m1() / (-steepness * (near + far)).exp_m1();
        (reaches_near * (near + far) - far) / drift
    }

    /// Plays pairs 0, 1, 2, … of a seed on all threads until the test decides or `most` pairs are played.
    ///
    /// The monitor counts pairs and receives the ratio after every [`PAIRS_PER_LOOK`] of them. The end of the series is a function
    /// of the players, the seed, the test and `most`, at any number of threads. If the monitor stops it, the pairs played so far
    /// count, and the decision is open.
    pub fn play(&self, series: &Series<'_>, most: u64, monitor: &dyn Monitor) -> SequentialSeries {
        let play = |pairs| Ok::<_, Infallible>(series.play(pairs, monitor));
        let Ok(played) = self.play_by(most, monitor, play);
        played
    }

    /// Like [`SequentialTest::play`], with a function that plays and counts a range of pairs.
    ///
    /// # Errors
    /// The errors of `play`.
    pub fn play_by<E>(
        &self,
        most: u64,
        monitor: &dyn Monitor,
        mut play: impl FnMut(Range<u64>) -> Result<Tally, E>,
    ) -> Result<SequentialSeries, E> {
        let [lower, upper] = self.bounds();
        let mut tally = Tally::default();
        while tally.pairs < most {
            let end = most.min(tally.pairs + PAIRS_PER_LOOK);
            let batch = play(tally.pairs..end)?;
            tally = tally.plus(&batch);
            if tally.pairs < end {
                break;
            }
            let ratio = self.log_likelihood_ratio(&tally.outcomes);
            let rate = tally.rate_so_far().unwrap_or_default();
            monitor.note(&format!("{rate}, LLR {ratio:+.2} ({lower:+.2} to {upper:+.2})"));
            let decision = self.decide(&tally.outcomes);
            if decision != Decision::Open {
                return Ok(SequentialSeries { tally, decision });
            }
            monitor.expect(most.min(tally.pairs.saturating_add(self.expected_pairs_left(&tally.outcomes) as u64)));
        }
        Ok(SequentialSeries { tally, decision: Decision::Open })
    }
}

/// The sum over pairs with these outcomes of a function of A's share.
pub(super) fn sum_over_shares(outcomes: &[u64; 5], of: impl Fn(f64) -> f64) -> f64 {
    outcomes.iter().zip(SHARES).map(|(&pairs, share)| pairs as f64 * of(share)).sum()
}

/// The θ at which shares / (1 + θ (x − mean)) has that mean, by Newton's method within a shrinking bracket.
fn tilt_to_mean(shares: &[f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut tilt = 0.0;
    // Bisection alone would end in about sixty steps.
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, x) in shares.iter().zip(SHARES) {
            let part = (x - mean) / (1.0 + tilt * (x - mean));
            value += share * part;
            slope -= share * part * part;
        }
        // The sum falls as θ rises.
        if value > 0.0 {
            low = tilt;
        } else {
            high = tilt;
        }
        let newton = tilt - value / slope;
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - tilt).abs() <= 1e-15 * (high - low).max(tilt.abs()) {
            break;
        }
        tilt = next;
    }
    tilt
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt};

    use super::*;
    use crate::rng::stream;

    fn test(h0: f64, h1: f64) -> SequentialTest {
        SequentialTest::new(h0, h1, 0.05, 0.05).unwrap()
    }

    #[test]
    fn the_expected_end_is_the_mean_of_many_series() {
        let (test, mut random) = (test(0.50, 0.51), stream(1, "expected end", 0));
        for outcomes in
            [[90, 210, 390, 216, 94], [90, 200, 390, 226, 94], [100, 220, 380, 210, 90], [80, 190, 390, 235, 105]]
        {
            let expected = test.expected_pairs_left(&outcomes);
            let total: u64 = outcomes.iter().sum();
            let mut pairs = 0;
            for _ in 0..300 {
                let mut seen = outcomes;
                while test.decide(&seen) == Decision::Open {
                    for _ in 0..64 {
                        let mut number = random.random_range(0..total);
                        let outcome = outcomes.iter().position(|&count| {
                            let is_here = number < count;
                            number = number.saturating_sub(count);
                            is_here
                        });
                        seen[outcome.unwrap()] += 1;
                        pairs += 1;
                    }
                }
            }
            let mean = f64::from(pairs) / 300.0;
            // Up to a look of 64 pairs passes before a decision is seen.
            assert!((expected - mean).abs() < 0.2 * mean + 64.0, "{outcomes:?}: {expected} instead of {mean}");
        }
        assert!(test.expected_pairs_left(&[0; 5]) > test.expected_pairs_left(&[0, 0, 0, 20, 0]));
        assert!(test.expected_pairs_left(&[0, 0, 0, 0, 5000]) < 1.0);
    }

    /// The most that Σ n log p can be with mean `mean`, by steps in all directions over three of the probabilities (the other
    /// two follow), smaller and smaller: slow and plain, for a function with a single peak.
    fn slow_log_likelihood(counts: [f64; 5], mean: f64) -> f64 {
        let value = |p: [f64; 3]| {
            let last = mean - 0.25 * p[0] - 0.5 * p[1] - 0.75 * p[2];
            let all = [1.0 - p.iter().sum::<f64>() - last, p[0], p[1], p[2], last];
            if all.iter().any(|&p| p <= 0.0) {
                return f64::NEG_INFINITY;
            }
            counts.iter().zip(all).map(|(count, p)| count * p.ln()).sum()
        };
        // The distribution of two games won independently, with some weight on the quarters, is inside.
        let mut place = [0.1 * mean * (1.0 - mean), 1.8 * mean * (1.0 - mean), 0.1 * mean * (1.0 - mean)];
        let mut best = value(place);
        assert!(best.is_finite());
        let mut step = 0.1;
        while step > 1e-9 {
            let mut improved = false;
            for direction in 0..125 {
                let moves = [direction % 5, direction / 5 % 5, direction / 25].map(|digit| f64::from(digit) - 2.0);
                let next = [0, 1, 2].map(|axis| place[axis] + step * moves[axis]);
                let reached = value(next);
                if reached > best {
                    (place, best, improved) = (next, reached, true);
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        best
    }

    #[test]
    fn the_ratio_is_that_of_a_slow_search() {
        for index in 0..40 {
            let mut stream = stream(5, "ratio", index);
            let outcomes = [0; 5].map(|_| if stream.random_range(0..4) == 0 { 0 } else { stream.next_u64() % 400 });
            if outcomes.iter().sum::<u64>() == 0 {
                continue;
            }
            let h0 = stream.random_range(0.05..0.9);
            let h1 = stream.random_range(h0..0.95);
            let counts = outcomes.map(|seen| (seen as f64).max(UNSEEN));
            let slow = slow_log_likelihood(counts, h1) - slow_log_likelihood(counts, h0);
            let fast = test(h0, h1).log_likelihood_ratio(&outcomes);
            // What the regularisation adds to the number of pairs is the difference that is allowed.
            assert!((fast - slow).abs() < 1e-4 * slow.abs().max(1.0), "{outcomes:?} {h0} {h1}: {fast} {slow}");
        }
    }

    #[test]
    fn plain_cases_have_their_plain_ratios() {
        // Only whole wins: the most likely distribution with mean s has s on them, the rest on whole losses.
        let ratio = test(0.5, 0.6).log_likelihood_ratio(&[0, 0, 0, 0, 100]);
        assert!((ratio - 100.0 * (0.6f64 / 0.5).ln()).abs() < 0.01, "{ratio}");
        // Only wins and losses of whole pairs: a coin.
        let ratio = test(0.5, 0.6).log_likelihood_ratio(&[40, 0, 0, 0, 60]);
        let coin = 60.0 * (0.6f64 / 0.5).ln() + 40.0 * (0.4f64 / 0.5).ln();
        assert!((ratio - coin).abs() < 0.02, "{ratio} {coin}");
        // A player against itself splits every pair.
        assert_eq!(test(0.5, 0.51).decide(&[0, 0, 256, 0, 0]), Decision::AcceptH0);
        assert!(test(0.5, 0.51).log_likelihood_ratio(&[0; 5]).abs() <= 0.0);
        assert_eq!(test(0.5, 0.51).decide(&[0; 5]), Decision::Open);
    }

    #[test]
    fn changing_the_players_over_changes_the_sign() {
        for index in 0..300 {
            let mut stream = stream(6, "mirror", index);
            let outcomes = [0; 5].map(|_| stream.next_u64() % 10u64.pow(stream.random_range(0..7)));
            let mut mirrored = outcomes;
            mirrored.reverse();
            let (ratio, other) =
                (test(0.48, 0.53).log_likelihood_ratio(&outcomes), test(0.47, 0.52).log_likelihood_ratio(&mirrored));
            assert!((ratio + other).abs() <= 1e-9 * ratio.abs().max(1.0), "{outcomes:?}: {ratio} {other}");
        }
    }

    #[test]
    fn any_counts_have_a_finite_ratio() {
        let counts = [0, 1, 7, 100_000, 1 << 40, u64::MAX];
        for code in 0..counts.len().pow(5) {
            let outcomes = [0u32, 1, 2, 3, 4].map(|place| counts[code / counts.len().pow(place) % counts.len()]);
            for (h0, h1) in [(0.5, 0.51), (0.001, 0.999), (0.5, 0.5 + 1e-12)] {
                let ratio = test(h0, h1).log_likelihood_ratio(&outcomes);
                assert!(ratio.is_finite(), "{outcomes:?} {h0} {h1}: {ratio}");
            }
        }
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        for (h0, h1) in [(0.51, 0.5), (0.5, 0.5), (0.0, 0.5), (0.5, 1.0), (f64::NAN, 0.5), (0.5, f64::INFINITY)] {
            assert!(matches!(SequentialTest::new(h0, h1, 0.05, 0.05), Err(TestError::Hypotheses { .. })), "{h0} {h1}");
        }
        for rate in [0.0, 0.5, -0.1, f64::NAN] {
            assert!(matches!(SequentialTest::new(0.5, 0.51, rate, 0.05), Err(TestError::ErrorRate { .. })));
            assert!(matches!(SequentialTest::new(0.5, 0.51, 0.05, rate), Err(TestError::ErrorRate { .. })));
        }
        let [lower, upper] = test(0.5, 0.51).bounds();
        assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
    }

    /// Outcomes of two players of equal strength as matches have them, tilted to another mean.
    fn outcomes_with_mean(mean: f64) -> [f64; 5] {
        let equal = [0.165, 0.003, 0.664, 0.003, 0.165];
        let tilt = tilt_to_mean(&equal, mean);
        let mut place = 0;
        equal.map(|p| {
            place += 1;
            p / (1.0 + tilt * (SHARES[place - 1] - mean))
        })
    }

    /// How often simulated series end with (H0, H1) where the win rate is `mean`, and the pairs that they take on average.
    fn simulate(test: &SequentialTest, mean: f64, series: u64) -> ([u64; 2], f64) {
        let planted = outcomes_with_mean(mean);
        let mut ends = [0; 2];
        let mut pairs = 0;
        for index in 0..series {
            let mut stream = stream(mean.to_bits(), "series", index);
            let mut outcomes = [0u64; 5];
            while test.decide(&outcomes) == Decision::Open && outcomes.iter().sum::<u64>() < 100_000 {
                for _ in 0..PAIRS_PER_LOOK {
                    let mut draw: f64 = stream.random();
                    let outcome = planted.iter().position(|&p| {
                        draw -= p;
                        draw < 0.0
                    });
                    outcomes[outcome.unwrap_or(4)] += 1;
                }
            }
            ends[0] += u64::from(test.decide(&outcomes) == Decision::AcceptH0);
            ends[1] += u64::from(test.decide(&outcomes) == Decision::AcceptH1);
            pairs += outcomes.iter().sum::<u64>();
        }
        (ends, pairs as f64 / series as f64)
    }

    /// Whether `errors` of `series` are no more than chance makes of `rate`, and not so few that the test wastes its pairs.
    fn assert_rate(errors: u64, series: u64, rate: f64) {
        let (errors, expected) = (errors as f64, series as f64 * rate);
        let spread = (expected * (1.0 - rate)).sqrt();
        assert!(errors <= expected + 3.0 * spread && errors >= 0.8 * expected - 3.0 * spread, "{errors} of {expected}");
    }

    #[test]
    fn errors_are_as_rare_as_asked() {
        const SERIES: u64 = 1500;
        let even = test(0.5, 0.51);
        let ([right, wrong], pairs) = simulate(&even, 0.5, SERIES);
        assert_eq!(right + wrong, SERIES);
        assert_rate(wrong, SERIES, 0.05);
        assert!((4400.0..5200.0).contains(&pairs), "{pairs} at H0");
        let ([wrong, right], pairs) = simulate(&even, 0.51, SERIES);
        assert_eq!(right + wrong, SERIES);
        assert_rate(wrong, SERIES, 0.05);
        assert!((4500.0..5300.0).contains(&pairs), "{pairs} at H1");
        let (_, pairs) = simulate(&even, 0.505, SERIES / 3);
        assert!((7400.0..9400.0).contains(&pairs), "{pairs} halfway");
        // Error rates that differ, away from the middle.
        let uneven = SequentialTest::new(0.66, 0.68, 0.02, 0.1).unwrap();
        assert_rate(simulate(&uneven, 0.66, SERIES).0[1], SERIES, 0.02);
        assert_rate(simulate(&uneven, 0.68, SERIES).0[0], SERIES, 0.1);
    }
}
