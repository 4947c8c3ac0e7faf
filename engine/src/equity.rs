//! Points as integers: sums that do not depend on their order.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A value in **thousandths of a point**, from the view of the player to move.
///
/// Scores, leave values and spreads inside the engine are integers, so a total is the same at any thread count. Files and
/// reports speak points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Equity(pub i32);

impl Equity {
    /// No value at all.
    pub const ZERO: Equity = Equity(0);
    /// What passing is worth while tiles are left in the bag: less than any play or exchange.
    pub const PASS: Equity = Equity(-1_000_000);

    /// Whole points.
    pub const fn from_points(points: i32) -> Self {
        Equity(points * 1000)
    }

    /// Points rounded to the nearest thousandth; values beyond ±2 million points are clamped, NaN is zero.
    pub fn from_fractional_points(points: f64) -> Self {
        Equity((points * 1000.0).round() as i32)
    }

    /// A number that falls as the value rises, for sorting the best first.
    pub(crate) fn falling(self) -> u32 {
        (i32::MAX as u32).wrapping_sub(self.0 as u32)
    }

    /// The value in points.
    pub fn points(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl fmt::Display for Equity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.3}", self.points())
    }
}

impl Add for Equity {
    type Output = Equity;
    fn add(self, other: Equity) -> Equity {
        Equity(self.0 + other.0)
    }
}

impl Sub for Equity {
    type Output = Equity;
    fn sub(self, other: Equity) -> Equity {
        Equity(self.0 - other.0)
    }
}

impl Neg for Equity {
    type Output = Equity;
    fn neg(self) -> Equity {
        Equity(-self.0)
    }
}

impl AddAssign for Equity {
    fn add_assign(&mut self, other: Equity) {
        self.0 += other.0;
    }
}

impl SubAssign for Equity {
    fn sub_assign(&mut self, other: Equity) {
        self.0 -= other.0;
    }
}

impl Sum for Equity {
    fn sum<I: Iterator<Item = Equity>>(values: I) -> Equity {
        values.fold(Equity::ZERO, Add::add)
    }
}
