//! The opponent's last turn with any rack, and how likely its move is then.

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::game::{Game, LastMove, LastPlay};
use crate::movegen::{Generator, LeaveValues};
use crate::rack::Rack;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::turn::Turn;

/// The likelihood of the best move.
pub(super) const CERTAIN: u64 = 1_000_000;
/// The gap at which the likelihood falls to 1/e, in thousandths of a point.
const GAP: f64 = 5000.0;

/// The opponent's last turn, with any rack.
pub(super) struct PreviousTurn<'a> {
    policy: &'a StaticPlayer,
    generator: Generator<'a>,
    /// The last move if it was a play, otherwise an exchange.
    play: Option<&'a LastPlay>,
    played: Rack,
    board: &'a Board,
    cross_sets: CrossSets,
    /// The tiles that were not on the board.
    unplayed: Rack,
    bag: usize,
    /// The opponent's spread before the move, in points.
    spread: i32,
}

impl<'a> PreviousTurn<'a> {
    pub(super) fn new(setup: &'a Setup, policy: &'a StaticPlayer, game: &'a Game, last: &'a LastMove) -> PreviousTurn<'a> {
        let play = match last {
            LastMove::Play(last) => Some(last.as_ref()),
            LastMove::Exchange { .. } | LastMove::Pass => None,
        };
        let played = play.map_or(Rack::default(), |last| Rack::from_tiles(&last.play.tiles));
        let board = play.map_or(game.board(), |last| &last.board);
        PreviousTurn {
            policy,
            generator: Generator::new(setup),
            play,
            played,
            board,
            cross_sets: CrossSets::from_board(setup, board),
            unplayed: game.unseen().plus(game.rack()).plus(&played),
            bag: game.bag.len() + played.size(),
            spread: -game.spread() - play.map_or(0, |last| last.play.score),
        }
    }

    /// Calls `see` with each leave of `size` tiles that the move may have had with this part of the rack, and with its likelihood, in
    /// the unit of [`CERTAIN`]. The part is the leave after a play, and the whole rack before an exchange.
    pub(super) fn likelihoods(&mut self, part: &Rack, size: usize, mut see: impl FnMut(Rack, u64)) {
        let rack = part.plus(&self.played);
        let Some(unseen) = self.unplayed.minus(&rack) else { return };
        let turn = Turn {
            setup: self.generator.setup(),
            board: self.board,
            cross_sets: &self.cross_sets,
            rack,
            unseen,
            bag: self.bag,
            spread: self.spread,
        };
        let leaves = self.policy.leave_values(&turn);
        let best = self.generator.best_move(&turn, &leaves).equity;
        let LeaveValues { sub_racks, values } = &leaves;
        if let Some(last) = self.play {
            let number = sub_racks.whole() - sub_racks.number(&last.play.tiles);
            see(*part, likelihood(best - Equity::from_points(last.play.score) - values[number]));
            return;
        }
        let sizes = sub_racks.sizes();
        for number in (0..sub_racks.len()).filter(|&number| usize::from(sizes[number]) == size) {
            see(sub_racks.get(number), likelihood(best - values[number]));
        }
    }
}

/// The likelihood of a move that falls short of the best one by `gap`.
fn likelihood(gap: Equity) -> u64 {
    (CERTAIN as f64 * (-f64::from(gap.0.max(0)) / GAP).exp()) as u64
}
