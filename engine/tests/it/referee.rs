//! Random games of every language, to their end, against an independent referee. It keeps its own scores and counts of tiles, and
//! its rules stand in this file, so that a wrong tile-set file is noticed too.

use rand::RngExt;
use rayon::prelude::*;
use tilewright_engine::deals::Domain;
use tilewright_engine::game::gcg::{self, GcgGame, GcgPlayer};
use tilewright_engine::game::{Game, cgp, scoring};
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::{Stream, stream};
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::{Tile, TileSet};

use crate::oracle::Oracle;
use crate::words;

const SEED: u64 = 21;
const GAMES: u64 = 48;
/// The number of made-up word lists that are joined, so that most racks have a play.
const WORD_LISTS: u64 = 8;

/// The rules that the referee applies.
#[derive(Clone, Copy)]
struct Rules {
    exchange_minimum: usize,
    passes_to_end: Option<usize>,
    scoreless_turns_to_end: usize,
    /// Whether a player who goes out gains twice the tiles left. Otherwise the opponent loses them too.
    gains_twice: bool,
}

const fn rules(exchange_minimum: usize, passes: usize, scoreless_turns_to_end: usize, gains_twice: bool) -> Rules {
    let passes_to_end = if passes > 0 { Some(passes) } else { None };
    Rules { exchange_minimum, passes_to_end, scoreless_turns_to_end, gains_twice }
}

const ENGLISH: Rules = rules(7, 0, 6, true);
const LANGUAGES: [(&str, Rules); 19] = [
    ("english", ENGLISH),
    ("english_super", ENGLISH),
    ("french", ENGLISH),
    ("catalan", ENGLISH),
    ("dutch", ENGLISH),
    ("norwegian", ENGLISH),
    ("slovene", ENGLISH),
    ("portuguese", ENGLISH),
    ("italian", ENGLISH),
    ("danish", ENGLISH),
    ("romanian", ENGLISH),
    ("hungarian", ENGLISH),
    ("czech", ENGLISH),
    ("slovak", ENGLISH),
    ("greek", ENGLISH),
    ("swedish", rules(7, 0, 6, false)),
    ("german", rules(7, 4, 24, false)),
    ("polish", rules(7, 4, 24, false)),
    ("spanish", rules(1, 4, 12, true)),
];

/// Creates a setup with made-up words.
fn setup_of(tileset: TileSet) -> Setup {
    let made_up = (0..WORD_LISTS).flat_map(|list| words::made_up_words(&tileset, &mut stream(SEED, "words", list)));
    let text: String = made_up.map(|word| words::bracketed(&word, &tileset) + "\n").collect();
    Setup::from_words(tileset, &text).expect("made-up words")
}

/// English tiles with these rules.
fn english_with(rules: &str) -> TileSet {
    let text = include_str!("../../configs/tilesets/english.toml");
    let tiles = text.split("[rules]").next().expect("tiles before the rules");
    TileSet::from_toml(&format!("{tiles}[rules]\nrack_size = 7\nbingo_bonus = 50\n{rules}"), "test").expect("a tile set")
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Out,
    Passes,
    Scoreless,
}

/// The referee's own record of a game.
struct Referee<'a> {
    tileset: &'a TileSet,
    rules: Rules,
    moves: Vec<Move>,
    points: [i32; 2],
    held: [usize; 2],
    laid: usize,
}

impl Referee<'_> {
    fn bag(&self) -> usize {
        self.tileset.total_tiles() - self.laid - self.held[0] - self.held[1]
    }

    fn may_exchange(&self, tiles: usize) -> bool {
        self.bag() >= self.rules.exchange_minimum && self.bag() >= tiles
    }

    fn record(&mut self, chosen: Move) {
        let (player, bag) = (self.moves.len() % 2, self.bag());
        if let Move::Play(play) = &chosen {
            let tiles = play.tiles.len();
            self.laid += tiles;
            self.held[player] -= tiles - tiles.min(bag);
            self.points[player] += play.score;
        }
        self.moves.push(chosen);
    }

    /// The number of moves at the end of the record for which a condition holds.
    fn last(&self, is: impl Fn(&Move) -> bool) -> usize {
        self.moves.iter().rev().take_while(|chosen| is(chosen)).count()
    }

    fn end(&self) -> Option<End> {
        if self.held.contains(&0) {
            return Some(End::Out);
        }
        let passes = self.last(|chosen| *chosen == Move::Pass);
        if self.rules.passes_to_end.is_some_and(|most| passes == most) {
            return Some(End::Passes);
        }
        let scoreless = self.last(|chosen| !matches!(chosen, Move::Play(play) if play.score != 0));
        (scoreless == self.rules.scoreless_turns_to_end).then_some(End::Scoreless)
    }

    fn value(&self, tiles: impl Iterator<Item = Tile>) -> i32 {
        tiles.map(|tile| i32::from(self.tileset.kinds()[usize::from(tile.kind())].value)).sum()
    }

    /// The final scores, from the racks at the end.
    fn scores(&self, end: End, racks: [Rack; 2]) -> [i32; 2] {
        let left = racks.map(|rack| self.value(rack.tiles()));
        let mut scores = self.points;
        if end != End::Out {
            return [scores[0] - left[0], scores[1] - left[1]];
        }
        let out = (self.moves.len() - 1) % 2;
        scores[out] += if self.rules.gains_twice { 2 * left[1 - out] } else { left[1 - out] };
        scores[1 - out] -= if self.rules.gains_twice { 0 } else { left[1 - out] };
        scores
    }
}

/// Compares the exchanges that the engine offers and allows with the referee's.
fn check_exchanges(referee: &Referee<'_>, game: &Game, moves: &[Move], setup: &Setup) {
    for size in 1..=game.rack().size() {
        let is_offered = moves.iter().any(|chosen| matches!(chosen, Move::Exchange(tiles) if tiles.len() == size));
        let given = Move::Exchange(game.rack().tiles().take(size).collect());
        let is_legal = scoring::is_legal(setup, game.board(), game.rack(), game.bag.len(), &given);
        assert_eq!([is_offered, is_legal], [referee.may_exchange(size); 2], "{size} tiles, {} in the bag", referee.bag());
    }
}

/// Chooses a move: the best play or a random one, until the players begin to stall in one of several ways.
fn choose(moves: &[Move], style: u64, turn: usize, draws: &mut Stream) -> Move {
    let stalls_from = [usize::MAX, 3, 8, 14, 20, 0][(style % 6) as usize];
    let plays: Vec<&Move> = moves.iter().filter(|chosen| matches!(chosen, Move::Play(_))).collect();
    let exchanges: Vec<&Move> = moves.iter().filter(|chosen| matches!(chosen, Move::Exchange(_))).collect();
    let share = [0.0, 1.0, 0.8, 0.5][(style / 6 % 4) as usize];
    if turn < stalls_from && !plays.is_empty() && !draws.random_bool(0.05) {
        // The generator lists the best move first.
        let number = if draws.random_bool(share) { draws.random_range(0..plays.len()) } else { 0 };
        return *plays[number];
    }
    if !exchanges.is_empty() && draws.random_bool(share) {
        return *exchanges[draws.random_range(0..exchanges.len())];
    }
    Move::Pass
}

/// Plays a game, compares it with the referee, and returns its end.
fn play(setup: &Setup, rules: Rules, index: u64) -> End {
    let tileset = &setup.tileset;
    let mut referee = Referee { tileset, rules, moves: Vec::new(), points: [0; 2], held: [7; 2], laid: 0 };
    let mut game = Game::deal(setup, Domain::Match.deals(SEED), index);
    let (oracle, mut draws) = (&mut Oracle::new(Generator::new(setup)), stream(SEED, "choice", index));
    let mut record = GcgGame::new(setup, [GcgPlayer::named("ann"), GcgPlayer::named("bob")]);
    let end = loop {
        let moves = oracle.moves(&game);
        check_exchanges(&referee, &game, &moves, setup);
        let chosen = choose(&moves, index, referee.moves.len(), &mut draws);
        record.record(&game, &chosen);
        referee.record(chosen);
        game.make(setup, &chosen);
        assert_eq!(game.bag.len(), referee.bag(), "game {index}");
        assert_eq!(game.is_over(), referee.end().is_some(), "game {index}: {:?}", referee.moves);
        if let Some(end) = referee.end() {
            break end;
        }
        assert_eq!(game.scores, referee.points, "game {index}");
        let line = cgp::CgpPosition::from_game(&game, setup).write(tileset);
        assert!(cgp::read(&line, tileset, setup.layout.side()).is_ok(), "{line}");
    };
    assert_eq!(game.scores, referee.scores(end, game.racks), "{}, game {index}: {end:?}", tileset.name());
    let text = record.finish(setup, &game).write(tileset);
    let read = gcg::read(text.as_bytes(), tileset).expect("the record of a game");
    let last = gcg::replay(&read, setup).last().expect("a move").unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(last.scores, game.scores, "{text}");
    end
}

/// Plays games under rules. Every kind of end that they have must occur.
fn compare(setup: &Setup, rules: Rules) {
    let ends: Vec<End> = (0..GAMES).into_par_iter().map(|index| play(setup, rules, index)).collect();
    for end in [End::Out, End::Scoreless, End::Passes] {
        let occurs = end != End::Passes || rules.passes_to_end.is_some();
        assert_eq!(ends.contains(&end), occurs, "{}: {end:?} in {ends:?}", setup.tileset.name());
    }
}

#[test]
fn games_of_each_language_end_by_its_rules() {
    assert_eq!(LANGUAGES.len(), TileSet::embedded_names().count());
    for (name, rules) in LANGUAGES {
        compare(&setup_of(TileSet::embedded(name).expect("an embedded tile set")), rules);
    }
}

#[test]
fn games_end_by_any_rules_of_a_tile_set() {
    for (text, rules) in [
        ("exchange_minimum = 7", ENGLISH),
        ("exchange_minimum = 4\npasses_to_end = 2", rules(4, 2, 6, true)),
        ("exchange_minimum = 2\nscoreless_turns_to_end = 3\npasses_to_end = 3", rules(2, 3, 3, true)),
        ("exchange_minimum = 1\nscoreless_turns_to_end = 2\ntiles_left = \"both\"", rules(1, 0, 2, false)),
        ("exchange_minimum = 9\nscoreless_turns_to_end = 24\npasses_to_end = 5", rules(9, 5, 24, true)),
    ] {
        if rules.passes_to_end == Some(rules.scoreless_turns_to_end) {
            // Here passes end a game no earlier than other scoreless turns.
            (0..GAMES).into_par_iter().for_each(|index| _ = play(&setup_of(english_with(text)), rules, index));
        } else {
            compare(&setup_of(english_with(text)), rules);
        }
    }
}

/// A game with English words on Spanish tiles. The last event exchanges one tile with three in the bag.
const SPANISH_EXCHANGE: &str = include_str!("spanish_exchange.gcg");

#[test]
fn a_spanish_exchange_needs_as_many_tiles_as_are_exchanged() {
    let spanish = setup_of(TileSet::embedded("spanish").expect("an embedded tile set"));
    let replayed = |text: &str, setup: &Setup| -> Result<Vec<usize>, String> {
        let game = gcg::read(text.as_bytes(), &setup.tileset).map_err(|error| error.to_string())?;
        gcg::replay(&game, setup).map(|at| at.map(|at| at.bag).map_err(|error| error.to_string())).collect()
    };
    assert_eq!(replayed(SPANISH_EXCHANGE, &spanish).map(|bags| bags.last().copied()), Ok(Some(3)));
    let four = SPANISH_EXCHANGE.replace("-D +0", "-DGLÑ +0");
    let error = replayed(&four, &spanish).unwrap_err();
    assert!(error.contains("line 29") && error.contains("3 tiles in the bag") && error.contains("require 4"), "{error}");
}

#[test]
fn four_passes_end_a_game_in_polish() {
    let polish = include_str!("../../configs/tilesets/polish.toml");
    let tiles = polish.split("[rules]").next().expect("tiles before the rules");
    let rules = "[rules]\nrack_size = 7\nbingo_bonus = 50\nexchange_minimum = 7\npasses_to_end = 4\n";
    for text in [polish.to_string(), format!("{tiles}{rules}")] {
        let setup =
            Setup::from_words(TileSet::from_toml(&text, "polish").expect("a tile set"), "KOT\nMAK\n").expect("words");
        let most = setup.tileset.rules().scoreless_turns_to_end.min(8);
        for (exchange_at, turns) in [(None, 4), (Some(3), most)] {
            let mut game = Game::deal(&setup, Domain::Match.deals(SEED), 0);
            while !game.is_over() {
                let given = Move::Exchange(game.rack().tiles().take(2).collect());
                game.make(&setup, &if Some(game.scoreless_turns) == exchange_at { given } else { Move::Pass });
            }
            assert_eq!(game.scoreless_turns, turns);
            assert_eq!(game.scores, game.racks.map(|rack| -rack.points(&setup.tileset)));
        }
    }
}
