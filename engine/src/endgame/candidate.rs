//! A move to be tried, and how promising it is.

use super::MOST;
use super::lists::Listed;
use super::plan::Plan;
use crate::moves::Play;

/// A larger margin makes no move more promising.
const AMPLE_MARGIN: i32 = 40;
/// Points of margin that a tile laid makes up for.
const POINTS_PER_TILE: i32 = 5;
/// The mark of a pass; those of plays are odd.
const PASS_MARK: u32 = 2;

/// A move to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// `None` to pass.
    pub listed: Option<Listed>,
    /// By the static plan, in points.
    pub estimate: i32,
    /// Whether the game ends with it, so that the estimate is its value.
    pub ends: bool,
}

impl Candidate {
    /// The candidate that makes a play of the player to move, who holds `held`; the tiles of the other player count `other_points`.
    pub(super) fn from_play(plan: &Plan, to_move: usize, held: [u8; 2], other_points: i32, listed: &Listed) -> Candidate {
        let mut left = held;
        left[to_move] -= listed.part;
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

    /// What is tried first where a value of `beta` is to be shown: of those that may well do, the one that leaves least to be
    /// searched. That is the play of most tiles, unless it is a much closer thing.
    pub(super) fn promise(&self, beta: i32) -> (i32, i32) {
        let margin = self.estimate - beta;
        let tiles = self.listed.map_or(0, |listed| listed.mask.count_ones() as i32);
        let promise = if margin < 0 { margin - MOST } else { margin.min(AMPLE_MARGIN) + POINTS_PER_TILE * tiles };
        (promise, margin)
    }

    pub(super) fn play(&self) -> Option<Play> {
        self.listed.map(|listed| listed.play)
    }
}
