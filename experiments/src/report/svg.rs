//! SVG drawings. Colours are classes of the style sheet, so they follow the light or dark mode of the reader.

use maud::{Markup, PreEscaped, html};

use crate::status::visible;

/// A drawing in progress. Lengths are in its own units, each about a pixel on a phone.
pub struct Svg {
    width: f64,
    height: f64,
    label: String,
    body: String,
}

/// The point of a text at its position.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// An empty drawing; `label` describes it to screen readers.
    pub fn new(width: f64, height: f64, label: &str) -> Svg {
        Svg { width, height, label: label.into(), body: String::new() }
    }

    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(length);
        self.body += &format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    pub fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        self.body += &format!("<polyline class=\"{class}\" points=\"{}\"/>", places(points));
    }

    pub fn area(&mut self, class: &str, points: &[(f64, f64)]) {
        self.body += &format!("<polygon class=\"{class}\" points=\"{}\"/>", places(points));
    }

    /// A rectangle; `at` is its upper left corner.
    pub fn rectangle(&mut self, class: &str, at: (f64, f64), size: (f64, f64)) {
        self.body += &format!("<rect class=\"{class}\" {}/>", place(at, size));
    }

    /// A cell of a map. `strength` (0–1) is the opacity of its colour, `title` its tooltip.
    pub fn cell(&mut self, class: &str, at: (f64, f64), size: (f64, f64), strength: f64, title: &str) {
        let (place, strength, title) = (place(at, size), within(strength).clamp(0.0, 1.0), html! { title { (title) } }.0);
        self.body += &format!("<rect class=\"{class}\" {place} fill-opacity=\"{strength:.2}\">{title}</rect>");
    }

    pub fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.body +=
            &format!("<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", length(x), length(y), length(radius));
    }

    /// A text; the point is on its base line.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => None,
            Anchor::Middle => Some("middle"),
            Anchor::End => Some("end"),
        };
        self.body += &html! { text class=(class) x=(length(x)) y=(length(y)) text-anchor=[anchor] { (text) } }.0;
    }

    /// A vertical line at each of about `many` ticks of the scale, from `top` to `bottom`, with the value of the tick above
    /// it.
    pub fn ticks_above(&mut self, scale: &Scale, many: usize, (top, bottom): (f64, f64), shown: impl Fn(f64) -> f64) {
        for value in scale.ticks(many) {
            let x = scale.at(value);
            self.line(if value == 0.0 { "axis" } else { "grid" }, (x, top - 4.0), (x, bottom));
            self.text("tick", (x, top - 8.0), Anchor::Middle, &tick(shown(value)));
        }
    }

    /// A horizontal line at each of about four ticks of the scale, from `left` to `right`, with the value of the tick to
    /// its left.
    pub fn ticks_before(&mut self, scale: &Scale, (left, right): (f64, f64), shown: impl Fn(f64) -> f64) {
        for value in scale.ticks(4) {
            let y = scale.at(value);
            self.line(if value == 0.0 { "axis" } else { "grid" }, (left, y), (right, y));
            self.text("tick", (left - 5.0, y + 4.0), Anchor::End, &tick(shown(value)));
        }
    }

    /// A horizontal box plot at height `middle` of five rising places: a line from the first to the last, a box of `height`
    /// from the second to the fourth, and the median.
    pub fn box_plot(&mut self, middle: f64, height: f64, [low, lower, median, upper, high]: [f64; 5]) {
        self.line("whisker", (low, middle), (high, middle));
        self.rectangle("box", (lower, middle - height / 2.0), ((upper - lower).max(0.6), height));
        self.line("median", (median, middle - height / 2.0 - 2.0), (median, middle + height / 2.0 + 2.0));
    }

    pub fn finish(self) -> Markup {
        let Svg { width, height, label, body } = self;
        let view = format!("0 0 {} {}", length(width), length(height));
        html! { svg viewBox=(view) role="img" aria-label=(label) { (PreEscaped(body)) } }
    }

    /// The drawing as a file of its own, with the part of the style sheet that it needs.
    pub fn file(self) -> String {
        let sheet = include_str!("page.css");
        let colours = sheet.split_once("}\n").map_or("", |(first, _)| first);
        let rules: String = sheet.lines().filter(|line| line.starts_with("svg")).map(|line| format!("{line}\n")).collect();
        let style = format!("<style>\n{colours}}}\n{rules}</style>");
        let drawing = visible(&self.finish().0).replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1);
        drawing.replacen('>', &format!(">{style}"), 1) + "\n"
    }
}

fn places(points: &[(f64, f64)]) -> String {
    points.iter().map(|&(x, y)| format!("{},{}", length(x), length(y))).collect::<Vec<_>>().join(" ")
}

fn place(at: (f64, f64), size: (f64, f64)) -> String {
    let [x, y, width, height] = [at.0, at.1, size.0, size.1].map(length);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// The farthest place and value in a drawing: scales of values from anywhere stay finite.
const FARTHEST: f64 = 1e15;

/// A length, rounded to tenths, in as few characters as possible; 0 if it is no number.
fn length(value: f64) -> String {
    let text = format!("{:.1}", within(value));
    match text.strip_suffix(".0") {
        Some("-0") => "0".into(),
        Some(whole) => whole.into(),
        None => text,
    }
}

fn within(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-FARTHEST, FARTHEST) }
}

/// A linear scale from values to places in a drawing.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// Maps the lowest value to `from` and the highest to `to`. If all values are equal, the scale extends by 1 on both
    /// sides.
    pub fn new(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Scale {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let finite = values.into_iter().filter(|value| value.is_finite()).map(within);
        let (low, high) = finite.fold(ends, |(low, high), value| (low.min(value), high.max(value)));
        match (low, high) {
            (low, high) if low > high => Scale { low: 0.0, high: 1.0, from, to },
            (low, high) if high - low < 1e-9 => Scale { low: low - 1.0, high: high + 1.0, from, to },
            (low, high) => Scale { low, high, from, to },
        }
    }

    pub fn at(&self, value: f64) -> f64 {
        self.from + (within(value) - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// About `many` round values between the lowest and the highest value.
    pub fn ticks(&self, many: usize) -> Vec<f64> {
        let rough = (self.high - self.low) / many.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(rough);
        let (first, last) = ((self.low / step - 1e-9).ceil() as i64, (self.high / step + 1e-9).floor() as i64);
        (first..=last).map(|tick| tick as f64 * step).collect()
    }
}

/// The value of a tick, with up to two decimals.
pub fn tick(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if value < 0.0 && text != "0" { format!("−{text}") } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_round_ticks_within_their_ends() {
        let scale = Scale::new([-9.6, 28.1], 0.0, 377.0);
        assert_eq!(scale.ticks(5), [0.0, 10.0, 20.0]);
        assert!((scale.at(-9.6)).abs() < 1e-9 && (scale.at(28.1) - 377.0).abs() < 1e-9);
        assert_eq!(Scale::new([0.0, 1.0], 0.0, 1.0).ticks(4), [0.0, 0.5, 1.0]);
        for odd in [Scale::new([], 0.0, 1.0), Scale::new([3.0], 0.0, 1.0), Scale::new([f64::NAN, 2.0], 0.0, 1.0)] {
            assert!(odd.at(2.0).is_finite() && !odd.ticks(4).is_empty());
        }
        assert_eq!([tick(-10.0), tick(0.5), tick(0.0), tick(-0.0)], ["−10", "0.5", "0", "0"]);
    }

    #[test]
    fn a_file_has_the_colours_and_the_rules_of_the_page() {
        let mut svg = Svg::new(10.0, 10.0, "a > b");
        svg.dot("mark first", (1.0, 1.0), 1.0);
        let file = svg.file();
        assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox"), "{file}");
        for part in
            ["aria-label=\"a &gt; b\"><style>\n:root {", "--first: light-dark(", "svg .mark.first", "</style><circle"]
        {
            assert!(file.contains(part), "{part}: {file}");
        }
        assert!(!file.contains("body {"), "{file}");
    }

    #[test]
    fn texts_in_drawings_are_escaped() {
        let mut svg = Svg::new(10.0, 10.5, "a \"b\"");
        svg.text("t", (0.0, -0.01), Anchor::End, "<CH>");
        svg.cell("c", (0.0, 0.0), (1.0, 1.0), 7.0, "&");
        let text = svg.finish().0;
        assert!(text.contains("&lt;CH&gt;") && text.contains("a &quot;b&quot;") && text.contains("<title>&amp;</title>"));
        assert!(
            text.contains("fill-opacity=\"1.00\"") && text.contains("viewBox=\"0 0 10 10.5\"") && text.contains("y=\"0\"")
        );
    }
}
