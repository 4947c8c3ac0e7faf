//! The pages of fits to candidate sets. Both show what the fit explains of held-out games; that of a linear fit also its weights and how
//! strongly each group was held back, that of a network how it learned, its calibration, and what its inputs are worth.

use std::path::Path;

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::{Feature, Manifest};
use tilewright_train::linear::artefact::REPORT_FILE;
use tilewright_train::linear::report::LinearReport;
use tilewright_train::network::run::NetworkReport;

use super::made::{Made, repeat_with_config};
use crate::Failure;
use crate::features::part;
use crate::network::page::{
    attributions, calibration, explained, explained_cells, facts_of_fit, key_figures, of_signal, sources,
};
use crate::report::html::{
    Markup, Page, Render, Section, html, made_by, missing, page_header, signed, sortable_table, table,
};
use crate::report::svg::{Chart, Colour, Layer, Mark};

/// The page of a fit with this report and these weights, as their files have them.
pub fn of_linear(run: &Path, report: &str, weights: &str, manifest: &Manifest) -> Result<Made, Failure> {
    let fault = |name: &str, error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", run.join(name).display()));
    let report: LinearReport = serde_json::from_str(report).map_err(|error| fault(REPORT_FILE, &error))?;
    let weights: Weights = toml::from_str(weights).map_err(|error| fault(WEIGHTS_FILE, &error))?;
    let title = format!("Linear fit for {}", manifest.lexicon.name);
    let repeat = repeat_with_config("linear fit", run, "weights", None);
    let sections = vec![explained_by_stage(&report), weights_of(&weights), strengths(&report), repeat];
    let page = Page::new(&title, linear_header(&title, &report, manifest), sections, made_by(manifest));
    Ok(Made::new("linear fit", page, true))
}

fn linear_header(title: &str, report: &LinearReport, manifest: &Manifest) -> Markup {
    let LinearReport { training_sets, correction, held_out, .. } = report;
    let all = &held_out.all;
    let facts = facts_of_fit(manifest, *training_sets, all);
    let lead = format!(
        "Moves differ by {correction:.1} points (standard deviation) beyond score and leave, without the noise of the labels. What the fit \
         explains of that is measured on games that it has not seen; only matches say what it is worth."
    );
    page_header("Linear fit", title, &facts, lead, key_figures(all, None))
}

fn explained_by_stage(report: &LinearReport) -> Section {
    let rows = report.held_out.rows().map(|(name, one)| explained_cells(name, one, &[one])).collect::<Vec<_>>();
    let stages: Vec<(f64, f64)> = (1..)
        .zip(&report.held_out.stages)
        .filter_map(|(number, (_, one))| Some((f64::from(number), of_signal(one)?)))
        .collect();
    let names: Vec<&str> = report.held_out.stages.iter().map(|(name, _)| name.as_str()).collect();
    let across = format!("stage: {}", names.join(", "));
    let chart = Chart::of("Explained by stage of the game", &across, "percent of the signal", Mark::Bars(stages, 0.6));
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
    let endgame = report.endgame.as_ref().map(|endgame| [&endgame.linear, &endgame.network]);
    let mut sections = vec![explained([&report.linear, &report.network], endgame), learning(report)];
    if let Some(details) = &report.details {
        sections.extend([sources(details), calibration(details), attributions(details)]);
    }
    sections.push(repeat_with_config("network train", run, "network", None));
    Made::new("network", Page::new(&title, network_header(&title, report, manifest), sections, made_by(manifest)), true)
}

fn network_header(title: &str, report: &NetworkReport, manifest: &Manifest) -> Markup {
    let NetworkReport { training_sets, linear, network, .. } = report;
    let facts = facts_of_fit(manifest, *training_sets, &network.all);
    let lead = "What it explains is measured on games that it has not seen. It orders networks, but says little of how much a match will \
                show: only matches say which of two is stronger.";
    page_header("Network", title, &facts, lead, key_figures(&network.all, Some(&linear.all)))
}

fn learning(report: &NetworkReport) -> Section {
    let epochs = |value: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
        (0..report.epochs.len()).map(|number| (number as f64 + 1.0, value(number))).collect()
    };
    let error = epochs(&|number| 100.0 * report.epochs[number].error);
    let held_out = epochs(&|number| 100.0 * report.epochs[number].explained_of_signal.unwrap_or(f64::NAN));
    let held_out: Vec<(f64, f64)> = held_out.into_iter().filter(|(_, share)| share.is_finite()).collect();
    let curve = report.learning_curve.iter();
    let curve = curve.filter_map(|point| Some((point.training_sets as f64, of_signal(&point.held_out)?)));
    let curve: Vec<(f64, f64)> = curve.collect();
    let curve = if curve.is_empty() {
        missing(html! { "For a learning curve set " code { "learning_curve = true" } " in the config." })
    } else {
        let layers =
            vec![Layer::new("", Colour::First, Mark::Line(curve.clone())), Layer::new("", Colour::First, Mark::Dots(curve))];
        Chart { caption: "Learning curve", across: "candidate sets", up: "percent of the signal of held-out games", layers }
            .show()
    };
    let lead = "An error that falls while the validation sets are explained no better is learned noise. A learning curve that still climbs \
               at its end asks for more games.";
    let body = html! { div.two {
        (Chart::of_line("Error of the training sets by epoch", "epoch", "percent of that of the linear fit", error))
        (Chart::of_line("Explained of the validation sets by epoch", "epoch", "percent of the signal", held_out))
        (curve)
    } };
    Section::new("learning", "Learning", "How it learned", lead, body)
}
