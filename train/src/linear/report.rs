//! The explained share of held-out labels.

use serde::{Deserialize, Serialize};
use tilewright_engine::series::Estimate;

use super::dataset::Dataset;
use crate::candidates::Target;

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
        let (mut sets, mut gain, mut win) = (0u64, Sums::default(), Sums::default());
        for (rows, _) in data.sets().filter(|&(_, bag)| is_meant(bag)) {
            let value = |row: usize| data.priors[row] + predictions[row];
            let best = rows.clone().max_by(|&a, &b| value(a).total_cmp(&value(b)).then(b.cmp(&a))).unwrap_or(rows.start);
            sets += 1;
            gain.add(data.gains[best] - data.gains[rows.start]);
            win.add(data.wins[best] - data.wins[rows.start]);
            for row in rows {
                let Target { points, noise, weight } = data.targets[row];
                squares += weight * points.powi(2);
                errors += weight * (points - predictions[row]).powi(2);
                noises += weight * noise;
            }
        }
        let squares = f64::max(squares, 1e-9);
        let (signal, explained) = (1.0 - noises / squares, 1.0 - errors / squares);
        Explained { sets, signal, explained, gain: gain.mean(), win_gain: win.mean() }
    }
}

/// The sums that a mean and its interval need.
#[derive(Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        *self = Sums { count: self.count + 1.0, sum: self.sum + value, squares: self.squares + value * value };
    }

    /// The mean with its interval.
    fn mean(&self) -> Estimate {
        let count = self.count.max(1.0);
        let mean = self.sum / count;
        Estimate::normal(mean, ((self.squares / count - mean * mean).max(0.0) / count).sqrt())
    }
}

/// The stage of a set with this share of the tiles of a full bag left in the bag, as an index of [`STAGES`].
pub fn stage_of(bag: f64) -> usize {
    STAGES.iter().position(|&(_, least)| bag >= least).unwrap_or(STAGES.len() - 1)
}
