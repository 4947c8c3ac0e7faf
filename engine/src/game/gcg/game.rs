//! A game as recorded in a file: players, pragmas and events.

use crate::layout::{Direction, Square};
use crate::moves::notation::WordSquare;
use crate::rack::Rack;

/// A game as recorded in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GcgGame {
    /// `#player1` and `#player2`. Either may have moved first.
    pub players: [GcgPlayer; 2],
    /// All other pragmas in order, including unknown ones.
    pub pragmas: Pragmas,
    /// `#rack1` and `#rack2`: the racks after the last event, empty if missing.
    pub racks: [Rack; 2],
    /// The notes before the first event.
    pub notes: Vec<String>,
    /// The events in order.
    pub events: Vec<GcgEvent>,
}

impl GcgGame {
    /// The notes of the last event, or those before the first event.
    pub(super) fn last_notes(&mut self) -> &mut Vec<String> {
        self.events.last_mut().map_or(&mut self.notes, |event| &mut event.notes)
    }
}

/// A player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GcgPlayer {
    /// The name that events use, without white space.
    pub nickname: String,
    /// The full name, empty if unknown.
    pub name: String,
}

impl GcgPlayer {
    /// Creates a player. The nickname is the name with `_` in place of white space.
    pub fn named(name: &str) -> GcgPlayer {
        let words: Vec<&str> = name.split_whitespace().collect();
        let nickname = if words.is_empty() { "_".into() } else { words.join("_") };
        GcgPlayer { nickname, name: words.join(" ") }
    }
}

/// The pragmas of a file in order: lines such as `#lexicon NWL20` that are not a player, a rack or a note, as the word after `#` and the
/// text after it, which has several lines if the file continues it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pragmas(pub Vec<(String, String)>);

impl Pragmas {
    /// Returns the value of the first pragma with a name, in upper or lower case.
    pub(super) fn value(&self, wanted: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.as_str())
    }

    /// Returns the name of the lexicon.
    pub fn lexicon(&self) -> Option<&str> {
        self.value("lexicon")
    }

    /// Returns the name of the tile set, under either pragma that programs use for it.
    pub fn tile_set(&self) -> Option<&str> {
        self.value("tile-distribution").or_else(|| self.value("tile-set"))
    }

    /// Returns the title.
    pub fn title(&self) -> Option<&str> {
        self.value("title")
    }
}

/// An event: a `>` line with the notes that follow it.
///
/// Equality ignores line numbers.
#[derive(Clone, Debug)]
pub struct GcgEvent {
    /// The 1-based line number, if the event was read from a file.
    pub line: Option<usize>,
    /// The player, 0 or 1, in the order of [`GcgGame::players`].
    pub player: usize,
    /// The known part of the player's rack before the event.
    pub rack: Rack,
    /// The action.
    pub action: GcgAction,
    /// The points of the event, negative for a loss.
    pub score: i32,
    /// The player's score after the event.
    pub total: i32,
    /// The notes after the event.
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

/// The action of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GcgAction {
    /// `8D FA.Es`: a play.
    Play {
        /// The first square of the main word.
        start: Square,
        /// The direction of the main word.
        direction: Direction,
        /// The main word.
        word: Vec<WordSquare>,
    },
    /// `-AAI`: an exchange of these tiles.
    Exchange(Rack),
    /// `-5`: an exchange of this number of unknown tiles.
    ExchangeUnknown(u8),
    /// `-`: a pass, or a turn lost by an unsuccessful challenge.
    Pass,
    /// `--`: the player's last play is withdrawn after a successful challenge, and its points with it.
    Withdrawal,
    /// `(challenge)`. On the line of the challenged player it is the points for an unsuccessful challenge. On the line of
    /// the challenger it is the lost turn.
    Challenge,
    /// `(time)`: a time penalty.
    Time,
    /// `(TILES) +N`: the player has gone out and gains twice the value of the opponent's rack.
    Out(Rack),
    /// `(TILES) -N`: the game has ended by scoreless turns and the player loses the value of their own rack.
    Penalty(Rack),
}
