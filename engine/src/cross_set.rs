//! Cross sets: the letters that a square allows because of its cross word, and the points that the cross word adds.
//!
//! They are updated incrementally: a play changes only the cross sets of the squares it covers, of the two ends of its main
//! word, and of the two ends of each run that crosses it.

use crate::board::Board;
use crate::layout::{Direction, MAX_SQUARES, Square};
use crate::lexicon::WordGraph;
use crate::setup::Setup;
use crate::tileset::{MAX_RACK_SIZE, Tile, TileSet};

/// The cross set of a square for plays in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cross {
    /// The letters that form a valid cross word, as bits. Bit 1 is the first letter.
    pub letters: u64,
    /// The value of the tiles in the cross word, in points, without the new tile.
    pub score: i32,
    /// Whether the square has a neighbouring tile across the play, so that a tile on it forms a cross word.
    pub joined: bool,
}

/// The cross sets that a play changed, with their previous values, to undo it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CrossChanges {
    changes: [(Direction, u16, Cross); MAX_CHANGES],
    count: usize,
}

/// The maximum number of changes: each tile changes its own square in both directions and both ends of the run that crosses
/// the play, and the main word has two ends.
const MAX_CHANGES: usize = 4 * MAX_RACK_SIZE + 2;

impl CrossChanges {
    /// Creates an empty list of changes.
    pub(crate) fn none() -> CrossChanges {
        let nothing = Cross { letters: 0, score: 0, joined: false };
        CrossChanges { changes: [(Direction::Across, 0, nothing); MAX_CHANGES], count: 0 }
    }

    /// Returns each changed cross set: the direction of its plays, its square as `lane * side + offset` in that direction,
    /// and its previous value.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Direction, u16, Cross)> {
        self.changes[..self.count].iter()
    }

    /// The lanes whose squares or cross sets the play changed, each once, the rows first.
    pub(crate) fn lanes(&self, side: usize) -> impl Iterator<Item = (Direction, usize)> + use<> {
        let number =
            |&(direction, index, _): &(Direction, u16, Cross)| direction as usize * side + usize::from(index) / side;
        let mut rest = self.iter().map(number).fold(0u64, |lanes, number| lanes | 1 << number);
        std::iter::from_fn(move || {
            let number = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some((Direction::BOTH[number / side], number % side))
        })
    }
}

/// The cross sets of a board, for both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossSets {
    side: usize,
    open: Cross,
    squares: [[Cross; MAX_SQUARES]; 2],
}

impl CrossSets {
    /// Creates the cross sets of an empty board, which allow any letter on any square.
    pub(crate) fn new(side: usize, tileset: &TileSet) -> CrossSets {
        let open = Cross { letters: tileset.all_letters(), score: 0, joined: false };
        CrossSets { side, open, squares: [[open; MAX_SQUARES]; 2] }
    }

    /// Computes the cross sets of a board.
    pub fn from_board(setup: &Setup, board: &Board) -> CrossSets {
        let mut sets = CrossSets::new(board.side(), &setup.tileset);
        for lane in 0..board.side() {
            for offset in 0..board.side() {
                let square = Square::in_lane(Direction::Across, lane, offset);
                if board.get(square).is_none() {
                    for direction in Direction::BOTH {
                        let cross = sets.computed(setup, direction, square, board);
                        *sets.get_mut(direction, square) = cross;
                    }
                }
            }
        }
        sets
    }

    /// Returns the cross sets of the squares of a lane, for plays along it.
    #[inline]
    pub fn lane(&self, direction: Direction, lane: usize) -> &[Cross] {
        &self.squares[direction as usize][lane * self.side..][..self.side]
    }

    /// Updates the cross sets after a play along `direction` and returns the changes. `placed` are the squares that the play
    /// covered, and `board` already holds its tiles.
    pub(crate) fn update(&mut self, setup: &Setup, direction: Direction, placed: &[Square], board: &Board) -> CrossChanges {
        let mut changes = CrossChanges::none();
        let crossing = direction.other();
        let mut compute_ends = |sets: &mut CrossSets, direction: Direction, square| {
            for end in ends(board, direction.other(), square) {
                let cross = sets.computed(setup, direction, end, board);
                sets.set(direction, end, cross, &mut changes);
            }
        };
        for &square in placed {
            compute_ends(self, direction, square);
        }
        if let Some(&square) = placed.first() {
            compute_ends(self, crossing, square);
        }
        for &square in placed {
            self.set(direction, square, self.open, &mut changes);
            self.set(crossing, square, self.open, &mut changes);
        }
        changes
    }

    /// Undoes an update. Updates must be undone in reverse order.
    pub(crate) fn undo(&mut self, changes: &CrossChanges) {
        for &(direction, index, cross) in changes.changes[..changes.count].iter().rev() {
            self.squares[direction as usize][index as usize] = cross;
        }
    }

    fn get_mut(&mut self, direction: Direction, square: Square) -> &mut Cross {
        let (lane, offset) = square.lane(direction);
        &mut self.squares[direction as usize][lane * self.side + offset]
    }

    fn set(&mut self, direction: Direction, square: Square, cross: Cross, changes: &mut CrossChanges) {
        let (lane, offset) = square.lane(direction);
        let index = lane * self.side + offset;
        let before = std::mem::replace(&mut self.squares[direction as usize][index], cross);
        changes.changes[changes.count] = (direction, index as u16, before);
        changes.count += 1;
    }

    /// Computes the cross set of a square for plays in `direction`.
    fn computed(&self, setup: &Setup, direction: Direction, square: Square, board: &Board) -> Cross {
        let (lane, offset) = square.lane(direction.other());
        let cells = board.lane(direction.other(), lane);
        let first = cells[..offset].iter().rposition(Option::is_none).map_or(0, |empty| empty + 1);
        let last = cells[offset + 1..].iter().position(Option::is_none).map_or(cells.len(), |steps| offset + 1 + steps);
        let (before, after) = (&cells[first..offset], &cells[offset + 1..last]);
        if before.is_empty() && after.is_empty() {
            return self.open;
        }
        let score = before.iter().chain(after).flatten().map(|&tile| setup.tileset.value(tile)).sum();
        Cross { letters: fitting(before, after, &setup.lexicon.graph), score, joined: true }
    }
}

/// Returns the empty squares at both ends of the run of tiles through `square`, or beside it, in the direction `run`.
pub(crate) fn ends(board: &Board, run: Direction, square: Square) -> impl Iterator<Item = Square> {
    let (lane, offset) = square.lane(run);
    let cells = board.lane(run, lane);
    let before = cells[..offset].iter().rposition(Option::is_none);
    let after = cells[offset + 1..].iter().position(Option::is_none).map(|steps| offset + 1 + steps);
    before.into_iter().chain(after).map(move |end| Square::in_lane(run, lane, end))
}

/// Returns the letters that form a word between `before` and `after`, of which at least one is not empty.
fn fitting(before: &[Option<Tile>], after: &[Option<Tile>], graph: &WordGraph) -> u64 {
    fn letters(tiles: &[Option<Tile>]) -> impl DoubleEndedIterator<Item = u8> + '_ {
        tiles.iter().flatten().map(|tile| tile.letter())
    }
    let (list, reversed) = if before.is_empty() {
        (graph.walk(graph.gaddag_root(), letters(after).rev()), true)
    } else {
        (graph.walk(graph.dawg_root(), letters(before)), false)
    };
    let Some(node) = list else { return 0 };
    let fits = |child: crate::lexicon::Node| {
        if reversed || after.is_empty() {
            child.letter() != 0 && child.accepts()
        } else {
            graph.walk(child.children(), letters(after)).is_some_and(crate::lexicon::Node::accepts)
        }
    };
    graph.siblings(node.children()).filter(|&child| fits(child)).fold(0, |bits, child| bits | 1 << child.letter())
}
