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

    /// A vertical line at each tick of the scale, from `top` to `bottom`, with the value of the tick times `unit` above it.
    pub fn ticks_above(&mut self, scale: &Scale, unit: f64, (top, bottom): (f64, f64)) {
        for (value, shown) in scale.ticks(unit) {
            let x = scale.at(value);
            self.line(if value == 0.0 { "axis" } else { "grid" }, (x, top - 4.0), (x, bottom));
            self.text("tick across", (x, top - 8.0), Anchor::Middle, &shown);
        }
    }

    /// The value of each tick of the scale below `foot`.
    pub fn ticks_below(&mut self, scale: &Scale, foot: f64) {
        for (value, shown) in scale.ticks(1.0) {
            self.text("tick across", (scale.at(value), foot + 14.0), Anchor::Middle, &shown);
        }
    }

    /// A horizontal line at each tick of the scale, from `left` to `right`, with the value of the tick times `unit` to its
    /// left.
    pub fn ticks_before(&mut self, scale: &Scale, unit: f64, (left, right): (f64, f64)) {
        for (value, shown) in scale.ticks(unit) {
            let y = scale.at(value);
            self.line(if value == 0.0 { "axis" } else { "grid" }, (left, y), (right, y));
            self.text("tick up", (left - 5.0, y + 4.0), Anchor::End, &shown);
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
        let letters = format!("--phone:{}px", length(SMALLEST_TEXT * width / PHONE));
        html! { svg viewBox=(view) style=(letters) role="img" aria-label=(label) { (PreEscaped(body)) } }
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

/// The width of a drawing on a phone, and the smallest height of a text there, in pixels.
const PHONE: f64 = 348.0;
/// See [`PHONE`].
const SMALLEST_TEXT: f64 = 11.0;

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

    /// The scale of whole numbers: with room for at least as many of them as an axis has ticks.
    pub fn whole(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Scale {
        let Scale { low, high, .. } = Scale::new(values, from, to);
        Scale { low, high: high.max(low.ceil() + FEWEST_TICKS as f64 - 1.0), from, to }
    }

    /// Four to ten round values between the lowest and the highest value. Each comes with its text, times `unit`.
    pub fn ticks(&self, unit: f64) -> Vec<(f64, String)> {
        let ends = |step: f64| ((self.low / step - 1e-9).ceil() as i64, (self.high / step + 1e-9).floor() as i64);
        let highest = (self.high - self.low).log10().floor() as i32;
        let steps = (highest - 2..=highest).rev().flat_map(|power| [5.0, 2.0, 1.0].map(|factor| factor * 10f64.powi(power)));
        let is_enough = |&step: &f64| {
            let (first, last) = ends(step);
            last - first + 1 >= FEWEST_TICKS as i64
        };
        let step = steps.into_iter().find(is_enough).unwrap_or((self.high - self.low) / FEWEST_TICKS as f64);
        let (first, last) = ends(step);
        (first..=last).map(|tick| (tick as f64 * step, tick_of(tick as f64 * step * unit, step * unit.abs()))).collect()
    }
}

/// The fewest ticks of an axis.
pub const FEWEST_TICKS: usize = 4;

/// The text of a tick, with the decimals of the `step` from tick to tick: thousands as `20k`.
fn tick_of(value: f64, step: f64) -> String {
    let (step, ending, shown) = match step {
        step if step >= 1e6 => (step / 1e6, "M", value / 1e6),
        step if step >= 1e3 => (step / 1e3, "k", value / 1e3),
        step => (step, "", value),
    };
    let decimals = (0..6).find(|&decimals| (step * 10f64.powi(decimals)).fract().abs() < 1e-6).unwrap_or(6) as usize;
    let text = format!("{:.decimals$}", shown.abs());
    let sign = if text.chars().all(|digit| matches!(digit, '0' | '.')) {
        return "0".into();
    } else if shown < 0.0 {
        "−"
    } else {
        ""
    };
    format!("{sign}{text}{ending}")
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 240.0;
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

/// The colour of a mark, by its meaning. It is the same on all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The subject of the page: player A, this run, the measured figure.
    First,
    /// Its surroundings, in grey: references, bounds, the other candidates.
    Second,
    /// The other of two: player B, the other table, the published figure.
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

    fn is_over_whole_numbers(&self) -> bool {
        let is_whole = |x: f64| x.fract() == 0.0;
        match self {
            Mark::Line(points) | Mark::Dots(points) | Mark::Bars(points, _) => points.iter().all(|point| is_whole(point.0)),
            Mark::Band(points) => points.iter().all(|point| is_whole(point.0)),
            Mark::Level(_) => true,
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
    let are_whole = layers.iter().all(|(.., mark)| mark.is_over_whole_numbers());
    let across = if are_whole { Scale::whole } else { Scale::new }(xs.concat(), LEFT, WIDTH - RIGHT);
    let up = Scale::new(ys.concat(), HEIGHT - BOTTOM, TOP);
    svg.ticks_before(&up, 1.0, (LEFT, WIDTH - RIGHT));
    svg.ticks_below(&across, HEIGHT - BOTTOM);
    svg.text("axis-name", (WIDTH - RIGHT, HEIGHT - 5.0), Anchor::End, across_name);
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
        Mark::Line(points) if points.len() == 1 => svg.dot(&format!("mark {class}"), place(&points[0]), 2.4),
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
        let texts = |scale: Scale, unit| scale.ticks(unit).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(scale, 1.0), ["−5", "0", "5", "10", "15", "20", "25"]);
        assert!((scale.at(-9.6)).abs() < 1e-9 && (scale.at(28.1) - 377.0).abs() < 1e-9);
        assert_eq!(texts(Scale::new([0.0, 1.0], 0.0, 1.0), 100.0), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(Scale::new([0.0, 0.005], 0.0, 1.0), 1.0), ["0", "0.001", "0.002", "0.003", "0.004", "0.005"]);
        assert_eq!(texts(Scale::new([0.0, 23_000.0], 0.0, 1.0), -1.0), ["0", "−5k", "−10k", "−15k", "−20k"]);
        assert_eq!(texts(Scale::whole([1.0, 2.0], 0.0, 1.0), 1.0), ["1", "2", "3", "4"]);
        for odd in [Scale::new([], 0.0, 1.0), Scale::new([3.0], 0.0, 1.0), Scale::new([f64::NAN, 2.0], 0.0, 1.0)] {
            assert!(odd.at(2.0).is_finite() && odd.ticks(1.0).len() >= FEWEST_TICKS);
        }
    }

    #[test]
    fn every_scale_has_four_to_eleven_ticks_with_different_texts() {
        for step in 0..20_000_u32 {
            let low = f64::from(step % 97) - 48.0;
            let scale = Scale::new([low, low + 1.013f64.powi((step / 20) as i32 - 400)], 0.0, 1.0);
            let ticks = scale.ticks(1.0);
            assert!((FEWEST_TICKS..=11).contains(&ticks.len()), "{scale:?}: {ticks:?}");
            assert!(ticks.windows(2).all(|two| two[0].1 != two[1].1), "{scale:?}: {ticks:?}");
        }
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
