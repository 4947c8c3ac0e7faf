//! The page of a TD run: errors and learned values by games, and a watch for divergence.

use std::path::Path;

use tilewright_engine::Manifest;
use tilewright_train::journal::StoredRun;
use tilewright_train::run_config::RunConfig;
use tilewright_train::td::batches::Snapshot;
use tilewright_train::td::config::TdConfig;
use tilewright_train::td::course::Course;

use super::made::{Made, footer_of, name_of, repeat_with_config};
use crate::report::chart::Chart;
use crate::report::html::{Markup, Section, grouped, html, key_figure, missing, signed, sortable_table};
use crate::report::page::{Page, game_facts, made_by, page_header};
use crate::{Failure, Input, Progress};

/// The most values that are drawn.
const DRAWN: usize = 12;

fn name(course: &Course, number: usize) -> &str {
    if course.names[number].is_empty() { "nothing kept" } else { &course.names[number] }
}

fn of_weight(course: &Course, number: usize) -> Vec<(f64, f64)> {
    course.snapshots.iter().map(|snapshot| (snapshot.games as f64, snapshot.weights[number])).collect()
}

/// The root mean square of how far the weights moved between snapshots, by games.
fn steps(course: &Course) -> Vec<(f64, f64)> {
    let step = |(old, new): (&Snapshot, &Snapshot)| {
        let squares: f64 = old.weights.iter().zip(&new.weights).map(|(old, new)| (new - old).powi(2)).sum();
        (new.games as f64, (squares / new.weights.len().max(1) as f64).sqrt())
    };
    course.snapshots.iter().zip(course.snapshots.iter().skip(1)).map(step).collect()
}

fn last(course: &Course) -> &[f64] {
    course.snapshots.last().map_or(&[], |snapshot| &snapshot.weights)
}

/// The weights by how far they are from 0 at the end, the farthest first.
fn by_size(course: &Course) -> Vec<usize> {
    let last = last(course);
    let mut order: Vec<usize> = (0..last.len()).collect();
    order.sort_by(|&a, &b| last[b].abs().total_cmp(&last[a].abs()));
    order
}

pub fn page(run: &Path, course: &Course, manifest: &Manifest) -> Made {
    let facts = game_facts(&manifest.lexicon.name, &manifest.tileset.name, manifest.seed, []);
    Made { is_finished: true, ..made(run, course, &facts, made_by(manifest)) }
}

/// The page of a TD run that goes on or was stopped; `None` if the run is no TD run, or has no finished batch.
pub fn page_of_unfinished(run: &Path, stored: &StoredRun, progress: &Progress) -> Result<Option<Made>, Failure> {
    let Ok(config) = TdConfig::from_toml(&stored.key.config, "") else { return Ok(None) };
    let facts = [format!("{} games are asked for", grouped(config.games)), format!("seed {}", config.seed)];
    let course = Course::so_far(stored, &config, progress).input()?;
    Ok(course.map(|course| made(run, &course, &facts, footer_of(None, &stored.key))))
}

fn made(run: &Path, course: &Course, facts: &[String], footer: Markup) -> Made {
    let title = name_of(run);
    let sections = vec![errors(course), values(course), table(course), repeat_with_config("td", run, "values", None)];
    Made::new("TD run", Page::new(&title, header(&title, course, facts), sections, footer), false)
}

fn header(title: &str, course: &Course, facts: &[String]) -> Markup {
    let snapshots = &course.snapshots;
    let (games, error) = snapshots.last().map_or((0, 0.0), |last| (last.games, last.error));
    // At the beginning all values are equal, so errors are small; later they scatter by some percent.
    let least = snapshots[snapshots.len() / 2..].iter().map(|snapshot| snapshot.error).fold(f64::INFINITY, f64::min);
    let verdict = if error > 1.2 * least {
        "The error at the end is more than a fifth above its least in the second half: the run may diverge, and a smaller rate may help."
    } else {
        "The error at the end is near its least in the second half; nothing diverges."
    };
    let steps = steps(course);
    let least = format!("least of the second half {least:.1}");
    let figures = html! {
        (key_figure("games", grouped(games), ""))
        (key_figure("TD error of the last batch, points", format!("{error:.1}"), least))
        @if let Some((_, step)) = steps.last() {
            (key_figure("last step of the values, points", format!("{step:.3}"), "root mean square"))
        }
    };
    page_header("TD learning", title, facts, verdict, figures)
}

fn errors(course: &Course) -> Section {
    let errors = course.snapshots.iter().map(|snapshot| (snapshot.games as f64, snapshot.error)).collect();
    let chart = |caption, up, points| Chart::of_line(caption, "games", up, points);
    let steps = steps(course);
    let second = if steps.is_empty() {
        missing("One batch has no steps.")
    } else {
        chart("How far the values move between snapshots", "points, root mean square", steps)
    };
    let lead = "TD errors stay large, because a turn brings more luck than skill, but they must not grow. Steps that shrink say that the \
               values settle.";
    let body = html! { div.two { (chart("TD error of a batch", "points, root mean square", errors)) (second) } };
    Section::new("divergence", "Divergence", "Does it converge?", lead, body)
}

fn values(course: &Course) -> Section {
    let order = by_size(course);
    let chart = |&number: &usize| Chart::of_line(name(course, number), "games", "points", of_weight(course, number));
    let body = html! { div.two { @for number in order.iter().take(DRAWN) { (chart(number)) } } };
    let lead = format!("The {} largest at the end.", DRAWN.min(order.len()));
    Section::new("values", "Values", "Values by games", lead, body)
}

fn table(course: &Course) -> Section {
    let (last, middle) = (last(course), &course.snapshots[course.snapshots.len() / 2].weights);
    let row = |number: usize| {
        let moved = last[number] - middle[number];
        [name(course, number).into(), signed(last[number], 3), signed(moved, 3)]
    };
    let lead = "At the end, and how far they moved in the second half of the run. A tile pattern is worth its own value and those of the \
               patterns in it.";
    let body = sortable_table("by-value", &["value of", "#points", "#second half"], by_size(course).into_iter().map(row));
    Section::new("all", "All values", "All values", lead, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_measured_and_weights_ordered() {
        let course = Course::from_text("games,error,,A\n10,5.5,0,0\n20,5.25,3,-4\n").unwrap();
        let steps = steps(&course);
        assert!(steps.len() == 1 && (steps[0].1 - 12.5f64.sqrt()).abs() < 1e-12, "{steps:?}");
        assert_eq!(by_size(&course), [1, 0]);
        assert_eq!([0, 1].map(|number| name(&course, number)), ["nothing kept", "A"]);
    }
}
