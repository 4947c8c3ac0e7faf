//! A drawing of values by name, some with intervals.

use tilewright_engine::series::Estimate;

use super::html::{Markup, shortened};
use super::svg::{Anchor, Scale, Svg};

/// The longest name that a drawing has room for, in characters.
const LONGEST: usize = 54;
const WIDTH: f64 = 420.0;
const TOP: f64 = 26.0;
/// The height of a name, which stands above the values of its row.
const NAME: f64 = 18.0;
/// The longest name that stands before the values of its row.
const SHORT: usize = 3;

/// A row: its name, and values with their colours.
pub type Row = (String, Vec<(&'static str, Estimate)>);

/// Draws a dot for each value and a line for its interval. The values of a row lie below each other, but values without intervals on a
/// line from the least to the greatest. Screen readers read the `label`.
pub fn intervals(label: &str, rows: &[Row]) -> Markup {
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let (left, name_height) = if longest > SHORT { (10.0, NAME) } else { (14.0 + 9.0 * longest as f64, 0.0) };
    let ends = rows.iter().flat_map(|(_, values)| values).flat_map(|(_, Estimate { mean, low, high })| [mean, low, high]);
    let scale = Scale::new(ends.copied(), left, WIDTH - 14.0);
    let is_plain = rows.iter().flat_map(|(_, values)| values).all(|(_, value)| value.half_width().is_nan());
    let most = rows.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
    let (value_height, apart) = if is_plain { (18.0, 0.0) } else { (10.0 + 10.0 * most as f64, 10.0) };
    let row = name_height + value_height;
    let height = TOP + row * rows.len() as f64;
    let mut svg = Svg::new(WIDTH, height, label);
    svg.ticks_above(&scale, 1.0, (TOP - 2.0, height));
    for (place, (name, values)) in rows.iter().enumerate() {
        let top = TOP + row * place as f64;
        let middle = top + name_height + value_height / 2.0;
        let base = if name_height > 0.0 { top + name_height - 3.0 } else { middle + 4.0 };
        svg.text("label", (0.0, base), Anchor::Start, &shortened(name, LONGEST));
        let means = || values.iter().map(|(_, value)| scale.at(value.mean));
        if is_plain {
            let (least, greatest) = (means().fold(f64::INFINITY, f64::min), means().fold(f64::NEG_INFINITY, f64::max));
            svg.line("interval", (least, middle), (greatest, middle));
        }
        for (number, (class, Estimate { mean, low, high })) in values.iter().enumerate() {
            let y = middle + apart * (number as f64 - (values.len() - 1) as f64 / 2.0);
            if low.is_finite() && high.is_finite() {
                svg.line(&format!("line {class}"), (scale.at(*low), y), (scale.at(*high), y));
            }
            svg.dot(&format!("mark {class}"), (scale.at(*mean), y), 3.6);
        }
    }
    svg.finish()
}
