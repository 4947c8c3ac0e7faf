//! A drawing of values with intervals, one row for each name.

use tilewright_engine::series::Estimate;

use super::html::{Markup, shortened};
use super::svg::{Anchor, Scale, Svg};

/// The longest name that a drawing has room for, in characters.
const LONGEST: usize = 34;
const WIDTH: f64 = 480.0;
const ROW: f64 = 30.0;
const TOP: f64 = 26.0;

/// A row: its name, and values with their colours, drawn below each other.
pub type Row<'a> = (&'a str, Vec<(&'static str, Estimate)>);

/// Draws a dot for each value and a line for its interval. Screen readers read the `label`.
pub fn intervals(label: &str, rows: &[Row<'_>]) -> Markup {
    let longest = rows.iter().map(|(name, _)| shortened(name, LONGEST).chars().count()).max().unwrap_or(0);
    let ends = rows.iter().flat_map(|(_, values)| values).flat_map(|(_, Estimate { mean, low, high })| [mean, low, high]);
    let scale = Scale::new(ends.copied(), 12.0 + 5.9 * longest as f64, WIDTH - 14.0);
    let height = TOP + ROW * rows.len() as f64;
    let mut svg = Svg::new(WIDTH, height, label);
    svg.ticks_above(&scale, 5, (TOP - 2.0, height), |value| value);
    for (place, (name, values)) in rows.iter().enumerate() {
        let middle = TOP + ROW * (place as f64 + 0.5);
        svg.text("label", (0.0, middle + 4.0), Anchor::Start, &shortened(name, LONGEST));
        for (number, &(class, Estimate { mean, low, high })) in values.iter().enumerate() {
            let y = middle + 10.0 * number as f64 - 5.0 * (values.len() - 1) as f64;
            if low.is_finite() && high.is_finite() {
                svg.line(&format!("line {class}"), (scale.at(low), y), (scale.at(high), y));
            }
            svg.dot(&format!("mark {class}"), (scale.at(mean), y), 3.6);
        }
    }
    svg.finish()
}
