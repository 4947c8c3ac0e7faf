//! `network amend`: amends the skip weights of a network by the results of whole games.

use tilewright_train::candidates::Maker;
use tilewright_train::journal::Journal;
use tilewright_train::linear::config::LinearFitConfig;
use tilewright_train::linear::run::LinearFit;
use tilewright_train::network::amendment::{self, Amendment, AmendmentOutcome};
use tilewright_train::run_config::RunConfig;

use super::evaluate::load;
use super::flags::NetworkAmendArguments;
use crate::failure::{Failure, Input};
use crate::fitting::{Loaded, checked, default_name, print_explanation, print_place};
use crate::output::say;
use crate::progress::Progress;
use crate::{loading, run_config};

/// `network amend`.
pub fn run(arguments: &NetworkAmendArguments) -> Result<(), Failure> {
    let built_in = || LinearFitConfig::from_toml(amendment::DEFAULT, "configs/linear-fit/amendment.toml").input();
    let config = arguments.config.as_deref().map_or_else(built_in, run_config::from_file)?;
    let (config, flags) = run_config::with_flags(config, &arguments.fit.flags, |config: &mut LinearFitConfig| {
        arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
    })?;
    let game = &flags.common.game;
    let setup = loading::start(&flags)?;
    let network = load(&arguments.network, &setup, game)?;
    let loaded = Loaded::with_setup(setup, game, &config.candidates, network.leaves.clone())?;
    let inputs = loaded.inputs()?;
    let amendment = Amendment { network: &network, fit: LinearFit { inputs: &inputs, config: &config } };
    amendment.check().input()?;
    let size = format!("{}-games", config.games);
    let key = amendment.key();
    let name = default_name("amendment", arguments.config.as_deref(), "default", &loaded.setup, &size, config.seed);
    let out = run_config::out_folder(arguments.fit.out.as_deref(), &name, &key);
    let progress = Progress::new(game.quiet);
    let _journal = Journal::open(&out, &key, &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = Journal::open(arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        eprintln!("amending in {}", out.display());
    }
    let outcome = amendment.run(&sets);
    progress.finish();
    let outcome = checked(outcome)?;
    amendment.write(&outcome, &out)?;
    print_results(&outcome);
    print_place("The network is", "network", &out, &loaded.setup, game);
    Ok(())
}

fn print_results(outcome: &AmendmentOutcome) {
    print_explanation(&outcome.report.held_out);
    say!("{:26} {:>9}", "feature", "added");
    for (feature, added) in &outcome.report.added {
        let about = feature.about();
        say!("{:26} {added:>+9.3}  points per unit ({})", about.name, about.unit);
    }
}
