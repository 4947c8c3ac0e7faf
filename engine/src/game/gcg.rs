//! GCG: the usual text format of recorded games.
//!
//! [`read`] parses a file into a [`GcgGame`]. It needs only the tile set. [`replay`] plays the game on a board and checks
//! every coordinate, tile, score and total. [`GcgGame::record`] and [`GcgGame::write`] write the games of this program.
//! Words need not be in the lexicon: a phony that was not challenged is part of the game.
//!
//! Lines that begin with `#` are pragmas: the players, the names of lexicon, tile set and board, and notes. Lines that begin
//! with `>` are events: the player, the known part of the rack, the action, its points and the new total:
//!
//! ```text
//! #player1 ann Ann Example
//! #player2 bob Bob Example
//! >ann: AEINRTZ 8H ZA +22 22
//! >bob: EIOU? -IOU +0 0
//! ```

mod game;
mod read;
mod write;
mod replay;

pub use game::{GcgAction, GcgError, GcgEvent, GcgFault, GcgGame, GcgPlace, GcgPlayer, Pragmas};
pub use read::{pragmas, read};
pub use replay::{GcgPosition, Replay, replay};
