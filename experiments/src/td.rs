//! `td`: learns leave values, feature weights or a network by TD learning.

use std::path::{Path, PathBuf};

use tilewright_engine::setup::Setup;
use tilewright_train::journal::{Journal, RunKey};
use tilewright_train::parquet_file::TableError;
use tilewright_train::records::RecordFiles;
use tilewright_train::td::artefact;
use tilewright_train::td::batches::RunError;
use tilewright_train::td::config::{TdConfig, TdNetwork};
use tilewright_train::td::network::{NetworkLearning, Start};
use tilewright_train::td::run::{key, run as learn};

use crate::failure::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::output::{self, say};
use crate::progress::Progress;
use crate::run_config::RunJson;
use crate::tell::tell;
use crate::{crew, loading, run_config};

pub mod flags;
mod result;

use flags::TdArguments;
use result::TdResult;

/// `td`.
pub fn run(arguments: &TdArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let config: TdConfig = run_config::from_file(&arguments.config)?;
    let (config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        config.games = arguments.games.unwrap_or(config.games);
        config.batch_games = config.batch_games.min(config.games);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    let stem = run_config::stem(Some(&arguments.config), "");
    let default = format!("td-{stem}-{}-{}-games-{}", setup.lexicon.name, config.games, config.seed);
    let folder = |key: &RunKey| run_config::out_folder(arguments.out.as_deref(), &default, key);
    let result = match &config.network {
        Some(network) => learn_network(&setup, &config, network, game, &folder)?,
        None => learn_terms(&setup, &config, game, &folder)?,
    };
    let (kind, out) = (result.kind, &result.run.folder);
    let what = match kind {
        "linear" => "weights are",
        "leave" => "table is",
        _ => "network is",
    };
    let folder = shell_word(out);
    let shown = output::show(&result, json);
    say!(
        "The {what} in {folder}. Try: tilewright match --player-a {kind}:{folder} --player-b no-leaves --pairs 1000{}",
        game.repeated()
    );
    shown
}

/// Opens the journal of a run in `out`.
fn open<'a>(out: &Path, key: &RunKey, progress: &'a Progress, game: &GameFlags) -> Result<Journal<'a>, Failure> {
    let journal = crew::open(out, key, progress)?;
    if !game.quiet {
        tell!("learning in {}", out.display());
    }
    Ok(journal)
}

/// Learns the weights of linear terms.
fn learn_terms(
    setup: &Setup,
    config: &TdConfig,
    game: &GameFlags,
    folder: &dyn Fn(&RunKey) -> PathBuf,
) -> Result<TdResult, Failure> {
    let unusable = |error| Failure::input(format!("records {error}"));
    let records = |path| RecordFiles::open(path, game.loader(setup)).map_err(TableError::from);
    let records = config.records.as_deref().map(records).transpose().map_err(unusable)?;
    let key = key(setup, config, records.as_ref()).map_err(unusable)?;
    let progress = Progress::new(game.quiet);
    let out = folder(&key);
    let journal = open(&out, &key, &progress, game)?;
    let outcome = learn(setup, config, records.as_ref(), &journal);
    progress.finish();
    let outcome = match outcome {
        Err(RunError::Records(error)) => return Err(unusable(error)),
        outcome => outcome?,
    };
    artefact::write(setup, config, &outcome, &out)?;
    Ok(TdResult::from_terms(RunJson::new(&out, setup, config.seed), setup, config, &outcome))
}

/// Trains a network.
fn learn_network(
    setup: &Setup,
    config: &TdConfig,
    network: &TdNetwork,
    game: &GameFlags,
    folder: &dyn Fn(&RunKey) -> PathBuf,
) -> Result<TdResult, Failure> {
    let start = if let Some(shape) = &network.shape {
        let leaves = || loading::feature_leaves(shape.leaves.as_deref(), setup, game);
        Start::Nothing(shape, shape.needs_leaves().then(leaves).transpose()?)
    } else {
        let name = network.start.as_deref().unwrap_or_default();
        Start::Network(Box::new(loading::network("network.start", name, setup, game)?))
    };
    let run = NetworkLearning { setup, config, network, start };
    let (key, progress) = (run.key(), Progress::new(game.quiet));
    let out = folder(&key);
    let journal = open(&out, &key, &progress, game)?;
    let outcome = run.run(&journal);
    progress.finish();
    let outcome = outcome?;
    artefact::write_network(&run, &outcome, &out)?;
    Ok(TdResult::from_network(RunJson::new(&out, setup, config.seed), &outcome))
}
