//! A game as recorded in a file: players, pragmas and events, and the errors in a file or game. Files have many encodings, because
//! the format is three decades old.

use std::fmt;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use thiserror::Error;

use crate::game::scoring::IllegalPlay;
use crate::layout::{Direction, Square};
use crate::moves::notation::{BadPlay, WordSquare};
use crate::rack::{BadRack, Rack};
use crate::tileset::NotInSet;

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
    /// Whether the play of an event was taken back, because a challenge was right.
    pub fn is_withdrawn(&self, number: usize) -> bool {
        self.events.get(number + 1).is_some_and(|next| next.action == GcgAction::Withdrawal)
    }

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
    pub(crate) fn value(&self, wanted: &str) -> Option<&str> {
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
    /// The words after the total, which mean nothing here. Old files of Quackle list the other words of a play.
    pub after: String,
    /// The notes after the event.
    pub notes: Vec<String>,
}

impl PartialEq for GcgEvent {
    fn eq(&self, other: &GcgEvent) -> bool {
        let GcgEvent { line: _, player, rack, action, score, total, after, notes } = self;
        (player, rack, action, score, total, after, notes)
            == (&other.player, &other.rack, &other.action, &other.score, &other.total, &other.after, &other.notes)
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

/// The name of the pragma that declares the encoding.
pub(super) const PRAGMA: &str = "character-encoding";

/// Decodes a file and ends each line with `\n`.
///
/// A byte order mark or a pragma decides the encoding, which may be any that browsers know. Without them, valid UTF-8 is read as UTF-8 and
/// anything else as windows-1252, which has the letters of Latin-1, the first encoding of the format.
pub(super) fn decode(bytes: &[u8]) -> Result<String, GcgError> {
    let marked = Encoding::for_bom(bytes);
    let bytes = &bytes[marked.map_or(0, |(_, length)| length)..];
    let declared = match marked {
        Some((encoding, _)) => Some(encoding),
        None => declared(bytes)?,
    };
    let text = match declared {
        None => std::str::from_utf8(bytes).map_or_else(|_| WINDOWS_1252.decode_without_bom_handling(bytes).0, Into::into),
        Some(encoding) => {
            let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
            let fault = || GcgFault::NotEncoded { name: encoding.name().into() };
            text.ok_or_else(|| GcgError::on_line(first_bad_line(bytes, encoding), fault()))?
        }
    };
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// The line that cannot be decoded, or the first one where the encoding does not tell.
fn first_bad_line(bytes: &[u8], encoding: &'static Encoding) -> usize {
    let end = std::str::from_utf8(bytes).err().filter(|_| encoding == UTF_8).map_or(0, |error| error.valid_up_to());
    lines(&bytes[..end]).count()
}

/// Returns the encoding that a pragma before the first event declares.
fn declared(bytes: &[u8]) -> Result<Option<&'static Encoding>, GcgError> {
    for (index, line) in lines(bytes).enumerate().take_while(|(_, line)| !line.starts_with(b">")) {
        let Some(pragma) = line.strip_prefix(b"#") else { continue };
        let text: String = pragma.iter().map(|&byte| char::from(byte)).collect();
        let mut words = text.split_whitespace();
        if !words.next().is_some_and(|name| text.starts_with(name) && name.eq_ignore_ascii_case(PRAGMA)) {
            continue;
        }
        let name = words.next().unwrap_or_default();
        // A file that can be read byte by byte as far as here is not in UTF-16.
        let known = |name: &str| Encoding::for_label(name.as_bytes()).filter(|encoding| encoding.is_ascii_compatible());
        let found = match &*name.to_ascii_lowercase() {
            "ascii" | "us-ascii" => Some(UTF_8),
            name => known(name).or_else(|| known(&name.replace(['-', '_'], ""))),
        };
        let fault = || GcgError::on_line(index + 1, GcgFault::Encoding { name: name.into() });
        return found.map(Some).ok_or_else(fault);
    }
    Ok(None)
}

/// Splits into lines at `\n`, `\r` or `\r\n`, so that line numbers agree with the decoded text.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut before = 0;
    bytes
        .split(move |&byte| {
            let ends = byte == b'\r' || (byte == b'\n' && before != b'\r');
            before = byte;
            ends
        })
        .map(|line| line.strip_prefix(b"\n").unwrap_or(line))
}

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
    #[error("not valid {name}, which the file declares; if it is Latin-1, begin it with #character-encoding ISO-8859-1")]
    NotEncoded { name: String },
    #[error("{text:?} is neither a pragma (#), an event (>) nor the rest of a note")]
    StrayLine { text: String },
    #[error("#player{number} needs a nickname")]
    NoNickname { number: usize },
    #[error("player {number} is already named {nickname}; remove one of the two lines")]
    PlayerTwice { number: usize, nickname: String },
    #[error("#{name}: games of more than two players are not supported")]
    MorePlayers { name: String },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_a_pragma_or_the_bytes_decide_the_encoding() {
        let text = |bytes: &[u8]| decode(bytes).map_err(|error| error.to_string());
        assert_eq!(text("#note Ñ\r\nb\rc".as_bytes()), Ok("#note Ñ\nb\nc".into()));
        assert_eq!(text(b"#note \xd1"), Ok("#note Ñ".into()));
        assert_eq!(text("\u{feff}#note Ñ".as_bytes()), Ok("#note Ñ".into()));
        let latin = b"#title x\r\n#character-encoding ISO_8859-1\r\n#note \xc3\x91";
        assert!(text(latin).unwrap().ends_with("\u{c3}\u{2018}"), "as windows-1252, like browsers");
        assert!(text(b"#Character-Encoding UTF8\n\n>\xd1").unwrap_err().contains("line 3: not valid UTF-8"));
        assert!(text(b"\xef\xbb\xbf#a\r\n\xd1").unwrap_err().contains("line 2: not valid UTF-8"));
        let declared =
            |name: &str, bytes: &[u8]| text(&[format!("#character-encoding {name}\n").as_bytes(), bytes].concat());
        assert!(declared("windows-1252", b"\x93x\x94").unwrap().ends_with("\n\u{201c}x\u{201d}"));
        assert!(declared("ISO_8859-2", b"\xa3\xb1").unwrap().ends_with("\n\u{141}\u{105}"));
        let utf16: Vec<u8> = "\u{feff}#note \u{141}\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text(&utf16), Ok("#note \u{141}\n".into()));
        assert!(text(&[&utf16[..], b"\x00\xd8"].concat()).unwrap_err().contains("line 1: not valid UTF-16LE"));
        let error = text(b"#title\r\n#character-encoding EBCDIC\r\n").unwrap_err();
        assert!(error.contains("line 2") && error.contains("EBCDIC"), "{error}");
        assert_eq!(text(b">a: - +0 0\n#character-encoding EBCDIC"), Ok(">a: - +0 0\n#character-encoding EBCDIC".into()));
    }
}
