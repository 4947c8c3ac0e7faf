//! The page of a study: its figures next to the published ones, as a drawing for each unit and as a table.

use std::path::Path;

use tilewright_engine::input_file;
use tilewright_engine::series::Estimate;

use super::made::{CONFIG_FILE, Head, Made};
use crate::experiment::ladder::Ladder;
use crate::experiment::literature::{self, Table, tables};
use crate::experiment::results::{found, rules};
use crate::experiment::summary::{Line, Size, Summary};
use crate::failure::Failure;
use crate::flags::shell_word;
use crate::report::html::{Markup, Section, figure, folded, html, repeat, sortable_table};
use crate::report::intervals::{Row, intervals};

pub fn page(run: &Path) -> Result<Made, Failure> {
    let summary = Summary::of_run(run)?;
    let config = input_file::read_text(&run.join(CONFIG_FILE)).ok();
    let quick = if summary.size == Size::Quick { " --quick" } else { "" };
    let command = format!("tilewright experiment run {}{quick}", shell_word(&summary.study));
    let lead = "Equal runs give equal figures, but for speeds and times.";
    let mut sections: Vec<Section> = findings(&summary).into_iter().chain(ladder(&summary)).collect();
    sections.extend([figures(&summary), table(&summary), repeat(&command, lead, config.as_deref())]);
    let Summary { version, config, checksum, .. } = &summary;
    let footer = html! { p {
        "Made by tilewright " (version) ". The config has the hash " code { (config) } ", the summary " code { (checksum) } "."
    } };
    Ok(Made::new(head(&summary), sections, footer))
}

fn head(summary: &Summary) -> Head {
    let Summary { study, question, source, size, lines, .. } = summary;
    let mut facts = vec![format!("{size} size"), format!("{} figures", lines.len())];
    facts.extend(source.iter().map(|source| format!("published in {source}")));
    let verdict = format!("{question} {}.", found(summary));
    Head { kind: "study".into(), title: study.clone(), facts, lead: verdict, figures: Vec::new() }
}

/// The finding on each table of the literature, in a sentence. The rule is behind a fold.
fn findings(summary: &Summary) -> Option<Section> {
    let tables = tables(&summary.study, &summary.lines);
    if tables.is_empty() {
        return None;
    }
    let rows = tables.iter().map(Table::cells);
    let body = html! {
        (sortable_table("by-table", &literature::HEAD, rows))
        @for rule in rules(summary) { (folded("The rule", html! { p.note { (rule.replace('*', "")) } })) }
    };
    let lead = "A table is judged as a whole. Differences are measured less published.";
    Some(Section::new("findings", "Findings", "Tables of the literature", lead, body))
}

/// The gains of each player and its costs, if the study measured both.
fn ladder(summary: &Summary) -> Option<Section> {
    let ladder = Ladder::new(&summary.lines)?;
    let caption = "Win rate over CPU-seconds per game; a vertical line is a 95 % interval.";
    let lead = "The further up and to the left, the better.";
    let drawing = figure(ladder.drawing().finish(), caption);
    Some(Section::new("ladder", "Ladder", "What each player wins for what it costs", lead, drawing))
}

/// The lines of a summary that have the same figure and unit, in order of the first of each.
fn by_figure(lines: &[Line]) -> Vec<(String, Vec<&Line>)> {
    let mut groups: Vec<(String, Vec<&Line>)> = Vec::new();
    for line in lines {
        let name = if line.unit.is_empty() { line.figure.clone() } else { format!("{}, {}", line.figure, line.unit) };
        match groups.iter_mut().find(|(own, _)| *own == name) {
            Some((_, lines)) => lines.push(line),
            None => groups.push((name, vec![line])),
        }
    }
    groups
}

fn figures(summary: &Summary) -> Section {
    let groups = by_figure(&summary.lines);
    let groups = groups.iter().filter(|(_, lines)| can_be_drawn(lines));
    let lead = "A line is a 95 % interval, or what the rounding of a published figure leaves open.";
    let body = html! { div.two { @for (name, lines) in groups { (drawing(name, lines)) } } };
    Section::new("figures", "Figures", "Measured and published", lead, body)
}

/// Whether the figures can be read off an axis. Probabilities near 0 cannot.
fn can_be_drawn(lines: &[&Line]) -> bool {
    lines.iter().any(|line| !line.unit.is_empty() || line.measured.value.abs() > 0.05)
}

/// The figures of some lines of one unit, each over the published one.
fn drawing(name: &str, lines: &[&Line]) -> Markup {
    let estimate = |mean: f64, interval: Option<[f64; 2]>| {
        let [low, high] = interval.unwrap_or([mean; 2]);
        Estimate { mean, low, high }
    };
    let row = |line: &Line| {
        let published = line.published.as_ref().map(|published| ("third", estimate(published.value, published.interval)));
        [("first", estimate(line.measured.value, line.measured.interval))].into_iter().chain(published).collect()
    };
    let rows: Vec<Row> = lines.iter().map(|line| (line.part.clone(), row(line))).collect();
    let caption = html! { (name) ". " span.key.first { "measured" } " " span.key.third { "published" } };
    figure(intervals(name, &rows), caption)
}

fn table(summary: &Summary) -> Section {
    let (head, cells) = summary.columns_shown();
    let rows = sortable_table("by-figure", &head, cells);
    let body = html! {
        (folded("The figures", rows))
        @for rule in rules(summary) { (folded("The rule of the verdicts", html! { p.note { (rule.replace('*', "")) } })) }
    };
    Section::new("table", "Table", "All figures", "", body)
}
