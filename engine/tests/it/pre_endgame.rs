//! Pre-endgames against plain enumeration of every order of the unseen tiles, with plain minimax in every endgame.

use std::time::Duration;

use rayon::prelude::*;
use tilewright_engine::bag::Bag;
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Greedy;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::pre_endgame::{Analysis, Candidate, Certainty, PreEndgame, PreEndgameError, Settings};
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::stream;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::{Tile, TileSet};

use crate::oracle::Oracle;
use crate::words;

const SEED: u64 = 9;

/// A tile set of few tiles, so that games are short, and racks of two tiles, so that minimax is fast enough.
const TINY: &str = r#"
name = "tiny"
board = "standard"
total_tiles = 26
total_points = 45
blanks = 1
letters = [
    { letter = "A", count = 5, value = 1, vowel = true },
    { letter = "E", count = 4, value = 1, vowel = true },
    { letter = "N", count = 3, value = 1 },
    { letter = "R", count = 3, value = 1 },
    { letter = "S", count = 4, value = 1 },
    { letter = "T", count = 4, value = 2 },
    { letter = "Z", count = 2, value = 9 },
]
[rules]
rack_size = 2
bingo_bonus = 10
exchange_minimum = 3
"#;

/// Creates a setup of the tiny tile set with made-up words.
fn tiny() -> Setup {
    let tileset = TileSet::from_toml(TINY, "tiny").expect("a tile set");
    let made_up = words::made_up_words(&tileset, &mut stream(SEED, "words", 0));
    let text: String = made_up.iter().step_by(4).map(|word| words::bracketed(word, &tileset) + "\n").collect();
    Setup::from_words(tileset, &text).expect("made-up words")
}

fn greedy() -> StaticPlayer {
    StaticPlayer::new(Greedy)
}

/// Returns a game with `bag` tiles in the bag, after greedy moves. Its score is close, so that moves decide the winner.
fn position(generator: &mut Generator<'_>, index: u64, bag: usize) -> Option<Game> {
    let setup = generator.setup();
    let mut game = Game::deal(setup, Domain::Match.deals(SEED), index);
    while !game.is_over() && game.bag.len() > bag {
        let chosen = greedy().choose(generator, &game.turn(generator.setup())).chosen;
        game.make(setup, &chosen);
    }
    game.scores = [50, 50 + index as i32 % 7 - 3];
    Some(game).filter(|game| !game.is_over() && game.bag.len() == bag && game.racks.iter().all(|rack| rack.size() == 2))
}

/// Returns every order of these tiles; tiles of one kind are distinct.
fn permutations(tiles: &[u8]) -> Vec<Vec<u8>> {
    if tiles.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |first: usize| {
        let mut others = tiles.to_vec();
        let kind = others.remove(first);
        permutations(&others).into_iter().map(move |rest| [vec![kind], rest].concat())
    };
    (0..tiles.len()).flat_map(with_first).collect()
}

/// Returns the win probability and the mean final spread of a move.
fn enumerated(oracle: &mut Oracle<'_>, setup: &Setup, game: &Game, chosen: &Move) -> (f64, f64) {
    let unseen: Vec<u8> = game.unseen().tiles().map(Tile::kind).collect();
    let other = 1 - game.to_move;
    let (mut half_wins, mut spreads, mut ways) = (0, 0, 0);
    for order in permutations(&unseen) {
        let (bag, held) = order.split_at(game.bag.len());
        let mut after = game.clone();
        after.bag = Bag::in_order(bag.to_vec(), stream(0, "test", 0));
        after.racks[other] = Rack::default();
        for &kind in held {
            after.racks[other].add(kind);
        }
        after.make(setup, chosen);
        while !after.is_over() && !after.bag.is_empty() {
            let reply = greedy().choose(&mut Generator::new(setup), &after.turn(setup)).chosen;
            after.make(setup, &reply);
        }
        let rest = oracle.value(&after);
        let rest = if after.to_move == game.to_move { rest } else { -rest };
        let spread = after.scores[game.to_move] - after.scores[other] + rest;
        half_wins += 1 + spread.signum();
        spreads += spread;
        ways += 1;
    }
    (f64::from(half_wins) / f64::from(2 * ways), f64::from(spreads) / f64::from(ways))
}

/// Returns settings without limits and pruning.
fn everything() -> Settings {
    Settings {
        screened: usize::MAX,
        screened_extra: 0,
        estimated: usize::MAX,
        calculated: usize::MAX,
        margin: 1.0,
        min_win_probability: 0.0,
        compared: usize::MAX,
        endgame_nodes: None,
        nodes: None,
        time: None,
        deals: 1,
        prune: false,
    }
}

fn empties_bag(game: &Game, chosen: &Move) -> bool {
    matches!(chosen, Move::Play(play) if play.tiles.len() >= game.bag.len())
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Compares positions with `bag` tiles in the bag and returns their number.
fn compare(setup: &Setup, indices: std::ops::Range<u64>, bag: usize) -> usize {
    let counts = indices.into_par_iter().map_init(
        || (Generator::new(setup), PreEndgame::new(setup, greedy()).with_settings(everything())),
        |(generator, pre_endgame), index| {
            let Some(game) = position(generator, index, bag) else { return 0 };
            let mut oracle = Oracle::new(generator.clone());
            let moves = oracle.moves(&game);
            let found = pre_endgame.solve_moves(&game, &moves, true).expect("a pre-endgame");
            assert_eq!(found.len(), moves.len());
            for candidate in &found {
                let (probability, spread) = enumerated(&mut oracle, setup, &game, &candidate.chosen);
                let name = format!("position {index}, {bag} in the bag: {candidate:?}, not {probability} and {spread}");
                assert!(near(candidate.win_probability, probability) && near(candidate.spread, spread), "{name}");
                let is_exact = empties_bag(&game, &candidate.chosen);
                assert_eq!((candidate.certain, candidate.proved), (1.0, if is_exact { 1.0 } else { 0.0 }), "{name}");
                // Where replies are assumed, nothing is proved.
                assert_eq!(candidate.win_bounds.is_some(), is_exact, "{name}");
                let are_exact = |(lower, upper)| near(lower, probability) && near(upper, probability);
                assert!(candidate.win_bounds.is_none_or(are_exact), "{name}");
                let certainty = if is_exact { Certainty::Exact } else { Certainty::GuessedReplies };
                assert_eq!((candidate.certainty, candidate.is_spread_calculated), (certainty, true), "{name}");
            }
            let analysis = pre_endgame.solve(&game).expect("a pre-endgame");
            assert_eq!(analysis.legal_moves, moves.len());
            compare_best(&analysis, &found);
            1
        },
    );
    counts.sum()
}

/// Checks that the first candidate is the best of all moves.
fn compare_best(analysis: &Analysis, found: &[Candidate]) {
    let best = &analysis.candidates[0];
    let probability = found.iter().map(|candidate| candidate.win_probability).fold(0.0, f64::max);
    let equal = found.iter().filter(|candidate| near(candidate.win_probability, probability));
    let spread = equal.clone().map(|candidate| candidate.spread).fold(f64::MIN, f64::max);
    // If only one candidate has the highest win probability, it is not searched for the spread.
    let is_alone = equal.clone().count() == 1;
    let has_spread = if is_alone { !best.is_spread_calculated } else { near(best.spread, spread) };
    assert!(near(best.win_probability, probability), "{best:?}, not {probability}");
    assert!(has_spread || near(best.spread, spread), "{best:?}, not {spread}");
}

#[test]
fn candidates_agree_with_plain_enumeration() {
    let setup = tiny();
    let compared = compare(&setup, 0..200, 1) + compare(&setup, 0..30, 2);
    assert!(compared > 100, "{compared}");
}

#[test]
fn pruning_and_threads_do_not_change_the_result() {
    let setup = tiny();
    let mut generator = Generator::new(&setup);
    let unpruned = everything();
    let mut whole = PreEndgame::new(&setup, greedy()).with_settings(unpruned);
    let mut pruned = PreEndgame::new(&setup, greedy()).with_settings(Settings { prune: true, ..unpruned });
    let mut threaded = PreEndgame::new(&setup, greedy()).with_settings(Settings { prune: true, ..unpruned }).with_threads(3);
    let (mut positions, mut beaten, mut searched) = (0, 0, [0; 2]);
    for (index, bag) in (0..30).flat_map(|index| [(index, 1), (index, 2), (index, 3), (index, 4)]) {
        let Some(game) = position(&mut generator, index, bag) else { continue };
        let all = whole.solve(&game).expect("a pre-endgame");
        let few = pruned.solve(&game).expect("a pre-endgame");
        assert_eq!(few, threaded.solve(&game).expect("a pre-endgame"));
        let (best, chosen) = (&all.candidates[0], &few.candidates[0]);
        assert_eq!((best.chosen, best.certainty), (chosen.chosen, chosen.certainty), "{index}, {bag}");
        assert!(near(best.win_probability, chosen.win_probability));
        searched = [searched[0] + few.endgames, searched[1] + all.endgames];
        beaten += few.candidates.iter().filter(|candidate| candidate.is_beaten).count();
        positions += 1;
        // Another deal of the unseen tiles does not change the result.
        let mut other = game.clone();
        other.shuffle_unseen(stream(SEED, "test", index));
        assert_eq!(few, pruned.solve(&other).expect("a pre-endgame"));
    }
    assert!(positions > 50 && beaten > 200, "{positions} {beaten}");
    assert!(searched[0] < searched[1], "{searched:?}");
}

#[test]
fn with_five_and_six_tiles_in_the_bag_some_deals_stand_for_all() {
    let setup = tiny();
    let mut generator = Generator::new(&setup);
    let many = Settings { deals: 1500, ..everything() };
    let mut searched = PreEndgame::new(&setup, greedy()).with_settings(many).with_threads(2);
    let mut plain = PreEndgame::new(&setup, greedy());
    let mut threaded = PreEndgame::new(&setup, greedy()).with_threads(3);
    let mut positions = 0;
    for index in 0..8 {
        let Some(game) = position(&mut generator, index, 5 + (index as usize & 1)) else { continue };
        let few = plain.solve(&game).expect("a pre-endgame");
        assert_eq!((few.draws, few.endgames), (200, 0));
        assert!(few.candidates.iter().all(|candidate| candidate.certain == 0.0 && candidate.win_bounds.is_none()));
        let certainties: Vec<Certainty> = few.candidates.iter().map(|candidate| candidate.certainty).collect();
        let most = few.candidates.len().min(Settings::for_bag(game.bag.len()).estimated);
        assert!(certainties[..most].iter().all(|&certainty| certainty == Certainty::Simulated), "{certainties:?}");
        assert!(certainties[most..].iter().all(|&certainty| certainty == Certainty::Estimate), "{certainties:?}");
        let mut other = game.clone();
        other.shuffle_unseen(stream(SEED, "test", index));
        assert_eq!(few, threaded.solve(&other).expect("a pre-endgame"));
        if game.bag.len() == 5 {
            let moves: Vec<Move> = few.candidates.iter().step_by(4).map(|candidate| candidate.chosen).take(3).collect();
            let mut oracle = Oracle::new(generator.clone());
            for candidate in searched.solve_moves(&game, &moves, true).expect("a pre-endgame") {
                let (probability, spread) = enumerated(&mut oracle, &setup, &game, &candidate.chosen);
                let off = (candidate.win_probability - probability).abs();
                assert!(
                    off < 0.05 && (candidate.spread - spread).abs() < 2.0,
                    "{index}: {candidate:?}, not {probability}, {spread}"
                );
            }
            positions += 1;
        }
    }
    assert!(positions >= 2, "{positions}");
}

#[test]
fn a_limit_of_time_leaves_out_what_was_not_tried() {
    let setup = tiny();
    let mut generator = Generator::new(&setup);
    let within = |time| PreEndgame::new(&setup, greedy()).with_settings(Settings { time, ..everything() });
    let [mut hurried, mut patient, mut free] = [Some(Duration::ZERO), Some(Duration::from_mins(10)), None].map(within);
    let games: Vec<Game> = (0..20).filter_map(|index| position(&mut generator, index, 1)).collect();
    for game in &games {
        let nothing = hurried.solve(game).expect("a pre-endgame");
        assert!(nothing.candidates.is_empty() && nothing.legal_moves > 0);
        assert_eq!(hurried.choose(game), Ok(None));
        assert_eq!(patient.solve(game), free.solve(game));
    }
    assert!(games.len() > 5, "{}", games.len());
}

#[test]
fn positions_that_are_not_pre_endgames_are_refused() {
    let setup = tiny();
    let mut generator = Generator::new(&setup);
    let mut pre_endgame = PreEndgame::new(&setup, greedy());
    let game = Game::deal(&setup, Domain::Match.deals(SEED), 0);
    assert_eq!(pre_endgame.solve(&game), Err(PreEndgameError::Bag { tiles: 22 }));
    let mut game = (0..).find_map(|index| position(&mut generator, index, 1)).expect("a pre-endgame");
    game.make(&setup, &Move::Pass);
    while !game.is_over() {
        game.make(&setup, &Move::Pass);
    }
    assert_eq!(pre_endgame.solve(&game), Err(PreEndgameError::Over));
}
