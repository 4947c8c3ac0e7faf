//! The page of a TD run: errors and learned values by games, and a watch for divergence.

use std::path::Path;

use tilewright_engine::artefact::Manifest;
use tilewright_train::td::batches::Snapshot;
use tilewright_train::td::course::Course;

use super::made::{CONFIG_FILE, Made};
use crate::flags::shell_word;
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Section, escape, grouped, key_figure, missing, signed, sortable_table};
use crate::report::page::{Page, made_by, page_header, repeat};

/// The most values that are drawn.
const DRAWN: usize = 12;

/// The name of a weight on the page.
fn name(course: &Course, number: usize) -> &str {
    if course.names[number].is_empty() { "nothing kept" } else { &course.names[number] }
}

/// A weight by games.
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

/// The weights of the last snapshot.
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

/// The page of a TD run with this course.
pub fn page(run: &Path, course: &Course, manifest: &Manifest) -> Made {
    let title = format!("TD learning, {}", manifest.lexicon.name);
    let html = Page {
        title: title.clone(),
        header: header(&title, course, manifest),
        sections: vec![errors(course), values(course), table(course), repeat_of(run)],
        footer: made_by(manifest),
        script: None,
    }
    .write();
    Made { kind: "TD run".into(), title, html }
}

fn header(title: &str, course: &Course, manifest: &Manifest) -> String {
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
    let mut figures = key_figure("games", &grouped(games), "")
        + &key_figure(
            "TD error of the last batch, points",
            &format!("{error:.1}"),
            &format!("least of the second half {least:.1}"),
        );
    if let Some((_, step)) = steps.last() {
        figures += &key_figure("last step of the values, points", &format!("{step:.3}"), "root mean square");
    }
    let facts = [format!("{} tile set", manifest.tileset.name), format!("seed {}", manifest.seed)];
    page_header("TD learning", title, &facts, verdict, &figures)
}

fn line(points: Vec<(f64, f64)>) -> Layer {
    Layer::new("", Colour::First, Mark::Line(points))
}

fn repeat_of(run: &Path) -> Section {
    let command = format!("tilewright td {}", shell_word(&run.join(CONFIG_FILE).display().to_string()));
    repeat(&command, "The same config gives the same values on any number of threads.", None)
}

fn errors(course: &Course) -> Section {
    let errors = course.snapshots.iter().map(|snapshot| (snapshot.games as f64, snapshot.error)).collect();
    let chart = |caption, up, points| Chart { caption, across: "games", up, layers: vec![line(points)] }.show();
    let steps = steps(course);
    let second = if steps.is_empty() {
        missing("One batch has no steps.")
    } else {
        chart("How far the values move between snapshots", "points, root mean square", steps)
    };
    Section {
        id: "divergence",
        link: "Divergence",
        title: "Does it converge?".into(),
        lead: "TD errors stay large, because a turn brings more luck than skill, but they must not grow. Steps that shrink say that the \
               values settle."
            .into(),
        body: format!("<div class=\"two\">\n{}{second}</div>\n", chart("TD error of a batch", "points, root mean square", errors)),
    }
}

fn values(course: &Course) -> Section {
    let order = by_size(course);
    let chart = |&number: &usize| {
        let layers = vec![line(of_weight(course, number))];
        Chart { caption: name(course, number), across: "games", up: "points", layers }.show()
    };
    let body: String = order.iter().take(DRAWN).map(chart).collect();
    Section {
        id: "values",
        link: "Values",
        title: "Values by games".into(),
        lead: format!("The {} largest at the end.", DRAWN.min(order.len())),
        body: format!("<div class=\"two\">\n{body}</div>\n"),
    }
}

fn table(course: &Course) -> Section {
    let (last, middle) = (last(course), &course.snapshots[course.snapshots.len() / 2].weights);
    let row = |number: usize| {
        let moved = last[number] - middle[number];
        vec![escape(name(course, number)), signed(last[number], 3), signed(moved, 3)]
    };
    let rows: Vec<Vec<String>> = by_size(course).into_iter().map(row).collect();
    Section {
        id: "all",
        link: "All values",
        title: "All values".into(),
        lead: "At the end, and how far they moved in the second half of the run. A tile pattern is worth its own value and those of the \
               patterns in it."
            .into(),
        body: sortable_table("by-value", &["value of", "#points", "#second half"], &rows),
    }
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
