//! GCG: the field's text format of whole games.
//!
//! [`read`] turns a file into a [`GcgGame`], knowing the tile set alone; [`replay`] walks it on a board and checks every
//! coordinate, tile, score and total; [`Recorder`] and [`GcgGame::write`] make files of games played here. Words need not be
//! in the lexicon: a phony that nobody challenged is part of the game.
//!
//! Lines that begin with `#` are pragmas: the players, names of the lexicon, tile set and board, notes. Lines that begin with
//! `>` are events, each with the player, the rack as far as it is known, what happened, its points and the new total:
//!
//! ```text
//! #player1 ann Ann Example
//! #player2 bob Bob Example
//! >ann: AEINRTZ 8F ZA +22 22
//! >bob: EIOU? -IOU +0 0
//! ```

use crate::layout::{Direction, Square};
use crate::moves::notation::WordSquare;
use crate::rack::Rack;

mod encoding;
mod fault;
mod read;
mod record;
mod replay;
mod write;

pub use fault::{At, GcgError, GcgFault};
pub use read::{pragmas, read};
pub use record::Recorder;
pub use replay::{GcgPosition, Replay, replay};

/// A game as a file tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgGame {
    /// `#player1` and `#player2`, who need not have been the first to move.
    pub players: [GcgPlayer; 2],
    /// What the file says about the game, in its order, also what this program does not know.
    pub pragmas: Pragmas,
    /// `#rack1` and `#rack2`, the racks after the last event; empty when the file has none.
    pub racks: [Rack; 2],
    /// Notes before the first event.
    pub notes: Vec<String>,
    /// What happened, in order.
    pub events: Vec<GcgEvent>,
}

/// A player of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GcgPlayer {
    /// What events call the player; without white space.
    pub nickname: String,
    /// The full name; empty when unknown.
    pub name: String,
}

impl GcgPlayer {
    /// A player whose nickname is the name with `_` for white space.
    pub fn named(name: &str) -> GcgPlayer {
        let words: Vec<&str> = name.split_whitespace().collect();
        let nickname = if words.is_empty() { "_".into() } else { words.join("_") };
        GcgPlayer { nickname, name: words.join(" ") }
    }
}

/// A line such as `#lexicon NWL20`, that is neither a player, a rack nor a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// The word after `#`.
    pub name: String,
    /// What follows it; several lines if the file continues it.
    pub value: String,
}

/// The pragmas of a file in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pragmas(pub Vec<Pragma>);

impl Pragmas {
    /// The value of the first pragma of a name; upper and lower case are one.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|pragma| pragma.name.eq_ignore_ascii_case(name)).map(|pragma| pragma.value.as_str())
    }

    /// The lexicon.
    pub fn lexicon(&self) -> Option<&str> {
        self.value("lexicon")
    }

    /// The tile set, under either of the names that programs give it.
    pub fn tile_set(&self) -> Option<&str> {
        self.value("tile-distribution").or_else(|| self.value("tile-set"))
    }

    /// The board, under either of the names that programs give it.
    pub fn board(&self) -> Option<&str> {
        self.value("board-layout").or_else(|| self.value("game-board"))
    }

    /// The title.
    pub fn title(&self) -> Option<&str> {
        self.value("title")
    }

    /// The description.
    pub fn description(&self) -> Option<&str> {
        self.value("description")
    }

    /// The game's name in some collection.
    pub fn id(&self) -> Option<&str> {
        self.value("id")
    }
}

/// One `>` line, with the notes that follow it.
///
/// Two events are equal when the same happened, wherever their lines stand.
#[derive(Clone, Debug)]
pub struct GcgEvent {
    /// Its line in the file it was read from, from 1 up.
    pub line: Option<usize>,
    /// Whose line it is: 0 or 1, in the order of [`GcgGame::players`].
    pub player: usize,
    /// The player's rack before the event, as far as the file knows it.
    pub rack: Rack,
    /// What happened.
    pub action: GcgAction,
    /// Points it brings, below 0 where it costs some.
    pub score: i32,
    /// The player's points after it.
    pub total: i32,
    /// Remarks.
    pub notes: Vec<String>,
}

impl PartialEq for GcgEvent {
    fn eq(&self, other: &GcgEvent) -> bool {
        let GcgEvent { line: _, player, rack, action, score, total, notes } = self;
        (player, rack, action, score, total, notes)
            == (&other.player, &other.rack, &other.action, &other.score, &other.total, &other.notes)
    }
}

impl Eq for GcgEvent {}

/// What an event says happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GcgAction {
    /// `8D FA.Es`: tiles on the board.
    Play {
        /// Where the main word begins.
        start: Square,
        /// Which way it runs.
        direction: Direction,
        /// The main word.
        word: Vec<WordSquare>,
    },
    /// `-AAI`: these tiles back into the bag.
    Exchange(Rack),
    /// `-5`: so many tiles, which nobody noted, back into the bag.
    ExchangeUnknown(u8),
    /// `-`: nothing, of free will or for a lost challenge.
    Pass,
    /// `--`: the player's last play is taken back, and its points with it.
    Withdrawn,
    /// `(challenge)`: points for the play that was challenged in vain; on the line of the challenger, the turn that is lost.
    Challenge,
    /// `(time)`: points lost for time.
    Time,
    /// `(TILES) +N`: the player is out and gets twice what the opponent holds.
    Out(Rack),
    /// `(TILES) -N`: the game ended by passes and the player loses what it holds.
    Penalty(Rack),
}
