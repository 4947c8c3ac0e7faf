//! The extents that plays can cover, lane by lane, for any rack.
//!
//! A play of n tiles covers n consecutive empty squares of a lane: an [`Extent`]. The extent determines the tiles played
//! through, the cross words and all multipliers, independently of the rack. So the extents of a lane are found once and
//! cached until the lane changes. A move changes about ten of the thirty lanes of a board.

use crate::board::Board;
use crate::cross_set::{Cross, CrossSets};
use crate::layout::{Direction, MAX_SIDE};
use crate::setup::Setup;
use crate::tileset::{MAX_RACK_SIZE, Tile};

/// All squares of a lane, as bits of their offsets.
pub(crate) const ALL_SQUARES: u32 = u32::MAX;

/// The lanes of a board: the rows, then the columns.
pub(crate) fn all_lanes(side: usize) -> impl Iterator<Item = (Direction, usize)> + Clone {
    Direction::BOTH.into_iter().flat_map(move |direction| (0..side).map(move |index| (direction, index)))
}

/// The empty squares that a play covers: consecutive empty squares of a lane, one per tile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The key of the letters played through, or 0 without a word map.
    pub through: u64,
    /// The place key of the first letter played through (see [`crate::lexicon::WordMap::place_key`]).
    pub placed: u64,
    /// The total multiplier of each covered square, in descending order. Unused entries are 0.
    pub multipliers: [i16; MAX_RACK_SIZE],
    /// The points of tiles played through and of cross words, and the bingo bonus.
    pub base: i32,
    /// The covered squares with cross words, as bits of their offsets.
    pub joined: u32,
    /// The number of tiles.
    pub tiles: u8,
    /// Whether the main word includes tiles that are on the board already.
    pub(crate) plays_through: bool,
    /// The first and the last square of the main word.
    pub start: u8,
    pub end: u8,
    /// The word multiplier of the main word.
    pub multiplier: i16,
}

impl Extent {
    /// Returns the number of letters of the main word.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        usize::from(self.end - self.start) + 1
    }
}

/// A square that connects a play to the board. Each extent belongs to the first anchor that it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    pub offset: u8,
    /// The first square that a play of this anchor may cover. Earlier squares belong to the previous anchor.
    pub(crate) left_limit: u8,
    /// The end of its extents in the list of the lane. They begin at the end of the previous anchor's extents.
    pub(crate) extents_end: u16,
}

/// A lane with its extents.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub direction: Direction,
    pub index: usize,
    /// The extents of the state below by anchor, then by first square, then by number of tiles.
    pub extents: Vec<Extent>,
    anchors: Vec<Anchor>,
    is_first_play: bool,
    side: usize,
    pub cells: [Option<Tile>; MAX_SIDE],
    pub(crate) crosses: [Cross; MAX_SIDE],
    /// The squares with cross words, as bits of their offsets.
    joined: u32,
}

/// An empty square of a lane, and the run of tiles before it.
#[derive(Clone, Copy, Default)]
struct Gap {
    offset: u8,
    /// The letter multiplier.
    letter: i16,
    /// The multiplier of the tile in its cross word, or 0 without a cross word.
    crossing: i16,
    /// The word multiplier.
    word: i16,
    /// The points of the other tiles of the cross word, times its word multiplier.
    crossing_points: i32,
    joined: bool,
    /// Whether no letter fits the cross word.
    is_blocked: bool,
    /// The run of tiles that ends before this square.
    run: Run,
}

/// A run of adjacent tiles.
#[derive(Clone, Copy, Default)]
struct Run {
    length: u8,
    points: i32,
    key: u64,
    /// The first letter.
    letter: u8,
}

impl Lane {
    /// A lane of a board, without extents.
    pub(super) fn of_board((direction, index): (Direction, usize), board: &Board, cross_sets: &CrossSets) -> Lane {
        let crosses = [cross_sets.lane(direction, index)[0]; MAX_SIDE];
        let (extents, anchors) = Default::default();
        let cells = [None; MAX_SIDE];
        let mut lane = Lane { direction, index, extents, anchors, is_first_play: true, side: 0, cells, crosses, joined: 0 };
        lane.set((direction, index), board, cross_sets);
        lane
    }

    /// Changes its state to the state of a lane of a board. Its extents are not found.
    pub(super) fn set(&mut self, (direction, index): (Direction, usize), board: &Board, cross_sets: &CrossSets) {
        let (cells, crosses) = (board.lane(direction, index), cross_sets.lane(direction, index));
        (self.direction, self.index, self.is_first_play, self.side) = (direction, index, board.is_empty(), cells.len());
        self.cells[..cells.len()].copy_from_slice(cells);
        self.crosses[..crosses.len()].copy_from_slice(crosses);
    }

    /// Changes its state to the state of another lane. Its extents are not found.
    pub(super) fn copy_state(&mut self, other: &Lane) {
        let &Lane { direction, index, is_first_play, side, cells, crosses, joined, .. } = other;
        let (extents, anchors) = (std::mem::take(&mut self.extents), std::mem::take(&mut self.anchors));
        *self = Lane { direction, index, extents, anchors, is_first_play, side, cells, crosses, joined };
    }

    pub(super) fn cells(&self) -> &[Option<Tile>] {
        &self.cells[..self.side]
    }

    /// Whether its state equals the state of the lane on a board.
    pub(super) fn is_as_on(&self, board: &Board, cross_sets: &CrossSets) -> bool {
        self.is_first_play == board.is_empty()
            && self.cells[..self.side] == *board.lane(self.direction, self.index)
            && self.crosses[..self.side] == *cross_sets.lane(self.direction, self.index)
    }

    /// Returns the squares on which none of these letters fits the cross word, as bits of their offsets.
    pub(super) fn closed_to(&self, letters: u64) -> u32 {
        let mut closed = self.joined;
        let mut rest = self.joined;
        while rest != 0 {
            let offset = rest.trailing_zeros();
            rest &= rest - 1;
            if self.crosses[offset as usize].letters & letters != 0 {
                closed &= !(1 << offset);
            }
        }
        closed
    }

    /// Returns the anchors, each with its extents.
    pub(super) fn anchors(&self) -> impl Iterator<Item = (Anchor, &[Extent])> {
        let mut first = 0;
        self.anchors.iter().map(move |anchor| {
            let extents =
                &self.extents[std::mem::replace(&mut first, anchor.extents_end as usize)..anchor.extents_end as usize];
            (*anchor, extents)
        })
    }

    /// Finds the extents of its state for any rack.
    pub(super) fn find_extents(&mut self, setup: &Setup) {
        self.find_extents_at(setup, setup.tileset.rules().rack_size, ALL_SQUARES);
    }

    /// Finds the extents of its state that cover an anchor among some squares, as bits of their offsets, for racks of at most `most`
    /// tiles. Other anchors do not count.
    pub(super) fn find_extents_at(&mut self, setup: &Setup, most: usize, squares: u32) {
        self.find_at(setup, squares, |lane, gaps, first, anchor| {
            // A play that starts farther left does not reach the anchor.
            let reaching = first.max((anchor + 1).saturating_sub(most));
            for from in reaching..=anchor {
                let end = (gaps.len() - 1).min(from + most);
                lane.extents_from(setup, &gaps[from..=end], anchor - from);
            }
        });
    }

    /// Finds the anchors of its state among some squares, as bits of their offsets, without extents. Other anchors do not count.
    pub(super) fn find_anchors_at(&mut self, setup: &Setup, squares: u32) {
        self.find_at(setup, squares, |_, _, _, _| ());
    }

    /// Finds the anchors among some squares. `add_extents` adds the extents of each: it gets the gaps of the lane, the first that a play of
    /// the anchor may cover, and the anchor.
    fn find_at(&mut self, setup: &Setup, squares: u32, add_extents: impl Fn(&mut Lane, &[Gap], usize, usize)) {
        self.extents.clear();
        self.anchors.clear();
        let mut gaps = [Gap::default(); MAX_SIDE + 1];
        let count = self.find_gaps(setup, &mut gaps);
        self.joined = gaps[..count].iter().fold(0, |bits, gap| bits | u32::from(gap.joined) << gap.offset);
        let start = setup.layout.start().lane(self.direction);
        let (is_first_play, index) = (self.is_first_play, self.index);
        let is_anchor = |place: usize| {
            let gap = &gaps[place];
            if squares >> gap.offset & 1 == 0 {
                false
            } else if is_first_play {
                (index, gap.offset as usize) == start
            } else {
                gap.joined || gap.run.length > 0 || gaps[place + 1].run.length > 0
            }
        };
        let mut first = 0;
        for anchor in 0..count {
            if !is_anchor(anchor) {
                continue;
            }
            add_extents(self, &gaps[..=count], first, anchor);
            let left_limit = if first == 0 { 0 } else { gaps[first - 1].offset + 1 };
            let extents_end = self.extents.len() as u16;
            self.anchors.push(Anchor { offset: gaps[anchor].offset, left_limit, extents_end });
            first = anchor + 1;
        }
    }

    /// Finds the extents that begin at the first of some gaps and cover gap `anchor`. The last gap stands for the edge.
    fn extents_from(&mut self, setup: &Setup, gaps: &[Gap], anchor: usize) {
        let rules = setup.tileset.rules();
        let first = &gaps[0];
        let start = first.offset - first.run.length;
        let mut through = first.run;
        let mut placed = if through.length > 0 { place_key(setup, 0, through.letter) } else { 0 };
        let (mut multiplier, mut crossing_points, mut joined) = (1, 0, 0);
        let mut multipliers = [0; MAX_RACK_SIZE];
        for (place, gap) in gaps[..gaps.len() - 1].iter().enumerate() {
            if gap.is_blocked {
                break;
            }
            crossing_points += gap.crossing_points;
            joined |= u32::from(gap.joined) << gap.offset;
            if gap.word == 1 {
                insert(&mut multipliers, place, gap.letter * multiplier + gap.crossing);
            } else {
                multiplier *= gap.word;
                for (count, gap) in gaps[..=place].iter().enumerate() {
                    insert(&mut multipliers, count, gap.letter * multiplier + gap.crossing);
                }
            }
            let next = &gaps[place + 1];
            if through.length == 0 && next.run.length > 0 {
                placed = place_key(setup, place + 1, next.run.letter);
            }
            through.length += next.run.length;
            through.points += next.run.points;
            through.key = through.key.wrapping_add(next.run.key);
            let tiles = place + 1;
            let length = through.length as usize + tiles;
            // A play of one tile that forms words in both directions is written across.
            let is_counted_across = tiles == 1 && gap.joined && self.direction == Direction::Down;
            if place < anchor || length < 2 || is_counted_across {
                continue;
            }
            let bonus = if tiles == rules.rack_size { rules.bingo_bonus } else { 0 };
            self.extents.push(Extent {
                through: through.key,
                placed,
                multipliers,
                base: through.points * i32::from(multiplier) + crossing_points + bonus,
                joined,
                tiles: tiles as u8,
                plays_through: through.length > 0,
                start,
                end: start + length as u8 - 1,
                multiplier,
            });
        }
    }

    /// Fills in the empty squares, and one more gap for the edge. Returns the number of empty squares.
    fn find_gaps(&self, setup: &Setup, gaps: &mut [Gap; MAX_SIDE + 1]) -> usize {
        let (cells, crosses) = (&self.cells[..self.side], &self.crosses[..self.side]);
        let premiums = setup.layout.lane(self.direction, self.index);
        let mut count = 0;
        let mut run = Run::default();
        for (offset, cell) in cells.iter().enumerate() {
            if let Some(tile) = *cell {
                if run.length == 0 {
                    run.letter = tile.letter();
                }
                run.length += 1;
                run.points += setup.tileset.value(tile);
                run.key = run.key.wrapping_add(letter_key(setup, tile));
                continue;
            }
            let (cross, premium) = (&crosses[offset], premiums[offset]);
            let (letter, word) = (i16::from(premium.letter), i16::from(premium.word));
            gaps[count] = Gap {
                offset: offset as u8,
                letter,
                crossing: if cross.joined { letter * word } else { 0 },
                word,
                crossing_points: if cross.joined { cross.score * i32::from(word) } else { 0 },
                joined: cross.joined,
                is_blocked: cross.letters == 0,
                run: std::mem::take(&mut run),
            };
            count += 1;
        }
        gaps[count] = Gap { offset: cells.len() as u8, run, ..Gap::default() };
        count
    }
}

fn place_key(setup: &Setup, place: usize, letter: u8) -> u64 {
    setup.search.map().map_or(0, |map| map.place_key(place, letter))
}

fn letter_key(setup: &Setup, tile: Tile) -> u64 {
    setup.search.map().map_or(0, |map| map.letter_key(tile.letter()))
}

/// Inserts an item into the first `count` items, which are in descending order.
#[inline]
pub(super) fn insert(items: &mut [i16; MAX_RACK_SIZE], count: usize, item: i16) {
    let mut at = count;
    while at > 0 && items[at - 1] < item {
        items[at] = items[at - 1];
        at -= 1;
    }
    items[at] = item;
}
