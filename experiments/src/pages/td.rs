//! The page of a TD run: errors and learned values by games, and a watch for divergence.

use std::path::Path;

use tilewright_engine::artefact::Manifest;
use tilewright_train::td::artefact::COURSE_FILE;

use super::made::{CONFIG_FILE, Made, repeat};
use crate::failure::Failure;
use crate::flags::shell_word;
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Section, escape, grouped, key_figure, missing, signed, sortable_table};
use crate::report::page::{Page, made_by, page_header};

/// The most values that are drawn.
const DRAWN: usize = 12;

/// The course of a run: a row per snapshot.
struct Course {
    /// The names of the values.
    names: Vec<String>,
    /// Games, the root mean square of the TD errors in points, and the values.
    rows: Vec<(f64, f64, Vec<f64>)>,
}

impl Course {
    /// Reads the file of the artefact.
    ///
    /// # Errors
    /// What is wrong with it, with the line.
    fn read(text: &str) -> Result<Course, String> {
        let mut lines = text.lines();
        let mut heads = lines.next().unwrap_or_default().split(',');
        if (heads.next(), heads.next()) != (Some("games"), Some("error")) {
            return Err("line 1: expected games,error and the names of the values".into());
        }
        let names: Vec<String> = heads.map(String::from).collect();
        let row = |(number, line): (usize, &str)| {
            let cells: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
            match cells.as_deref() {
                Ok([games, error, values @ ..]) if values.len() == names.len() => Ok((*games, *error, values.to_vec())),
                _ => Err(format!("line {number}: expected {} numbers", names.len() + 2)),
            }
        };
        let rows: Vec<_> = (2..).zip(lines).map(row).collect::<Result<_, _>>()?;
        if rows.is_empty() { Err("it has no snapshot".into()) } else { Ok(Course { names, rows }) }
    }

    /// The name of a value on the page.
    fn name(&self, number: usize) -> &str {
        if self.names[number].is_empty() { "nothing kept" } else { &self.names[number] }
    }

    fn of_value(&self, number: usize) -> Vec<(f64, f64)> {
        self.rows.iter().map(|(games, _, values)| (*games, values[number])).collect()
    }

    /// The root mean square of how far the values moved between snapshots.
    fn steps(&self) -> Vec<(f64, f64)> {
        let step = |pair: &[(f64, f64, Vec<f64>)]| {
            let [(_, _, old), (games, _, new)] = pair else { return (0.0, 0.0) };
            let squares: f64 = old.iter().zip(new).map(|(old, new)| (new - old).powi(2)).sum();
            (*games, (squares / new.len().max(1) as f64).sqrt())
        };
        self.rows.windows(2).map(step).collect()
    }

    /// The values by how far they are from 0 at the end, the farthest first.
    fn by_size(&self) -> Vec<usize> {
        let last = &self.rows[self.rows.len() - 1].2;
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| last[b].abs().total_cmp(&last[a].abs()));
        order
    }
}

/// The page of a TD run with this course.
///
/// # Errors
/// [`Failure::Input`] for a course that cannot be read.
pub fn page(run: &Path, course: &str, manifest: &Manifest) -> Result<Made, Failure> {
    let file = run.join(COURSE_FILE);
    let course = Course::read(course).map_err(|reason| Failure::input(format!("{}: {reason}", file.display())))?;
    let title = format!("TD learning, {}", manifest.lexicon.name);
    let html = Page {
        title: title.clone(),
        header: header(&title, &course, manifest),
        sections: vec![errors(&course), values(&course), table(&course), repeat_of(run)],
        footer: made_by(manifest),
        script: None,
    }
    .write();
    Ok(Made { kind: "TD run".into(), title, html, is_finished: true })
}

fn header(title: &str, course: &Course, manifest: &Manifest) -> String {
    let (games, error, _) = &course.rows[course.rows.len() - 1];
    // At the beginning all values are equal, so errors are small; later they scatter by some percent.
    let least = course.rows[course.rows.len() / 2..].iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
    let verdict = if *error > 1.2 * least {
        "The error at the end is more than a fifth above its least in the second half: the run may diverge, and a smaller rate may help."
    } else {
        "The error at the end is near its least in the second half; nothing diverges."
    };
    let steps = course.steps();
    let mut figures = key_figure("games", &grouped(*games as u64), "")
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
    let errors = course.rows.iter().map(|row| (row.0, row.1)).collect();
    let chart = |caption, up, points| Chart { caption, across: "games", up, layers: vec![line(points)] }.show();
    let steps = course.steps();
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
    let order = course.by_size();
    let chart = |&number: &usize| {
        Chart { caption: course.name(number), across: "games", up: "points", layers: vec![line(course.of_value(number))] }
            .show()
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
    let last = &course.rows[course.rows.len() - 1].2;
    let middle = &course.rows[course.rows.len() / 2].2;
    let row = |number: usize| {
        let moved = last[number] - middle[number];
        vec![escape(course.name(number)), signed(last[number], 3), signed(moved, 3)]
    };
    let rows: Vec<Vec<String>> = course.by_size().into_iter().map(row).collect();
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
    fn a_course_is_read_and_its_steps_are_measured() {
        let course = Course::read("games,error,,A\n10,5.5,0,0\n20,5.25,3,-4\n").unwrap();
        assert_eq!(course.names, ["", "A"]);
        let steps = course.steps();
        assert!(steps.len() == 1 && (steps[0].1 - 12.5f64.sqrt()).abs() < 1e-12, "{steps:?}");
        assert_eq!(course.by_size(), [1, 0]);
        for wrong in ["", "games\n", "games,error,A\n", "games,error,A\n1,2\n", "games,error,A\n1,2,x\n"] {
            assert!(Course::read(wrong).is_err(), "{wrong}");
        }
    }
}
