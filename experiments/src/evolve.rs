//! `evolve`: evolves the weights of features or of a network in matches against a baseline.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use tilewright_engine::evaluator::network::load::{LoadedNetwork, NETWORK_FILE};
use tilewright_engine::features::Features;
use tilewright_engine::{Base, LeaveData, Player, PlayerSpec, Setup};
use tilewright_train::evolve::artefact::CANDIDATE_FILE;
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::Evolution;
use tilewright_train::evolve::space::{Evolved, Space, features_of};
use tilewright_train::run_config::RunConfig;

use crate::fitting::print_place;
use crate::flags::{PlayFlags, RunFlags, TableFlags, shell_word};
use crate::run_config::FitRequest;
use crate::runs::{Context, Finished, RunRequest};
use crate::{Failure, Input, Progress, loading, output, say};

mod result;

use result::EvolveResult;

#[derive(Debug, Args)]
pub struct EvolveArguments {
    /// Config of the run: a TOML file as in configs/evolve
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    #[command(flatten)]
    pub flags: PlayFlags,
    #[command(flatten)]
    pub tables: TableFlags,
    #[command(flatten)]
    pub run: RunFlags,
}

pub type EvolveRequest = FitRequest<EvolveConfig>;

pub struct LoadedEvolution {
    baseline: Player,
    against: Player,
    leaves: Option<LeaveData>,
    start: Start,
}

/// What candidates are made from.
enum Start {
    Network(Box<LoadedNetwork>),
    Features(Arc<Features>),
}

pub fn request(arguments: &EvolveArguments) -> Result<EvolveRequest, Failure> {
    let EvolveArguments { config, flags, tables, .. } = arguments;
    FitRequest::of_file(config, &flags.with_tables(tables), (), |config: &mut EvolveConfig| {
        let start = config.network.as_mut().map(|network| &mut network.start);
        tables.name_in([&mut config.baseline, &mut config.promotion.against].into_iter().chain(start));
        config.leaves = tables.leaves.clone().or(config.leaves.take());
    })
}

impl RunRequest for EvolveRequest {
    type Loaded = LoadedEvolution;
    type Run<'a> = Evolution<'a>;
    const DOING: &'static str = "evolving";

    fn load(&mut self, setup: &Arc<Setup>, context: &Context<'_>, _progress: &Progress) -> Result<Self::Loaded, Failure> {
        let (game, config) = (&self.flags.common.game, &self.config);
        let player = |name: &PlayerSpec| loading::player(name, setup, game);
        let network = |name: &PlayerSpec| loading::network("network.start", name, setup, game);
        let network = config.network.as_ref().map(|own| network(&own.start)).transpose()?;
        let needs_leaves = network.is_none() && config.weights_of(&vec![0.0; config.weights.len()]).needs_leaves();
        let leaves = loading::needed_leaves(needs_leaves, config.leaves.as_deref(), setup, game)?;
        let (baseline, against) = (player(&config.baseline)?, player(&config.promotion.against)?);
        let start = if let Some(network) = network {
            Start::Network(Box::new(network))
        } else {
            let table = leaves.as_ref().map(|leaves| leaves.identity(&setup.tileset)).unwrap_or_default();
            let key = format!("{} {} {table} {}", setup.lexicon.hash, setup.rules_hash(), config.to_toml());
            let features = || features_of(config, setup, leaves.clone());
            Start::Features(context.memos.features.get_or(key, features).input()?)
        };
        Ok(LoadedEvolution { baseline, against, leaves, start })
    }

    fn run<'a>(&'a self, setup: &'a Setup, loaded: &'a LoadedEvolution) -> Result<Self::Run<'a>, Failure> {
        let (LoadedEvolution { baseline, against, leaves, start }, config) = (loaded, &self.config);
        let space = match start {
            Start::Network(network) => Space::of_network(config, network).input()?,
            Start::Features(features) => Space::of_features(config, Arc::clone(features)),
        };
        Ok(Evolution { setup, config, baseline, promotion: against, leaves: leaves.as_ref(), space })
    }

    fn name(&self, setup: &Setup) -> String {
        format!("evolve-{}-{}-{}", self.stem, setup.lexicon.name, self.config.seed)
    }

    fn finish(&self, finished: Finished<'_, Evolution<'_>>, _loaded: &LoadedEvolution) -> Result<(), Failure> {
        let Finished { run, outcome, out, json, file, .. } = finished;
        let shown = output::show(&EvolveResult::new(json, run.config, run.space.network(), &outcome), file);
        let (player, file) = match outcome.weights {
            Evolved::Linear(_) => (Base::Linear(out.into()), CANDIDATE_FILE),
            Evolved::Network(_) => (Base::Network(Some(out.into())), NETWORK_FILE),
        };
        if outcome.is_promoted() {
            print_place("The weights are", out, player, &run.config.baseline, &self.flags.common.game);
        } else {
            say!("Not promoted. The weights are in {}/{file}.", shell_word(&out.to_string_lossy()));
        }
        shown
    }
}
