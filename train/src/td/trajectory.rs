//! Trajectories: the moves of one player in a game, and the differences between the predictions after them.

use serde::{Deserialize, Serialize};
use tilewright_engine::deals::Deals;
use tilewright_engine::turn::Turn;
use tilewright_engine::win_percentage::scaled::logistic;
use tilewright_engine::{Game, Generator, Move, StaticPlayer};

use crate::exploration::Exploration;

/// The prediction target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// The change of the spread until the end of the game, in points.
    Points,
    /// The win probability, as a logistic function of the spread and the weights.
    WinProbability,
}

/// One move of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<O> {
    /// The inputs of the value of the move.
    pub observed: O,
    /// The spread after the move, in points.
    pub spread: i32,
    /// Whether the move explored.
    pub explored: bool,
}

/// The moves of one player in a game while tiles were in the bag.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory<O> {
    /// The moves.
    pub steps: Vec<Step<O>>,
    /// The final spread, in points.
    pub final_spread: i32,
}

impl<O> Default for Trajectory<O> {
    fn default() -> Self {
        Trajectory { steps: Vec::new(), final_spread: 0 }
    }
}

/// Points that change the log-odds to win by 1. Late in a game fewer points do. The weights do not model this.
const ODDS: f64 = 60.0;

/// The learning rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The prediction target.
    pub target: Target,
    /// λ: how far back a difference reaches, 0–1.
    pub lambda: f64,
    /// The current learning rate.
    pub rate: f64,
}

impl Target {
    /// The prediction after a step, whose move has this value in points: the value itself, or the win probability.
    pub fn prediction<O>(self, step: &Step<O>, value: f64) -> f64 {
        match self {
            Target::Points => value,
            Target::WinProbability => logistic(f64::from(step.spread) + value, ODDS),
        }
    }

    /// How fast a prediction changes with the value, relative to an even game, so that a rate has the same effect with both targets.
    pub fn slope(self, prediction: f64) -> f64 {
        match self {
            Target::Points => 1.0,
            Target::WinProbability => 4.0 * prediction * (1.0 - prediction),
        }
    }
}

impl<O> Trajectory<O> {
    /// The difference in points of the prediction after step `number` from the next prediction plus the points until then,
    /// or from the result.
    pub fn difference(&self, number: usize, target: Target, prediction: f64, next: Option<f64>) -> f64 {
        let spread = self.steps[number].spread;
        match (target, next) {
            (Target::Points, Some(next)) => f64::from(self.steps[number + 1].spread - spread) + next - prediction,
            (Target::Points, None) => f64::from(self.final_spread - spread) - prediction,
            (Target::WinProbability, next) => {
                let result = f64::from(1 + self.final_spread.signum()) / 2.0;
                ODDS * (next.unwrap_or(result) - prediction)
            }
        }
    }

    /// Whether the move after step `number` explored. If so, it gives no evidence about the steps before it.
    pub fn explores_after(&self, number: usize) -> bool {
        self.steps.get(number + 1).is_some_and(|next| next.explored)
    }
}

/// Plays deal `index`. Both sides play by the current weights, except for moves that explore. Returns the trajectories of
/// both players. `observe` computes the inputs of a move's value.
pub fn play<O>(
    generator: &mut Generator<'_>,
    player: &StaticPlayer,
    observe: impl Fn(&Turn<'_>, &Move) -> O,
    exploration: &Exploration,
    deals: Deals,
    index: u64,
) -> [Trajectory<O>; 2] {
    let setup = generator.setup();
    let mut game = Game::deal(setup, deals, index);
    let mut draws = deals.side_stream("exploration", index);
    let mut trajectories: [Trajectory<O>; 2] = Default::default();
    while !game.is_over() {
        let mover = game.to_move;
        let turn = game.turn(setup);
        let (chosen, explored) = exploration.choose(generator, player, &turn, &mut draws);
        if turn.bag > 0 {
            let observed = observe(&turn, &chosen);
            trajectories[mover].steps.push(Step { observed, spread: turn.spread + chosen.score(), explored });
        }
        game.make(setup, &chosen);
    }
    let final_spread = game.scores[0] - game.scores[1];
    for (trajectory, sign) in trajectories.iter_mut().zip([1, -1]) {
        trajectory.final_spread = sign * final_spread;
    }
    trajectories
}
