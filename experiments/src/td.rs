//! `td`: learns leave values, feature weights or a network by TD learning.

use std::path::{Path, PathBuf};

use tilewright_engine::artefact::Loader;
use tilewright_engine::equity::Equity;
use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::leave::embedded::embedded;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_train::journal::{Journal, RunKey};
use tilewright_train::parquet_file::TableError;
use tilewright_train::records::RecordFiles;
use tilewright_train::td::artefact;
use tilewright_train::td::batches::{RunError, Snapshot};
use tilewright_train::td::config::{TdConfig, TdNetwork};
use tilewright_train::td::network::{NetworkLearning, NetworkOutcome, Start};
use tilewright_train::td::run::{TdOutcome, key, run as learn};

use crate::failure::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::output::say;
use crate::progress::Progress;
use crate::{loading, run_config};

pub mod flags;

use flags::TdArguments;

/// `td`.
pub fn run(arguments: &TdArguments) -> Result<(), Failure> {
    let config: TdConfig = run_config::from_file(&arguments.config)?;
    let (config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        config.games = arguments.games.unwrap_or(config.games);
        config.batch_games = config.batch_games.min(config.games);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    let stem = run_config::stem(Some(&arguments.config), "");
    let default = format!("td-{stem}-{}-{}-games-{}", setup.lexicon.name, config.games, config.seed);
    let folder = |key: &RunKey| run_config::out_folder(arguments.out.as_deref(), &default, key);
    let (kind, out) = match &config.network {
        Some(network) => learn_network(&setup, &config, network, game, &folder)?,
        None => learn_terms(&setup, &config, game, &folder)?,
    };
    let what = match kind {
        "linear" => "weights are",
        "leave" => "table is",
        _ => "network is",
    };
    let folder = shell_word(&out.to_string_lossy());
    say!(
        "The {what} in {folder}. Try: tilewright match --player-a {kind}:{folder} --player-b no-leaves --pairs 1000{}",
        game.repeated()
    );
    Ok(())
}

/// Opens the journal of a run in `out`.
fn open<'a>(out: &Path, key: &RunKey, progress: &'a Progress, game: &GameFlags) -> Result<Journal<'a>, Failure> {
    let journal = Journal::open(out, key, progress)?;
    if !game.quiet {
        eprintln!("learning in {}", out.display());
    }
    Ok(journal)
}

/// Learns the weights of linear terms. Returns the kind of the player that plays by them, and their folder.
fn learn_terms(
    setup: &Setup,
    config: &TdConfig,
    game: &GameFlags,
    folder: &dyn Fn(&RunKey) -> PathBuf,
) -> Result<(&'static str, PathBuf), Failure> {
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
    print_results(setup, config, &outcome);
    Ok((if outcome.terms.has_features() { "linear" } else { "leave" }, out))
}

/// Trains a network. Returns the kind of the player that plays by it, and its folder.
fn learn_network(
    setup: &Setup,
    config: &TdConfig,
    network: &TdNetwork,
    game: &GameFlags,
    folder: &dyn Fn(&RunKey) -> PathBuf,
) -> Result<(&'static str, PathBuf), Failure> {
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
    print_skip(&outcome);
    print_error(&outcome.snapshots);
    Ok(("network", out))
}

/// Prints the value of each single tile and the weight of each feature.
fn print_results(setup: &Setup, config: &TdConfig, outcome: &TdOutcome) {
    if config.patterns {
        print_tiles(setup, outcome);
    }
    let weights =
        outcome.snapshots.last().map(|last| outcome.terms.linear_weights(&last.weights).weights).unwrap_or_default();
    for &feature in config.features.keys() {
        let weight = weights.get(&feature).copied().unwrap_or_default();
        say!("{:26} {weight:+9.3}  points per unit ({})", feature.about().name, feature.about().unit);
    }
    print_error(&outcome.snapshots);
}

/// Prints the skip weight of each feature, and what it was at the start.
fn print_skip(outcome: &NetworkOutcome) {
    say!("{:26} {:>9} {:>9}", "skip weight", "start", "learned");
    let weights = outcome.start.skip.iter().zip(&outcome.network.skip);
    let by_feature = outcome.network.settings.features.iter().zip(weights);
    for (feature, (start, learned)) in by_feature.filter(|(feature, _)| varies_by_move(**feature)) {
        say!("{:26} {start:+9.3} {learned:+9.3}  points per unit ({})", feature.about().name, feature.about().unit);
    }
}

fn print_error(snapshots: &[Snapshot]) {
    if let Some(last) = snapshots.last() {
        say!("{} games; root mean square of the TD errors of the last batch: {:.1} points", last.games, last.error);
    }
}

/// Prints the value of each tile as a leave, what a second one adds, and the value in the embedded table, if that fits.
fn print_tiles(setup: &Setup, outcome: &TdOutcome) {
    let tileset = &setup.tileset;
    let known = embedded(Loader::new(setup)).ok().map(|(table, _)| table);
    let value = |table: &LeaveTable, kinds: &[u8]| table.get(&Rack::from_kinds(kinds)).map_or(f64::NAN, Equity::points);
    say!("{:6} {:>8} {:>8}{}", "tile", "learned", "2nd tile", if known.is_some() { "   embedded" } else { "" });
    for (kind, about) in (0u8..).zip(tileset.kinds()) {
        let alone = value(&outcome.table, &[kind]);
        let second =
            if about.count > 1 { format!("{:+8.2}", value(&outcome.table, &[kind, kind]) - alone) } else { " ".repeat(8) };
        let known = known.as_ref().map_or(String::new(), |known| format!("   {:+8.2}", value(known, &[kind])));
        say!("{:6} {alone:+8.2} {second}{known}", about.label);
    }
}
