//! Games to learn from: both sides play by the current weights, except for moves that explore.

use tilewright_engine::deals::Deals;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::turn::Turn;

use super::trajectory::{Step, Trajectory};
use crate::exploration::Exploration;

/// Plays deal `index` and returns the trajectories of both players; `observe` says what the value of a move is computed from.
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
