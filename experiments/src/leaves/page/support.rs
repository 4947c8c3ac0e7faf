//! How far the values can be trusted: support and standard errors by length and by pair of tiles, the convergence over the generations,
//! and warnings of values that the data do not support.

use tilewright_engine::Rack;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::run::GenerationReport;
use tilewright_train::leaves::warnings::{FACTOR, Reason, USUAL, WELL_SUPPORTED, Warning, WarningCounts};

use super::lengths::{CAPTION, Length, SUPPORT, Subject, chart, leave_html};
use crate::leaves::summary::{CHANGE_HEAD, FIT_HEAD, changes, fits};
use crate::report::html::{Markup, Section, classed_table, figure, grouped, html, missing, row_of, signed, table};
use crate::report::svg::{Anchor, Colour, Layer, Mark, Svg, layered_chart};

const WIDTH: f64 = 360.0;
const ROW: f64 = 28.0;
const TOP: f64 = 18.0;
const LABEL: f64 = 20.0;

pub fn support(subject: &Subject<'_>) -> Section {
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
        svg.text("axis-name", (x + 13.0, 8.0), Anchor::Start, name);
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

/// A triangular map of all pairs. The colours run from the smallest to the largest strength.
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

pub fn convergence(subject: &Subject<'_>) -> Section {
    let body = match subject.generations {
        Some(Generations { generations, .. }) if !generations.is_empty() => {
            let (fits, changes) = (table(&FIT_HEAD, fits(generations)), table(&CHANGE_HEAD, changes(generations)));
            html! { (charts(generations)) (fits) (changes) }
        }
        _ if subject.manifest.is_some() => missing("This artefact has no record of its generations."),
        _ => missing("A bare table has no record of how it was made."),
    };
    let lead = "Each generation plays with the table of the previous one. The table has converged when its change is small and \
             its match against the previous table shows no gain. The error also falls when a generation plays more games. \
             Noise is the standard deviation of one observation of a rack. The rack effect is the standard deviation of \
             what a rack is worth beyond its tiles, pairs, triples and the prior. The prior is the result of the previous \
             generation. All values are in points. The matches are short.";
    Section::new("convergence", "Convergence", "Convergence over generations", lead, body)
}

fn charts(generations: &[GenerationReport]) -> Markup {
    let line = |name: &'static str, colour, value: &dyn Fn(&GenerationReport) -> Option<f64>| {
        let point = |report: &GenerationReport| Some((report.generation as f64, value(report)?));
        let points: Vec<(f64, f64)> = generations.iter().filter_map(point).collect();
        [(name, colour, Mark::Line(points.clone())), ("", colour, Mark::Dots(points))]
    };
    let chart = |caption, up, lines: &[[Layer<'_>; 2]]| {
        let layers = [&lines.concat()[..], &[("", Colour::Second, Mark::Level(0.0))]].concat();
        layered_chart(caption, "generation", up, &layers)
    };
    let prior = line("prior", Colour::Second, &|report| Some(report.fit.held_out_error_of_prior));
    let fit = line("fit", Colour::First, &|report| Some(report.fit.held_out_error));
    let change = line("", Colour::First, &|report| Some(report.change));
    let won = line("", Colour::First, &|report| Some(100.0 * report.against_no_leaves.summary()?.win_rate.mean));
    html! { div.two {
        (chart("Error on held-out racks", "points", &[prior, fit]))
        (chart("Mean change of a leave from the previous table, weighted by use", "points", &[change]))
        (chart("Win rate against no-leaves", "percent", &[won]))
    } }
}

/// Leaves listed, the worst first.
const LISTED: usize = 48;

pub fn warnings(subject: &Subject<'_>) -> Section {
    let warnings = subject.warnings;
    let body = match subject.detail {
        _ if !warnings.leaves.is_empty() => html! { (counts(subject)) (listing(subject)) },
        Some(_) => html! { p.good { "None. Every value of the table is supported by the rules below." } },
        None => html! { p.good { "None by the first rule below, the only one that needs no support." } },
    };
    let lead = "Leaves whose values the data do not support. The known failure of leave tables is the gravity well: a large \
               leave that was rarely held has a value far from anything observed, and a player then aims for it.";
    Section::new("warnings", "Warnings", "Warnings", lead, html! { (body) (rules(subject)) })
}

fn counts(subject: &Subject<'_>) -> Markup {
    let WarningCounts { leaves, far_from_parts, beyond_seen, guesses } = subject.warnings.counts();
    let mut rows = vec![("far from its parts", far_from_parts)];
    if subject.detail.is_some() {
        rows.extend([("beyond anything seen", beyond_seen), ("no more than a guess", guesses)]);
    }
    rows.push(("leaves in all", leaves));
    table(&["warning", "#leaves"], rows.into_iter().map(|(name, count)| [name.to_string(), grouped(count as u64)]))
}

fn listing(subject: &Subject<'_>) -> Markup {
    let mut head = vec!["leave", "#value"];
    if subject.detail.is_some() {
        head.extend(["#error", SUPPORT]);
    }
    head.push("why");
    let row = |warning: &Warning| {
        let value = subject.table.values()[warning.index].points();
        let mut row = vec![signed(value, 1)];
        if let Some(detail) = subject.detail {
            row.push(format!("{:.1}", detail.standard_error[warning.index]));
            row.push(grouped(detail.support[warning.index].unsigned_abs()));
        }
        let reasons: Vec<String> = warning.reasons.iter().map(|reason| reason_text(reason, value)).collect();
        row.push(reasons.join("; "));
        row_of(leave_html(warning.index, subject.table, subject.tileset), row)
    };
    let warned = &subject.warnings.leaves;
    let title = if warned.len() > LISTED { format!("The {LISTED} worst") } else { "All of them".into() };
    let listed = classed_table("why", &head, warned.iter().take(LISTED).map(row));
    html! { h3 { (title) } (listed) }
}

fn reason_text(reason: &Reason, value: f64) -> String {
    match *reason {
        Reason::FarFromParts { expected, limit } => {
            format!("far from its parts: they predict {}, and a distance of up to {limit:.1} is usual", signed(expected, 1))
        }
        Reason::BeyondSeen { extreme } => {
            let side = if value > extreme { "above the best" } else { "below the worst" };
            format!("beyond anything seen: {:.1} {side}, {}", (value - extreme).abs(), signed(extreme, 1))
        }
        Reason::Guess { spread } => format!("no more than a guess: the standard deviation of its length is {spread:.1}"),
    }
}

fn rules(subject: &Subject<'_>) -> Markup {
    html! {
        h3 { "The rules" }
        dl.rules {
            dt { "Far from its parts" }
            dd {
                "The leave was held in fewer than " (WELL_SUPPORTED) " turns. Even the near end of its 95 % interval is more than "
                (FACTOR) " times as far from the value that its parts predict as " (format!("{:.0}", 100.0 * USUAL))
                " % of the well-supported leaves of its length are. The parts predict the median, over the pairs of kinds "
                i { "t" } ", " i { "u" } " of the leave, of " span.formula { "V(L − t) + V(L − u) − V(L − t − u)" } "."
            }
            dt { "Beyond anything seen" }
            dd { "The leave has as little support, and its whole 95 % interval is above the best or below the worst well-supported leave: \
                the value is an extrapolation." }
            dt { "No more than a guess" }
            dd { "The standard error exceeds the standard deviation of values of its length." }
        }
        @if subject.detail.is_none() {
            (missing("A bare table has neither support nor errors, so only the first rule applies: it compares every leave with all \
                leaves of its length. Such a warning may be wrong: QU, for example, is really worth far more than Q and U."))
        }
    }
}
