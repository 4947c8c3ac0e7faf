//! Checks of the numbers of configs, with one wording for all of them.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;

/// Checks that the value of a key is in a range.
///
/// # Errors
/// The key with its value and the range.
pub fn within<T: Copy + Debug + Display + PartialOrd>(key: &str, value: T, range: &RangeInclusive<T>) -> Result<(), String> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(format!("{key} = {}; expected {} to {}", readable(value), range.start(), range.end()))
}

/// Checks that the value of a key is above 0, and at most `most`. `what` names it in the message.
///
/// # Errors
/// The key with its value and its limits.
pub fn above_zero(key: &str, value: f64, what: &str, most: f64) -> Result<(), String> {
    if value > 0.0 && value <= most {
        return Ok(());
    }
    Err(format!("{key} = {}; expected {what} above 0, and {most} at most", readable(value)))
}

/// A number, as a power of ten if it would have more digits than anybody reads.
fn readable<T: Debug + Display>(value: T) -> String {
    let shown = value.to_string();
    if shown.len() > 25 { format!("{value:?}") } else { shown }
}
