//! Support and standard errors of the values: by length, and by pair of tiles.

use tilewright_engine::rack::Rack;
use tilewright_train::leaves::detail::Detail;

use super::subject::{Source, Subject, quantile, sources};
use crate::report::html::{Section, figure, grouped, missing, table};
use crate::report::svg::{Anchor, Scale, Svg};

const WIDTH: f64 = 360.0;
const ROW: f64 = 28.0;
const TOP: f64 = 18.0;
const LABEL: f64 = 20.0;
const SHARES: [f64; 6] = [0.05, 0.25, 0.5, 0.75, 0.95, 1.0];

pub fn section(subject: &Subject<'_>) -> Section {
    let body = match subject.detail {
        None => missing("A bare table has no support and no errors; the artefact of a run has both."),
        Some(detail) => {
            let sources = sources(subject);
            let mut by_length: String = sources
                .iter()
                .map(|source| {
                    let caption = format!("Share of the leaves of each length by {}.", source.meaning());
                    figure(&shares(subject, source), &caption)
                })
                .collect();
            by_length += &figure(
                &errors(subject, detail),
                "Standard errors in points. Box: middle half; tick: median; line: 5 % to 95 % quantile; dot: largest.",
            );
            let mut by_pair: String = sources
                .iter()
                .map(|source| {
                    let caption =
                        format!("Pairs of tiles by {}. Darker means more, on a logarithmic scale.", source.meaning());
                    figure(&support_map(subject, source), &caption)
                })
                .collect();
            by_pair += &figure(&error_map(subject, detail), "Standard error of each pair. Darker means larger.");
            let tables: String = sources.iter().map(|source| class_listing(subject, source)).collect();
            format!(
                "<h3>By length</h3>\n<div class=\"two\">{by_length}</div>\n\
                 <details><summary>As tables</summary>{tables}{}</details>\n\
                 <h3>By pair of tiles</h3>\n<div class=\"two\">{by_pair}</div>\n",
                error_listing(subject, detail)
            )
        }
    };
    let lead = "Support counts the turns of self-play whose rack held the leave, and the boards of the census on which a \
               rack with the leave was valued, both in the last generation. The value of a leave without support comes from \
               its tiles, pairs and triples; its standard error shows how certain that is.";
    Section::new("support", "Support", "Support and error", lead, body)
}

/// The classes of support: the count at which each begins, and its name.
type Classes = [(i64, String); 5];

impl Source<'_> {
    /// From the fourth class on, this source alone supports a value well.
    fn classes(&self) -> Classes {
        let (some, well, many) = ((self.well_known / 5).max(2), self.well_known, 10 * self.well_known);
        let range = |from: i64, below: i64| format!("{from}–{}", below - 1);
        let least = if some == 2 { "1".into() } else { range(1, some) };
        let names = ["none".into(), least, range(some, well), range(well, many), format!("{many} and more")];
        let mut names = names.into_iter();
        [0, 1, some, well, many].map(|from| (from, names.next().unwrap_or_default()))
    }

    /// The meaning of its counts.
    fn meaning(&self) -> &'static str {
        match self.unit {
            "turns" => "turns of the last generation that held them",
            _ => "boards of the last generation on which a rack with them was valued",
        }
    }
}

/// The shares of the leaves of a length that are in each class, 0–1.
fn class_shares(subject: &Subject<'_>, source: &Source<'_>, classes: &Classes, tiles: usize) -> [f64; 5] {
    let range = subject.table.ranking().indices_of_size(tiles);
    let mut counts = [0usize; 5];
    for &times in &source.counts[range.clone()] {
        let class = classes.iter().rposition(|&(from, _)| times >= from).unwrap_or_default();
        counts[class] += 1;
    }
    counts.map(|count| count as f64 / range.len().max(1) as f64)
}

fn shares(subject: &Subject<'_>, source: &Source<'_>) -> String {
    let classes = source.classes();
    let lengths = subject.table.ranking().max_size();
    let mut svg =
        Svg::new(WIDTH, TOP + ROW * lengths as f64 + 4.0, &format!("Share of leaves by {}, for each length", source.unit));
    let strength = |class: usize| 0.08 + 0.23 * class as f64;
    for tiles in 1..=lengths {
        let top = TOP + ROW * (tiles - 1) as f64;
        svg.text("name", (0.0, top + ROW / 2.0 + 4.0), Anchor::Start, &tiles.to_string());
        let mut from = LABEL;
        for (class, share) in class_shares(subject, source, &classes, tiles).into_iter().enumerate() {
            let width = share * (WIDTH - LABEL);
            let title = format!("{tiles} tiles, {} {}: {:.1} %", classes[class].1, source.unit, 100.0 * share);
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
    for (class, (_, name)) in classes.iter().enumerate() {
        let x = LABEL + 62.0 * class as f64;
        svg.cell("strength", (x, 0.0), (9.0, 9.0), strength(class), name);
        svg.text("tick", (x + 13.0, 8.0), Anchor::Start, name);
    }
    svg.finish()
}

fn error_quantiles(subject: &Subject<'_>, detail: &Detail, tiles: usize) -> [f64; 6] {
    let mut errors = detail.standard_error[subject.table.ranking().indices_of_size(tiles)].to_vec();
    errors.sort_by(f64::total_cmp);
    SHARES.map(|share| quantile(&errors, share))
}

fn errors(subject: &Subject<'_>, detail: &Detail) -> String {
    let lengths = subject.table.ranking().max_size();
    let height = TOP + ROW * lengths as f64 + 4.0;
    let mut svg = Svg::new(WIDTH, height, "Standard errors of leave values by number of tiles, in points");
    let quantiles: Vec<[f64; 6]> = (1..=lengths).map(|tiles| error_quantiles(subject, detail, tiles)).collect();
    let scale = Scale::new(quantiles.iter().flatten().copied().chain([0.0]), LABEL, WIDTH - 8.0);
    svg.ticks_above(&scale, 6, (TOP, height), |value| value);
    for (row, quantiles) in quantiles.iter().enumerate() {
        let middle = TOP + ROW * (row as f64 + 0.5);
        let [low, lower, median, upper, high, most] = quantiles.map(|value| scale.at(value));
        svg.text("name", (0.0, middle + 4.0), Anchor::Start, &(row + 1).to_string());
        svg.box_plot(middle, 12.0, [low, lower, median, upper, high]);
        svg.dot("extreme", (most, middle), 1.8);
    }
    svg.finish()
}

fn class_listing(subject: &Subject<'_>, source: &Source<'_>) -> String {
    let classes = source.classes();
    let row = |tiles: usize| {
        let shares = class_shares(subject, source, &classes, tiles);
        let start = [tiles.to_string(), grouped(subject.table.ranking().indices_of_size(tiles).len() as u64)];
        start.into_iter().chain(shares.iter().map(|share| format!("{:.1} %", 100.0 * share))).collect::<Vec<_>>()
    };
    let mut head = vec!["tiles".to_string(), "#leaves".into(), format!("#{}", source.never)];
    head.extend(classes[1..].iter().map(|(_, name)| format!("#{name} {}", source.unit)));
    table(&head, (1..=subject.table.ranking().max_size()).map(row))
}

fn error_listing(subject: &Subject<'_>, detail: &Detail) -> String {
    let row = |tiles: usize| {
        let quantiles = error_quantiles(subject, detail, tiles);
        let errors = [quantiles[2], quantiles[4], quantiles[5]].map(|error| format!("{error:.2}"));
        [tiles.to_string()].into_iter().chain(errors).collect::<Vec<_>>()
    };
    table(&["tiles", "#median error", "#95 %", "#largest"], (1..=subject.table.ranking().max_size()).map(row))
}

fn support_map(subject: &Subject<'_>, source: &Source<'_>) -> String {
    let strength = |index: usize| (1.0 + source.count(index) as f64).ln();
    let title = |index: usize| format!("{} {}", grouped(source.count(index)), source.unit);
    map(subject, &format!("Support of each pair of tiles, in {}", source.unit), "strength", strength, title)
}

fn error_map(subject: &Subject<'_>, detail: &Detail) -> String {
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
) -> String {
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
