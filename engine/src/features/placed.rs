//! What a play does to the board.

use super::Feature;
use crate::board::Board;
use crate::cross_set::{CrossChanges, CrossSets};
use crate::layout::{Direction, Layout, MAX_SIDE, Square};
use crate::moves::Play;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::Tile;
use crate::turn::Turn;

/// What Heuri's first engine takes off for opening a lane between two triple word squares, a triple letter square beside a vowel, and
/// a double letter square beside one, in points.
const OPENINGS: [f32; 3] = [20.0, 10.0, 5.0];

/// A board on which plays are tried.
#[derive(Clone, Debug)]
pub(super) struct Trial<'a> {
    setup: &'a Setup,
    unseen: &'a Rack,
    board: Board,
    cross_sets: CrossSets,
    wanted: &'a [Feature],
    /// Which of them are counted in lanes.
    in_lanes: Counted<bool>,
    /// Of the lanes that were asked about, without any play.
    before: [[Option<Counted<i32>>; MAX_SIDE]; 2],
}

/// What is counted in a lane.
#[derive(Clone, Copy, Debug, Default)]
struct Counted<T> {
    triple_words: T,
    bingo_lanes: T,
}

impl<'a> Trial<'a> {
    /// For these features of plays.
    pub(super) fn new(turn: &Turn<'a>, wanted: &'a [Feature]) -> Trial<'a> {
        let wants = |any: &[Feature]| wanted.iter().any(|feature| any.contains(feature));
        Trial {
            setup: turn.setup,
            unseen: turn.unseen,
            board: turn.position.board.clone(),
            cross_sets: turn.position.cross_sets.clone(),
            wanted,
            in_lanes: Counted {
                triple_words: wants(&[Feature::TripleWordsOpened]),
                bingo_lanes: wants(&[Feature::BingoLanesOpened, Feature::BingoLanesClosed]),
            },
            before: [[None; MAX_SIDE]; 2],
        }
    }

    /// The features of a play, in their order.
    pub(super) fn values(&mut self, play: &Play) -> Vec<f32> {
        let placed: Vec<(Square, Tile)> = play.placements(&self.board).collect();
        let squares: Vec<Square> = placed.iter().map(|&(square, _)| square).collect();
        for &(square, tile) in &placed {
            self.board.set(square, Some(tile));
        }
        let changes = self.cross_sets.update(self.setup, play.direction, &squares, &self.board);
        let lanes = self.lanes_of(&changes);
        let after: Vec<Counted<i32>> = lanes.iter().map(|&(direction, lane)| self.counted(direction, lane)).collect();
        let value = |feature: &Feature| match feature {
            Feature::PremiumsBesideVowels => self.premiums_beside_vowels(&placed).len() as f32,
            Feature::HooksOpened => self.hooks(play, &squares),
            Feature::MultipliersOpened => self.multipliers_opened(&placed),
            _ => 0.0,
        };
        let mut values: Vec<f32> = self.wanted.iter().map(value).collect();
        self.cross_sets.take_back(&changes);
        for &square in &squares {
            self.board.set(square, None);
        }
        self.add_lanes(&lanes, &after, &mut values);
        values
    }

    /// The lanes that look different after a play, each once; none if nothing is counted in lanes.
    fn lanes_of(&self, changes: &CrossChanges) -> Vec<(Direction, usize)> {
        if !self.in_lanes.triple_words && !self.in_lanes.bingo_lanes {
            return Vec::new();
        }
        let lane = |&(direction, index, _): &(Direction, u16, _)| (direction, index as usize / self.board.side());
        let mut lanes: Vec<(Direction, usize)> = changes.iter().map(lane).collect();
        lanes.sort_unstable();
        lanes.dedup();
        lanes
    }

    /// Adds what lanes count more or less than before the play; the board is as it was before it.
    fn add_lanes(&mut self, lanes: &[(Direction, usize)], after: &[Counted<i32>], values: &mut [f32]) {
        let (mut triple_words, mut opened, mut closed) = (0, 0, 0);
        for (&(direction, lane), after) in lanes.iter().zip(after) {
            let known = self.before[direction as usize][lane];
            let before = known.unwrap_or_else(|| self.counted(direction, lane));
            self.before[direction as usize][lane] = Some(before);
            triple_words += after.triple_words - before.triple_words;
            opened += (after.bingo_lanes - before.bingo_lanes).max(0);
            closed += (before.bingo_lanes - after.bingo_lanes).max(0);
        }
        for (value, feature) in values.iter_mut().zip(self.wanted) {
            *value += match feature {
                Feature::TripleWordsOpened => triple_words as f32,
                Feature::BingoLanesOpened => opened as f32,
                Feature::BingoLanesClosed => closed as f32,
                _ => 0.0,
            };
        }
    }

    fn counted(&self, direction: Direction, lane: usize) -> Counted<i32> {
        Counted {
            triple_words: if self.in_lanes.triple_words { self.triple_words(direction, lane) } else { 0 },
            bingo_lanes: if self.in_lanes.bingo_lanes { self.bingo_lanes(direction, lane) } else { 0 },
        }
    }

    /// Empty triple word squares of a lane that a rack reaches from a tile of the lane, or from a hook in it, over empty squares.
    fn triple_words(&self, direction: Direction, lane: usize) -> i32 {
        let (cells, crosses) = (self.board.lane(direction, lane), self.cross_sets.lane(direction, lane));
        let premiums = self.setup.layout.lane(direction, lane);
        let size = self.setup.tileset.rules().rack_size;
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

    /// Places for a bingo in a lane: a full rack's empty squares in a row with one tile between or beside them, or with one hook and
    /// nothing else that binds them.
    fn bingo_lanes(&self, direction: Direction, lane: usize) -> i32 {
        let (cells, crosses) = (self.board.lane(direction, lane), self.cross_sets.lane(direction, lane));
        let size = self.setup.tileset.rules().rack_size;
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

    /// Empty letter premium squares beside vowels that were laid, with what they multiply by.
    fn premiums_beside_vowels(&self, placed: &[(Square, Tile)]) -> Vec<u8> {
        let tileset = &self.setup.tileset;
        let vowels = placed.iter().filter(|(_, tile)| tileset.kinds()[tile.letter() as usize].is_vowel);
        let beside = vowels.flat_map(|&(square, _)| neighbours(square, self.board.side()));
        let empty = beside.filter(|&square| self.board.get(square).is_none());
        empty.map(|square| premium(&self.setup.layout, square).0).filter(|&letter| letter > 1).collect()
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
            let fitting = self.unseen.kinds().filter(|&(kind, _)| kind == 0 || across.letters >> kind & 1 == 1);
            if across.letters == 0 { 0.0 } else { fitting.map(|(_, count)| f32::from(count)).sum::<f32>() }
        });
        hooks.sum::<f32>() / (self.unseen.size().max(1)) as f32
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
        let (cells, premiums) = (self.board.lane(direction, lane), self.setup.layout.lane(direction, lane));
        let is_open = |&square: &usize| premiums[square].word >= 3 && cells[square].is_none();
        let (before, after) = ((0..offset).rev().find(is_open), (offset + 1..cells.len()).find(is_open));
        let (Some(before), Some(after)) = (before, after) else { return false };
        let empty = cells[before..=after].iter().filter(|cell| cell.is_none()).count();
        empty <= self.setup.tileset.rules().rack_size
    }
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
