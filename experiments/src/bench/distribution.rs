//! The distribution of a measured quantity.

use std::fmt;

use serde::Serialize;

/// The head of a table of distributions.
pub const HEAD: &str = "                                median        95 %        most        mean";

/// The median, the 95th percentile, the maximum and the mean of a measured quantity.
#[derive(Serialize)]
pub struct Distribution {
    pub median: f64,
    pub percentile_95: f64,
    pub most: f64,
    pub mean: f64,
}

impl Distribution {
    /// The distribution of numbers. Without numbers the mean is NaN.
    pub fn from_numbers(numbers: impl Iterator<Item = f64>) -> Distribution {
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_by(f64::total_cmp);
        let at = |share: f64| numbers.get((numbers.len() as f64 * share) as usize).copied().unwrap_or_default();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        Distribution { median: at(0.5), percentile_95: at(0.95), most: numbers.last().copied().unwrap_or_default(), mean }
    }
}

/// The four numbers in the columns of [`HEAD`].
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Distribution { median, percentile_95, most, mean } = self;
        write!(f, "{median:>12.2}{percentile_95:>12.2}{most:>12.2}{mean:>12.2}")
    }
}
