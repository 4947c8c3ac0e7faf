//! `network`: small networks on features of moves.

use tilewright_engine::player::Player;
use tilewright_train::candidates::Maker;
use tilewright_train::journal::Journal;
use tilewright_train::network::artefact;
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::network::run::NetworkRun;

use crate::failure::Failure;
use crate::fitting::{Loaded, checked, default_out, print_explanation};
use crate::flags::shell_word;
use crate::output::say;
use crate::progress::Progress;
use crate::run_config;

pub mod flags;

use flags::{NetworkTrainArguments, NetworkVerb};

/// `network`.
pub fn run(verb: &NetworkVerb) -> Result<(), Failure> {
    let NetworkVerb::Train(arguments) = verb;
    train(arguments)
}

/// `network train`.
fn train(arguments: &NetworkTrainArguments) -> Result<(), Failure> {
    let config = arguments.config.as_deref().map_or_else(|| Ok(NetworkConfig::default()), run_config::from_file)?;
    let (config, flags) = run_config::with_flags(config, &arguments.fit.flags, |config: &mut NetworkConfig| {
        arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
    })?;
    let game = &flags.common.game;
    let needs_leaves = config.linear().needs_leaves();
    let loaded = Loaded::new(&flags, &config.candidates, needs_leaves, config.leaves.as_deref())?;
    let inputs = loaded.inputs()?;
    let run = NetworkRun { inputs: &inputs, config: &config };
    let default_out = || default_out("network", arguments.config.as_deref(), "small", config.games, config.seed);
    let out = arguments.fit.out.clone().unwrap_or_else(default_out);
    let progress = Progress::new(game.quiet);
    let journal = Journal::open(&out, &run.key(), &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = Journal::open(&arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        eprintln!("training in {}", out.display());
    }
    let outcome = run.run(&journal, &sets);
    progress.finish();
    let outcome = checked(outcome)?;
    say!("linear fit");
    print_explanation(&outcome.report.linear);
    say!("network");
    print_explanation(&outcome.report.network);
    artefact::write(&run, &outcome, &out)?;
    say!(
        "The network is in {0}. Try: tilewright match --player-a network:{0} --player-b {1} --pairs 1000{2}",
        shell_word(&out.to_string_lossy()),
        Player::default_name(&loaded.setup),
        game.repeated()
    );
    Ok(())
}
