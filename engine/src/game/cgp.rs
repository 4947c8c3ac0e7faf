//! CGP: a position in one line, `ROWS RACK/RACK SCORE/SCORE SCORELESS_TURNS opcodes;`, with the player to move first.
//!
//! Every arrangement of the tiles of a tile set is a valid position, even if no game can reach it: people analyse those too.

use thiserror::Error;

use super::Game;
use crate::board::Board;
use crate::layout::{Direction, MAX_SIDE, Square};
use crate::rack::{BadRack, Rack};
use crate::rng::Stream;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, NotInSet, Style, Tile, TileSet};

/// The maximum absolute value of a score, in points: far more than any game reaches.
const MAX_SCORE: i32 = 1_000_000;
/// Quotes in which a line may be copied.
const QUOTES: [char; 6] = ['"', '\'', '“', '”', '‘', '’'];
/// The fields of a line before its opcodes.
const FIELDS: [&str; 4] = ["the rows", "the racks", "the scores", "the scoreless turns"];

/// A position from the view of the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CgpPosition {
    /// The tiles on the board.
    pub board: Board,
    /// The racks of the player to move and of the opponent, empty if unknown.
    pub racks: [Rack; 2],
    /// The scores of the player to move and of the opponent, in points.
    pub scores: [i32; 2],
    /// The number of consecutive scoreless turns, from 0 to the number that ends a game.
    pub scoreless_turns: u32,
    /// The opcodes of the line.
    pub opcodes: Opcodes,
}

/// The opcodes of a line (`NAME ARGUMENTS;`) in order, also of other programs: the first word, and the arguments as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opcodes(pub Vec<(String, String)>);

impl Opcodes {
    /// Returns the name of the lexicon (`lex`).
    pub fn lexicon(&self) -> Option<&str> {
        self.argument("lex")
    }

    /// Returns the name of the tile set (`ld`).
    pub fn tile_set(&self) -> Option<&str> {
        self.argument("ld")
    }

    /// Returns the arguments of the first opcode with a name.
    fn argument(&self, wanted: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == wanted).map(|(_, arguments)| arguments.as_str())
    }
}

/// Why a text is not a valid CGP position.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CgpError {
    #[error("a CGP position is one line; this text has {lines}")]
    SeveralLines { lines: usize },
    #[error("{field} are missing; a CGP position is `ROWS RACK/RACK SCORE/SCORE SCORELESS_TURNS opcodes;`")]
    MissingField { field: &'static str },
    #[error("a board of {side} rows and columns; a board has 2 to {MAX_SIDE}")]
    Side { side: usize },
    #[error("{found} rows of squares; the board has {side}")]
    Rows { found: usize, side: usize },
    #[error("row {row} has {found} squares; the board has {side} columns")]
    Columns { row: usize, found: usize, side: usize },
    #[error("row {row}, column {column}: {found:?} is neither a tile nor a positive number of empty squares")]
    Cell { row: usize, column: usize, found: String },
    #[error("row {row}, column {column}: a blank without a letter; write its letter in lower case")]
    BlankWithoutLetter { row: usize, column: usize },
    #[error("{field} {text:?}: write two, `A/B`, first for the player to move, then for the opponent")]
    Pair { field: &'static str, text: String },
    #[error("{whose}: {source}")]
    Rack { whose: &'static str, source: BadRack },
    #[error("score {text:?} is not a whole number from -{MAX_SCORE} to {MAX_SCORE}")]
    Score { text: String },
    #[error("scoreless turns {text:?}: write a whole number from 0 to {most}, at which a game ends")]
    ScorelessTurns { text: String, most: u32 },
    #[error("the board and the racks have {0}")]
    NotInSet(#[from] NotInSet),
}

/// Reads only the opcodes of a line, which name the tile set, the lexicon and the board that [`read`] needs.
///
/// # Errors
/// [`CgpError::MissingField`] or [`CgpError::SeveralLines`].
pub fn opcodes(text: &str) -> Result<Opcodes, CgpError> {
    split(text).map(|(_, opcodes)| opcodes)
}

/// Reads a position on a board of `side` rows and columns.
///
/// # Errors
/// [`CgpError`] with the part of the line that is wrong.
pub fn read(text: &str, tileset: &TileSet, side: usize) -> Result<CgpPosition, CgpError> {
    let ([rows, racks, scores, turns], opcodes) = split(text)?;
    let board = read_board(rows, tileset, side)?;
    let [mine, theirs] = pair(racks, "racks")?;
    let racks = [rack(mine, "the player to move", tileset)?, rack(theirs, "the opponent", tileset)?];
    let [mine, theirs] = pair(scores, "scores")?;
    let scores = [score(mine)?, score(theirs)?];
    let most = tileset.rules().scoreless_turns_to_end;
    let scoreless_turns = turns.parse().ok().filter(|&turns| turns <= most);
    let scoreless_turns = scoreless_turns.ok_or_else(|| CgpError::ScorelessTurns { text: turns.into(), most })?;
    let mut counts = [0; MAX_KINDS];
    for tile in board.occupied().map(|(_, tile)| tile).chain(racks.iter().flat_map(Rack::tiles)) {
        counts[tile.kind() as usize] += 1;
    }
    tileset.check_counts(&counts)?;
    Ok(CgpPosition { board, racks, scores, scoreless_turns, opcodes })
}

impl CgpPosition {
    /// Creates a position. The opcodes name the lexicon, the tile set and the board of the setup.
    pub fn new(setup: &Setup, board: Board, racks: [Rack; 2], scores: [i32; 2], scoreless_turns: u32) -> CgpPosition {
        let names = [("lex", &*setup.lexicon.name), ("ld", setup.tileset.name()), ("bdn", setup.layout.name())];
        let opcodes = names.map(|(name, value)| (name.into(), value.into()));
        CgpPosition { board, racks, scores, scoreless_turns, opcodes: Opcodes(opcodes.into()) }
    }

    /// Creates the position of a game with both racks.
    pub fn from_game(game: &Game, setup: &Setup) -> CgpPosition {
        let players = [game.to_move, 1 - game.to_move];
        let (racks, scores) = (players.map(|player| game.racks[player]), players.map(|player| game.scores[player]));
        CgpPosition::new(setup, game.board.clone(), racks, scores, game.scoreless_turns)
    }

    /// Returns a game in this position, with the unseen tiles dealt by `stream`, also to a rack of the opponent that is known.
    /// `None` if board and rack have more tiles of a kind than the tile set.
    pub fn game(self, setup: &Setup, stream: Stream) -> Option<Game> {
        let game = Game::from_position(setup, self.board, self.racks[0], self.scores, stream)?;
        Some(game.with_scoreless_turns(setup, self.scoreless_turns))
    }

    /// Like [`CgpPosition::from_game`], as the player to move sees it: without the opponent's rack, unless the bag is empty.
    pub fn seen_in(game: &Game, setup: &Setup) -> CgpPosition {
        let mut position = CgpPosition::from_game(game, setup);
        if !game.bag.is_empty() {
            position.racks[1] = Rack::default();
        }
        position
    }

    /// Returns the position as a line. `tileset` must be the tile set with which it was read or played.
    pub fn write(&self, tileset: &TileSet) -> String {
        let rows: Vec<String> = (0..self.board.side()).map(|row| show_row(&self.board, row, tileset)).collect();
        let [mine, theirs] = self.racks.map(|rack| rack.show(tileset));
        let [my_score, their_score] = self.scores;
        let mut line = format!("{} {mine}/{theirs} {my_score}/{their_score} {}", rows.join("/"), self.scoreless_turns);
        for (name, arguments) in &self.opcodes.0 {
            line.push(' ');
            line += format!("{name} {arguments}").trim_end();
            line.push(';');
        }
        line
    }
}

fn show_row(board: &Board, row: usize, tileset: &TileSet) -> String {
    let runs = board.lane(Direction::Across, row).chunk_by(|one, next| one.is_some() == next.is_some());
    let shown = |run: &[Option<Tile>]| match run {
        [None, ..] => run.len().to_string(),
        _ => run.iter().flatten().map(|&tile| tileset.show(tile).to_string()).collect(),
    };
    runs.map(shown).collect()
}

/// Splits a line into its four fields and its opcodes.
fn split(text: &str) -> Result<([&str; 4], Opcodes), CgpError> {
    let mut rest = text.trim().trim_matches(QUOTES).trim();
    let lines = rest.lines().count();
    if lines > 1 {
        return Err(CgpError::SeveralLines { lines });
    }
    let mut fields = [""; 4];
    for (field, name) in fields.iter_mut().zip(FIELDS) {
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        if end == 0 {
            return Err(CgpError::MissingField { field: name });
        }
        (*field, rest) = (&rest[..end], rest[end..].trim_start());
    }
    let opcodes = rest.split(';').map(str::trim).filter(|opcode| !opcode.is_empty()).map(|opcode| {
        let (name, arguments) = opcode.split_once(char::is_whitespace).unwrap_or((opcode, ""));
        // MAGPIE writes its options, such as -lex, as opcodes.
        let bare = name.trim_start_matches('-');
        (if bare.is_empty() { name } else { bare }.into(), arguments.trim_start().into())
    });
    Ok((fields, Opcodes(opcodes.collect())))
}

fn pair<'a>(text: &'a str, field: &'static str) -> Result<[&'a str; 2], CgpError> {
    match text.split_once('/') {
        Some((mine, theirs)) if !theirs.contains('/') => Ok([mine, theirs]),
        _ => Err(CgpError::Pair { field, text: text.into() }),
    }
}

fn rack(text: &str, whose: &'static str, tileset: &TileSet) -> Result<Rack, CgpError> {
    Rack::from_notation(text, tileset).map_err(|source| CgpError::Rack { whose, source })
}

fn score(text: &str) -> Result<i32, CgpError> {
    let points = text.parse().ok().filter(|points| (-MAX_SCORE..=MAX_SCORE).contains(points));
    points.ok_or_else(|| CgpError::Score { text: text.into() })
}

fn read_board(text: &str, tileset: &TileSet, side: usize) -> Result<Board, CgpError> {
    if !(2..=MAX_SIDE).contains(&side) {
        return Err(CgpError::Side { side });
    }
    let found = text.split('/').count();
    if found != side {
        return Err(CgpError::Rows { found, side });
    }
    let mut board = Board::new(side);
    for (row, text) in text.split('/').enumerate() {
        read_row(text, row, tileset, &mut board)?;
    }
    Ok(board)
}

fn read_row(text: &str, row: usize, tileset: &TileSet, board: &mut Board) -> Result<(), CgpError> {
    let side = board.side();
    let mut column = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, after) = rest.split_at(token_length(rest, first));
        rest = after;
        let wrong = || CgpError::Cell { row: row + 1, column: column + 1, found: token.into() };
        let (tile, width) = if first.is_ascii_digit() {
            // A number that does not fit a usize is too wide for any board.
            (None, token.parse().unwrap_or(usize::MAX))
        } else {
            let tiles = tileset.parse(token, Style::Bracketed).map_err(|_| wrong())?;
            (Some(*tiles.first().ok_or_else(wrong)?), 1)
        };
        if width == 0 {
            return Err(wrong());
        }
        if width > side - column {
            return Err(CgpError::Columns { row: row + 1, found: column.saturating_add(width), side });
        }
        if let Some(tile) = tile {
            if tile.letter() == 0 {
                return Err(CgpError::BlankWithoutLetter { row: row + 1, column: column + 1 });
            }
            board.set(Square { row: row as u8, column: column as u8 }, Some(tile));
        }
        column += width;
    }
    if column == side { Ok(()) } else { Err(CgpError::Columns { row: row + 1, found: column, side }) }
}

/// Returns the length in bytes of the first token: a number, a group in brackets, or one character.
fn token_length(rest: &str, first: char) -> usize {
    match first {
        '0'..='9' => rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()),
        '[' => rest.find(']').map_or(rest.len(), |end| end + 1),
        _ => first.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn line(row: usize, text: &str) -> String {
        let mut rows = vec!["15"; 15];
        rows[row] = text;
        rows.join("/")
    }

    #[test]
    fn a_position_is_written_as_it_was_read() {
        let english = TileSet::embedded("english").unwrap();
        let text = line(7, "3FACEs7") + " AEIR?/QU 24/-3 2 lex NWL20; ld english; bdn standard; ti 1500 900; xyz;";
        assert_eq!(opcodes(&text).unwrap().tile_set(), Some("english"));
        let position = read(&text, &english, 15).unwrap();
        assert_eq!((position.board.tiles(), position.scores, position.scoreless_turns), (5, [24, -3], 2));
        assert_eq!(position.racks.map(|rack| rack.show(&english)), ["AEIR?", "QU"]);
        let opcodes = &position.opcodes;
        assert_eq!((opcodes.lexicon(), opcodes.argument("bdn")), (Some("NWL20"), Some("standard")));
        assert_eq!((opcodes.argument("ti"), opcodes.argument("xyz")), (Some("1500 900"), Some("")));
        assert_eq!(opcodes.argument("tmr"), None);
        assert_eq!(position.write(&english), text);
    }

    #[test]
    fn unknown_racks_missing_opcodes_and_extra_spaces_are_accepted() {
        let english = TileSet::embedded("english").unwrap();
        let position = read(&format!(" {EMPTY}  /  0/0 0\n"), &english, 15).unwrap();
        assert!(position.board.is_empty() && position.racks.iter().all(Rack::is_empty));
        assert_eq!(position.write(&english), format!("{EMPTY} / 0/0 0"));
        let open = read(&format!("“{EMPTY} /AB 0/0 0; -lex  A  B;;ld english”"), &english, 15).unwrap();
        assert_eq!(open.write(&english), format!("{EMPTY} /AB 0/0 0 lex A  B; ld english;"));
    }

    #[test]
    fn digraphs_and_unconnected_words_are_accepted() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let text = line(1, "[CH]U[rr]O1ÑAñ7") + " [LL]/ 0/0 0 ld spanish;";
        let position = read(&text, &spanish, 15).unwrap();
        assert_eq!((position.board.tiles(), position.write(&spanish)), (7, text));
    }

    #[test]
    fn an_error_is_reported_with_its_place() {
        let english = TileSet::embedded("english").unwrap();
        let reason = |text: &str| read(text, &english, 15).unwrap_err().to_string();
        let row = |text: &str| reason(&(line(2, text) + " / 0/0 0"));
        assert!(row("14").contains("row 3 has 14 squares; the board has 15 columns"));
        assert!(row("8A7").contains("row 3 has 16 squares"));
        assert!(row("99999999999999999999999").contains("row 3 has"));
        assert!(row("").contains("row 3 has 0"));
        assert!(row("5Ñ9").contains("row 3, column 6: \"Ñ\""));
        assert!(row("0A14").contains("row 3, column 1: \"0\""));
        assert!(row("5[CH]9").contains("[CH]") && row("5[CH").contains("[CH"));
        assert!(row("A?13").contains("row 3, column 2: a blank without a letter"));
        assert!(row("ZZ13").contains("2 Z, but the english tile set has 1"));
        assert!(reason("").contains("the rows are missing"));
        assert!(reason(EMPTY).contains("the racks are missing"));
        assert!(reason(&format!("{EMPTY} /; 0/0 0")).contains("the scores are missing"));
        assert!(reason("15/15 / 0/0 0").contains("2 rows of squares; the board has 15"));
        assert!(reason(&format!("{EMPTY} ABC 0/0 0")).contains("racks \"ABC\": write two"));
        assert!(reason(&format!("{EMPTY} A/B/C 0/0 0")).contains("write two"));
        assert!(reason(&format!("{EMPTY} ABCDEFGH/ 0/0 0")).contains("the player to move: rack \"ABCDEFGH\" has 8 tiles"));
        assert!(reason(&format!("{EMPTY} /a 0/0 0")).contains("the opponent: rack \"a\" gives a blank"));
        assert!(reason(&format!("{EMPTY} Q/Q 0/0 0")).contains("2 Q"));
        assert!(reason(&format!("{EMPTY} / 0/x 0")).contains("score \"x\""));
        assert!(reason(&format!("{EMPTY} / 0/2000000000 0")).contains("2000000000"));
        assert!(reason(&format!("{EMPTY} / 0/0 7")).contains("0 to 6"));
        assert!(reason(&format!("{EMPTY} / 0/0 0\nlex A;")).contains("one line; this text has 2"));
        for side in [0, 1, 22, usize::MAX] {
            assert_eq!(read(&format!("{EMPTY} / 0/0 0"), &english, side), Err(CgpError::Side { side }));
        }
    }
}
