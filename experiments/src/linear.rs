//! `linear`: weights of features by least squares.

use std::path::{Path, PathBuf};

use tilewright_engine::player::Player;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::win_percentage::WinPercentage;
use tilewright_train::candidates::{FitInputs, Maker};
use tilewright_train::journal::Journal;
use tilewright_train::linear::artefact;
use tilewright_train::linear::config::LinearFitConfig;
use tilewright_train::linear::report::Explanation;
use tilewright_train::linear::run::{LinearFit, LinearOutcome, RunError};

use crate::failure::Failure;
use crate::flags::shell_word;
use crate::output::say;
use crate::progress::Progress;
use crate::{loading, run_config};

pub mod flags;

use flags::{LinearFitArguments, LinearVerb};

/// `linear`.
pub fn run(verb: &LinearVerb) -> Result<(), Failure> {
    let LinearVerb::Fit(arguments) = verb;
    fit(arguments)
}

/// `linear fit`.
fn fit(arguments: &LinearFitArguments) -> Result<(), Failure> {
    let config = arguments.config.as_deref().map_or_else(|| Ok(LinearFitConfig::default()), run_config::from_file)?;
    let (config, flags) = run_config::with_flags(config, &arguments.fit.flags, |config: &mut LinearFitConfig| {
        arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
    })?;
    let (setup, game) = (loading::start(&flags)?, &flags.common.game);
    let player = loading::player(&config.candidates.player, &setup, game)?;
    let ranker = static_ranker(&player)?;
    let table = || loading::feature_leaves(config.leaves.as_deref(), &setup, game);
    let leaves = config.needs_leaves().then(table).transpose()?;
    let (win_percentage, _) = WinPercentage::for_setup(&setup);
    let (win_percentage, ranker_identity) = (&win_percentage, &player.identity);
    let inputs = FitInputs { setup: &setup, ranker, ranker_identity, leaves, win_percentage };
    let fit = LinearFit { inputs: &inputs, config: &config };
    let out = arguments.fit.out.clone().unwrap_or_else(|| default_out(arguments.config.as_deref(), &config));
    let progress = Progress::new(game.quiet);
    let _journal = Journal::open(&out, &fit.key(), &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = Journal::open(&arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        eprintln!("fitting in {}", out.display());
    }
    let outcome = fit.run(&sets);
    progress.finish();
    let outcome = match outcome {
        Err(error @ (RunError::TooFewSets { .. } | RunError::Feature(_))) => return Err(Failure::input(error.to_string())),
        outcome => outcome?,
    };
    print_results(&outcome);
    artefact::write(&fit, &outcome, &out)?;
    say!(
        "The weights are in {0}. Try: tilewright match --player-a linear:{0} --player-b {1} --pairs 1000{2}",
        shell_word(&out.to_string_lossy()),
        Player::default_name(&setup),
        game.repeated()
    );
    Ok(())
}

/// The static player of the candidate sets.
pub fn static_ranker(player: &Player) -> Result<&StaticPlayer, Failure> {
    let name = &player.name;
    player.as_static().ok_or_else(|| Failure::input(format!("candidates.player = {name}; expected a static player")))
}

fn default_out(config: Option<&Path>, run: &LinearFitConfig) -> PathBuf {
    let stem = config.and_then(Path::file_stem).map_or("default".into(), |stem| stem.to_string_lossy().into_owned());
    PathBuf::from(format!("runs/linear-{stem}-{}-games-{}", run.games, run.seed))
}

/// Prints what a fit explains of held-out games.
pub fn print_explanation(explanation: &Explanation) {
    say!("{:8} {:>8} {:>8} {:>11}   gain per turn: points, % of a win", "stage", "sets", "signal", "explained");
    for (name, one) in explanation.rows() {
        let (signal, explained, [points, wins]) = (100.0 * one.signal, 100.0 * one.explained, one.gains());
        say!("{name:8} {:>8} {signal:>6.1} % {explained:>9.1} %   {points:>14} {wins:>14}", one.sets);
    }
}

/// Prints what the weights explain, and the weights.
fn print_results(outcome: &LinearOutcome) {
    print_explanation(&outcome.report.held_out);
    say!("{:26} {:>9}", "feature", "weight");
    for (feature, weight) in &outcome.weights.weights {
        say!("{:26} {weight:9.3}  points per unit ({})", feature.about().name, feature.about().unit);
    }
}
