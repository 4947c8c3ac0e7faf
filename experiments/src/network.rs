//! `network`: small networks on features of moves.

use std::path::{Path, PathBuf};

use tilewright_engine::player::Player;
use tilewright_engine::win_percentage::WinPercentage;
use tilewright_train::candidates::{FitInputs, Maker};
use tilewright_train::journal::Journal;
use tilewright_train::linear::run::RunError;
use tilewright_train::network::artefact;
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::network::run::NetworkRun;

use crate::failure::Failure;
use crate::flags::shell_word;
use crate::linear::{print_explanation, static_ranker};
use crate::output::say;
use crate::progress::Progress;
use crate::{loading, run_config};

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
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    let player = loading::player(&config.candidates.player, &setup, game)?;
    let ranker = static_ranker(&player)?;
    let table = || loading::feature_leaves(config.leaves.as_deref(), &setup, game);
    let leaves = config.linear().needs_leaves().then(table).transpose()?;
    let (win_percentage, _) = WinPercentage::for_setup(&setup);
    let (win_percentage, ranker_identity) = (&win_percentage, &player.identity);
    let inputs = FitInputs { setup: &setup, ranker, ranker_identity, leaves, win_percentage };
    let run = NetworkRun { inputs: &inputs, config: &config };
    let out = arguments.fit.out.clone().unwrap_or_else(|| default_out(arguments.config.as_deref(), &config));
    let progress = Progress::new(game.quiet);
    let journal = Journal::open(&out, &run.key(), &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = Journal::open(&arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        eprintln!("training in {}", out.display());
    }
    let outcome = run.run(&journal, &sets);
    progress.finish();
    let outcome = match outcome {
        Err(error @ (RunError::TooFewSets { .. } | RunError::Feature(_))) => return Err(Failure::input(error.to_string())),
        outcome => outcome?,
    };
    say!("linear fit");
    print_explanation(&outcome.report.linear);
    say!("network");
    print_explanation(&outcome.report.network);
    artefact::write(&run, &outcome, &out)?;
    say!(
        "The network is in {0}. Try: tilewright match --player-a network:{0} --player-b {1} --pairs 1000{2}",
        shell_word(&out.to_string_lossy()),
        Player::default_name(&setup),
        game.repeated()
    );
    Ok(())
}

fn default_out(config: Option<&Path>, run: &NetworkConfig) -> PathBuf {
    let stem = config.and_then(Path::file_stem).map_or("small".into(), |stem| stem.to_string_lossy().into_owned());
    PathBuf::from(format!("runs/network-{stem}-{}-games-{}", run.games, run.seed))
}
