//! `td`: learns leave values, feature weights or a network by TD learning.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::player::Base;
use tilewright_engine::setup::Setup;
use tilewright_train::parquet_file::TableError;
use tilewright_train::records::RecordFiles;
use tilewright_train::run::Run;
use tilewright_train::td::config::TdConfig;
use tilewright_train::td::network::{NetworkLearning, Start};
use tilewright_train::td::run::TermLearning;

use crate::failure::Failure;
use crate::fitting::print_place;
use crate::flags::PlayFlags;
use crate::output;
use crate::progress::Progress;
use crate::runs::{self, Checked, Context, Finished, RunRequest};
use crate::{loading, run_config};

pub mod flags;
mod result;

use flags::TdArguments;
use result::TdResult;

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdRequest {
    config: Checked<TdConfig>,
    pub flags: PlayFlags,
    /// The name of the config.
    stem: String,
}

impl TdRequest {
    pub fn new(arguments: &TdArguments) -> Result<TdRequest, Failure> {
        let config: TdConfig = run_config::from_file(&arguments.config)?;
        let (config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
            config.games = arguments.games.unwrap_or(config.games);
            config.batch_games = config.batch_games.min(config.games);
        })?;
        Ok(TdRequest { config: Checked(config), flags, stem: run_config::stem(Some(&arguments.config), "") })
    }

    /// Learns a network or linear terms.
    pub fn run(self, context: &Context<'_>) -> Result<(), Failure> {
        match self.config.0.network {
            Some(_) => runs::run(OfNetwork(self), context),
            None => runs::run(OfTerms(self), context),
        }
    }

    fn name(&self, setup: &Setup) -> String {
        let TdConfig { games, seed, .. } = self.config.0;
        format!("td-{}-{}-{games}-games-{seed}", self.stem, setup.lexicon.name)
    }

    /// Finishes the artefact and shows the result.
    fn finish<R: Run>(
        &self,
        mut finished: Finished<'_, R>,
        result: impl FnOnce(Finished<'_, R>) -> TdResult,
    ) -> Result<(), Failure> {
        finished.finish_artefact()?;
        let file = finished.file;
        let result = result(finished);
        let out = &result.run.folder;
        let (what, player) = match result.kind {
            "linear" => ("The weights are", Base::Linear(out.into())),
            "leave" => ("The table is", Base::leave(Some(out.into()))),
            _ => ("The network is", Base::Network(Some(out.into()))),
        };
        let shown = output::show(&result, file);
        print_place(what, Path::new(out), player, "no-leaves", &self.flags.common.game);
        shown
    }
}

/// A request that learns linear terms.
#[derive(Serialize, Deserialize)]
struct OfTerms(TdRequest);

impl RunRequest for OfTerms {
    type Loaded = Option<RecordFiles>;
    type Run<'a> = TermLearning<'a>;
    const DOING: &'static str = "learning";

    fn flags(&self) -> &PlayFlags {
        &self.0.flags
    }

    fn load(&mut self, setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<Self::Loaded, Failure> {
        let game = &self.0.flags.common.game;
        let open = |path: &Path| RecordFiles::open(path, game.loader(setup)).map_err(TableError::from);
        self.0.config.0.records.as_deref().map(open).transpose().map_err(|error| unusable(&error))
    }

    fn run<'a>(&'a self, setup: &'a Setup, loaded: &'a Self::Loaded) -> Result<Self::Run<'a>, Failure> {
        TermLearning::new(setup, &self.0.config.0, loaded.as_ref()).map_err(|error| unusable(&error))
    }

    fn name(&self, setup: &Setup) -> String {
        self.0.name(setup)
    }

    fn finish(&self, finished: Finished<'_, TermLearning<'_>>, _loaded: &Self::Loaded) -> Result<(), Failure> {
        self.0.finish(finished, |Finished { run, outcome, json, .. }| {
            TdResult::from_terms(json, run.setup, run.config, &outcome)
        })
    }
}

/// A request that trains a network.
#[derive(Serialize, Deserialize)]
struct OfNetwork(TdRequest);

impl RunRequest for OfNetwork {
    type Loaded = ();
    type Run<'a> = NetworkLearning<'a>;
    const DOING: &'static str = "learning";

    fn flags(&self) -> &PlayFlags {
        &self.0.flags
    }

    fn load(&mut self, _setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<(), Failure> {
        Ok(())
    }

    fn run<'a>(&'a self, setup: &'a Setup, (): &'a ()) -> Result<Self::Run<'a>, Failure> {
        let (game, Checked(config)) = (&self.0.flags.common.game, &self.0.config);
        let network = config.network.as_ref().ok_or_else(|| Failure::input("the config has no [network]"))?;
        let start = if let Some(shape) = &network.shape {
            let leaves = || loading::feature_leaves(shape.leaves.as_deref(), setup, game);
            Start::Nothing(shape, shape.needs_leaves().then(leaves).transpose()?)
        } else {
            let start = network.start.clone().unwrap_or(Base::Network(None).into());
            Start::Network(Box::new(loading::network("network.start", &start, setup, game)?))
        };
        Ok(NetworkLearning { setup, config, network, start })
    }

    fn name(&self, setup: &Setup) -> String {
        self.0.name(setup)
    }

    fn finish(&self, finished: Finished<'_, NetworkLearning<'_>>, _loaded: &()) -> Result<(), Failure> {
        self.0.finish(finished, |Finished { outcome, json, .. }| TdResult::from_network(json, &outcome))
    }
}

fn unusable(error: &TableError) -> Failure {
    Failure::input(format!("records {error}"))
}
