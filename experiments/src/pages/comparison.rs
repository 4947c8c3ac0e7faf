//! The comparison of several runs of one kind: which is best and whether the data can tell, their key figures, values and curves.

use std::path::{Path, PathBuf};

use tilewright_train::run::kind;

use super::compared::{Curve, Values};
use super::listed::{Listed, ListedRun, State};
use super::made::{Made, name_of};
use crate::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{Markup, Page, Render, Section, figure, html, page_header, repeat, row_of, sortable_table};
use crate::report::intervals::{Row, intervals};
use crate::report::svg::{Colour, Mark, layered_chart};

mod verdict;
mod leaves;

use verdict::{Named, Ranking, settle};

/// The most values of a run in a table.
const MOST: usize = 40;
/// The colours of the runs in a drawing of values. More runs have only a table.
const COLOURS: [&str; 3] = ["first", "third", "second"];

/// The comparison of the runs in some folders for the file of its page.
///
/// # Errors
/// [`Failure::Input`] for a folder that is no run, for runs of different kinds, and for fewer than two finished ones.
pub fn of_runs(
    paths: &[PathBuf],
    page: Option<&Path>,
    game: &GameFlags,
    unknown: fn(&Path) -> Failure,
) -> Result<(Made, Vec<ListedRun>), Failure> {
    let is_unique = |name: &str| paths.iter().filter(|path| name_of(path) == name).count() == 1;
    let read = |path: &PathBuf| {
        let name = Some(name_of(path)).filter(|name| is_unique(name)).unwrap_or_else(|| path.display().to_string());
        Listed::read(path, name, game).ok_or_else(|| unknown(path))
    };
    let all = paths.iter().map(read).collect::<Result<Vec<Listed>, _>>()?;
    let (runs, left_out): (Vec<&Listed>, Vec<&Listed>) = all.iter().partition(|run| run.state == State::Finished);
    let left_out: Vec<String> = left_out.iter().map(|run| reason(run)).collect();
    let named: Vec<Named<'_>> = runs.iter().filter_map(|run| Some((run.name.as_str(), run.read.as_ref().ok()?))).collect();
    let [(_, first), _, ..] = &named[..] else {
        let reasons = left_out.join(" ");
        return Err(Failure::input(format!("a comparison needs two finished runs; name more of them. {reasons}")));
    };
    if named.iter().any(|(_, made)| made.kind != first.kind) {
        let kinds: Vec<String> = named.iter().map(|(name, made)| format!("{name} ({})", made.kind)).collect();
        let kinds = kinds.join(", ");
        return Err(Failure::input(format!(
            "only runs of one kind can be compared, not {kinds}; name runs of one kind, or their folder for an index of all"
        )));
    }
    let comparison = Comparison { runs: &runs, named: &named, page };
    let mut sections = vec![comparison.figures()];
    if first.kind == kind::LEAVES {
        let tables: Vec<(&str, &Path)> = runs.iter().map(|run| (run.name.as_str(), run.path.as_path())).collect();
        sections.push(leaves::alike(&tables, game)?);
    }
    sections.extend(comparison.values());
    sections.extend(comparison.curves());
    let ranking = Ranking::new(&named);
    let rivals = ranking.as_ref().map_or_else(|_| named.clone(), |ranking| ranking.closest().to_vec());
    sections.extend(settle(&rivals));
    let words: Vec<String> = paths.iter().map(|path| shell_word(&path.to_string_lossy())).collect();
    sections.push(repeat(&format!("tilewright report {}", words.join(" ")), "The same runs give the same page.", None));
    let lead = html! {
        (ranking.map_or_else(|reason| reason, |ranking| ranking.verdict()))
        @for reason in &left_out { br; (reason) }
    };
    let title = named.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let facts: Vec<String> =
        first.facts.iter().filter(|fact| named.iter().all(|(_, made)| made.facts.contains(fact))).cloned().collect();
    let header = page_header(&format!("Comparison, {}", first.kind), &title, &facts, lead, &[] as &[KeyFigure]);
    let html = Page::new(&title, header, sections, Markup::default()).write();
    let kind = format!("comparison, {}", first.kind);
    let entries = all.iter().map(Listed::entry).collect();
    Ok((Made::new(&kind, title, facts, Vec::new(), move || Ok(html)), entries))
}

/// Why a run is left out.
fn reason(run: &Listed) -> String {
    let why = run.read.as_ref().err().map_or(String::new(), |reason| format!(": {reason}"));
    format!("{} is {} and left out{why}.", run.name, run.state.name())
}

/// Finished runs of one kind, at least two.
struct Comparison<'a> {
    runs: &'a [&'a Listed],
    named: &'a [Named<'a>],
    /// The file of the page.
    page: Option<&'a Path>,
}

/// The names of some things in order of the first of each.
fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names = Vec::new();
    all.for_each(|name| {
        if !names.contains(&name) {
            names.push(name)
        }
    });
    names
}

impl<'a> Comparison<'a> {
    fn figures(&self) -> Section {
        let names = names(self.named.iter().flat_map(|(_, made)| &made.figures).map(|figure| figure.name.as_str()));
        let of = |made: &'a Made, name: &str| made.figures.iter().find(|figure| figure.name == name);
        let has_outcome = self.named.iter().any(|(_, made)| !made.compared.outcome.is_empty());
        let numbers: Vec<String> = names.iter().map(|name| format!("#{name}")).collect();
        let mut head = vec!["run"];
        head.extend(numbers.iter().map(String::as_str));
        head.extend(has_outcome.then_some("outcome"));
        let row = |(run, (_, made)): (&&Listed, &Named<'a>)| {
            let figures = names.iter().map(|name| of(made, name).map_or(String::new(), KeyFigure::shown_with_interval));
            row_of(run.cell(self.page), figures.chain(has_outcome.then(|| made.compared.outcome.clone())))
        };
        let table = sortable_table("by-run", &head, self.runs.iter().zip(self.named).map(row));
        let drawing = |name: &&str| {
            let value = |&(run, made): &Named<'a>| Some((run, of(made, name).filter(|figure| !figure.is_count())?));
            let values: Vec<(&str, &KeyFigure)> = self.named.iter().filter_map(value).collect();
            let rows: Vec<Row<'_>> = values.iter().map(|(run, figure)| (*run, vec![("first", figure.value)])).collect();
            let unit = values.first().map_or("", |(_, figure)| figure.unit);
            (rows.len() > 1).then(|| figure(intervals(name, &rows), html! { (name) " " (unit) }))
        };
        let body = html! { div.two { @for name in &names { @if let Some(drawing) = drawing(name) { (drawing) } } } (table) };
        Section::new("figures", "Figures", "Key figures", "A line is a 95 % interval, if the run has one.", body)
    }

    /// The values of all runs under each title, side by side.
    fn values(&self) -> Option<Section> {
        let all = || self.named.iter().flat_map(|(_, made)| &made.compared.values);
        let titles = names(all().filter(|values| !values.values.is_empty()).map(|values| values.title));
        let parts = titles.iter().enumerate().map(|(number, title)| self.values_under(number, title));
        let body = || html! { @for part in parts { (part) } };
        (!titles.is_empty()).then(|| Section::new("values", "Values", "Values side by side", "", body()))
    }

    fn values_under(&self, number: usize, title: &str) -> Markup {
        let of_run = |&(_, made): &Named<'a>| made.compared.values.iter().find(|values| values.title == title);
        let columns: Vec<Option<&Values>> = self.named.iter().map(of_run).collect();
        let leading = columns.iter().flatten().flat_map(|values| values.values.iter().take(MOST));
        let names = names(leading.map(|(name, _)| name.as_str()));
        let value = |values: &Values, name: &str| values.values.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
        let shown = |values: &Option<&Values>, name: &str| {
            let value = values.and_then(|values| Some(KeyFigure::number("", value(values, name)?, values.decimals)));
            value.map_or(String::new(), |figure| figure.shown())
        };
        let row = |name: &&str| row_of(name.render(), columns.iter().map(|values| shown(values, name)));
        let heads: Vec<String> = self.named.iter().map(|(run, _)| format!("#{run}")).collect();
        let head: Vec<&str> = ["name"].into_iter().chain(heads.iter().map(String::as_str)).collect();
        let table = sortable_table(&format!("by-value-{number}"), &head, names.iter().map(row));
        let dots = |name: &'a str| -> Row<'a> {
            let values = columns.iter().zip(COLOURS).filter_map(|(values, colour)| Some((colour, value((*values)?, name)?)));
            (name, values.map(|(colour, value)| (colour, certain(value))).collect())
        };
        let drawing = || {
            let rows: Vec<Row<'_>> = names.iter().map(|name| dots(name)).collect();
            let keys = self.named.iter().zip(COLOURS);
            let caption = html! { (title) "." @for ((run, _), colour) in keys { " " span.key.(colour) { (run) } } };
            figure(intervals(title, &rows), caption)
        };
        html! {
            h3 { (title) }
            div.two { @if columns.len() <= COLOURS.len() { (drawing()) } div { (table) } }
        }
    }

    /// A chart of each run for each kind of curve. All runs are drawn in each, so that the scales are the same.
    fn curves(&self) -> Option<Section> {
        let of_run = |made: &'a Made, caption: &str| made.compared.curves.iter().find(|curve| curve.caption == caption);
        let captions = names(self.named.iter().flat_map(|(_, made)| &made.compared.curves).map(|curve| curve.caption));
        let chart = |run: &str, own: &Curve| {
            let others = self.named.iter().filter_map(|(_, made)| of_run(made, own.caption));
            let others = others.map(|curve| ("", Colour::Second, Mark::Line(curve.points.clone())));
            let layers: Vec<_> = others.chain([("", Colour::First, Mark::Line(own.points.clone()))]).collect();
            layered_chart(run, own.across, own.up, &layers)
        };
        let body = || {
            html! { @for caption in &captions {
                h3 { (caption) }
                div.maps { @for (run, made) in self.named { @if let Some(own) = of_run(made, caption) { (chart(run, own)) } } }
            } }
        };
        let lead = "The other runs are grey.";
        (!captions.is_empty()).then(|| Section::new("curves", "Curves", "Curves", lead, body()))
    }
}
