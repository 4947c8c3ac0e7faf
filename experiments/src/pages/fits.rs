//! The pages of fits to candidate sets and of TD runs. A page of a fit has the explained share of held-out games. A linear
//! fit also has its weights and the strengths by group. A network has its learning, its calibration, and the worth of its
//! inputs. The page of a TD run has errors and learned values by games, and a watch for divergence.

use std::path::Path;

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::{Feature, Manifest};
use tilewright_train::journal::StoredRun;
use tilewright_train::linear::artefact::REPORT_FILE;
use tilewright_train::linear::run::{Explained, Explanation, LinearReport};
use tilewright_train::network::run::NetworkReport;
use tilewright_train::run_config::RunConfig;
use tilewright_train::td::batches::Snapshot;
use tilewright_train::td::config::TdConfig;
use tilewright_train::td::course::Course;

use super::compared::{Compared, Curve, Strength, Values};
use super::made::{Head, Made, footer_of, name_of, repeat_with_config};
use crate::features::part;
use crate::network::page::{
    attributions, calibration, explained, explained_cells, facts_of_fit, key_figures, of_signal, sources,
};
use crate::report::figures::KeyFigure;
use crate::report::html::{
    Markup, Render, Section, game_facts, grouped, html, made_by, missing, signed, sortable_table, table,
};
use crate::report::svg::{Colour, Mark, chart_of, layered_chart, line_chart};
use crate::{Failure, InFile, Input, Progress};

/// The page of a fit with this report and these weights, as their files have them.
pub fn of_linear(run: &Path, report: &str, weights: &str, manifest: &Manifest) -> Result<Made, Failure> {
    let report: LinearReport = serde_json::from_str(report).in_file(&run.join(REPORT_FILE))?;
    let weights: Weights = toml::from_str(weights).in_file(&run.join(WEIGHTS_FILE))?;
    let title = format!("Linear fit for {}", manifest.lexicon.name);
    let repeat = repeat_with_config("linear fit", run, "weights", None);
    let sections = vec![explained_by_stage(&report), weights_of(&weights), strengths(&report), repeat];
    let by_feature = weights.weights.iter().map(|(feature, weight)| (feature.about().name.to_string(), *weight));
    let by_feature = Values { title: "Weights, points per unit", decimals: 3, rows: by_feature.collect() };
    let LinearReport { training_sets, correction, held_out, .. } = &report;
    let lead = format!(
        "Moves differ by {correction:.1} points (standard deviation) beyond score and leave, without the noise of the labels. What the fit \
         explains of that is measured on games that it has not seen; only matches say what it is worth."
    );
    let (facts, figures) = (facts_of_fit(manifest, *training_sets, &held_out.all), key_figures(&held_out.all, None));
    let head = Head { kind: "linear fit".into(), title, facts: facts.into(), lead, figures };
    let compared = compared(manifest, held_out, [by_feature]);
    Ok(Made { compared, ..Made::new(head, sections, made_by(manifest)) })
}

/// A fit by its points per turn on held-out games, with labels of its config.
fn compared(manifest: &Manifest, held_out: &Explanation, more: impl IntoIterator<Item = Values>) -> Compared {
    let config: toml::Table = toml::from_str(&manifest.config).unwrap_or_default();
    let key = |name: &str| config.get(name).map_or(String::new(), ToString::to_string);
    let strength = Strength {
        figure: 1,
        yardstick: format!("{} {} {} {}", manifest.lexicon, manifest.tileset, key("candidates"), key("target")),
        deals: format!("one in {} of the {} games of seed {}", key("held_out"), key("games"), manifest.seed),
        caveat: " Only matches say which is stronger.",
        ..Strength::default()
    };
    let share = |(stage, one): (&str, &Explained)| Some((stage.to_string(), of_signal(one)?));
    let (title, rows) = ("Explained of the signal of held-out games by stage, percent", held_out.rows().filter_map(share));
    let shares = Values { title, decimals: 1, rows: rows.collect() };
    Compared { strength: Some(strength), values: [shares].into_iter().chain(more).collect(), ..Compared::default() }
}

fn explained_by_stage(report: &LinearReport) -> Section {
    let rows = report.held_out.rows().map(|(name, one)| explained_cells(name, one, &[one])).collect::<Vec<_>>();
    let stages: Vec<(f64, f64)> = (1..)
        .zip(&report.held_out.stages)
        .filter_map(|(number, (_, one))| Some((f64::from(number), of_signal(one)?)))
        .collect();
    let names: Vec<&str> = report.held_out.stages.iter().map(|(name, _)| name.as_str()).collect();
    let across = format!("stage: {}", names.join(", "));
    let chart = chart_of("Explained by stage of the game", &across, "percent of the signal", Mark::Bars(stages, 0.6));
    let head = ["stage", "#sets", "#signal, %", "#explained, %", "#points per turn", "#% of a win per turn"];
    let lead = "Signal is the share of the variance of the labels that is no noise of the deals; explained is a share of the signal. What \
               follows ± is half of the 95 % interval.";
    Section::new("explained", "Explained", "What it explains", lead, html! { (table(&head, &rows)) (chart) })
}

fn weights_of(weights: &Weights) -> Section {
    let row = |(&feature, weight): (&Feature, &f64)| {
        let about = feature.about();
        [
            about.name.render(),
            part(feature).render(),
            signed(*weight, 3).render(),
            about.unit.render(),
            html! { span.meaning { (about.meaning) } },
        ]
    };
    let lead =
        "In points for each unit of the feature. Score, leave and what corrects the leave begin at 1, all others at 0.";
    let body =
        sortable_table("by-feature", &["feature", "of the", "#weight", "unit", "meaning"], weights.weights.iter().map(row));
    Section::new("weights", "Weights", "Weights", lead, body)
}

fn strengths(report: &LinearReport) -> Section {
    let rows = report.strengths.iter().map(|(group, strength)| [group.clone(), format!("{strength:.3}")]);
    let lead = "The standard deviation, in points for a feature of its usual size, that the fit expects of the weights of a group. The \
               validation games chose it; a small one says that the group explains little.";
    let body = table(&["group of features", "#points"], rows);
    Section::new("strengths", "Strengths", "How far weights may go", lead, body)
}

pub fn of_network(run: &Path, report: &NetworkReport, manifest: &Manifest) -> Made {
    let title = format!("Network for {}", manifest.lexicon.name);
    let mut sections = vec![explained([&report.linear, &report.network]), learning(report)];
    if let Some(details) = &report.details {
        sections.extend([sources(details), calibration(details), attributions(details)]);
    }
    sections.push(repeat_with_config("network train", run, "network", None));
    let curve = |caption, up, points| Curve { caption, across: "epoch", up, points };
    let [error, held_out] = epochs(report);
    let curves = vec![
        curve("Error of the training sets", "percent of that of the linear fit", error),
        curve("Explained of the validation sets", "percent of the signal", held_out),
    ];
    let compared = Compared { curves, ..compared(manifest, &report.network, []) };
    let NetworkReport { training_sets, linear, network, .. } = report;
    let facts = facts_of_fit(manifest, *training_sets, &network.all);
    let lead = "What it explains is measured on games that it has not seen. It orders networks, but says little of how much a match will \
                show: only matches say which of two is stronger.";
    let figures = key_figures(&network.all, Some(&linear.all));
    let head = Head { kind: "network".into(), title, facts: facts.into(), lead: lead.into(), figures };
    Made { compared, ..Made::new(head, sections, made_by(manifest)) }
}

/// By epoch, in percent: the error of the training sets, and the explained share of the validation sets.
fn epochs(report: &NetworkReport) -> [Vec<(f64, f64)>; 2] {
    let epochs = || (1..).map(f64::from).zip(&report.epochs);
    let held_out = epochs().filter_map(|(number, epoch)| Some((number, 100.0 * epoch.explained_of_signal?)));
    let error = epochs().map(|(number, epoch)| (number, 100.0 * epoch.error));
    [error.collect(), held_out.filter(|(_, share)| share.is_finite()).collect()]
}

fn learning(report: &NetworkReport) -> Section {
    let [error, held_out] = epochs(report);
    let curve = report.learning_curve.iter();
    let curve = curve.filter_map(|point| Some((point.training_sets as f64, of_signal(&point.held_out)?)));
    let curve: Vec<(f64, f64)> = curve.collect();
    let curve = if curve.is_empty() {
        missing(html! { "For a learning curve set " code { "learning_curve = true" } " in the config." })
    } else {
        let layers = [("", Colour::First, Mark::Line(curve.clone())), ("", Colour::First, Mark::Dots(curve))];
        layered_chart("Learning curve", "candidate sets", "percent of the signal of held-out games", &layers)
    };
    let lead = "An error that falls while the validation sets are explained no better is learned noise. A learning curve that still climbs \
               at its end asks for more games.";
    let body = html! { div.two {
        (line_chart("Error of the training sets by epoch", "epoch", "percent of that of the linear fit", error))
        (line_chart("Explained of the validation sets by epoch", "epoch", "percent of the signal", held_out))
        (curve)
    } };
    Section::new("learning", "Learning", "How it learned", lead, body)
}

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

pub fn of_td(run: &Path, course: &Course, manifest: &Manifest) -> Made {
    let facts = game_facts(&manifest.lexicon.name, &manifest.tileset.name, manifest.seed, []);
    td_made(run, course, facts, made_by(manifest))
}

/// The page of a TD run that goes on or was stopped. `None` if the run is no TD run, or has no finished batch.
pub fn of_unfinished_td(run: &Path, stored: &StoredRun, progress: &Progress) -> Result<Option<Made>, Failure> {
    let Ok(config) = TdConfig::from_toml(&stored.key.config, "") else { return Ok(None) };
    let facts = vec![format!("{} games are asked for", grouped(config.games)), format!("seed {}", config.seed)];
    let course = Course::so_far(stored, &config, progress).input()?;
    let made = course.map(|course| td_made(run, &course, facts, footer_of(None, &stored.key)));
    Ok(made.map(|made| Made { is_finished: false, ..made }))
}

fn td_made(run: &Path, course: &Course, facts: Vec<String>, footer: Markup) -> Made {
    let sections = vec![errors(course), values(course), value_table(course), repeat_with_config("td", run, "values", None)];
    let largest = by_size(course).into_iter().map(|number| (name(course, number).to_string(), last(course)[number]));
    let values = vec![Values { title: "Largest values, points", decimals: 3, rows: largest.collect() }];
    let (caption, up) = ("TD error of a batch", "points, root mean square");
    let curves = vec![Curve { caption, across: "games", up, points: error_by_games(course) }];
    let compared = Compared { values, curves, ..Compared::default() };
    Made { compared, ..Made::new(td_head(name_of(run), course, facts), sections, footer) }
}

fn error_by_games(course: &Course) -> Vec<(f64, f64)> {
    course.snapshots.iter().map(|snapshot| (snapshot.games as f64, snapshot.error)).collect()
}

fn td_head(title: String, course: &Course, facts: Vec<String>) -> Head {
    let snapshots = &course.snapshots;
    let (games, error) = snapshots.last().map_or((0, 0.0), |last| (last.games, last.error));
    // At the beginning all values are equal, so errors are small. Later they scatter by some percent.
    let least = snapshots[snapshots.len() / 2..].iter().map(|snapshot| snapshot.error).fold(f64::INFINITY, f64::min);
    let lead = if error > 1.2 * least {
        "The error at the end is more than a fifth above its least in the second half: the run may diverge, and a smaller rate may help."
    } else {
        "The error at the end is near its least in the second half; nothing diverges."
    };
    let steps = steps(course);
    let least = format!("least of the second half {least:.1}");
    let mut figures = vec![KeyFigure::number("TD error of the last batch, points", error, 1).note(least)];
    figures.push(KeyFigure::count("games", games));
    figures.extend(
        steps
            .last()
            .map(|(_, step)| KeyFigure::number("last step of the values, points", *step, 3).note("root mean square")),
    );
    Head { kind: "TD run".into(), title, facts, lead: lead.into(), figures }
}

fn errors(course: &Course) -> Section {
    let errors = error_by_games(course);
    let chart = |caption, up, points| line_chart(caption, "games", up, points);
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
    let chart = |&number: &usize| line_chart(name(course, number), "games", "points", of_weight(course, number));
    let body = html! { div.two { @for number in order.iter().take(DRAWN) { (chart(number)) } } };
    let lead = format!("The {} largest at the end.", DRAWN.min(order.len()));
    Section::new("values", "Values", "Values by games", lead, body)
}

fn value_table(course: &Course) -> Section {
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
