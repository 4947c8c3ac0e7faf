//! TD(λ): weights from trajectories, one after the other.

use serde::{Deserialize, Serialize};

/// What is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Points that will still be won or lost, own less the other's.
    Points,
    /// The chance to win, as a logistic function of the points ahead and the weights.
    WinProbability,
}

/// One move of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Patterns that it keeps.
    pub patterns: Vec<u16>,
    /// Points ahead after it.
    pub spread: i32,
    /// Whether it was made to see what comes of it.
    pub explored: bool,
}

/// What one player did in a game while tiles were in the bag.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Its moves.
    pub steps: Vec<Step>,
    /// Points ahead at the end of the game.
    pub final_spread: i32,
}

/// Points that change the logarithm of the odds to win by 1. Late in a game fewer do, which patterns do not know.
const ODDS: f64 = 60.0;

/// What has been learned so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learner {
    /// Of patterns, in points.
    pub weights: Vec<f64>,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// What is predicted.
    pub target: Target,
    /// How far back a difference is felt, 0–1.
    pub lambda: f64,
    /// What share of a difference is learned, now.
    pub rate: f64,
}

impl Learner {
    /// Nothing learned yet.
    pub fn new(patterns: usize) -> Learner {
        Learner { weights: vec![0.0; patterns] }
    }

    fn linear(&self, step: &Step) -> f64 {
        step.patterns.iter().map(|&pattern| self.weights[pattern as usize]).sum()
    }

    /// What the rest of the game is worth after a step.
    fn value(&self, step: &Step, target: Target) -> f64 {
        match target {
            Target::Points => self.linear(step),
            Target::WinProbability => logistic((f64::from(step.spread) + self.linear(step)) / ODDS),
        }
    }

    /// Learns from a trajectory; the sum of the squared differences, and how many there were.
    pub fn learn(&mut self, trajectory: &Trajectory, rule: &Rule) -> (f64, u64) {
        let Rule { target, lambda, rate } = *rule;
        let mut traces = vec![0.0; self.weights.len()];
        let (mut squares, mut count) = (0.0, 0);
        for (number, step) in trajectory.steps.iter().enumerate() {
            let value = self.value(step, target);
            let next = trajectory.steps.get(number + 1);
            for trace in &mut traces {
                *trace *= lambda;
            }
            let slope = match target {
                Target::Points => 1.0,
                // In points, so that rates mean the same: the slope of the logistic function times 4, over its odds.
                Target::WinProbability => 4.0 * value * (1.0 - value),
            };
            step.patterns.iter().for_each(|&pattern| traces[pattern as usize] += slope);
            if next.is_some_and(|next| next.explored) {
                // A move that was not meant says nothing of what came before it.
                traces.fill(0.0);
                continue;
            }
            let difference = match (target, next) {
                (Target::Points, Some(next)) => f64::from(next.spread - step.spread) + self.linear(next) - value,
                (Target::Points, None) => f64::from(trajectory.final_spread - step.spread) - value,
                (Target::WinProbability, next) => {
                    let result = f64::from(1 + trajectory.final_spread.signum()) / 2.0;
                    // A chance of one in so many is worth as many points.
                    ODDS * (next.map_or(result, |next| self.value(next, target)) - value)
                }
            };
            squares += difference * difference;
            count += 1;
            self.weights.iter_mut().zip(&traces).for_each(|(weight, trace)| *weight += rate * difference * trace);
        }
        (squares, count)
    }
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use tilewright_engine::rng::stream;

    use super::*;

    /// A chain: who keeps pattern 1 gains 1½ points by the next turn, on average, and who does not loses as much.
    fn chain(game: u64) -> Trajectory {
        let mut draws = stream(4, "chain", game);
        let (mut spread, mut steps) = (0, Vec::new());
        let mut held = false;
        for turn in 0..12 {
            spread += if held { draws.random_range(-18..=21) } else { draws.random_range(-21..=18) };
            if turn == 0 {
                spread = 0;
            }
            held = draws.random_bool(0.5);
            let patterns = if held { vec![0, 1] } else { vec![0] };
            steps.push(Step { patterns, spread, explored: false });
        }
        Trajectory { steps, final_spread: spread }
    }

    #[test]
    fn what_a_pattern_earns_until_it_is_gone_is_learned() {
        for lambda in [0.0, 0.7] {
            let mut learner = Learner::new(2);
            for game in 0..30_000u64 {
                let rate = 0.02 / (1.0 + game as f64 / 500.0);
                learner.learn(&chain(game), &Rule { target: Target::Points, lambda, rate });
            }
            let [always, held] = [0, 1].map(|pattern: usize| learner.weights[pattern]);
            assert!((held - 3.0).abs() < 0.7 && (always + 1.5).abs() < 0.7, "{lambda} {:?}", learner.weights);
        }
    }

    #[test]
    fn a_move_that_was_not_meant_is_not_held_against_what_came_before() {
        let step = |pattern, spread, explored| Step { patterns: vec![pattern], spread, explored };
        let steps = vec![step(0, 0, false), step(1, -50, true), step(2, -40, false)];
        let mut learner = Learner::new(3);
        let rule = Rule { target: Target::Points, lambda: 1.0, rate: 0.1 };
        let (_, count) = learner.learn(&Trajectory { steps, final_spread: -40 }, &rule);
        assert_eq!((count, learner.weights), (2, vec![0.0, 1.0, 0.0]));
    }

    #[test]
    fn chances_to_win_are_learned_in_points() {
        // Pattern 1 is worth 30 points at the end of a game that is otherwise even with a noise of 60 points' odds.
        let mut learner = Learner::new(2);
        for game in 0..100_000u64 {
            let mut draws = stream(5, "win", game);
            let held = draws.random_bool(0.5);
            let spread = draws.random_range(-60..=60);
            let chance = logistic(f64::from(spread + if held { 30 } else { 0 }) / 60.0);
            let won = draws.random_bool(chance);
            let patterns = if held { vec![0, 1] } else { vec![0] };
            let trajectory = Trajectory {
                steps: vec![Step { patterns, spread, explored: false }],
                final_spread: if won { 1 } else { -1 },
            };
            let rate = 0.03 / (1.0 + game as f64 / 2000.0);
            learner.learn(&trajectory, &Rule { target: Target::WinProbability, lambda: 0.5, rate });
        }
        assert!((learner.weights[1] - 30.0).abs() < 4.0 && learner.weights[0].abs() < 4.0, "{:?}", learner.weights);
    }
}
