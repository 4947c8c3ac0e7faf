//! Strengths: the prior standard deviations of the coefficients of each order.

/// Tiles in the largest sub-multiset with a coefficient.
pub const ORDERS: usize = 3;
/// Prior standard deviation of the constant, in points: practically free.
const FREE: f64 = 1000.0;

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
    /// The strengths that an earlier search found; orders that it did not reach keep their defaults.
    pub fn starting_at(earlier: &[f64]) -> Strengths {
        let mut strengths = Strengths::default();
        strengths.0.iter_mut().zip(earlier).for_each(|(own, &earlier)| *own = earlier);
        strengths
    }

    /// The strength of an order; order 0 is the constant.
    pub fn for_order(&self, order: usize) -> f64 {
        if order == 0 { FREE } else { self.0[order - 1] }
    }
}
