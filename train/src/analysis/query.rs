//! Queries and their parts, and facts about a move from its text in a record, without the board.
//!
//! Turns of a game are numbered from 1, so the player who moved first has the odd numbers. A record writes a move in full (`8D FA(C)Es`), and
//! a tile of several letters in brackets, so the text alone gives the squares.

use std::sync::Arc;

use polars::prelude::{ExplodeOptions, Expr, LazyFrame, by_name, col, lit};
use tilewright_engine::layout::{Direction, Layout, Square, show_coordinate};
use tilewright_engine::moves::notation;
use tilewright_engine::tileset::TileSet;

use crate::records::RecordTable;

/// The rules by which the records were played.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The tile set.
    pub tileset: Arc<TileSet>,
    /// Rows and columns of the board.
    pub side: usize,
}

impl Rules {
    /// The rules of a tile set and its board.
    pub fn new(tileset: &TileSet, layout: &Layout) -> Rules {
        Rules { tileset: Arc::new(tileset.clone()), side: layout.side() }
    }
}

/// The denominator of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The rows with the key: bingos of the turns with this number.
    Key,
    /// Everything that was counted: turns with this number of tiles, of all turns.
    All,
    /// Games.
    Games,
}

/// A table of one ratio per key.
pub struct Query {
    /// Its name.
    pub name: &'static str,
    /// The meaning of a key.
    pub key: &'static str,
    /// The meaning of the ratio.
    pub value: &'static str,
    /// The unit of the value: `%` or points.
    pub unit: &'static str,
    /// The factor from a ratio to the unit. It is needed because x is an integer.
    pub scale: f64,
    /// The table of the records that it asks.
    pub table: RecordTable,
    /// The denominator of the ratio.
    pub of: Of,
    /// The columns that it asks for, besides `game`.
    pub columns: &'static [&'static str],
    /// The name of a key.
    pub label: fn(i32, &Rules) -> String,
    /// Makes rows with the columns `game`, `key` and `x` from the table. n is the number of rows.
    pub rows: fn(LazyFrame, &Rules) -> LazyFrame,
}

/// Rows of a query: the game, a key and x.
pub fn rows(turns: LazyFrame, key: Expr, x: Expr) -> LazyFrame {
    turns.select([col("game"), key.alias("key"), x.alias("x")])
}

/// A row for each element of a column of lists.
pub fn exploded(rows: LazyFrame, column: &str) -> LazyFrame {
    rows.explode(by_name([column], true, false), ExplodeOptions { empty_as_null: false, keep_nulls: false })
}

/// The number of the turn in its game, from 1.
pub fn turn() -> Expr {
    col("turn") + lit(1)
}

/// A key that is a number.
pub fn number(key: i32, _: &Rules) -> String {
    key.to_string()
}

/// A key that is a kind of tile.
pub fn kind(key: i32, rules: &Rules) -> String {
    rules.tileset.kinds().get(key as usize).map_or_else(String::new, |kind| kind.label.clone())
}

/// A key that is a square, `8H`.
pub fn square(key: i32, rules: &Rules) -> String {
    let (row, column) = (key as usize / rules.side, key as usize % rules.side);
    show_coordinate(Square { row: row as u8, column: column as u8 }, Direction::Across)
}

/// The squares of a play's word, each with whether the play lays its tile. Other moves have no squares.
pub fn word_squares(chosen: &str) -> impl Iterator<Item = (Square, bool)> {
    let play = chosen.split_once(' ').and_then(|(start, word)| Some((notation::read_start(start).ok()?, word)));
    play.into_iter().flat_map(|((start, direction), word)| {
        let (lane, first) = start.lane(direction);
        tiles_of(word).enumerate().map(move |(at, is_laid)| (Square::in_lane(direction, lane, first + at), is_laid))
    })
}

/// Whether each tile of a word is laid now. Tiles that were on the board are in parentheses.
fn tiles_of(word: &str) -> impl Iterator<Item = bool> {
    let mut laid = true;
    tokens(word).filter_map(move |token| match token {
        "(" | ")" => {
            laid = token == ")";
            None
        }
        _ => Some(laid),
    })
}

/// The number of tiles that a play lays, or 0 for other moves.
pub fn tiles_laid(chosen: &str) -> i32 {
    let word = chosen.split_once(' ').map_or("", |(_, word)| word);
    tiles_of(word).filter(|is_laid| *is_laid).count() as i32
}

/// The number of tiles of a play's word, with those on the board before, or 0 for other moves.
pub fn word_length(chosen: &str) -> i32 {
    chosen.split_once(' ').map_or(0, |(_, word)| tiles_of(word).count() as i32)
}

/// The tiles of a rack or a word, and the parentheses: one character each, or a group in brackets.
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = if first == '[' { rest.find(']').map_or(rest.len(), |end| end + 1) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use tilewright_engine::artefact::Loader;
    use tilewright_engine::deals::Domain;
    use tilewright_engine::movegen::Generator;
    use tilewright_engine::moves::Move;
    use tilewright_engine::player::Player;
    use tilewright_engine::rack::Rack;
    use tilewright_engine::selfplay::play_game;
    use tilewright_engine::setup::Setup;
    use tilewright_engine::tileset::TileSet;

    use super::*;
    use crate::test_support::made_up_words;

    #[test]
    fn texts_say_what_the_moves_of_games_are() {
        for tileset in ["english", "spanish", "polish"] {
            let tileset = TileSet::embedded(tileset).unwrap();
            let words = made_up_words(&tileset);
            let setup = Setup::from_words(tileset, &words).unwrap();
            let player = Player::from_name("greedy", Loader::new(&setup)).unwrap();
            let mut generator = Generator::new(&setup);
            for game in 0..20 {
                play_game(&mut generator, [&player, &player], Domain::SelfPlay.deals(5), game, |seen| {
                    let chosen = seen.chosen.chosen;
                    let text = notation::show(&chosen, seen.game.board(), &setup.tileset);
                    let squares: Vec<(Square, bool)> = word_squares(&text).collect();
                    let laid = squares.iter().filter(|(_, is_laid)| *is_laid).map(|(square, _)| *square);
                    match chosen {
                        Move::Play(play) => {
                            assert!(laid.eq(play.placements(seen.game.board()).map(|(square, _)| square)), "{text}");
                            assert_eq!(tiles_laid(&text), play.tiles.len() as i32, "{text}");
                            let is_there =
                                |&(square, is_laid): &(Square, bool)| seen.game.board().get(square).is_some() != is_laid;
                            assert!(squares.iter().all(is_there), "{text}");
                        }
                        _ => assert_eq!((squares.len(), tiles_laid(&text)), (0, 0), "{text}"),
                    }
                    assert_eq!(word_length(&text), squares.len() as i32);
                    let rack = seen.game.turn(&setup).rack;
                    let shown = rack.show(&setup.tileset);
                    assert_eq!(tokens(&shown).count(), rack.size());
                    assert!(tokens(&shown).all(|token| Rack::from_notation(token, &setup.tileset).is_ok()), "{shown}");
                });
            }
        }
    }
}
