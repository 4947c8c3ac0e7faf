//! `evolve`: evolves the weights of features or of a network in matches against a baseline.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::LoadedNetwork;
use tilewright_engine::features::Features;
use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Estimate, Summary};
use tilewright_engine::{Base, Feature, LeaveData, Player, PlayerSpec, Setup};
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::{Evolution, EvolveOutcome, GenerationRecord};
use tilewright_train::evolve::space::{Evolved, Space, features_of};
use tilewright_train::run_config::RunConfig;
use tilewright_train::stored_match::spec::percent;

use crate::fitting::{FeatureWeight, FitRequest, RunJson, largest_weights, place};
use crate::flags::{PlayFlags, RunFlags, TableFlags};
use crate::matches::pair;
use crate::report::html::grouped;
use crate::runs::{Context, Finished, RunRequest, Told};
use crate::{Failure, Input, Number, Progress, loading};

#[derive(Debug, Args)]
pub struct EvolveArguments {
    /// Config of the run: a TOML file, or one in the program, such as quick or full (config list)
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    #[command(flatten)]
    pub flags: PlayFlags,
    #[command(flatten)]
    pub tables: TableFlags,
    #[command(flatten)]
    pub run: RunFlags,
}

pub type EvolveRequest = FitRequest<EvolveConfig>;

pub struct LoadedEvolution {
    baseline: Player,
    against: Player,
    leaves: Option<LeaveData>,
    start: Start,
}

/// The start from which candidates are made.
enum Start {
    Network(Box<LoadedNetwork>),
    Features(Arc<Features>),
}

pub fn request(arguments: &EvolveArguments) -> Result<EvolveRequest, Failure> {
    let EvolveArguments { config, flags, tables, .. } = arguments;
    FitRequest::of_file(config, &flags.with_tables(tables), (), |config: &mut EvolveConfig| {
        let start = config.network.as_mut().map(|network| &mut network.start);
        tables.name_in([&mut config.baseline, &mut config.promotion.against].into_iter().chain(start));
        config.leaves = tables.leaves.clone().or(config.leaves.take());
    })
}

impl RunRequest for EvolveRequest {
    type Loaded = LoadedEvolution;
    type Run<'a> = Evolution<'a>;
    const DOING: &'static str = "evolving";

    fn load(&mut self, setup: &Arc<Setup>, context: &Context<'_>, _progress: &Progress) -> Result<Self::Loaded, Failure> {
        let (game, config) = (&self.flags.common.game, &self.config);
        let player = |name: &PlayerSpec| loading::player(name, setup, game);
        let network = |name: &PlayerSpec| loading::network("network.start", name, setup, game);
        let network = config.network.as_ref().map(|own| network(&own.start)).transpose()?;
        let needs_leaves = network.is_none() && config.weights_of(&vec![0.0; config.weights.len()]).needs_leaves();
        let leaves = loading::needed_leaves(needs_leaves, config.leaves.as_deref(), setup, game)?;
        let (baseline, against) = (player(&config.baseline)?, player(&config.promotion.against)?);
        let start = if let Some(network) = network {
            Start::Network(Box::new(network))
        } else {
            let table = leaves.as_ref().map(|leaves| leaves.identity(&setup.tileset)).unwrap_or_default();
            let key = format!("{} {} {table} {}", setup.lexicon.hash, setup.rules_hash(), config.to_toml());
            let features = || features_of(config, setup, leaves.clone());
            Start::Features(context.memos.features.get_or(key, features).input()?)
        };
        Ok(LoadedEvolution { baseline, against, leaves, start })
    }

    fn run<'a>(&'a self, setup: &'a Setup, loaded: &'a LoadedEvolution) -> Result<Self::Run<'a>, Failure> {
        let (LoadedEvolution { baseline, against, leaves, start }, config) = (loaded, &self.config);
        let space = match start {
            Start::Network(network) => Space::of_network(config, network).input()?,
            Start::Features(features) => Space::of_features(config, Arc::clone(features)),
        };
        Ok(Evolution { setup, config, baseline, promotion: against, leaves: leaves.as_ref(), space })
    }

    fn name(&self, setup: &Setup) -> String {
        format!("evolve-{}-{}-{}", self.stem, setup.lexicon.name, self.config.seed)
    }

    fn finish(&self, finished: Finished<'_, Evolution<'_>>, _loaded: &LoadedEvolution) -> Result<Told, Failure> {
        let Finished { run, outcome, json, file, .. } = finished;
        let result = EvolveResult::new(json, run.config, run.space.network(), &outcome);
        Ok(Told { summary: result.to_string(), times: None, written: file.write_json(&result) })
    }

    fn next(&self, out: &Path, _setup: &Setup, _loaded: &LoadedEvolution) -> String {
        let player = match self.config.network {
            None => Base::Linear(out.into()),
            Some(_) => Base::Network(Some(out.into())),
        };
        place("The weights are", out, player, &self.config.baseline, &self.flags.common.game)
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct EvolveResult<'a> {
    #[serde(flatten)]
    run: RunJson,
    /// Games of all searches.
    games: u64,
    /// As in `generations.jsonl`.
    generations: &'a [GenerationRecord],
    finals: Vec<Final>,
    /// Weights of a linear evaluator are relative to the weight of the score.
    weights: Vec<FeatureWeight>,
    /// How far the last layer of a network moved, as a share of the length of its weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_layer_moved: Option<f64>,
    promoted: bool,
    promotion: Promotion<'a>,
    #[serde(skip)]
    outcome: &'a EvolveOutcome,
    #[serde(skip)]
    test: SequentialTest,
}

/// The start or the final mean of a search, with its results on new deals from its own view.
#[derive(schemars::JsonSchema, Serialize)]
struct Final {
    name: String,
    /// Whether it is the answer.
    selected: bool,
    pairs: u64,
    /// 0–1.
    win_rate: f64,
    /// Points per game.
    spread: f64,
}

/// The test of the answer, which is player A.
#[derive(schemars::JsonSchema, Serialize)]
struct Promotion<'a> {
    #[schemars(with = "String")]
    against: &'a PlayerSpec,
    seed: u64,
    /// Win rates, 0–1.
    h0: f64,
    h1: f64,
    verdict: &'static str,
    #[serde(flatten)]
    figures: Option<Summary>,
}

impl<'a> EvolveResult<'a> {
    pub fn new(
        run: RunJson,
        config: &'a EvolveConfig,
        start: Option<&LoadedNetwork>,
        outcome: &'a EvolveOutcome,
    ) -> EvolveResult<'a> {
        let start = start.map(|network| &network.weights);
        let (weights, last_layer_moved) = match (&outcome.weights, start) {
            (Evolved::Linear(weights), _) => (points_per_unit(weights), None),
            (Evolved::Network(evolved), Some(start)) => (skip_weights(config, start, evolved), Some(moved(start, evolved))),
            (Evolved::Network(_), None) => (Vec::new(), None),
        };
        let promotion = &config.promotion;
        EvolveResult {
            run,
            games: outcome.games,
            generations: &outcome.generations,
            finals: finals(outcome),
            weights,
            last_layer_moved,
            promoted: outcome.is_promoted(),
            promotion: Promotion {
                against: &promotion.against,
                seed: promotion.seed,
                h0: promotion.h0 / 100.0,
                h1: promotion.h1 / 100.0,
                verdict: pair::verdict(outcome.decision),
                figures: outcome.promotion.summary(),
            },
            outcome,
            test: promotion.test(),
        }
    }
}

fn finals(outcome: &EvolveOutcome) -> Vec<Final> {
    let numbered = outcome.finals.iter().enumerate();
    let row = numbered.map(|(number, candidate)| Final {
        name: if number == 0 { "start".into() } else { format!("search {number}") },
        selected: number == outcome.answer,
        pairs: candidate.score.pairs,
        win_rate: candidate.score.win_rate(),
        spread: candidate.score.mean_spread(),
    });
    row.collect()
}

/// The value of one unit of each feature, in points: its weight relative to the weight of the score.
fn points_per_unit(weights: &Weights) -> Vec<FeatureWeight> {
    let score = weights.weights.get(&Feature::Score).copied().unwrap_or(1.0);
    let weight = |(&feature, &weight): (&Feature, &f64)| FeatureWeight { feature, start: None, weight: weight / score };
    weights.weights.iter().map(weight).collect()
}

fn skip_weights(config: &EvolveConfig, start: &NetworkWeights, evolved: &NetworkWeights) -> Vec<FeatureWeight> {
    let weights = start.settings.features.iter().zip(start.skip.iter().zip(&evolved.skip));
    weights.filter(|(feature, _)| config.weights.contains_key(feature)).map(FeatureWeight::of_skip).collect()
}

/// How far the last layer of a network moved, as a share of the length of its weights.
fn moved(start: &NetworkWeights, evolved: &NetworkWeights) -> f64 {
    let [start, evolved] = [start, evolved].map(|network| network.layers.last().map_or(&[][..], |layer| &layer.weights));
    let length = |weights: &mut dyn Iterator<Item = f32>| weights.map(|weight| weight * weight).sum::<f32>().sqrt();
    let moved = length(&mut start.iter().zip(evolved).map(|(start, evolved)| evolved - start));
    f64::from(moved / length(&mut start.iter().copied()))
}

impl fmt::Display for EvolveResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let searches = self.generations.chunk_by(|one, next| one.search == next.search).count();
        let searches = if searches > 1 { format!(", {searches} searches") } else { String::new() };
        writeln!(f, "{} games, {} generations{searches}", grouped(self.games), self.generations.len())?;
        for Final { name, selected, pairs, win_rate, spread } in &self.finals {
            let chosen = if *selected { " (selected)" } else { "" };
            let rate = 100.0 * win_rate;
            writeln!(
                f,
                "{name:10} {rate:6.2} %, {:+.2} points per game over {pairs} pairs of new deals{chosen}",
                Number(*spread)
            )?;
        }
        writeln!(f, "{}", largest_weights(self.weights.iter().map(|weight| (weight.feature, weight.weight))))?;
        if let Some(moved) = self.last_layer_moved {
            writeln!(f, "weights of the last layer: moved by {:.1} % of their length", 100.0 * moved)?;
        }
        let Promotion { against, seed, h0, h1, .. } = &self.promotion;
        write!(f, "test on held-out deals against {against}, seed {seed}")?;
        if let Some(Summary { win_rate, spread, pairs, .. }) = &self.promotion.figures {
            let Estimate { mean, low, high } = win_rate.times(100.0);
            let spread = Number(spread.mean);
            write!(f, ": {mean:.1} % (95 %: {low:.1} to {high:.1}), {spread:+.1} points per game, {pairs} pairs")?;
        }
        writeln!(f)?;
        let [h0, h1] = [h0, h1].map(|&rate| percent(rate));
        match self.outcome.decision {
            Decision::AcceptH1 => write!(f, "promoted: a win rate of {h1} % rather than {h0} %"),
            Decision::AcceptH0 => write!(f, "not promoted: a win rate of {h0} % rather than {h1} %"),
            Decision::Open => {
                let [lower, upper] = self.test.bounds();
                let (ratio, pairs) =
                    (self.test.log_likelihood_ratio(&self.outcome.promotion.outcomes), self.outcome.promotion.pairs);
                write!(f, "not promoted: undecided after {pairs} pairs, LLR {ratio:+.2} between {lower:+.2} and {upper:+.2}")
            }
        }?;
        if self.outcome.answer == 0 && !self.promoted {
            f.write_str("; the search found nothing better than the start")?;
        }
        Ok(())
    }
}
