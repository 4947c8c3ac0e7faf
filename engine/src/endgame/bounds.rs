//! Bounds that prune most moves: upper bounds of moves and lower bounds of positions that need no search. They need the squares that plays
//! cover and depend on, and the maximum score of a tile on a square.

use super::MAX_VALUE;
use super::plan::Candidate;
use super::position::Position;
use crate::cross_set::ends;
use crate::layout::{Direction, MAX_SIDE, MAX_SQUARES, Square};
use crate::movegen::all_lanes;
use crate::moves::{Play, PlaySquares};
use crate::rack::MAX_SUB_RACKS;
use crate::tileset::Tile;

/// The data for the bounds of a position, reused to save allocations.
#[derive(Debug)]
pub(super) struct Bounds {
    /// The plays with which the opponent would go out now.
    outs: Vec<Out>,
    /// The best score of each single tile, by sub-rack.
    singles: [i32; MAX_SUB_RACKS],
    /// The plays of a player's last two tiles.
    pairs: Vec<Play>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { outs: Vec::new(), singles: [-MAX_VALUE; MAX_SUB_RACKS], pairs: Vec::new() }
    }
}

/// A play that goes out, and the squares that it depends on.
#[derive(Clone, Copy, Debug)]
struct Out {
    play: Play,
    footprint: Squares,
}

/// The number of plays that go out for which it is checked whether a move leaves them open.
const MAX_OUTS: usize = 4;

impl Bounds {
    /// Removes the moves from the stack whose upper bound is at most `alpha`. Returns the highest bound of the removed
    /// moves, and the mark of its move.
    pub(super) fn drop_hopeless(
        &mut self,
        position: &mut Position<'_>,
        stack: &mut Vec<Candidate>,
        first: usize,
        alpha: i32,
    ) -> (i32, u32) {
        let mut best = (-MAX_VALUE, 0);
        self.find_outs(position);
        self.find_singles(&stack[first..]);
        let mut kept = first;
        for number in first..stack.len() {
            let candidate = stack[number];
            let bound = if candidate.ends { MAX_VALUE } else { self.bound_by_outs(position, &candidate) };
            let bound = if candidate.ends || bound <= alpha {
                bound
            } else {
                bound.min(self.bound_by_last_tile(position, &candidate))
            };
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

    pub(super) fn upper_bounds(&mut self, position: &mut Position<'_>, candidates: &[Candidate]) -> Vec<i32> {
        self.find_outs(position);
        self.find_singles(candidates);
        let mut bound = |candidate: &Candidate| {
            if candidate.ends {
                candidate.estimate
            } else {
                self.bound_by_outs(position, candidate).min(self.bound_by_last_tile(position, candidate))
            }
        };
        candidates.iter().map(&mut bound).collect()
    }

    /// Finds the best plays with which the opponent would go out now.
    fn find_outs(&mut self, position: &mut Position<'_>) {
        let outs = &mut self.outs;
        let (other, held) = (1 - position.to_move(), position.held());
        outs.clear();
        position.list(other, |listed| {
            if listed.sub_rack == held[other] {
                outs.push(Out { play: listed.play, footprint: Squares::default() });
            }
        });
        outs.sort_unstable_by_key(|out| std::cmp::Reverse(out.play.score));
        outs.truncate(MAX_OUTS);
        for out in outs {
            out.footprint = position.footprint(&out.play);
        }
    }

    /// Finds the best score of each single tile among these moves.
    fn find_singles(&mut self, candidates: &[Candidate]) {
        self.singles.fill(-MAX_VALUE);
        for listed in candidates.iter().filter_map(|candidate| candidate.listed) {
            if listed.play.tiles.len() == 1 {
                let best = &mut self.singles[listed.sub_rack as usize];
                *best = (*best).max(listed.play.score);
            }
        }
    }

    /// Returns an upper bound of the value for the opponent if the player to move passes for the rest of the game. It is
    /// [`MAX_VALUE`] unless the opponent holds at most two tiles.
    ///
    /// Of two tiles, the second scores no more than it can now, or its word includes the first tile. In that case the two
    /// tiles together are a play on this board.
    pub(super) fn max_gain_after_passes(&mut self, position: &mut Position<'_>) -> i32 {
        let pairs = &mut self.pairs;
        let other = 1 - position.to_move();
        let held = position.held()[other];
        let sub_racks = &position.sub_racks[other];
        if sub_racks.mask(held).count_ones() > 2 {
            return MAX_VALUE;
        }
        let (mine, all) = (position.points(1 - other), sub_racks.points(held));
        let singles = sub_racks.singles(held);
        let mut now = [-MAX_VALUE; 2];
        let mut together = -MAX_VALUE;
        pairs.clear();
        position.list(other, |listed| {
            let score = listed.play.score;
            if listed.sub_rack == held {
                together = together.max(score);
                pairs.push(listed.play);
            }
            for (now, single) in now.iter_mut().zip(singles) {
                if single == Some(listed.sub_rack) {
                    *now = (*now).max(score);
                }
            }
        });
        let mut most = (together + 2 * mine).max(mine - all);
        let [Some(first), Some(second)] = singles else { return most };
        let mut after = now;
        for play in &*pairs {
            for (after, single) in after.iter_mut().zip([first, second]) {
                *after = (*after).max(position.max_score_last(play, other, single));
            }
        }
        for (now, last, single) in [(now[0], after[1], second), (now[1], after[0], first)] {
            most = most.max(now + (last + 2 * mine).max(mine - position.sub_racks[other].points(single)));
        }
        most
    }

    /// Returns the bound from the opponent's best play that goes out and stays open after a move, unless the move is
    /// scoreless and ends the game.
    fn bound_by_outs(&self, position: &Position<'_>, candidate: &Candidate) -> i32 {
        if self.outs.is_empty() || (candidate.score() == 0 && position.is_last_scoreless()) {
            return MAX_VALUE;
        }
        let to_move = position.to_move();
        let sub_rack = candidate.listed.map_or(0, |listed| listed.sub_rack);
        let laid = candidate.listed.map_or_else(Squares::default, |listed| position.covered(&listed.play));
        let left = position.sub_racks[to_move].points(position.held()[to_move] - sub_rack);
        let open = self.outs.iter().find(|out| !out.footprint.meet(&laid));
        open.map_or(MAX_VALUE, |out| candidate.score() - out.play.score - 2 * left)
    }

    /// Returns the bound of a move that leaves one tile. If the opponent passes, that tile scores no more than it can now or
    /// next to the tiles of the move.
    fn bound_by_last_tile(&self, position: &mut Position<'_>, candidate: &Candidate) -> i32 {
        let Some(listed) = &candidate.listed else { return MAX_VALUE };
        let to_move = position.to_move();
        let left = position.held()[to_move] - listed.sub_rack;
        let sub_racks = &position.sub_racks[to_move];
        let Some(kind) = sub_racks.only_kind(left) else { return MAX_VALUE };
        let (own, other) = (sub_racks.points(left), position.points(1 - to_move));
        let last = self.singles[left as usize].max(position.max_score_beside(&listed.play, kind));
        listed.play.score + (last + 2 * other).max(other - own)
    }
}

impl Position<'_> {
    /// Returns for each player an upper bound of the gain in the rest of the game: all scores, and twice the tiles of the
    /// opponent. It holds for all plays of both players.
    ///
    /// No word scores more than all tiles of its lane and all tiles of both racks on its best premiums. A play of `n` tiles
    /// makes at most `n + 1` words, so `n` tiles make at most `2n` words in all their plays.
    pub(super) fn max_gains(&self) -> [i32; 2] {
        let racks = self.points(0) + self.points(1);
        let word = all_lanes(self.board.side()).map(|lane| self.max_word(lane, racks)).max().unwrap_or_default();
        [0, 1].map(|player| {
            let tiles = self.sub_racks[player].mask(self.held()[player]).count_ones() as i32;
            let bonuses = self.setup.tileset.rules().bingo_bonus * tiles;
            (2 * tiles).saturating_mul(word).saturating_add(bonuses + 2 * self.points(1 - player)).min(MAX_VALUE)
        })
    }

    /// Returns an upper bound of the score of a word in a lane, with tiles from racks that are worth `racks` points.
    fn max_word(&self, (direction, lane): (Direction, usize), racks: i32) -> i32 {
        let cells = self.board.lane(direction, lane);
        let (mut points, mut letter, mut word) = (0, 1, 1i32);
        for (offset, cell) in cells.iter().enumerate() {
            if let Some(tile) = cell {
                points += self.setup.tileset.value(*tile);
            } else {
                let premium = self.setup.layout.premium(Square::in_lane(direction, lane, offset));
                letter = letter.max(i32::from(premium.letter));
                word = word.saturating_mul(i32::from(premium.word));
            }
        }
        (points + letter * racks).saturating_mul(word)
    }
}

/// A set of squares, as bits counted row by row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Squares([u64; MAX_SQUARES.div_ceil(64)]);

impl Squares {
    pub(super) fn add(&mut self, square: Square) {
        let place = square.row as usize * MAX_SIDE + square.column as usize;
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(super) fn remove(&mut self, square: Square) {
        let place = square.row as usize * MAX_SIDE + square.column as usize;
        self.0[place / 64] &= !(1 << (place % 64));
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Square> {
        self.0.into_iter().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                let place = 64 * index + bit;
                Some(Square { row: (place / MAX_SIDE) as u8, column: (place % MAX_SIDE) as u8 })
            })
        })
    }

    /// Returns whether two sets have a square in common.
    #[inline]
    pub(super) fn meet(&self, other: &Squares) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }
}

impl Position<'_> {
    pub(super) fn covered(&self, play: &Play) -> Squares {
        let mut squares = Squares::default();
        play.placements(&self.board).for_each(|(square, _)| squares.add(square));
        squares
    }

    /// Returns the squares on which a play depends: as long as they stay empty, the play stays legal and scores the same.
    /// They are the squares that it covers, and the first empty squares beyond each end of its words.
    pub(super) fn footprint(&self, play: &Play) -> Squares {
        let mut squares = Squares::default();
        let (lane, start) = play.start.lane(play.direction);
        let mut end = start;
        for (square, _) in play.placements(&self.board) {
            squares.add(square);
            end = square.lane(play.direction).1;
            ends(&self.board, play.direction.other(), square).for_each(|end| squares.add(end));
        }
        let cells = self.board.lane(play.direction, lane);
        let after = (end + 1..cells.len()).find(|&offset| cells[offset].is_none());
        for offset in start.checked_sub(1).into_iter().chain(after) {
            squares.add(Square::in_lane(play.direction, lane, offset));
        }
        squares
    }

    /// Returns an upper bound of the score of a single tile next to the tiles of a play made before, for any lexicon.
    pub(super) fn max_score_beside(&mut self, play: &Play, kind: u8) -> i32 {
        let mut footprint = self.footprint(play);
        let laid = PlaySquares::new(play, &self.board);
        for (&square, &tile) in laid.squares().iter().zip(play.tiles.iter()) {
            footprint.remove(square);
            self.board.set(square, Some(tile));
        }
        let most = footprint.iter().map(|square| self.max_score_on(square, kind)).max();
        for &square in laid.squares() {
            self.board.set(square, None);
        }
        most.unwrap_or_default()
    }

    /// Returns an upper bound of the score of one tile of a play of two tiles, if it is laid after the other.
    pub(super) fn max_score_last(&mut self, play: &Play, player: usize, sub_rack: u8) -> i32 {
        let laid = PlaySquares::new(play, &self.board);
        let mut most = -MAX_VALUE;
        for (last, first) in [(0, 1), (1, 0)] {
            let (Some(&tile), Some(&before)) = (play.tiles.get(last), play.tiles.get(first)) else { continue };
            if self.sub_racks[player].number(&[tile]) == sub_rack {
                self.board.set(laid.squares()[first], Some(before));
                most = most.max(self.max_score_on(laid.squares()[last], tile.kind()));
                self.board.set(laid.squares()[first], None);
            }
        }
        most
    }

    /// Returns the score of a tile on an empty square if all that it forms were words.
    fn max_score_on(&self, square: Square, kind: u8) -> i32 {
        let premium = self.setup.layout.premium(square);
        let value = |tile: Tile| self.setup.tileset.value(tile);
        let own = value(Tile::letter_tile(kind)) * i32::from(premium.letter);
        let words = Direction::BOTH.into_iter().map(|direction| {
            let (lane, offset) = square.lane(direction);
            let cells = self.board.lane(direction, lane);
            let beside = cells[..offset].iter().rev().map_while(|cell| *cell);
            let beside = beside.chain(cells[offset + 1..].iter().map_while(|cell| *cell));
            let (tiles, points) = beside.fold((0, 0), |(tiles, points), tile| (tiles + 1, points + value(tile)));
            if tiles == 0 { 0 } else { (points + own) * i32::from(premium.word) }
        });
        words.sum()
    }
}
