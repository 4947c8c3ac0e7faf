//! The inputs of candidate sets as a matrix.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tilewright_engine::features::Inputs;
use tilewright_engine::moves::Move;
use tilewright_engine::setup::Setup;

use super::label::CandidateSet;

/// The inputs of the candidates of many sets: one row per candidate, one column per input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureMatrix {
    /// Number of columns.
    columns: usize,
    /// Row after row.
    values: Vec<f32>,
}

impl FeatureMatrix {
    /// An empty matrix with `columns` columns, one for each input.
    pub fn new(columns: usize) -> FeatureMatrix {
        FeatureMatrix { columns, values: Vec::new() }
    }

    /// Appends the rows of the sets, in their order.
    pub fn append(&mut self, sets: &[&CandidateSet], inputs: &Inputs, setup: &Setup) {
        let rows = sets.par_iter().map(|set| {
            let position = set.position(setup);
            let moves: Vec<Move> = set.candidates.iter().map(|candidate| candidate.chosen).collect();
            inputs.values(&position.turn(setup), &moves)
        });
        for row in rows.collect::<Vec<_>>().into_iter().flatten() {
            self.values.extend(row);
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
