//! Charts: lines, bands and bars over a scale, with ticks and units.
//!
//! A chart is SVG whose colours are classes of the style sheet, so it follows the theme of its reader. plotters (3 CPU-seconds to build) writes
//! colours into the drawing and a quarter more bytes; charming (32 CPU-seconds) puts a megabyte of script into each page, which
//! draws on a canvas that neither a screen reader nor a printer knows.

use super::html::{Markup, figure, html};
use super::svg::{Anchor, Scale, Svg, tick};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 38.0;
/// The most points of a line; more cannot be seen.
const MAX_POINTS: usize = 400;

/// The most dots of a layer; of more, some are left out evenly.
const MAX_DOTS: usize = 1500;

/// A colour of a line, by which lines that are shown together are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// That of the main line.
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

/// What is drawn over the scales.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line through points.
    Line(Vec<(f64, f64)>),
    /// The area between two lines: across, low, high.
    Band(Vec<(f64, f64, f64)>),
    Dots(Vec<(f64, f64)>),
    /// Bars from zero to a height; each with its width.
    Bars(Vec<(f64, f64)>, f64),
    /// A horizontal line.
    Level(f64),
}

/// A mark with its colour and its name in the chart; marks without a name are not listed.
#[derive(Clone, Debug)]
pub struct Layer {
    pub name: String,
    pub colour: Colour,
    pub mark: Mark,
}

impl Layer {
    pub fn new(name: &str, colour: Colour, mark: Mark) -> Layer {
        Layer { name: name.into(), colour, mark }
    }
}

#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// What it shows, as text: the caption, and what screen readers read.
    pub caption: &'a str,
    /// The name and unit of the horizontal axis.
    pub across: &'a str,
    /// The name and unit of the vertical axis.
    pub up: &'a str,
    /// What is drawn, from the back to the front.
    pub layers: Vec<Layer>,
}

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

impl Chart<'_> {
    /// The chart of one mark as a figure of a page.
    pub fn of(caption: &str, across: &str, up: &str, mark: Mark) -> Markup {
        Chart { caption, across, up, layers: vec![Layer::new("", Colour::First, mark)] }.show()
    }

    /// The chart of one line as a figure of a page.
    pub fn of_line(caption: &str, across: &str, up: &str, points: Vec<(f64, f64)>) -> Markup {
        Chart::of(caption, across, up, Mark::Line(points))
    }

    pub fn show(&self) -> Markup {
        let Chart { caption, across: across_name, up: up_name, layers } = self;
        let mut svg = Svg::new(WIDTH, HEIGHT, caption);
        let (xs, ys): (Vec<Vec<f64>>, Vec<Vec<f64>>) = layers.iter().map(|layer| layer.mark.extent()).unzip();
        let across = Scale::new(xs.concat(), LEFT, WIDTH - RIGHT);
        let up = Scale::new(ys.concat(), HEIGHT - BOTTOM, TOP);
        svg.ticks_before(&up, (LEFT, WIDTH - RIGHT), |value| value);
        let are_whole = xs.iter().flatten().all(|x| x.fract() == 0.0);
        for value in across.ticks(6).into_iter().filter(|value| !are_whole || value.fract() == 0.0) {
            svg.text("tick", (across.at(value), HEIGHT - BOTTOM + 14.0), Anchor::Middle, &tick(value));
        }
        svg.text("tick", (WIDTH - RIGHT, HEIGHT - 5.0), Anchor::End, across_name);
        for layer in layers {
            draw(&mut svg, layer, &across, &up);
        }
        let named = layers.iter().filter(|layer| !layer.name.is_empty());
        let keys = html! { @for Layer { name, colour, .. } in named { " " span.key.(colour.class()) { (name) } } };
        figure(svg.finish(), html! { (caption) ", " (up_name) "." (keys) })
    }
}

fn draw(svg: &mut Svg, layer: &Layer, across: &Scale, up: &Scale) {
    let class = layer.colour.class();
    let place = |&(x, y): &(f64, f64)| (across.at(x), up.at(y));
    match &layer.mark {
        Mark::Line(points) => svg.path(&format!("line {class}"), &points.iter().map(place).collect::<Vec<_>>()),
        Mark::Dots(points) => {
            let step = points.len().div_ceil(MAX_DOTS).max(1);
            points.iter().step_by(step).for_each(|point| svg.dot(&format!("mark {class}"), place(point), 1.8));
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
    fn a_chart_has_its_marks_ticks_and_keys() {
        let layer = |name, mark| Layer::new(name, Colour::First, mark);
        let layers = vec![
            layer("band", Mark::Band(vec![(0.0, -1.0, 1.0), (10.0, -2.0, 2.0)])),
            layer("a < b", Mark::Line(vec![(0.0, 0.0), (10.0, 1.0)])),
            layer("", Mark::Level(0.5)),
            layer("", Mark::Bars(vec![(5.0, -1.0)], 2.0)),
            layer("", Mark::Dots(vec![(3.0, 0.0)])),
        ];
        let shown = Chart { caption: "Spread", across: "pairs", up: "points", layers }.show().0;
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
                let layers = marks.map(|mark| Layer::new("", Colour::First, mark));
                for layers in [layers.to_vec()].into_iter().chain(layers.map(|layer| vec![layer])) {
                    let shown = Chart { caption: "", across: "", up: "", layers }.show().0;
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
