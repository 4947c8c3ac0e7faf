//! `td`: learns leave values, feature weights or a network by TD learning.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tilewright_engine::{Base, Setup};
use tilewright_train::parquet_file::TableError;
use tilewright_train::records::RecordFiles;
use tilewright_train::td::artefact::{Learned, Learning, TdRun};
use tilewright_train::td::config::TdConfig;
use tilewright_train::td::network::{NetworkLearning, Start};
use tilewright_train::td::run::TermLearning;

use crate::fitting::print_place;
use crate::flags::{PlayFlags, RunFlags};
use crate::run_config::FitRequest;
use crate::runs::{Context, Finished, RunRequest};
use crate::{Failure, Progress, loading, output};

mod result;

use result::TdResult;

#[derive(Debug, Args)]
pub struct TdArguments {
    /// Config of the run: a TOML file as in configs/td
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Games to learn from; overrides the config
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

    fn finish(&self, finished: Finished<'_, TdRun<'_>>, _records: &Self::Loaded) -> Result<(), Failure> {
        let Finished { run, outcome, out, json, file, .. } = finished;
        let result = match &outcome {
            Learned::Terms(outcome) => TdResult::from_terms(json, run.setup, &self.config, outcome),
            Learned::Network(outcome) => TdResult::from_network(json, outcome),
        };
        let (what, player) = match result.kind {
            "linear" => ("The weights are", Base::Linear(out.into())),
            "leave" => ("The table is", Base::leave(Some(out.into()))),
            _ => ("The network is", Base::Network(Some(out.into()))),
        };
        let shown = output::show(&result, file);
        print_place(what, out, player, "no-leaves", &self.flags.common.game);
        shown
    }
}

fn unusable(error: &TableError) -> Failure {
    Failure::input(format!("records {error}"))
}
