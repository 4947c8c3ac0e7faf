//! `network train`: trains a network, with a number of games or within a budget of CPU time.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tilewright_train::candidates::{FitInputs, Maker};
use tilewright_train::cpu_clock::{CpuClock, CpuTimes};
use tilewright_train::journal::{RunKey, config_of};
use tilewright_train::network::artefact;
use tilewright_train::network::budget::Plan;
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::network::run::{HeadFigures, NetworkReport, NetworkRun};
use tilewright_train::run_config::RunConfig;

use super::flags::NetworkTrainArguments;
use crate::failure::Failure;
use crate::fitting::{ExplanationTable, Loaded, checked, default_name, print_place};
use crate::progress::Progress;
use crate::run_config::RunJson;
use crate::tell::tell;
use crate::{crew, loading, output, run_config};

/// `network train`.
pub fn run(arguments: &NetworkTrainArguments) -> Result<(), Failure> {
    let json = arguments.fit.json.file()?;
    let config = arguments.config.as_deref().map_or_else(|| Ok(NetworkConfig::default()), run_config::from_file)?;
    let (mut config, flags) = run_config::with_flags(config, &arguments.fit.flags, |config: &mut NetworkConfig| {
        arguments.fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
        arguments.fit.tables.name_in(config.matches.as_mut().map(|matches| &mut matches.against));
    })?;
    let game = &flags.common.game.with_tables(&arguments.fit.tables);
    let needs_leaves = config.linear().needs_leaves();
    let loaded = Loaded::new(&flags, game, &config.candidates, needs_leaves, config.leaves.as_deref())?;
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
    let journal = crew::open(&out, &key, &progress)?;
    let maker = Maker::new(&inputs, &config.candidates, config.seed);
    let sets = crew::open(arguments.fit.candidate_folder(&out), &maker.key(), &progress)?;
    if !game.quiet {
        if let Some(plan) = &plan {
            tell!("{}", described(plan));
        }
        tell!("training in {}", out.display());
    }
    let measured = plan.as_ref().map(|plan| plan.labels).unwrap_or_default();
    maker.store(&sets, plan.map(|plan| plan.shards).unwrap_or_default())?;
    let outcome = run.run(&journal, &sets);
    progress.finish();
    let outcome = checked(outcome)?;
    artefact::write(&run, &outcome, &out)?;
    let trained = TrainedNetwork {
        run: RunJson::new(&out, &loaded.setup, config.seed),
        games: config.games,
        report: &outcome.report,
        cpu_seconds: CpuSeconds::new(CpuTimes { labels: outcome.times.labels + measured, ..outcome.times }),
        budget_cpu_seconds: arguments.budget.map(|budget| budget.as_secs_f64()),
    };
    let shown = output::show(&trained, json);
    print_place("The network is", "network", &out, &loaded.setup, game);
    shown
}

/// The result of `network train`.
#[derive(Serialize)]
struct TrainedNetwork<'a> {
    #[serde(flatten)]
    run: RunJson,
    games: u64,
    #[serde(flatten)]
    report: &'a NetworkReport,
    cpu_seconds: CpuSeconds,
    /// The budget of the whole run, if it has one.
    budget_cpu_seconds: Option<f64>,
}

/// The CPU time of this process by part, in seconds.
#[derive(Serialize)]
struct CpuSeconds {
    labels: f64,
    features: f64,
    training: f64,
    other: f64,
    total: f64,
}

impl CpuSeconds {
    /// The time up to now.
    fn new(times: CpuTimes) -> CpuSeconds {
        let total = CpuClock::of_process();
        let other = total.saturating_sub(times.total());
        let [labels, features, training, other, total] =
            [times.labels, times.features, times.training, other, total].map(|time| time.as_secs_f64());
        CpuSeconds { labels, features, training, other, total }
    }
}

impl fmt::Display for TrainedNetwork<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetworkReport { linear, network, heads, endgame, .. } = self.report;
        writeln!(f, "linear fit\n{}\nnetwork\n{}", ExplanationTable(linear), ExplanationTable(network))?;
        if !heads.is_empty() {
            writeln!(f, "{:10} {:>8} {:>8} {:>11} {:>12}", "head", "share", "signal", "explained", "linear fit")?;
        }
        for HeadFigures { part, share, signal, linear, explained } in heads {
            let [signal, linear, explained] = [signal, linear, explained].map(|share| 100.0 * share);
            let part = part.to_string();
            writeln!(f, "{part:10} {share:>8} {signal:>6.1} % {explained:>9.1} % {linear:>10.1} %")?;
        }
        if let Some(endgame) = endgame {
            writeln!(f, "network for the endgame\n{}", ExplanationTable(&endgame.network))?;
        }
        let CpuSeconds { labels, features, training, other, total } = &self.cpu_seconds;
        write!(
            f,
            "CPU time: labels {labels:.1} s, features {features:.1} s, training {training:.1} s, other {other:.1} s; \
             {total:.1} s in all"
        )?;
        match self.budget_cpu_seconds {
            Some(budget) => write!(f, ", {:.0} % of the budget of {budget:.0} s", 100.0 * total / budget),
            None => Ok(()),
        }
    }
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

/// A duration in seconds, as in names of folders.
fn seconds(time: Duration) -> String {
    format!("{}s", time.as_secs_f64())
}
