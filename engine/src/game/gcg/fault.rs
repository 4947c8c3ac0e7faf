//! The errors in a GCG file or game.

use std::fmt;

use thiserror::Error;

use crate::game::scoring::IllegalPlay;
use crate::moves::notation::BadPlay;
use crate::rack::BadRack;
use crate::tileset::NotInSet;

/// The first error in a game and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("GCG {place}: {fault}")]
pub struct GcgError {
    /// The place.
    pub place: GcgPlace,
    /// The error.
    pub fault: Box<GcgFault>,
}

impl GcgError {
    pub(super) fn on_line(line: usize, fault: GcgFault) -> GcgError {
        GcgError { place: GcgPlace::Line(line), fault: Box::new(fault) }
    }
}

/// A place in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GcgPlace {
    /// A line of the file, 1-based.
    Line(usize),
    /// An event, 1-based, of a game that was not read from a file.
    Event(usize),
}

impl fmt::Display for GcgPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GcgPlace::Line(line) => write!(formatter, "line {line}"),
            GcgPlace::Event(event) => write!(formatter, "event {event}"),
        }
    }
}

/// Why a file is not a valid game.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GcgFault {
    #[error(
        "unsupported character encoding {name:?}; convert the file to UTF-8 and correct the pragma #character-encoding or remove it"
    )]
    Encoding { name: String },
    #[error("not valid UTF-8, which the file declares; if it is Latin-1, begin it with #character-encoding ISO-8859-1")]
    NotUtf8,
    #[error("{text:?} is neither a pragma (#), an event (>) nor the rest of a note")]
    StrayLine { text: String },
    #[error("#player{number} needs a nickname")]
    NoNickname { number: usize },
    #[error("player {number} is already named {nickname}; remove one of the two lines")]
    PlayerTwice { number: usize, nickname: String },
    #[error("both players have the nickname {nickname}; give them different ones")]
    SameNickname { nickname: String },
    #[error("neither a #player{number} line nor an event names player {number}")]
    MissingPlayer { number: usize },
    #[error("unknown player {nickname:?}; the players are {first} and {second}")]
    ThirdPlayer { nickname: String, first: String, second: String },
    #[error(
        "{text:?} is not an event; write `>NICK: RACK 8D WORD +SCORE TOTAL`, or in place of 8D WORD one of - -TILES -- \
             (challenge) (time) (TILES)"
    )]
    Form { text: String },
    #[error("{what} {text:?} is not a whole number from -{limit} to {limit}")]
    Points { what: &'static str, text: String, limit: i32 },
    /// A rack or the tiles of an exchange are invalid.
    #[error(transparent)]
    Rack(#[from] BadRack),
    /// The text is not a play, or it does not fit the board.
    #[error(transparent)]
    Play(#[from] BadPlay),
    #[error("an exchange of {text} tiles; a player can exchange 1 to {limit}")]
    ExchangeCount { text: String, limit: usize },
    #[error("a tile that the {tileset} tile set does not have; replay the game with the tile set with which it was read")]
    OtherTileSet { tileset: String },
    #[error("player {player}; a player is 0 or 1")]
    PlayerIndex { player: usize },
    #[error("{nickname} moves, but it is {expected}'s turn")]
    Turn { nickname: String, expected: String },
    #[error("{nickname} moves after the end of the game")]
    Over { nickname: String },
    #[error("{word}: {reason}")]
    Illegal { word: String, reason: IllegalPlay },
    #[error("{what} scores {right:+}, not {written:+}")]
    Score { what: String, right: i32, written: i32 },
    #[error("{what} cannot score {written:+}")]
    Sign { what: &'static str, written: i32 },
    #[error("the total should be {before}{score:+} = {right}, not {written}")]
    Total { before: i32, score: i32, right: i64, written: i32 },
    #[error("the rack {rack} has {size} tiles, but {nickname} holds {held}")]
    RackSize { rack: String, size: usize, nickname: String, held: usize },
    #[error("the tiles {used} are not all on the rack {rack}, which has no room for others: {nickname} holds {held}")]
    NotOnRack { used: String, rack: String, nickname: String, held: usize },
    #[error("the board and the rack have {0}")]
    NotInSet(#[from] NotInSet),
    #[error("an exchange with {bag} tiles in the bag; the rules require {minimum}")]
    ExchangeBag { bag: usize, minimum: usize },
    #[error("-- withdraws the previous play, but the previous event is not a play of {nickname}")]
    NothingToWithdraw { nickname: String },
    #[error("(challenge) must follow the challenged play, but the previous event is not a play")]
    NothingToChallenge,
    #[error("{nickname} gains the opponent's tiles, but still holds {held}")]
    NotOut { nickname: String, held: usize },
    #[error("the remaining tiles are already counted for {nickname}")]
    CountedTwice { nickname: String },
    #[error("the remaining tiles are {left}, not {written}")]
    TilesLeft { left: String, written: String },
}
