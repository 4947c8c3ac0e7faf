//! The result of TD learning as text and JSON.

use std::fmt;

use serde::Serialize;
use tilewright_engine::artefact::Loader;
use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::{Equity, Feature, LeaveData, LeaveTable, Rack, Setup};
use tilewright_train::td::batches::Snapshot;
use tilewright_train::td::config::TdConfig;
use tilewright_train::td::network::NetworkOutcome;
use tilewright_train::td::run::TdOutcome;

use crate::fitting::FeatureWeight;
use crate::run_config::RunJson;

#[derive(Serialize)]
pub struct TdResult {
    #[serde(flatten)]
    run: RunJson,
    /// The kind of the player that plays by the result: `linear`, `leave` or `network`.
    pub kind: &'static str,
    tiles: Vec<LearnedTile>,
    weights: Vec<FeatureWeight>,
    #[serde(flatten)]
    last: Option<LastBatch>,
}

/// The value of a tile as a leave, in points.
#[derive(Serialize)]
struct LearnedTile {
    tile: String,
    value: f64,
    /// What a second one adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<f64>,
    /// The value in the embedded table, if that fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<f64>,
}

/// The end of the run.
#[derive(Serialize)]
struct LastBatch {
    /// Games of the whole run.
    games: u64,
    /// Root mean square of the TD errors of the last batch, in points.
    td_error: f64,
}

fn last_batch(snapshots: &[Snapshot]) -> Option<LastBatch> {
    snapshots.last().map(|last| LastBatch { games: last.games, td_error: last.error })
}

impl TdResult {
    /// Learned terms: the value of each single tile and the weight of each feature.
    pub fn from_terms(run: RunJson, setup: &Setup, config: &TdConfig, outcome: &TdOutcome) -> TdResult {
        let last = outcome.snapshots.last();
        let weights = last.map(|last| outcome.terms.linear_weights(&last.weights).weights).unwrap_or_default();
        let weight = |&feature: &Feature| FeatureWeight {
            feature,
            start: None,
            weight: weights.get(&feature).copied().unwrap_or_default(),
        };
        TdResult {
            run,
            kind: if outcome.terms.has_features() { "linear" } else { "leave" },
            tiles: if config.patterns { learned_tiles(setup, &outcome.table) } else { Vec::new() },
            weights: config.features.keys().map(weight).collect(),
            last: last_batch(&outcome.snapshots),
        }
    }

    /// A trained network: the skip weight of each feature, and what it was at the start.
    pub fn from_network(run: RunJson, outcome: &NetworkOutcome) -> TdResult {
        let skip = outcome.start.skip.iter().zip(&outcome.network.skip);
        let by_feature = outcome.network.settings.features.iter().zip(skip);
        let weights = by_feature.filter(|(feature, _)| varies_by_move(**feature)).map(FeatureWeight::of_skip);
        TdResult {
            run,
            kind: "network",
            tiles: Vec::new(),
            weights: weights.collect(),
            last: last_batch(&outcome.snapshots),
        }
    }
}

/// The value of each tile as a leave, what a second one adds, and the value in the embedded table, if that fits.
fn learned_tiles(setup: &Setup, learned: &LeaveTable) -> Vec<LearnedTile> {
    let known = LeaveData::embedded(Loader::new(setup)).ok().map(|data| data.table);
    let value = |table: &LeaveTable, kinds: &[u8]| table.get(&Rack::from_kinds(kinds)).map_or(f64::NAN, Equity::points);
    let tiles = (0u8..).zip(setup.tileset.kinds()).map(|(kind, about)| {
        let alone = value(learned, &[kind]);
        LearnedTile {
            tile: about.label.clone(),
            value: alone,
            second: (about.count > 1).then(|| value(learned, &[kind, kind]) - alone),
            embedded: known.as_ref().map(|known| value(known, &[kind])),
        }
    });
    tiles.collect()
}

impl fmt::Display for TdResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        if let Some(first) = self.tiles.first() {
            let embedded = first.embedded.map_or("", |_| "   embedded");
            lines.push(format!("{:6} {:>8} {:>8}{embedded}", "tile", "learned", "2nd tile"));
        }
        for LearnedTile { tile, value, second, embedded } in &self.tiles {
            let second = second.map_or(" ".repeat(8), |second| format!("{second:+8.2}"));
            let embedded = embedded.map_or(String::new(), |embedded| format!("   {embedded:+8.2}"));
            lines.push(format!("{tile:6} {value:+8.2} {second}{embedded}"));
        }
        if self.weights.iter().any(|weight| weight.start.is_some()) {
            lines.push(format!("{:26} {:>9} {:>9}", "skip weight", "start", "learned"));
        }
        for FeatureWeight { feature, start, weight } in &self.weights {
            let start = start.map_or(String::new(), |start| format!("{start:+9.3} "));
            let (name, unit) = (feature.about().name, feature.about().unit);
            lines.push(format!("{name:26} {start}{weight:+9.3}  points per unit ({unit})"));
        }
        if let Some(LastBatch { games, td_error }) = &self.last {
            lines.push(format!("{games} games; root mean square of the TD errors of the last batch: {td_error:.1} points"));
        }
        f.write_str(&lines.join("\n"))
    }
}
