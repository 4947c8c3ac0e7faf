//! Least-squares TD: the weights that fit all turns so far, instead of gradient steps.

use faer::Mat;
use faer::linalg::solvers::Solve;
use serde::{Deserialize, Serialize};

use super::terms::Term;

/// The prior: each term counts as observed alone this many times with a gain of 0. A term that never occurs gets weight 0.
const PRIOR_TURNS: f64 = 1.0;

/// The linear equations of LSTD(λ) (Boyan 1999), summed over turns: the trace of a turn times the difference between its
/// terms and the terms of the next turn, and the trace times the points between the two turns. With λ = 1 the weights are
/// plain least squares on the change of the spread until the end of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equations {
    /// The matrix by rows, one row per term of the trace.
    matrix: Vec<f64>,
    points: Vec<f64>,
}

impl Equations {
    /// Creates empty equations for `terms` terms.
    pub fn new(terms: usize) -> Equations {
        Equations { matrix: vec![0.0; terms * terms], points: vec![0.0; terms] }
    }

    /// Adds a turn: its trace, its terms, the terms of the next turn if there is one, and the points between the two.
    pub fn add(&mut self, trace: &[f64], terms: &[Term], next: &[Term], points: f64) {
        let rows = self.matrix.chunks_exact_mut(trace.len()).zip(&mut self.points).zip(trace);
        for ((row, sum), &trace) in rows.filter(|(_, trace)| **trace != 0.0) {
            for term in terms {
                row[term.number as usize] += trace * f64::from(term.amount);
            }
            for term in next {
                row[term.number as usize] -= trace * f64::from(term.amount);
            }
            *sum += trace * points;
        }
    }

    /// Solves for the weights.
    pub fn solve(&self) -> Vec<f64> {
        let terms = self.points.len();
        let matrix = Mat::from_fn(terms, terms, |row, column| {
            self.matrix[row * terms + column] + if row == column { PRIOR_TURNS } else { 0.0 }
        });
        let right = Mat::from_fn(terms, 1, |row, _| self.points[row]);
        let weights = matrix.partial_piv_lu().solve(right);
        (0..terms).map(|term| weights[(term, 0)]).collect()
    }
}
