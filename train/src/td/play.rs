//! Games to learn from: both sides play by the current weights, except for moves that explore.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use tilewright_engine::deals::Deals;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::{Generator, ValuedMove};
use tilewright_engine::moves::Move;
use tilewright_engine::rack::{Rack, SubRacks};
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::turn::Turn;

use super::learner::{Step, Trajectory};
use super::terms::Terms;

/// Exploration: how often, and how, a turn chooses a move other than the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Exploration {
    /// The probability that a turn draws among the best moves, each with weight e^(equity / temperature); 0–1.
    pub softmax: f64,
    /// The temperature, in points.
    pub temperature: f64,
    /// The probability that a turn draws a random leave and plays the best move that keeps it; 0–1.
    pub forced_leaves: f64,
}

/// The number of best moves to draw from.
const CHOICES: usize = 20;

/// Plays deal `index` and returns the trajectories of both players.
pub fn play(
    generator: &mut Generator<'_>,
    player: &StaticPlayer,
    terms: &Terms,
    exploration: &Exploration,
    deals: Deals,
    index: u64,
) -> [Trajectory; 2] {
    let setup = generator.setup();
    let mut game = Game::deal(setup, deals, index);
    let mut draws = deals.side_stream("exploration", index);
    let mut trajectories: [Trajectory; 2] = Default::default();
    while !game.is_over() {
        let mover = game.to_move;
        let turn = game.turn(setup);
        let (chosen, explored) = choose(generator, player, exploration, &turn, &mut draws);
        if turn.bag > 0 {
            let terms = terms.for_move(&turn, &chosen);
            trajectories[mover].steps.push(Step { terms, spread: turn.spread + chosen.score(), explored });
        }
        game.make(setup, &chosen);
    }
    let final_spread = game.scores[0] - game.scores[1];
    for (trajectory, sign) in trajectories.iter_mut().zip([1, -1]) {
        trajectory.final_spread = sign * final_spread;
    }
    trajectories
}

/// A move, and whether it explores.
fn choose(
    generator: &mut Generator<'_>,
    player: &StaticPlayer,
    exploration: &Exploration,
    turn: &Turn<'_>,
    draws: &mut impl Rng,
) -> (Move, bool) {
    let kind: f64 = draws.random();
    if turn.bag == 0 || kind >= exploration.softmax + exploration.forced_leaves {
        return (player.choose(generator, turn).chosen, false);
    }
    if kind >= exploration.softmax {
        let numbers = SubRacks::new(&turn.rack);
        let leave = numbers.get(draws.random_range(0..numbers.whole()));
        let moves = player.rank(generator, turn);
        let best = moves[0].chosen;
        let keeps = |valued: &&ValuedMove| turn.rack.minus(&Rack::from_tiles(valued.chosen.tiles())) == Some(leave);
        // Late in the game there may be no legal move that keeps the leave.
        return moves.iter().find(keeps).map_or((best, false), |valued| (valued.chosen, valued.chosen != best));
    }
    let moves = player.choose_top(generator, turn, CHOICES);
    let weight = |valued: &ValuedMove| ((valued.equity - moves[0].equity).points() / exploration.temperature).exp();
    let mut place = draws.random::<f64>() * moves.iter().map(weight).sum::<f64>();
    for valued in &moves {
        place -= weight(valued);
        if place < 0.0 {
            return (valued.chosen, valued.chosen != moves[0].chosen);
        }
    }
    (moves[0].chosen, false)
}
