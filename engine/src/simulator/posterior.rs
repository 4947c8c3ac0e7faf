//! Posterior means: the ranker's equity of each candidate, corrected by the playouts.
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
//! Equities are points and utilities mostly win probabilities, so a position has a *slope*, utility per point: the
//! regression of the utility on the gain over all playouts. It turns the variances of [`Prior`] to utilities, too. The
//! residuals of the playouts, without the means of candidates and deals, correct σ².

use super::settings::{PlayoutResult, Utility};
use crate::equity::Equity;
use crate::evaluator::Prior;

/// The playouts as which the σ² of the prior counts.
const NOISE_WEIGHT: f64 = 30.0;

/// A challenger's expected excess over the leader is at least this share of the first challenger's.
const LEAST_SHARE: f64 = 0.25;

/// The posterior of the candidates of one position, in utility.
#[derive(Clone, Debug)]
pub(super) struct Posterior {
    prior: Prior,
    utility: Utility,
    /// The ranker's equities in points.
    equities: Vec<f64>,
    rounds: Vec<Round>,
    line: Line,
    residuals: Residuals,
    /// The utility of a point.
    pub slope: f64,
    /// The estimate of each candidate.
    pub estimates: Vec<Estimate>,
}

/// The value of a candidate in utility, up to a constant for all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
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

/// The residuals of utilities without the means of candidates and deals.
#[derive(Clone, Copy, Debug, Default)]
struct Residuals {
    squares: f64,
    freedom: f64,
}

impl Posterior {
    /// The state before any playout, from the equities of the ranker. Until playouts say otherwise, a point has the utility `slope`.
    pub(crate) fn new(prior: Prior, utility: Utility, slope: f64, equities: impl IntoIterator<Item = Equity>) -> Posterior {
        let equities: Vec<f64> = equities.into_iter().map(Equity::points).collect();
        let (line, residuals) = (Line::default(), Residuals::default());
        let rounds = Vec::new();
        let mut posterior = Posterior { prior, utility, equities, rounds, line, residuals, slope, estimates: Vec::new() };
        posterior.update();
        posterior
    }

    /// Adds a round: `results` by deal, in the order of `candidates`. The candidates are different, and there is at least one deal.
    pub(crate) fn add(&mut self, candidates: &[usize], results: &[Vec<PlayoutResult>]) {
        let utilities: Vec<Vec<f64>> =
            results.iter().map(|deal| deal.iter().map(|reached| self.utility.value(reached) as f64).collect()).collect();
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

    /// The candidate of the highest posterior mean, the first of equals. `None` without candidates.
    pub(crate) fn leader(&self) -> Option<usize> {
        let means = self.estimates.iter().map(|estimate| estimate.mean);
        means.enumerate().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
    }

    /// How far a candidate is behind the leader, in points, and the standard error of that.
    pub(crate) fn behind(&self, candidate: usize) -> (f64, f64) {
        let Some(leader) = self.leader().filter(|&leader| leader != candidate) else { return (0.0, 0.0) };
        let [best, own] = [leader, candidate].map(|number| self.estimates[number]);
        ((best.mean - own.mean) / self.slope, (best.variance + own.variance).sqrt() / self.slope)
    }

    /// The expected excess of the first candidate over the second, counting 0 where it is worse, in points.
    pub(crate) fn expected_excess(&self, first: usize, second: usize) -> f64 {
        let [a, b] = [first, second].map(|number| self.estimates[number]);
        let spread = (a.variance + b.variance).sqrt();
        let behind = (b.mean - a.mean) / spread;
        let density = (-0.5 * behind * behind).exp() / std::f64::consts::TAU.sqrt();
        spread * (density - behind * normal_tail(behind)).max(0.0) / self.slope
    }

    /// The candidates with the greatest expected excess over the leader, with that excess in points: at most `most`, and
    /// each at least a quarter of the first one's.
    pub(crate) fn challengers(&self, leader: usize, most: usize) -> Vec<(usize, f64)> {
        let rivals = (0..self.estimates.len()).filter(|&candidate| candidate != leader);
        let mut rivals: Vec<(usize, f64)> =
            rivals.map(|candidate| (candidate, self.expected_excess(candidate, leader))).collect();
        rivals.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let least = LEAST_SHARE * rivals.first().map_or(0.0, |rival| rival.1);
        rivals.retain(|rival| rival.1 >= least);
        rivals.truncate(most);
        rivals
    }

    /// Computes the estimates from all rounds, because each round changes the slope and the noise.
    fn update(&mut self) {
        self.slope = self.line.slope().unwrap_or(self.slope).max(self.utility.least_per_point());
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

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt};

    use super::*;
    use crate::rng::stream;

    const PRIOR: Prior = Prior { bag: 93, variance: 10.0, noise: 250.0 };

    fn normal(stream: &mut impl Rng, variance: f64) -> f64 {
        variance.sqrt() * ((0..12).map(|_| stream.random::<f64>()).sum::<f64>() - 6.0)
    }

    /// A result whose win probability is 1 % for each point of gain about one half.
    fn result(points: f64) -> PlayoutResult {
        let gain = Equity::from_fractional_points(points);
        let win_probability = 500_000_000 + i64::from(gain.0) * 10_000;
        PlayoutResult { win_probability, gain, next_bingos: [false; 2], next_scores: [0; 2] }
    }

    /// Equities, values about them, and deals on which every candidate was tried.
    struct World {
        equities: Vec<Equity>,
        values: Vec<f64>,
        deals: Vec<Vec<PlayoutResult>>,
    }

    fn world(draws: &mut impl Rng, candidates: usize, deals: usize) -> World {
        let equities: Vec<Equity> = (0..candidates).map(|_| Equity::from_fractional_points(normal(draws, 30.0))).collect();
        let values: Vec<f64> = equities.iter().map(|equity| equity.points() + normal(draws, PRIOR.variance)).collect();
        let deals = (0..deals)
            .map(|_| {
                let luck = normal(draws, 900.0);
                values.iter().map(|value| result(value + luck + normal(draws, PRIOR.noise))).collect()
            })
            .collect();
        World { equities, values, deals }
    }

    fn posterior(world: &World, utility: Utility) -> Posterior {
        Posterior::new(PRIOR, utility, 1000.0, world.equities.iter().copied())
    }

    #[test]
    fn one_round_draws_the_means_to_the_equities() {
        let world = world(&mut stream(1, "test", 0), 5, 12);
        let mut posterior = posterior(&world, Utility::Spread);
        posterior.add(&[0, 1, 2, 3, 4], &world.deals);
        let mean = |number: usize| world.deals.iter().map(|deal| deal[number].gain.points()).sum::<f64>() / 12.0;
        let noise = posterior.residuals.variance(PRIOR.noise * 1e6) / 1e6;
        let share = PRIOR.variance / (PRIOR.variance + noise / 12.0);
        for other in 1..5 {
            let played = mean(0) - mean(other);
            let equities = (world.equities[0] - world.equities[other]).points();
            let expected = equities + share * (played - equities);
            let [one, two] = [0, other].map(|number| posterior.estimates[number].mean / 1e3);
            assert!((one - two - expected).abs() < 1e-6, "{one} {two} {expected}");
        }
        // In win probability, where a point counts 1 % here, it is the same but for the noise that the rounding leaves.
        let mut wins = self::posterior(&world, Utility::Win);
        wins.add(&[0, 1, 2, 3, 4], &world.deals);
        assert!((wins.slope - 10_010_000.0).abs() < 1.0, "{}", wins.slope);
        let points = |posterior: &Posterior| {
            let [one, two] = [0, 1].map(|number| posterior.estimates[number].mean / posterior.slope);
            one - two
        };
        assert!((points(&wins) - points(&posterior)).abs() < 1e-3);
    }

    #[test]
    fn two_rounds_of_the_same_candidates_are_one() {
        let world = world(&mut stream(2, "test", 0), 4, 20);
        let (mut once, mut twice) = (posterior(&world, Utility::Spread), posterior(&world, Utility::Spread));
        let all = [0, 1, 2, 3];
        once.add(&all, &world.deals);
        twice.add(&all, &world.deals[..6]);
        twice.add(&all, &world.deals[6..]);
        // The noise differs a little, because the means of each round are taken out of it.
        for (one, two) in once.estimates.iter().zip(&twice.estimates) {
            let [one, two] = [one, two].map(|estimate| estimate.mean - once.estimates[0].mean);
            assert!((one - two).abs() < 600.0, "{one} {two}");
        }
    }

    /// The probability that the first candidate is better than the second.
    fn chance(posterior: &Posterior, first: usize, second: usize) -> f64 {
        let [a, b] = [first, second].map(|number| posterior.estimates[number]);
        normal_tail((b.mean - a.mean) / (a.variance + b.variance).sqrt())
    }

    #[test]
    fn chances_are_what_they_say() {
        let mut draws = stream(3, "test", 0);
        let mut tenths = [(0.0, 0.0, 0.0); 10];
        let (mut foreseen, mut excess) = (0.0, 0.0);
        for _ in 0..4000 {
            let world = world(&mut draws, 6, 30);
            let mut posterior = posterior(&world, Utility::Win);
            // First all, then those that are left a chance.
            posterior.add(&[0, 1, 2, 3, 4, 5], &world.deals[..8]);
            let leader = posterior.leader().unwrap();
            let running: Vec<usize> =
                (0..6).filter(|&other| other == leader || chance(&posterior, other, leader) > 0.1).collect();
            let deals: Vec<_> =
                world.deals[8..].iter().map(|deal| running.iter().map(|&number| deal[number]).collect()).collect();
            posterior.add(&running, &deals);
            let leader = posterior.leader().unwrap();
            for other in (0..6).filter(|&other| other != leader) {
                let chance = chance(&posterior, other, leader);
                let ahead = world.values[other] - world.values[leader];
                let tenth = &mut tenths[((chance * 10.0) as usize).min(9)];
                *tenth = (tenth.0 + 1.0, tenth.1 + chance, tenth.2 + f64::from(ahead > 0.0));
                foreseen += posterior.expected_excess(other, leader);
                excess += ahead.max(0.0);
            }
        }
        for (count, chances, came) in tenths.into_iter().filter(|tenth| tenth.0 > 200.0) {
            let chance = chances / count;
            let error = (count * chance * (1.0 - chance)).sqrt();
            assert!((came - chances).abs() < 3.5 * error + 0.01 * count, "{count} of {chance} came {}", came / count);
        }
        assert!((excess / foreseen - 1.0).abs() < 0.1, "{excess} {foreseen}");
    }

    #[test]
    fn with_few_playouts_the_posterior_chooses_better_than_means_and_equities() {
        let mut draws = stream(4, "test", 0);
        let [mut by_posterior, mut by_mean, mut by_equity] = [0.0; 3];
        for _ in 0..600 {
            let world = world(&mut draws, 8, 10);
            let mut posterior = posterior(&world, Utility::Spread);
            posterior.add(&[0, 1, 2, 3, 4, 5, 6, 7], &world.deals);
            let total = |number: usize| world.deals.iter().map(|deal| deal[number].gain.0).sum::<i32>();
            by_posterior += world.values[posterior.leader().unwrap()];
            by_mean += world.values[(0..8).max_by_key(|&number| total(number)).unwrap()];
            by_equity += world.values[(0..8).max_by_key(|&number| world.equities[number]).unwrap()];
        }
        assert!(by_posterior > by_mean + 150.0 && by_posterior > by_equity + 150.0, "{by_posterior} {by_mean} {by_equity}");
    }

    #[test]
    fn the_tail_of_the_normal_distribution() {
        for (z, tail) in [(0.0, 0.5), (1.0, 0.158_655_25), (-1.0, 0.841_344_75), (3.0, 0.001_349_9)] {
            assert!((normal_tail(z) - tail).abs() < 1e-6, "{z}");
        }
    }

    #[test]
    fn residuals_have_the_variance_worked_by_hand() {
        // Means 3 and 2. The deals are −½, 1½ and −1 away from their mean, and the candidates 1½, ½ and 1 from that.
        let mut residuals = Residuals::default();
        residuals.add(&[vec![1.0, 3.0], vec![5.0, 3.0], vec![3.0, 0.0]], &[3.0, 2.0]);
        assert_eq!((residuals.squares, residuals.freedom), (7.0, 2.0));
        assert!((residuals.variance(3.5) - 3.5).abs() < 1e-12);
    }

    #[test]
    fn a_round_leaves_the_variance_worked_by_hand() {
        // Noise 250 with 30 degrees of freedom, and no residuals: 250 × 30 / (30 + 1 × 1) over two deals.
        let mut posterior = Posterior::new(PRIOR, Utility::Spread, 1000.0, [Equity::ZERO; 2]);
        posterior.add(&[0, 1], &[vec![result(4.0), result(0.0)], vec![result(6.0), result(2.0)]]);
        let error = 250.0 * 30.0 / 31.0 / 2.0;
        let share = PRIOR.variance / (PRIOR.variance + error);
        for (estimate, mean) in posterior.estimates.iter().zip([2.0 * share, -2.0 * share]) {
            assert!((estimate.mean / 1e3 - mean).abs() < 1e-9, "{estimate:?}");
            assert!((estimate.variance / 1e6 - PRIOR.variance * (1.0 - share)).abs() < 1e-9, "{estimate:?}");
        }
        let (behind, error) = posterior.behind(1);
        assert!((behind - 4.0 * share).abs() < 1e-9 && (error.powi(2) - 2.0 * PRIOR.variance * (1.0 - share)).abs() < 1e-9);
        assert_eq!(posterior.behind(0), (0.0, 0.0));
    }

    #[test]
    fn those_who_are_known_well_tell_most_of_the_luck_of_a_round() {
        // Candidates 0 and 1 in one round, which their means of 1 and −1 point leave without luck; then 0 and 2, with 5 points and none.
        let mut posterior = Posterior::new(PRIOR, Utility::Spread, 1000.0, [Equity::ZERO; 3]);
        posterior.add(&[0, 1], &vec![vec![result(1.0), result(-1.0)]; 2]);
        posterior.add(&[0, 2], &vec![vec![result(5.0), result(0.0)]; 2]);
        let error = 250.0 * 30.0 / 32.0 / 2.0;
        let share = |variance: f64| variance / (variance + error);
        let (mean, variance) = (share(PRIOR.variance), PRIOR.variance * (1.0 - share(PRIOR.variance)));
        let [known, unknown] = [variance, PRIOR.variance].map(|variance| 1.0 / (variance + error));
        let luck = known * (5.0 - mean) / (known + unknown);
        let expected = [mean + share(variance) * (5.0 - luck - mean), -mean, -share(PRIOR.variance) * luck];
        for (estimate, expected) in posterior.estimates.iter().zip(expected) {
            assert!((estimate.mean / 1e3 - expected).abs() < 1e-9, "{estimate:?} {expected}");
        }
    }
}
