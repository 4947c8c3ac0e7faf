//! The value of each tile as a leave, and of its combinations: the balance of vowels and consonants as a heat map for each number of
//! blanks, and synergies, pairs and triples that are worth more, or less, together than separately.

use tilewright_engine::series::NORMAL_95;
use tilewright_engine::tileset::TileKind;
use tilewright_engine::{LeaveTable, Rack, TileSet};
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::synergies::{Balance, Synergy, balances, synergies};
use tilewright_train::leaves::warnings::WELL_SUPPORTED;

use super::lengths::{SUPPORT, Subject, leave_html};
use crate::leaves::summary::maven;
use crate::report::html::{Markup, Section, figure, folded, grouped, html, missing, row_of, signed, table};
use crate::report::svg::{Anchor, Scale, Svg};

const WIDTH: f64 = 360.0;
const TILE_ROW: f64 = 20.0;
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

pub fn of_tiles(subject: &Subject<'_>) -> Section {
    let singles = singles(subject.table, subject.tileset, subject.detail);
    let interval = if subject.detail.is_some() { " Fine lines are 95 % intervals." } else { "" };
    let caption = format!("Value of each tile as the whole leave, in points.{interval}");
    let body = html! { div.two { (figure(chart_of_tiles(&singles), caption)) (listing_of_tiles(subject, &singles)) } };
    let lead = "Each tile as a leave of its own, the best first. A longer leave is worth its tiles and their synergies.";
    Section::new("tiles", "Tiles", "Values by tile", lead, body)
}

/// The value of each tile as a leave of its own, in points, the best first.
pub fn values(table: &LeaveTable, tileset: &TileSet) -> Vec<(String, f64)> {
    singles(table, tileset, None).iter().map(|single| (single.label.into(), single.value)).collect()
}

fn singles<'a>(table: &LeaveTable, tileset: &'a TileSet, detail: Option<&Detail>) -> Vec<SingleTile<'a>> {
    let ranking = table.ranking();
    let single = |(kind, tile): (u8, &'a TileKind)| {
        let leave = Rack::from_kinds(&[kind]);
        let index = ranking.holds(&leave).then(|| ranking.rank(&leave))?;
        let error = detail.map(|detail| detail.standard_error[index]);
        Some(SingleTile { label: &tile.label, value: table.values()[index].points(), index, error })
    };
    let mut singles: Vec<SingleTile<'a>> = (0u8..).zip(tileset.kinds()).filter_map(single).collect();
    singles.sort_by(|a, b| b.value.total_cmp(&a.value));
    singles
}

fn half_width(single: &SingleTile<'_>) -> f64 {
    single.error.map_or(0.0, |error| NORMAL_95 * error)
}

fn chart_of_tiles(singles: &[SingleTile<'_>]) -> Markup {
    let height = TOP + TILE_ROW * singles.len() as f64 + 4.0;
    let mut svg = Svg::new(WIDTH, height, "Value of each tile as a leave, in points");
    let ends = singles.iter().flat_map(|single| [single.value - half_width(single), single.value + half_width(single)]);
    let scale = Scale::new(ends.chain([0.0]), LABEL, WIDTH - 8.0);
    svg.ticks_above(&scale, 1.0, (TOP, height));
    for (row, single) in singles.iter().enumerate() {
        let middle = TOP + TILE_ROW * (row as f64 + 0.5);
        let (zero, end) = (scale.at(0.0), scale.at(single.value));
        let class = if single.value < 0.0 { "negative" } else { "positive" };
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, single.label);
        svg.rectangle(class, (zero.min(end), middle - 6.0), ((end - zero).abs(), 12.0));
        if half_width(single) > 0.0 {
            let (low, high) = (scale.at(single.value - half_width(single)), scale.at(single.value + half_width(single)));
            svg.line("interval", (low, middle), (high, middle));
            for x in [low, high] {
                svg.line("interval", (x, middle - 3.0), (x, middle + 3.0));
            }
        }
    }
    svg.finish()
}

fn listing_of_tiles(subject: &Subject<'_>, singles: &[SingleTile<'_>]) -> Markup {
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
            let (low, high) = (signed(single.value - half_width(single), 2), signed(single.value + half_width(single), 2));
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

const CELL: (f64, f64) = (42.0, 30.0);
const LEFT: f64 = 46.0;
const MAP_TOP: f64 = 34.0;
const GAP: f64 = 1.5;

pub fn of_balances(subject: &Subject<'_>) -> Section {
    let balances = balances(subject.table, subject.tileset);
    let vowels: Vec<&str> =
        subject.tileset.kinds().iter().filter(|kind| kind.is_vowel).map(|kind| kind.label.as_str()).collect();
    let body = if vowels.is_empty() {
        missing("The tile set marks no letter as a vowel.")
    } else {
        let most = balances.iter().map(|balance| balance.blanks).max().unwrap_or_default();
        html! { div.maps { @for blanks in 0..=most { (facet(&balances, blanks)) } } }
    };
    let lead = format!(
        "The mean value of leaves by their numbers of vowels and consonants, in points. Each leave is weighted by how \
             often a random full rack contains it. The vowels are {}. Warm colours are below the mean of the map, cool \
             colours above.",
        vowels.join(" ")
    );
    Section::new("vowels", "Vowels", "Vowels and consonants", lead, body)
}

fn facet(balances: &[Balance], blanks: usize) -> Markup {
    let cells: Vec<&Balance> = balances.iter().filter(|balance| balance.blanks == blanks).collect();
    let most = |of: &dyn Fn(&Balance) -> usize| cells.iter().map(|cell| of(cell)).max().unwrap_or_default() as f64;
    let (columns, rows) = (most(&|cell| cell.consonants), most(&|cell| cell.vowels));
    // All maps are equally wide, so that their cells have the same size.
    let columns_of_all = balances.iter().map(|cell| cell.consonants).max().unwrap_or_default() as f64;
    let (width, height) = (LEFT + CELL.0 * (columns_of_all + 1.0), MAP_TOP + CELL.1 * (rows + 1.0));
    let mut svg = Svg::new(width, height, &format!("Mean leave value by vowels and consonants, {}", named(blanks)));
    svg.text("axis-name", (LEFT, 10.0), Anchor::Start, "consonants →");
    svg.text("axis-name", (0.0, MAP_TOP - 8.0), Anchor::Start, "vowels ↓");
    for column in 0..=columns as usize {
        let middle = LEFT + CELL.0 * (column as f64 + 0.5);
        svg.text("name", (middle, MAP_TOP - 8.0), Anchor::Middle, &column.to_string());
    }
    for row in 0..=rows as usize {
        svg.text("name", (20.0, MAP_TOP + CELL.1 * (row as f64 + 0.5) + 4.0), Anchor::Start, &row.to_string());
    }
    let dealt: f64 = cells.iter().map(|cell| cell.dealt).sum();
    let centre = cells.iter().map(|cell| cell.dealt * cell.mean).sum::<f64>() / dealt.max(f64::MIN_POSITIVE);
    let reach = cells.iter().map(|cell| (cell.mean - centre).abs()).fold(1e-9, f64::max);
    for cell in &cells {
        let at = (LEFT + CELL.0 * cell.consonants as f64, MAP_TOP + CELL.1 * cell.vowels as f64);
        let off = (cell.mean - centre) / reach;
        let class = if off < 0.0 { "negative" } else { "positive" };
        let title = format!(
            "{} vowels, {} consonants, {}: {} points over {} leaves",
            cell.vowels,
            cell.consonants,
            named(blanks),
            signed(cell.mean, 2),
            grouped(cell.leaves as u64)
        );
        svg.cell(class, at, (CELL.0 - GAP, CELL.1 - GAP), 0.06 + 0.72 * off.abs(), &title);
        svg.text("inside", (at.0 + CELL.0 / 2.0, at.1 + CELL.1 / 2.0 + 4.0), Anchor::Middle, &signed(cell.mean, 1));
    }
    figure(svg.finish(), format!("{}: mean {}", named(blanks), signed(centre, 1)))
}

fn named(blanks: usize) -> String {
    match blanks {
        0 => "no blank".into(),
        1 => "1 blank".into(),
        more => format!("{more} blanks"),
    }
}

const SYNERGY_ROW: f64 = 19.0;
/// The most positive and the most negative synergies shown.
const SHOWN: usize = 14;

pub fn of_synergies(subject: &Subject<'_>) -> Section {
    let known = match subject.detail {
        Some(_) => format!(
            "The lists have leaves that were held in at least {WELL_SUPPORTED} turns and whose interaction differs from zero by more than {NORMAL_95:.2} standard errors. The table has no correlations \
             between the errors of leaves. So the error of an interaction is the sum of the errors of its parts, which is \
             an upper bound. The fine lines show it."
        ),
        None => "A bare table has no standard errors, so all interactions are ranked, whether the data support them or not."
            .into(),
    };
    let part = |tiles: usize, name: &str, formula: &str| {
        let found = synergies(subject.table, subject.detail, tiles);
        let of_all = format!("{} of {}", grouped(found.len() as u64), count(subject, tiles));
        let (positive, negative) = ends(&found);
        html! {
            h3 { (name) }
            p.note { span.formula { (formula) } ", in points; " (of_all) " " (supported(subject)) "." }
            div.two {
                (half(subject, "Worth more together", &positive, "positive"))
                (half(subject, "Worth less together", &negative, "negative"))
            }
        }
    };
    let lead = format!("What tiles are worth together, beyond the sum of their separate values. {known}");
    let body = html! {
        (part(2, "Pairs", "V(ab) − V(a) − V(b)"))
        (part(3, "Triples", "V(abc) − V(ab) − V(ac) − V(bc) + V(a) + V(b) + V(c)"))
    };
    Section::new("synergies", "Synergies", "Synergies", lead, body)
}

fn count(subject: &Subject<'_>, tiles: usize) -> String {
    let ranking = subject.table.ranking();
    grouped(if tiles <= ranking.max_size() { ranking.indices_of_size(tiles).len() as u64 } else { 0 })
}

fn supported(subject: &Subject<'_>) -> &'static str {
    if subject.detail.is_some() { "are supported by the data" } else { "are ranked" }
}

/// The most positive and the most negative, each the largest first.
fn ends(found: &[Synergy]) -> (Vec<Synergy>, Vec<Synergy>) {
    let positive = found.iter().filter(|synergy| synergy.points > 0.0).take(SHOWN).copied().collect();
    let negative = found.iter().rev().filter(|synergy| synergy.points < 0.0).take(SHOWN).copied().collect();
    (positive, negative)
}

fn half(subject: &Subject<'_>, title: &str, found: &[Synergy], class: &str) -> Markup {
    if found.is_empty() {
        return missing(format!("{title}: none that the data support."));
    }
    let drawing = figure(chart_of_synergies(subject, title, found, class), title);
    html! { div { (drawing) (folded("As a table", listing_of_synergies(subject, found))) } }
}

fn chart_of_synergies(subject: &Subject<'_>, title: &str, found: &[Synergy], class: &str) -> Markup {
    let height = TOP + SYNERGY_ROW * found.len() as f64 + 2.0;
    let mut svg = Svg::new(WIDTH, height, &format!("{title}, in points"));
    let reach = |synergy: &Synergy| synergy.points.abs() + synergy.error_bound.unwrap_or_default();
    let label = 14.0 + 9.0 * found.iter().map(|synergy| name(subject, synergy).chars().count()).max().unwrap_or(2) as f64;
    let scale = Scale::new(found.iter().map(reach).chain([0.0]), label, WIDTH - 44.0);
    svg.ticks_above(&scale, if class == "negative" { -1.0 } else { 1.0 }, (TOP, height));
    for (row, synergy) in found.iter().enumerate() {
        let middle = TOP + SYNERGY_ROW * (row as f64 + 0.5);
        let points = synergy.points.abs();
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, &name(subject, synergy));
        svg.rectangle(class, (label, middle - 5.5), (scale.at(points) - label, 11.0));
        if let Some(bound) = synergy.error_bound {
            svg.line("interval", (scale.at((points - bound).max(0.0)), middle), (scale.at(points + bound), middle));
        }
        svg.text("value", (WIDTH, middle + 4.0), Anchor::End, &signed(synergy.points, 1));
    }
    svg.finish()
}

fn name(subject: &Subject<'_>, synergy: &Synergy) -> String {
    subject.table.ranking().unrank(synergy.index).show(subject.tileset)
}

fn listing_of_synergies(subject: &Subject<'_>, found: &[Synergy]) -> Markup {
    let mut head = vec!["leave", "#interaction", "#value"];
    if subject.detail.is_some() {
        head.extend(["#error at most", SUPPORT]);
    }
    let row = |synergy: &Synergy| {
        let value = subject.table.values()[synergy.index].points();
        let mut row = vec![signed(synergy.points, 2), signed(value, 2)];
        if let (Some(detail), Some(bound)) = (subject.detail, synergy.error_bound) {
            row.extend([format!("{bound:.2}"), grouped(detail.support[synergy.index].unsigned_abs())]);
        }
        row_of(leave_html(synergy.index, subject.table, subject.tileset), row)
    };
    table(&head, found.iter().map(row))
}
