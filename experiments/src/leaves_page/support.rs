//! How much stands behind the values: by length, and pair by pair of tiles.

use tilewright_engine::rack::Rack;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::warnings::WELL_SUPPORTED;

use super::html::{Section, figure, grouped, missing, table};
use super::svg::{Anchor, Scale, Svg, tick};
use super::{Subject, quantile};

const WIDTH: f64 = 360.0;
const ROW: f64 = 28.0;
const TOP: f64 = 18.0;
const LABEL: f64 = 20.0;
/// Where the classes of support begin, in turns, and their names.
const CLASSES: [(i64, &str); 5] =
    [(0, "none"), (1, "1–9"), (10, "10–49"), (WELL_SUPPORTED, "50–499"), (500, "500 and more")];
const SHARES: [f64; 6] = [0.05, 0.25, 0.5, 0.75, 0.95, 1.0];

pub fn section(subject: &Subject<'_>) -> Section {
    let body = match subject.detail {
        None => missing("A bare table says nothing of support and errors; the artefact of a run does."),
        Some(detail) => format!(
            "<h3>By length</h3>\n<div class=\"two\">{}{}</div>\n{}<h3>By pair of tiles</h3>\n<div class=\"two\">{}{}</div>\n",
            figure(
                &shares(subject, detail),
                "Share of the leaves of each length by turns of the last generation that held them."
            ),
            figure(
                &errors(subject, detail),
                "Standard errors in points. Box: the middle half; line: from 5 to 95 %; dot: the largest."
            ),
            listing(subject, detail),
            figure(&support_map(subject, detail), "Turns that held both tiles: the deeper the more, by their logarithm."),
            figure(&error_map(subject, detail), "Standard error of the pair: the deeper the larger."),
        ),
    };
    Section {
        id: "support",
        link: "Support",
        title: "Support and error".into(),
        lead: "Support is the number of observed turns whose rack held the leave. A leave that was never held is what its tiles, \
               pairs and triples say; its standard error tells how well they know."
            .into(),
        body,
    }
}

/// Share of the leaves of a length in each class of support.
fn class_shares(subject: &Subject<'_>, detail: &Detail, tiles: usize) -> [f64; 5] {
    let range = subject.table.ranking().of_size(tiles);
    let mut counts = [0usize; 5];
    for &support in &detail.support[range.clone()] {
        let class = CLASSES.iter().rposition(|&(from, _)| support >= from).unwrap_or_default();
        counts[class] += 1;
    }
    counts.map(|count| count as f64 / range.len().max(1) as f64)
}

fn shares(subject: &Subject<'_>, detail: &Detail) -> String {
    let lengths = subject.table.ranking().max_size();
    let mut svg = Svg::new(WIDTH, TOP + ROW * lengths as f64 + 4.0, "Share of leaves by support, for each length");
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

fn error_quantiles(subject: &Subject<'_>, detail: &Detail, tiles: usize) -> [f64; 6] {
    let mut errors = detail.standard_error[subject.table.ranking().of_size(tiles)].to_vec();
    errors.sort_by(f64::total_cmp);
    SHARES.map(|share| quantile(&errors, share))
}

fn errors(subject: &Subject<'_>, detail: &Detail) -> String {
    let lengths = subject.table.ranking().max_size();
    let height = TOP + ROW * lengths as f64 + 4.0;
    let mut svg = Svg::new(WIDTH, height, "Standard errors of leave values by number of tiles, in points");
    let quantiles: Vec<[f64; 6]> = (1..=lengths).map(|tiles| error_quantiles(subject, detail, tiles)).collect();
    let scale = Scale::new(quantiles.iter().flatten().copied().chain([0.0]), LABEL, WIDTH - 8.0);
    for value in scale.ticks(6) {
        let x = scale.at(value);
        svg.line(if value == 0.0 { "axis" } else { "grid" }, (x, TOP - 4.0), (x, height));
        svg.text("tick", (x, TOP - 8.0), Anchor::Middle, &tick(value));
    }
    for (row, quantiles) in quantiles.iter().enumerate() {
        let middle = TOP + ROW * (row as f64 + 0.5);
        let [low, lower, median, upper, high, most] = quantiles.map(|value| scale.at(value));
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, &(row + 1).to_string());
        svg.line("whisker", (low, middle), (high, middle));
        svg.rectangle("box", (lower, middle - 6.0), ((upper - lower).max(0.6), 12.0));
        svg.line("median", (median, middle - 8.0), (median, middle + 8.0));
        svg.dot("extreme", (most, middle), 1.8);
    }
    svg.finish()
}

fn listing(subject: &Subject<'_>, detail: &Detail) -> String {
    let row = |tiles: usize| {
        let shares = class_shares(subject, detail, tiles);
        let quantiles = error_quantiles(subject, detail, tiles);
        let mut row = vec![tiles.to_string(), grouped(subject.table.ranking().of_size(tiles).len() as u64)];
        row.extend(shares.iter().map(|share| format!("{:.1} %", 100.0 * share)));
        row.extend([quantiles[2], quantiles[4], quantiles[5]].map(|error| format!("{error:.2}")));
        row
    };
    let head = [
        "tiles",
        "#leaves",
        "#never held",
        "#1–9",
        "#10–49",
        "#50–499",
        "#500 and more",
        "#median error",
        "#95 %",
        "#largest",
    ];
    let rows: Vec<Vec<String>> = (1..=subject.table.ranking().max_size()).map(row).collect();
    format!("<details><summary>As a table</summary>{}</details>\n", table(&head, &rows))
}

fn support_map(subject: &Subject<'_>, detail: &Detail) -> String {
    let strength = |index: usize| (1.0 + detail.support[index].max(0) as f64).ln();
    let title = |index: usize| format!("{} turns", grouped(detail.support[index].max(0) as u64));
    map(subject, "Turns that held each pair of tiles", "strength", strength, title)
}

fn error_map(subject: &Subject<'_>, detail: &Detail) -> String {
    let strength = |index: usize| detail.standard_error[index];
    let title = |index: usize| format!("standard error {:.2} points", detail.standard_error[index]);
    map(subject, "Standard error of each pair of tiles", "negative", strength, title)
}

/// A triangle of all pairs; colours run from the weakest to the strongest.
fn map(
    subject: &Subject<'_>,
    label: &str,
    class: &str,
    strength: impl Fn(usize) -> f64,
    title: impl Fn(usize) -> String,
) -> String {
    let (kinds, ranking) = (subject.tileset.kinds(), subject.table.ranking());
    let pairs: Vec<(usize, usize, usize)> = (0..kinds.len())
        .flat_map(|row| (0..=row).map(move |column| (row, column)))
        .filter_map(|(row, column)| {
            let mut pair = Rack::default();
            pair.add(row as u8);
            pair.add(column as u8);
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
