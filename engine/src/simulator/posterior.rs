//! Posterior means: what the ranker said of each candidate, corrected by the playouts.
//!
//! A mean over few playouts errs by more than the ranker does. So the value of a candidate is taken to be normally distributed about
//! the ranker's equity with variance τ², and the mean over n playouts about that value with variance σ²/n. All candidates of a round
//! are tried on the same deals, and share the luck of those deals. With the luck taken out, the posterior mean is
//!
//! ```text
//! equity + κ · (playouts − equity)        κ = τ² / (τ² + σ² / n)
//! ```
//!
//! Rounds differ in the candidates that they try. Each moves the posterior of the round before, and the luck of its deals is estimated
//! from all its candidates, each with the weight 1 / (variance so far + σ² / n).
//!
//! Equities are points and utilities mostly win probabilities, so a position has a *slope*, utility per point: the regression of the
//! utility on the gain over all playouts. It turns the variances of [`Prior`] to utilities, too. What is left of the playouts without
//! the means of candidates and deals corrects σ².

use super::playout_result::PlayoutResult;
use super::settings::{Prior, Utility};
use crate::equity::Equity;

/// The playouts as which the σ² of the prior counts.
const NOISE_WEIGHT: f64 = 30.0;

/// What is known of the candidates of one position, in utility.
#[derive(Clone, Debug)]
pub struct Posterior {
    prior: Prior,
    utility: Utility,
    /// The ranker's equities in points.
    equities: Vec<f64>,
    rounds: Vec<Round>,
    line: Line,
    residuals: Residuals,
    slope: f64,
    estimates: Vec<Estimate>,
}

/// The value of a candidate, up to what is the same for all, in utility.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The posterior mean.
    pub mean: f64,
    /// The posterior variance.
    pub variance: f64,
}

/// Deals that the same candidates were tried on.
#[derive(Clone, Debug)]
struct Round {
    deals: f64,
    /// The candidates with their mean utilities.
    means: Vec<(usize, f64)>,
}

/// Sums for the regression of utility on gain.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    count: f64,
    gains: f64,
    utilities: f64,
    gains_squared: f64,
    products: f64,
}

/// What is left of utilities without the means of candidates and deals.
#[derive(Clone, Copy, Debug, Default)]
struct Residuals {
    squares: f64,
    freedom: f64,
}

impl Posterior {
    /// The state before any playout, from the equities of the ranker.
    pub fn new(prior: Prior, utility: Utility, equities: impl IntoIterator<Item = Equity>) -> Posterior {
        let equities: Vec<f64> = equities.into_iter().map(Equity::points).collect();
        let (line, residuals) = (Line::default(), Residuals::default());
        let mut posterior =
            Posterior { prior, utility, equities, rounds: Vec::new(), line, residuals, slope: 0.0, estimates: Vec::new() };
        posterior.update();
        posterior
    }

    /// Adds a round: `results` by deal, in the order of `candidates`. The candidates are different, and there is at least one deal.
    pub fn add(&mut self, candidates: &[usize], results: &[Vec<PlayoutResult>]) {
        let utilities: Vec<Vec<f64>> = results
            .iter()
            .map(|deal| deal.iter().map(|reached| self.utility.value(reached) as f64).collect())
            .collect();
        for (result, &utility) in results.iter().flatten().zip(utilities.iter().flatten()) {
            self.line.add(result.gain.points(), utility);
        }
        let deals = results.len() as f64;
        let of = |number: usize| utilities.iter().map(|deal| deal[number]).sum::<f64>() / deals;
        let means: Vec<f64> = (0..candidates.len()).map(of).collect();
        self.residuals.add(&utilities, &means);
        self.rounds.push(Round { deals, means: candidates.iter().copied().zip(means).collect() });
        self.update();
    }

    /// What is known of each candidate.
    pub fn estimates(&self) -> &[Estimate] {
        &self.estimates
    }

    /// The utility of a point.
    pub fn slope(&self) -> f64 {
        self.slope
    }

    /// The candidate of the highest posterior mean, the first of equals; `None` without candidates.
    pub fn leader(&self) -> Option<usize> {
        let means = self.estimates.iter().map(|estimate| estimate.mean);
        means.enumerate().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
    }

    /// The probability that the first candidate is better than the second.
    pub fn chance(&self, first: usize, second: usize) -> f64 {
        let [a, b] = [first, second].map(|number| self.estimates[number]);
        normal_tail((b.mean - a.mean) / (a.variance + b.variance).sqrt())
    }

    /// What the first candidate is expected to be better than the second by, counting 0 where it is worse, in points.
    pub fn expected_excess(&self, first: usize, second: usize) -> f64 {
        let [a, b] = [first, second].map(|number| self.estimates[number]);
        let spread = (a.variance + b.variance).sqrt();
        let behind = (b.mean - a.mean) / spread;
        let density = (-0.5 * behind * behind).exp() / std::f64::consts::TAU.sqrt();
        spread * (density - behind * normal_tail(behind)).max(0.0) / self.slope
    }

    /// Computes the estimates from all rounds, because each round changes the slope and the noise.
    fn update(&mut self) {
        self.slope = self.line.slope().unwrap_or(1.0).max(self.utility.least_per_point());
        let squared = self.slope * self.slope;
        let noise = self.residuals.variance(self.prior.noise * squared);
        let before = |&equity: &f64| Estimate { mean: self.slope * equity, variance: self.prior.variance * squared };
        self.estimates = self.equities.iter().map(before).collect();
        for Round { deals, means } in &self.rounds {
            let error = noise / deals;
            let weight = |number: usize| 1.0 / (self.estimates[number].variance + error);
            let weights: f64 = means.iter().map(|&(number, _)| weight(number)).sum();
            let ahead = means.iter().map(|&(number, mean)| weight(number) * (mean - self.estimates[number].mean));
            let luck = ahead.sum::<f64>() / weights;
            for &(number, mean) in means {
                let estimate = &mut self.estimates[number];
                let share = estimate.variance / (estimate.variance + error);
                estimate.mean += share * (mean - luck - estimate.mean);
                estimate.variance *= 1.0 - share;
            }
        }
    }
}

impl Line {
    fn add(&mut self, gain: f64, utility: f64) {
        self.count += 1.0;
        self.gains += gain;
        self.utilities += utility;
        self.gains_squared += gain * gain;
        self.products += gain * utility;
    }

    fn slope(&self) -> Option<f64> {
        let spread = self.gains_squared - self.gains * self.gains / self.count;
        (spread > 1e-6).then(|| (self.products - self.gains * self.utilities / self.count) / spread)
    }
}

impl Residuals {
    fn add(&mut self, utilities: &[Vec<f64>], means: &[f64]) {
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        for deal in utilities {
            let luck = deal.iter().sum::<f64>() / deal.len() as f64 - mean;
            self.squares += deal.iter().zip(means).map(|(utility, mean)| (utility - mean - luck).powi(2)).sum::<f64>();
        }
        self.freedom += (means.len() as f64 - 1.0) * (utilities.len() as f64 - 1.0);
    }

    /// The variance, drawn to `expected`.
    fn variance(&self, expected: f64) -> f64 {
        (NOISE_WEIGHT * expected + self.squares) / (NOISE_WEIGHT + self.freedom)
    }
}

/// The probability that a standard normal variable exceeds `z`.
fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2)
}
