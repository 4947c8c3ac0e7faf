//! Move generation over the GADDAG.
//!
//! Every play covers an anchor (an empty square beside a tile; the start square of an empty board). From each anchor the
//! generator walks left and then right through the GADDAG, keeping the score and the number of the tiles left on the rack
//! as it goes; what it finds goes to a [`Visitor`], so that nothing is stored that nobody wants. After Steven Gordon, *A
//! Faster Scrabble Move Generation Algorithm* (1994).

use crate::board::Board;
use crate::cross_set::{Cross, CrossSets};
use crate::equity::Equity;
use crate::layout::{Direction, MAX_SIDE, Premium, Square};
use crate::lexicon::Node;
use crate::moves::{Move, Play, Tiles};
use crate::rack::{Rack, SubRacks};
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, Tile};

mod all;
mod best;
pub mod reference;

pub use all::{all_moves, exchanged};
pub use best::best_move;

/// A play as the generator meets it.
pub struct Found<'a> {
    direction: Direction,
    lane: usize,
    start: usize,
    end: usize,
    strip: &'a [Tile; MAX_SIDE],
    /// Points, bonus included.
    pub score: i32,
    /// The number of the sub-rack that stays.
    pub kept: usize,
}

impl Found<'_> {
    /// The play itself.
    pub fn play(&self) -> Play {
        let laid = self.strip[self.start..=self.end].iter().copied().filter(|&tile| tile != NOTHING);
        Play {
            direction: self.direction,
            start: Square::in_lane(self.direction, self.lane, self.start),
            tiles: laid.collect::<Tiles>(),
            score: self.score,
        }
    }
}

/// Takes each play as it is found; the order is not meaningful.
pub trait Visitor {
    /// One legal play, met once.
    fn visit(&mut self, found: &Found<'_>);
}

/// On the strip of tiles laid: nothing here. No tile that is laid is an undesignated blank.
const NOTHING: Tile = Tile::BLANK;

/// Visits every legal play of `rack`, each once, with `numbers` its sub-racks.
pub fn visit_plays<V: Visitor>(
    setup: &Setup,
    board: &Board,
    cross_sets: &CrossSets,
    rack: &Rack,
    numbers: &SubRacks,
    visitor: &mut V,
) {
    if rack.is_empty() {
        return;
    }
    let mut counts = [0; MAX_KINDS];
    let mut held = 0;
    for (kind, count) in rack.kinds() {
        counts[kind as usize] = count;
        held |= 1 << kind;
    }
    for direction in Direction::BOTH {
        for lane in 0..board.side() {
            let mut walk = Walk {
                nodes: setup.lexicon.graph.nodes(),
                letters: setup.lexicon.graph.letters(),
                values: setup.tileset.values(),
                premiums: setup.layout.lane(direction, lane),
                cells: board.lane(direction, lane),
                crosses: cross_sets.lane(direction, lane),
                direction,
                lane,
                counts,
                held,
                numbers,
                kept: numbers.whole(),
                laid: 0,
                full_rack: setup.tileset.rules().rack_size,
                bonus: setup.tileset.rules().bingo_bonus,
                anchor: 0,
                left_limit: 0,
                strip: [NOTHING; MAX_SIDE],
                visitor: &mut *visitor,
            };
            let start = if board.is_empty() { Some(setup.layout.start()) } else { None };
            walk.run(start, setup.lexicon.graph.gaddag_root());
        }
    }
}

/// The state of the search along one lane.
struct Walk<'a, V> {
    nodes: &'a [Node],
    letters: &'a [u64],
    values: &'a [u8; MAX_KINDS],
    premiums: &'a [Premium],
    cells: &'a [Option<Tile>],
    crosses: &'a [Cross],
    direction: Direction,
    lane: usize,
    /// Tiles still on the rack, by kind, and as bits.
    counts: [u8; MAX_KINDS],
    held: u64,
    numbers: &'a SubRacks,
    kept: usize,
    laid: usize,
    full_rack: usize,
    bonus: i32,
    anchor: usize,
    left_limit: usize,
    strip: [Tile; MAX_SIDE],
    visitor: &'a mut V,
}

/// Points of a partial play.
#[derive(Clone, Copy)]
struct Points {
    /// The main word's tiles under their letter multipliers.
    word: i32,
    /// The main word's multiplier.
    multiplier: i32,
    /// The cross words, complete.
    crosses: i32,
}

impl<V: Visitor> Walk<'_, V> {
    fn run(&mut self, start: Option<Square>, root: u32) {
        let zero = Points { word: 0, multiplier: 1, crosses: 0 };
        if let Some(square) = start {
            let (lane, offset) = square.lane(self.direction);
            if lane == self.lane && root != 0 {
                self.anchor = offset;
                self.left(offset, root, zero);
            }
            return;
        }
        for offset in 0..self.cells.len() {
            if root != 0 && self.is_anchor(offset) {
                self.anchor = offset;
                self.left(offset, root, zero);
                self.left_limit = offset + 1;
            }
        }
    }

    fn is_anchor(&self, offset: usize) -> bool {
        self.is_free(offset)
            && (self.crosses[offset].joined || (offset > 0 && !self.is_free(offset - 1)) || !self.is_free(offset + 1))
    }

    /// Whether there is no tile at an offset, the place beyond the edge included.
    #[inline]
    fn is_free(&self, offset: usize) -> bool {
        self.cells.get(offset).is_none_or(Option::is_none)
    }

    /// Covers `offset`, at the anchor or left of it, with each letter that the list allows.
    fn left(&mut self, offset: usize, list: u32, points: Points) {
        if let Some(tile) = self.cells[offset] {
            if let Some(node) = self.child(list, tile.letter()) {
                self.after_left(offset, node, self.through(tile, points));
            }
            return;
        }
        self.each_fitting(offset, list, points, &mut |walk, node, points| walk.after_left(offset, node, points));
    }

    fn after_left(&mut self, offset: usize, node: Node, points: Points) {
        let open = offset == 0 || self.cells[offset - 1].is_none();
        if node.accepts() && open && self.is_free(self.anchor + 1) {
            self.found(offset, self.anchor, points);
        }
        let list = node.children();
        if list == 0 {
            return;
        }
        if offset > 0 && (!open || (offset > self.left_limit && self.held != 0)) {
            self.left(offset - 1, list, points);
        }
        let first = self.nodes[list as usize];
        if open && first.letter() == 0 && self.anchor + 1 < self.cells.len() {
            self.right(self.anchor + 1, offset, first.children(), points);
        }
    }

    /// Covers `offset`, right of the anchor; the word begins at `start`.
    fn right(&mut self, offset: usize, start: usize, list: u32, points: Points) {
        if let Some(tile) = self.cells[offset] {
            if let Some(node) = self.child(list, tile.letter()) {
                self.after_right(offset, start, node, self.through(tile, points));
            }
            return;
        }
        self.each_fitting(offset, list, points, &mut |walk, node, points| walk.after_right(offset, start, node, points));
    }

    fn after_right(&mut self, offset: usize, start: usize, node: Node, points: Points) {
        if node.accepts() && self.is_free(offset + 1) {
            self.found(start, offset, points);
        }
        if node.children() != 0 && offset + 1 < self.cells.len() {
            self.right(offset + 1, start, node.children(), points);
        }
    }

    /// Lays each tile that the rack, the cross set and the list allow on an empty square, goes on, and takes it back.
    #[inline]
    fn each_fitting(&mut self, offset: usize, list: u32, points: Points, go_on: &mut impl FnMut(&mut Self, Node, Points)) {
        let cross = self.crosses[offset];
        let fitting = if self.held & 1 == 1 { cross.letters } else { cross.letters & self.held };
        if fitting == 0 || self.held == 0 {
            return;
        }
        let there = self.letters[list as usize];
        let mut wanted = fitting & there;
        if wanted == 0 {
            return;
        }
        let premium = self.premiums[offset];
        let (times, multiplier) = (i32::from(premium.letter), i32::from(premium.word));
        while wanted != 0 {
            let letter = wanted.trailing_zeros() as u8;
            wanted &= wanted - 1;
            let node = self.nodes[list as usize + (there & ((1 << letter) - 1)).count_ones() as usize];
            for (kind, tile) in [(letter, Tile::letter_tile(letter)), (0, Tile::blank_as(letter))] {
                if self.held >> kind & 1 == 0 {
                    continue;
                }
                let value = i32::from(self.values[kind as usize]) * times;
                let crossing = if cross.joined { (cross.score + value) * multiplier } else { 0 };
                let next = Points {
                    word: points.word + value,
                    multiplier: points.multiplier * multiplier,
                    crosses: points.crosses + crossing,
                };
                self.lay(kind, offset, tile);
                go_on(self, node, next);
                self.take_back(kind, offset);
            }
        }
    }

    #[inline]
    fn lay(&mut self, kind: u8, offset: usize, tile: Tile) {
        self.counts[kind as usize] -= 1;
        if self.counts[kind as usize] == 0 {
            self.held &= !(1 << kind);
        }
        self.kept -= self.numbers.stride(kind);
        self.laid += 1;
        self.strip[offset] = tile;
    }

    #[inline]
    fn take_back(&mut self, kind: u8, offset: usize) {
        self.counts[kind as usize] += 1;
        self.held |= 1 << kind;
        self.kept += self.numbers.stride(kind);
        self.laid -= 1;
        self.strip[offset] = NOTHING;
    }

    #[inline]
    fn child(&self, list: u32, letter: u8) -> Option<Node> {
        let there = self.letters[list as usize];
        let below = (there & ((1 << letter) - 1)).count_ones() as usize;
        (there >> letter & 1 == 1).then(|| self.nodes[list as usize + below])
    }

    #[inline]
    fn through(&self, tile: Tile, points: Points) -> Points {
        Points { word: points.word + i32::from(self.values[tile.kind() as usize]), ..points }
    }

    #[inline]
    fn found(&mut self, start: usize, end: usize, points: Points) {
        // One tile that makes words both ways is the same play twice: across stands for both.
        if self.laid == 1 && self.direction == Direction::Down && self.crosses[self.anchor].joined {
            return;
        }
        let bonus = if self.laid == self.full_rack { self.bonus } else { 0 };
        let score = points.word * points.multiplier + points.crosses + bonus;
        self.visitor.visit(&Found {
            direction: self.direction,
            lane: self.lane,
            start,
            end,
            strip: &self.strip,
            score,
            kept: self.kept,
        });
    }
}

/// A move with what it is worth under an evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// The move.
    pub chosen: Move,
    /// Score plus the value of what it keeps.
    pub equity: Equity,
}
