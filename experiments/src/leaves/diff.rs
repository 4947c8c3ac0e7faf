//! `leaves diff`: two tables, leave by leave.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;
use tilewright_engine::artefact::{Artefact, Manifest};
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_train::leaves::difference::LengthDifference;

use super::flags::LeavesDiffArguments;
use super::page::leave_html;
use super::table::OpenTable;
use crate::flags::new_files;
use crate::report::figures::KeyFigure;
use crate::report::html::{Markup, Page, Section, grouped, html, page_header, repeat, signed, table};
use crate::{Failure, loading, output};

mod comparison;

use comparison::{Comparison, correlation_text};

/// The result of `leaves diff`. The averages weight each leave by the expected number of times that a random full rack contains it.
#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownDifference {
    a: String,
    b: String,
    /// By the number of tiles, then all.
    by_length: Vec<LengthDifference>,
    are_equal: bool,
    largest: Vec<LeaveDifference>,
}

/// A leave in both tables, in points.
#[derive(schemars::JsonSchema, Serialize)]
struct LeaveDifference {
    leave: String,
    /// The value in A.
    a: f64,
    /// The value in B.
    b: f64,
    difference: f64,
    times_per_1000_racks: f64,
}

impl fmt::Display for ShownDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "a: {}\nb: {}", self.a, self.b)?;
        writeln!(f, "tiles   leaves  correlation  mean |a - b|  root mean square")?;
        for LengthDifference { tiles, leaves, correlation, mean_absolute, root_mean_square, .. } in &self.by_length {
            let label = tiles.map_or("all".to_string(), |tiles| tiles.to_string());
            writeln!(f, "{label:>5} {leaves:>8}  {correlation:>11.4}  {mean_absolute:>12.3}  {root_mean_square:>16.3}")?;
        }
        writeln!(
            f,
            "\nThe averages weight each leave by the expected number of times that a random full rack contains it."
        )?;
        if self.largest.is_empty() {
            return f.write_str(if self.are_equal {
                "The tables are equal."
            } else {
                "No difference is listed: none exceeds its standard error, or --top is 0."
            });
        }
        write!(f, "The differences that matter most:\nleave         a         b     a - b   times per 1000 racks")?;
        for LeaveDifference { leave, a, b, difference, times_per_1000_racks } in &self.largest {
            write!(f, "\n{leave:<8} {a:>8.2}  {b:>8.2}  {difference:>8.2}   {times_per_1000_racks:>20.3}")?;
        }
        Ok(())
    }
}

pub fn run(arguments: &LeavesDiffArguments) -> Result<(), Failure> {
    let LeavesDiffArguments { save, html, json, .. } = arguments;
    let [save, html, json] =
        new_files([("--save", save.as_deref()), ("--html", html.as_deref()), ("--json", json.json.as_deref())])?;
    loading::start_threads(arguments.flags.threads)?;
    let comparison = Comparison::open(arguments)?;
    let shown = ShownDifference::new(&comparison, arguments.top);
    let written = save.write(format!("{shown}\n").as_bytes());
    written.and(output::show_and_page(&shown, json, html, || Ok(write(&comparison))))
}

impl ShownDifference {
    /// The text and the JSON, with this many of the differences that matter most.
    fn new(comparison: &Comparison, top: usize) -> ShownDifference {
        let Comparison { tables: [open_a, open_b], difference, .. } = comparison;
        let row = |index: usize| {
            let (leave, [a, b]) = (comparison.leave(index), comparison.values(index));
            LeaveDifference { leave, a, b, difference: a - b, times_per_1000_racks: 1000.0 * difference.weight(index) }
        };
        ShownDifference {
            a: open_a.title(),
            b: open_b.title(),
            are_equal: difference.is_none(),
            largest: difference.largest(top).into_iter().map(row).collect(),
            by_length: difference.by_length.clone(),
        }
    }
}

/// The page as HTML of a few hundred kilobytes.
pub fn write(comparison: &Comparison) -> String {
    let [a, b] = names(&comparison.tables);
    let mut sections =
        vec![comparison::values(comparison), comparison::lengths(comparison), comparison::few_tiles(comparison)];
    sections.extend(comparison::largest(comparison));
    sections.push(origins(comparison));
    sections.push(repeat(&comparison.command, "The same tables give the same page.", None));
    let names = format!("{a} and {b}");
    let footer = html! {
        p { "The averages weight each leave by the expected number of times that a random full rack contains it." }
    };
    Page::new(&format!("Leave tables: {names}"), header(comparison, &names), sections, footer).write()
}

/// Short names of the tables, or the names that the command has if the short ones are the same.
fn names(tables: &[OpenTable; 2]) -> [String; 2] {
    let short = tables.each_ref().map(|open| match &open.artefact {
        Some(artefact) => artefact.manifest().lexicon.name.clone(),
        None if open.is_embedded => open.name.clone(),
        None => open.name.rsplit(['/', '\\']).next().unwrap_or(&open.name).to_string(),
    });
    if short[0] == short[1] { tables.each_ref().map(|open| open.name.clone()) } else { short }
}

fn header(comparison: &Comparison, title: &str) -> Markup {
    let [open_a, open_b] = &comparison.tables;
    let ranking = open_a.table.ranking();
    let facts = [
        format!("A: {}", open_a.title()),
        format!("B: {}", open_b.title()),
        format!("{} tile set", open_a.tileset.name()),
        format!("{} leaves of 1 to {} tiles", grouped(ranking.len() as u64 - 1), ranking.max_size()),
    ];
    let (lead, figures) = match comparison.difference.by_length.last() {
        Some(all) if !comparison.difference.is_none() => (summary(comparison, all), figures(comparison, all)),
        _ => (html! { "The tables are equal: every leave has the same value." }, Vec::new()),
    };
    page_header("Leave tables compared", title, &facts, lead, &figures)
}

/// How far the tables are apart, in three lines.
fn summary(comparison: &Comparison, all: &LengthDifference) -> Markup {
    let LengthDifference { mean, mean_absolute, root_mean_square, correlation, .. } = all;
    let side = match signed(*mean, 2) {
        level if level == "0.00" => "on average neither table is higher".to_string(),
        _ if *mean > 0.0 => format!("on average A is {mean:.2} points higher"),
        _ => format!("on average A is {:.2} points lower", -mean),
    };
    let shared = 100.0 * correlation * correlation;
    html! {
        (format!("The values differ by {mean_absolute:.2} points, or {root_mean_square:.2} in the root mean square; {side}."))
        br;
        "Their correlation is " (correlation_text(*correlation)) ", so either table explains " (format!("{shared:.1}"))
        " % of how the values of the other vary."
        @if let Some(&index) = comparison.difference.largest(1).first() {
            @let [a, b] = comparison.values(index);
            br;
            "The difference that matters most is " (leave_html(index, &comparison.tables[0].table, &comparison.tables[0].tileset)) ", "
            (signed(a, 2)) " in A and " (signed(b, 2)) " in B; a million random racks hold it " (comparison.often(index)) " times."
        }
    }
}

fn figures(comparison: &Comparison, all: &LengthDifference) -> Vec<KeyFigure> {
    let largest = comparison.difference.largest(1).first().map_or(0.0, |&index| comparison.of(index));
    vec![
        KeyFigure::number("mean difference, points", all.mean_absolute, 2).note("absolute, weighted by use"),
        KeyFigure::number("root mean square, points", all.root_mean_square, 2).note("weighted by use"),
        KeyFigure::number("correlation", all.correlation, 4).note("weighted by use"),
        KeyFigure::number("difference that matters most, points", largest, 2).signed().note("A − B"),
    ]
}

/// A fact of a table without a manifest.
const UNKNOWN: &str = "not recorded";

pub fn origins(comparison: &Comparison) -> Section {
    let manifests = comparison.tables.each_ref().map(|open| open.artefact.as_ref().map(Artefact::manifest));
    let mut rows = Vec::new();
    let mut add = |name: &str, [a, b]: [String; 2]| {
        rows.push([name, &a, &b, verdict(&a, &b)].map(str::to_string));
    };
    add("table", comparison.tables.each_ref().map(|open| open.name.clone()));
    add("kind", [0, 1].map(|side| kind(&comparison.tables[side], manifests[side])));
    add("tile set and board", comparison.tables.each_ref().map(|open| open.tileset.name().to_string()));
    let of_both = |value: &dyn Fn(&Manifest) -> String| manifests.map(|manifest| manifest.map_or(UNKNOWN.into(), value));
    if manifests.iter().any(Option::is_some) {
        add("lexicon", of_both(&|manifest| manifest.lexicon.to_string()));
        add("seed", of_both(&|manifest| manifest.seed.to_string()));
        add("features", of_both(&|manifest| manifest.feature_set.clone()));
        add("version", of_both(&|manifest| manifest.code_version.clone()));
        let measured: BTreeSet<&String> = manifests.iter().flatten().flat_map(|manifest| manifest.metrics.keys()).collect();
        for name in measured {
            let value = |manifest: &Manifest| manifest.metrics.get(name).map_or(UNKNOWN.into(), |value| number(*value));
            add(&name.replace('_', " "), of_both(&value));
        }
    }
    let body = html! {
        (table(&["fact", "A", "B", "compared"], &rows))
        @for (name, manifest) in ["A", "B"].iter().zip(manifests) {
            @if let Some(Manifest { config, .. }) = manifest {
                details { summary { "The config of " (name) } pre tabindex="0" { (config) } }
            }
        }
    };
    Section::new("origins", "Origins", "How they were made", lead(manifests), body)
}

/// The result of comparing two facts. Empty if one is unknown.
fn verdict(a: &str, b: &str) -> &'static str {
    if a == b || a == UNKNOWN || b == UNKNOWN { "" } else { "differs" }
}

fn lead(manifests: [Option<&Manifest>; 2]) -> &'static str {
    match manifests {
        [Some(a), Some(b)] if a.lexicon.hash == b.lexicon.hash => "Both tables were made for the same words.",
        [Some(_), Some(_)] => {
            "The tables were made for different words, so the lexicons explain a part of every difference."
        }
        _ => "A table without a manifest does not record how it was made.",
    }
}

fn kind(open: &OpenTable, manifest: Option<&Manifest>) -> String {
    match manifest {
        Some(manifest) => format!("artefact, {}", manifest.kind),
        None if open.is_embedded => format!("in the program, for {EMBEDDED_NAME}"),
        None => "bare file".into(),
    }
}

/// A figure with up to four decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_facts_differ() {
        assert_eq!([verdict("1", "1"), verdict("1", "2"), verdict("1", UNKNOWN)], ["", "differs", ""]);
    }

    #[test]
    fn figures_have_no_needless_zeros() {
        assert_eq!([0.6123, 1000.0, 12.5, 0.00001].map(number), ["0.6123", "1000", "12.5", "0"]);
    }
}
