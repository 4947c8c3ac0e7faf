//! The page of a network: what it explains of held-out games, how it learned, its calibration, and what its inputs are worth.

use std::path::Path;

use tilewright_engine::artefact::Manifest;
use tilewright_train::linear::report::Explained;
use tilewright_train::network::eval::Details;
use tilewright_train::network::eval::calibration::{Bin, Calibration};
use tilewright_train::network::run::NetworkReport;

use super::made::{CONFIG_FILE, Made};
use crate::flags::shell_word;
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Section, escape, grouped, key_figure, missing, signed, sortable_table, table};
use crate::report::page::{Page, made_by, page_header, repeat};

/// The page of a network with this report.
pub fn page(run: &Path, report: &NetworkReport, manifest: &Manifest) -> Made {
    let title = format!("Network for {}", manifest.lexicon.name);
    let mut sections = vec![explained(report), learning(report)];
    if let Some(details) = &report.details {
        sections.extend([sources(details), calibration(details), attributions(details)]);
    }
    let command = format!("tilewright network train {}", shell_word(&run.join(CONFIG_FILE).display().to_string()));
    sections.push(repeat(&command, "The same config gives the same network on any number of threads.", None));
    let html = Page {
        title: title.clone(),
        header: header(&title, report, manifest),
        sections,
        footer: made_by(manifest),
        script: None,
    }
    .write();
    Made { kind: "network".into(), title, html }
}

/// The share of the signal that is explained, in percent; `None` without a signal.
fn of_signal(explained: &Explained) -> Option<f64> {
    (explained.signal > 0.0).then(|| 100.0 * explained.explained / explained.signal)
}

fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{share:.1}"))
}

fn header(title: &str, report: &NetworkReport, manifest: &Manifest) -> String {
    let NetworkReport { training_sets, linear, network, .. } = report;
    let all = &network.all;
    let facts = [
        format!("{} tile set", manifest.tileset.name),
        format!("seed {}", manifest.seed),
        format!("{} candidate sets for training, {} held out", grouped(*training_sets), grouped(all.sets)),
    ];
    let lead = "What it explains is measured on games that it has not seen. It orders networks, but says little of how much a match will \
                show: only matches say which of two is stronger.";
    let linear = of_signal(&linear.all).map_or(String::new(), |share| format!("the linear fit {share:.1} %"));
    let figures = key_figure("of the signal explained", &format!("{} %", percent(of_signal(all))), &linear)
        + &key_figure("points per turn over static equity", &signed(all.gain, 2), &format!("± {:.2}", all.gain_error))
        + &key_figure(
            "percent of a win per turn",
            &signed(100.0 * all.win_gain, 2),
            &format!("± {:.2}", 100.0 * all.win_gain_error),
        );
    page_header("Network", title, &facts, lead, &figures)
}

fn explained(report: &NetworkReport) -> Section {
    let mut rows = Vec::new();
    let mut add = |name: &str, linear: &Explained, network: &Explained| {
        rows.push(vec![
            escape(name),
            grouped(network.sets),
            format!("{:.1}", 100.0 * network.signal),
            percent(of_signal(linear)),
            percent(of_signal(network)),
            format!("{} ± {:.2}", signed(network.gain, 2), network.gain_error),
            format!("{} ± {:.2}", signed(100.0 * network.win_gain, 2), 100.0 * network.win_gain_error),
        ]);
    };
    for ((name, network), (_, linear)) in report.network.stages.iter().zip(&report.linear.stages) {
        add(name, linear, network);
    }
    add("all", &report.linear.all, &report.network.all);
    if let Some(endgame) = &report.endgame {
        add("empty bag, its own network", &endgame.linear.all, &endgame.network.all);
    }
    let head = ["stage", "#sets", "#signal, %", "#linear fit, %", "#network, %", "#points per turn", "#% of a win per turn"];
    Section {
        id: "explained",
        link: "Explained",
        title: "What it explains".into(),
        lead: "Signal is the share of the variance of the labels that is no noise of the deals; linear fit and network are shares of the \
               signal. What follows ± is a standard error."
            .into(),
        body: table(&head, &rows),
    }
}

fn learning(report: &NetworkReport) -> Section {
    let epochs = |value: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
        (0..report.epochs.len()).map(|number| (number as f64 + 1.0, value(number))).collect()
    };
    let error = epochs(&|number| 100.0 * report.epochs[number].error);
    let held_out = epochs(&|number| 100.0 * report.epochs[number].explained_of_signal.unwrap_or(f64::NAN));
    let held_out: Vec<(f64, f64)> = held_out.into_iter().filter(|(_, share)| share.is_finite()).collect();
    let mut body = Chart {
        caption: "Error of the training sets by epoch",
        across: "epoch",
        up: "percent of that of the linear fit",
        layers: vec![Layer::new("", Colour::First, Mark::Line(error))],
    }
    .show();
    body += &Chart {
        caption: "Explained of the validation sets by epoch",
        across: "epoch",
        up: "percent of the signal",
        layers: vec![Layer::new("", Colour::First, Mark::Line(held_out))],
    }
    .show();
    let curve: Vec<(f64, f64)> = report
        .learning_curve
        .iter()
        .filter_map(|point| Some((point.training_sets as f64, of_signal(&point.held_out)?)))
        .collect();
    body += &if curve.is_empty() {
        missing("For a learning curve set <code>learning_curve = true</code> in the config.")
    } else {
        let layers =
            vec![Layer::new("", Colour::First, Mark::Line(curve.clone())), Layer::new("", Colour::First, Mark::Dots(curve))];
        Chart { caption: "Learning curve", across: "candidate sets", up: "percent of the signal of held-out games", layers }
            .show()
    };
    Section {
        id: "learning",
        link: "Learning",
        title: "How it learned".into(),
        lead: "An error that falls while the validation sets are explained no better is learned noise. A learning curve that still climbs \
               at its end asks for more games."
            .into(),
        body: format!("<div class=\"two\">\n{body}</div>\n"),
    }
}

fn sources(details: &Details) -> Section {
    let rows: Vec<Vec<String>> = details
        .sources
        .iter()
        .map(|source| {
            vec![
                escape(&source.part.replace('_', " ")),
                escape(&source.stage),
                format!("{:.1}", 100.0 * source.signal),
                source.correlation.map_or(String::new(), |correlation| signed(correlation, 2)),
                source.share.map_or(String::new(), |share| format!("{:.1}", 100.0 * share)),
            ]
        })
        .collect();
    let head = ["part of the future", "stage", "#signal, %", "#correlation", "#explained, %"];
    Section {
        id: "sources",
        link: "Sources",
        title: "Where it comes from".into(),
        lead: "How the correction of the network goes with the points of the opponent's reply, and with those of the player's own next turn."
            .into(),
        body: sortable_table("by-source", &head, &rows),
    }
}

fn calibration(details: &Details) -> Section {
    let drawing = |Calibration { stage, bins }: &Calibration| {
        let bins: Vec<&Bin> = bins.iter().filter(|bin| bin.candidates > 0).collect();
        let line = |value: &dyn Fn(&Bin) -> f64| bins.iter().map(|bin| (bin.predicted, value(bin))).collect::<Vec<_>>();
        let band = bins.iter().map(|bin| (bin.predicted, bin.simulated - bin.interval, bin.simulated + bin.interval));
        Chart {
            caption: &format!("Stage: {stage}"),
            across: "predicted, points",
            up: "simulated points",
            layers: vec![
                Layer::new("equal", Colour::Third, Mark::Line(line(&|bin| bin.predicted))),
                Layer::new("95 % interval", Colour::First, Mark::Band(band.collect())),
                Layer::new("simulated gain", Colour::First, Mark::Line(line(&|bin| bin.simulated))),
                Layer::new("target", Colour::Second, Mark::Line(line(&|bin| bin.target))),
            ],
        }
        .show()
    };
    let body: String = details.calibration.iter().map(drawing).collect();
    Section {
        id: "calibration",
        link: "Calibration",
        title: "Calibration".into(),
        lead: "Candidates in ten groups by their predicted gain over the mean of their set. The network learns the target, which mixes gain \
               and win probability, so it is calibrated if the target lies on the line."
            .into(),
        body: format!("<div class=\"two\">\n{body}</div>\n"),
    }
}

fn attributions(details: &Details) -> Section {
    let rows: Vec<Vec<String>> = details
        .attributions
        .iter()
        .map(|one| vec![escape(&one.input), format!("{:.3}", 100.0 * one.fall).replace('-', "−")])
        .collect();
    Section {
        id: "inputs",
        link: "Inputs",
        title: "What each input is worth".into(),
        lead: "How much less of the variance is explained, in percent, when one input is shuffled among the candidates. Inputs that say the \
               same share their worth."
            .into(),
        body: sortable_table("by-input", &["input", "#fall, %"], &rows),
    }
}
