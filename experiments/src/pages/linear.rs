//! The page of a linear fit: what it explains of held-out games, its weights, and how strongly each group was held back.

use std::path::Path;

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::{Feature, Manifest};
use tilewright_train::linear::artefact::REPORT_FILE;
use tilewright_train::linear::report::LinearReport;

use super::made::{Made, repeat_with_config};
use crate::Failure;
use crate::features::part;
use crate::network::page::{explained_cells, facts_of_fit, key_figures, of_signal};
use crate::report::chart::{Chart, Mark};
use crate::report::html::{Markup, Render, Section, html, signed, sortable_table, table};
use crate::report::page::{Page, made_by, page_header};

/// The page of a fit with this report and these weights, as their files have them.
pub fn page(run: &Path, report: &str, weights: &str, manifest: &Manifest) -> Result<Made, Failure> {
    let fault = |name: &str, error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", run.join(name).display()));
    let report: LinearReport = serde_json::from_str(report).map_err(|error| fault(REPORT_FILE, &error))?;
    let weights: Weights = toml::from_str(weights).map_err(|error| fault(WEIGHTS_FILE, &error))?;
    let title = format!("Linear fit for {}", manifest.lexicon.name);
    let repeat = repeat_with_config("linear fit", run, "weights", None);
    let sections = vec![explained(&report), weights_of(&weights), strengths(&report), repeat];
    let page = Page::new(&title, header(&title, &report, manifest), sections, made_by(manifest));
    Ok(Made::new("linear fit", page, true))
}

fn header(title: &str, report: &LinearReport, manifest: &Manifest) -> Markup {
    let LinearReport { training_sets, correction, held_out, .. } = report;
    let all = &held_out.all;
    let facts = facts_of_fit(manifest, *training_sets, all);
    let lead = format!(
        "Moves differ by {correction:.1} points (standard deviation) beyond score and leave, without the noise of the labels. What the fit \
         explains of that is measured on games that it has not seen; only matches say what it is worth."
    );
    page_header("Linear fit", title, &facts, lead, key_figures(all, None))
}

fn explained(report: &LinearReport) -> Section {
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
