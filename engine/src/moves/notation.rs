//! Moves in writing: `8D FA(C)Es`, `-AAI`, `pass`.

use super::{Move, Play};
use crate::board::Board;
use crate::layout::{Square, read_coordinate, show_coordinate};
use crate::rack::Rack;
use crate::tileset::{Style, TileSet};

/// How tiles that were on the board before are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedThrough {
    /// A dot each, as in GCG files.
    Dots,
    /// The letters in round brackets, as people read them.
    Letters,
}

/// `8D` across, `D8` down.
pub fn coordinate(play: &Play) -> String {
    show_coordinate(play.start, play.direction)
}

/// The main word on the board before the play.
pub fn word(play: &Play, board: &Board, tileset: &TileSet, through: PlayedThrough) -> String {
    let (lane, start) = play.start.lane(play.direction);
    let cells = board.lane(play.direction, lane);
    let mut tiles = play.tiles.iter();
    let mut text = String::new();
    let mut inside = false;
    for cell in &cells[start..] {
        let (shown, there) = match cell {
            Some(tile) => (tileset.show(*tile).to_string(), true),
            None => match tiles.next() {
                Some(&tile) => (tileset.show(tile).to_string(), false),
                None => break,
            },
        };
        match through {
            PlayedThrough::Dots if there => text.push('.'),
            PlayedThrough::Dots => text.push_str(&shown),
            PlayedThrough::Letters => {
                if there != inside {
                    text.push(if there { '(' } else { ')' });
                    inside = there;
                }
                text.push_str(&shown);
            }
        }
    }
    if inside {
        text.push(')');
    }
    text
}

/// A move as people write it: `8D FA(C)Es`, `-AAI`, `pass`.
pub fn show(chosen: &Move, board: &Board, tileset: &TileSet) -> String {
    match chosen {
        Move::Play(play) => format!("{} {}", coordinate(play), word(play, board, tileset, PlayedThrough::Letters)),
        Move::Exchange(tiles) => format!("-{}", Rack::from_tiles(tiles).show(tileset)),
        Move::Pass => "pass".into(),
    }
}

/// Reads a play from its coordinate and main word, with `.` or the letter itself, bare or in round brackets, for tiles played
/// through. The score is left at 0: [`crate::game::scoring::check`] finds it, and whether the play is legal.
///
/// # Errors
/// What is wrong, in words.
pub fn read_play(coordinate: &str, word: &str, board: &Board, tileset: &TileSet) -> Result<Play, String> {
    let (start, direction) =
        read_coordinate(coordinate).ok_or_else(|| format!("{coordinate:?} is no coordinate such as 8H or H8"))?;
    let (lane, offset) = start.lane(direction);
    if lane >= board.side() {
        return Err(format!("{coordinate} is off the board"));
    }
    let cells = board.lane(direction, lane);
    let mut play = Play { direction, start, tiles: Default::default(), score: 0 };
    let plain: String = word.chars().filter(|&c| c != '(' && c != ')').collect();
    let mut at = offset;
    let mut rest = plain.as_str();
    while let Some(first) = rest.chars().next() {
        let cell = *cells.get(at).ok_or_else(|| format!("{word} runs off the board"))?;
        let length = if first == '[' { rest.find(']').map_or(rest.len(), |end| end + 1) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after;
        let square = show_coordinate(Square::in_lane(direction, lane, at), direction);
        if token == "." {
            if cell.is_none() {
                return Err(format!("{word} plays through {square}, which is empty"));
            }
        } else {
            let tiles = tileset.parse(token, Style::Bracketed).map_err(|_| format!("{token:?} in {word} is no tile"))?;
            let tile = tiles
                .first()
                .copied()
                .filter(|tile| tile.letter() != 0)
                .ok_or_else(|| format!("{word} has a blank without a letter"))?;
            match cell {
                Some(there) if there.letter() == tile.letter() => {}
                Some(there) => return Err(format!("{word} needs {token} on {square}, where {} lies", tileset.show(there))),
                None if play.tiles.len() == tileset.rules().rack_size => {
                    return Err(format!("{word} puts down more than a rackful"));
                }
                None => play.tiles.push(tile),
            }
        }
        at += 1;
    }
    Ok(play)
}
