//! The training of a network as a run, and its artefact.

use std::fmt::Write;

use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::{NETWORK_FILE, NETWORK_KIND, SETTINGS_FILE};
use tilewright_engine::features::feature_set;
use tilewright_engine::folder::Folder;
use tilewright_engine::leave::load::LEAVES_FILE;
use tilewright_engine::{LeaveData, TileSet};

use super::config::{MatchConfig, NetworkConfig, Skip};
use super::dataset;
use super::matches::MatchFigures;
use super::run::{CurvePoint, HeadFigures, NetworkOutcome, NetworkReport, NetworkRun};
use crate::candidates::{Maker, OnSets};
use crate::journal::{Journal, RunKey};
use crate::markdown::{escape, table};
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;
use crate::schema::Schema;

/// The figures of the run.
const REPORT_FILE: &str = "report.json";
/// The same as a page.
const PAGE_FILE: &str = "report.md";

impl Run for OnSets<'_, NetworkRun<'_>> {
    const KIND: &'static str = kind::NETWORK;
    const TABLES: &'static [&'static Schema] = dataset::SCHEMAS;
    type Outcome = NetworkOutcome;

    fn seed(&self) -> u64 {
        self.fit.config.seed
    }

    fn key(&self) -> RunKey {
        let key = self.fit.inputs.key(Self::KIND, self.fit.config.to_toml());
        let key = self.fit.opponent.iter().fold(key, |key, opponent| key.with_input("opponent", &opponent.identity));
        self.budget.iter().fold(key, |key, budget| key.with_input("budget", format!("{}s", budget.as_secs_f64())))
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        let NetworkRun { inputs, config, .. } = &self.fit;
        let maker = Maker::new(inputs, &config.candidates, config.seed);
        let sets = self.open(&maker, journal)?;
        maker.store(&sets, self.made)?;
        self.fit.run(journal, &sets)
    }

    /// The network, its figures, and the leave table of its features unless that is the embedded one.
    fn write(&self, outcome: &NetworkOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let NetworkRun { inputs, config, .. } = &self.fit;
        let setup = inputs.setup;
        let mut artefact = place.artefact(NETWORK_KIND, setup, feature_set("features of moves"), config.seed)?;
        artefact.measure("explained", outcome.report.network.all.explained);
        artefact.measure("explained_by_the_linear_fit", outcome.report.linear.all.explained);
        artefact.measure("signal", outcome.report.network.all.signal);
        let own_table = inputs.leaves.as_ref().filter(|_| config.leaves.is_some());
        for (name, bytes) in payloads(&outcome.network, own_table, &setup.tileset, place.folder)? {
            artefact.add(name, bytes)?;
        }
        artefact.add_encoded(REPORT_FILE, serde_json::to_string_pretty(&outcome.report).map(|text| text + "\n"))?;
        let mut pages = format!("# A network on simulated gains\n\n{}", page(config, &outcome.report));
        if let Some(endgame) = &outcome.report.endgame {
            pages += &format!("\n# The network for turns with an empty bag\n\n{}", page(config, endgame));
        }
        artefact.add(PAGE_FILE, pages)?;
        Ok(Some(artefact))
    }
}

/// The figures of the run that an artefact holds, or `None` if it is not of `network train`.
///
/// # Errors
/// [`ArtefactError`] if they cannot be read.
pub fn read_report(artefact: &Artefact) -> Result<Option<NetworkReport>, ArtefactError> {
    if artefact.manifest().kind != NETWORK_KIND || !artefact.has(REPORT_FILE) {
        return Ok(None);
    }
    let fault = |source: serde_json::Error| ArtefactError::Encoding {
        path: artefact.path(REPORT_FILE),
        source: format!("{source}; another version of the program wrote it, or it is damaged").into(),
    };
    serde_json::from_slice(&artefact.payload(REPORT_FILE)?).map(Some).map_err(fault)
}

/// The files of a network in `folder`: names and contents. `own_table` is its leave table, if not the embedded one.
///
/// # Errors
/// [`ArtefactError::Encoding`].
pub fn payloads(
    network: &NetworkWeights,
    own_table: Option<&LeaveData>,
    tileset: &TileSet,
    folder: &Folder,
) -> Result<Vec<(&'static str, Vec<u8>)>, ArtefactError> {
    let mut network = network.clone();
    network.settings.leaves = own_table.map(|_| LEAVES_FILE.into());
    let fault = |reason: String| ArtefactError::Encoding { path: folder.place(NETWORK_FILE), source: reason.into() };
    let (settings, tensors) = network.to_files().map_err(fault)?;
    let mut payloads = vec![(SETTINGS_FILE, settings.into_bytes()), (NETWORK_FILE, tensors)];
    if let Some(table) = own_table {
        payloads.extend(table.payloads(tileset, folder)?);
    }
    Ok(payloads)
}

fn page(config: &NetworkConfig, report: &NetworkReport) -> String {
    let mut text = String::from("## Held-out games\n\nThe network:\n\n");
    text += &report.network.to_markdown();
    text += match config.skip {
        Skip::Fit => "\nIts skip connection alone:\n\n",
        Skip::Prior => "\nA linear fit to the same sets, which the network does not use:\n\n",
    };
    text += &report.linear.to_markdown();
    let _ = writeln!(text, "\nIt was trained on {} candidate sets.", report.training_sets);
    if !report.heads.is_empty() {
        let head = |&HeadFigures { part, share, signal, linear, explained }: &HeadFigures| {
            let [signal, linear, explained] = [signal, linear, explained].map(|share| format!("{:.1}", 100.0 * share));
            [part.to_string(), share.to_string(), signal, linear, explained]
        };
        let names = [
            "head",
            "#share of the gradient",
            "#signal, % of the variance",
            "#explained by a linear fit, %",
            "#explained, %",
        ];
        text += &format!("\n## Auxiliary heads\n\n{}", table(&names, report.heads.iter().map(head)));
    }
    text += "\n## Epochs\n\n| epoch | error, % of that of the skip connection | explained, % | explained, % of the signal |";
    let against = |config: &MatchConfig| format!(" games won against {}, % |", escape(&config.against.to_string()));
    text += &config.matches.as_ref().map_or(String::new(), against);
    text += if config.matches.is_some() {
        "\n| ---: | ---: | ---: | ---: | ---: |\n"
    } else {
        "\n| ---: | ---: | ---: | ---: |\n"
    };
    for (number, epoch) in (1..).zip(&report.epochs) {
        let of_signal = epoch.explained_of_signal.map_or("-".into(), |share| format!("{:.1}", 100.0 * share));
        let _ = write!(text, "| {number} | {:.2} | {:.2} | {of_signal} |", 100.0 * epoch.error, 100.0 * epoch.explained);
        text += &match epoch.matched {
            Some(MatchFigures { win_rate, .. }) => {
                format!(" {:.1} ± {:.1} |\n", 100.0 * win_rate.mean, 100.0 * win_rate.half_width())
            }
            None if config.matches.is_some() => " |\n".into(),
            None => "\n".into(),
        };
    }
    if !report.learning_curve.is_empty() {
        let point = |CurvePoint { training_sets, held_out }: &CurvePoint| {
            let [points, wins] = held_out.gains();
            [training_sets.to_string(), format!("{:.2}", 100.0 * held_out.explained), points, wins]
        };
        let names = ["#training sets", "#explained, %", "#gain per turn, points", "#gain per turn, % of a win"];
        text += &format!("\n## Learning curve\n\n{}", table(&names, report.learning_curve.iter().map(point)));
    }
    if let Some(details) = &report.details {
        text += "\n";
        text += &details.to_markdown();
    }
    text
}
