//! Normal equations of the ridge regression: exact sums over racks, the solution, and the search for the strengths, the prior standard
//! deviations of the coefficients of each order, on held-out racks.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, MatRef, Side};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use thiserror::Error;
use tilewright_engine::rack::{MAX_SUB_RACKS, Ranking, SubRacks};

use crate::rack_values::RackValue;

/// Tiles in the largest sub-multiset with a coefficient.
pub const ORDERS: usize = 3;
/// Prior standard deviation of the constant, in points: practically free.
const FREE: f64 = 1000.0;

/// The weight of a rack observed once. Weights are integers, so that sums over racks are exact in any order.
pub const WEIGHT_UNIT: f64 = 1024.0;
/// The most Gram matrices that are summed in parallel, one per thread. More would cost memory and save little time.
const PARALLEL_GRAMS: usize = 4;

/// The reason why a fit is impossible.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum FitError {
    #[error("{racks} distinct racks are too few to fit; play more games")]
    TooFew { racks: usize },
    #[error(
        "its different racks are so few that none can be held out: nothing can be learned of its tiles; use more letters"
    )]
    TooAlike,
    #[error("the normal equations cannot be factored: {0:?}")]
    Singular(faer::linalg::solvers::LltError),
}

/// Prior standard deviations of the coefficients of order 1, 2 and 3, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strengths(pub [f64; ORDERS]);

impl Default for Strengths {
    /// The start of the first search.
    fn default() -> Self {
        Strengths([8.0, 4.0, 2.0])
    }
}

impl Strengths {
    /// The strengths of an earlier search. Orders that it did not reach keep their defaults.
    pub fn starting_at(earlier: &[f64]) -> Strengths {
        let mut strengths = Strengths::default();
        strengths.0.iter_mut().zip(earlier).for_each(|(own, &earlier)| *own = earlier);
        strengths
    }

    /// The strength of an order. Order 0 is the constant.
    pub fn for_order(&self, order: usize) -> f64 {
        if order == 0 { FREE } else { self.0[order - 1] }
    }
}

/// The columns of the model: one per sub-multiset of up to a given number of tiles.
#[derive(Clone, Debug)]
pub struct Features {
    columns: Ranking,
    racks: Ranking,
    first_rack: usize,
}

impl Features {
    /// The columns of sub-multisets of up to `orders` tiles.
    pub fn new(racks: &Ranking, orders: usize) -> Features {
        let first_rack = racks.indices_of_size(racks.max_size()).start;
        let columns = Ranking::new(racks.limits(), orders.min(racks.max_size()));
        Features { columns, racks: racks.clone(), first_rack }
    }

    /// The number of columns. A column has the number of its multiset in the ranking of racks, smaller sizes first.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Fills `columns` with the column of each sub-multiset of full rack `rack`. Column 0 is the empty multiset.
    pub fn columns(&self, rack: u32, columns: &mut Vec<u32>) {
        let numbers = SubRacks::new(&self.racks.unrank(self.first_rack + rack as usize));
        let mut indices = [None; MAX_SUB_RACKS];
        self.columns.sub_indices(&numbers, &mut indices);
        columns.clear();
        columns.extend(indices[..numbers.len()].iter().flatten());
    }

    /// The number of columns of up to `order` tiles, which come first.
    pub fn up_to(&self, order: usize) -> usize {
        self.columns.indices_of_size(order.min(self.columns.max_size())).end
    }

    fn order(&self, column: usize) -> usize {
        (0..=self.columns.max_size()).find(|&order| self.columns.indices_of_size(order).contains(&column)).unwrap_or(ORDERS)
    }
}

/// The observations of a rack as one weighted row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The rack's number.
    pub rack: u32,
    /// Its weight, in integer units.
    pub weight: u32,
    /// Mean best equity less the prior value, in thousandths of a point.
    pub value: i64,
}

/// The rule by which tallies become weighted rows.
#[derive(Clone, Copy, Debug)]
pub struct Weighing<'a> {
    /// The prior value of each rack, in thousandths of a point.
    pub prior: &'a [i32],
    /// σ², square points.
    pub noise: f64,
    /// τ², square points.
    pub effect: f64,
}

impl Weighing<'_> {
    /// The row of one rack.
    pub fn row(&self, entry: &RackValue) -> Row {
        let count = f64::from(entry.count);
        let weight = WEIGHT_UNIT * (self.effect + self.noise) / (self.effect + self.noise / count);
        Row { rack: entry.rack, weight: weight.round() as u32, value: self.above_prior(entry).round() as i64 }
    }

    /// Mean best equity less the prior value, in thousandths of a point.
    pub fn above_prior(&self, entry: &RackValue) -> f64 {
        entry.sum as f64 / f64::from(entry.count) - f64::from(self.prior[entry.rack as usize])
    }

    /// The variance of an observation of weight 1, in square points.
    pub fn unit_variance(&self) -> f64 {
        WEIGHT_UNIT * (self.effect + self.noise)
    }
}

/// Sums over rows, exact: X′WX (lower triangle by columns) and X′Wy.
pub struct NormalEquations {
    gram: Vec<f64>,
    right: Vec<i128>,
}

impl NormalEquations {
    fn new(columns: usize) -> NormalEquations {
        NormalEquations { gram: vec![0.0; columns * columns], right: vec![0; columns] }
    }

    /// Sums over rows.
    pub fn from_rows(rows: &[Row], features: &Features) -> NormalEquations {
        let parts = rayon::current_num_threads().clamp(1, PARALLEL_GRAMS);
        let of_part = |part: &[Row]| {
            let mut sums = NormalEquations::new(features.len());
            let mut columns = Vec::with_capacity(64);
            for row in part {
                sums.count(*row, features, &mut columns);
            }
            sums
        };
        let parts: Vec<NormalEquations> = rows.par_chunks(rows.len().div_ceil(parts).max(1)).map(of_part).collect();
        parts.into_iter().reduce(|sum, part| sum.plus(&part)).unwrap_or_else(|| NormalEquations::new(features.len()))
    }

    fn count(&mut self, row: Row, features: &Features, columns: &mut Vec<u32>) {
        features.columns(row.rack, columns);
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

    /// The weighted mean of the rows' values.
    pub fn mean(&self) -> f64 {
        self.right[0] as f64 / self.gram[0]
    }

    /// The ridge solution of the first `columns` columns alone, in thousandths of a point, and the factor of its matrix.
    pub fn solve(
        &self,
        features: &Features,
        columns: usize,
        strengths: &Strengths,
        unit_variance: f64,
    ) -> Result<(Llt<f64>, Vec<f64>), FitError> {
        let all = MatRef::from_column_major_slice(&self.gram, features.len(), features.len());
        let mut matrix: Mat<f64> = all.submatrix(0, 0, columns, columns).to_owned();
        for column in 0..columns {
            matrix[(column, column)] += unit_variance / strengths.for_order(features.order(column)).powi(2);
        }
        let factor = matrix.llt(Side::Lower).map_err(FitError::Singular)?;
        let right = Mat::from_fn(columns, 1, |column, _| self.right[column] as f64);
        let solution = factor.solve(right);
        Ok((factor, solution.col(0).iter().copied().collect()))
    }
}

/// The prediction of a model for a rack: the sum of the coefficients of the rack's columns. Missing coefficients count 0.
pub fn sum_of(coefficients: &[f64], columns: &[u32]) -> f64 {
    columns.iter().filter_map(|&column| coefficients.get(column as usize)).sum()
}

/// The factor of one step.
const STEP: f64 = 2.0;
/// A step must lower the squared error by this share. Less is drift along a flat minimum.
const LEAST_GAIN: f64 = 2e-4;

/// A search that multiplies or divides the strength of one order after the other by [`STEP`], with a model that ends at
/// that order. So all orders but the last are searched with small models, which cost almost nothing.
pub struct Search<'a> {
    /// The sums over the racks that are not held out.
    pub sums: &'a NormalEquations,
    pub features: &'a Features,
    /// The racks held out.
    pub held_out: &'a [Row],
    pub unit_variance: f64,
}

/// The best strengths, with their coefficients and their error.
pub struct StrengthChoice {
    pub strengths: Strengths,
    /// The coefficients, in thousandths of a point.
    pub coefficients: Vec<f64>,
    /// Weighted mean squared error on the racks held out, square points.
    pub error: f64,
}

impl Search<'_> {
    /// The best strengths for coefficients of up to `orders` tiles.
    pub fn run(&self, start: Strengths, orders: usize) -> Result<StrengthChoice, FitError> {
        let mut strengths = start;
        for order in 1..orders {
            strengths = self.improved(self.attempt(strengths, order)?, order)?.strengths;
        }
        self.improved(self.attempt(strengths, orders)?, orders)
    }

    /// Fits a model of up to `order` tiles and measures its error.
    fn attempt(&self, strengths: Strengths, order: usize) -> Result<StrengthChoice, FitError> {
        let columns = self.features.up_to(order);
        let (_, coefficients) = self.sums.solve(self.features, columns, &strengths, self.unit_variance)?;
        let error = mean_squared_error(self.held_out, self.features, |columns| sum_of(&coefficients, columns));
        Ok(StrengthChoice { strengths, coefficients, error })
    }

    /// Improves the strength of the model's largest order for as long as a step lowers the error.
    fn improved(&self, mut best: StrengthChoice, order: usize) -> Result<StrengthChoice, FitError> {
        let times = |strengths: Strengths, factor: f64| {
            let mut next = strengths;
            next.0[order - 1] *= factor;
            next
        };
        let (up, down) = rayon::join(
            || self.attempt(times(best.strengths, STEP), order),
            || self.attempt(times(best.strengths, 1.0 / STEP), order),
        );
        let (up, down) = (up?, down?);
        let (mut next, factor) = if up.error < down.error { (up, STEP) } else { (down, 1.0 / STEP) };
        while next.error < best.error * (1.0 - LEAST_GAIN) {
            best = next;
            let further = times(best.strengths, factor);
            if !(0.01..100.0).contains(&further.for_order(order)) {
                break;
            }
            next = self.attempt(further, order)?;
        }
        Ok(best)
    }
}

/// Weighted mean squared error over rows, square points.
pub fn mean_squared_error(rows: &[Row], features: &Features, predict: impl Fn(&[u32]) -> f64) -> f64 {
    let mut columns = Vec::new();
    let (mut sum, mut weights) = (0.0, 0.0);
    for row in rows {
        features.columns(row.rack, &mut columns);
        let weight = f64::from(row.weight);
        sum += weight * (row.value as f64 - predict(&columns)).powi(2) / 1e6;
        weights += weight;
    }
    sum / weights
}
