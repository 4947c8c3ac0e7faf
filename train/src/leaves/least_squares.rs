//! The value of every rack by least squares with partial pooling.
//!
//! A rack's mean best equity is modelled as what was thought of it before (the prior: an earlier generation, another source,
//! or nothing), plus the sum of one coefficient for each distinct sub-multiset of up to three tiles (E, EE, ER, ERS, …), plus
//! an effect of its own:
//!
//! ```text
//! minimise Σ over racks R of w(R) (ȳ(R) − p(R) − Σ over T ⊆ R of β(T))² + Σ over T of (β(T) / s(|T|))²
//! with w(R) = 1 / (τ² + σ² / n(R))
//! ```
//!
//! where σ is the standard deviation of one observation of a rack, τ that of the racks' own effects, and s(k) that of the
//! coefficients of order k, all in points. σ comes from racks seen more than once, τ from what two observations of a rack have in
//! common, and the s of the largest order is chosen by racks held out of the fit. A seen rack then keeps the share τ² / (τ² + σ² / n) of its residual (empirical Bayes), an unseen one is what its
//! tiles and the prior say.
//!
//! Observations of self-play are as good as independent, a turn each. Those of a census are not: a board moves all its racks
//! together. So they come in two halves of different boards; one half judges what the other says, σ counts boards, and the
//! part of it that the coefficients do not take up is told apart for the racks' own effects.

use faer::linalg::solvers::Llt;
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Mat, Par};
use rand_distr::{Distribution, StandardNormal};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::rng::stream;

use self::normal_equations::{Features, NormalEquations, Row, Weighing, sum_of};
use self::strengths::{Chosen, Search, error};
use super::lattice::Lattice;
use crate::rack_values::{RackValue, RackValues};

mod normal_equations;
mod strengths;

pub use strengths::Strengths;

/// Tiles in the largest sub-multiset with a coefficient.
pub const ORDERS: usize = 3;
/// Draws from the posterior made side by side.
pub const DRAWS: usize = 4;
/// One rack in so many is held out while the strengths are chosen.
const HELD_OUT: u32 = 5;
/// Held-out racks that the search looks at.
const JUDGES: usize = 50_000;
/// Racks that the coefficients are fitted to; of more than these an even choice.
const MOST_ROWS: usize = 400_000;
/// Racks valued together.
const CHUNK: usize = 4096;

/// What the fit found out about its data; all in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitReport {
    /// Turns observed; racks on boards for a census.
    pub observations: u64,
    /// Distinct racks among them.
    pub racks: usize,
    /// Coefficients fitted.
    pub coefficients: usize,
    /// σ: standard deviation of one observation of a rack.
    pub noise: f64,
    /// The part of σ that is the rack's own.
    pub own_noise: f64,
    /// τ: standard deviation of what a rack is worth beyond the prior and its sub-multisets.
    pub rack_effect: f64,
    /// s: prior standard deviation of the coefficients of order 1, 2 and 3.
    pub strengths: [f64; ORDERS],
    /// Root of the weighted mean squared error on held-out racks.
    pub held_out_error: f64,
    /// The same for the prior and the mean difference from it alone.
    pub held_out_error_of_prior: f64,
}

/// The fit cannot be done.
#[derive(Debug, Error)]
pub enum FitError {
    /// Too little data.
    #[error("{racks} distinct racks are too few to fit; play more games")]
    TooFew {
        /// Distinct racks observed.
        racks: usize,
    },
    /// The normal equations have no solution in floating point.
    #[error("the normal equations cannot be factored: {0:?}")]
    Singular(faer::linalg::solvers::LltError),
}

/// The observations of one source.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// All of them.
    pub whole: &'a RackValues,
    /// Two independent halves, where the observations of a half are not independent of each other.
    pub halves: Option<[&'a RackValues; 2]>,
}

/// How a fit is done.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// Tiles in the largest sub-multisets that have a coefficient, at most [`ORDERS`].
    pub orders: usize,
    /// Where the search for the strengths begins.
    pub start: Strengths,
}

/// A fitted model, able to value every rack.
pub struct Fit<'a> {
    lattice: &'a Lattice,
    weighing: Weighing<'a>,
    whole: &'a RackValues,
    factor: Llt<f64>,
    coefficients: Vec<f64>,
    /// Square points.
    own_noise: f64,
    /// What was found out.
    pub report: FitReport,
}

/// What the data say before any fit.
struct Moments {
    /// σ², square points.
    noise: f64,
    /// Variance of rack means about the prior, square points.
    total: f64,
}

impl Moments {
    fn of(data: &RackValues, prior: &[i32]) -> Moments {
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
        // Without a rack seen twice nothing tells noise from effect; most of it is noise.
        let noise = if repeats < 30.0 { 0.8 * total } else { (within / repeats).max(1.0) };
        Moments { noise, total }
    }
}

/// A number for a rack that has nothing to do with its tiles.
fn scattered(rack: u32) -> u32 {
    rack.wrapping_mul(0x9e37_79b1) ^ rack.wrapping_mul(0x85eb_ca6b) >> 15
}

/// Whether a rack is held out while the strengths are chosen.
fn is_held_out(rack: u32) -> bool {
    scattered(rack) >> 16 & 0xffff < 0x1_0000 / HELD_OUT
}

/// Entries of a kind, of too many an even choice.
fn choice(data: &RackValues, most: usize, wanted: impl Fn(&RackValue) -> bool) -> Vec<&RackValue> {
    let entries: Vec<&RackValue> = data.entries().iter().filter(|&entry| wanted(entry)).collect();
    let (len, most) = (entries.len() as u64, most as u64);
    let in_choice = |at: u64| at * most / len != (at + 1) * most / len;
    let chosen = (0..).zip(entries).filter(|&(at, _)| len <= most || in_choice(at));
    chosen.map(|(_, entry)| entry).collect()
}

impl<'a> Fit<'a> {
    /// Fits rack values; `prior` is what each full rack was thought to be worth, in thousandths of a point.
    ///
    /// # Errors
    /// [`FitError`].
    ///
    /// # Cost
    /// For three orders in English 3,909 columns: 1 CPU-second a trial of the search, about four trials, and 122 MB a matrix.
    pub fn new(
        evidence: Evidence<'a>,
        prior: &'a [i32],
        lattice: &'a Lattice,
        options: FitOptions,
    ) -> Result<Fit<'a>, FitError> {
        let features = Features::new(lattice.ranking(), options.orders);
        let whole = evidence.whole;
        let racks = whole.entries().len();
        if racks < 100 {
            return Err(FitError::TooFew { racks });
        }
        let Moments { noise, total } = Moments::of(whole, prior);
        let weighing = Weighing { prior, noise, effect: noise / 4.0 };
        let [train, judge] = evidence.halves.unwrap_or([whole, whole]);
        let weigh =
            |entries: Vec<&RackValue>| -> Vec<Row> { entries.into_iter().map(|entry| weighing.row(entry)).collect() };
        let rows = weigh(choice(train, MOST_ROWS, |entry| !is_held_out(entry.rack)));
        let judges = weigh(choice(judge, JUDGES, |entry| is_held_out(entry.rack)));
        let sums = NormalEquations::of(&rows, &features);
        let search = Search { sums: &sums, features: &features, judges: &judges, unit_variance: weighing.unit_variance() };
        let chosen = search.run(options.start, options.orders)?;
        let mean = sums.mean();
        let held_out_error_of_prior = error(&judges, &features, |_| mean).sqrt();
        let own = Own::of(evidence, &weighing, &features, &chosen);
        let effect = own.effect.clamp(0.001 * noise, total.max(0.02 * noise));
        let own_noise = own.noise.clamp(0.001 * noise, noise);
        drop(sums);

        let weighing = Weighing { effect, ..weighing };
        let rows: Vec<Row> = choice(whole, MOST_ROWS, |_| true).into_iter().map(|entry| weighing.row(entry)).collect();
        let sums = NormalEquations::of(&rows, &features);
        let (factor, coefficients) = sums.solve(&features, &chosen.strengths, weighing.unit_variance())?;
        let report = FitReport {
            observations: whole.turns(),
            racks,
            coefficients: features.len(),
            noise: noise.sqrt(),
            own_noise: own_noise.sqrt(),
            rack_effect: effect.sqrt(),
            strengths: chosen.strengths.0,
            held_out_error: chosen.error.sqrt(),
            held_out_error_of_prior,
        };
        Ok(Fit { lattice, weighing, whole, factor, coefficients, own_noise, report })
    }

    /// The value of every full rack, in thousandths of a point, by its number among them.
    pub fn rack_values(&self) -> Vec<i32> {
        let mut predicted: Vec<[f64; 1]> = vec![[0.0]; self.lattice.ranking().len()];
        predicted.iter_mut().zip(&self.coefficients).for_each(|(value, &coefficient)| value[0] = coefficient);
        self.lattice.sum_over_parts(&mut predicted);
        let predicted = &predicted[self.lattice.racks()];
        let mut values: Vec<i32> =
            predicted.iter().zip(self.weighing.prior).map(|(value, &prior)| prior + value[0].round() as i32).collect();
        for entry in self.whole.entries() {
            let rack = entry.rack as usize;
            let residual = self.weighing.above_prior(entry) - predicted[rack][0];
            values[rack] += (self.kept_share(entry) * residual).round() as i32;
        }
        values
    }

    /// How far [`DRAWS`] draws from the posterior of all rack values lie from its mean, in points: the coefficients' joint
    /// error, and each rack's own. By number in the lattice, those of full racks filled; `batch` numbers further draws.
    pub fn posterior_deviations(&self, seed: u64, batch: u64) -> Vec<[f64; DRAWS]> {
        let columns = self.coefficients.len();
        let mut normals = stream(seed, "posterior coefficients", batch);
        let mut drawn = Mat::from_fn(columns, DRAWS, |_, _| StandardNormal.sample(&mut normals));
        solve_upper_triangular_in_place(self.factor.L().transpose(), drawn.as_mut(), Par::Seq);
        let scale = self.weighing.unit_variance().sqrt();
        let mut deviations = vec![[0.0; DRAWS]; self.lattice.ranking().len()];
        for (column, deviation) in deviations[..columns].iter_mut().enumerate() {
            *deviation = std::array::from_fn(|draw| drawn[(column, draw)] * scale);
        }
        self.lattice.sum_over_parts(&mut deviations);
        deviations[self.lattice.racks()].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, deviations)| {
            let first = (chunk * CHUNK) as u32;
            let seen = self.whole.entries();
            let mut seen = seen[seen.partition_point(|entry| entry.rack < first)..].iter().peekable();
            let mut own = stream(seed, "posterior racks", (batch << 32) + chunk as u64);
            for (rack, deviation) in (first..).zip(deviations) {
                let entry = seen.next_if(|entry| entry.rack == rack);
                let free = 1.0 - entry.map_or(0.0, |entry| self.kept_share(entry));
                let scale = (free * self.weighing.effect).sqrt();
                *deviation = deviation.map(|sum| {
                    let effect: f64 = StandardNormal.sample(&mut own);
                    free * sum + scale * effect
                });
            }
        });
        deviations
    }

    /// The share of a seen rack's residual that it keeps.
    fn kept_share(&self, entry: &RackValue) -> f64 {
        let effect = self.weighing.effect;
        effect / (effect + self.own_noise / f64::from(entry.count))
    }
}

/// What is the racks' own: τ², and the part of σ² that the coefficients do not take up; square points.
struct Own {
    effect: f64,
    noise: f64,
}

impl Own {
    /// From racks held out of the coefficients: the product of two residuals of the same rack is its own effect alone, if
    /// their noise is not shared. So of independent turns any two of a rack are taken, and of two halves one of each.
    fn of(evidence: Evidence<'_>, weighing: &Weighing<'_>, features: &Features, chosen: &Chosen) -> Own {
        let mut columns = Vec::new();
        let mut expected = |entry: &RackValue| {
            features.of(entry.rack, &mut columns);
            sum_of(&chosen.coefficients, &columns) + f64::from(weighing.prior[entry.rack as usize])
        };
        let (mut effects, mut noises, mut pairs) = (0.0, 0.0, 0.0);
        match evidence.halves {
            None => {
                for entry in choice(evidence.whole, MOST_ROWS, |entry| is_held_out(entry.rack) && entry.count > 1) {
                    let (count, expected) = (f64::from(entry.count), expected(entry));
                    let sum = entry.sum as f64 - count * expected;
                    let squares = entry.squares as f64 - 2.0 * expected * entry.sum as f64 + count * expected * expected;
                    effects += sum * sum - squares;
                    pairs += count * (count - 1.0);
                }
                noises = pairs * weighing.noise * 1e6;
            }
            Some([train, judge]) => {
                for entry in choice(judge, MOST_ROWS, |entry| is_held_out(entry.rack)) {
                    let Ok(at) = train.entries().binary_search_by_key(&entry.rack, |other| other.rack) else { continue };
                    let (other, expected) = (&train.entries()[at], expected(entry));
                    let [judged, own] = [entry, other].map(|entry| entry.mean() * 1000.0 - expected);
                    effects += own * judged;
                    noises += f64::from(other.count) * own * (own - judged);
                    pairs += 1.0;
                }
            }
        }
        if pairs > 0.0 {
            Own { effect: effects / pairs / 1e6, noise: noises / pairs / 1e6 }
        } else {
            Own { effect: 0.0, noise: weighing.noise }
        }
    }
}
