//! Lines on standard error (progress, warnings, errors), and figures for people.

use std::fmt::{Arguments, Display, Formatter, Result};
use std::io::Write;

pub use tilewright_train::markdown::visible;

/// Prints a line to standard error. Nobody misses it if standard error takes no more: its reader has gone away, or its disk is full.
pub fn status_line(text: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(&text.to_string()));
}

/// Prints a line to standard error, as [`status_line`] does.
macro_rules! status {
    ($($part:tt)*) => { $crate::status::status_line(format_args!($($part)*)) };
}
pub(crate) use status;

/// How alike two names must be, 0–1, for a question.
const ALIKE: f64 = 0.8;

/// The nearest name to an unknown one, as a question at the end of an error. Empty if no name is near.
pub fn did_you_mean<'a>(name: &str, among: impl IntoIterator<Item = &'a str>) -> String {
    let near = among.into_iter().map(|other| (strsim::jaro_winkler(name, other), other));
    let near = near.filter(|(alike, _)| *alike > ALIKE).max_by(|(a, _), (b, _)| a.total_cmp(b));
    near.map_or(String::new(), |(_, other)| format!("; did you mean {other}?"))
}

/// From here on a number is shown as a power of ten.
const LARGE: f64 = 1e15;

/// A figure for people, with the width, the sign and the decimals of the format: `{:+.1}` shows −0.04 as `+0.0`. A number that is not finite
/// has a sign for it, and a large one is a power of ten.
#[derive(Clone, Copy)]
pub struct Number(pub f64);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Number(value) = *self;
        let sign = if value < 0.0 { "-" } else { ["", "+"][usize::from(f.sign_plus())] };
        let text = match value.abs() {
            size if size.is_nan() => "unknown".to_string(),
            size if size.is_infinite() => format!("{sign}∞"),
            size if size >= LARGE => format!("{sign}{size:.3e}"),
            size => {
                let decimals = f.precision().unwrap_or(0);
                let is_zero = format!("{size:.decimals$}").chars().all(|digit| matches!(digit, '0' | '.'));
                return Display::fmt(&if is_zero { 0.0 } else { value }, f);
            }
        };
        write!(f, "{text:>width$}", width = f.width().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_no_negative_zero_and_no_end_of_digits() {
        assert_eq!(format!("{:.1} {:+.1} {:+.1}", Number(-0.04), Number(-0.04), Number(-0.06)), "0.0 +0.0 -0.1");
        assert_eq!(format!("{:>7.2}|{:6}|", Number(1.5), Number(-0.0)), "   1.50|     0|");
        assert_eq!(format!("{:+.1} to {:.1}", Number(f64::NEG_INFINITY), Number(f64::INFINITY)), "-∞ to ∞");
        assert_eq!(format!("{:>9.1}|{:.1}", Number(f64::NAN), Number(-1e308)), "  unknown|-1.000e308");
    }
}
