//! The squares around the tiles that a move lays, for layers that look at the board itself.
//!
//! Each laid tile has a **patch** of a radius r: the (2r + 1)² squares around it on the board after the move, so the other laid tiles are
//! in it too. It is oriented by the play: row by row along the play, the lane before that of the play first. For a play down, rows and
//! columns are exchanged.
//!
//! Each square has a **content**, by a code that is the same for all layouts and tile sets:
//!
//! | content | square |
//! | --- | --- |
//! | 0 | off the board |
//! | 1 | empty, without a premium |
//! | 2, 3, 4 | empty, with the letter multiplier 2, 3, 4 |
//! | 5, 6, 7 | empty, with the word multiplier 2, 3, 4 |
//! | 7 + n | letter n of the tile set, also by a blank |
//!
//! A laid tile hides the premium of its square, which the score of the move has counted.

use crate::board::Board;
use crate::layout::{Direction, Layout, Premium};
use crate::moves::Move;
use crate::tileset::{MAX_RACK_SIZE, Tile};

/// The content of squares off the board.
const OFF_BOARD: u8 = 0;
/// The contents of squares without a letter.
const WITHOUT_LETTER: u8 = 8;

/// The number of contents that a square can have with `letters` letters in the tile set.
pub const fn content_count(letters: u8) -> usize {
    WITHOUT_LETTER as usize + letters as usize
}

/// The number of squares of a patch.
pub const fn patch_size(radius: usize) -> usize {
    (2 * radius + 1).pow(2)
}

/// The contents of the squares of a board, row by row.
pub fn square_contents(layout: &Layout, board: &Board) -> Vec<u8> {
    let row = |row| board.lane(Direction::Across, row).iter().zip(layout.lane(Direction::Across, row));
    let content = |(tile, &premium): (&Option<Tile>, &Premium)| tile.map_or_else(|| of_empty(premium), of_tile);
    (0..board.side()).flat_map(row).map(content).collect()
}

const fn of_empty(Premium { letter, word }: Premium) -> u8 {
    if word == 1 { letter } else { 3 + word }
}

const fn of_tile(tile: Tile) -> u8 {
    WITHOUT_LETTER - 1 + tile.letter()
}

/// A board whose patches can be read.
#[derive(Clone, Debug)]
pub struct PatchBoard {
    side: usize,
    radius: usize,
    /// The contents row by row, with a margin of the radius on all sides.
    squares: Vec<u8>,
    /// The patch that is being read.
    patch: Vec<u8>,
}

impl PatchBoard {
    /// The board with these [`square_contents`], for patches of a radius.
    pub fn new(contents: &[u8], radius: usize) -> PatchBoard {
        let side = contents.len().isqrt();
        let width = side + 2 * radius;
        let mut squares = vec![OFF_BOARD; width * width];
        let inner = squares.chunks_mut(width).skip(radius);
        for (row, contents) in inner.zip(contents.chunks(side.max(1))) {
            row[radius..][..side].copy_from_slice(contents);
        }
        PatchBoard { side, radius, squares, patch: vec![OFF_BOARD; patch_size(radius)] }
    }

    /// Calls `see` with the patch of each tile that a move lays, in the order of the tiles; an exchange or a pass lays none. The move is
    /// legal on the board.
    pub fn each_patch(&mut self, chosen: &Move, mut see: impl FnMut(&[u8])) {
        let Move::Play(play) = chosen else { return };
        let PatchBoard { side, radius, squares, patch } = self;
        let (width, length) = (*side + 2 * *radius, 2 * *radius + 1);
        let (along, across) = if play.direction == Direction::Across { (1, width) } else { (width, 1) };
        let (lane, start) = play.start.lane(play.direction);
        let (mut places, mut count) = ([(0, OFF_BOARD); MAX_RACK_SIZE], 0);
        for offset in start..*side {
            let at = (lane + *radius) * across + (offset + *radius) * along;
            if count < play.tiles.len() && squares[at] < WITHOUT_LETTER {
                places[count] = (at, squares[at]);
                count += 1;
            }
        }
        let places = &places[..count];
        for (&(at, _), &tile) in places.iter().zip(play.tiles.iter()) {
            squares[at] = of_tile(tile);
        }
        for &(at, _) in places {
            let corner = at - *radius * (along + across);
            for (step, contents) in patch.chunks_exact_mut(length).enumerate() {
                let lane = squares[corner + step * across..].iter().step_by(along);
                contents.iter_mut().zip(lane).for_each(|(content, &square)| *content = square);
            }
            see(patch);
        }
        for &(at, content) in places {
            squares[at] = content;
        }
    }
}
