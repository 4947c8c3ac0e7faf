//! `network`: small networks on features of moves.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewright_engine::{Base, Player, Setup};
use tilewright_train::candidates::OnSets;
use tilewright_train::cpu_clock::{CpuClock, CpuTimes};
use tilewright_train::journal::config_of;
use tilewright_train::network::budget::Plan;
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::network::run::{HeadFigures, NetworkReport, NetworkRun};
use tilewright_train::run::Run;
use tilewright_train::run_config::RunConfig;

use crate::fitting::{ExplanationTable, FitRequest, Loaded, RunJson, opponent, place};
use crate::linear::SharedSets;
use crate::report::html::grouped;
use crate::runs::{self, Context, Finished, RunRequest, Told};
use crate::status::status;
use crate::{Failure, Progress, loading};

pub mod flags;
pub mod page;
mod evaluate;

use flags::{NetworkTrainArguments, NetworkVerb};

pub use page::EvaluationFile;

pub fn run(verb: &NetworkVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        NetworkVerb::Train(arguments) => runs::run(request(arguments)?, &context.with(&arguments.fit.run)?),
        NetworkVerb::Eval(arguments) => evaluate::run(arguments),
    }
}

pub type NetworkRequest = FitRequest<NetworkConfig, Labels>;

/// The cost limit of the labels, and their place.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// CPU time of the whole run, from which the number of games follows.
    budget: Option<Duration>,
    sets: SharedSets,
}

pub struct LoadedFit {
    loaded: Loaded,
    opponent: Option<Player>,
    /// With a budget, the folder of the run.
    folder: Option<PathBuf>,
    /// The measurements for a budget.
    plan: Option<Plan>,
}

pub fn request(
    NetworkTrainArguments { config, budget, device, fit }: &NetworkTrainArguments,
) -> Result<NetworkRequest, Failure> {
    let labels = Labels { budget: *budget, sets: fit.sets.clone() };
    FitRequest::of_file_or("small", config.as_deref(), &fit.play_flags(), labels, |config: &mut NetworkConfig| {
        config.device = device.unwrap_or(config.device);
        fit.apply(&mut config.leaves, &mut config.games, &mut config.candidates);
        fit.tables.name_in(config.matches.as_mut().map(|matches| &mut matches.against));
    })
}

impl NetworkRequest {
    fn fit<'a>(&'a self, LoadedFit { loaded, opponent, .. }: &'a LoadedFit) -> Result<NetworkRun<'a>, Failure> {
        Ok(NetworkRun { inputs: loaded.inputs()?, config: &self.config, opponent: opponent.as_ref() })
    }

    /// Gives the config the games of a budget: as many as the unfinished run in the folder has, or as a new plan.
    fn plan(
        &mut self,
        budget: Duration,
        loaded: &mut LoadedFit,
        context: &Context<'_>,
        progress: &Progress,
    ) -> Result<(), Failure> {
        // A plan changes the number of games, so the folder has the name of the request.
        let run = OnSets { fit: self.fit(loaded)?, folder: None, made: &[], budget: Some(budget) };
        let out = context.folder(&self.name(&loaded.loaded.setup), &run.key());
        if let Some(own) = config_of(&out)? {
            // Whether the folder belongs to this run is decided when it is opened.
            if let Ok(own) = NetworkConfig::from_toml(&own, &out.to_string_lossy()) {
                self.config.games = own.games;
            }
        } else {
            let plan = run.fit.plan(budget, progress);
            if plan.is_err() {
                progress.finish();
            }
            let plan = plan?;
            if !self.flags.common.game.quiet {
                status!("{}", described(&plan));
            }
            self.config.games = plan.games;
            loaded.plan = Some(plan);
        }
        loaded.folder = Some(out);
        Ok(())
    }
}

impl RunRequest for NetworkRequest {
    type Loaded = LoadedFit;
    type Run<'a> = OnSets<'a, NetworkRun<'a>>;
    const DOING: &'static str = "training";

    fn load(&mut self, setup: &Arc<Setup>, context: &Context<'_>, progress: &Progress) -> Result<LoadedFit, Failure> {
        let (game, config) = (&self.flags.common.game, &self.config);
        // A missing GPU is reported before the run has a folder and labels.
        config.device.device()?;
        let needs_leaves = config.linear().needs_leaves();
        let leaves = loading::needed_leaves(needs_leaves, config.leaves.as_deref(), setup, game)?;
        let loaded = Loaded::new(Arc::clone(setup), game, &config.candidates, leaves)?;
        let opponent = config.matches.as_ref().map(|config| loading::player(&config.against, setup, game)).transpose()?;
        let mut loaded = LoadedFit { loaded, opponent, folder: None, plan: None };
        if let Some(budget) = self.more.budget {
            self.plan(budget, &mut loaded, context, progress)?;
        }
        Ok(loaded)
    }

    fn run<'a>(&'a self, _setup: &'a Setup, loaded: &'a LoadedFit) -> Result<Self::Run<'a>, Failure> {
        let made = loaded.plan.as_ref().map_or(&[][..], |plan| &plan.shards);
        let fit = self.fit(loaded)?;
        Ok(OnSets { fit, folder: self.more.sets.folder.as_deref(), made, budget: self.more.budget })
    }

    fn name(&self, setup: &Setup) -> String {
        let NetworkConfig { games, seed, .. } = self.config;
        let size = self.more.budget.map_or_else(|| format!("{games}-games"), |budget| format!("{}s", budget.as_secs_f64()));
        format!("network-{}-{}-{size}-{seed}", self.stem, setup.lexicon.name)
    }

    fn settled_folder(loaded: &LoadedFit) -> Option<&Path> {
        loaded.folder.as_deref()
    }

    fn finish(&self, finished: Finished<'_, Self::Run<'_>>, loaded: &LoadedFit) -> Result<Told, Failure> {
        let Finished { outcome, json: run, file, .. } = finished;
        let measured = loaded.plan.as_ref().map(|plan| plan.labels).unwrap_or_default();
        let trained = TrainedNetwork {
            run,
            games: self.config.games,
            report: &outcome.report,
            cpu_seconds: CpuSeconds::new(CpuTimes { labels: outcome.times.labels + measured, ..outcome.times }),
            budget_cpu_seconds: self.more.budget.map(|budget| budget.as_secs_f64()),
        };
        let (summary, times) = (trained.in_short(), Some(trained.times()));
        Ok(Told { summary, times, written: file.write_json(&trained) })
    }

    fn next(&self, out: &Path, setup: &Setup, _loaded: &LoadedFit) -> String {
        let against = opponent(self.config.leaves.as_ref(), setup);
        place("The network is", out, Base::Network(Some(out.into())), against, &self.flags.common.game)
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct TrainedNetwork<'a> {
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
#[derive(schemars::JsonSchema, Serialize)]
struct CpuSeconds {
    labels: f64,
    /// Computing the features.
    features: f64,
    training: f64,
    /// All other work.
    other: f64,
    /// The whole process.
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

impl TrainedNetwork<'_> {
    /// The explained part of held-out games, and the same by a linear fit and by the heads.
    fn in_short(&self) -> String {
        let NetworkReport { training_sets, linear, network, heads, .. } = self.report;
        let percent = |share: f64| 100.0 * share;
        let mut lines = vec![
            format!(
                "{} games, {} candidate sets; explained on held-out games:",
                grouped(self.games),
                grouped(*training_sets)
            ),
            ExplanationTable(network).to_string(),
            format!("a linear fit on the same sets explains {:.1} %", percent(linear.all.explained)),
        ];
        lines.extend(heads.iter().map(|HeadFigures { part, explained, linear, .. }| {
            format!("head {part}: {:.1} % explained, {:.1} % by a linear fit", percent(*explained), percent(*linear))
        }));
        lines.join("\n")
    }

    fn times(&self) -> String {
        let CpuSeconds { labels, features, training, other, total } = &self.cpu_seconds;
        let of_budget = self
            .budget_cpu_seconds
            .map_or(String::new(), |budget| format!(", {:.0} % of the budget of {budget:.0} s", 100.0 * total / budget));
        format!(
            "CPU time: labels {labels:.1} s, features {features:.1} s, training {training:.1} s, other {other:.1} s; {total:.1} s in all{of_budget}"
        )
    }
}

fn described(plan: &Plan) -> String {
    let [labels, fit] = [plan.labels_per_game, plan.fit_per_game].map(|seconds| 1e3 * seconds);
    let (games, expected) = (plan.games, plan.expected().as_secs_f64());
    format!("{games} games: {labels:.2} ms of CPU time per game for labels, {fit:.2} ms for the fit, {expected:.0} s in all")
}
