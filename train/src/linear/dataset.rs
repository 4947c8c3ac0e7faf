//! The rows of the regression: candidates with their centred labels and features.

use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator, ParallelExtend, ParallelIterator};
use tilewright_engine::features::{Feature, Inputs, LeaveFeature};
use tilewright_engine::{Setup, TileSet};

use crate::candidates::{CandidateSet, Part, Target, Targets};

/// The weight of a feature before anything is learned: `leave+pool+late`.
pub fn prior(feature: Feature) -> f64 {
    match feature {
        Feature::Leave(LeaveFeature::TableValue | LeaveFeature::LeaveForUnseen | LeaveFeature::Late) => 1.0,
        _ => 0.0,
    }
}

/// The tiles in the bag when a game begins, at least one.
pub fn full_bag(tileset: &TileSet) -> usize {
    tileset.total_tiles().saturating_sub(2 * tileset.rules().rack_size).max(1)
}

/// The candidates of many sets, with labels centred on the means of their sets.
pub struct Dataset {
    /// The features, in the order of the first columns.
    pub features: Vec<Feature>,
    /// The number of inputs.
    pub columns: usize,
    /// The inputs, by candidate and column.
    inputs: Vec<f32>,
    /// The simulated gains, in points.
    pub gains: Vec<f64>,
    /// The simulated win probabilities, 0–1, as differences from the mean of the set.
    pub wins: Vec<f64>,
    /// Scores plus features times their prior weights, centred, in points.
    pub priors: Vec<f64>,
    /// The targets less the priors. All candidates of a set have the same weight.
    pub targets: Vec<Target>,
    /// The labels of the parts that are wanted besides, by row. Those that contain the score are less the priors.
    pub parts: Vec<(Part, Vec<Target>)>,
    /// For each set, the row after its last one, and the share of the tiles of a full bag that are left in the bag.
    sets: Vec<(usize, f64)>,
}

impl Dataset {
    /// An empty dataset with these features, which are the first of `columns` inputs. It will also have the labels of these parts.
    pub fn new(features: Vec<Feature>, columns: usize, parts: &[Part]) -> Dataset {
        let parts = parts.iter().map(|&part| (part, Vec::new())).collect();
        let (inputs, gains, wins, priors, targets, sets) = Default::default();
        Dataset { features, columns, inputs, gains, wins, priors, targets, parts, sets }
    }

    /// Appends sets with these targets. `inputs` computes the inputs of the dataset, in order.
    pub fn append(&mut self, sets: &[&CandidateSet], inputs: &Inputs, setup: &Setup, targets: Targets<'_>) {
        let mut at = self.rows();
        let values = |set: &&CandidateSet| set.at_turn(setup, |turn| inputs.values(turn, &set.moves()));
        self.inputs.par_extend(sets.par_iter().map(values).flatten_iter().flatten_iter());
        let priors: Vec<f64> = self.features.iter().map(|&feature| prior(feature)).collect();
        let full = full_bag(&setup.tileset);
        for set in sets {
            let end = at + set.candidates.len();
            let priors = self.scores_and_sums(set, &priors, at..end);
            let targets_of_set = targets.of_set(set, setup);
            for ((candidate, prior), target) in set.candidates.iter().zip(priors).zip(targets_of_set) {
                self.gains.push(candidate.gain.mean(targets.deals) / 1e3);
                self.wins.push(candidate.win_probability.mean(targets.deals) / 1e6);
                self.priors.push(prior);
                self.targets.push(Target { points: target.points - prior, ..target });
            }
            for (part, labels) in &mut self.parts {
                let prior = |row: usize| if part.contains_the_score() { self.priors[row] } else { 0.0 };
                let of_set = targets.of_part(*part, set, setup).into_iter().zip(at..end);
                labels.extend(of_set.map(|(label, row)| Target { points: label.points - prior(row), ..label }));
            }
            self.sets.push((end, set.bag(setup) as f64 / full as f64));
            at = end;
        }
    }

    /// The number of candidates.
    pub fn rows(&self) -> usize {
        self.targets.len()
    }

    /// The inputs of a candidate.
    pub fn row(&self, number: usize) -> &[f32] {
        &self.inputs[number * self.columns..][..self.columns]
    }

    /// The labels of a fit, by candidate: the targets beyond score and prior, or the labels of part number `part`.
    pub fn labels(&self, part: Option<usize>) -> &[Target] {
        part.map_or(&self.targets, |number| &self.parts[number].1)
    }

    /// The mean of each feature over some candidates.
    pub fn means(&self, rows: Range<usize>) -> Vec<f64> {
        let mut means = vec![0.0; self.features.len()];
        let share = 1.0 / rows.len().max(1) as f64;
        for row in rows {
            means.iter_mut().zip(self.row(row)).for_each(|(mean, &value)| *mean += share * f64::from(value));
        }
        means
    }

    /// The rows of each set, with the share of the bag that is left.
    pub fn sets(&self) -> impl Iterator<Item = (Range<usize>, f64)> + '_ {
        let begins = std::iter::once(0).chain(self.sets.iter().map(|&(end, _)| end));
        begins.zip(&self.sets).map(|(begin, &(end, bag))| (begin..end, bag))
    }

    /// The correction of the prior by the weights β, for each candidate, centred on its set, in points.
    pub fn predictions(&self, weights: &[f64]) -> Vec<f64> {
        self.sets().flat_map(|(rows, _)| self.centred_sums(weights, rows)).collect()
    }

    /// The scores of the candidates of one set and the weighted sums of their features, centred.
    fn scores_and_sums(&self, set: &CandidateSet, weights: &[f64], rows: Range<usize>) -> Vec<f64> {
        let scores: Vec<f64> = set.candidates.iter().map(|candidate| f64::from(candidate.chosen.score())).collect();
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        self.centred_sums(weights, rows).into_iter().zip(scores).map(|(sum, score)| score - mean + sum).collect()
    }

    /// The weighted sums of the features of one set, centred.
    fn centred_sums(&self, weights: &[f64], rows: Range<usize>) -> Vec<f64> {
        let sum = |row| self.row(row).iter().zip(weights).map(|(&value, weight)| f64::from(value) * weight).sum::<f64>();
        let mut sums: Vec<f64> = rows.map(sum).collect();
        centre(&mut sums);
        sums
    }

    /// The weighted mean square of some errors, one for each candidate.
    pub fn mean_square(&self, errors: impl Iterator<Item = f64>) -> f64 {
        let sum: f64 = errors.zip(&self.targets).map(|(error, target)| target.weight * error * error).sum();
        sum / self.targets.iter().map(|target| target.weight).sum::<f64>().max(1e-9)
    }

    /// The variance of the targets beyond score and prior that their noise does not explain, in square points, at least 1.
    pub fn unexplained(&self) -> f64 {
        let noise = self.mean_square(self.targets.iter().map(|target| target.noise.sqrt()));
        (self.mean_square(self.targets.iter().map(|target| target.points)) - noise).max(1.0)
    }
}

/// Subtracts the mean.
pub fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    for value in values {
        *value -= mean;
    }
}
