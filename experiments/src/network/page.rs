//! The common parts of the pages of trained and evaluated networks, and the page of `network eval`.

use serde::{Deserialize, Serialize};
use tilewright_engine::Manifest;
use tilewright_train::candidates::CandidateConfig;
use tilewright_train::linear::run::{Explained, Explanation};
use tilewright_train::network::eval::calibration::{Bin, Calibration};
use tilewright_train::network::eval::{Details, NetworkEvaluation};

use crate::flags::shell_word;
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{
    Page, Section, config_details, game_facts, grouped, html, page_header, repeat, signed, sortable_table, table,
};
use crate::report::svg::{Colour, Mark, layered_chart};

/// The JSON of `network eval`. It is the same on every run and with any number of threads. Times are only printed.
#[derive(schemars::JsonSchema, Serialize, Deserialize)]
pub struct EvaluationFile {
    /// The network, as on the command line.
    pub path: String,
    /// A hash of its weights, its settings and its leave table.
    pub identity: String,
    pub tileset: String,
    pub lexicon: String,
    /// The seed of the games and of the shuffles.
    pub seed: u64,
    pub games: u64,
    /// How their candidates were labelled.
    pub labels: CandidateConfig,
    #[serde(flatten)]
    pub evaluation: NetworkEvaluation,
}

/// The page of an evaluation, with the config of the training of the network if it is known.
pub fn page(file: &EvaluationFile, config: Option<&str>) -> String {
    let EvaluationFile { path, identity, tileset, lexicon, seed, games, evaluation, .. } = file;
    let NetworkEvaluation { network, skip, details, .. } = evaluation;
    let title = format!("Network {path}");
    let command = format!(
        "tilewright network eval {} --games {games} --seed {seed} --lexicon {} --tileset {}",
        shell_word(path),
        shell_word(lexicon),
        shell_word(tileset)
    );
    let repeat = repeat(&command, "The same seed plays the same games.", None);
    let mut sections = vec![explained([skip, network])];
    sections.extend([sources(details), calibration(details), attributions(details), repeat]);
    let footer = html! {
        @if let Some(config) = config { (config_details(config)) }
        p { "The network has the hash " code { (identity) } "." }
    };
    let facts = game_facts(lexicon, tileset, *seed, [format!("{} held-out games", grouped(*games))]);
    let lead = "What it explains of games that no training has seen. Only matches say how strong it is.";
    let header = page_header("Network", &title, &facts, lead, &key_figures(&network.all, Some(&skip.all)));
    Page::new(&title, header, sections, footer).write()
}

pub fn facts_of_fit(manifest: &Manifest, training_sets: u64, held_out: &Explained) -> [String; 3] {
    [
        format!("{} tile set", manifest.tileset.name),
        format!("seed {}", manifest.seed),
        format!("{} candidate sets for training, {} held out", grouped(training_sets), grouped(held_out.sets)),
    ]
}

/// The key figures of a fit, beside the figures of the linear fit or skip connection with which it is compared.
pub fn key_figures(fit: &Explained, linear: Option<&Explained>) -> Vec<KeyFigure> {
    let linear = linear.and_then(of_signal).map_or(String::new(), |share| format!("the linear fit {share:.1} %"));
    let too_few =
        if of_signal(fit).is_some_and(|share| share > 100.0) { "more than all: too few held-out sets to tell" } else { "" };
    let linear = [linear.as_str(), too_few].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    let share = certain(of_signal(fit).map_or(f64::NAN, |percent| percent / 100.0));
    vec![
        KeyFigure::percent("of the signal explained", share, 1).note(linear),
        KeyFigure::estimate("points per turn over static equity", fit.gain, 2).signed(),
        KeyFigure::estimate("percent of a win per turn", fit.win_gain.times(100.0), 2).signed(),
    ]
}

/// The explained share of the signal, in percent, or `None` without a signal.
pub fn of_signal(explained: &Explained) -> Option<f64> {
    (explained.signal > 0.0).then(|| 100.0 * explained.explained / explained.signal)
}

pub fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{share:.1}"))
}

/// The cells of a row: a stage, the figures of a fit, and the shares of the signal that some fits explain.
pub fn explained_cells(stage: &str, fit: &Explained, shares: &[&Explained]) -> Vec<String> {
    let mut cells = vec![stage.into(), grouped(fit.sets), format!("{:.1}", 100.0 * fit.signal)];
    cells.extend(shares.iter().map(|one| percent(of_signal(one))));
    cells.extend(fit.gains().map(|gain| gain.replace('-', "−")));
    cells
}

/// The shares that linear fit (or skip connection) and network explain.
pub fn explained([linear, network]: [&Explanation; 2]) -> Section {
    let mut rows = Vec::new();
    let mut add = |name: &str, linear: &Explained, network: &Explained| {
        rows.push(explained_cells(name, network, &[linear, network]));
    };
    for ((name, network), (_, linear)) in network.stages.iter().zip(&linear.stages) {
        add(name, linear, network);
    }
    add("all", &linear.all, &network.all);
    let head = ["stage", "#sets", "#signal, %", "#linear fit, %", "#network, %", "#points per turn", "#% of a win per turn"];
    let lead = "Signal is the share of the variance of the labels that is no noise of the deals; linear fit and network are shares of the \
               signal. What follows ± is half of the 95 % interval.";
    Section::new("explained", "Explained", "What it explains", lead, table(&head, &rows))
}

/// Which part of the future the correction foresees.
pub fn sources(details: &Details) -> Section {
    let rows = details.sources.iter().map(|source| {
        vec![
            source.part.replace('_', " "),
            source.stage.clone(),
            format!("{:.1}", 100.0 * source.signal),
            source.correlation.map_or(String::new(), |correlation| signed(correlation, 2)),
            source.share.map_or(String::new(), |share| format!("{:.1}", 100.0 * share)),
        ]
    });
    let head = ["part of the future", "stage", "#signal, %", "#correlation", "#explained, %"];
    let lead = "How the correction of the network goes with the points of the opponent's reply, and with those of the player's own next turn.";
    Section::new("sources", "Sources", "Where it comes from", lead, sortable_table("by-source", &head, rows))
}

/// Predicted and simulated gains.
pub fn calibration(details: &Details) -> Section {
    let drawing = |Calibration { stage, bins }: &Calibration| {
        let bins: Vec<&Bin> = bins.iter().filter(|bin| bin.candidates > 0).collect();
        let line = |value: &dyn Fn(&Bin) -> f64| bins.iter().map(|bin| (bin.predicted, value(bin))).collect::<Vec<_>>();
        let band = bins.iter().map(|bin| (bin.predicted, bin.simulated.low, bin.simulated.high));
        let layers = [
            ("equal", Colour::Second, Mark::Line(line(&|bin| bin.predicted))),
            ("95 % interval", Colour::First, Mark::Band(band.collect())),
            ("simulated gain", Colour::First, Mark::Line(line(&|bin| bin.simulated.mean))),
            ("target", Colour::Third, Mark::Line(line(&|bin| bin.target))),
        ];
        layered_chart(&format!("Stage: {stage}"), "predicted, points", "simulated points", &layers)
    };
    let body = html! { div.two { @for one in &details.calibration { (drawing(one)) } } };
    let lead = "Candidates in ten groups by their predicted gain over the mean of their set. The network learns the target, which mixes gain \
               and win probability, so it is calibrated if the target lies on the line.";
    Section::new("calibration", "Calibration", "Calibration", lead, body)
}

pub fn attributions(details: &Details) -> Section {
    let percent = |share: f64| format!("{:.3}", 100.0 * share).replace('-', "−");
    let rows = details.attributions.iter().map(|one| [one.input.clone(), percent(one.fall)]);
    let lead = "How much less of the variance is explained, in percent, when one input is shuffled among the candidates. Inputs that say the \
               same share their worth.";
    let body = sortable_table("by-input", &["input", "#fall, %"], rows);
    Section::new("inputs", "Inputs", "What each input is worth", lead, body)
}
