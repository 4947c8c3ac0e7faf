//! The errors in a GCG file or game.

use std::fmt;

use thiserror::Error;

use crate::game::scoring::IllegalPlay;
use crate::moves::notation::BadPlay;
use crate::rack::BadRack;

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
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GcgFault {
    /// The encoding is not supported.
    #[error(
        "unsupported character encoding {name:?}; convert the file to UTF-8 and correct the pragma #character-encoding or remove it"
    )]
    Encoding {
        /// As given in the pragma.
        name: String,
    },
    /// The file declares UTF-8, but its bytes are not valid UTF-8.
    #[error("not valid UTF-8, which the file declares; if it is Latin-1, begin it with #character-encoding ISO-8859-1")]
    NotUtf8,
    /// A line is not of any known kind.
    #[error("{text:?} is neither a pragma (#), an event (>) nor the rest of a note")]
    StrayLine {
        /// The start of the line.
        text: String,
    },
    /// `#player1` or `#player2` without a nickname.
    #[error("#player{number} needs a nickname")]
    NoNickname {
        /// 1 or 2.
        number: usize,
    },
    /// A player is named twice.
    #[error("player {number} is already named {nickname}; remove one of the two lines")]
    PlayerTwice {
        /// 1 or 2.
        number: usize,
        /// The first nickname.
        nickname: String,
    },
    /// Both players have the same nickname.
    #[error("both players have the nickname {nickname}; give them different ones")]
    SameNickname {
        /// The nickname.
        nickname: String,
    },
    /// Neither a pragma nor an event names a player.
    #[error("neither a #player{number} line nor an event names player {number}")]
    MissingPlayer {
        /// 1 or 2.
        number: usize,
    },
    /// An event names a third player.
    #[error("unknown player {nickname:?}; the players are {first} and {second}")]
    ThirdPlayer {
        /// The nickname in the event.
        nickname: String,
        /// The nickname of player 1.
        first: String,
        /// The nickname of player 2.
        second: String,
    },
    /// An event does not have a known form.
    #[error(
        "{text:?} is not an event; write `>NICK: RACK 8D WORD +SCORE TOTAL`, or in place of 8D WORD one of - -TILES -- \
             (challenge) (time) (TILES)"
    )]
    Form {
        /// The start of the line.
        text: String,
    },
    /// A number of points is not a whole number in range.
    #[error("{what} {text:?} is not a whole number from -{limit} to {limit}")]
    Points {
        /// `score` or `total`.
        what: &'static str,
        /// As given.
        text: String,
        /// The maximum absolute value.
        limit: i32,
    },
    /// A rack or the tiles of an exchange are invalid.
    #[error(transparent)]
    Rack(#[from] BadRack),
    /// The text is not a play, or it does not fit the board.
    #[error(transparent)]
    Play(#[from] BadPlay),
    /// An exchange of no tiles or of more than a rack holds.
    #[error("an exchange of {text} tiles; a player can exchange 1 to {limit}")]
    ExchangeCount {
        /// The number as given.
        text: String,
        /// The rack size.
        limit: usize,
    },
    /// The game was read with another tile set.
    #[error("a tile that the {tileset} tile set does not have; replay the game with the tile set with which it was read")]
    OtherTileSet {
        /// The name of the setup's tile set.
        tileset: String,
    },
    /// The player of an event is not 0 or 1.
    #[error("player {player}; a player is 0 or 1")]
    PlayerIndex {
        /// As given.
        player: usize,
    },
    /// A player moves out of turn.
    #[error("{nickname} moves, but it is {expected}'s turn")]
    Turn {
        /// The player who moves.
        nickname: String,
        /// The player to move.
        expected: String,
    },
    /// A player moves after the end of the game.
    #[error("{nickname} moves after the end of the game")]
    Over {
        /// The player who moves.
        nickname: String,
    },
    /// A play breaks a rule of placement.
    #[error("{word}: {reason}")]
    Illegal {
        /// The word in notation.
        word: String,
        /// The broken rule.
        reason: IllegalPlay,
    },
    /// The points of an event are wrong.
    #[error("{what} scores {right:+}, not {written:+}")]
    Score {
        /// The event.
        what: String,
        /// The right points.
        right: i32,
        /// The points in the file.
        written: i32,
    },
    /// The points of an event have the wrong sign.
    #[error("{what} cannot score {written:+}")]
    Sign {
        /// The event.
        what: &'static str,
        /// The points in the file.
        written: i32,
    },
    /// The total of an event is wrong.
    #[error("the total should be {before}{score:+} = {right}, not {written}")]
    Total {
        /// The total before the event.
        before: i32,
        /// The points of the event.
        score: i32,
        /// The right total.
        right: i64,
        /// The total in the file.
        written: i32,
    },
    /// A rack has more tiles than the player can hold.
    #[error("the rack {rack} has {size} tiles, but {nickname} holds {held}")]
    RackSize {
        /// The rack.
        rack: String,
        /// The number of tiles on the rack in the file.
        size: usize,
        /// The player.
        nickname: String,
        /// The number of tiles that the player holds after the moves so far.
        held: usize,
    },
    /// A move uses tiles that cannot be on the rack.
    #[error("the tiles {used} are not all on the rack {rack}, which has no room for others: {nickname} holds {held}")]
    NotOnRack {
        /// The tiles that are played or exchanged, or their number.
        used: String,
        /// The rack in the file.
        rack: String,
        /// The player.
        nickname: String,
        /// The number of tiles that the player holds after the moves so far.
        held: usize,
    },
    /// There are more tiles of one kind than in the tile set.
    #[error("the board and the rack have {count} {label}, but the {tileset} tile set has {available}")]
    NotInSet {
        /// The label of the tile.
        label: String,
        /// The number of these tiles on the board and the rack.
        count: usize,
        /// The number of these tiles in the tile set.
        available: u8,
        /// The name of the tile set.
        tileset: String,
    },
    /// An exchange with too few tiles in the bag.
    #[error("an exchange with {bag} tiles in the bag; the rules require {minimum}")]
    ExchangeBag {
        /// The number of tiles in the bag.
        bag: usize,
        /// The number of tiles that the rules require in the bag.
        minimum: usize,
    },
    /// `--` does not follow a play of the same player.
    #[error("-- withdraws the previous play, but the previous event is not a play of {nickname}")]
    NothingToWithdraw {
        /// The player of the event.
        nickname: String,
    },
    /// `(challenge)` does not follow a play.
    #[error("(challenge) must follow the challenged play, but the previous event is not a play")]
    NothingToChallenge,
    /// A player who still holds tiles gains the opponent's rack.
    #[error("{nickname} gains the opponent's tiles, but still holds {held}")]
    NotOut {
        /// The player of the event.
        nickname: String,
        /// The number of tiles that the player holds.
        held: usize,
    },
    /// The remaining tiles are counted twice for a player.
    #[error("the remaining tiles are already counted for {nickname}")]
    CountedTwice {
        /// The player of the event.
        nickname: String,
    },
    /// The opponent's rack at the end is wrong.
    #[error("the remaining tiles are {left}, not {written}")]
    TilesLeft {
        /// The tiles of the tile set that are not on the board.
        left: String,
        /// The tiles in the file.
        written: String,
    },
}
