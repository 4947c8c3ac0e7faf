//! The features of candidate sets as a matrix.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tilewright_engine::features::Features;
use tilewright_engine::moves::Move;
use tilewright_engine::setup::Setup;

use super::label::CandidateSet;

/// The features of the candidates of many sets: one row per candidate, one column per feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureMatrix {
    /// Number of columns.
    columns: usize,
    /// Row after row.
    values: Vec<f32>,
}

impl FeatureMatrix {
    /// An empty matrix with `columns` columns.
    pub fn new(columns: usize) -> FeatureMatrix {
        FeatureMatrix { columns, values: Vec::new() }
    }

    /// Appends the rows of the sets, in their order.
    pub fn append(&mut self, sets: &[CandidateSet], features: &Features, setup: &Setup) {
        let rows = sets.par_iter().map(|set| {
            let position = set.position(setup);
            let moves: Vec<Move> = set.candidates.iter().map(|candidate| candidate.chosen).collect();
            features.values(&position.turn(setup), &moves)
        });
        for row in rows.collect::<Vec<_>>().into_iter().flatten() {
            self.values.extend(row.iter().map(|&value| value as f32));
        }
    }

    /// Appends the rows of another matrix from row `first` on.
    pub fn extend_from(&mut self, other: &FeatureMatrix, first: usize) {
        self.values.extend_from_slice(&other.values[first * other.columns..]);
    }

    /// Subtracts from each column its mean over a range of rows.
    pub fn centre(&mut self, rows: std::ops::Range<usize>) {
        let count = rows.len().max(1) as f64;
        for column in 0..self.columns {
            let places = rows.clone().map(|row| row * self.columns + column);
            let mean = places.clone().map(|place| f64::from(self.values[place])).sum::<f64>() / count;
            places.for_each(|place| self.values[place] -= mean as f32);
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// A row.
    pub fn row(&self, number: usize) -> &[f32] {
        &self.values[number * self.columns..][..self.columns]
    }
}
