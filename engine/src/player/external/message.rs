//! The messages of the protocol, each a JSON object on one line, and the conversion between positions and requests.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game::reading::{BadLastMove, read_last_move};
use crate::game::{
    Game, LastMove,
    cgp::{self, CgpError, CgpPosition},
};
use crate::layout::Square;
use crate::layout::{Direction, Layout, show_coordinate};
use crate::moves::{Move, notation};
use crate::rng::stream;
use crate::setup::Setup;
use crate::tileset::TilesLeft;

/// The version of the protocol, which both sides state in their first message.
pub const PROTOCOL: u32 = 1;
/// The revision of this version. Both sides may ignore its additions. Revision 1 has `history`, `moves`, `values` and
/// `wants_moves`.
pub const REVISION: u32 = 1;

/// A message to a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToPlayer {
    /// The greeting, the first message of a connection.
    Hello(Box<Hello>),
    /// A request for a move.
    Move(Box<MoveRequest>),
    /// The end of a game. It has no answer.
    GameOver(GameOver),
}

/// A message from a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromPlayer {
    /// The answer to `hello` of a player that plays this game.
    Ready {
        /// [`PROTOCOL`].
        protocol: u32,
        /// The name of the program, for people.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// Whether requests are to list all legal moves, for a program that values moves and generates none.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        wants_moves: bool,
    },
    /// The answer to `hello` of a player that does not play this game.
    Refuse {
        /// The reason.
        reason: String,
    },
    /// The answer to `move`.
    Move(MoveAnswer),
    /// The player does not understand a message. As the answer to `move` it is a fault.
    Error {
        /// The `id` of the request, if it could be read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        /// The reason.
        reason: String,
    },
}

/// The description of the game. A player may compare the names, the hashes, or the rules themselves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// [`REVISION`].
    pub revision: u32,
    /// The name of the tile set.
    pub tileset: Option<String>,
    /// The hash of the tile set, its rules and the board: [`Setup::rules_hash`].
    pub rules_hash: Option<String>,
    /// The name of the lexicon.
    pub lexicon: Option<String>,
    /// The hash of its words: [`crate::lexicon::Lexicon::hash`].
    pub lexicon_hash: Option<String>,
    /// The name of the board layout.
    pub board: Option<String>,
    /// The coordinate of the start square, such as `8H`.
    pub start: Option<String>,
    /// The premium squares, one text per row and one word per square: `3W .. 2L`.
    pub premiums: Vec<String>,
    /// Each kind of tile with its label, count and value in points. The first is the blank, `?`.
    pub tiles: Vec<(String, u8, u8)>,
    /// The number of tiles on a full rack.
    pub rack_size: Option<usize>,
    /// The bingo bonus in points.
    pub bingo_bonus: Option<i32>,
    /// The minimum number of tiles in the bag for an exchange.
    pub exchange_minimum: Option<usize>,
    /// The number of consecutive scoreless turns that ends a game.
    pub scoreless_limit: Option<u32>,
    /// The number of consecutive passes that ends a game, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes_limit: Option<u32>,
    /// The points for the tiles of the opponent when a player goes out.
    pub tiles_left: Option<TilesLeft>,
}

/// A request for a move: the position as the player to move sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveRequest {
    /// The number of the request, which the answer repeats.
    pub id: u64,
    /// An identifier, unique for each game and player.
    pub game: String,
    /// The turn of the game, counted from 1 over both players.
    pub turn: usize,
    /// The position in CGP, the player to move first. It has the opponent's rack only if the bag is empty.
    pub cgp: String,
    /// The rack, as in `cgp`.
    pub rack: String,
    /// The scores of the player to move and of the opponent, as in `cgp`.
    pub scores: [i32; 2],
    /// The number of tiles in the bag.
    pub bag: usize,
    /// The number of consecutive passes before this turn, if a number of them ends a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// The opponent's last move: `8D FA(C)Es`, `exch 3` for an exchange of three tiles, or `pass`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The moves of the game so far, as the player knows them, the first move first. The last one is `last`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<String>,
    /// Legal moves whose values are wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The time limit of the answer in milliseconds, [elapsed or CPU time](super#cpu-time).
    pub limit_ms: Option<u64>,
    /// The player's remaining time for the game in milliseconds, or none in games without a clock.
    pub clock_ms: Option<u64>,
    /// A fair share of the remaining time for this move, in milliseconds.
    pub share_ms: Option<u64>,
}

/// The answer to a request: a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveAnswer {
    /// The `id` of the request.
    pub id: u64,
    /// The move: `8D FA(C)Es`, `-AAI` or `pass`.
    #[serde(rename = "move")]
    pub chosen: String,
    /// The player's equity of the move in points, for records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equity: Option<f64>,
    /// The equities of the `moves` of the request, in their order, in points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameOver {
    /// The identifier of the game, as in its requests.
    pub game: String,
    /// The final scores of the player and of the opponent, in points.
    pub scores: [i32; 2],
    /// Who forfeited the game by faults, if anyone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeited_by: Option<Side>,
}

/// A side of the game, from the view of the player who receives the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The player who receives the message.
    You,
    /// The opponent.
    Opponent,
}

impl Hello {
    /// Describes the game of a setup.
    pub fn new(setup: &Setup) -> Hello {
        let Setup { tileset, layout, lexicon, .. } = setup;
        let rules = tileset.rules();
        Hello {
            protocol: PROTOCOL,
            revision: REVISION,
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
            scoreless_limit: Some(rules.scoreless_turns_to_end),
            passes_limit: rules.passes_to_end,
            tiles_left: Some(rules.tiles_left),
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

/// Why a request is not a position with a move to make.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum BadPosition {
    /// The CGP is invalid.
    #[error(transparent)]
    Cgp(#[from] CgpError),
    #[error("the last move {text:?}: {reason}")]
    Last { text: String, reason: BadLastMove },
    #[error("the player to move has no tiles; write the rack in the CGP")]
    NoRack,
    #[error("the game is over: {why}")]
    Over { why: String },
    #[error("the opponent's rack {rack} is not among the unseen tiles")]
    OtherRack { rack: String },
}

/// Returns the request for a move in a game, without the request's `id`, `game`, `turn` and times.
pub fn request_of(game: &Game, setup: &Setup) -> MoveRequest {
    let (tileset, position) = (&setup.tileset, CgpPosition::seen_in(game, setup));
    let last = game.last_move().map(|last| match last {
        LastMove::Play(last) => notation::show(&Move::Play(last.play), &last.board, tileset),
        LastMove::Exchange { tiles } => format!("exch {tiles}"),
        LastMove::Pass => notation::show(&Move::Pass, game.board(), tileset),
    });
    MoveRequest {
        cgp: position.write(tileset),
        rack: game.rack().show(tileset),
        scores: position.scores,
        bag: game.bag.len(),
        passes: tileset.rules().passes_to_end.map(|_| game.passes),
        last,
        ..MoveRequest::default()
    }
}

/// Returns the game of a request, with the unseen tiles dealt at random. Only the CGP, the passes and the last move are read,
/// because the other keys repeat them.
///
/// # Errors
/// [`BadPosition`] if the request is invalid or the game is over.
pub fn game_of(request: &MoveRequest, setup: &Setup) -> Result<Game, BadPosition> {
    let position = cgp::read(&request.cgp, &setup.tileset, setup.layout.side())?;
    let ([rack, other], scoreless_turns) = (position.racks, position.scoreless_turns);
    if rack.is_empty() {
        return Err(BadPosition::NoRack);
    }
    let last = request.last.as_deref().map(|text| {
        read_last_move(text, &position.board, setup).map_err(|reason| BadPosition::Last { text: text.into(), reason })
    });
    let last = last.transpose()?;
    let other_rack = || BadPosition::OtherRack { rack: other.show(&setup.tileset) };
    let mut game = position.game(setup, stream(0, "unseen", 0)).ok_or_else(other_rack)?;
    if let Some(passes) = request.passes {
        game.passes = passes.min(scoreless_turns);
    }
    if game.passes_left(setup) == 0 {
        return Err(BadPosition::Over { why: format!("{scoreless_turns} scoreless turns in a row") });
    }
    if game.unseen().is_empty() {
        return Err(BadPosition::Over { why: "there are no unseen tiles, so the opponent has gone out".into() });
    }
    if !game.unseen().contains(&other) {
        return Err(other_rack());
    }
    if let Some(last) = last {
        game.set_last_move(&last);
    }
    Ok(game)
}
