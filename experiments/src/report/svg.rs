//! SVG drawings, and charts: lines, bands and bars over a scale, with ticks and units.
//!
//! Colours are classes of the style sheet, so they follow the light or dark mode of the reader. plotters (3 CPU-seconds to
//! build) writes colours into the drawing and a quarter more bytes. charming (32 CPU-seconds) puts a megabyte of script into
//! each page and draws on a canvas, useless to screen readers and printers.

use maud::{Markup, PreEscaped, html};

use super::html::figure;
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
    /// An empty drawing. Screen readers read its `label`.
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

    /// A rectangle with its upper left corner `at` a point.
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

    /// A text with the point on its base line.
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

/// A length, rounded to tenths, in as few characters as possible. It is 0 if `value` is no number.
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

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 38.0;
/// The most points of a line. More cannot be seen.
const MAX_POINTS: usize = 400;

/// The most dots of a layer. The rest is left out evenly.
const MAX_DOTS: usize = 1500;

/// So few dots of a layer are large.
const FEW_DOTS: usize = 40;

/// A colour of a line, by which lines that are shown together are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The colour of the main line.
    First,
    /// A quiet one.
    Second,
    Third,
}

impl Colour {
    fn class(self) -> &'static str {
        match self {
            Colour::First => "first",
            Colour::Second => "second",
            Colour::Third => "third",
        }
    }
}

/// A drawing over the scales.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line through points.
    Line(Vec<(f64, f64)>),
    /// The area between two lines: across, low, high.
    Band(Vec<(f64, f64, f64)>),
    Dots(Vec<(f64, f64)>),
    /// Bars from zero to a height, and the width of a bar.
    Bars(Vec<(f64, f64)>, f64),
    /// A horizontal line.
    Level(f64),
}

/// A mark with its name in the chart and its colour. Marks without a name are not listed.
pub type Layer<'a> = (&'a str, Colour, Mark);

impl Mark {
    /// The values that the horizontal and the vertical scale must have.
    fn extent(&self) -> (Vec<f64>, Vec<f64>) {
        match self {
            Mark::Line(points) | Mark::Dots(points) => points.iter().copied().unzip(),
            Mark::Band(points) => points.iter().flat_map(|&(x, low, high)| [(x, low), (x, high)]).unzip(),
            Mark::Bars(bars, width) => (
                bars.iter().flat_map(|bar| [bar.0 - width / 2.0, bar.0 + width / 2.0]).collect(),
                bars.iter().map(|bar| bar.1).chain([0.0]).collect(),
            ),
            Mark::Level(level) => (Vec::new(), vec![*level]),
        }
    }
}

/// The chart of one mark.
pub fn chart_of(caption: &str, across: &str, up: &str, mark: Mark) -> Markup {
    layered_chart(caption, across, up, &[("", Colour::First, mark)])
}

/// The chart of one line.
pub fn line_chart(caption: &str, across: &str, up: &str, points: Vec<(f64, f64)>) -> Markup {
    chart_of(caption, across, up, Mark::Line(points))
}

/// A chart as a figure of a page, drawn from the back to the front. Screen readers read the caption too. The other texts are
/// the name and unit of the horizontal axis and of the vertical axis.
pub fn layered_chart(caption: &str, across_name: &str, up_name: &str, layers: &[Layer<'_>]) -> Markup {
    let mut svg = Svg::new(WIDTH, HEIGHT, caption);
    let (xs, ys): (Vec<Vec<f64>>, Vec<Vec<f64>>) = layers.iter().map(|(.., mark)| mark.extent()).unzip();
    let across = Scale::new(xs.concat(), LEFT, WIDTH - RIGHT);
    let up = Scale::new(ys.concat(), HEIGHT - BOTTOM, TOP);
    svg.ticks_before(&up, (LEFT, WIDTH - RIGHT), |value| value);
    let are_whole = xs.iter().flatten().all(|x| x.fract() == 0.0);
    for value in across.ticks(6).into_iter().filter(|value| !are_whole || value.fract() == 0.0) {
        svg.text("tick", (across.at(value), HEIGHT - BOTTOM + 14.0), Anchor::Middle, &tick(value));
    }
    svg.text("tick", (WIDTH - RIGHT, HEIGHT - 5.0), Anchor::End, across_name);
    for (_, colour, mark) in layers {
        draw(&mut svg, colour.class(), mark, &across, &up);
    }
    let named = layers.iter().filter(|(name, ..)| !name.is_empty());
    let keys = html! { @for (name, colour, _) in named { " " span.key.(colour.class()) { (name) } } };
    figure(svg.finish(), html! { (caption) ", " (up_name) "." (keys) })
}

fn draw(svg: &mut Svg, class: &str, mark: &Mark, across: &Scale, up: &Scale) {
    let place = |&(x, y): &(f64, f64)| (across.at(x), up.at(y));
    match mark {
        Mark::Line(points) => svg.path(&format!("line {class}"), &points.iter().map(place).collect::<Vec<_>>()),
        Mark::Dots(points) => {
            let step = points.len().div_ceil(MAX_DOTS).max(1);
            let radius = if points.len() > FEW_DOTS { 1.8 } else { 4.0 };
            points.iter().step_by(step).for_each(|point| svg.dot(&format!("mark {class}"), place(point), radius));
        }
        Mark::Level(level) => {
            svg.line(&format!("level {class}"), (LEFT, up.at(*level)), (WIDTH - RIGHT, up.at(*level)));
        }
        Mark::Band(points) => {
            let low = points.iter().map(|&(x, low, _)| place(&(x, low)));
            let high = points.iter().rev().map(|&(x, _, high)| place(&(x, high)));
            svg.area(&format!("band {class}"), &low.chain(high).collect::<Vec<_>>());
        }
        Mark::Bars(bars, width) => {
            for &(x, height) in bars {
                let [left, right] = [x - width / 2.0, x + width / 2.0].map(|x| across.at(x));
                let [top, foot] = [up.at(height.max(0.0)), up.at(height.min(0.0))];
                svg.rectangle(&format!("bar {class}"), (left + 0.5, top), ((right - left - 1.0).max(0.5), foot - top));
            }
        }
    }
}

/// The places of at most a few hundred of `count` points, the last among them.
pub fn thinned(count: usize) -> impl Iterator<Item = usize> {
    let step = count.div_ceil(MAX_POINTS).max(1);
    (0..count).filter(move |at| (at + 1) % step == 0 || at + 1 == count)
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

    #[test]
    fn a_chart_has_its_marks_ticks_and_keys() {
        let layer = |name, mark| (name, Colour::First, mark);
        let layers = [
            layer("band", Mark::Band(vec![(0.0, -1.0, 1.0), (10.0, -2.0, 2.0)])),
            layer("a < b", Mark::Line(vec![(0.0, 0.0), (10.0, 1.0)])),
            layer("", Mark::Level(0.5)),
            layer("", Mark::Bars(vec![(5.0, -1.0)], 2.0)),
            layer("", Mark::Dots(vec![(3.0, 0.0)])),
        ];
        let shown = layered_chart("Spread", "pairs", "points", &layers).0;
        for part in [
            "<polygon class=\"band first\"",
            "polyline class=\"line first\"",
            "level first",
            "bar first",
            "mark first",
            ">pairs<",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert!(shown.contains("a &lt; b</span>") && shown.contains("Spread, points."));
    }

    #[test]
    fn no_figure_makes_an_attribute_that_is_no_number() {
        let hostile = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 1e300, 1e300, 0.0];
        for &x in &hostile {
            for &y in &hostile {
                let points = || vec![(x, y), (y, x), (1.0, 2.0)];
                let marks = [
                    Mark::Line(points()),
                    Mark::Dots(points()),
                    Mark::Band(vec![(x, y, x), (y, x, y)]),
                    Mark::Bars(points(), x),
                    Mark::Level(y),
                ];
                let layers = marks.map(|mark| ("", Colour::First, mark));
                for layers in [layers.to_vec()].into_iter().chain(layers.map(|layer| vec![layer])) {
                    let shown = layered_chart("", "", "", &layers).0;
                    assert!(!shown.contains("NaN") && !shown.contains("inf"), "{x} {y}: {shown}");
                }
                let mut svg = Svg::new(x, y, "");
                svg.cell("", (x, y), (y, x), x, "");
                svg.dot("", (x, y), y);
                let shown = svg.finish().0;
                assert!(!shown.contains("NaN") && !shown.contains("inf"), "{x} {y}: {shown}");
            }
        }
    }

    #[test]
    fn few_points_are_all_kept_and_the_last_always() {
        assert_eq!(thinned(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(thinned(0).count(), 0);
        let many: Vec<usize> = thinned(1001).collect();
        assert!(many.len() <= MAX_POINTS && many.last() == Some(&1000));
    }
}
