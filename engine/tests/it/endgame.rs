//! The endgame solver against plain minimax, on random endgames with few tiles.

use rand::RngExt;
use rayon::prelude::*;
use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{self, EndgameError, Limits, MoveValue, Solution, Solver};
use tilewright_engine::equity::Equity;
use tilewright_engine::evaluator::Greedy;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::{Stream, shuffle, stream};
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::{Tile, TileSet};

use crate::oracle::Oracle;
use crate::words;

const SEED: u64 = 5;

fn english() -> Setup {
    Setup::embedded("english").expect("an embedded tile set")
}

/// Creates a setup of a tile set with made-up words, with or without a word map.
fn made_up(name: &str, with_map: bool) -> Setup {
    let tileset = TileSet::embedded(name).expect("an embedded tile set");
    let made_up = words::made_up_words(&tileset, &mut stream(SEED, "words", 0));
    let text: String = made_up.iter().map(|word| words::bracketed(word, &tileset) + "\n").collect();
    let setup = Setup::from_words(tileset, &text).expect("made-up words");
    if with_map {
        return setup;
    }
    Setup::without_word_map(setup.tileset, setup.layout, setup.lexicon).expect("a graph that the search addresses")
}

/// Returns a game with an empty bag, at most `most` tiles on both racks, and a random number of scoreless turns.
fn small_endgame(generator: &mut Generator<'_>, index: u64, most: usize) -> Game {
    let setup = generator.setup();
    let mut stream = stream(SEED, "endgame", index);
    let greedy = StaticPlayer::new(Greedy);
    for deal in 0.. {
        let mut game = Game::deal(setup, Domain::Match.deals(SEED + index), deal);
        while !game.is_over() && !game.bag.is_empty() {
            let chosen = greedy.choose(generator, &game.turn(generator.setup())).chosen;
            game.make(setup, &chosen);
        }
        if !game.is_over() {
            let first = stream.random_range(1..most);
            game.racks[0] = cut(&game.racks[0], first, &mut stream);
            game.racks[1] = cut(&game.racks[1], most - first, &mut stream);
            let rules = setup.tileset.rules();
            game.scoreless_turns = stream.random_range(0..rules.scoreless_turns_to_end.min(6));
            game.passes = stream.random_range(0..rules.passes_to_end.unwrap_or(4)).min(game.scoreless_turns);
            return game;
        }
    }
    unreachable!("some game empties its bag")
}

/// Returns at most `most` tiles of a rack, and one fewer with a blank, because blanks allow many more moves.
fn cut(rack: &Rack, most: usize, stream: &mut Stream) -> Rack {
    let mut tiles: Vec<Tile> = rack.tiles().collect();
    shuffle(&mut tiles, stream);
    tiles.truncate(most);
    if most > 1 && tiles.iter().any(|tile| tile.is_blank()) {
        tiles.pop();
    }
    Rack::from_tiles(&tiles)
}

/// Compares the values and best moves of many small endgames with the oracle.
fn compare(setup: &Setup, count: u64, most: usize) {
    (0..count).into_par_iter().for_each_init(
        || (Generator::new(setup), Solver::new(setup)),
        |(generator, solver), index| {
            let game = small_endgame(generator, index, most);
            let mut oracle = Oracle::new(generator.clone());
            let value = oracle.value(&game);
            let solution = solver.solve(&game, &Limits::default()).expect("an endgame");
            let name = format!("endgame {index}, {:?}", game.racks.map(|rack| rack.show(&setup.tileset)));
            assert!(solution.is_exact && solution.bounds == (value, value), "{name}: {value}, {solution:?}");
            assert_eq!(solution.value, value, "{name}");
            assert_eq!(oracle.value_of(&game, &solution.best), value, "{name}: {:?}", solution.best);
            let moves = oracle.moves(&game);
            let mut values: Vec<i32> = moves.iter().map(|chosen| oracle.value_of(&game, chosen)).collect();
            let last = moves.last().expect("a pass at least");
            let bounds = solver.bounds_of(&game, last, &Limits::default()).expect("an endgame");
            assert_eq!(bounds, (values[moves.len() - 1], values[moves.len() - 1]), "{name}: {last:?}");
            let few = Limits { nodes: Some(index % 50), ..Limits::default() };
            let (low, high) = solver.bounds_of(&game, last, &few).expect("an endgame");
            assert!((low..=high).contains(&values[moves.len() - 1]), "{name}: {last:?} {low} {high}");
            values.sort_unstable_by_key(|&value| std::cmp::Reverse(value));
            let (again, best) = solver.solve_best(&game, 5).expect("an endgame");
            assert_eq!((again.best, again.value), (solution.best, value), "{name}");
            assert_eq!(best[0].chosen, solution.best, "{name}");
            let found: Vec<i32> = best.iter().map(|best| best.value).collect();
            assert_eq!(found, values[..values.len().min(5)], "{name}");
            for MoveValue { chosen, value } in best {
                assert_eq!(oracle.value_of(&game, &chosen), value, "{name}: {chosen:?}");
            }
        },
    );
}

/// Returns games with at most seven tiles left.
fn endgames(generator: &mut Generator<'_>, count: usize) -> Vec<Game> {
    let setup = generator.setup();
    let greedy = StaticPlayer::new(Greedy);
    let mut games = Vec::new();
    for deal in 0.. {
        let mut game = Game::deal(setup, Domain::Match.deals(SEED), deal);
        while !game.is_over() && game.unseen().size() + game.rack().size() > 7 {
            let chosen = greedy.choose(generator, &game.turn(generator.setup())).chosen;
            game.make(setup, &chosen);
        }
        if !game.is_over() {
            games.push(game);
        }
        if games.len() == count {
            break;
        }
    }
    games
}

#[test]
fn the_solution_depends_neither_on_threads_nor_on_earlier_endgames() {
    let setup = english();
    let games = endgames(&mut Generator::new(&setup), 15);
    let mut solver = Solver::new(&setup);
    let solve = |solver: &mut Solver<'_>, game| solver.solve(game, &Limits::default()).unwrap();
    let solutions: Vec<Solution> = games.iter().map(|game| solve(&mut solver, game)).collect();
    for (game, solution) in games.iter().zip(&solutions).rev() {
        assert_eq!(solve(&mut solver, game), *solution);
    }
    for threads in [2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (game, solution) in games.iter().zip(&solutions) {
            let found = pool.install(|| endgame::solve(&setup, game, &Limits::default()).unwrap());
            assert_eq!(Solution { nodes: solution.nodes, ..found }, *solution, "{threads} threads");
        }
    }
}

#[test]
fn the_line_reaches_the_end_of_the_game_and_gains_the_value() {
    let setup = english();
    let mut solver = Solver::new(&setup);
    for game in endgames(&mut Generator::new(&setup), 15) {
        let solution = solver.solve(&game, &Limits::default()).unwrap();
        let player = game.to_move;
        let mut played = game.clone();
        for chosen in &solution.line {
            assert!(!played.is_over());
            played.make(&setup, chosen);
        }
        assert!(played.is_over(), "{:?}", solution.line);
        assert_eq!(played.scores[player] - played.scores[1 - player] - game.spread(), solution.value);
        assert_eq!(solution.line[0], solution.best);
    }
}

/// Searches endgames under growing limits. Bounds and moves are compared with the exact values.
fn limit(setup: &Setup, games: &[Game]) -> u32 {
    let stopped = games.par_iter().map_init(
        || Solver::new(setup),
        |solver, game| {
            let exact = solver.solve(game, &Limits::default()).expect("an endgame");
            let (mut stopped, mut proved) = (0, i32::MIN);
            for nodes in [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let found = solver.solve(game, &limits).expect("an endgame");
                assert_eq!(found, Solver::new(setup).solve(game, &limits).expect("an endgame"));
                let name = format!("{nodes}: {found:?} {exact:?}");
                assert!(found.bounds.0 <= exact.value && exact.value <= found.bounds.1, "{name}");
                let [low, high] = found.found_bounds();
                assert!(low.is_none_or(|low| low <= exact.value), "{name}");
                assert!(high.is_none_or(|high| exact.value <= high), "{name}");
                assert!(found.limits.0 <= exact.value && exact.value <= found.limits.1, "{name}");
                assert!(!found.is_exact || (low, high) == (Some(exact.value), Some(exact.value)), "{name}");
                // Found bounds are of the size of scores, not of the limits.
                assert!(low.zip(high).is_none_or(|(low, high)| high - low < 600), "{name}");
                assert!(found.bounds.0 <= found.value && found.value <= found.bounds.1, "{name}");
                assert!(!found.is_exact || (found.value, found.best) == (exact.value, exact.best), "{name}");
                let value = if found.best == exact.best {
                    exact.value
                } else {
                    solver.bounds_of(game, &found.best, &Limits::default()).expect("an endgame").0
                };
                assert!(value >= proved, "{name}: the move gains {value}, and a move of {proved} was proved");
                if found.value == found.bounds.0 {
                    assert!(value >= found.value, "{name}: the move gains {value}");
                    proved = found.value;
                }
                stopped += u32::from(!found.is_exact);
            }
            stopped
        },
    );
    stopped.sum()
}

#[test]
fn a_limited_search_keeps_what_it_has_proved() {
    let setup = english();
    let games = endgames(&mut Generator::new(&setup), 60);
    let stopped = limit(&setup, &games);
    assert!(stopped > 100, "{stopped}");
    let setup = made_up("spanish", true);
    let games: Vec<Game> = (0..60).map(|index| small_endgame(&mut Generator::new(&setup), index, 8)).collect();
    let stopped = limit(&setup, &games);
    assert!(stopped > 100, "{stopped}");
}

#[test]
fn tiles_are_stuck_if_no_legal_play_lays_their_kind() {
    let setup = english();
    let mut generator = Generator::new(&setup);
    let mut found = 0;
    for game in endgames(&mut generator, 20) {
        let stuck = endgame::stuck_tiles(&setup, &game).unwrap();
        for player in [0, 1] {
            let mut turn = game.clone();
            turn.to_move = player;
            let moves = Oracle::new(generator.clone()).moves(&turn);
            let laid: Vec<Tile> = moves
                .iter()
                .flat_map(|chosen| match chosen {
                    Move::Play(play) => play.tiles.to_vec(),
                    _ => Vec::new(),
                })
                .collect();
            for (kind, count) in game.racks[player].kinds() {
                let is_laid = laid.iter().any(|tile| tile.kind() == kind);
                assert_eq!(stuck[player].count(kind), if is_laid { 0 } else { count });
                found += u32::from(!is_laid);
            }
        }
    }
    assert!(found > 0);
}

#[test]
fn the_winner_is_found_without_the_value() {
    let setup = english();
    let mut solver = Solver::new(&setup);
    let mut fewer = 0;
    for mut game in endgames(&mut Generator::new(&setup), 20) {
        let exact = solver.solve(&game, &Limits::default()).unwrap();
        for final_spread in [-9, -1, 0, 1, 9] {
            game.scores[game.to_move] += final_spread - exact.value - game.spread();
            let found = solver.solve(&game, &Limits { first_win: true, ..Limits::default() }).unwrap();
            let final_bounds = [found.bounds.0, found.bounds.1].map(|bound| (game.spread() + bound).signum());
            assert_eq!(final_bounds, [final_spread.signum(); 2], "{final_spread}: {found:?}");
            fewer += u32::from(found.nodes < exact.nodes);
        }
    }
    assert!(fewer > 20, "{fewer}");
}

#[test]
fn the_fast_evaluator_is_close_and_its_win_probability_rises_with_the_spread() {
    let setup = english();
    let (mut solver, mut fast) = (Solver::new(&setup), FastEvaluator::new(&setup));
    let mut squares = 0;
    for mut game in endgames(&mut Generator::new(&setup), 20) {
        let exact = solver.solve(&game, &Limits::default()).unwrap();
        let estimate = fast.evaluate(&game).unwrap();
        assert_eq!(fast.evaluate(&game).unwrap(), estimate);
        squares += (estimate.value - exact.value).pow(2);
        let mut probability = |final_spread: i32| {
            game.scores[game.to_move] += final_spread - estimate.value - game.spread();
            fast.evaluate(&game).unwrap().win_probability
        };
        let probabilities = [-100, -3, 0, 3, 100].map(&mut probability);
        assert!(probabilities.is_sorted() && probabilities[0] < 0.01 && probabilities[4] > 0.99, "{probabilities:?}");
        let [_, below, even, above, _] = probabilities;
        assert!((even - 0.5).abs() < 1e-9 && (below + above - 1.0).abs() < 1e-9, "{probabilities:?}");
    }
    assert!(squares < 20 * 25, "{squares}");
}

#[test]
fn players_with_endgame_make_the_best_move_once_the_bag_is_empty() {
    let setup = english();
    let mut generator = Generator::new(&setup);
    let mut solver = Solver::new(&setup);
    let [plain, solving] =
        ["greedy", "greedy+endgame"].map(|name| Player::from_name(name, Loader::new(&setup)).expect("a player"));
    assert_ne!(plain.identity, solving.identity);
    for game in endgames(&mut generator, 10) {
        let solution = solver.solve(&game, &Limits::default()).unwrap();
        let chosen = solving.choose(&mut generator, &game);
        assert_eq!((chosen.chosen, chosen.equity), (solution.best, Equity::from_points(solution.value)));
    }
    let early = Game::deal(&setup, Domain::Match.deals(SEED), 0);
    assert_eq!(plain.choose(&mut generator, &early), solving.choose(&mut generator, &early));
    for unknown in ["+endgame", "endgame", "greedy+endgame+endgame", "greedy+endgame:x"] {
        let error = Player::from_name(unknown, Loader::new(&setup)).map(|player| player.name).unwrap_err().to_string();
        assert!(error.contains(unknown) && error.contains("is not a player"), "{error}");
    }
}

#[test]
fn positions_that_are_not_endgames_are_refused() {
    let setup = english();
    let mut solver = Solver::new(&setup);
    let mut game = Game::deal(&setup, Domain::Match.deals(SEED), 0);
    assert_eq!(solver.solve(&game, &Limits::default()), Err(EndgameError::BagNotEmpty { tiles: 86 }));
    game = endgames(&mut Generator::new(&setup), 1).remove(0);
    game.scoreless_turns = 6;
    assert_eq!(solver.solve(&game, &Limits::default()), Err(EndgameError::Over));
}

#[test]
fn english_endgames_agree_with_plain_minimax() {
    compare(&english(), 300, 4);
}

#[test]
fn endgames_in_other_languages_agree_with_plain_minimax() {
    compare(&made_up("spanish", true), 150, 5);
    compare(&made_up("polish", false), 150, 5);
    compare(&made_up("german", true), 100, 5);
}

#[test]
fn endgames_agree_with_plain_minimax_under_any_limit_of_passes() {
    let text = include_str!("../../configs/tilesets/english.toml");
    for limits in ["passes_to_end = 2\n", "passes_to_end = 3\n", "passes_to_end = 5\nscoreless_turns_to_end = 9\n"] {
        let text = text.replace("scoreless_turns_to_end = 6", "").replace("[rules]\n", &format!("[rules]\n{limits}"));
        let tileset = TileSet::from_toml(&text, "test").expect("a tile set");
        compare(&Setup { tileset, ..english() }, 60, 4);
    }
}
