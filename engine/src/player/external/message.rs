//! The messages, one JSON object a line each.

use serde::{Deserialize, Serialize};

use crate::game::SCORELESS_LIMIT;
use crate::layout::Square;
use crate::layout::{Direction, Layout, show_coordinate};
use crate::setup::Setup;

/// The version that both sides name in their first message.
pub const PROTOCOL: u32 = 1;

/// What a player hears.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToPlayer {
    /// First of all, once.
    Hello(Box<Hello>),
    /// A move is asked for.
    Move(Box<MoveRequest>),
    /// A game has ended; nothing is answered.
    GameOver(GameOver),
}

/// What a player says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromPlayer {
    /// It will play: the answer to `hello`.
    Ready {
        /// [`PROTOCOL`].
        protocol: u32,
        /// Who it is, for people.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
    },
    /// It will not play: the answer to `hello` too.
    Refuse {
        /// Why not.
        reason: String,
    },
    /// The answer to `move`.
    Move(MoveAnswer),
    /// It does not understand; as an answer to `move` this is no move.
    Error {
        /// Of the request, if there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        /// What is wrong.
        reason: String,
    },
}

/// What is played. A player may rely on the names, on the hashes, or on the rules themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Name of the tile set.
    pub tileset: Option<String>,
    /// Hash of the tile set, its rules and the board: [`Setup::rules_hash`].
    pub rules_hash: Option<String>,
    /// Name of the lexicon.
    pub lexicon: Option<String>,
    /// Hash of its words.
    pub lexicon_hash: Option<String>,
    /// Name of the board.
    pub board: Option<String>,
    /// The square that the first play covers.
    pub start: Option<String>,
    /// The premium squares, a text a row, a square a word: `3W .. 2L`.
    pub premiums: Vec<String>,
    /// Every kind of tile: how it is written, how many there are, and its points; the blank, `?`, first.
    pub tiles: Vec<(String, u8, u8)>,
    /// Tiles on a full rack.
    pub rack_size: Option<usize>,
    /// Points for playing a full rack at once.
    pub bingo_bonus: Option<i32>,
    /// Tiles the bag must hold before a player may exchange.
    pub exchange_minimum: Option<usize>,
    /// Scoreless turns in a row that end a game.
    pub scoreless_limit: Option<u32>,
}

/// The position of the player to move, as that player sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveRequest {
    /// The answer repeats it.
    pub id: u64,
    /// The same for all requests of one game and one player, and for no other.
    pub game: String,
    /// Turn of the game, from 1, both players' turns counted.
    pub turn: usize,
    /// Board, racks (the other one only if the bag is empty), scores, scoreless turns; the player to move first.
    pub cgp: String,
    /// The rack, once more.
    pub rack: String,
    /// Points of the player to move and of the other, once more.
    pub scores: [i32; 2],
    /// Tiles in the bag.
    pub bag: usize,
    /// The play that the other has just made, if it was one: `8D FA(C)Es`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// Milliseconds after which an answer is late.
    pub limit_ms: Option<u64>,
    /// Milliseconds left on the player's clock for the rest of the game; none where there is no clock.
    pub clock_ms: Option<u64>,
    /// A fair share of them for this move.
    pub share_ms: Option<u64>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveAnswer {
    /// Of the request.
    pub id: u64,
    /// `8D FA(C)Es`, `-AAI` or `pass`.
    #[serde(rename = "move")]
    pub chosen: String,
    /// What the player takes the move to be worth, in points; for records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equity: Option<f64>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameOver {
    /// As in its requests.
    pub game: String,
    /// Final points of the player and of the other.
    pub scores: [i32; 2],
    /// Who lost it by the rule of faults, if anybody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeited_by: Option<Side>,
}

/// A player from the view of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Who is spoken to.
    You,
    /// The other.
    Opponent,
}

impl Hello {
    /// Tells of all that is played with.
    pub fn of(setup: &Setup) -> Hello {
        let Setup { tileset, layout, lexicon, .. } = setup;
        let rules = tileset.rules();
        Hello {
            protocol: PROTOCOL,
            tileset: Some(tileset.name().into()),
            rules_hash: Some(setup.rules_hash()),
            lexicon: Some(lexicon.name.clone()),
            lexicon_hash: Some(lexicon.hash.clone()),
            board: Some(layout.name().into()),
            start: Some(show_coordinate(layout.start(), Direction::Across)),
            premiums: premiums(layout),
            tiles: tileset.kinds().iter().map(|kind| (kind.label.clone(), kind.count, kind.value)).collect(),
            rack_size: Some(rules.rack_size),
            bingo_bonus: Some(rules.bingo_bonus),
            exchange_minimum: Some(rules.exchange_minimum),
            scoreless_limit: Some(SCORELESS_LIMIT),
        }
    }
}

fn premiums(layout: &Layout) -> Vec<String> {
    let square = |row: usize, column: usize| {
        let premium = layout.premium(Square { row: row as u8, column: column as u8 });
        match (premium.letter, premium.word) {
            (1, 1) => "..".to_string(),
            (letter, 1) => format!("{letter}L"),
            (_, word) => format!("{word}W"),
        }
    };
    let side = layout.side();
    (0..side).map(|row| (0..side).map(|column| square(row, column)).collect::<Vec<_>>().join(" ")).collect()
}
