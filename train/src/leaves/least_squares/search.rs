//! The search for the strengths, the prior standard deviations of the coefficients of each order, on held-out racks.

use super::normal_equations::{Features, FitError, NormalEquations, Row, Strengths, sum_of};

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
