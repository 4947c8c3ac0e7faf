//! The inputs of candidate sets as a matrix.

use ndarray::{Array2, ArrayView2, Axis};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use tilewright_engine::features::Inputs;
use tilewright_engine::moves::Move;
use tilewright_engine::setup::Setup;

use super::label::CandidateSet;

/// The inputs of the candidates of many sets: one row per candidate, one column per input.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureMatrix(Array2<f32>);

impl FeatureMatrix {
    /// An empty matrix with `columns` columns, one for each input.
    pub fn new(columns: usize) -> FeatureMatrix {
        FeatureMatrix(Array2::zeros((0, columns)))
    }

    /// Appends the rows of the sets, in their order.
    pub fn append(&mut self, sets: &[&CandidateSet], inputs: &Inputs, setup: &Setup) {
        let rows = sets.par_iter().map(|set| {
            let position = set.position(setup);
            let moves: Vec<Move> = set.candidates.iter().map(|candidate| candidate.chosen).collect();
            inputs.values(&position.turn(setup), &moves)
        });
        let rows: Vec<f32> = rows.flatten_iter().flatten().collect();
        let rows = ArrayView2::from_shape((rows.len() / self.columns().max(1), self.columns()), &rows);
        let appended = rows.and_then(|rows| self.0.append(Axis(0), rows));
        appended.unwrap_or_else(|error| unreachable!("every row has a value for each input: {error}"));
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.nrows()
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.0.ncols()
    }

    /// A row.
    pub fn row(&self, number: usize) -> &[f32] {
        let columns = self.columns();
        &self.0.as_slice().unwrap_or_default()[number * columns..][..columns]
    }
}
