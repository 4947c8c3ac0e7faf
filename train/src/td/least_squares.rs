//! The weights that fit all turns so far at once, in place of steps towards them.

use faer::Mat;
use faer::linalg::solvers::Solve;
use serde::{Deserialize, Serialize};

use super::terms::Term;

/// As if each term had been seen alone so often, with nothing gained: a term that was never seen is worth nothing.
const PRIOR_TURNS: f64 = 1.0;

/// Sums over turns of what the weights have to solve (LSTD(λ), Boyan 1999): the trace of a turn times what its terms are less those of the
/// next turn, and times the points between the two. With λ = 1 the weights are those of plain least squares on the points that were
/// still won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equations {
    /// Row by row; a row for each term of the trace.
    matrix: Vec<f64>,
    points: Vec<f64>,
}

impl Equations {
    /// None yet, for so many terms.
    pub fn new(terms: usize) -> Equations {
        Equations { matrix: vec![0.0; terms * terms], points: vec![0.0; terms] }
    }

    /// Of how many terms they are; nothing if they are of no number.
    pub fn terms(&self) -> Option<usize> {
        let terms = self.points.len();
        (self.matrix.len() == terms * terms).then_some(terms)
    }

    /// Adds a turn: its trace, its terms, those of the next turn if there is one, and the points between.
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

    /// The weights that solve them.
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
