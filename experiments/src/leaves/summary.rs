//! A leave run in short, and the tables of its generations. They have no times, so the same run writes the same bytes.

use tilewright_engine::series::{Estimate, Tally};
use tilewright_engine::tileset::TileSet;
use tilewright_engine::{LeaveTable, Setup};
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::run::{GenerationReport, LeavesOutcome};
use tilewright_train::leaves::warnings::{WarningCounts, is_supported};

use crate::Number;
use crate::report::html::grouped;

/// A generation whose gain in points of win rate is certainly smaller than this does not pay.
const NO_LONGER_PAYS: f64 = 0.5;
/// The number of best and of worst leaves shown for each length.
pub const SHOWN: usize = 8;

/// The labels of the English tile set, and Maven's published values of them as single tiles (Sheppard 2002, Table 5-2), in points.
const ENGLISH: &str = "?ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MAVEN: [f64; 27] = [
    24.5, 0.5, -3.5, -0.5, -1.0, 4.0, -3.0, -3.5, 0.5, -1.5, -2.5, -1.5, -1.5, -0.5, 0.0, -2.5, -1.5, -11.5, 1.0, 7.5, -1.0,
    -4.5, -6.5, -4.0, 3.5, -2.5, 3.0,
];

/// The value published for Maven of a tile of the English tile set, in points.
pub fn maven(tileset: &TileSet, label: &str) -> Option<f64> {
    let is_english = tileset.name() == "english" && label.len() == 1;
    ENGLISH.find(label).filter(|_| is_english).map(|place| MAVEN[place])
}

/// The run in a few lines: the strength of the table, its best and its worst tiles, the last generation that paid, and weak values.
pub fn in_short(setup: &Setup, config: &LeavesConfig, outcome: &LeavesOutcome, warnings: &WarningCounts) -> String {
    let LeavesOutcome { table, detail, generations, .. } = outcome;
    let games: u64 = config.games.iter().sum();
    let (lexicon, tileset) = (&setup.lexicon.name, setup.tileset.name());
    let leaves = grouped(table.values().len() as u64 - 1);
    let mut lines =
        vec![format!("{lexicon} ({tileset} tile set): {leaves} leaves from {} games, seed {}", grouped(games), config.seed)];
    lines.extend(outcome.closing_match.summary().map(|summary| {
        let Estimate { mean, low, high } = summary.win_rate.times(100.0);
        let (spread, pairs) = (Number(summary.spread.mean), grouped(summary.pairs));
        format!("against no leaves: {mean:.1} % (95 %: {low:.1} to {high:.1}), {spread:+.1} points per game, {pairs} pairs")
    }));
    let show = |&index: &usize| {
        format!("{} {:+.1}", table.ranking().unrank(index).show(&setup.tileset), Number(table.values()[index].points()))
    };
    let tiles = ranked(table, Some(detail), 1);
    let list = |indices: &mut dyn Iterator<Item = &usize>| indices.take(SHOWN).map(show).collect::<Vec<_>>().join(", ");
    lines.push(format!("best tiles, in points: {}", list(&mut tiles.iter())));
    lines.push(format!("worst tiles: {}", list(&mut tiles.iter().rev())));
    lines.push(what_paid(generations));
    let more = if warnings.leaves > 0 { "; more games support more of them (--budget)" } else { "" };
    lines.push(format!("weak: {warnings}{more}"));
    lines.join("\n")
}

/// The head of the table of [`fits`], with numbers in points.
pub const FIT_HEAD: [&str; 9] =
    ["generation", "#games", "#observed", "#racks", "#noise", "#rack effect", "#strengths", "#error", "#error of the prior"];

pub fn fits(generations: &[GenerationReport]) -> Vec<Vec<String>> {
    let row = |GenerationReport { generation, games, fit, .. }: &GenerationReport| {
        vec![
            generation.to_string(),
            grouped(*games),
            grouped(fit.observations),
            grouped(fit.racks as u64),
            format!("{:.2}", fit.noise),
            format!("{:.2}", fit.rack_effect),
            fit.strengths.iter().map(|strength| format!("{strength:.2}")).collect::<Vec<_>>().join(" · "),
            format!("{:.3}", fit.held_out_error),
            format!("{:.3}", fit.held_out_error_of_prior),
        ]
    };
    generations.iter().map(row).collect()
}

pub const CHANGE_HEAD: [&str; 4] =
    ["generation", "#change", "#win rate against no leaves", "#win rate against the previous table"];

/// The change of the table in each generation, and its matches: win rates with 95 % intervals.
pub fn changes(generations: &[GenerationReport]) -> Vec<Vec<String>> {
    let rate = |tally: &Tally| {
        let shown =
            |Estimate { mean, low, high }| format!("{:.1} % ({:.1} to {:.1})", 100.0 * mean, 100.0 * low, 100.0 * high);
        tally.summary().map_or("not played".into(), |summary| shown(summary.win_rate))
    };
    let row = |report: &GenerationReport| {
        let [no_leaves, last] = [&report.against_no_leaves, &report.against_last].map(rate);
        vec![report.generation.to_string(), format!("{:.3}", report.change), no_leaves, last]
    };
    generations.iter().map(row).collect()
}

/// Which generations paid, by their matches, in words.
fn what_paid(generations: &[GenerationReport]) -> String {
    let better =
        |report: &&GenerationReport| report.against_last.summary().is_some_and(|summary| summary.win_rate.low > 0.5);
    let pairs = generations.last().map_or(0, |report| report.against_last.pairs);
    match generations.iter().rev().find(better) {
        _ if pairs == 0 => "No matches were played between generations, so it is unknown which of them paid.".into(),
        None => format!("In {pairs} pairs no generation beat the previous one."),
        Some(last) if last.generation as usize == generations.len() => {
            format!("In {pairs} pairs the last generation still beat the previous one: another generation may pay.")
        }
        Some(last) => {
            let end = generations.last().and_then(|report| report.against_last.summary());
            let most = end.map_or(0.0, |summary| 100.0 * summary.win_rate.high - 50.0);
            let verdict = if most < NO_LONGER_PAYS {
                "another generation does not pay"
            } else {
                "the pairs are too few to exclude a gain"
            };
            format!(
                "In {pairs} pairs generation {} is the last that beat its predecessor. The last generation gained at most \
                 {most:.1} points of win rate: {verdict}.",
                last.generation
            )
        }
    }
}

/// The leaves of a length by falling value, as numbers in the table: the well-supported ones, if the support is known.
pub fn ranked(table: &LeaveTable, detail: Option<&Detail>, tiles: usize) -> Vec<usize> {
    let held = |&index: &usize| detail.is_none_or(|detail| is_supported(detail, index));
    let mut order: Vec<usize> = table.ranking().indices_of_size(tiles).filter(held).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(table.values()[index]), index));
    order
}
