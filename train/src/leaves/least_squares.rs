//! The value of every rack by least squares with partial pooling.
//!
//! A rack's mean best equity is modelled as the sum of one coefficient for each distinct sub-multiset of up to three tiles
//! (E, EE, ER, ERS, …), plus an effect of its own:
//!
//! ```text
//! minimise Σ over racks R of w(R) (ȳ(R) − Σ over T ⊆ R of β(T))² + Σ over T of (β(T) / s(|T|))²
//! with w(R) = 1 / (τ² + σ² / n(R))
//! ```
//!
//! where σ is the standard deviation of one observation of a rack, τ that of the racks' own effects, and s(k) that of the
//! coefficients of order k, all in points. σ comes from racks seen more than once; s and τ are chosen by racks held out of
//! the fit. A seen rack then keeps the share τ² / (τ² + σ² / n) of its residual (empirical Bayes), an unseen one is what its
//! tiles say.

use faer::linalg::solvers::{Llt, Solve};
use faer::linalg::triangular_solve::solve_upper_triangular_in_place;
use faer::{Mat, MatRef, Par, Side};
use rand_distr::{Distribution, StandardNormal};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::rack::{MAX_SUB_RACKS, Ranking, SubRacks};
use tilewright_engine::rng::stream;
use tilewright_engine::tileset::TileSet;

use crate::rack_values::{RackValue, RackValues};

/// Tiles in the largest sub-multiset with a coefficient.
pub const ORDERS: usize = 3;
/// One rack in so many is held out while the strengths are chosen.
const HELD_OUT: u32 = 5;
/// Weights are integers in this unit for a rack seen once, so that sums over racks are exact in any order.
const WEIGHT_UNIT: f64 = 1024.0;
/// Prior standard deviations, in points, at which the search begins, by order; order 0 is the mean and stays.
const START: [f64; ORDERS + 1] = [1000.0, 8.0, 2.0, 1.0];
/// The search moves by this factor.
const STEP: f64 = 2.0;
/// Gram matrices summed at once, a thread each; more would cost more memory than they save time.
const PARALLEL_GRAMS: usize = 4;
/// Held-out racks that the search looks at.
const JUDGES: usize = 50_000;
/// A step of the search must lower the squared error by this share; less is drift along a flat floor.
const LEAST_GAIN: f64 = 2e-4;
/// Draws from the posterior made side by side.
pub const DRAWS: usize = 4;
/// Racks valued together.
const CHUNK: usize = 4096;

/// What the fit found out about its data; all in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitReport {
    /// Turns observed.
    pub turns: u64,
    /// Distinct racks among them.
    pub racks: usize,
    /// Coefficients fitted.
    pub coefficients: usize,
    /// Mean best equity over distinct racks, weighted as in the fit.
    pub mean: f64,
    /// σ: standard deviation of one observation of a rack.
    pub noise: f64,
    /// τ: standard deviation of what a rack is worth beyond its sub-multisets.
    pub rack_effect: f64,
    /// s: prior standard deviation of the coefficients of order 1, 2 and 3.
    pub strengths: [f64; ORDERS],
    /// Root of the weighted mean squared error on held-out racks, and the same for the mean alone.
    pub held_out_error: f64,
    /// The same if every rack were worth the mean.
    pub held_out_error_of_mean: f64,
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

/// A fitted model, able to value every rack.
pub struct Fit {
    features: Features,
    factor: Llt<f64>,
    coefficients: Vec<f64>,
    /// Variance that one integer unit of weight stands for, in square points.
    unit_variance: f64,
    noise: f64,
    rack_effect: f64,
    /// What was found out.
    pub report: FitReport,
}

/// The sub-multisets of a rack, as columns.
#[derive(Clone, Debug)]
struct Features {
    columns: Ranking,
    racks: Ranking,
    first_rack: usize,
}

impl Features {
    fn new(tileset: &TileSet) -> Features {
        let racks = Ranking::new(&tileset.counts(), tileset.rules().rack_size);
        let first_rack = racks.of_size(racks.max_size()).start;
        Features { columns: Ranking::new(&tileset.counts(), ORDERS), racks, first_rack }
    }

    fn len(&self) -> usize {
        self.columns.len()
    }

    /// The column of each sub-multiset of up to [`ORDERS`] tiles of full rack `rack`; column 0 is the empty one.
    fn of(&self, rack: u32, columns: &mut Vec<u32>) {
        let numbers = SubRacks::new(&self.racks.unrank(self.first_rack + rack as usize));
        let mut indices = [None; MAX_SUB_RACKS];
        self.columns.sub_indices(&numbers, &mut indices);
        columns.clear();
        columns.extend(indices[..numbers.len()].iter().flatten());
    }

    fn order(&self, column: usize) -> usize {
        (0..=ORDERS).find(|&order| self.columns.of_size(order).contains(&column)).unwrap_or(ORDERS)
    }
}

/// A rack with its weight in integer units.
#[derive(Clone, Copy)]
struct Row {
    rack: u32,
    weight: u32,
    /// Mean best equity, thousandths of a point.
    value: i64,
}

/// Sums over rows, exact: X′WX (lower triangle by columns) and X′Wy.
struct NormalEquations {
    gram: Vec<f64>,
    right: Vec<i128>,
}

impl NormalEquations {
    fn new(columns: usize) -> NormalEquations {
        NormalEquations { gram: vec![0.0; columns * columns], right: vec![0; columns] }
    }

    fn of(rows: &[Row], features: &Features) -> NormalEquations {
        let parts = rayon::current_num_threads().clamp(1, PARALLEL_GRAMS);
        let parts: Vec<NormalEquations> = rows
            .chunks(rows.len().div_ceil(parts).max(1))
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|part| {
                let mut sums = NormalEquations::new(features.len());
                for row in part {
                    sums.count(*row, features);
                }
                sums
            })
            .collect();
        parts.into_iter().reduce(|sum, part| sum.plus(&part)).unwrap_or_else(|| NormalEquations::new(features.len()))
    }

    fn count(&mut self, row: Row, features: &Features) {
        let mut columns = Vec::with_capacity(64);
        features.of(row.rack, &mut columns);
        columns.sort_unstable();
        let weight = f64::from(row.weight);
        for (at, &column) in columns.iter().enumerate() {
            self.right[column as usize] += i128::from(row.weight) * i128::from(row.value);
            let below = &mut self.gram[column as usize * self.right.len()..][..self.right.len()];
            for &other in &columns[at..] {
                below[other as usize] += weight;
            }
        }
    }

    fn plus(mut self, other: &NormalEquations) -> NormalEquations {
        self.gram.par_iter_mut().zip(&other.gram).for_each(|(mine, theirs)| *mine += theirs);
        self.right.iter_mut().zip(&other.right).for_each(|(mine, theirs)| *mine += theirs);
        self
    }
}

/// What the data say before any fit.
struct Moments {
    /// σ², square points.
    noise: f64,
    /// Variance of rack means, square points.
    total: f64,
}

impl Moments {
    fn of(data: &RackValues) -> Moments {
        let (mut within, mut repeats, mut sum, mut squares) = (0.0, 0.0, 0.0, 0.0);
        for entry in data.entries() {
            let count = f64::from(entry.count);
            within += (entry.squares as f64 / 1e6 - entry.mean().powi(2) * count).max(0.0);
            repeats += count - 1.0;
            sum += entry.mean();
            squares += entry.mean().powi(2);
        }
        let racks = data.entries().len() as f64;
        let total = (squares / racks - (sum / racks).powi(2)).max(1.0);
        // Without a rack seen twice nothing tells noise from effect; most of it is noise.
        let noise = if repeats < 30.0 { 0.8 * total } else { (within / repeats).max(1.0) };
        Moments { noise, total }
    }
}

/// Turns tallies into weighted rows for a rack effect of variance `effect`.
fn rows<'a>(entries: impl Iterator<Item = &'a RackValue>, noise: f64, effect: f64) -> Vec<Row> {
    let unit = effect + noise;
    entries
        .map(|entry| Row {
            rack: entry.rack,
            weight: (WEIGHT_UNIT * unit / (effect + noise / f64::from(entry.count))).round() as u32,
            value: (entry.sum as f64 / f64::from(entry.count)).round() as i64,
        })
        .collect()
}

/// Whether a rack is held out while the strengths are chosen: by its number, scattered.
fn is_held_out(rack: u32) -> bool {
    rack.wrapping_mul(0x9e37_79b1) >> 16 & 0xffff < 0x1_0000 / HELD_OUT
}

/// A ridge solution: coefficients in thousandths of a point.
fn solve(
    sums: &NormalEquations,
    features: &Features,
    strengths: [f64; ORDERS + 1],
    unit_variance: f64,
) -> Result<(Llt<f64>, Vec<f64>), FitError> {
    let columns = features.len();
    let mut matrix: Mat<f64> = MatRef::from_column_major_slice(&sums.gram, columns, columns).to_owned();
    for column in 0..columns {
        matrix[(column, column)] += unit_variance / strengths[features.order(column)].powi(2);
    }
    let factor = matrix.llt(Side::Lower).map_err(FitError::Singular)?;
    let right = Mat::from_fn(columns, 1, |column, _| sums.right[column] as f64);
    let solution = factor.solve(right);
    Ok((factor, solution.col(0).iter().copied().collect()))
}

/// Weighted mean squared error over rows, square points.
fn error(rows: &[Row], features: &Features, predict: impl Fn(&[u32]) -> f64) -> f64 {
    let mut columns = Vec::new();
    let (mut sum, mut weights) = (0.0, 0.0);
    for row in rows {
        features.of(row.rack, &mut columns);
        let weight = f64::from(row.weight);
        sum += weight * (row.value as f64 - predict(&columns)).powi(2) / 1e6;
        weights += weight;
    }
    sum / weights
}

fn sum_of(coefficients: &[f64], columns: &[u32]) -> f64 {
    columns.iter().map(|&column| coefficients[column as usize]).sum()
}

/// The search for the strengths that predict held-out racks best: one order at a time, up and down by [`STEP`].
struct Search<'a> {
    sums: &'a NormalEquations,
    features: &'a Features,
    judges: &'a [Row],
    unit_variance: f64,
    best: [f64; ORDERS + 1],
    error: f64,
}

impl Search<'_> {
    fn judge(&self, strengths: [f64; ORDERS + 1]) -> Result<f64, FitError> {
        let (_, coefficients) = solve(self.sums, self.features, strengths, self.unit_variance)?;
        Ok(error(self.judges, self.features, |columns| sum_of(&coefficients, columns)))
    }

    /// Improves the strength of one order as long as a step pays.
    fn improve(&mut self, order: usize) -> Result<(), FitError> {
        let at = |factor: f64| {
            let mut strengths = self.best;
            strengths[order] *= factor;
            strengths
        };
        let [up, down] = [at(STEP), at(1.0 / STEP)];
        let (up_error, down_error) = rayon::join(|| self.judge(up), || self.judge(down));
        let (mut next, mut next_error, factor) = match (up_error?, down_error?) {
            (up_error, down_error) if up_error < down_error => (up, up_error, STEP),
            (_, down_error) => (down, down_error, 1.0 / STEP),
        };
        while next_error < self.error * (1.0 - LEAST_GAIN) && (0.01..100.0).contains(&next[order]) {
            (self.best, self.error) = (next, next_error);
            next[order] *= factor;
            next_error = self.judge(next)?;
        }
        Ok(())
    }
}

impl Fit {
    /// Fits rack values; `start` is the report of a fit to similar data, which shortens the search.
    ///
    /// # Errors
    /// [`FitError`].
    ///
    /// # Cost
    /// In English 3,900 columns: 1 CPU-second a trial of the search, about ten trials, and 130 MB a matrix.
    pub fn new(data: &RackValues, tileset: &TileSet, start: Option<&FitReport>) -> Result<Fit, FitError> {
        let features = Features::new(tileset);
        let racks = data.entries().len();
        if racks < 100 {
            return Err(FitError::TooFew { racks });
        }
        let Moments { noise, total } = Moments::of(data);
        let mut effect = start.map_or(noise / 4.0, |report| report.rack_effect.powi(2));
        let train = rows(data.entries().iter().filter(|entry| !is_held_out(entry.rack)), noise, effect);
        let judges = data.entries().iter().filter(|entry| is_held_out(entry.rack));
        let counts: Vec<f64> = judges.clone().take(JUDGES).map(|entry| f64::from(entry.count)).collect();
        let judges = rows(judges.take(JUDGES), noise, effect);
        let sums = NormalEquations::of(&train, &features);
        let mut best = START;
        if let Some(report) = start {
            best[1..].copy_from_slice(&report.strengths);
        }
        let unit_variance = WEIGHT_UNIT * (effect + noise);
        let mut search = Search { sums: &sums, features: &features, judges: &judges, unit_variance, best, error: 0.0 };
        search.error = search.judge(best)?;
        for order in (1..=ORDERS).rev() {
            search.improve(order)?;
        }
        let (strengths, held_out) = (search.best, search.error);
        let (_, coefficients) = solve(&sums, &features, strengths, unit_variance)?;
        effect = rack_effect(&judges, &counts, &features, &coefficients, noise).clamp(0.01 * noise, total.max(0.02 * noise));
        let mean = sums.right[0] as f64 / sums.gram[0];
        let held_out_mean = error(&judges, &features, |_| mean);
        drop(sums);

        let all = rows(data.entries().iter(), noise, effect);
        let sums = NormalEquations::of(&all, &features);
        let unit_variance = WEIGHT_UNIT * (effect + noise);
        let (factor, coefficients) = solve(&sums, &features, strengths, unit_variance)?;
        let report = FitReport {
            turns: data.turns(),
            racks,
            coefficients: features.len(),
            mean: sums.right[0] as f64 / sums.gram[0] / 1000.0,
            noise: noise.sqrt(),
            rack_effect: effect.sqrt(),
            strengths: [strengths[1], strengths[2], strengths[3]],
            held_out_error: held_out.sqrt(),
            held_out_error_of_mean: held_out_mean.sqrt(),
        };
        Ok(Fit { features, factor, coefficients, unit_variance, noise, rack_effect: effect, report })
    }

    /// The value of every full rack, in points: one entry a number of the ranking of all sizes, those of full racks filled.
    pub fn rack_values(&self, data: &RackValues) -> Vec<[f64; 1]> {
        self.each_rack(
            data,
            |_| (),
            |(), columns, seen| {
                let predicted = sum_of(&self.coefficients, columns) / 1000.0;
                [seen.map_or(predicted, |entry| predicted + self.kept_share(entry) * (entry.mean() - predicted))]
            },
        )
    }

    /// How far [`DRAWS`] draws from the posterior of all rack values lie from its mean: the coefficients' joint error, and
    /// each rack's own. The same layout as [`Fit::rack_values`]; `batch` numbers further draws.
    pub fn posterior_deviations(&self, data: &RackValues, seed: u64, batch: u64) -> Vec<[f64; DRAWS]> {
        let columns = self.features.len();
        let mut normals = stream(seed, "posterior coefficients", batch);
        let mut deviations = Mat::from_fn(columns, DRAWS, |_, _| StandardNormal.sample(&mut normals));
        solve_upper_triangular_in_place(self.factor.L().transpose(), deviations.as_mut(), Par::Seq);
        let scale = self.unit_variance.sqrt();
        let deviations: Vec<[f64; DRAWS]> =
            (0..columns).map(|column| std::array::from_fn(|draw| deviations[(column, draw)] * scale)).collect();
        let own = |chunk| stream(seed, "posterior racks", (batch << 32) + chunk);
        self.each_rack(data, own, |own, columns, seen| {
            let free = 1.0 - seen.map_or(0.0, |entry| self.kept_share(entry));
            let scale = (free * self.rack_effect).sqrt();
            let mut sums = [0.0; DRAWS];
            for &column in columns {
                sums.iter_mut().zip(&deviations[column as usize]).for_each(|(sum, deviation)| *sum += deviation);
            }
            sums.map(|sum| {
                let effect: f64 = StandardNormal.sample(own);
                free * sum + scale * effect
            })
        })
    }

    /// The share of a seen rack's residual that it keeps.
    fn kept_share(&self, entry: &RackValue) -> f64 {
        self.rack_effect / (self.rack_effect + self.noise / f64::from(entry.count))
    }

    /// Values every full rack, chunk by chunk; `begin` makes what a chunk's racks share, from its number.
    fn each_rack<const TABLES: usize, S>(
        &self,
        data: &RackValues,
        begin: impl Fn(u64) -> S + Sync,
        value: impl Fn(&mut S, &[u32], Option<&RackValue>) -> [f64; TABLES] + Sync,
    ) -> Vec<[f64; TABLES]> {
        let mut values = vec![[0.0; TABLES]; self.features.racks.len()];
        values[self.features.first_rack..].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, values)| {
            let first = (chunk * CHUNK) as u32;
            let seen = data.entries();
            let mut seen = seen[seen.partition_point(|entry| entry.rack < first)..].iter().peekable();
            let mut shared = begin(chunk as u64);
            let mut columns = Vec::new();
            for (rack, slot) in (first..).zip(values) {
                self.features.of(rack, &mut columns);
                *slot = value(&mut shared, &columns, seen.next_if(|entry| entry.rack == rack));
            }
        });
        values
    }
}

/// τ²: what is left of the squared held-out residuals when the noise of each mean is taken off.
fn rack_effect(judges: &[Row], counts: &[f64], features: &Features, coefficients: &[f64], noise: f64) -> f64 {
    let mut columns = Vec::new();
    let (mut sum, mut weights) = (0.0, 0.0);
    for (row, count) in judges.iter().zip(counts) {
        features.of(row.rack, &mut columns);
        let residual = (row.value as f64 - sum_of(coefficients, &columns)) / 1000.0;
        let weight = f64::from(row.weight).powi(2);
        sum += weight * (residual.powi(2) - noise / count);
        weights += weight;
    }
    sum / weights
}
