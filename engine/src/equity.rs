//! Points as integers, so that a sum does not depend on its order.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use serde::{Deserialize, Serialize};

/// A value in **thousandths of a point**, from the view of the player to move.
///
/// Leave values, equities and sums of spreads are integers inside the engine, so totals are the same at any thread count.
/// Files and reports use points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Equity(pub i32);

impl Equity {
    /// Zero points.
    pub const ZERO: Equity = Equity(0);
    /// The equity of a pass while there are tiles in the bag: less than the equity of any play or exchange. It is -1000 points, so
    /// sums use [`ValuedMove::reported_equity`](crate::movegen::ValuedMove::reported_equity).
    pub const PASS: Equity = Equity(-1_000_000);

    /// Converts from whole points.
    pub const fn from_points(points: i32) -> Self {
        Equity(points * 1000)
    }

    /// Converts from points, rounded to the nearest thousandth. Values beyond ±2 million points are clamped. NaN gives zero.
    pub fn from_fractional_points(points: f64) -> Self {
        Equity((points * 1000.0).round() as i32)
    }

    /// Returns a sort key that puts the highest value first.
    pub(crate) fn descending_key(self) -> u32 {
        (i32::MAX as u32).wrapping_sub(self.0 as u32)
    }

    /// Returns the value in points.
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

impl Sum for Equity {
    fn sum<I: Iterator<Item = Equity>>(values: I) -> Equity {
        values.fold(Equity::ZERO, Add::add)
    }
}
