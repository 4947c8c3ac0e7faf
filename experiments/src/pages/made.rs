//! The common parts of the pages of all kinds of runs, and the page of a run whose results come at its end.

use std::collections::BTreeMap;
use std::path::Path;

use tilewright_engine::Manifest;
use tilewright_engine::series::Tally;
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_train::journal::{RUN, RunKey, StoredRun, WORK};
use tilewright_train::stored_match::spec::percent;

use super::compared::Compared;
use crate::Failure;
use crate::flags::shell_word;
use crate::report::figures::KeyFigure;
use crate::report::html::{
    Markup, Page, Section, config_details, entry_details, grouped, html, made_by, page_header, repeat, sortable_table,
    unfinished,
};
use crate::report::svg::{Colour, Mark, chart_of, layered_chart};

/// The config in the folder of a run.
pub const CONFIG_FILE: &str = "config.toml";
/// The most turns of a player in a chart, and the fewest games that a point of it needs.
const TURNS: usize = 20;
pub const FEWEST: u64 = 10;
/// The width of a bar of the histogram of spreads, in points.
const BAR: f64 = 20.0;

/// The head of the page of a run, which an index and comparisons show too.
#[derive(Clone)]
pub struct Head {
    /// The kind of the run, in words.
    pub kind: String,
    pub title: String,
    /// The game, the seed and more for which it was made.
    pub facts: Vec<String>,
    pub lead: String,
    /// The key figures. An index shows the first.
    pub figures: Vec<KeyFigure>,
}

/// A run that was read, and its page, which is not written yet.
pub struct Made {
    pub head: Head,
    /// Whether the run has come to its end.
    pub is_finished: bool,
    pub compared: Compared,
    /// Writes the page.
    pub page: Box<dyn FnOnce() -> Result<String, Failure>>,
}

impl Made {
    /// A finished run with a page of these sections.
    pub fn new(head: Head, sections: Vec<Section>, footer: Markup) -> Made {
        Made::with_script(head, sections, footer, None)
    }

    /// The same with a script of its page and the data of that.
    pub fn with_script(head: Head, sections: Vec<Section>, footer: Markup, script: Option<(Markup, &'static str)>) -> Made {
        let Head { kind, title, facts, lead, figures } = &head;
        let header = page_header(kind, title, facts, lead, figures);
        let page = Page { script, ..Page::new(title, header, sections, footer) };
        Made { head, is_finished: true, compared: Compared::default(), page: Box::new(move || Ok(page.write())) }
    }

    /// The page, marked unless the run is finished.
    pub fn write(self) -> Result<String, Failure> {
        let html = (self.page)()?;
        Ok(if self.is_finished { html } else { unfinished(&html) })
    }
}

/// The foot of the page of a run with work files: its config, its dependencies and, if it is finished, its manifest.
pub fn footer_of(manifest: Option<&Manifest>, key: &RunKey) -> Markup {
    let build = ("build".to_string(), key.builds.join(", "));
    let inputs = entry_details("What the run depends on", &[&*key.inputs, &[build]].concat());
    html! {
        @if manifest.is_none() { (config_details(&key.config)) }
        (inputs)
        @if let Some(manifest) = manifest { (made_by(manifest)) }
    }
}

pub fn name_of(run: &Path) -> String {
    run.file_name().map_or_else(|| run.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The way to repeat a run with the config in its folder, and the result. No config is shown if the foot has it.
pub fn repeat_with_config(verb: &str, run: &Path, gives: &str, config: Option<&str>) -> Section {
    let command = format!("tilewright {verb} {}", shell_word(&run.join(CONFIG_FILE).display().to_string()));
    repeat(&command, &format!("The same config gives the same {gives} on any number of threads."), config)
}

/// How far a match has come, as sentences after another one. Empty for a finished match.
pub fn progress_of(played: u64, asked: u64, is_finished: bool) -> String {
    if is_finished {
        return String::new();
    }
    let of_asked = if played < asked { format!(" of {}", grouped(asked)) } else { String::new() };
    format!(" The match is not finished: {}{of_asked} pairs are played.", grouped(played))
}

/// The log-likelihood ratio of a test after each of some tallies, with its bounds.
pub fn chart_of_test<'a>(test: &SequentialTest, course: impl IntoIterator<Item = &'a Tally>) -> Markup {
    let [h0, h1] = test.hypotheses().map(percent);
    let [lower, upper] = test.bounds();
    let ratio = course.into_iter().map(|tally| (tally.pairs as f64, test.log_likelihood_ratio(&tally.outcomes)));
    let layers = [
        ("bounds of the test", Colour::Second, Mark::Level(lower)),
        ("", Colour::Second, Mark::Level(upper)),
        ("ratio", Colour::First, Mark::Line(ratio.collect())),
    ];
    layered_chart(&format!("Log-likelihood ratio of {h1} % over {h0} %"), "pairs", "natural logarithm", &layers)
}

/// How many games have which spread.
#[derive(Default)]
pub struct Spreads(BTreeMap<i64, u64>);

impl Spreads {
    pub fn add(&mut self, spread: i32) {
        *self.0.entry((f64::from(spread) / BAR).floor() as i64).or_insert(0) += 1;
    }

    pub fn chart(&self, caption: &str) -> Markup {
        let bars = self.0.iter().map(|(&bin, &count)| ((bin as f64 + 0.5) * BAR, count as f64)).collect();
        chart_of(caption, "points", "games in 20 points", Mark::Bars(bars, BAR))
    }
}

/// The mean of some numbers, and how many there are.
#[derive(Clone, Copy, Default)]
pub struct Mean {
    pub count: u64,
    sum: i64,
}

impl Mean {
    pub fn add(&mut self, value: i64) {
        *self = Mean { count: self.count + 1, sum: self.sum + value };
    }

    pub fn value(self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }
}

#[derive(Clone, Copy, Default)]
pub struct ByTurn([Mean; TURNS]);

impl ByTurn {
    /// Counts a value of the player's turn with this number, from 0. Late turns are not counted.
    pub fn add(&mut self, turn: usize, value: i64) {
        if let Some(mean) = self.0.get_mut(turn) {
            mean.add(value);
        }
    }
}

/// A chart of means by the turn of each player, times `unit`.
pub fn chart_by_turn<'a>(
    caption: &str,
    up: &str,
    unit: f64,
    players: impl IntoIterator<Item = (&'a str, Colour, ByTurn)>,
) -> Markup {
    let layer = |(name, colour, ByTurn(means)): (&'a str, Colour, ByTurn)| {
        let points = (1..).zip(means).filter(|(_, mean)| mean.count >= FEWEST);
        (name, colour, Mark::Line(points.map(|(turn, mean)| (f64::from(turn), unit * mean.value())).collect()))
    };
    layered_chart(caption, "own turn of the game", up, &players.into_iter().map(layer).collect::<Vec<_>>())
}

/// The page of an unfinished run, of a kind whose results come at its end: its config and its stored work.
pub fn of_unfinished(run: &Path, stored: &StoredRun) -> Result<Made, Failure> {
    let steps = steps(run, stored)?;
    let title = name_of(run);
    let input = |name: &str| stored.key.inputs.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let facts: Vec<String> =
        ["lexicon", "tile set"].into_iter().filter_map(|name| Some(format!("{name} {}", first(&input(name)?)))).collect();
    let lead = "This run is not finished. Its results come at its end; the same command resumes it.";
    let figures = vec![KeyFigure::count("shards of work stored", steps.values().map(|step| step.files).sum())];
    let head = Head { kind: "unfinished run".into(), title, facts, lead: lead.into(), figures };
    Ok(Made { is_finished: false, ..Made::new(head, vec![work(&steps)], footer_of(None, &stored.key)) })
}

fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The work files of one step of a run.
#[derive(Default)]
struct Step {
    files: u64,
    bytes: u64,
}

/// The steps by name: the name of a work file without the numbers at its end.
fn steps(run: &Path, stored: &StoredRun) -> Result<BTreeMap<String, Step>, Failure> {
    let mut steps: BTreeMap<String, Step> = BTreeMap::new();
    for name in stored.names("")?.into_iter().filter(|name| name != RUN) {
        // A file may be replaced while this looks.
        let Ok(about) = run.join(WORK).join(&name).metadata() else { continue };
        let step = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '-').replace('-', " ");
        let step = steps.entry(step).or_default();
        *step = Step { files: step.files + 1, bytes: step.bytes + about.len() };
    }
    Ok(steps)
}

fn work(steps: &BTreeMap<String, Step>) -> Section {
    let row =
        |(name, step): (&String, &Step)| [name.clone(), grouped(step.files), format!("{:.1}", step.bytes as f64 / 1000.0)];
    let lead = "What a resumed run does not do again, by the step that made it.";
    let body = sortable_table("by-step", &["step", "#files", "#kilobytes"], steps.iter().map(row));
    Section::new("work", "Work", "Finished work", lead, body)
}
