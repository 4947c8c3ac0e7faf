//! The differences as tables: by length, of single tiles and pairs, and the largest.

use tilewright_engine::series::NORMAL_95;
use tilewright_train::leaves::difference::LengthDifference;

use super::comparison::{Comparison, correlation_text};
use crate::leaves::page::leave_html;
use crate::leaves::page::lengths::{CAPTION, Length, chart, listing};
use crate::report::html::{Markup, Section, figure, grouped, html, row_of, signed, sortable_table, table, tall_table};
use crate::report::svg::{Anchor, Scale, Svg};

const LARGEST: usize = 200;
const WIDTH: f64 = 480.0;
const ROW: f64 = 18.0;
const TOP: f64 = 18.0;
const LABEL: f64 = 34.0;

pub fn lengths(comparison: &Comparison) -> Section {
    let ranking = comparison.tables[0].table.ranking();
    let difference = |index: usize| comparison.of(index);
    let length = |tiles: usize| Length::new(tiles, ranking.indices_of_size(tiles).map(difference).collect());
    let lengths: Vec<Length> = (1..=ranking.max_size()).map(length).collect();
    let by_length = |of: &LengthDifference| {
        vec![
            of.tiles.map_or("all".into(), |tiles| tiles.to_string()),
            grouped(of.leaves as u64),
            correlation_text(of.correlation),
            signed(of.mean, 2),
            format!("{:.2}", of.mean_absolute),
            format!("{:.2}", of.root_mean_square),
        ]
    };
    let columns = ["tiles", "#leaves", "#correlation", "#mean A − B", "#mean |A − B|", "#root mean square"];
    let boxes = figure(chart("Distribution of the differences A − B by number of tiles, in points", &lengths), CAPTION);
    let lead = "Differences are A − B, in points. The means weight each leave by use; the distribution does not.";
    let body = html! {
        (table(&columns, comparison.difference.by_length.iter().map(by_length)))
        div.two { (boxes) (listing(&lengths)) }
    };
    Section::new("lengths", "Lengths", "Differences by length", lead, body)
}

pub fn few_tiles(comparison: &Comparison) -> Section {
    let ranking = comparison.tables[0].table.ranking();
    let mut singles: Vec<usize> = ranking.indices_of_size(1).collect();
    singles.sort_by(|&x, &y| comparison.values(y)[0].total_cmp(&comparison.values(x)[0]));
    let pairs = if ranking.max_size() > 1 { ranking.indices_of_size(2) } else { 0..0 };
    let mut pairs: Vec<usize> = pairs.collect();
    pairs.sort_by(|&x, &y| comparison.of(y).abs().total_cmp(&comparison.of(x).abs()));
    let (head, row) = (head(comparison), |&index: &usize| row(comparison, index));
    let caption = html! { "Each tile as the whole leave, points." span.key.first { "A" } span.key.third { "B" } };
    let body = html! {
        (figure(tiles(comparison, &singles), caption))
        (sortable_table("by-tile", &head, singles.iter().map(row)))
        @if !pairs.is_empty() { h3 { "Pairs" } (tall_table("by-pair", &head, pairs.iter().map(row))) }
    };
    let intervals = match comparison.details.each_ref().map(Option::is_some) {
        [true, true] => "Intervals are 95 %; the last column but one is the difference over its standard error.",
        [true, false] => "Intervals are 95 %; B does not record its errors.",
        [false, true] => "Intervals are 95 %; A does not record its errors.",
        [false, false] => "Neither table records its errors, so there are no intervals.",
    };
    let lead = format!("Tiles by their value in A, and pairs by how far they differ, in points. {intervals}");
    Section::new("tiles", "Tiles and pairs", "Single tiles and pairs", lead, body)
}

/// A drawing of the values of single tiles in both tables.
fn tiles(comparison: &Comparison, singles: &[usize]) -> Markup {
    let height = TOP + ROW * singles.len() as f64 + 4.0;
    let mut svg = Svg::new(WIDTH, height, "Value of each tile as a leave in A and in B, in points");
    let scale = Scale::new(singles.iter().flat_map(|&index| comparison.values(index)).chain([0.0]), LABEL, WIDTH - 8.0);
    svg.ticks_above(&scale, 8, (TOP, height), |value| value);
    for (row, &index) in singles.iter().enumerate() {
        let middle = TOP + ROW * (row as f64 + 0.5);
        let [a, b] = comparison.values(index).map(|value| scale.at(value));
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, &comparison.leave(index));
        svg.line("interval", (a.min(b), middle), (a.max(b), middle));
        svg.dot("mark first", (a, middle), 4.0);
        svg.dot("mark third", (b, middle), 3.0);
    }
    svg.finish()
}

/// The largest differences; none if the tables are equal.
pub fn largest(comparison: &Comparison) -> Option<Section> {
    let rows: Vec<_> = comparison.difference.largest(LARGEST).into_iter().map(|index| row(comparison, index)).collect();
    if rows.is_empty() {
        return None;
    }
    let lead = format!(
        "The {} leaves whose values differ most, in points. Most of them are rare: the last column says how many times a million \
             random racks hold the leave.",
        rows.len()
    );
    let body = tall_table("by-difference", &head(comparison), &rows);
    Some(Section::new("largest", "Largest", "The largest differences", lead, body))
}

/// The heads of the columns of [`row`].
fn head(comparison: &Comparison) -> Vec<&'static str> {
    let [a, b] = comparison.details.each_ref().map(Option::is_some);
    let columns = [
        ("leave", true),
        ("#A", true),
        ("#interval of A", a),
        ("#B", true),
        ("#interval of B", b),
        ("#A − B", true),
        ("#in standard errors", a && b),
        ("#in a million racks", true),
    ];
    columns.into_iter().filter(|&(_, is_known)| is_known).map(|(name, _)| name).collect()
}

/// A leave with both values, their intervals if known, and the difference.
fn row(comparison: &Comparison, index: usize) -> Vec<Markup> {
    let mut row = Vec::new();
    for (value, detail) in comparison.values(index).into_iter().zip(&comparison.details) {
        row.push(signed(value, 2));
        row.extend(detail.as_ref().map(|detail| {
            let half = NORMAL_95 * detail.standard_error[index];
            format!("{} to {}", signed(value - half, 2), signed(value + half, 2))
        }));
    }
    row.push(signed(comparison.of(index), 2));
    if let [Some(a), Some(b)] = &comparison.details {
        let error = a.standard_error[index].hypot(b.standard_error[index]);
        row.push(if error > 0.0 { signed(comparison.of(index) / error, 1) } else { String::new() });
    }
    row.push(comparison.often(index));
    row_of(leave_html(index, &comparison.tables[0].table, &comparison.tables[0].tileset), row)
}
