//! The page of a network: what it explains of held-out games, how it learned, its calibration, and what its inputs are worth.

use std::path::Path;

use tilewright_engine::Manifest;
use tilewright_train::network::run::NetworkReport;

use super::made::{Made, repeat_with_config};
use crate::network::page::{attributions, calibration, explained, facts_of_fit, key_figures, of_signal, sources};
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Markup, Section, html, missing};
use crate::report::page::{Page, made_by, page_header};

pub fn page(run: &Path, report: &NetworkReport, manifest: &Manifest) -> Made {
    let title = format!("Network for {}", manifest.lexicon.name);
    let endgame = report.endgame.as_ref().map(|endgame| [&endgame.linear, &endgame.network]);
    let mut sections = vec![explained([&report.linear, &report.network], endgame), learning(report)];
    if let Some(details) = &report.details {
        sections.extend([sources(details), calibration(details), attributions(details)]);
    }
    sections.push(repeat_with_config("network train", run, "network", None));
    Made::new("network", Page::new(&title, header(&title, report, manifest), sections, made_by(manifest)), true)
}

fn header(title: &str, report: &NetworkReport, manifest: &Manifest) -> Markup {
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
