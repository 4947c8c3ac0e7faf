//! The table that a page is about, and the distribution of its values by the number of tiles, with the best and worst leaves.

use tilewright_engine::{LeaveTable, Manifest, TileSet};
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::{WELL_SUPPORTED, Warnings};

use crate::leaves::summary::{SHOWN, ranked};
use crate::report::html::{Markup, Render, Section, classed_table, figure, grouped, html, signed};
use crate::report::svg::{Anchor, Scale, Svg};

pub struct Subject<'a> {
    /// The lexicon of an artefact, the file name of a bare table.
    pub name: &'a str,
    /// Words of the lexicon, if the table was made for it.
    pub words: Option<usize>,
    pub tileset: &'a TileSet,
    pub table: &'a LeaveTable,
    /// Support and errors of the values. Bare tables have none.
    pub detail: Option<&'a Detail>,
    /// Warnings about the values.
    pub warnings: &'a Warnings,
    pub manifest: Option<&'a Manifest>,
    /// The generations of its run, if the artefact records them.
    pub generations: Option<&'a Generations>,
}

/// The leave with this number in a table.
pub fn leave_html(index: usize, table: &LeaveTable, tileset: &TileSet) -> Markup {
    html! { span.leave { (table.ranking().unrank(index).show(tileset)) } }
}

/// The head of the column of support, a column of numbers.
pub const SUPPORT: &str = "#turns held";

const WIDTH: f64 = 360.0;
const ROW: f64 = 34.0;
const TOP: f64 = 18.0;
const LABEL: f64 = 20.0;
const SHARES: [f64; 7] = [0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0];

/// The leaves with a number of tiles.
pub struct Length {
    pub tiles: usize,
    leaves: usize,
    /// Their values at [`SHARES`], in points.
    pub quantiles: [f64; 7],
}

/// The caption of [`chart`].
pub const CAPTION: &str =
    "Every leave counts once. Box: middle half; tick: median; line: 1 % to 99 % quantile; dots: extremes.";

pub fn lengths(subject: &Subject<'_>) -> Section {
    let ranking = subject.table.ranking();
    let values = |index: usize| subject.table.values()[index].points();
    let length = |tiles: usize| Length::new(tiles, ranking.indices_of_size(tiles).map(values).collect());
    let lengths: Vec<Length> = (1..=ranking.max_size()).map(length).collect();
    let held = match subject.detail {
        Some(_) => format!("Among leaves held in at least {WELL_SUPPORTED} turns."),
        None => "Among all leaves: a bare table does not record how often each was seen.".into(),
    };
    let label = "Distribution of leave values by number of tiles, in points";
    let lead = "The values of longer leaves differ more: good tiles help each other, and bad tiles stay on the rack.";
    let body = html! {
        div.two { (figure(chart(label, &lengths), CAPTION)) (listing(&lengths)) }
        h3 { "Best and worst" }
        p.note { (held) }
        (ends(subject))
    };
    Section::new("lengths", "Lengths", "Values by length", lead, body)
}

impl Length {
    /// The values of the leaves with this number of tiles, in points.
    pub fn new(tiles: usize, mut values: Vec<f64>) -> Length {
        values.sort_by(f64::total_cmp);
        Length { tiles, leaves: values.len(), quantiles: SHARES.map(|share| quantile(&values, share)) }
    }
}

/// Box plots of the values by length, with a `label` for screen readers.
pub fn chart(label: &str, lengths: &[Length]) -> Markup {
    let height = TOP + ROW * lengths.len() as f64;
    let mut svg = Svg::new(WIDTH, height, label);
    let scale = Scale::new(lengths.iter().flat_map(|length| length.quantiles).chain([0.0]), LABEL + 4.0, WIDTH - 8.0);
    svg.ticks_above(&scale, 1.0, (TOP, height));
    for (row, length) in lengths.iter().enumerate() {
        let middle = TOP + ROW * (row as f64 + 0.5);
        let [least, low, lower, median, upper, high, most] = length.quantiles.map(|value| scale.at(value));
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, &length.tiles.to_string());
        svg.box_plot(middle, 14.0, [low, lower, median, upper, high]);
        svg.dot("extreme", (least, middle), 1.8);
        svg.dot("extreme", (most, middle), 1.8);
    }
    svg.finish()
}

pub fn listing(lengths: &[Length]) -> Markup {
    let rows = lengths.iter().map(|length| {
        let quantiles = length.quantiles.iter().map(|&value| signed(value, 1));
        [length.tiles.to_string(), grouped(length.leaves as u64)].into_iter().chain(quantiles).collect::<Vec<_>>()
    });
    let head = ["tiles", "#leaves", "#lowest", "#1 %", "#25 %", "#median", "#75 %", "#99 %", "#highest"];
    classed_table("small", &head, rows)
}

fn ends(subject: &Subject<'_>) -> Markup {
    let Subject { table, tileset, detail, .. } = *subject;
    let show = |&index: &usize| {
        html! { span.entry { (leave_html(index, table, tileset)) " " (signed(table.values()[index].points(), 1)) } }
    };
    let rows = (1..=table.ranking().max_size()).map(|tiles| {
        let order = ranked(table, detail, tiles);
        let best = html! { @for index in order.iter().take(SHOWN) { (show(index)) } };
        let worst = html! { @for index in order.iter().rev().take(SHOWN) { (show(index)) } };
        [tiles.render(), best, worst]
    });
    classed_table("ends", &["tiles", "best", "worst"], rows)
}

/// The quantile `share` (0–1) of rising values. 0 without values.
fn quantile(rising: &[f64], share: f64) -> f64 {
    let at = ((rising.len() as f64 * share) as usize).min(rising.len().saturating_sub(1));
    rising.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_elements() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        let tenths = [0.0, 0.25, 0.5, 1.0].map(|share| (10.0 * quantile(&rising, share)) as i32);
        assert_eq!((tenths, quantile(&[], 0.5) as i32), ([10, 20, 30, 40], 0));
    }
}
