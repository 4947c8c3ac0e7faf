//! `linear`: weights of features by least squares.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use tilewright_engine::{Base, Feature, Setup};
use tilewright_train::candidates::{CandidateConfig, OnSets};
use tilewright_train::linear::config::LinearFitConfig;
use tilewright_train::linear::run::{LinearFit, LinearReport};

use crate::fitting::{ExplanationTable, FitRequest, Loaded, RunJson, largest_weights, opponent, place};
use crate::flags::{PlayFlags, RunFlags, TableFlags};
use crate::runs::{Context, Finished, RunRequest, Told};
use crate::{Failure, Progress, loading};

#[derive(Debug, Subcommand)]
pub enum LinearVerb {
    /// Fit feature weights by least squares to the simulated gains of candidate moves
    Fit(LinearFitArguments),
}

#[derive(Debug, Args)]
pub struct LinearFitArguments {
    /// Config of the run: a TOML file as in configs/linear-fit [default: configs/linear-fit/default.toml, built in]
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub fit: FitFlags,
}

/// The common flags of fits to candidate sets.
#[derive(Debug, Args)]
pub struct FitFlags {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// The tables of players without a path that make the labels. --leaves is also for the features.
    #[command(flatten)]
    pub tables: TableFlags,
    /// Games whose positions are labelled [default: of the config]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    #[command(flatten)]
    pub sets: SharedSets,
    #[command(flatten)]
    pub run: RunFlags,
}

/// The candidate sets that runs share. A job has none: it writes into its folder alone.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedSets {
    /// Folder of candidate sets that runs share: sets that are there are used, missing ones are added [default: candidates in the
    /// folder of the run]
    #[arg(long = "cache", value_name = "DIR")]
    #[serde(skip)]
    pub folder: Option<PathBuf>,
}

impl FitFlags {
    /// The flags of the game, with the tables of players that name none.
    pub fn play_flags(&self) -> PlayFlags {
        self.flags.with_tables(&self.tables)
    }

    /// Overrides the leave table and the labels of a config.
    pub fn apply(&self, leaves: &mut Option<PathBuf>, games: &mut u64, candidates: &mut CandidateConfig) {
        *games = self.games.unwrap_or(*games);
        *leaves = self.tables.leaves.clone().or(leaves.take());
        let CandidateConfig { player, policy, .. } = candidates;
        self.tables.name_in([player].into_iter().chain(policy));
    }
}

pub type LinearRequest = FitRequest<LinearFitConfig, SharedSets>;

pub fn request(LinearFitArguments { config, fit }: &LinearFitArguments) -> Result<LinearRequest, Failure> {
    let (flags, sets) = (fit.play_flags(), fit.sets.clone());
    FitRequest::of_file_or("default", config.as_deref(), &flags, sets, |config: &mut LinearFitConfig| {
        fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
    })
}

impl RunRequest for LinearRequest {
    type Loaded = Loaded;
    type Run<'a> = OnSets<'a, LinearFit<'a>>;
    const DOING: &'static str = "fitting";

    fn load(&mut self, setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<Loaded, Failure> {
        let (game, config) = (&self.flags.common.game, &self.config);
        let leaves = loading::needed_leaves(config.needs_leaves(), config.leaves.as_deref(), setup, game)?;
        Loaded::new(Arc::clone(setup), game, &config.candidates, leaves)
    }

    fn run<'a>(&'a self, _setup: &'a Setup, loaded: &'a Loaded) -> Result<Self::Run<'a>, Failure> {
        let fit = LinearFit { inputs: loaded.inputs()?, config: &self.config };
        Ok(OnSets { fit, folder: self.more.folder.as_deref(), made: &[], budget: None })
    }

    fn name(&self, setup: &Setup) -> String {
        let LinearFitConfig { games, seed, .. } = self.config;
        format!("linear-{}-{}-{games}-games-{seed}", self.stem, setup.lexicon.name)
    }

    fn finish(&self, finished: Finished<'_, Self::Run<'_>>, _loaded: &Loaded) -> Result<Told, Failure> {
        let Finished { outcome, json: run, file, .. } = finished;
        let (report, weights) = (&outcome.report, &outcome.weights.weights);
        let largest = largest_weights(weights.iter().map(|(feature, weight)| (*feature, *weight)));
        let summary = format!("explained on held-out games:\n{}\n{largest}", ExplanationTable(&report.held_out));
        let written = file.write_json(&FittedWeights { run, games: self.config.games, report, weights });
        Ok(Told { summary, times: None, written })
    }

    fn next(&self, out: &Path, setup: &Setup, _loaded: &Loaded) -> String {
        let against = opponent(self.config.leaves.as_ref(), setup);
        place("The weights are", out, Base::Linear(out.into()), against, &self.flags.common.game)
    }
}

/// The result of `linear fit`: the weights, and the share that they explain.
#[derive(schemars::JsonSchema, Serialize)]
pub struct FittedWeights<'a> {
    #[serde(flatten)]
    run: RunJson,
    games: u64,
    #[serde(flatten)]
    report: &'a LinearReport,
    /// In points per unit.
    #[schemars(with = "BTreeMap<String, f64>")]
    weights: &'a BTreeMap<Feature, f64>,
}
