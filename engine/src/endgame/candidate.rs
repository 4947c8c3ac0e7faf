//! A move of the search with its estimate.

use super::MAX_VALUE;
use super::lists::ListedPlay;
use super::plan::Plan;
use crate::moves::{Move, Play};

/// The margin beyond which a move is not more promising, in points.
const AMPLE_MARGIN: i32 = 40;
/// The margin that one more tile laid is worth, in points.
const POINTS_PER_TILE: i32 = 5;
/// The mark of a pass. The marks of plays are odd.
const PASS_MARK: u32 = 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The play, or `None` for a pass.
    pub listed: Option<ListedPlay>,
    /// The estimate of its value by the static plan, in points.
    pub estimate: i32,
    /// Whether the move ends the game, so that the estimate is exact.
    pub ends: bool,
}

impl Candidate {
    /// Creates the candidate of a play. The players hold `held`, and the tiles of the opponent are worth `other_points`.
    pub(super) fn from_play(
        plan: &Plan,
        to_move: usize,
        held: [u8; 2],
        other_points: i32,
        listed: &ListedPlay,
    ) -> Candidate {
        let mut left = held;
        left[to_move] -= listed.sub_rack;
        let ends = left[to_move] == 0;
        let rest = if ends { 2 * other_points } else { -plan.value(1 - to_move, left) };
        Candidate { listed: Some(*listed), estimate: listed.play.score + rest, ends }
    }

    pub(super) fn score(&self) -> i32 {
        self.listed.map_or(0, |listed| listed.play.score)
    }

    pub(super) fn mark(&self) -> u32 {
        self.listed.map_or(PASS_MARK, |listed| listed.mark)
    }

    /// Returns a key that puts the most promising move first in a search for a value of at least `beta`: of the moves whose
    /// estimate suffices, the one with the smallest subtree, which usually is the play of most tiles.
    pub(super) fn promise(&self, beta: i32) -> (i32, i32) {
        let margin = self.estimate - beta;
        let tiles = self.listed.map_or(0, |listed| listed.mask.count_ones() as i32);
        let promise = if margin < 0 { margin - MAX_VALUE } else { margin.min(AMPLE_MARGIN) + POINTS_PER_TILE * tiles };
        (promise, margin)
    }

    pub(super) fn as_move(&self) -> Move {
        self.play().map_or(Move::Pass, Move::Play)
    }

    pub(super) fn play(&self) -> Option<Play> {
        self.listed.map(|listed| listed.play)
    }
}
