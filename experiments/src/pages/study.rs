//! The page of a study: its figures next to the published ones, as a drawing for each unit and as a table.

use std::path::Path;

use tilewright_engine::hash::sha256;
use tilewright_engine::input_file;
use tilewright_engine::series::Estimate;

use super::made::{CONFIG_FILE, Head, Made};
use crate::experiment::ladder::Ladder;
use crate::experiment::literature::{self, Table, tables};
use crate::experiment::results::found;
use crate::experiment::summary::{Line, Size, Summary};
use crate::experiment::verdict;
use crate::failure::Failure;
use crate::flags::shell_word;
use crate::report::html::{Markup, Render, Section, figure, folded, html, repeat, sortable_table};
use crate::report::intervals::{Row, intervals};
use crate::report::svg::{Colour, Mark, layered_chart};

pub fn page(run: &Path) -> Result<Made, Failure> {
    let summary = Summary::of_run(run)?;
    // The config of another study is no way to repeat this one.
    let config = input_file::read_text(&run.join(CONFIG_FILE)).ok();
    let config = config.filter(|config| sha256(config.as_bytes()) == summary.config);
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
    let row = |table: &Table| {
        let [name, finding, figures @ ..] = table.cells();
        let first = [name.render(), html! { span.meaning { (finding) } }];
        first.into_iter().chain(figures.iter().map(Render::render)).collect::<Vec<_>>()
    };
    let rows = tables.iter().map(row);
    let body = html! {
        (sortable_table("by-table", &literature::HEAD, rows))
        (folded("The rule", html! { p.note { (literature::RULE.replace('*', "")) } }))
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

/// The fewest figures of a part with a drawing of their own.
const FEWEST: usize = 4;

/// Some figures with the name of their drawing, and the name of each in it.
type Group<'a> = (String, Vec<(String, &'a Line)>);

/// The drawing of a figure and the name in it, or `None` if this way of grouping has no place for it.
type Way<'f> = &'f dyn Fn(&Line) -> Option<(String, String)>;

/// The figures in drawings. Figures of a part that differ in a number come first to last, such as the scores of all turns. Other figures
/// of a part with one unit share a drawing if they are many. The rest are grouped by figure, with the part as name.
fn groups(lines: &[Line]) -> Vec<Group<'_>> {
    let with_unit = |name: &str, unit: &str| if unit.is_empty() { name.to_string() } else { format!("{name}, {unit}") };
    let numbered = |line: &Line| number_in(&line.figure).map(|(stem, number)| (with_unit(&stem, &line.unit), number));
    let of_part = |line: &Line| Some((with_unit(&line.part, &line.unit), line.figure.clone()));
    let of_figure = |line: &Line| Some((with_unit(&line.figure, &line.unit), line.part.clone()));
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut rest: Vec<&Line> = lines.iter().collect();
    let ways: [(Way<'_>, usize); 3] = [(&numbered, FEWEST), (&of_part, FEWEST), (&of_figure, 1)];
    for (way, fewest) in ways {
        let mut found: Vec<Group<'_>> = Vec::new();
        for (line, (name, own)) in rest.iter().filter_map(|&line| Some((line, way(line)?))) {
            match found.iter_mut().find(|(other, own)| *other == name && (fewest == 1 || own[0].1.part == line.part)) {
                Some((_, lines)) => lines.push((own, line)),
                None => found.push((name, vec![(own, line)])),
            }
        }
        found.retain(|(_, lines)| lines.len() >= fewest);
        rest.retain(|line| !found.iter().flat_map(|(_, lines)| lines).any(|(_, own)| std::ptr::eq(*own, *line)));
        groups.append(&mut found);
    }
    groups
}

/// The number in the name of a figure, and the name without it.
fn number_in(figure: &str) -> Option<(String, String)> {
    let words: Vec<&str> = figure.split(' ').collect();
    let place = words.iter().rposition(|word| word.parse::<f64>().is_ok())?;
    let stem = words.iter().enumerate().map(|(at, word)| if at == place { "…" } else { word }).collect::<Vec<_>>().join(" ");
    Some((stem, words[place].to_string()))
}

fn figures(summary: &Summary) -> Section {
    let groups = groups(&summary.lines);
    let drawn = groups.iter().filter(|(_, lines)| can_be_drawn(lines));
    let lead = "A line or a band is a 95 % interval, or the interval that the rounding of a published figure leaves open.";
    let body = html! { div.two { @for (name, lines) in drawn { (drawing(name, lines)) } } };
    Section::new("figures", "Figures", "Measured and published", lead, body)
}

/// Whether the figures can be read off an axis. Probabilities near 0 cannot.
fn can_be_drawn(lines: &[(String, &Line)]) -> bool {
    lines.iter().any(|(_, line)| !line.unit.is_empty() || line.measured.value.abs() > 0.05)
}

fn estimate(mean: f64, interval: Option<[f64; 2]>) -> Estimate {
    let [low, high] = interval.unwrap_or([mean; 2]);
    Estimate { mean, low, high }
}

/// The figures of one unit, each over the published one: curves over numbers, rows by name otherwise.
fn drawing(name: &str, lines: &[(String, &Line)]) -> Markup {
    let measured = |line: &Line| estimate(line.measured.value, line.measured.interval);
    let published = |line: &Line| line.published.as_ref().map(|published| estimate(published.value, published.interval));
    let numbers: Option<Vec<f64>> = lines.iter().map(|(own, _)| own.parse().ok()).collect();
    if let Some(numbers) = numbers.filter(|numbers| numbers.len() >= FEWEST) {
        let own = || numbers.iter().zip(lines).map(|(&number, (_, line))| (number, measured(line)));
        let others = numbers.iter().zip(lines).filter_map(|(&number, (_, line))| Some((number, published(line)?.mean)));
        let layers = [
            ("", Colour::First, Mark::Band(own().map(|(number, one)| (number, one.low, one.high)).collect())),
            ("published", Colour::Third, Mark::Line(others.collect())),
            ("measured", Colour::First, Mark::Line(own().map(|(number, one)| (number, one.mean)).collect())),
        ];
        let (stem, unit) = name.rsplit_once(", ").unwrap_or((name, ""));
        // The word beside the number names the axis.
        let words: Vec<&str> = stem.split(' ').collect();
        let place = words.iter().position(|word| *word == "…").unwrap_or(0);
        let axis = if place + 1 == words.len() { words[place.saturating_sub(1)] } else { words[place + 1] };
        return layered_chart(&stem.replace(" …", ""), axis, unit, &layers);
    }
    let row =
        |line: &Line| [("first", measured(line))].into_iter().chain(published(line).map(|one| ("third", one))).collect();
    let rows: Vec<Row> = lines.iter().map(|(own, line)| (own.clone(), row(line))).collect();
    let keys = html! { span.key.first { "measured" } @if lines.iter().any(|(_, line)| line.published.is_some()) { " " span.key.third { "published" } } };
    figure(intervals(name, &rows), html! { (name) ". " (keys) })
}

fn table(summary: &Summary) -> Section {
    let (head, cells) = summary.columns_shown();
    let rows = sortable_table("by-figure", head, cells);
    let body = html! {
        (folded("The figures", rows))
        @if head.contains(&"verdict") { (folded("The rule of the verdicts", html! { p.note { (verdict::RULE.replace('*', "")) } })) }
    };
    Section::new("table", "Table", "All figures", "", body)
}
