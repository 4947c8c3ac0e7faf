//! Inferences against brute force over all racks, tile by tile.

use std::collections::BTreeMap;

use super::*;
use crate::deals::Purpose;
use crate::evaluator::Leave;
use crate::leave::LeaveTable;
use crate::movegen::Generator;
use crate::moves::Move;
use crate::simulator::tests::{player, setup};
use crate::tileset::TileSet;
use crate::turn::Turn;

/// Enough for every leave of these tests.
const ALL: Limits = Limits { all: 100_000, draws: 0 };

/// A setup with as many words as a game needs, which are no words of the language.
fn pseudo_words(tileset: &str) -> Setup {
    let tileset = TileSet::embedded(tileset).unwrap();
    let letters: Vec<Tile> = Rack::from_counts(&tileset.counts()).tiles().filter(|tile| !tile.is_blank()).collect();
    let mut draw = stream(7, "words", 0);
    let word = |_| {
        let size = draw.random_range(2..=5);
        let word: Vec<Tile> = (0..size).map(|_| letters[draw.random_range(0..letters.len())]).collect();
        tileset.show_all(&word)
    };
    let words: Vec<String> = (0..6000).map(word).collect();
    Setup::from_words(tileset.clone(), &words.join("\n")).unwrap()
}

/// A player with a leave table of its own for each tile set.
fn player_of(tileset: &TileSet) -> StaticPlayer {
    let mut table = LeaveTable::zero(tileset);
    for index in 1..table.values().len() {
        table.set(index, crate::equity::Equity((index * 7919 % 20_000) as i32 - 10_000));
    }
    StaticPlayer::new(Leave::new(std::sync::Arc::new(table)))
}

/// The weight of each leave: every choice of labelled tiles is one rack, and a move weighs as much as its gap to the first of all moves.
fn brute_force(setup: &Setup, policy: &StaticPlayer, game: &Game, last: &LastMove) -> BTreeMap<String, u128> {
    let mut pool: Vec<u8> = game.unseen().tiles().map(Tile::kind).collect();
    let (mut board, mut spread) = (game.board.clone(), -game.spread());
    let mut played = Rack::default();
    if let LastMove::Play(last) = last {
        played = Rack::from_tiles(&last.play.tiles);
        pool.extend(played.tiles().map(Tile::kind));
        board = last.board.clone();
        spread -= last.play.score;
    }
    let cross_sets = crate::cross_set::CrossSets::from_board(setup, &board);
    let size = setup.tileset.rules().rack_size;
    let mut generator = Generator::new(setup);
    // By rack: the weight of each leave.
    let mut racks: BTreeMap<Vec<u8>, Vec<(String, u128)>> = BTreeMap::new();
    let mut weights = BTreeMap::new();
    for chosen in 0..1u32 << pool.len() {
        if chosen.count_ones() as usize != size {
            continue;
        }
        let mut kinds: Vec<u8> = (0..pool.len()).filter(|place| chosen >> place & 1 == 1).map(|place| pool[place]).collect();
        kinds.sort_unstable();
        let rack = Rack::from_kinds(&kinds);
        if !rack.contains(&played) {
            continue;
        }
        let leaves = racks.entry(kinds).or_insert_with(|| {
            let mut unseen = crate::game::unseen(&setup.tileset, &board, &rack).unwrap();
            unseen = Rack::from_tiles(&unseen.tiles().collect::<Vec<_>>());
            let bag = game.bag.len() + played.size();
            let turn = Turn { setup, board: &board, cross_sets: &cross_sets, rack, unseen, bag, spread };
            let moves = policy.rank(&mut generator, &turn);
            let is_it = |chosen: &Move| match (chosen, last) {
                (Move::Play(play), LastMove::Play(last)) => *play == last.play,
                (Move::Exchange(exchanged), LastMove::Exchange { tiles }) => exchanged.len() == *tiles,
                _ => false,
            };
            let weight = |gap: i32| (1e6 * (-f64::from(gap) / 5000.0).exp()) as u128;
            let likely = moves.iter().filter(|valued| is_it(&valued.chosen)).map(|valued| {
                let leave = rack.minus(&Rack::from_tiles(valued.chosen.tiles())).unwrap();
                (leave.show(&setup.tileset), weight((moves[0].equity - valued.equity).0))
            });
            likely.collect()
        });
        for (leave, weight) in leaves.iter() {
            *weights.entry(leave.clone()).or_insert(0) += weight;
        }
    }
    weights
}

/// The weights of an inference.
fn weights(inference: &Inference, tileset: &TileSet) -> BTreeMap<String, u128> {
    let mut below = 0;
    let weight = |&(sum, leave): &(u128, Rack)| {
        let weight = sum - below;
        below = sum;
        (leave.show(tileset), weight)
    };
    inference.cumulative.iter().map(weight).collect()
}

/// Games of static play in which few tiles are unseen, with the last move.
fn late_positions(setup: &Setup, policy: &StaticPlayer, games: u64) -> Vec<(Game, LastMove)> {
    let mut generator = Generator::new(setup);
    let mut found = Vec::new();
    for index in 0..games {
        let mut game = Game::deal(setup, Purpose::Match.deals(6), index);
        while !game.is_over() {
            if (1..=4).contains(&game.bag.len()) {
                found.push((game.clone(), game.last_move().unwrap()));
            }
            let chosen = policy.choose(&mut generator, &game.turn(setup)).chosen;
            game.make(setup, &chosen);
        }
    }
    found
}

#[test]
fn exact_inferences_are_those_of_brute_force_in_three_languages() {
    for setup in [setup(), pseudo_words("spanish"), pseudo_words("polish")] {
        let (policy, name) = (player_of(&setup.tileset), setup.tileset.name());
        let (mut plays, mut leaves) = (0, 0);
        for (game, last) in late_positions(&setup, &policy, 6) {
            let inference = Inference::new(&setup, &policy, &game, &last, &ALL, 1);
            if !matches!(last, LastMove::Play(_)) || inference.method == Method::Nothing {
                continue;
            }
            assert_eq!(inference.method, Method::Exact);
            assert_eq!(weights(&inference, &setup.tileset), brute_force(&setup, &policy, &game, &last), "{name} {last:?}");
            let all = inference.leaves();
            assert!((all.iter().map(|leave| leave.probability).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(all.iter().all(|leave| leave.probability > 0.0 && game.unseen().contains(&leave.leave)));
            plays += 1;
            leaves += all.len();
        }
        assert!(plays >= 3 && leaves > 30, "{name} {plays} {leaves}");
    }
}

#[test]
fn after_an_exchange_every_rack_weighs_what_it_may_have_kept() {
    for setup in [setup(), pseudo_words("spanish"), pseudo_words("polish")] {
        let policy = player_of(&setup.tileset);
        let mut generator = Generator::new(&setup);
        let mut game = Game::deal(&setup, Purpose::Match.deals(8), 1);
        while game.bag.len() > 7 && !game.is_over() {
            // Plays of one or two tiles, so that the bag does not fall far below what an exchange needs.
            let moves = policy.rank(&mut generator, &game.turn(&setup));
            let most = game.bag.len() - 7;
            let fits = |chosen: &Move| matches!(chosen, Move::Play(play) if play.tiles.len() <= most);
            let chosen = moves.iter().map(|valued| valued.chosen).find(fits).unwrap_or(moves[0].chosen);
            game.make(&setup, &chosen);
        }
        assert_eq!(game.bag.len(), 7, "{}", setup.tileset.name());
        for tiles in [1, 4, 7] {
            let last = LastMove::Exchange { tiles };
            let inference = Inference::new(&setup, &policy, &game, &last, &ALL, 1);
            if tiles == 7 {
                assert_eq!(inference.method, Method::Nothing);
                continue;
            }
            assert_eq!(weights(&inference, &setup.tileset), brute_force(&setup, &policy, &game, &last), "{tiles}");
        }
    }
}

#[test]
fn draws_come_near_to_the_exact_inference() {
    let (setup, policy) = (setup(), player());
    let mut compared = 0;
    for (game, last) in late_positions(&setup, &policy, 6) {
        let exact = Inference::new(&setup, &policy, &game, &last, &ALL, 1);
        let limits = Limits { all: 0, draws: 4000 };
        let sampled = Inference::new(&setup, &policy, &game, &last, &limits, 1);
        if exact.method != Method::Exact {
            assert_eq!(sampled, exact);
            continue;
        }
        assert_eq!(sampled.method, Method::Sampled);
        assert_eq!(sampled, Inference::new(&setup, &policy, &game, &last, &limits, 1));
        for kind in 0..27 {
            let [(one, prior), (other, _)] = [&exact, &sampled].map(|inference| inference.expected(kind));
            assert!((one - other).abs() < 0.1 && prior <= exact.size() as f64, "{kind}: {one} {other}");
        }
        // The share of draws that are random ones, and of the most likely leave.
        let top = exact.leaves()[0];
        let (mut random, mut held) = (0, 0);
        for index in 0..4000 {
            match exact.draw(&mut stream(5, "test", index)) {
                None => random += 1,
                Some(leave) => held += u32::from(*leave == top.leave),
            }
        }
        assert!((f64::from(random) / 4000.0 - exact.prior_share()).abs() < 0.04);
        let inferred = top.probability - exact.prior_share() * top.prior;
        assert!((f64::from(held) / 4000.0 - inferred).abs() < 0.04, "{held} {inferred}");
        compared += 1;
    }
    assert!(compared >= 3, "{compared}");
}

#[test]
fn what_was_kept_weighs_in_full_and_what_is_hidden_does_not_count() {
    let (setup, policy) = (setup(), player());
    let mut generator = Generator::new(&setup);
    let mut game = Game::deal(&setup, Purpose::Match.deals(6), 0);
    let (mut inferred, mut informed) = (0, 0);
    while !game.is_over() {
        if let Some(last) = game.last_move().filter(|_| !game.bag.is_empty()) {
            let mut before = game.clone();
            before.shuffle_unseen(stream(1, "test", 0));
            let [inference, same] =
                [&game, &before].map(|game| Inference::new(&setup, &policy, game, &last, &Limits::default(), 1));
            assert_eq!(inference, same);
            inferred += u32::from(inference.method != Method::Nothing);
            informed += u32::from(inference.prior_share() < 0.1);
        }
        let rack = game.racks[game.to_move];
        let chosen = policy.choose(&mut generator, &game.turn(&setup)).chosen;
        game.make(&setup, &chosen);
        if let Some(last @ LastMove::Play(_)) = game.last_move().filter(|_| !game.bag.is_empty()) {
            let kept = rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap();
            let mut turn = PreviousTurn::new(&setup, &policy, &game, &last);
            turn.likelihoods(&kept, kept.size(), |leave, likelihood| assert_eq!((leave, likelihood), (kept, CERTAIN)));
        }
    }
    assert!(inferred > 5 && 2 * informed > inferred, "{inferred} {informed}");
}

#[test]
fn a_move_that_no_leave_explains_says_next_to_nothing() {
    let (setup, policy) = (setup(), player());
    let mut generator = Generator::new(&setup);
    let mut worst_shares = Vec::new();
    for (mut game, _) in late_positions(&setup, &policy, 4) {
        // A pass says nothing at all.
        let passed = Inference::new(&setup, &policy, &game, &LastMove::Pass, &ALL, 1);
        assert_eq!((passed.method, passed.draw(&mut stream(1, "test", 0))), (Method::Nothing, None));
        // The play that falls short most.
        let moves = policy.rank(&mut generator, &game.turn(&setup));
        let is_small = |chosen: &Move| matches!(chosen, Move::Play(play) if play.tiles.len() < game.bag.len());
        let Some(worst) = moves.iter().rev().find(|valued| is_small(&valued.chosen)) else { continue };
        game.make(&setup, &worst.chosen);
        let last = game.last_move().unwrap();
        let inference = Inference::new(&setup, &policy, &game, &last, &ALL, 1);
        let (gap, share) = ((moves[0].equity - worst.equity).points(), inference.prior_share());
        assert!((0.05..=1.0).contains(&share), "{share}");
        for leave in inference.leaves() {
            assert!(leave.probability >= share * leave.prior - 1e-12 && leave.prior > 0.0);
        }
        if gap > 60.0 {
            worst_shares.push(share);
        }
    }
    assert!(!worst_shares.is_empty() && worst_shares.iter().all(|&share| share > 0.5), "{worst_shares:?}");
}
