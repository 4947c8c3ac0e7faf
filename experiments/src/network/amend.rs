//! `network amend`: amends the skip weights of a network by the results of whole games.

use std::fmt;

use serde::Serialize;
use tilewright_train::candidates::Maker;
use tilewright_train::linear::config::LinearFitConfig;
use tilewright_train::linear::run::LinearFit;
use tilewright_train::network::amendment::{self, Amendment, AmendmentReport};
use tilewright_train::run_config::RunConfig;

use super::evaluate::load;
use super::flags::NetworkAmendArguments;
use crate::failure::{Failure, Input};
use crate::fitting::{ExplanationTable, Loaded, checked, default_name, print_place};
use crate::progress::Progress;
use crate::run_config::RunJson;
use crate::tell::tell;
use crate::{crew, loading, output, run_config};

/// `network amend`.
pub fn run(arguments: &NetworkAmendArguments) -> Result<(), Failure> {
    let json = arguments.fit.json.file()?;
    let built_in = || LinearFitConfig::from_toml(amendment::DEFAULT, "configs/linear-fit/amendment.toml").input();
    let config = arguments.config.as_deref().map_or_else(built_in, run_config::from_file)?;
    let (config, flags) = run_config::with_flags(config, &arguments.fit.flags, |config: &mut LinearFitConfig| {
        arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
    })?;
    let game = &flags.common.game.with_tables(&arguments.fit.tables);
    let setup = loading::start(&flags)?;
    let network = load(&arguments.path, &setup, game)?;
    let loaded = Loaded::with_setup(setup, game, &config.candidates, network.leaves.clone())?;
    let inputs = loaded.inputs()?;
    let amendment = Amendment { network: &network, fit: LinearFit { inputs: &inputs, config: &config } };
    amendment.check().input()?;
    let size = format!("{}-games", config.games);
    let key = amendment.key();
    let name = default_name("amendment", arguments.config.as_deref(), "default", &loaded.setup, &size, config.seed);
    let out = run_config::out_folder(arguments.fit.out.as_deref(), &name, &key);
    let progress = Progress::new(game.quiet);
    let _journal = crew::open(&out, &key, &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = crew::open(arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        tell!("amending in {}", out.display());
    }
    let outcome = amendment.run(&sets);
    progress.finish();
    let outcome = checked(outcome)?;
    amendment.write(&outcome, &out)?;
    let run = RunJson::new(&out, &loaded.setup, config.seed);
    let shown = output::show(&AmendedNetwork { run, games: config.games, report: &outcome.report }, json);
    print_place("The network is", "network", &out, &loaded.setup, game);
    shown
}

/// The result of `network amend`.
#[derive(Serialize)]
struct AmendedNetwork<'a> {
    #[serde(flatten)]
    run: RunJson,
    games: u64,
    #[serde(flatten)]
    report: &'a AmendmentReport,
}

impl fmt::Display for AmendedNetwork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{:26} {:>9}", ExplanationTable(&self.report.held_out), "feature", "added")?;
        for (feature, added) in &self.report.added {
            let about = feature.about();
            write!(f, "\n{:26} {added:>+9.3}  points per unit ({})", about.name, about.unit)?;
        }
        Ok(())
    }
}
