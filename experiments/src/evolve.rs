//! `evolve`: evolves the weights of features or of a network in matches against a baseline.

use std::sync::Arc;

use tilewright_engine::evaluator::network::load::NETWORK_FILE;
use tilewright_engine::features::Features;
use tilewright_engine::setup::Setup;
use tilewright_train::evolve::artefact::{self, CANDIDATE_FILE};
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::{EvolveInputs, RunError, key, run as evolve};
use tilewright_train::evolve::space::{Evolved, Space, features_of};
use tilewright_train::journal::RunKey;

use crate::failure::{Failure, Input};
use crate::flags::shell_word;
use crate::latest::Latest;
use crate::output::{self, say};
use crate::progress::Progress;
use crate::run_config::RunJson;
use crate::tell::tell;
use crate::{crew, loading, run_config};

pub mod flags;
mod result;

use flags::EvolveArguments;
use result::EvolveResult;

/// `evolve`.
pub fn run(arguments: &EvolveArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let config: EvolveConfig = run_config::from_file(&arguments.config)?;
    let tables = &arguments.tables;
    let (config, flags) = run_config::with_flags(config, &arguments.flags, |config| {
        let start = config.network.as_mut().map(|network| &mut network.start);
        tables.name_in([&mut config.baseline, &mut config.promotion.against].into_iter().chain(start));
        config.leaves = tables.leaves.clone().or(config.leaves.take());
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game.with_tables(tables));
    let player = |name: &str| loading::player(name, &setup, game);
    let (baseline, against) = (player(&config.baseline)?, player(&config.promotion.against)?);
    let network = config.network.as_ref().map(|network| loading::network("network.start", &network.start, &setup, game));
    let network = network.transpose()?;
    let needs_leaves = network.is_none() && config.weights_of(&vec![0.0; config.weights.len()]).needs_leaves();
    let table = || loading::feature_leaves(config.leaves.as_deref(), &setup, game);
    let leaves = needs_leaves.then(table).transpose()?;
    let inputs = EvolveInputs { baseline: &baseline, promotion: &against, leaves, network };
    let key = key(&setup, &config, &inputs);
    let stem = run_config::stem(Some(&arguments.config), "");
    let default = format!("evolve-{stem}-{}-{}", setup.lexicon.name, config.seed);
    let out = run_config::out_folder(arguments.out.as_deref(), &default, &key);
    let space = match &inputs.network {
        Some(network) => Space::of_network(&config, network).input()?,
        None => Space::of_features(&config, features(&setup, &config, &inputs, &key)?),
    };
    let progress = Progress::new(game.quiet);
    let journal = crew::open(&out, &key, &progress)?;
    if !game.quiet {
        tell!("evolving in {}", out.display());
    }
    let outcome = evolve(&setup, &config, &inputs, space, &journal);
    progress.finish();
    let outcome = match outcome {
        Err(error @ RunError::Space(_)) => return Err(Failure::input(error)),
        outcome => outcome?,
    };
    artefact::write(&setup, &config, &inputs, &outcome, &out)?;
    let run = RunJson::new(&out, &setup, config.seed);
    let shown = output::show(&EvolveResult::new(run, &config, &inputs, &outcome), json);
    let written = shell_word(&out.to_string_lossy());
    let (kind, file) = match outcome.weights {
        Evolved::Linear(_) => ("linear", CANDIDATE_FILE),
        Evolved::Network(_) => ("network", NETWORK_FILE),
    };
    if outcome.is_promoted() {
        say!(
            "The weights are in {0}. Try: tilewright match --player-a {kind}:{0} --player-b {1} --pairs 1000{2}",
            written,
            config.baseline,
            game.repeated()
        );
    } else {
        say!("Not promoted. The weights are in {written}/{file}.");
    }
    shown
}

/// The features of the candidates of a run. The next command of the process for the same run shares them.
fn features(
    setup: &Setup,
    config: &EvolveConfig,
    inputs: &EvolveInputs<'_>,
    key: &RunKey,
) -> Result<Arc<Features>, Failure> {
    static FEATURES: Latest<String, Features> = Latest::new();
    FEATURES.get_or(key.hash(), || features_of(config, setup, inputs.leaves.clone())).input()
}
