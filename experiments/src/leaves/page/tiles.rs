//! The value of each tile as a leave.

use tilewright_engine::Rack;
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::tileset::TileKind;

use super::subject::{SUPPORT, Subject};
use crate::leaves::summary::maven;
use crate::report::html::{Markup, Section, figure, grouped, html, row_of, signed, table};
use crate::report::svg::{Anchor, Scale, Svg};

const WIDTH: f64 = 360.0;
const ROW: f64 = 20.0;
const TOP: f64 = 18.0;
const LABEL: f64 = 34.0;

/// One tile as a leave.
struct SingleTile<'a> {
    label: &'a str,
    value: f64,
    /// Its number in the table.
    index: usize,
    /// Standard error in points, if known.
    error: Option<f64>,
}

pub fn section(subject: &Subject<'_>) -> Section {
    let singles = singles(subject);
    let interval = if subject.detail.is_some() { " Fine lines are 95 % intervals." } else { "" };
    let caption = format!("Value of each tile as the whole leave, in points.{interval}");
    let body = html! { div.two { (figure(chart(&singles), caption)) (listing(subject, &singles)) } };
    let lead = "Each tile as a leave of its own, the best first. A longer leave is worth its tiles and their synergies.";
    Section::new("tiles", "Tiles", "Values by tile", lead, body)
}

fn singles<'a>(subject: &Subject<'a>) -> Vec<SingleTile<'a>> {
    let ranking = subject.table.ranking();
    let single = |(kind, tile): (u8, &'a TileKind)| {
        let leave = Rack::from_kinds(&[kind]);
        let index = ranking.holds(&leave).then(|| ranking.rank(&leave))?;
        let error = subject.detail.map(|detail| detail.standard_error[index]);
        Some(SingleTile { label: &tile.label, value: subject.table.values()[index].points(), index, error })
    };
    let mut singles: Vec<SingleTile<'a>> = (0u8..).zip(subject.tileset.kinds()).filter_map(single).collect();
    singles.sort_by(|a, b| b.value.total_cmp(&a.value));
    singles
}

fn half(single: &SingleTile<'_>) -> f64 {
    single.error.map_or(0.0, |error| NORMAL_95 * error)
}

fn chart(singles: &[SingleTile<'_>]) -> Markup {
    let height = TOP + ROW * singles.len() as f64 + 4.0;
    let mut svg = Svg::new(WIDTH, height, "Value of each tile as a leave, in points");
    let ends = singles.iter().flat_map(|single| [single.value - half(single), single.value + half(single)]);
    let scale = Scale::new(ends.chain([0.0]), LABEL, WIDTH - 8.0);
    svg.ticks_above(&scale, 6, (TOP, height), |value| value);
    for (row, single) in singles.iter().enumerate() {
        let middle = TOP + ROW * (row as f64 + 0.5);
        let (zero, end) = (scale.at(0.0), scale.at(single.value));
        let class = if single.value < 0.0 { "negative" } else { "positive" };
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, single.label);
        svg.rectangle(class, (zero.min(end), middle - 6.0), ((end - zero).abs(), 12.0));
        if half(single) > 0.0 {
            let (low, high) = (scale.at(single.value - half(single)), scale.at(single.value + half(single)));
            svg.line("interval", (low, middle), (high, middle));
            for x in [low, high] {
                svg.line("interval", (x, middle - 3.0), (x, middle + 3.0));
            }
        }
    }
    svg.finish()
}

fn listing(subject: &Subject<'_>, singles: &[SingleTile<'_>]) -> Markup {
    let published = singles.iter().any(|single| maven(subject.tileset, single.label).is_some());
    let mut head = vec!["tile", "#value"];
    if subject.detail.is_some() {
        head.extend(["#95 % interval", SUPPORT]);
    }
    if published {
        head.push("#Maven");
    }
    let row = |single: &SingleTile<'_>| {
        let mut row = vec![signed(single.value, 2)];
        if let Some(detail) = subject.detail {
            let (low, high) = (signed(single.value - half(single), 2), signed(single.value + half(single), 2));
            row.extend([format!("{low} to {high}"), grouped(detail.support[single.index].unsigned_abs())]);
        }
        if published {
            row.push(maven(subject.tileset, single.label).map_or(String::new(), |value| signed(value, 1)));
        }
        row_of(html! { span.leave { (single.label) } }, row)
    };
    html! { div.close {
        (table(&head, singles.iter().map(row)))
        @if published { p.note { "Maven: the values published in Sheppard 2002, Table 5-2." } }
    } }
}
