//! The whole fit: candidate sets, features, and the regression, with its report. The journal keeps the candidate sets.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::features::{ExtraInput, Feature, Inputs};
use tilewright_engine::series::Estimate;

use super::config::LinearFitConfig;
use super::dataset::{Dataset, prior};
use super::ridge::{GROUPS, fit};
use crate::candidates::{CandidateSet, FitInputs, Maker, Part, Share, Target, Targets};
use crate::cpu_clock::{CpuClock, CpuTimes};
use crate::journal::{Journal, JournalError};
use crate::run::RunError;

/// The most held-out sets that a regression keeps.
pub const MAX_KEPT: usize = 4000;

/// A fit: its inputs and its config.
pub struct LinearFit<'a> {
    /// The inputs of the candidate sets and the features.
    pub inputs: FitInputs<'a>,
    /// The config.
    pub config: &'a LinearFitConfig,
}

/// The candidate sets of a regression, and the columns of its datasets besides the features and the target.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// More columns, which the regression does not use.
    pub inputs: &'a [ExtraInput],
    /// Parts with labels and a regression of their own.
    pub parts: &'a [Part],
}

/// The candidates of a fit, and β.
pub struct Regression {
    /// The inputs that compute the columns of the datasets.
    pub columns: Arc<Inputs>,
    /// The candidates that β is fitted to.
    pub training: Dataset,
    /// The candidates that chose the strengths.
    pub validation: Dataset,
    /// The candidates for the report.
    pub held_out: Dataset,
    /// The first of their sets, at most [`MAX_KEPT`].
    pub held_out_sets: Vec<CandidateSet>,
    /// β by feature, in points per unit.
    pub added: Vec<f64>,
    /// The same for each of the parts.
    pub added_of_parts: Vec<Vec<f64>>,
    /// The strength of each group, in points for a feature of its size.
    pub strengths: [f64; 3],
    /// The CPU time so far.
    pub times: CpuTimes,
}

/// The result of a fit.
pub struct LinearOutcome {
    /// The weights.
    pub weights: Weights,
    /// Their figures.
    pub report: LinearReport,
}

impl LinearFit<'_> {
    /// Makes the candidate sets, and fits the weights. `sets` is the journal of [`Maker::key`].
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(&self, sets: &Journal<'_>) -> Result<LinearOutcome, RunError> {
        let rows = Rows { inputs: &[], parts: &[] };
        let Regression { training, held_out, added, strengths, .. } = self.regression(rows, sets)?;
        let report = LinearReport {
            training_sets: training.sets().count() as u64,
            correction: training.unexplained().sqrt(),
            strengths: GROUPS.iter().map(ToString::to_string).zip(strengths).collect(),
            held_out: Explanation::new(&held_out, &held_out.predictions(&added)),
        };
        let weights = self.weights(&training.features, &added);
        weights.check()?;
        Ok(LinearOutcome { weights, report })
    }

    /// Makes the candidate sets and fits β to them.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn regression(&self, rows: Rows<'_>, sets: &Journal<'_>) -> Result<Regression, RunError> {
        let LinearFit { inputs, config } = self;
        let maker = Maker::new(inputs, &config.candidates, config.seed);
        self.regression_on(rows, |take| maker.each(sets, config.games, |sets| take(&sets)))
    }

    /// Like [`LinearFit::regression`], on the sets that `each` hands over, in order of the games.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn regression_on(
        &self,
        rows: Rows<'_>,
        each: impl FnOnce(&mut dyn FnMut(&[CandidateSet])) -> Result<(), JournalError>,
    ) -> Result<Regression, RunError> {
        let LinearFit { inputs, config } = self;
        let (setup, split, deals) = (inputs.setup, config.split(), config.candidates.deals);
        let targets = Targets { config: config.target, deals, win_percentage: inputs.win_percentage };
        let features: Vec<Feature> = config.features.iter().copied().collect();
        let columns = Inputs::new(&features, rows.inputs, setup, inputs.leaves.clone())?;
        let [mut training, mut validation, mut held_out] =
            std::array::from_fn(|_| Dataset::new(features.clone(), columns.count(), rows.parts));
        let mut held_out_sets = Vec::new();
        let (mut clock, mut times) = (CpuClock::start(), CpuTimes::default());
        each(&mut |sets| {
            times.labels += clock.lap();
            let shares =
                [(Share::Training, &mut training), (Share::Validation, &mut validation), (Share::HeldOut, &mut held_out)];
            for (share, data) in shares {
                let part: Vec<&CandidateSet> = sets.iter().filter(|set| split.share(set.game) == share).collect();
                data.append(&part, &columns, setup, targets);
                if share == Share::HeldOut {
                    held_out_sets.extend(part.into_iter().take(MAX_KEPT - held_out_sets.len()).cloned());
                }
            }
            times.features += clock.lap();
        })?;
        let counts = [&training, &validation, &held_out].map(|data| data.sets().count());
        if let [training, validation, held_out] = counts
            && counts.contains(&0)
        {
            return Err(RunError::Input(format!(
                "{training} candidate sets for training, {validation} for validation and {held_out} held out; raise games"
            )));
        }
        let singular = |error| {
            RunError::Input(format!("the regression has no stable solution ({error:?}); remove features that say the same"))
        };
        let fit = |part| fit(&training, &validation, part).map_err(singular);
        let (added, strengths) = fit(None)?;
        let of_part = |number| Ok(fit(Some(number))?.0);
        let added_of_parts = (0..rows.parts.len()).map(of_part).collect::<Result<_, RunError>>()?;
        times.training = clock.lap();
        let columns = Arc::new(columns);
        Ok(Regression { columns, training, validation, held_out, held_out_sets, added, added_of_parts, strengths, times })
    }

    /// The weights of the evaluator: the prior plus the learned weights.
    fn weights(&self, features: &[Feature], added: &[f64]) -> Weights {
        let learned = features.iter().zip(added).map(|(&feature, added)| (feature, prior(feature) + added));
        let weights: BTreeMap<Feature, f64> = learned.chain([(Feature::Score, 1.0)]).collect();
        Weights { candidates: self.config.candidate_moves, ..Weights::new(weights) }
    }
}

/// The stages of a game by the share of the bag that is left, from the first.
pub const STAGES: [(&str, f64); 3] = [("early", 2.0 / 3.0), ("middle", 1.0 / 3.0), ("late", 0.0)];

/// Figures of a fit on held-out games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct LinearReport {
    /// Candidate sets that the fit has seen.
    pub training_sets: u64,
    /// Standard deviation of the moves' gain beyond score and prior, without the noise of the labels, in points.
    pub correction: f64,
    /// Strengths by group of features, in points for a feature of its size.
    pub strengths: Vec<(String, f64)>,
    /// The figures of the weights on the held-out sets.
    pub held_out: Explanation,
}

/// The figures of a fit on some sets, by stage of the game and in all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Explanation {
    /// By stage.
    pub stages: Vec<(String, Explained)>,
    /// All sets.
    pub all: Explained,
}

/// The figures of a fit on the labels of some sets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Explained {
    /// Candidate sets.
    pub sets: u64,
    /// The share of signal in the variance of the targets beyond score and prior. The rest is noise of the deals.
    pub signal: f64,
    /// The share of the variance of the targets that the fit explains, 0–1.
    pub explained: f64,
    /// Points that the choice of the fit gains over the best move by static equity, per turn.
    pub gain: Estimate,
    /// Win probability that it gains per turn, 0–1.
    pub win_gain: Estimate,
}

impl Explanation {
    /// The figures over a dataset of a fit that adds these predictions to score and prior, in points.
    pub fn new(data: &Dataset, predictions: &[f64]) -> Explanation {
        let stages = STAGES.iter().enumerate();
        let stages = stages.map(|(stage, (name, _))| ((*name).into(), Explained::new(data, predictions, Some(stage))));
        Explanation { stages: stages.collect(), all: Explained::new(data, predictions, None) }
    }

    /// The figures with the name of each stage that has sets, and last the figures of all sets.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &Explained)> {
        let stages = self.stages.iter().filter(|(_, one)| one.sets > 0);
        stages.map(|(name, one)| (name.as_str(), one)).chain([("all", &self.all)])
    }
}

impl Explained {
    /// The gains per turn in points and in per cent of a win, with their 95 % intervals.
    pub fn gains(&self) -> [String; 2] {
        [self.gain, self.win_gain.times(100.0)].map(|gain| format!("{:+.2} ± {:.2}", gain.mean, gain.half_width()))
    }

    /// The figures over the sets of a dataset in a stage, or of all stages for `None`.
    fn new(data: &Dataset, predictions: &[f64], stage: Option<usize>) -> Explained {
        let is_meant = |bag: f64| stage.is_none_or(|stage| stage_of(bag) == stage);
        let (mut squares, mut errors, mut noises) = (0.0, 0.0, 0.0);
        let (mut gains, mut wins) = (Vec::new(), Vec::new());
        for (rows, _) in data.sets().filter(|&(_, bag)| is_meant(bag)) {
            let value = |row: usize| data.priors[row] + predictions[row];
            let best = rows.clone().max_by(|&a, &b| value(a).total_cmp(&value(b)).then(b.cmp(&a))).unwrap_or(rows.start);
            gains.push(data.gains[best] - data.gains[rows.start]);
            wins.push(data.wins[best] - data.wins[rows.start]);
            for row in rows {
                let Target { points, noise, weight } = data.targets[row];
                squares += weight * points.powi(2);
                errors += weight * (points - predictions[row]).powi(2);
                noises += weight * noise;
            }
        }
        let squares = f64::max(squares, 1e-9);
        let (signal, explained) = (1.0 - noises / squares, 1.0 - errors / squares);
        Explained { sets: gains.len() as u64, signal, explained, gain: mean_of(&gains), win_gain: mean_of(&wins) }
    }
}

/// The mean of some values with its interval.
fn mean_of(values: &[f64]) -> Estimate {
    let count = values.len().max(1) as f64;
    let [sum, squares] = values.iter().fold([0.0_f64; 2], |[sum, squares], value| [sum + value, squares + value * value]);
    let mean = sum / count;
    Estimate::normal(mean, ((squares / count - mean * mean).max(0.0) / count).sqrt())
}

/// The stage of a set with this share of the tiles of a full bag left in the bag, as an index of [`STAGES`].
pub fn stage_of(bag: f64) -> usize {
    STAGES.iter().position(|&(_, least)| bag >= least).unwrap_or(STAGES.len() - 1)
}
