//! Lines on standard error: progress, warnings, errors.

use std::fmt::Arguments;
use std::io::Write;
pub use tilewright_train::markdown::visible;

/// Prints a line to standard error. Nobody misses it if standard error takes no more: its reader has gone away, or its disk is full.
pub fn status_line(text: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(&text.to_string()));
}

/// Prints a line to standard error; see [`status_line`].
macro_rules! status {
    ($($part:tt)*) => { $crate::status::status_line(format_args!($($part)*)) };
}
pub(crate) use status;
