//! A slow reference generator, the oracle for the fast one in the tests.
//!
//! It tries every word of a list on every square in both directions and applies the rules directly. It uses no anchors, word
//! graph or cross sets and has its own scoring, so it does not share their errors. Unit tests of the engine use it too.

use std::collections::{BTreeSet, HashSet};

use tilewright_engine::board::Board;
use tilewright_engine::layout::{Direction, Square};
use tilewright_engine::moves::{Move, Play, Tiles};
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::{MAX_KINDS, Tile};

/// Returns every legal play of `rack` that forms only words of `words`, with scores in points; `setup.lexicon` is not used.
///
/// A word is a list of letters numbered from 1. A word of fewer than two letters, or with a letter that the tile set does
/// not have, is ignored. The rack holds at most [`MAX_RACK_SIZE`](tilewright_engine::tileset::MAX_RACK_SIZE) tiles.
///
/// # Cost
/// About words × squares steps: milliseconds for a thousand words, too slow for a whole lexicon.
pub fn plays(setup: &Setup, board: &Board, rack: &Rack, words: &[Vec<u8>]) -> BTreeSet<Play> {
    let side = board.side();
    let rules = Rules { setup, board, list: words.iter().map(Vec::as_slice).collect() };
    let mut found = BTreeSet::new();
    for direction in Direction::BOTH {
        for lane in 0..side {
            let letters = supply(board, direction, lane, rack);
            for word in words.iter().filter(|word| (2..=side).contains(&word.len())) {
                if !spellable(word, &letters, rack.count(0), setup.tileset.letters()) {
                    continue;
                }
                for offset in 0..=side - word.len() {
                    let main = MainWord { word, start: Square::in_lane(direction, lane, offset), direction };
                    if let Some(gaps) = rules.gaps(&main) {
                        found.extend(fillings(&gaps, rack).iter().map(|placed| rules.play(&main, placed)));
                    }
                }
            }
        }
    }
    found
}

/// Returns every legal move with `bag` tiles in the bag: the [`plays`], the distinct exchanges and the pass.
///
/// # Cost
/// As [`plays`].
pub fn moves(setup: &Setup, board: &Board, rack: &Rack, bag: usize, words: &[Vec<u8>]) -> BTreeSet<Move> {
    let mut moves: BTreeSet<Move> = plays(setup, board, rack, words).into_iter().map(Move::Play).collect();
    if bag >= setup.tileset.rules().exchange_minimum {
        moves.extend(exchanges(rack).into_iter().filter(|given| given.len() <= bag).map(Move::Exchange));
    }
    moves.insert(Move::Pass);
    moves
}

/// Returns every distinct choice of one or more tiles, each in the order of the tile set.
fn exchanges(rack: &Rack) -> BTreeSet<Tiles> {
    let mut choices = BTreeSet::from([Tiles::default()]);
    for tile in rack.tiles() {
        let longer: Vec<Tiles> = choices.iter().map(|chosen| chosen.iter().copied().chain([tile]).collect()).collect();
        choices.extend(longer);
    }
    choices.remove(&Tiles::default());
    choices
}

/// Counts each letter on the rack and in the lane, without the blanks of the rack.
fn supply(board: &Board, direction: Direction, lane: usize, rack: &Rack) -> [u8; MAX_KINDS] {
    let mut letters = [0; MAX_KINDS];
    let there = board.lane(direction, lane).iter().flatten().map(|tile| tile.letter());
    for letter in there.chain(rack.tiles().map(Tile::letter)) {
        letters[letter as usize] += 1;
    }
    letters[0] = 0;
    letters
}

/// Returns whether a supply of letters and blanks could spell a word. This only saves time; it does not decide legality.
fn spellable(word: &[u8], supply: &[u8; MAX_KINDS], blanks: u8, letters: u8) -> bool {
    let mut left = *supply;
    let mut missing = 0;
    for &letter in word {
        if !(1..=letters).contains(&letter) {
            return false;
        }
        if left[letter as usize] > 0 {
            left[letter as usize] -= 1;
        } else if missing == blanks {
            return false;
        } else {
            missing += 1;
        }
    }
    true
}

/// Returns every way to cover squares that need these letters with natural tiles and blanks of the rack.
fn fillings(gaps: &[(Square, u8)], rack: &Rack) -> Vec<Vec<(Square, Tile)>> {
    let mut ways = vec![(Vec::new(), *rack)];
    for &(square, letter) in gaps {
        let mut longer = Vec::new();
        for (placed, left) in ways {
            for tile in [Tile::letter_tile(letter), Tile::blank_as(letter)] {
                let (mut placed, mut left) = (placed.clone(), left);
                if left.remove(tile.kind()) {
                    placed.push((square, tile));
                    longer.push((placed, left));
                }
            }
        }
        ways = longer;
    }
    ways.into_iter().map(|(placed, _)| placed).collect()
}

/// A word of the list, placed on the board.
struct MainWord<'a> {
    word: &'a [u8],
    start: Square,
    direction: Direction,
}

/// The board before the play and the words, to which the rules apply.
struct Rules<'a> {
    setup: &'a Setup,
    board: &'a Board,
    list: HashSet<&'a [u8]>,
}

impl Rules<'_> {
    /// Returns the empty squares that the word covers with their letters, or `None` if the rules forbid the word there.
    fn gaps(&self, main: &MainWord<'_>) -> Option<Vec<(Square, u8)>> {
        let MainWord { word, start, direction } = *main;
        if self.has_tile(start, direction, -1) || self.has_tile(start, direction, word.len() as i32) {
            return None;
        }
        let mut gaps = Vec::new();
        for (steps, &letter) in (0..).zip(word) {
            let square = self.step(start, direction, steps)?;
            match self.board.get(square) {
                Some(tile) if tile.letter() != letter => return None,
                Some(_) => {}
                None => gaps.push((square, letter)),
            }
        }
        let legal = !gaps.is_empty()
            && self.is_connected(&gaps)
            && gaps.iter().all(|&(square, letter)| self.has_valid_cross_word(square, letter, direction))
            && !self.is_written_across(&gaps, direction);
        legal.then_some(gaps)
    }

    /// Returns whether the play covers the start square of an empty board, or touches a tile of any other board.
    fn is_connected(&self, gaps: &[(Square, u8)]) -> bool {
        if self.board.is_empty() {
            return gaps.iter().any(|&(square, _)| square == self.setup.layout.start());
        }
        let touches =
            |square| Direction::BOTH.iter().any(|&way| self.has_tile(square, way, -1) || self.has_tile(square, way, 1));
        gaps.iter().any(|&(square, _)| touches(square))
    }

    /// Returns whether a letter forms no cross word, or one of the list.
    fn has_valid_cross_word(&self, square: Square, letter: u8, direction: Direction) -> bool {
        let run = self.run(square, direction.other());
        let letters: Vec<u8> = run.iter().map(|&at| self.board.get(at).map_or(letter, Tile::letter)).collect();
        letters.len() < 2 || self.list.contains(letters.as_slice())
    }

    /// Returns whether this is a play of one tile down that also forms a word across.
    fn is_written_across(&self, gaps: &[(Square, u8)], direction: Direction) -> bool {
        direction == Direction::Down && gaps.len() == 1 && self.run(gaps[0].0, Direction::Across).len() > 1
    }

    /// Returns the play with its score.
    fn play(&self, main: &MainWord<'_>, placed: &[(Square, Tile)]) -> Play {
        let MainWord { word, start, direction } = *main;
        let squares: Vec<Square> = (0..word.len() as i32).filter_map(|steps| self.step(start, direction, steps)).collect();
        let mut score = self.word_score(&squares, placed);
        for &(square, _) in placed {
            let crossing = self.run(square, direction.other());
            if crossing.len() > 1 {
                score += self.word_score(&crossing, placed);
            }
        }
        let rules = self.setup.tileset.rules();
        if placed.len() == rules.rack_size {
            score += rules.bingo_bonus;
        }
        Play { direction, start, tiles: placed.iter().map(|&(_, tile)| tile).collect(), score }
    }

    /// Returns the points of a word. Premium squares count only for the tiles of this play.
    fn word_score(&self, word: &[Square], placed: &[(Square, Tile)]) -> i32 {
        let mut sum = 0;
        let mut multiplier = 1;
        for &square in word {
            if let Some(&(_, tile)) = placed.iter().find(|&&(at, _)| at == square) {
                let premium = self.setup.layout.premium(square);
                sum += self.value(tile) * i32::from(premium.letter);
                multiplier *= i32::from(premium.word);
            } else if let Some(tile) = self.board.get(square) {
                sum += self.value(tile);
            }
        }
        sum * multiplier
    }

    fn value(&self, tile: Tile) -> i32 {
        if tile.is_blank() { 0 } else { i32::from(self.setup.tileset.kinds()[tile.letter() as usize].value) }
    }

    /// Returns the run of squares with tiles through a square, which is included whether it has a tile or not.
    fn run(&self, square: Square, direction: Direction) -> Vec<Square> {
        let side = self.board.side() as i32;
        let before = (1..side).take_while(|&steps| self.has_tile(square, direction, -steps)).count() as i32;
        let after = (1..side).take_while(|&steps| self.has_tile(square, direction, steps)).count() as i32;
        (-before..=after).filter_map(|steps| self.step(square, direction, steps)).collect()
    }

    fn has_tile(&self, square: Square, direction: Direction, steps: i32) -> bool {
        self.step(square, direction, steps).is_some_and(|square| self.board.get(square).is_some())
    }

    /// Returns the square that is `steps` away in a direction, or `None` off the board.
    fn step(&self, square: Square, direction: Direction, steps: i32) -> Option<Square> {
        let (row, column) = match direction {
            Direction::Across => (i32::from(square.row), i32::from(square.column) + steps),
            Direction::Down => (i32::from(square.row) + steps, i32::from(square.column)),
        };
        let inside = 0..self.board.side() as i32;
        let there = inside.contains(&row) && inside.contains(&column);
        there.then_some(Square { row: row as u8, column: column as u8 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright_engine::moves::notation;
    use tilewright_engine::tileset::{Style, TileSet};

    fn standard_english() -> Setup {
        Setup::from_words(TileSet::embedded("english").unwrap(), "NO").unwrap()
    }

    /// Returns the legal plays in the form `8H WO(R)D 10` on the standard board with some words across, `(row, column,
    /// word)`.
    fn legal(words: &str, on_board: &[(u8, u8, &str)], rack: &str) -> Vec<String> {
        let setup = standard_english();
        let tileset = &setup.tileset;
        let mut board = Board::new(15);
        for &(row, column, word) in on_board {
            for (column, tile) in (column..).zip(tileset.parse(word, Style::Greedy).unwrap()) {
                board.set(Square { row, column }, Some(tile));
            }
        }
        let rack = Rack::parse(rack, tileset).unwrap();
        let letters = |word| tileset.parse(word, Style::Greedy).unwrap().iter().map(|tile| tile.letter()).collect();
        let list: Vec<Vec<u8>> = words.split_whitespace().map(letters).collect();
        let show = |play: &Play| format!("{} {}", notation::show(&Move::Play(*play), &board, tileset), play.score);
        plays(&setup, &board, &rack, &list).iter().map(show).collect()
    }

    #[test]
    fn a_first_bingo_covers_the_start_square_and_scores_the_bonus() {
        // 7 points, 1 more if a double letter square is covered, doubled by the start square, and 50.
        let scores = [("B", 66), ("C", 66), ("D", 66), ("E", 64), ("F", 66), ("G", 66), ("H", 66)];
        let across = scores.map(|(column, score)| format!("8{column} RETAINS {score}"));
        let down = (2..=8).zip(scores).map(|(row, (_, score))| format!("H{row} RETAINS {score}"));
        let expected: Vec<String> = across.into_iter().chain(down).collect();
        assert_eq!(legal("RETAINS", &[], "AEINRST"), expected);
    }

    #[test]
    fn a_parallel_play_scores_every_word_it_forms() {
        // 9I is a double letter square: SH 2 + 4, OS 1 + 2, EH 1 + 4.
        let expected = ["9I SH 14", "H7 S(H) 5", "I8 (O)S 3", "J8 (E)H 5"];
        assert_eq!(legal("HOE SH OS EH", &[(7, 7, "HOE")], "SH"), expected);
    }

    #[test]
    fn a_play_with_a_blank_is_distinct_and_the_blank_scores_nothing_on_a_premium_square() {
        // 7G is a double letter square too: OS 0 + 1 and SH 1 + 4. At 9I: SH 2 + 0, OS 1 + 2, EH 1 + 0.
        let expected = ["7G oS 6", "9I Sh 6", "H7 S(H) 5", "H7 e(H) 4", "H7 s(H) 4", "I8 (O)S 3", "I8 (O)s 1", "J8 (E)h 1"];
        assert_eq!(legal("HOE SH OS EH", &[(7, 7, "HOE")], "S?"), expected);
        // The start square doubles the one point of the natural A, whichever tile covers it.
        let expected =
            ["8G Aa 2", "8G aA 2", "8H Aa 2", "8H aA 2", "H7 Aa 2", "H7 aA 2", "H8 Aa 2", "H8 aA 2"].map(String::from);
        assert_eq!(legal("AA", &[], "A?"), expected);
    }

    #[test]
    fn two_triple_word_squares_multiply_the_word_by_nine() {
        // Q 10, U 1, I 1, X 8 doubled, O 1, T 1, R 1, Y 4: 35 × 9 + 50; with a blank for the O, 34 × 9 + 50.
        assert_eq!(legal("QUIXOTRY", &[(0, 4, "O")], "QUIXTRY"), ["1A QUIX(O)TRY 365"]);
        assert_eq!(legal("QUIXOTRY", &[(0, 4, "o")], "QUIXTRY"), ["1A QUIX(o)TRY 356"]);
    }

    #[test]
    fn one_tile_with_words_in_both_directions_is_one_play_written_across() {
        let expected = ["7I (S)O 2", "8H (T)O 4", "H8 (T)O 2"];
        assert_eq!(legal("TO SO", &[(6, 8, "S"), (7, 7, "T")], "O"), expected);
    }

    #[test]
    fn a_word_includes_all_adjacent_tiles() {
        // The S after the gap belongs to any word that fills the gap.
        assert_eq!(legal("CAR", &[(7, 4, "CA"), (7, 7, "S")], "R"), [""; 0]);
        assert_eq!(legal("CAR CARS", &[(7, 4, "CA"), (7, 7, "S")], "R"), ["8E (CA)R(S) 6"]);
    }

    #[test]
    fn exchanges_are_the_distinct_choices_and_need_seven_tiles_in_the_bag() {
        let setup = standard_english();
        let (board, rack) = (Board::new(15), Rack::parse("AAB", &setup.tileset).unwrap());
        let shown = |bag| -> Vec<String> {
            let moves = moves(&setup, &board, &rack, bag, &[]);
            moves.iter().map(|chosen| notation::show(chosen, &board, &setup.tileset)).collect()
        };
        assert_eq!(shown(7), ["-AAB", "-AA", "-AB", "-A", "-B", "pass"]);
        assert_eq!(shown(6), ["pass"]);
    }
}
