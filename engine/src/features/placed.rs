//! Features of where a play lays its tiles: the play is tried on a board of its own.
//!
//! A feature is one row and one arm of [`Trial::values`].

use std::cell::{Cell, LazyCell};

use super::catalogue::family;
use crate::board::Board;
use crate::cross_set::{CrossChanges, CrossSets};
use crate::layout::{Direction, Layout, MAX_SIDE, Square};
use crate::moves::Play;
use crate::tileset::Tile;
use crate::turn::Turn;

family! {
    /// A feature of where a play lays its tiles; 0 for moves that lay none.
    PlacedFeature {
        TripleWordsOpened "triple_words_opened" "lanes" "Maven 6.4"
            "Lanes in which an empty triple word square can now be reached and could not before, less those in which it no longer can."
        BingoLanesOpened "bingo_lanes_opened" "places" "Maven 6.5"
            "New places for a full rack with one tile or one hook to bind it."
        BingoLanesClosed "bingo_lanes_closed" "places" "Maven 6.5"
            "Such places that are no more."
        PremiumsBesideVowels "premiums_beside_vowels" "squares" "Maven 6; Heuri"
            "Empty letter premium squares beside the vowels laid."
        HooksOpened "hooks_opened" "share of the unseen tiles" "Maven 6"
            "Unseen tiles that make another word before or after the word laid."
        MultipliersOpened "multipliers_opened" "points" "Heuri, first engine"
            "What Heuri takes off for a lane opened between triple word squares (20), or a vowel beside a triple (10) or double (5) letter square."
    }
}

/// What Heuri's first engine takes off for opening a lane between two triple word squares, a triple letter square beside a vowel, and
/// a double letter square beside one, in points.
const OPENINGS: [f32; 3] = [20.0, 10.0, 5.0];

/// A board on which plays are tried.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    turn: &'a Turn<'a>,
    board: Board,
    cross_sets: CrossSets,
    triple_words: LaneCount,
    bingo_places: LaneCount,
}

/// Something that is counted lane by lane, and what it was before the play in the lanes that were asked about.
#[derive(Debug)]
struct LaneCount {
    count: fn(&Turn<'_>, &Board, &CrossSets, Direction, usize) -> i32,
    before: [[Cell<Option<i32>>; MAX_SIDE]; 2],
}

/// What the lanes of a play count more than before it, and what they count less.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    opened: i32,
    closed: i32,
}

impl<'a> Trial<'a> {
    /// A board to try the plays of a turn on.
    pub(super) fn new(turn: &'a Turn<'a>) -> Trial<'a> {
        Trial {
            turn,
            board: turn.board.clone(),
            cross_sets: turn.cross_sets.clone(),
            triple_words: LaneCount { count: triple_words, before: Default::default() },
            bingo_places: LaneCount { count: bingo_places, before: Default::default() },
        }
    }

    /// The features of a play.
    pub(super) fn values(&mut self, features: &[PlacedFeature], play: &Play) -> Vec<f32> {
        let placed: Vec<(Square, Tile)> = play.placements(&self.board).collect();
        let squares: Vec<Square> = placed.iter().map(|&(square, _)| square).collect();
        for &(square, tile) in &placed {
            self.board.set(square, Some(tile));
        }
        let changes = self.cross_sets.update(self.turn.setup, play.direction, &squares, &self.board);
        let lanes = LazyCell::new(|| lanes_of(&changes, self.board.side()));
        let triple_words = LazyCell::new(|| self.change(&self.triple_words, &lanes));
        let bingo_places = LazyCell::new(|| self.change(&self.bingo_places, &lanes));
        let value = |feature: &PlacedFeature| match feature {
            PlacedFeature::TripleWordsOpened => (triple_words.opened - triple_words.closed) as f32,
            PlacedFeature::BingoLanesOpened => bingo_places.opened as f32,
            PlacedFeature::BingoLanesClosed => bingo_places.closed as f32,
            PlacedFeature::PremiumsBesideVowels => self.premiums_beside_vowels(&placed).len() as f32,
            PlacedFeature::HooksOpened => self.hooks(play, &squares),
            PlacedFeature::MultipliersOpened => self.multipliers_opened(&placed),
        };
        let values = features.iter().map(value).collect();
        self.cross_sets.undo(&changes);
        for &square in &squares {
            self.board.set(square, None);
        }
        values
    }

    fn change(&self, what: &LaneCount, lanes: &[(Direction, usize)]) -> Change {
        let mut change = Change::default();
        for &(direction, lane) in lanes {
            let after = (what.count)(self.turn, &self.board, &self.cross_sets, direction, lane);
            let known = &what.before[direction as usize][lane];
            let count_before = || (what.count)(self.turn, self.turn.board, self.turn.cross_sets, direction, lane);
            let before = known.get().unwrap_or_else(count_before);
            known.set(Some(before));
            change.opened += (after - before).max(0);
            change.closed += (before - after).max(0);
        }
        change
    }

    /// Empty letter premium squares beside vowels that were laid, with what they multiply by.
    fn premiums_beside_vowels(&self, placed: &[(Square, Tile)]) -> Vec<u8> {
        let tileset = &self.turn.setup.tileset;
        let vowels = placed.iter().filter(|(_, tile)| tileset.kinds()[tile.letter() as usize].is_vowel);
        let beside = vowels.flat_map(|&(square, _)| neighbours(square, self.board.side()));
        let empty = beside.filter(|&square| self.board.get(square).is_none());
        empty.map(|square| premium(&self.turn.setup.layout, square).0).filter(|&letter| letter > 1).collect()
    }

    /// How many unseen tiles, as a share of all, make a word before or after the main word.
    fn hooks(&self, play: &Play, squares: &[Square]) -> f32 {
        let Some(&first) = squares.first() else { return 0.0 };
        let (lane, offset) = first.lane(play.direction);
        let cells = self.board.lane(play.direction, lane);
        let begin = cells[..offset].iter().rposition(Option::is_none).map_or(0, |empty| empty + 1);
        let end = cells[offset..].iter().position(Option::is_none).map_or(cells.len(), |steps| offset + steps);
        let ends = [begin.checked_sub(1), (end < cells.len()).then_some(end)];
        let hooks = ends.into_iter().flatten().map(|square| {
            // Seen by plays across the word's lane, the square wants letters that make a word with it.
            let across = self.cross_sets.lane(play.direction.other(), square)[lane];
            let fitting = self.turn.unseen.kinds().filter(|&(kind, _)| kind == 0 || across.letters >> kind & 1 == 1);
            if across.letters == 0 { 0.0 } else { fitting.map(|(_, count)| f32::from(count)).sum::<f32>() }
        });
        hooks.sum::<f32>() / (self.turn.unseen.size().max(1)) as f32
    }

    /// What Heuri's first engine takes off.
    fn multipliers_opened(&self, placed: &[(Square, Tile)]) -> f32 {
        let beside = self.premiums_beside_vowels(placed);
        let is_nine = placed.iter().any(|&(square, _)| {
            Direction::BOTH.into_iter().any(|direction| self.lies_between_triple_words(direction, square))
        });
        let multiplied = [is_nine, beside.iter().any(|&letter| letter >= 3), beside.contains(&2)];
        multiplied.iter().zip(OPENINGS).find(|(is_opened, _)| **is_opened).map_or(0.0, |(_, points)| points)
    }

    /// Whether a play through this tile could cover the next triple word squares on both sides of it.
    fn lies_between_triple_words(&self, direction: Direction, square: Square) -> bool {
        let (lane, offset) = square.lane(direction);
        let (cells, premiums) = (self.board.lane(direction, lane), self.turn.setup.layout.lane(direction, lane));
        let is_open = |&square: &usize| premiums[square].word >= 3 && cells[square].is_none();
        let (before, after) = ((0..offset).rev().find(is_open), (offset + 1..cells.len()).find(is_open));
        let (Some(before), Some(after)) = (before, after) else { return false };
        let empty = cells[before..=after].iter().filter(|cell| cell.is_none()).count();
        empty <= self.turn.setup.tileset.rules().rack_size
    }
}

/// The lanes that look different after a play, each once.
fn lanes_of(changes: &CrossChanges, side: usize) -> Vec<(Direction, usize)> {
    let lane = |&(direction, index, _): &(Direction, u16, _)| (direction, index as usize / side);
    let mut lanes: Vec<(Direction, usize)> = changes.iter().map(lane).collect();
    lanes.sort_unstable();
    lanes.dedup();
    lanes
}

/// Empty triple word squares of a lane that a rack reaches from a tile of the lane, or from a hook in it, over empty squares.
fn triple_words(turn: &Turn<'_>, board: &Board, cross_sets: &CrossSets, direction: Direction, lane: usize) -> i32 {
    let (cells, crosses) = (board.lane(direction, lane), cross_sets.lane(direction, lane));
    let premiums = turn.setup.layout.lane(direction, lane);
    let size = turn.setup.tileset.rules().rack_size;
    let binds = |square: usize| cells[square].is_some() || crosses[square].joined;
    // A rack covers a hook itself, but not a tile, so that a tile may be one square farther off.
    let is_near = |distance: usize, square: usize| distance < size || cells[square].is_some() && distance == size;
    let is_reached = |square: usize| {
        let before = (0..=square).rev().enumerate().find(|&(_, at)| binds(at));
        let after = (square..cells.len()).enumerate().find(|&(_, at)| binds(at));
        let reaches =
            |(distance, at): (usize, usize)| is_near(distance, at) && (cells[at].is_some() || crosses[at].letters != 0);
        before.into_iter().chain(after).any(reaches)
    };
    let empty = (0..cells.len()).filter(|&square| premiums[square].word >= 3 && cells[square].is_none());
    empty.filter(|&square| is_reached(square)).count() as i32
}

/// Places for a bingo in a lane: a full rack's empty squares in a row with one tile between or next to them, or with one hook and
/// nothing else that binds them.
fn bingo_places(turn: &Turn<'_>, board: &Board, cross_sets: &CrossSets, direction: Direction, lane: usize) -> i32 {
    let (cells, crosses) = (board.lane(direction, lane), cross_sets.lane(direction, lane));
    let size = turn.setup.tileset.rules().rack_size;
    let is_place = |&first: &usize| {
        if first > 0 && cells[first - 1].is_some() {
            return false;
        }
        let (mut tiles, mut hooks, mut laid, mut square) = (0, 0, 0, first);
        while square < cells.len() && (laid < size || cells[square].is_some()) {
            if cells[square].is_some() {
                tiles += 1;
            } else {
                laid += 1;
                hooks += i32::from(crosses[square].joined);
                if crosses[square].letters == 0 {
                    return false;
                }
            }
            square += 1;
        }
        laid == size && tiles + hooks == 1
    };
    (0..cells.len()).filter(is_place).count() as i32
}

fn neighbours(square: Square, side: usize) -> impl Iterator<Item = Square> {
    let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)];
    steps.into_iter().filter_map(move |(down, right)| {
        let row = usize::try_from(i32::from(square.row) + down).ok().filter(|&row| row < side)?;
        let column = usize::try_from(i32::from(square.column) + right).ok().filter(|&column| column < side)?;
        Some(Square { row: row as u8, column: column as u8 })
    })
}

/// What a square multiplies a letter and a word by.
fn premium(layout: &Layout, square: Square) -> (u8, u8) {
    let (lane, offset) = square.lane(Direction::Across);
    let premium = layout.lane(Direction::Across, lane)[offset];
    (premium.letter, premium.word)
}

#[cfg(test)]
mod tests;
