//! `td`: learns leave values, feature weights or a network by TD learning.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use tilewright_engine::artefact::Loader;
use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::{Base, Equity, Feature, LeaveData, LeaveTable, Rack, Setup};
use tilewright_train::parquet_file::TableError;
use tilewright_train::records::RecordFiles;
use tilewright_train::td::artefact::{Learned, Learning, TdRun};
use tilewright_train::td::batches::Snapshot;
use tilewright_train::td::config::TdConfig;
use tilewright_train::td::network::{NetworkLearning, NetworkOutcome, Start};
use tilewright_train::td::run::{TdOutcome, TermLearning};

use crate::fitting::{FeatureWeight, FitRequest, RunJson, largest_weights, opponent, place};
use crate::flags::{PlayFlags, RunFlags};
use crate::runs::{Context, Finished, RunRequest, Told};
use crate::{Failure, Number, Progress, loading};

#[derive(Debug, Args)]
pub struct TdArguments {
    /// Config of the run: a TOML file, or one in the program, such as greedy or network (config list)
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Games to learn from [default: of the config]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    #[command(flatten)]
    pub run: RunFlags,
}

pub type TdRequest = FitRequest<TdConfig>;

pub fn request(arguments: &TdArguments) -> Result<TdRequest, Failure> {
    FitRequest::of_file(&arguments.config, &arguments.flags, (), |config: &mut TdConfig| {
        config.games = arguments.games.unwrap_or(config.games);
        config.batch_games = config.batch_games.min(config.games);
    })
}

impl RunRequest for TdRequest {
    type Loaded = Option<RecordFiles>;
    type Run<'a> = TdRun<'a>;
    const DOING: &'static str = "learning";

    fn load(&mut self, setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<Self::Loaded, Failure> {
        let loader = self.flags.common.game.loader(setup);
        let open = |path: &Path| RecordFiles::open(path, loader).map_err(|error| unusable(&error.into()));
        self.config.records.as_deref().map(open).transpose()
    }

    fn run<'a>(&'a self, setup: &'a Setup, records: &'a Self::Loaded) -> Result<TdRun<'a>, Failure> {
        let (game, config) = (&self.flags.common.game, &self.config);
        let Some(network) = &config.network else {
            let terms = TermLearning::new(records.as_ref()).map_err(|error| unusable(&error))?;
            return Ok(TdRun { setup, config, learning: Learning::Terms(terms) });
        };
        let start = if let Some(shape) = &network.shape {
            Start::Nothing(shape, loading::needed_leaves(shape.needs_leaves(), shape.leaves.as_deref(), setup, game)?)
        } else {
            let start = network.start.clone().unwrap_or(Base::Network(None).into());
            Start::Network(Box::new(loading::network("network.start", &start, setup, game)?))
        };
        Ok(TdRun { setup, config, learning: Learning::Network(NetworkLearning { network, start }) })
    }

    fn name(&self, setup: &Setup) -> String {
        let TdConfig { games, seed, .. } = self.config;
        format!("td-{}-{}-{games}-games-{seed}", self.stem, setup.lexicon.name)
    }

    fn finish(&self, finished: Finished<'_, TdRun<'_>>, _records: &Self::Loaded) -> Result<Told, Failure> {
        let Finished { run, outcome, json, file, .. } = finished;
        let result = match &outcome {
            Learned::Terms(outcome) => TdResult::from_terms(json, run.setup, &self.config, outcome),
            Learned::Network(outcome) => TdResult::from_network(json, outcome),
        };
        Ok(Told { summary: result.to_string(), times: None, written: file.write_json(&result) })
    }

    fn next(&self, out: &Path, setup: &Setup, _records: &Self::Loaded) -> String {
        let (what, player) = match &self.config {
            config if config.network.is_some() => ("The network is", Base::Network(Some(out.into()))),
            config if config.features.is_empty() => ("The table is", Base::leave(Some(out.into()))),
            _ => ("The weights are", Base::Linear(out.into())),
        };
        place(what, out, player, opponent(None, setup), &self.flags.common.game)
    }
}

fn unusable(error: &TableError) -> Failure {
    Failure::input(format!("records {error}"))
}

#[derive(schemars::JsonSchema, Serialize)]
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
#[derive(schemars::JsonSchema, Serialize)]
struct LearnedTile {
    tile: String,
    value: f64,
    /// The value that a second one adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<f64>,
    /// The value in the embedded table, if that fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<f64>,
}

/// The end of the run.
#[derive(schemars::JsonSchema, Serialize)]
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

    /// A trained network: the skip weight of each feature, now and at the start.
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

/// The value of each tile as a leave, the value that a second one adds, and the value in the embedded table, if that fits.
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
        if !self.tiles.is_empty() {
            let tile = |learned: &LearnedTile| {
                let LearnedTile { tile, value, embedded, .. } = learned;
                let embedded = embedded.map_or(String::new(), |embedded| format!(" ({:+.1})", Number(embedded)));
                format!("{tile} {:+.1}{embedded}", Number(*value))
            };
            let compared = self.tiles[0].embedded.map_or("", |_| " (with the embedded table's)");
            let tiles: Vec<String> = self.tiles.iter().map(tile).collect();
            lines.push(format!("learned values of tiles{compared}, in points: {}", tiles.join(", ")));
        }
        if !self.weights.is_empty() {
            lines.push(largest_weights(self.weights.iter().map(|weight| (weight.feature, weight.weight))));
        }
        if let Some(LastBatch { games, td_error }) = &self.last {
            lines.push(format!("{games} games; root mean square of the TD errors of the last batch: {td_error:.1} points"));
        }
        f.write_str(&lines.join("\n"))
    }
}
