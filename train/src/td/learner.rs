//! TD(λ) on linear terms: learns weights from trajectories, one after the other. Least-squares TD has the weights that fit all turns so
//! far, instead of gradient steps.

use faer::Mat;
use faer::linalg::solvers::Solve;
use serde::{Deserialize, Serialize};

use super::terms::Term;
use super::trajectory::{Rule, Step, Target, Trajectory};

/// The learning method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// A gradient step after each turn.
    #[default]
    Gradient,
    /// After each batch, the least-squares weights of all turns so far.
    LeastSquares,
}

/// The weights learned so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learner {
    /// One weight per term, in points.
    pub weights: Vec<f64>,
    /// The equations of all turns so far, for least squares.
    equations: Option<Equations>,
}

impl Learner {
    /// Creates a learner with all weights 0.
    pub fn new(terms: usize, method: Method) -> Learner {
        let equations = (method == Method::LeastSquares).then(|| Equations::new(terms));
        Learner { weights: vec![0.0; terms], equations }
    }

    /// The prediction after a step.
    fn prediction(&self, step: &Step<Vec<Term>>, target: Target) -> f64 {
        let value = step.observed.iter().map(|term| f64::from(term.amount) * self.weights[term.number as usize]).sum();
        target.prediction(step, value)
    }

    /// Learns from a trajectory. Returns the sum of the squared differences and their number. Least squares wait for [`Learner::fit`].
    pub fn learn(&mut self, trajectory: &Trajectory<Vec<Term>>, rule: &Rule) -> (f64, u64) {
        let Rule { target, lambda, rate } = *rule;
        let mut traces = vec![0.0; self.weights.len()];
        let (mut squares, mut count) = (0.0, 0);
        for (number, step) in trajectory.steps.iter().enumerate() {
            let prediction = self.prediction(step, target);
            let next = trajectory.steps.get(number + 1);
            for trace in &mut traces {
                *trace *= lambda;
            }
            let slope = target.slope(prediction);
            step.observed.iter().for_each(|term| traces[term.number as usize] += slope * f64::from(term.amount));
            if trajectory.explores_after(number) {
                traces.fill(0.0);
                continue;
            }
            let next_prediction = next.map(|next| self.prediction(next, target));
            let difference = trajectory.difference(number, target, prediction, next_prediction);
            squares += difference * difference;
            count += 1;
            if let Some(equations) = &mut self.equations {
                let points = next.map_or(trajectory.final_spread, |next| next.spread) - step.spread;
                let next = next.map_or(&[][..], |next| &next.observed);
                equations.add(&traces, &step.observed, next, f64::from(points));
            } else {
                self.weights.iter_mut().zip(&traces).for_each(|(weight, trace)| *weight += rate * difference * trace);
            }
        }
        (squares, count)
    }

    /// Sets the weights to those that fit all turns so far, if the method is least squares.
    pub fn fit(&mut self) {
        self.weights = self.equations.as_ref().map_or_else(|| std::mem::take(&mut self.weights), Equations::solve);
    }
}

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

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use tilewright_engine::rng::stream;

    use super::*;

    fn terms(held: bool) -> Vec<Term> {
        (0..=u16::from(held)).map(Term::once).collect()
    }

    /// A chain of turns: a player that holds pattern 1 gains 1½ points on average by the next turn, and otherwise loses 1½.
    fn chain(game: u64) -> Trajectory<Vec<Term>> {
        let mut draws = stream(4, "chain", game);
        let (mut spread, mut steps) = (0, Vec::new());
        let mut held = false;
        for turn in 0..12 {
            spread += if held { draws.random_range(-18..=21) } else { draws.random_range(-21..=18) };
            if turn == 0 {
                spread = 0;
            }
            held = draws.random_bool(0.5);
            steps.push(Step { observed: terms(held), spread, explored: false });
        }
        Trajectory { steps, final_spread: spread }
    }

    #[test]
    fn gradient_steps_learn_the_value_of_a_pattern() {
        for lambda in [0.0, 0.7] {
            let mut learner = Learner::new(2, Method::Gradient);
            for game in 0..30_000u64 {
                let rate = 0.02 / (1.0 + game as f64 / 500.0);
                learner.learn(&chain(game), &Rule { target: Target::Points, lambda, rate });
            }
            let [always, held] = [0, 1].map(|pattern: usize| learner.weights[pattern]);
            assert!((held - 3.0).abs() < 0.7 && (always + 1.5).abs() < 0.7, "{lambda} {:?}", learner.weights);
        }
    }

    #[test]
    fn least_squares_learns_the_value_of_a_pattern() {
        for lambda in [0.0, 0.7, 1.0] {
            let mut learner = Learner::new(3, Method::LeastSquares);
            for game in 0..10_000 {
                let before = learner.weights.clone();
                learner.learn(&chain(game), &Rule { target: Target::Points, lambda, rate: 0.0 });
                assert_eq!(learner.weights, before);
            }
            learner.fit();
            let weights = &learner.weights;
            assert!((weights[1] - 3.0).abs() < 0.3 && (weights[0] + 1.5).abs() < 0.3, "{lambda} {weights:?}");
            // Term 2 never occurs.
            assert!(weights[2].abs() < 1e-12);
        }
    }

    #[test]
    fn least_squares_with_lambda_1_gives_plain_means() {
        // One turn per game and λ = 1: the means with and without the pattern, apart from the prior.
        let mut learner = Learner::new(2, Method::LeastSquares);
        let (mut sums, mut counts) = ([0.0; 2], [0.0; 2]);
        for game in 0..1000u64 {
            let mut draws = stream(6, "one turn", game);
            let held = draws.random_bool(0.4);
            let final_spread = draws.random_range(-80..=90) + if held { 20 } else { 0 };
            sums[usize::from(held)] += f64::from(final_spread);
            counts[usize::from(held)] += 1.0;
            let steps = vec![Step { observed: terms(held), spread: 0, explored: false }];
            learner.learn(&Trajectory { steps, final_spread }, &Rule { target: Target::Points, lambda: 1.0, rate: 0.0 });
        }
        learner.fit();
        let [without, with] = [0, 1].map(|held: usize| sums[held] / counts[held]);
        assert!((learner.weights[0] - without).abs() < 0.3 && (learner.weights[0] + learner.weights[1] - with).abs() < 0.3);
    }

    #[test]
    fn an_exploring_move_does_not_count_against_earlier_moves() {
        let step = |pattern, spread, explored| Step { observed: vec![Term::once(pattern)], spread, explored };
        let steps = vec![step(0, 0, false), step(1, -50, true), step(2, -40, false)];
        let mut learner = Learner::new(3, Method::Gradient);
        let rule = Rule { target: Target::Points, lambda: 1.0, rate: 0.1 };
        let (_, count) = learner.learn(&Trajectory { steps, final_spread: -40 }, &rule);
        assert_eq!((count, learner.weights), (2, vec![0.0, 1.0, 0.0]));
    }

    #[test]
    fn win_probabilities_are_learned_in_points() {
        // Pattern 1 is worth 30 points, where 60 points change the log-odds to win by 1.
        let mut learner = Learner::new(2, Method::Gradient);
        for game in 0..100_000u64 {
            let mut draws = stream(5, "win", game);
            let held = draws.random_bool(0.5);
            let spread = draws.random_range(-60..=60);
            let odds = f64::from(spread + if held { 30 } else { 0 }) / 60.0;
            let chance = 1.0 / (1.0 + (-odds).exp());
            let won = draws.random_bool(chance);
            let trajectory = Trajectory {
                steps: vec![Step { observed: terms(held), spread, explored: false }],
                final_spread: if won { 1 } else { -1 },
            };
            let rate = 0.03 / (1.0 + game as f64 / 2000.0);
            learner.learn(&trajectory, &Rule { target: Target::WinProbability, lambda: 0.5, rate });
        }
        assert!((learner.weights[1] - 30.0).abs() < 4.0 && learner.weights[0].abs() < 4.0, "{:?}", learner.weights);
    }

    #[test]
    fn traces_fade_by_lambda() {
        let step = |pattern| Step { observed: vec![Term::once(pattern)], spread: 0, explored: false };
        let trajectory = Trajectory { steps: vec![step(0), step(1), step(2)], final_spread: 10 };
        let mut learner = Learner::new(3, Method::Gradient);
        learner.learn(&trajectory, &Rule { target: Target::Points, lambda: 0.5, rate: 0.1 });
        assert_eq!(learner.weights, [0.25, 0.5, 1.0]);
    }
}
