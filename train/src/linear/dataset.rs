//! The rows of the regression: candidates with their centred labels and features.

use tilewright_engine::features::{Feature, Features, LeaveFeature};
use tilewright_engine::setup::Setup;

use crate::candidates::{CandidateSet, FeatureMatrix, Label};

/// The weight of a feature before anything is learned: `leave+pool+late`.
pub fn prior(feature: Feature) -> f64 {
    match feature {
        Feature::Leave(LeaveFeature::TableValue | LeaveFeature::LeaveForUnseen | LeaveFeature::Late) => 1.0,
        _ => 0.0,
    }
}

/// The candidates of many sets, centred on the means of their sets.
pub struct Dataset {
    features: Vec<Feature>,
    /// The features, a row per candidate, and the same centred on the means of their sets.
    raw: FeatureMatrix,
    matrix: FeatureMatrix,
    /// The labels, in points.
    pub gains: Vec<f64>,
    /// The labels less what score and prior weights say, in points.
    pub residuals: Vec<f64>,
    /// The variance of each label, in square points.
    pub noises: Vec<f64>,
    /// For each set, the row after its last one, and the share of the tiles of a full bag that are left in the bag.
    sets: Vec<(usize, f64)>,
}

impl Dataset {
    /// An empty dataset with these features.
    pub fn new(features: Vec<Feature>) -> Dataset {
        let [raw, matrix] = [FeatureMatrix::new(features.len()), FeatureMatrix::new(features.len())];
        let (gains, residuals, noises, sets) = Default::default();
        Dataset { features, raw, matrix, gains, residuals, noises, sets }
    }

    /// Appends sets whose labels are from `deals` deals. `features` computes the features of the dataset, in order.
    pub fn append(&mut self, sets: &[CandidateSet], features: &Features, setup: &Setup, deals: u64) {
        let mut at = self.matrix.rows();
        self.raw.append(sets, features, setup);
        self.matrix.extend_from(&self.raw, at);
        let full = setup.tileset.total_tiles().saturating_sub(2 * setup.tileset.rules().rack_size).max(1);
        for set in sets {
            let end = at + set.candidates.len();
            self.matrix.centre(at..end);
            let scores = set.candidates.iter().map(|candidate| f64::from(candidate.chosen.score()));
            let mean = scores.clone().sum::<f64>() / set.candidates.len() as f64;
            for ((candidate, score), row) in set.candidates.iter().zip(scores).zip(at..end) {
                let gain = Label::mean(candidate.gain, deals) / 1000.0;
                let of_prior = self.features.iter().zip(self.matrix.row(row));
                let prior: f64 = of_prior.map(|(&feature, &value)| prior(feature) * f64::from(value)).sum();
                self.gains.push(gain);
                self.residuals.push(gain - (score - mean) - prior);
                self.noises.push(candidate.gain.variance(deals) / 1e6);
            }
            self.sets.push((end, set.bag(setup) as f64 / full as f64));
            at = end;
        }
    }

    /// The features, in the order of the columns.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The number of candidates.
    pub fn rows(&self) -> usize {
        self.residuals.len()
    }

    /// The features of a candidate as they are.
    pub fn raw(&self, number: usize) -> &[f32] {
        self.raw.row(number)
    }

    /// The centred features of a candidate.
    pub fn row(&self, number: usize) -> &[f32] {
        self.matrix.row(number)
    }

    /// The rows of each set, with the share of the bag that is left.
    pub fn sets(&self) -> impl Iterator<Item = (std::ops::Range<usize>, f64)> + '_ {
        let begins = std::iter::once(0).chain(self.sets.iter().map(|&(end, _)| end));
        begins.zip(&self.sets).map(|(begin, &(end, bag))| (begin..end, bag))
    }

    /// What the weights β add to the prior, for one candidate, in points.
    pub fn predicted(&self, weights: &[f64], row: usize) -> f64 {
        self.row(row).iter().zip(weights).map(|(&value, weight)| f64::from(value) * weight).sum()
    }

    /// The variance of the residuals that the noise of the labels does not explain, in square points; at least 1.
    pub fn unexplained(&self) -> f64 {
        let squares: f64 = self.residuals.iter().map(|residual| residual * residual).sum();
        ((squares - self.noises.iter().sum::<f64>()) / self.rows().max(1) as f64).max(1.0)
    }
}
