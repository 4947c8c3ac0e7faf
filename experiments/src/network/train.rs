//! `network train`: trains a network, with a number of games or within a budget of CPU time.

use std::path::Path;
use std::time::Duration;

use tilewright_train::candidates::{FitInputs, Maker};
use tilewright_train::cpu_clock::{CpuClock, CpuTimes};
use tilewright_train::journal::{Journal, RunKey, config_of};
use tilewright_train::network::artefact;
use tilewright_train::network::budget::Plan;
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::network::run::{HeadFigures, NetworkRun};
use tilewright_train::run_config::RunConfig;

use super::flags::NetworkTrainArguments;
use crate::failure::Failure;
use crate::fitting::{Loaded, checked, default_name, print_explanation, print_place};
use crate::output::say;
use crate::progress::Progress;
use crate::{loading, run_config};

/// `network train`.
pub fn run(arguments: &NetworkTrainArguments) -> Result<(), Failure> {
    let config = arguments.config.as_deref().map_or_else(|| Ok(NetworkConfig::default()), run_config::from_file)?;
    let (mut config, flags) = run_config::with_flags(config, &arguments.fit.flags, |config: &mut NetworkConfig| {
        arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
    })?;
    let game = &flags.common.game;
    let needs_leaves = config.linear().needs_leaves();
    let loaded = Loaded::new(&flags, &config.candidates, needs_leaves, config.leaves.as_deref())?;
    let inputs = loaded.inputs()?;
    let opponent = config.matches.as_ref().map(|config| loading::player(&config.against, &loaded.setup, game));
    let opponent = opponent.transpose()?;
    let size = arguments.budget.map_or_else(|| format!("{}-games", config.games), seconds);
    let name = default_name("network", arguments.config.as_deref(), "small", &loaded.setup, &size, config.seed);
    // A plan changes the number of games, so the folder is that of the request.
    let of_budget =
        |key: RunKey| arguments.budget.iter().fold(key, |key, &budget| key.with_input("budget", seconds(budget)));
    let request = of_budget(NetworkRun { inputs: &inputs, config: &config, opponent: opponent.as_ref() }.key());
    let out = run_config::out_folder(arguments.fit.out.as_deref(), &name, &request);
    let progress = Progress::new(game.quiet);
    let plan = match arguments.budget {
        Some(budget) => plan(budget, &mut config, &inputs, &out, &progress)?,
        None => None,
    };
    let run = NetworkRun { inputs: &inputs, config: &config, opponent: opponent.as_ref() };
    let key = of_budget(run.key());
    let journal = Journal::open(&out, &key, &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = Journal::open(arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        if let Some(plan) = &plan {
            eprintln!("{}", described(plan));
        }
        eprintln!("training in {}", out.display());
    }
    let measured = plan.as_ref().map(|plan| plan.labels).unwrap_or_default();
    maker.store(&sets, plan.map(|plan| plan.shards).unwrap_or_default())?;
    let outcome = run.run(&journal, &sets);
    progress.finish();
    let outcome = checked(outcome)?;
    artefact::write(&run, &outcome, &out)?;
    say!("linear fit");
    print_explanation(&outcome.report.linear);
    say!("network");
    print_explanation(&outcome.report.network);
    print_heads(&outcome.report.heads);
    if let Some(endgame) = &outcome.report.endgame {
        say!("network for the endgame");
        print_explanation(&endgame.network);
    }
    print_times(CpuTimes { labels: outcome.times.labels + measured, ..outcome.times }, arguments.budget);
    print_place("The network is", "network", &out, &loaded.setup, game);
    Ok(())
}

/// Gives a config the games of a budget: those of the unfinished run in `out`, or else those of a new plan, which is returned.
fn plan(
    budget: Duration,
    config: &mut NetworkConfig,
    inputs: &FitInputs<'_>,
    out: &Path,
    progress: &Progress,
) -> Result<Option<Plan>, Failure> {
    if let Some(own) = config_of(out)? {
        // Whether the folder belongs to this run is decided when it is opened.
        if let Ok(own) = NetworkConfig::from_toml(&own, &out.to_string_lossy()) {
            config.games = own.games;
        }
        return Ok(None);
    }
    let plan = NetworkRun { inputs, config, opponent: None }.plan(budget, progress);
    if plan.is_err() {
        progress.finish();
    }
    let plan = checked(plan)?;
    config.games = plan.games;
    Ok(Some(plan))
}

fn described(plan: &Plan) -> String {
    let [labels, fit] = [plan.labels_per_game, plan.fit_per_game].map(|seconds| 1e3 * seconds);
    let (games, expected) = (plan.games, plan.expected().as_secs_f64());
    format!("{games} games: {labels:.2} ms of CPU time per game for labels, {fit:.2} ms for the fit, {expected:.0} s in all")
}

/// Prints what the auxiliary heads explain of held-out games.
fn print_heads(heads: &[HeadFigures]) {
    if !heads.is_empty() {
        say!("{:10} {:>8} {:>8} {:>11} {:>12}", "head", "share", "signal", "explained", "linear fit");
    }
    for HeadFigures { part, share, signal, linear, explained } in heads {
        let [signal, linear, explained] = [signal, linear, explained].map(|share| 100.0 * share);
        say!("{:10} {share:>8} {signal:>6.1} % {explained:>9.1} % {linear:>10.1} %", part.to_string());
    }
}

/// A duration in seconds, as in names of folders.
fn seconds(time: Duration) -> String {
    format!("{}s", time.as_secs_f64())
}

/// Prints the CPU time of this process by part.
fn print_times(times: CpuTimes, budget: Option<Duration>) {
    let total = CpuClock::of_process();
    let other = total.saturating_sub(times.total());
    let [labels, features, training, other, total] =
        [times.labels, times.features, times.training, other, total].map(|time| time.as_secs_f64());
    let share = budget.map(|budget| {
        let budget = budget.as_secs_f64();
        format!(", {:.0} % of the budget of {budget:.0} s", 100.0 * total / budget)
    });
    say!(
        "CPU time: labels {labels:.1} s, features {features:.1} s, training {training:.1} s, other {other:.1} s; \
         {total:.1} s in all{}",
        share.unwrap_or_default()
    );
}
