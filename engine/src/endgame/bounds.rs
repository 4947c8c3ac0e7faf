//! Bounds that spare the search most moves: what a move is worth at most, and a position at least, as far as that is seen without
//! search.

use super::MOST;
use super::candidate::Candidate;
use super::position::Position;
use super::squares::Squares;
use crate::moves::Play;
use crate::rack::MAX_SUB_RACKS;

/// What the bounds of a position are made of; kept for its memory.
#[derive(Debug)]
pub(super) struct Bounds {
    /// Plays that go out.
    outs: Vec<Out>,
    /// By part, the best score of a single tile.
    singles: [i32; MAX_SUB_RACKS],
    /// Plays of the two tiles that a player has left.
    pairs: Vec<Play>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { outs: Vec::new(), singles: [-MOST; MAX_SUB_RACKS], pairs: Vec::new() }
    }
}

/// A play that goes out, and the squares that it depends on.
#[derive(Clone, Copy, Debug)]
struct Out {
    play: Play,
    footprint: Squares,
}

/// Plays that go out which are looked at to see whether a move leaves one of them open.
const MOST_OUTS: usize = 4;

impl Bounds {
    /// Takes the moves off the stack that are certainly worth no more than `alpha`; an upper bound of what they are worth, and
    /// the mark of the one that has it.
    pub(super) fn drop_hopeless(
        &mut self,
        position: &mut Position<'_>,
        stack: &mut Vec<Candidate>,
        first: usize,
        alpha: i32,
    ) -> (i32, u32) {
        let mut best = (-MOST, 0);
        self.find_outs(position);
        self.find_singles(&stack[first..]);
        let mut kept = first;
        for number in first..stack.len() {
            let candidate = stack[number];
            let bound = if candidate.ends { MOST } else { self.by_outs(position, &candidate) };
            let bound =
                if candidate.ends || bound <= alpha { bound } else { bound.min(self.by_last_tile(position, &candidate)) };
            if bound > alpha {
                stack[kept] = candidate;
                kept += 1;
            } else if bound > best.0 {
                best = (bound, candidate.mark());
            }
        }
        stack.truncate(kept);
        best
    }

    /// What the moves of the position are worth at most, as far as that is seen without search.
    pub(super) fn upper_bounds(&mut self, position: &mut Position<'_>, candidates: &[Candidate]) -> Vec<i32> {
        self.find_outs(position);
        self.find_singles(candidates);
        let mut bound = |candidate: &Candidate| {
            if candidate.ends {
                candidate.estimate
            } else {
                self.by_outs(position, candidate).min(self.by_last_tile(position, candidate))
            }
        };
        candidates.iter().map(&mut bound).collect()
    }

    /// Finds the best plays with which the other player would go out now.
    fn find_outs(&mut self, position: &mut Position<'_>) {
        let outs = &mut self.outs;
        let (other, held) = (1 - position.to_move(), position.held());
        outs.clear();
        position.list(other, |listed| {
            if listed.part == held[other] {
                outs.push(Out { play: listed.play, footprint: Squares::default() });
            }
        });
        outs.sort_unstable_by_key(|out| std::cmp::Reverse(out.play.score));
        outs.truncate(MOST_OUTS);
        for out in outs {
            out.footprint = position.footprint(&out.play);
        }
    }

    /// Finds what each single tile scores at best now, among these moves.
    fn find_singles(&mut self, candidates: &[Candidate]) {
        self.singles.fill(-MOST);
        for listed in candidates.iter().filter_map(|candidate| candidate.listed) {
            if listed.play.tiles.len() == 1 {
                let best = &mut self.singles[listed.part as usize];
                *best = (*best).max(listed.play.score);
            }
        }
    }

    /// The player to move may pass for good. No more than this is then in it for the other, if that has two tiles or fewer.
    ///
    /// Of two tiles, the second that is laid scores what it can score now, or its word has the first tile in it: then the two are
    /// a play of this board together.
    pub(super) fn most_alone(&mut self, position: &mut Position<'_>) -> i32 {
        let pairs = &mut self.pairs;
        let other = 1 - position.to_move();
        let held = position.held()[other];
        let parts = &position.parts[other];
        if parts.mask(held).count_ones() > 2 {
            return MOST;
        }
        let (mine, all) = (position.points(1 - other), parts.points(held));
        let singles = parts.singles(held);
        let mut now = [-MOST; 2];
        let mut together = -MOST;
        pairs.clear();
        position.list(other, |listed| {
            let score = listed.play.score;
            if listed.part == held {
                together = together.max(score);
                pairs.push(listed.play);
            }
            for (now, single) in now.iter_mut().zip(singles) {
                if single == Some(listed.part) {
                    *now = (*now).max(score);
                }
            }
        });
        let mut most = (together + 2 * mine).max(mine - all);
        let [Some(first), Some(second)] = singles else { return most };
        let mut after = now;
        for play in &*pairs {
            for (after, single) in after.iter_mut().zip([first, second]) {
                *after = (*after).max(position.most_of_last(play, other, single));
            }
        }
        for (now, last, single) in [(now[0], after[1], second), (now[1], after[0], first)] {
            most = most.max(now + (last + 2 * mine).max(mine - position.parts[other].points(single)));
        }
        most
    }

    /// After a move that leaves one of its outs open, the other player goes out, unless the move ends the game by being scoreless.
    fn by_outs(&self, position: &Position<'_>, candidate: &Candidate) -> i32 {
        if self.outs.is_empty() || (candidate.score() == 0 && position.is_last_scoreless()) {
            return MOST;
        }
        let to_move = position.to_move();
        let part = candidate.listed.map_or(0, |listed| listed.part);
        let laid = candidate.listed.map_or_else(Squares::default, |listed| position.laid(&listed.play));
        let left = position.parts[to_move].points(position.held()[to_move] - part);
        let open = self.outs.iter().find(|out| !out.footprint.meet(&laid));
        open.map_or(MOST, |out| candidate.score() - out.play.score - 2 * left)
    }

    /// After a move that leaves one tile, the other player may do nothing, so that the tile scores no more than it can now, or
    /// where it touches what the move lays.
    fn by_last_tile(&self, position: &mut Position<'_>, candidate: &Candidate) -> i32 {
        let Some(listed) = &candidate.listed else { return MOST };
        let to_move = position.to_move();
        let left = position.held()[to_move] - listed.part;
        let parts = &position.parts[to_move];
        let Some(kind) = parts.only_kind(left) else { return MOST };
        let (own, other) = (parts.points(left), position.points(1 - to_move));
        let last = self.singles[left as usize].max(position.most_beside(&listed.play, kind));
        listed.play.score + (last + 2 * other).max(other - own)
    }
}
