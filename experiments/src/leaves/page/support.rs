//! Support and standard errors of the values: by length, and by pair of tiles.

use tilewright_engine::Rack;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::warnings::WELL_SUPPORTED;

use super::lengths::{CAPTION, Length, chart};
use super::subject::Subject;
use crate::report::html::{Markup, Section, figure, grouped, html, missing, table};
use crate::report::svg::{Anchor, Svg};

const WIDTH: f64 = 360.0;
const ROW: f64 = 28.0;
const TOP: f64 = 18.0;
const LABEL: f64 = 20.0;

pub fn section(subject: &Subject<'_>) -> Section {
    let body = match subject.detail {
        None => missing("A bare table has no support and no errors; the artefact of a run has both."),
        Some(detail) => {
            let lengths = error_lengths(subject, detail);
            let of_lengths = "Share of the leaves of each length by turns of the last generation that held them.";
            let errors = chart("Standard errors of leave values by number of tiles, in points", &lengths);
            let of_pairs = "Pairs of tiles by turns of the last generation that held them. Darker means more, on a \
                 logarithmic scale.";
            html! {
                h3 { "By length" }
                div.two {
                    (figure(shares(subject, detail), of_lengths))
                    (figure(errors, format!("Standard errors in points. {CAPTION}")))
                }
                details { summary { "As tables" } (class_listing(subject, detail)) (error_listing(&lengths)) }
                h3 { "By pair of tiles" }
                div.two {
                    (figure(support_map(subject, detail), of_pairs))
                    (figure(error_map(subject, detail), "Standard error of each pair. Darker means larger."))
                }
            }
        }
    };
    let lead = "Support counts the turns of self-play in the last generation whose rack held the leave. The value of a leave \
               without support comes from its tiles, pairs and triples; its standard error shows how certain that is.";
    Section::new("support", "Support", "Support and error", lead, body)
}

/// The classes of support in turns: where each begins, and its name. From the fourth on, a value is well supported.
const CLASSES: [(i64, &str); 5] = [
    (0, "none"),
    (1, "1–9"),
    (WELL_SUPPORTED / 5, "10–49"),
    (WELL_SUPPORTED, "50–499"),
    (10 * WELL_SUPPORTED, "500 and more"),
];

/// The shares of the leaves of a length that are in each class, 0–1.
fn class_shares(subject: &Subject<'_>, detail: &Detail, tiles: usize) -> [f64; 5] {
    let range = subject.table.ranking().indices_of_size(tiles);
    let mut counts = [0usize; 5];
    for &turns in &detail.support[range.clone()] {
        let class = CLASSES.iter().rposition(|&(from, _)| turns >= from).unwrap_or_default();
        counts[class] += 1;
    }
    counts.map(|count| count as f64 / range.len().max(1) as f64)
}

fn shares(subject: &Subject<'_>, detail: &Detail) -> Markup {
    let lengths = subject.table.ranking().max_size();
    let mut svg = Svg::new(WIDTH, TOP + ROW * lengths as f64 + 4.0, "Share of leaves by turns, for each length");
    let strength = |class: usize| 0.08 + 0.23 * class as f64;
    for tiles in 1..=lengths {
        let top = TOP + ROW * (tiles - 1) as f64;
        svg.text("name", (0.0, top + ROW / 2.0 + 4.0), Anchor::Start, &tiles.to_string());
        let mut from = LABEL;
        for (class, share) in class_shares(subject, detail, tiles).into_iter().enumerate() {
            let width = share * (WIDTH - LABEL);
            let title = format!("{tiles} tiles, {} turns: {:.1} %", CLASSES[class].1, 100.0 * share);
            if width > 0.0 {
                svg.cell("strength", (from, top + 4.0), ((width - 1.0).max(0.4), ROW - 8.0), strength(class), &title);
            }
            if width > 42.0 {
                let text = format!("{:.0} %", 100.0 * share);
                let class = if class > 2 { "inside over" } else { "inside" };
                svg.text(class, (from + width / 2.0, top + ROW / 2.0 + 4.0), Anchor::Middle, &text);
            }
            from += width;
        }
    }
    for (class, (_, name)) in CLASSES.iter().enumerate() {
        let x = LABEL + 62.0 * class as f64;
        svg.cell("strength", (x, 0.0), (9.0, 9.0), strength(class), name);
        svg.text("tick", (x + 13.0, 8.0), Anchor::Start, name);
    }
    svg.finish()
}

fn error_lengths(subject: &Subject<'_>, detail: &Detail) -> Vec<Length> {
    let ranking = subject.table.ranking();
    let length = |tiles: usize| Length::new(tiles, detail.standard_error[ranking.indices_of_size(tiles)].to_vec());
    (1..=ranking.max_size()).map(length).collect()
}

fn class_listing(subject: &Subject<'_>, detail: &Detail) -> Markup {
    let row = |tiles: usize| {
        let shares = class_shares(subject, detail, tiles);
        let start = [tiles.to_string(), grouped(subject.table.ranking().indices_of_size(tiles).len() as u64)];
        start.into_iter().chain(shares.iter().map(|share| format!("{:.1} %", 100.0 * share))).collect::<Vec<_>>()
    };
    let mut head = vec!["tiles".to_string(), "#leaves".into(), "#never held".into()];
    head.extend(CLASSES[1..].iter().map(|(_, name)| format!("#{name} turns")));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    table(&head, (1..=subject.table.ranking().max_size()).map(row))
}

fn error_listing(lengths: &[Length]) -> Markup {
    let row = |length: &Length| {
        let [.., median, _, high, most] = length.quantiles;
        let errors = [median, high, most].map(|error| format!("{error:.2}"));
        [length.tiles.to_string()].into_iter().chain(errors).collect::<Vec<_>>()
    };
    table(&["tiles", "#median error", "#99 %", "#largest"], lengths.iter().map(row))
}

fn support_map(subject: &Subject<'_>, detail: &Detail) -> Markup {
    let strength = |index: usize| (1.0 + detail.support[index] as f64).ln();
    let title = |index: usize| format!("{} turns", grouped(detail.support[index].unsigned_abs()));
    map(subject, "Support of each pair of tiles, in turns", "strength", strength, title)
}

fn error_map(subject: &Subject<'_>, detail: &Detail) -> Markup {
    let strength = |index: usize| detail.standard_error[index];
    let title = |index: usize| format!("standard error {:.2} points", detail.standard_error[index]);
    map(subject, "Standard error of each pair of tiles", "negative", strength, title)
}

/// A triangular map of all pairs; the colours run from the smallest to the largest strength.
fn map(
    subject: &Subject<'_>,
    label: &str,
    class: &str,
    strength: impl Fn(usize) -> f64,
    title: impl Fn(usize) -> String,
) -> Markup {
    let (kinds, ranking) = (subject.tileset.kinds(), subject.table.ranking());
    let pairs: Vec<(usize, usize, usize)> = (0..kinds.len())
        .flat_map(|row| (0..=row).map(move |column| (row, column)))
        .filter_map(|(row, column)| {
            let pair = Rack::from_kinds(&[row as u8, column as u8]);
            ranking.holds(&pair).then(|| (row, column, ranking.rank(&pair)))
        })
        .collect();
    let most = pairs.iter().map(|&(.., index)| strength(index)).fold(0.0, f64::max);
    let least = pairs.iter().map(|&(.., index)| strength(index)).fold(most, f64::min);
    let between = |strength: f64| (strength - least) / (most - least).max(f64::MIN_POSITIVE);
    let left = 22.0;
    let cell = (WIDTH - left) / kinds.len() as f64;
    let mut svg = Svg::new(WIDTH, cell * kinds.len() as f64 + 14.0, label);
    for (at, kind) in kinds.iter().enumerate() {
        let middle = cell * (at as f64 + 0.5);
        svg.text("small", (left - 5.0, middle + 3.0), Anchor::End, &kind.label);
        svg.text("small", (left + middle, cell * kinds.len() as f64 + 10.0), Anchor::Middle, &kind.label);
    }
    for &(row, column, index) in &pairs {
        let at = (left + cell * column as f64, cell * row as f64);
        let name = ranking.unrank(index).show(subject.tileset);
        let title = format!("{name}: {}", title(index));
        svg.cell(class, at, (cell - 0.8, cell - 0.8), 0.05 + 0.9 * between(strength(index)), &title);
    }
    svg.finish()
}
