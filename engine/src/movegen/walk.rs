//! The search of the GADDAG from one anchor.

use super::lanes::{Anchor, Lane};
use super::visitor::{LeaveValues, Visitor};
use crate::cross_set::Cross;
use crate::equity::Equity;
use crate::layout::{Direction, MAX_SIDE, Premium, Square};
use crate::lexicon::{Children, SearchGraph, SearchNode};
use crate::moves::{Play, Tiles};
use crate::rack::MAX_SUB_RACKS;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, Tile};

/// For each leave, by its number, an upper bound of the equity of plays at an anchor whose leave is contained in it.
pub(super) type Reach = [Equity; MAX_SUB_RACKS];

/// An empty square of the strip of new tiles. A tile on the board is never a blank without a letter.
const NOTHING: Tile = Tile::BLANK;

/// The letter number of the GADDAG's separator.
const SEPARATOR: u8 = 0;

/// The search from one anchor, with the state of the partial play.
pub(super) struct Walk<'a, V> {
    graph: &'a SearchGraph,
    values: &'a [u8; MAX_KINDS],
    premiums: &'a [Premium],
    cells: &'a [Option<Tile>],
    crosses: &'a [Cross],
    lane: &'a Lane,
    anchor: usize,
    left_limit: usize,
    /// The tiles still on the rack: the number of each kind, and the kinds as bits.
    counts: [u8; MAX_KINDS],
    held: u64,
    leaves: &'a LeaveValues,
    leave: usize,
    placed: usize,
    full_rack: usize,
    bonus: i32,
    strip: [Tile; MAX_SIDE],
    reach: &'a Reach,
    visitor: &'a mut V,
}

/// The points of a partial play.
#[derive(Clone, Copy)]
struct Points {
    /// The tiles of the main word, times their letter multipliers.
    word: i32,
    /// The word multiplier of the main word.
    multiplier: i32,
    /// The cross words, with their multipliers.
    crosses: i32,
}

impl<'a, V: Visitor> Walk<'a, V> {
    pub(super) fn new(
        setup: &'a Setup,
        graph: &'a SearchGraph,
        lane: &'a Lane,
        leaves: &'a LeaveValues,
        anchor: Anchor,
        reach: &'a Reach,
        visitor: &'a mut V,
    ) -> Walk<'a, V> {
        let mut counts = [0; MAX_KINDS];
        let mut held = 0;
        for &(kind, count) in leaves.sub_racks.kinds() {
            counts[kind as usize] = count;
            held |= 1 << kind;
        }
        let side = setup.layout.side();
        Walk {
            graph,
            values: setup.tileset.values(),
            premiums: setup.layout.lane(lane.direction, lane.index),
            cells: &lane.cells[..side],
            crosses: &lane.crosses[..side],
            lane,
            anchor: anchor.offset as usize,
            left_limit: anchor.left_limit as usize,
            counts,
            held,
            leaves,
            leave: leaves.sub_racks.whole(),
            placed: 0,
            full_rack: setup.tileset.rules().rack_size,
            bonus: setup.tileset.rules().bingo_bonus,
            strip: [NOTHING; MAX_SIDE],
            reach,
            visitor,
        }
    }

    /// Visits every play that covers the anchor and no earlier anchor.
    pub(super) fn run(&mut self) {
        let root = self.graph.root;
        if root.letters != 0 {
            self.left(self.anchor, root, Points { word: 0, multiplier: 1, crosses: 0 });
        }
    }

    /// Returns whether there is no tile at an offset, which may be beyond the edge.
    #[inline]
    fn is_free(&self, offset: usize) -> bool {
        self.cells.get(offset).is_none_or(Option::is_none)
    }

    /// Covers `offset`, at the anchor or left of it, with each letter of the children.
    fn left(&mut self, offset: usize, children: Children, points: Points) {
        if let Some(tile) = self.cells[offset] {
            if let Some(node) = self.graph.find(children, tile.letter()) {
                self.after_left(offset, node, self.through(tile, points));
            }
            return;
        }
        self.each_fitting(offset, children, points, &mut |walk, node, points| walk.after_left(offset, node, points));
    }

    fn after_left(&mut self, offset: usize, node: SearchNode, points: Points) {
        let open = offset == 0 || self.cells[offset - 1].is_none();
        if node.accepts && open && self.is_free(self.anchor + 1) {
            self.found(offset, self.anchor, points);
        }
        let children = node.children;
        if children.letters == 0 {
            return;
        }
        if offset > 0 && (!open || (offset > self.left_limit && self.held != 0)) {
            self.left(offset - 1, children, points);
        }
        if open
            && self.anchor + 1 < self.cells.len()
            && let Some(separator) = self.graph.find(children, SEPARATOR)
        {
            self.right(self.anchor + 1, offset, separator.children, points);
        }
    }

    /// Covers `offset`, right of the anchor, with each letter of the children. The word begins at `start`.
    fn right(&mut self, offset: usize, start: usize, children: Children, points: Points) {
        if let Some(tile) = self.cells[offset] {
            if let Some(node) = self.graph.find(children, tile.letter()) {
                self.after_right(offset, start, node, self.through(tile, points));
            }
            return;
        }
        self.each_fitting(offset, children, points, &mut |walk, node, points| walk.after_right(offset, start, node, points));
    }

    fn after_right(&mut self, offset: usize, start: usize, node: SearchNode, points: Points) {
        if node.accepts && self.is_free(offset + 1) {
            self.found(start, offset, points);
        }
        if node.children.letters != 0 && offset + 1 < self.cells.len() {
            self.right(offset + 1, start, node.children, points);
        }
    }

    /// Lays each tile that the rack, the cross set and the children allow on an empty square, continues the search, and
    /// takes the tile back.
    #[inline]
    fn each_fitting(
        &mut self,
        offset: usize,
        children: Children,
        points: Points,
        search_on: &mut impl FnMut(&mut Self, SearchNode, Points),
    ) {
        let cross = self.crosses[offset];
        let fitting = if self.held & 1 == 1 { cross.letters } else { cross.letters & self.held };
        if fitting == 0 || self.held == 0 {
            return;
        }
        let mut wanted = fitting & children.letters;
        if wanted == 0 {
            return;
        }
        let premium = self.premiums[offset];
        let (times, multiplier) = (i32::from(premium.letter), i32::from(premium.word));
        while wanted != 0 {
            let letter = wanted.trailing_zeros() as u8;
            wanted &= wanted - 1;
            let node = self.graph.child(children, letter);
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
                if self.reach[self.leave] >= self.visitor.threshold() {
                    search_on(self, node, next);
                }
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
        self.leave -= self.leaves.sub_racks.stride(kind);
        self.placed += 1;
        self.strip[offset] = tile;
    }

    #[inline]
    fn take_back(&mut self, kind: u8, offset: usize) {
        self.counts[kind as usize] += 1;
        self.held |= 1 << kind;
        self.leave += self.leaves.sub_racks.stride(kind);
        self.placed -= 1;
        self.strip[offset] = NOTHING;
    }

    #[inline]
    fn through(&self, tile: Tile, points: Points) -> Points {
        Points { word: points.word + i32::from(self.values[tile.kind() as usize]), ..points }
    }

    #[inline]
    fn found(&mut self, start: usize, end: usize, points: Points) {
        let direction = self.lane.direction;
        // A play of one tile that forms words in both directions is found twice. Only the play across counts.
        if self.placed == 1 && direction == Direction::Down && self.crosses[self.anchor].joined {
            return;
        }
        let bonus = if self.placed == self.full_rack { self.bonus } else { 0 };
        let score = points.word * points.multiplier + points.crosses + bonus;
        let equity = Equity::from_points(score) + self.leaves.values[self.leave];
        let strip = &self.strip[start..=end];
        self.visitor.visit(equity, || Play {
            direction,
            start: Square::in_lane(direction, self.lane.index, start),
            tiles: strip.iter().copied().filter(|&tile| tile != NOTHING).collect::<Tiles>(),
            score,
        });
    }
}
