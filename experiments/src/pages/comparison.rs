//! The comparison of several runs of one kind: which is best and whether the data can tell, their key figures, values and curves, and how alike
//! leave tables are.

use std::path::Path;

use tilewright_engine::setup::rules_hash;
use tilewright_train::leaves::difference::Difference;
use tilewright_train::run::kind;

use super::compared::{Curve, Values};
use super::listed::Listed;
use super::made::{Head, Made};
use crate::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::leaves::table::{OpenTable, Place};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{
    Markup, Render, Section, figure, grouped, html, missing, repeat, row_of, signed, sortable_table, table,
};
use crate::report::intervals::{Row, intervals};
use crate::report::svg::{Colour, Mark, layered_chart};

mod verdict;

use verdict::{Run, settle, verdict};

/// The most values of a run in a table.
const MOST: usize = 40;
/// The colours of the runs in a drawing of values. More runs have only a table.
const COLOURS: [&str; 3] = ["first", "third", "second"];

/// The comparison of some runs for the file of its page.
///
/// # Errors
/// [`Failure::Input`] for runs of different kinds, and for fewer than two finished ones.
pub fn of_runs(all: Vec<Listed>, page: Option<&Path>, game: &GameFlags) -> Result<(Made, Vec<Listed>), Failure> {
    let runs: Vec<Run<'_>> = all.iter().filter_map(|run| Some((run, run.finished()?))).collect();
    let left_out: Vec<String> = all.iter().filter(|run| run.finished().is_none()).map(reason).collect();
    let [(_, first), _, ..] = &runs[..] else {
        let reasons = left_out.join(" ");
        return Err(Failure::input(format!("a comparison needs two finished runs; name more of them. {reasons}")));
    };
    let kind = &first.head.kind;
    if runs.iter().any(|(_, made)| made.head.kind != *kind) {
        let kinds: Vec<String> = runs.iter().map(|(run, made)| format!("{} ({})", run.name, made.head.kind)).collect();
        let kinds = kinds.join(", ");
        return Err(Failure::input(format!(
            "only runs of one kind can be compared, not {kinds}; name runs of one kind, or their folder for an index of all"
        )));
    }
    let (verdict, rivals) = verdict(&runs);
    let mut sections = vec![key_figures(&runs, page)];
    if kind == kind::LEAVES {
        sections.push(alike(&runs, game)?);
    }
    sections.extend(values(&runs).into_iter().chain(curves(&runs)).chain(settle(&rivals)));
    let words: Vec<String> = all.iter().map(|run| shell_word(&run.path.to_string_lossy())).collect();
    sections.push(repeat(&format!("tilewright report {}", words.join(" ")), "The same runs give the same page.", None));
    let is_common = |fact: &&String| runs.iter().all(|(_, made)| made.head.facts.contains(fact));
    let head = Head {
        kind: format!("comparison, {kind}"),
        title: runs.iter().map(|(run, _)| run.name.as_str()).collect::<Vec<_>>().join(", "),
        facts: first.head.facts.iter().filter(is_common).cloned().collect(),
        lead: [verdict].into_iter().chain(left_out).collect::<Vec<_>>().join(" "),
        figures: Vec::new(),
    };
    Ok((Made::new(head, sections, Markup::default()), all))
}

/// Why a run is left out.
fn reason(run: &Listed) -> String {
    let why = run.reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.trim_end_matches('.')));
    format!("{} is {} and left out{why}.", run.name, run.state)
}

/// The names of some things in order of the first of each.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    all.fold(Vec::new(), |names, name| if names.contains(&name) { names } else { [names, vec![name]].concat() })
}

fn key_figures<'a>(runs: &[Run<'a>], page: Option<&Path>) -> Section {
    let names = names(runs.iter().flat_map(|(_, made)| &made.head.figures).map(|figure| figure.name.as_str()));
    let of = |made: &Made, name: &str| made.head.figures.iter().find(|figure| figure.name == name).cloned();
    let has_outcome = runs.iter().any(|(_, made)| !made.compared.outcome.is_empty());
    let head = ["run".to_string()].into_iter().chain(names.iter().map(|name| format!("#{name}")));
    let head: Vec<String> = head.chain(has_outcome.then(|| "outcome".into())).collect();
    let row = |(run, made): &Run<'_>| {
        let shown = |name: &&str| of(made, name).map_or(String::new(), |figure| figure.shown_with_interval());
        row_of(run.cell(page), names.iter().map(shown).chain(has_outcome.then(|| made.compared.outcome.clone())))
    };
    let table = sortable_table("by-run", &head, runs.iter().map(row));
    let drawing = |name: &&str| {
        let of_run = |&(run, made): &Run<'a>| Some((run.name.as_str(), of(made, name).filter(|figure| !figure.is_count())?));
        let values: Vec<(&str, KeyFigure)> = runs.iter().filter_map(of_run).collect();
        let rows: Vec<Row> = values.iter().map(|(run, figure)| (run.to_string(), vec![("first", figure.value)])).collect();
        let caption = html! { (name) " " (values.first()?.1.unit) };
        (rows.len() > 1).then(|| figure(intervals(name, &rows), caption))
    };
    let body = html! { div.two { @for drawing in names.iter().filter_map(drawing) { (drawing) } } (table) };
    Section::new("figures", "Figures", "Key figures", "A line is a 95 % interval, if the run has one.", body)
}

/// The values of all runs under each title, side by side.
fn values(runs: &[Run<'_>]) -> Option<Section> {
    let all = || runs.iter().flat_map(|(_, made)| &made.compared.values).filter(|values| !values.rows.is_empty());
    let titles = names(all().map(|values| values.title));
    let body = || html! { @for (number, title) in titles.iter().enumerate() { (values_under(runs, number, title)) } };
    (!titles.is_empty()).then(|| Section::new("values", "Values", "Values side by side", "", body()))
}

fn values_under<'a>(runs: &[Run<'a>], number: usize, title: &str) -> Markup {
    let of_run = |&(_, made): &Run<'a>| made.compared.values.iter().find(|values| values.title == title);
    let columns: Vec<Option<&Values>> = runs.iter().map(of_run).collect();
    let leading = columns.iter().flatten().flat_map(|values| values.rows.iter().take(MOST));
    let names = names(leading.map(|(name, _)| name.as_str()));
    let value = |values: Option<&Values>, name: &str| {
        let (_, value) = values?.rows.iter().find(|(own, _)| own == name)?;
        Some(KeyFigure::number("", *value, values?.decimals))
    };
    let row = |name: &&str| {
        let shown = |values| value(values, name).map_or(String::new(), |figure| figure.shown());
        row_of(name.render(), columns.iter().copied().map(shown))
    };
    let head = ["name".to_string()].into_iter().chain(runs.iter().map(|(run, _)| format!("#{}", run.name)));
    let head: Vec<String> = head.collect();
    let table = sortable_table(&format!("by-value-{number}"), &head, names.iter().map(row));
    let dots = |name: &'_ &str| -> Vec<_> {
        let columns = columns.iter().copied().zip(COLOURS);
        columns.filter_map(|(values, colour)| Some((colour, certain(value(values, name)?.value.mean)))).collect()
    };
    let drawing = || {
        let rows: Vec<Row> = names.iter().map(|name| (name.to_string(), dots(name))).collect();
        let keys = html! { @for ((run, _), colour) in runs.iter().zip(COLOURS) { " " span.key.(colour) { (run.name) } } };
        figure(intervals(title, &rows), html! { (title) "." (keys) })
    };
    html! {
        h3 { (title) }
        div.two { @if columns.len() <= COLOURS.len() { (drawing()) } div { (table) } }
    }
}

/// A chart of each run for each kind of curve. All runs are drawn in each, so that the scales are the same.
fn curves<'a>(runs: &[Run<'a>]) -> Option<Section> {
    let captions = names(runs.iter().flat_map(|(_, made)| &made.compared.curves).map(|curve| curve.caption));
    let of_caption = |caption: &str| {
        let of_run = |&(run, made): &Run<'a>| {
            Some((run.name.clone(), made.compared.curves.iter().find(|own| own.caption == caption)?))
        };
        let curves: Vec<(String, &Curve)> = runs.iter().filter_map(of_run).collect();
        let line = |colour, curve: &Curve| ("", colour, Mark::Line(curve.points.clone()));
        let chart = |(name, own): &(String, &Curve)| {
            let others = curves.iter().map(|(_, curve)| line(Colour::Second, curve));
            layered_chart(name, own.across, own.up, &others.chain([line(Colour::First, own)]).collect::<Vec<_>>())
        };
        html! { h3 { (caption) } div.maps { @for curve in &curves { (chart(curve)) } } }
    };
    let body = || html! { @for caption in &captions { (of_caption(caption)) } };
    (!captions.is_empty()).then(|| Section::new("curves", "Curves", "Curves", "The other runs are grey.", body()))
}

/// Compares the first table with the others leave by leave. All must be of one tile set.
pub fn alike(runs: &[Run<'_>], game: &GameFlags) -> Result<Section, Failure> {
    let quiet = GameFlags { quiet: true, ..game.clone() };
    let opened = runs.iter().map(|(run, _)| OpenTable::open(&Place::named(&run.path), &quiet));
    let tables = opened.collect::<Result<Vec<_>, _>>()?;
    let rules = |open: &OpenTable| rules_hash(&open.tileset, &open.layout);
    let first = &tables[0];
    let row = |((run, _), other): (&Run<'_>, &OpenTable)| {
        let difference = Difference::between(&other.table, &first.table, &first.tileset, |_| 0.0);
        let all = difference.by_length.last()?;
        let correlation = format!("{:.4}", all.correlation).replace('-', "−");
        let [absolute, root] = [all.mean_absolute, all.root_mean_square].map(|points| format!("{points:.2}"));
        Some([run.name.clone(), grouped(all.leaves as u64), correlation, signed(all.mean, 2), absolute, root])
    };
    let lead = format!(
        "Each table against {}, weighted by how often a random full rack contains a leave. For single leaves see tilewright leaves diff.",
        runs[0].0.name
    );
    let head = [
        "table",
        "#common leaves",
        "#correlation",
        "#mean difference, points",
        "#mean absolute difference",
        "#root mean square difference",
    ];
    let body = if tables.iter().all(|table| rules(table) == rules(first)) {
        table(&head, runs.iter().zip(&tables).skip(1).filter_map(row))
    } else {
        missing("The tables are for different tile sets.")
    };
    Ok(Section::new("alike", "Alike", "How alike the tables are", lead, body))
}
