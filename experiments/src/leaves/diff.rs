//! `leaves diff`: two tables, leave by leave.

use std::fmt;

use serde::Serialize;
use tilewright_train::leaves::difference::LengthDifference;

use super::flags::LeavesDiffArguments;
use crate::flags::new_files;
use crate::{Failure, loading, output};

mod comparison;
mod scatter;
mod listings;
mod origins;
mod page;

use comparison::Comparison;

/// The result of `leaves diff`. The averages weight each leave by the expected number of times that a random full rack contains it.
#[derive(Serialize)]
struct ShownDifference {
    a: String,
    b: String,
    /// By the number of tiles, then all.
    by_length: Vec<LengthDifference>,
    are_equal: bool,
    largest: Vec<LeaveDifference>,
}

/// A leave in both tables, in points.
#[derive(Serialize)]
struct LeaveDifference {
    leave: String,
    a: f64,
    b: f64,
    difference: f64,
    times_per_1000_racks: f64,
}

impl fmt::Display for ShownDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "a: {}\nb: {}", self.a, self.b)?;
        writeln!(f, "tiles   leaves  correlation  mean |a - b|  root mean square")?;
        for LengthDifference { tiles, leaves, correlation, mean_absolute, root_mean_square, .. } in &self.by_length {
            let label = tiles.map_or("all".to_string(), |tiles| tiles.to_string());
            writeln!(f, "{label:>5} {leaves:>8}  {correlation:>11.4}  {mean_absolute:>12.3}  {root_mean_square:>16.3}")?;
        }
        writeln!(
            f,
            "\nThe averages weight each leave by the expected number of times that a random full rack contains it."
        )?;
        if self.largest.is_empty() {
            return f.write_str(if self.are_equal { "The tables are equal." } else { "No difference is listed (--top 0)." });
        }
        write!(f, "The largest differences:\nleave         a         b     a - b   times per 1000 racks")?;
        for LeaveDifference { leave, a, b, difference, times_per_1000_racks } in &self.largest {
            write!(f, "\n{leave:<8} {a:>8.2}  {b:>8.2}  {difference:>8.2}   {times_per_1000_racks:>20.3}")?;
        }
        Ok(())
    }
}

pub fn run(arguments: &LeavesDiffArguments) -> Result<(), Failure> {
    let LeavesDiffArguments { out, html, json, .. } = arguments;
    let [out, html, json] =
        new_files([("--out", out.as_deref()), ("--html", html.as_deref()), ("--json", json.json.as_deref())])?;
    loading::start_threads(&arguments.flags)?;
    let comparison = Comparison::open(arguments)?;
    let shown = ShownDifference::new(&comparison, arguments.top);
    let written = out.write(format!("{shown}\n").as_bytes());
    written.and(output::show_and_page(&shown, json, html, || Ok(page::write(&comparison))))
}

impl ShownDifference {
    /// The text and the JSON, with this many of the largest differences.
    fn new(comparison: &Comparison, top: usize) -> ShownDifference {
        let Comparison { tables: [open_a, open_b], difference, .. } = comparison;
        let row = |index: usize| {
            let (leave, [a, b]) = (comparison.leave(index), comparison.values(index));
            LeaveDifference { leave, a, b, difference: a - b, times_per_1000_racks: 1000.0 * difference.weight(index) }
        };
        ShownDifference {
            a: open_a.title(),
            b: open_b.title(),
            are_equal: difference.is_none(),
            largest: difference.largest(top).into_iter().map(row).collect(),
            by_length: difference.by_length.clone(),
        }
    }
}
