//! The value of every rack by least squares with partial pooling.
//!
//! The model of a rack's mean best equity is its prior value (from an earlier generation, or 0), plus one
//! coefficient for each distinct sub-multiset of up to three tiles (E, EE, ER, ERS, …), plus an effect of the rack itself:
//!
//! ```text
//! minimise Σ over racks R of w(R) (ȳ(R) − p(R) − Σ over T ⊆ R of β(T))² + Σ over T of (β(T) / s(|T|))²
//! with w(R) = 1 / (τ² + σ² / n(R))
//! ```
//!
//! where ȳ is the mean of the observations, p the prior value, σ the standard deviation of one observation of a rack, τ the
//! standard deviation of the rack effects, and s(k) the prior standard deviation of the coefficients of order k, all in
//! points. σ is estimated from racks observed more than once, τ from the common part of two observations of a rack. A search
//! on racks held out of the fit chooses s. An observed rack then keeps the share τ² / (τ² + σ² / n) of its residual
//! (empirical Bayes). A rack that was never observed gets the value that its tiles and the prior predict.

use faer::linalg::solvers::Llt;
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Mat, Par};
use rand_distr::{Distribution, StandardNormal};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};
use tilewright_engine::rng::stream;

use self::normal_equations::{Features, NormalEquations, Row, Search, Weighing, mean_squared_error, sum_of};
use super::lattice::Lattice;
use crate::rack_values::{RackValue, RackValues};

mod normal_equations;

pub use normal_equations::{FitError, ORDERS, Strengths};

/// Draws from the posterior that are computed together.
pub const DRAWS: usize = 4;
/// One rack in this many is held out while the strengths are chosen.
const HELD_OUT: u32 = 5;
/// The most held-out racks that the search uses.
const MAX_HELD_OUT: usize = 50_000;
/// The most racks that the coefficients are fitted to. Of more racks, the fit takes an evenly spaced sample.
const MAX_ROWS: usize = 400_000;
/// The fewest distinct racks for a fit, unless the tile set has fewer.
const LEAST_RACKS: usize = 100;
/// Racks per parallel task.
const CHUNK: usize = 4096;

/// The estimates of the fit, in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FitReport {
    /// Observations: turns of self-play.
    pub observations: u64,
    /// Distinct racks that were observed.
    pub racks: usize,
    /// Coefficients fitted.
    pub coefficients: usize,
    /// σ: standard deviation of one observation of a rack.
    pub noise: f64,
    /// τ: standard deviation of the rack effects.
    pub rack_effect: f64,
    /// s: prior standard deviation of the coefficients of order 1, 2, …, one per fitted order.
    pub strengths: Vec<f64>,
    /// Root of the weighted mean squared error on held-out racks.
    pub held_out_error: f64,
    /// The same error if only the prior and the mean difference from it are used.
    pub held_out_error_of_prior: f64,
}

#[cfg(test)]
impl FitReport {
    /// A report for the tests of other modules.
    pub(super) fn of_nothing() -> FitReport {
        FitReport {
            observations: 1,
            racks: 1,
            coefficients: 1,
            noise: 0.0,
            rack_effect: 0.0,
            strengths: vec![8.0, 4.0, 2.0],
            held_out_error: 0.0,
            held_out_error_of_prior: 0.0,
        }
    }
}

/// The choices of the search on held-out racks, with which the model is fitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FitChoice {
    /// σ², τ²: square points.
    noise: f64,
    effect: f64,
    strengths: [f64; ORDERS],
    held_out_error: f64,
    held_out_error_of_prior: f64,
}

/// A fitted model, which gives every rack a value.
pub struct Fit<'a> {
    lattice: &'a Lattice,
    weighing: Weighing<'a>,
    data: &'a RackValues,
    factor: Llt<f64>,
    coefficients: Vec<f64>,
    /// Estimates and errors.
    pub report: FitReport,
}

/// Estimates from the data before any fit: σ², and the variance of rack means about the prior, in square points.
fn moments(data: &RackValues, prior: &[i32]) -> (f64, f64) {
    let (mut within, mut repeats, mut sum, mut squares) = (0.0, 0.0, 0.0, 0.0);
    for entry in data.entries() {
        let count = f64::from(entry.count);
        within += (entry.squares as f64 / 1e6 - entry.mean().powi(2) * count).max(0.0);
        repeats += count - 1.0;
        let above = entry.mean() - f64::from(prior[entry.rack as usize]) / 1000.0;
        sum += above;
        squares += above.powi(2);
    }
    let racks = data.entries().len() as f64;
    let total = (squares / racks - (sum / racks).powi(2)).max(1.0);
    // Too few racks were observed twice to separate noise from effect, and most of the variance is noise.
    let noise = if repeats < 30.0 { 0.8 * total } else { (within / repeats).max(1.0) };
    (noise, total)
}

/// A hash of a rack's number, independent of its tiles.
fn scattered(rack: u32) -> u32 {
    rack.wrapping_mul(0x9e37_79b1) ^ rack.wrapping_mul(0x85eb_ca6b) >> 15
}

/// Whether a rack is held out while the strengths are chosen.
fn is_held_out(rack: u32) -> bool {
    scattered(rack) >> 16 & 0xffff < 0x1_0000 / HELD_OUT
}

/// The entries that `wanted` accepts. Of more than `most` entries, an evenly spaced sample.
fn choice(data: &RackValues, most: usize, wanted: impl Fn(&RackValue) -> bool) -> Vec<&RackValue> {
    let entries: Vec<&RackValue> = data.entries().iter().filter(|&entry| wanted(entry)).collect();
    let (len, most) = (entries.len() as u64, most as u64);
    let in_choice = |at: u64| at * most / len != (at + 1) * most / len;
    let chosen = (0..).zip(entries).filter(|&(at, _)| len <= most || in_choice(at));
    chosen.map(|(_, entry)| entry).collect()
}

impl<'a> Fit<'a> {
    /// Chooses the strengths and the effect of racks. `prior` has the prior value of each full rack, in thousandths of a
    /// point. `orders` is the number of tiles in the largest sub-multisets with a coefficient, at most [`ORDERS`]. The
    /// search begins with `start`.
    ///
    /// # Errors
    /// [`FitError`].
    ///
    /// # Cost
    /// Three orders in English have 3,909 columns: about four trials of 1 CPU-second each, and 122 MB per matrix.
    pub fn choose(
        data: &RackValues,
        prior: &[i32],
        lattice: &Lattice,
        orders: usize,
        start: Strengths,
    ) -> Result<FitChoice, FitError> {
        let orders = orders.min(lattice.ranking.max_size());
        let features = Features::new(&lattice.ranking, orders);
        let racks = data.entries().len();
        if racks < LEAST_RACKS.min(lattice.racks().len()) {
            return Err(FitError::TooFew { racks });
        }
        let (noise, total) = moments(data, prior);
        let weighing = Weighing { prior, noise, effect: noise / 4.0 };
        let weigh =
            |entries: Vec<&RackValue>| -> Vec<Row> { entries.into_iter().map(|entry| weighing.row(entry)).collect() };
        let rows = weigh(choice(data, MAX_ROWS, |entry| !is_held_out(entry.rack)));
        let held_out = weigh(choice(data, MAX_HELD_OUT, |entry| is_held_out(entry.rack)));
        if rows.is_empty() || held_out.is_empty() {
            return Err(FitError::TooAlike);
        }
        let sums = NormalEquations::from_rows(&rows, &features);
        let search =
            Search { sums: &sums, features: &features, held_out: &held_out, unit_variance: weighing.unit_variance() };
        let chosen = search.run(start, orders)?;
        let mean = sums.mean();
        let held_out_error_of_prior = mean_squared_error(&held_out, &features, |_| mean).sqrt();
        let effect = own_effect(data, prior, &features, &chosen.coefficients);
        let effect = effect.clamp(0.001 * noise, total.max(0.02 * noise));
        let Strengths(strengths) = chosen.strengths;
        Ok(FitChoice { noise, effect, strengths, held_out_error: chosen.error.sqrt(), held_out_error_of_prior })
    }

    /// Fits rack values with a choice that was made for the same values.
    ///
    /// # Errors
    /// [`FitError`].
    ///
    /// # Cost
    /// That of one trial of [`Fit::choose`].
    pub fn new(
        data: &'a RackValues,
        prior: &'a [i32],
        lattice: &'a Lattice,
        orders: usize,
        chosen: &FitChoice,
    ) -> Result<Fit<'a>, FitError> {
        let orders = orders.min(lattice.ranking.max_size());
        let features = Features::new(&lattice.ranking, orders);
        let FitChoice { noise, effect, strengths, held_out_error, held_out_error_of_prior } = *chosen;
        let weighing = Weighing { prior, noise, effect };
        let rows: Vec<Row> = choice(data, MAX_ROWS, |_| true).into_iter().map(|entry| weighing.row(entry)).collect();
        let sums = NormalEquations::from_rows(&rows, &features);
        let (factor, coefficients) =
            sums.solve(&features, features.len(), &Strengths(strengths), weighing.unit_variance())?;
        let report = FitReport {
            observations: data.turns(),
            racks: data.entries().len(),
            coefficients: features.len(),
            noise: noise.sqrt(),
            rack_effect: effect.sqrt(),
            strengths: strengths[..orders].to_vec(),
            held_out_error,
            held_out_error_of_prior,
        };
        Ok(Fit { lattice, weighing, data, factor, coefficients, report })
    }

    /// The value of every full rack, in thousandths of a point, by its number among them.
    pub fn rack_values(&self) -> Vec<i32> {
        let mut predicted: Vec<[f64; 1]> = vec![[0.0]; self.lattice.ranking.len()];
        predicted.iter_mut().zip(&self.coefficients).for_each(|(value, &coefficient)| value[0] = coefficient);
        self.lattice.sum_over_parts(&mut predicted);
        let predicted = &predicted[self.lattice.racks()];
        let mut values: Vec<i32> =
            predicted.iter().zip(self.weighing.prior).map(|(value, &prior)| prior + value[0].round() as i32).collect();
        for entry in self.data.entries() {
            let rack = entry.rack as usize;
            let residual = self.weighing.above_prior(entry) - predicted[rack][0];
            values[rack] += (self.own_weight(entry) * residual).round() as i32;
        }
        values
    }

    /// Draws [`DRAWS`] times from the posterior of all rack values and returns the deviations from its mean, in points: the
    /// joint error of the coefficients plus the error of each rack effect. There is one entry per number of the lattice,
    /// but only the entries of full racks are meant for use. Each `batch` gives other draws.
    pub fn posterior_deviations(&self, seed: u64, batch: u64) -> Vec<[f64; DRAWS]> {
        let columns = self.coefficients.len();
        let mut normals = stream(seed, "posterior coefficients", batch);
        let mut drawn = Mat::from_fn(columns, DRAWS, |_, _| StandardNormal.sample(&mut normals));
        solve_upper_triangular_in_place(self.factor.L().transpose(), drawn.as_mut(), Par::Seq);
        let scale = self.weighing.unit_variance().sqrt();
        let mut deviations = vec![[0.0; DRAWS]; self.lattice.ranking.len()];
        for (column, deviation) in deviations[..columns].iter_mut().enumerate() {
            *deviation = std::array::from_fn(|draw| drawn[(column, draw)] * scale);
        }
        self.lattice.sum_over_parts(&mut deviations);
        deviations[self.lattice.racks()].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, deviations)| {
            let first = (chunk * CHUNK) as u32;
            let seen = self.data.entries();
            let mut seen = seen[seen.partition_point(|entry| entry.rack < first)..].iter().peekable();
            let mut own = stream(seed, "posterior racks", (batch << 32) + chunk as u64);
            for (rack, deviation) in (first..).zip(deviations) {
                let entry = seen.next_if(|entry| entry.rack == rack);
                let free = 1.0 - entry.map_or(0.0, |entry| self.own_weight(entry));
                let scale = (free * self.weighing.effect).sqrt();
                *deviation = deviation.map(|sum| {
                    let effect: f64 = StandardNormal.sample(&mut own);
                    free * sum + scale * effect
                });
            }
        });
        deviations
    }

    /// The share of its residual that an observed rack keeps.
    fn own_weight(&self, entry: &RackValue) -> f64 {
        let Weighing { effect, noise, .. } = self.weighing;
        effect / (effect + noise / f64::from(entry.count))
    }
}

/// Estimates τ², the variance that the coefficients do not explain, in square points, from held-out racks.
///
/// The product of two residuals of a rack with independent noise estimates its squared effect, so any two turns of a rack are taken.
fn own_effect(data: &RackValues, prior: &[i32], features: &Features, coefficients: &[f64]) -> f64 {
    let mut columns = Vec::new();
    let (mut effects, mut pairs) = (0.0, 0.0);
    for entry in choice(data, MAX_ROWS, |entry| is_held_out(entry.rack) && entry.count > 1) {
        features.columns(entry.rack, &mut columns);
        let expected = sum_of(coefficients, &columns) + f64::from(prior[entry.rack as usize]);
        let count = f64::from(entry.count);
        let sum = entry.sum as f64 - count * expected;
        let squares = entry.squares as f64 - 2.0 * expected * entry.sum as f64 + count * expected * expected;
        effects += sum * sum - squares;
        pairs += count * (count - 1.0);
    }
    if pairs > 0.0 { effects / pairs / 1e6 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use tilewright_engine::tileset::TileSet;

    use super::*;

    /// A tile set of 12 kinds and 45 tiles with racks of 6: ten thousand racks.
    fn tileset() -> TileSet {
        let letters: String = (0..11u8)
            .map(|kind| {
                let (letter, vowel) = (char::from(b'A' + kind), kind % 4 == 0);
                format!("{{ letter = \"{letter}\", count = {}, value = 1, vowel = {vowel} }},\n", 3 + kind % 3)
            })
            .collect();
        let tiles: u8 = (0..11).map(|kind| 3 + kind % 3).sum();
        let text = format!(
            "name = \"fit\"\nboard = \"standard\"\ntotal_tiles = {}\ntotal_points = {tiles}\nblanks = 2\nletters = [\n{letters}]\n\
             [rules]\nrack_size = 6\nbingo_bonus = 50\nexchange_minimum = 6\n",
            tiles + 2
        );
        TileSet::from_toml(&text, "fit").unwrap()
    }

    fn fitted<'a>(data: &'a RackValues, prior: &'a [i32], lattice: &'a Lattice) -> Result<Fit<'a>, FitError> {
        let chosen = Fit::choose(data, prior, lattice, ORDERS, Strengths::default())?;
        Fit::new(data, prior, lattice, ORDERS, &chosen)
    }

    /// The true value of each rack, in points: tiles, pairs and an effect of its own.
    fn planted(lattice: &Lattice, effect: f64) -> Vec<f64> {
        let mut draws = stream(7, "planted", 0);
        let mut normal = |deviation: f64| deviation * Distribution::<f64>::sample(&StandardNormal, &mut draws);
        let mut values: Vec<[f64; 1]> = (0..lattice.ranking.len())
            .map(|index| match lattice.ranking.unrank(index).size() {
                1 => [normal(6.0)],
                2 => [normal(3.0)],
                _ => [0.0],
            })
            .collect();
        lattice.sum_over_parts(&mut values);
        values[lattice.racks()].iter().map(|value| 40.0 + value[0] + normal(effect)).collect()
    }

    /// `turns` observations of racks chosen at random, each with this noise.
    fn observed(truth: &[f64], turns: usize, noise: f64, name: u64) -> RackValues {
        let mut draws = stream(8, "observed", name);
        let observe = |_| {
            let rack = draws.random_range(0..truth.len());
            let error: f64 = StandardNormal.sample(&mut draws);
            (rack as u32, (1000.0 * (truth[rack] + noise * error)).round() as i32)
        };
        RackValues::tally((0..turns).map(observe).collect())
    }

    fn error(values: &[i32], truth: &[f64]) -> f64 {
        let squares = values.iter().zip(truth).map(|(&value, truth)| (f64::from(value) / 1000.0 - truth).powi(2));
        (squares.sum::<f64>() / truth.len() as f64).sqrt()
    }

    #[test]
    fn noise_and_effects_are_recovered_and_the_intervals_cover() {
        let lattice = Lattice::new(&tileset());
        let (effect, noise) = (3.0, 12.0);
        let truth = planted(&lattice, effect);
        let data = observed(&truth, 6 * truth.len(), noise, 0);
        let prior = vec![0; truth.len()];
        let fit = fitted(&data, &prior, &lattice).unwrap();
        assert!((fit.report.noise - noise).abs() < 0.4, "{:?}", fit.report);
        assert!((fit.report.rack_effect - effect).abs() < 0.9, "{:?}", fit.report);
        let values = fit.rack_values();
        // Six observations alone leave an error of 12 / √6 = 4.9, the model alone one of 3.
        let fitted = error(&values, &truth);
        assert!(fitted < 2.9, "{fitted}");
        let mut variances = vec![0.0; truth.len()];
        for batch in 0..25 {
            for (variance, draws) in variances.iter_mut().zip(&fit.posterior_deviations(1, batch)[lattice.racks()]) {
                *variance += draws.map(|draw| draw * draw / 100.0).iter().sum::<f64>();
            }
        }
        let inside =
            |rack: &usize| (f64::from(values[*rack]) / 1000.0 - truth[*rack]).abs() < 1.96 * variances[*rack].sqrt();
        let share = (0..truth.len()).filter(inside).count() as f64 / truth.len() as f64;
        assert!((0.92..0.98).contains(&share), "{share} {:?}", fit.report);
    }

    #[test]
    fn a_good_prior_leaves_little_to_learn() {
        let lattice = Lattice::new(&tileset());
        let truth = planted(&lattice, 3.0);
        let data = observed(&truth, truth.len(), 12.0, 1);
        let right: Vec<i32> = truth.iter().map(|value| (1000.0 * (value - 40.0)).round() as i32).collect();
        let fit = fitted(&data, &right, &lattice).unwrap();
        assert!(error(&fit.rack_values(), &truth) < 1.0, "{:?}", fit.report);
        let nothing = vec![0; truth.len()];
        let without = fitted(&data, &nothing, &lattice).unwrap();
        assert!(error(&without.rack_values(), &truth) > 2.0);
    }

    #[test]
    fn too_few_racks_are_reported() {
        let lattice = Lattice::new(&tileset());
        let truth = planted(&lattice, 1.0);
        let prior = vec![0; truth.len()];
        let data = observed(&truth, 50, 1.0, 2);
        let fit = fitted(&data, &prior, &lattice);
        assert!(matches!(fit.err(), Some(FitError::TooFew { racks }) if racks <= 50));
    }

    #[test]
    fn the_weight_of_a_racks_own_mean_grows_with_its_observations() {
        let lattice = Lattice::new(&tileset());
        let truth = planted(&lattice, 3.0);
        let data = observed(&truth, 3 * truth.len(), 12.0, 2);
        let prior = vec![0; truth.len()];
        let fit = fitted(&data, &prior, &lattice).unwrap();
        let odds = |count| {
            let weight = fit.own_weight(&RackValue { rack: 0, count, sum: 0, squares: 0 });
            weight / (1.0 - weight)
        };
        let FitReport { rack_effect, noise, .. } = fit.report;
        for count in [1, 2, 6, 100] {
            let expected = f64::from(count) * (rack_effect / noise).powi(2);
            assert!((odds(count) / expected - 1.0).abs() < 1e-9, "{count}: {} {expected}", odds(count));
        }
    }
}
