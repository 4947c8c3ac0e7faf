//! `linear`: weights of features by least squares.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use tilewright_engine::features::Feature;
use tilewright_train::candidates::Maker;
use tilewright_train::linear::artefact;
use tilewright_train::linear::config::LinearFitConfig;
use tilewright_train::linear::report::LinearReport;
use tilewright_train::linear::run::LinearFit;

use crate::failure::Failure;
use crate::fitting::{ExplanationTable, Loaded, checked, default_name, print_place};
use crate::progress::Progress;
use crate::run_config::RunJson;
use crate::tell::tell;
use crate::{crew, output, run_config};

pub mod flags;

use flags::{LinearFitArguments, LinearVerb};

/// `linear`.
pub fn run(verb: &LinearVerb) -> Result<(), Failure> {
    let LinearVerb::Fit(arguments) = verb;
    fit(arguments)
}

/// `linear fit`.
fn fit(arguments: &LinearFitArguments) -> Result<(), Failure> {
    let json = arguments.fit.json.file()?;
    let config = arguments.config.as_deref().map_or_else(|| Ok(LinearFitConfig::default()), run_config::from_file)?;
    let (config, flags) = run_config::with_flags(config, &arguments.fit.flags, |config: &mut LinearFitConfig| {
        arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
    })?;
    let game = &flags.common.game.with_tables(&arguments.fit.tables);
    let loaded = Loaded::new(&flags, game, &config.candidates, config.needs_leaves(), config.leaves.as_deref())?;
    let inputs = loaded.inputs()?;
    let fit = LinearFit { inputs: &inputs, config: &config };
    let size = format!("{}-games", config.games);
    let key = fit.key();
    let name = default_name("linear", arguments.config.as_deref(), "default", &loaded.setup, &size, config.seed);
    let out = run_config::out_folder(arguments.fit.out.as_deref(), &name, &key);
    let progress = Progress::new(game.quiet);
    let _journal = crew::open(&out, &key, &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = crew::open(arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        tell!("fitting in {}", out.display());
    }
    let outcome = fit.run(&sets);
    progress.finish();
    let outcome = checked(outcome)?;
    artefact::write(&fit, &outcome, &out)?;
    let run = RunJson::new(&out, &loaded.setup, config.seed);
    let (report, weights) = (&outcome.report, &outcome.weights.weights);
    let shown = output::show(&FittedWeights { run, games: config.games, report, weights }, json);
    print_place("The weights are", "linear", &out, &loaded.setup, game);
    shown
}

/// The result of `linear fit`: what the weights explain, and the weights.
#[derive(Serialize)]
struct FittedWeights<'a> {
    #[serde(flatten)]
    run: RunJson,
    games: u64,
    #[serde(flatten)]
    report: &'a LinearReport,
    /// In points per unit.
    weights: &'a BTreeMap<Feature, f64>,
}

impl fmt::Display for FittedWeights<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{:26} {:>9}", ExplanationTable(&self.report.held_out), "feature", "weight")?;
        for (feature, weight) in self.weights {
            write!(f, "\n{:26} {weight:9.3}  points per unit ({})", feature.about().name, feature.about().unit)?;
        }
        Ok(())
    }
}
