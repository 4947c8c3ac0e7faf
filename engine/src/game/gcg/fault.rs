//! What can be wrong with a GCG file.

use std::fmt;

use thiserror::Error;

use crate::game::scoring::IllegalPlay;
use crate::moves::notation::BadPlay;
use crate::rack::BadRack;

/// Where a game goes wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("GCG {at}: {fault}")]
pub struct GcgError {
    /// The place.
    pub at: At,
    /// The reason.
    pub fault: Box<GcgFault>,
}

impl GcgError {
    pub(super) fn on_line(line: usize, fault: GcgFault) -> GcgError {
        GcgError { at: At::Line(line), fault: Box::new(fault) }
    }
}

/// A place in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A line of the file, from 1 up.
    Line(usize),
    /// An event of a game that was not read from a file, from 1 up.
    Event(usize),
}

impl fmt::Display for At {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Line(line) => write!(formatter, "line {line}"),
            At::Event(event) => write!(formatter, "event {event}"),
        }
    }
}

/// Why a file is no game, or its game cannot have been played so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GcgFault {
    /// An encoding that is not read.
    #[error("character encoding {name:?} is not read; convert the file to UTF-8 and say so, or leave the pragma out")]
    Encoding {
        /// As the pragma gives it.
        name: String,
    },
    /// Bytes that are not UTF-8 in a file that says it is.
    #[error("not UTF-8, which the file says it is; if it is Latin-1, begin it with #character-encoding ISO-8859-1")]
    NotUtf8,
    /// A line of no kind.
    #[error("{text:?} is neither a pragma (#), an event (>) nor the rest of a note")]
    StrayLine {
        /// The line's beginning.
        text: String,
    },
    /// `#player1` alone.
    #[error("#player{number} needs a nickname")]
    NoNickname {
        /// 1 or 2.
        number: usize,
    },
    /// A second name for one player.
    #[error("player {number} is {nickname} already")]
    PlayerTwice {
        /// 1 or 2.
        number: usize,
        /// The first name.
        nickname: String,
    },
    /// One name for two players.
    #[error("both players are named {nickname}; events could not tell them apart")]
    SameNickname {
        /// The name.
        nickname: String,
    },
    /// Nobody is named.
    #[error("the file ends without a #player{number} line, and its events do not name that player")]
    MissingPlayer {
        /// 1 or 2.
        number: usize,
    },
    /// An event of somebody else.
    #[error("{nickname:?} is neither {first} nor {second}")]
    ThirdPlayer {
        /// Who the line names.
        nickname: String,
        /// Player 1.
        first: String,
        /// Player 2.
        second: String,
    },
    /// An event of no known form.
    #[error(
        "{text:?} is no event; write `>NICK: RACK 8D WORD +SCORE TOTAL`, or in place of 8D WORD one of - -TILES -- \
             (challenge) (time) (TILES)"
    )]
    Form {
        /// The line's beginning.
        text: String,
    },
    /// Not a number of points.
    #[error("{what} {text:?} is no whole number of points from -{limit} to {limit}")]
    Points {
        /// The score or the total.
        what: &'static str,
        /// As given.
        text: String,
        /// The most that is read.
        limit: i32,
    },
    /// A rack or tiles given back that are no tiles, or too many.
    #[error(transparent)]
    Rack(#[from] BadRack),
    /// No play, or one that the board does not allow.
    #[error(transparent)]
    Play(#[from] BadPlay),
    /// An exchange of no tiles or too many.
    #[error("an exchange of {text} tiles; 1 to {limit} can be exchanged")]
    ExchangeCount {
        /// As given.
        text: String,
        /// Tiles on a rack.
        limit: usize,
    },
    /// Tiles that the setup does not know.
    #[error("a tile that the {tileset} tile set does not have; replay the game with the tile set that it was read with")]
    OtherTileSet {
        /// The setup's.
        tileset: String,
    },
    /// A player index that is none.
    #[error("player {player}; players are 0 and 1")]
    PlayerIndex {
        /// As given.
        player: usize,
    },
    /// Somebody moves twice.
    #[error("{nickname} moves, but it is {expected}'s turn")]
    Turn {
        /// Who moves.
        nickname: String,
        /// Whose turn it is.
        expected: String,
    },
    /// A move after the last.
    #[error("{nickname} moves after the end of the game")]
    Over {
        /// Who moves.
        nickname: String,
    },
    /// A play against the rules of placement.
    #[error("{word}: {reason}")]
    Illegal {
        /// The word in notation.
        word: String,
        /// The rule.
        reason: IllegalPlay,
    },
    /// Wrong points.
    #[error("{what} scores {right:+}, not {written:+}")]
    Score {
        /// What happened.
        what: String,
        /// The right points.
        right: i32,
        /// As given.
        written: i32,
    },
    /// Points of the wrong sign.
    #[error("{what} cannot score {written:+}")]
    Sign {
        /// What happened.
        what: &'static str,
        /// As given.
        written: i32,
    },
    /// A total that is not the sum.
    #[error("the total should be {before}{score:+} = {right}, not {written}")]
    Total {
        /// Before the event.
        before: i32,
        /// The event's points.
        score: i32,
        /// The sum.
        right: i64,
        /// As given.
        written: i32,
    },
    /// More on a rack than can be.
    #[error("the rack {rack} has {size} tiles, but {nickname} holds {held}")]
    RackSize {
        /// The rack.
        rack: String,
        /// Its tiles.
        size: usize,
        /// Whose it is.
        nickname: String,
        /// What the moves before leave the player.
        held: usize,
    },
    /// Tiles from nowhere.
    #[error("the tiles {used} are not all on the rack {rack}, which has no room for others: {nickname} holds {held}")]
    NotOnRack {
        /// What is played or exchanged.
        used: String,
        /// The rack.
        rack: String,
        /// Whose it is.
        nickname: String,
        /// What the moves before leave the player.
        held: usize,
    },
    /// More of one tile than there are.
    #[error("the board and the rack have {count} {label}, but the {tileset} tile set has {available}")]
    NotInSet {
        /// The tile.
        label: String,
        /// How many there are.
        count: usize,
        /// How many there should be at most.
        available: u8,
        /// The set's name.
        tileset: String,
    },
    /// An exchange with too few tiles in the bag.
    #[error("an exchange with {bag} tiles in the bag; the rules ask for {minimum}")]
    ExchangeBag {
        /// Tiles in the bag.
        bag: usize,
        /// The rule.
        minimum: usize,
    },
    /// `--` without a play before it.
    #[error("-- takes back the play of the line before, but that is no play of {nickname}")]
    NothingToWithdraw {
        /// Whose line it is.
        nickname: String,
    },
    /// `(challenge)` without a play before it.
    #[error("(challenge) follows the play that was challenged, but the line before is no play")]
    NothingToChallenge,
    /// The end bonus for somebody with tiles.
    #[error("{nickname} gets the opponent's tiles but still holds {held}")]
    NotOut {
        /// Who gets the bonus.
        nickname: String,
        /// How many tiles.
        held: usize,
    },
    /// The end counted again.
    #[error("the tiles left at the end are counted already for {nickname}")]
    CountedTwice {
        /// For whom.
        nickname: String,
    },
    /// The end bonus for other tiles than the last.
    #[error("the tiles left at the end are {left}, not {written}")]
    TilesLeft {
        /// The set without the board.
        left: String,
        /// As given.
        written: String,
    },
}
