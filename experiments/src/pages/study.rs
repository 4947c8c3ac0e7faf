//! The page of a study: its figures next to the published ones, as a drawing for each unit and as a table.

use std::path::Path;

use tilewright_engine::input_file;

use super::made::{CONFIG_FILE, Made};
use crate::experiment::ladder::Ladder;
use crate::experiment::literature::{self, Table, tables};
use crate::experiment::results::{found, rules};
use crate::experiment::summary::{Line, Size, Summary};
use crate::failure::Failure;
use crate::flags::shell_word;
use crate::report::html::{Markup, Page, Section, figure, folded, html, page_header, repeat, shortened, sortable_table};
use crate::report::svg::{Anchor, Scale, Svg};

/// The longest name of a row that a drawing has room for, in characters.
const LONGEST: usize = 34;

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
    Ok(Made::new("study", Page::new(&summary.study, header(&summary), sections, footer), true))
}

fn header(summary: &Summary) -> Markup {
    let Summary { study, question, source, size, lines, .. } = summary;
    let mut facts = vec![format!("{size} size"), format!("{} figures", lines.len())];
    facts.extend(source.iter().map(|source| format!("published in {source}")));
    let verdict = html! { (question) " " strong { (found(summary)) "." } };
    page_header("Study", study, &facts, verdict, "")
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
    let (total, row, top) = (480.0, 30.0, 26.0);
    let longest = lines.iter().map(|line| shortened(&line.part, LONGEST).chars().count()).max().unwrap_or(0);
    let left = 12.0 + 5.9 * longest as f64;
    let ends = |value: f64, interval: Option<[f64; 2]>| interval.unwrap_or([value; 2]);
    let measured = |line: &Line| ends(line.measured.value, line.measured.interval);
    let published =
        |line: &Line| line.published.as_ref().map(|published| (published.value, ends(published.value, published.interval)));
    let all = lines
        .iter()
        .flat_map(|line| measured(line).into_iter().chain(published(line).map_or([f64::NAN; 2], |(_, ends)| ends)));
    let scale = Scale::new(all.filter(|value| value.is_finite()), left, total - 14.0);
    let height = top + row * lines.len() as f64;
    let mut svg = Svg::new(total, height, name);
    svg.ticks_above(&scale, 1.0, (top - 2.0, height));
    for (place, line) in lines.iter().enumerate() {
        let middle = top + row * (place as f64 + 0.5);
        svg.text("label", (0.0, middle + 4.0), Anchor::Start, &shortened(&line.part, LONGEST));
        let mut draw = |class: &str, y: f64, value: f64, [low, high]: [f64; 2]| {
            svg.line(&format!("line {class}"), (scale.at(low), y), (scale.at(high), y));
            svg.dot(&format!("mark {class}"), (scale.at(value), y), 3.6);
        };
        draw("first", middle - 5.0, line.measured.value, measured(line));
        if let Some((value, ends)) = published(line) {
            draw("third", middle + 5.0, value, ends);
        }
    }
    let caption = html! { (name) ". " span.key.first { "measured" } " " span.key.third { "published" } };
    figure(svg.finish(), caption)
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
