//! Inferences against brute force over all racks, tile by tile.

use std::collections::BTreeMap;

use super::*;
use crate::artefact::Loader;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::deals::Domain;
use crate::equity::Equity;
use crate::game::unseen;
use crate::leave::CorrectedLeaves;
use crate::leave::LeaveTable;
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::player::Player;
use crate::simulator::tests::setup;
use crate::tileset::TileSet;
use crate::turn::Turn;

/// Enough for every leave of these tests.
const ALL: Limits = Limits { all: 100_000, draws: 0 };

/// A player with some leave table of a tile set.
fn player_of(tileset: &TileSet) -> StaticPlayer {
    let mut table = LeaveTable::zero(tileset);
    for index in 1..table.values().len() {
        table.set(index, Equity((index * 7919 % 20_000) as i32 - 10_000));
    }
    StaticPlayer::new(CorrectedLeaves::new(std::sync::Arc::new(table)))
}

/// The opponent's turn before its last move, with its possible racks.
struct Before {
    board: Board,
    played: Rack,
    /// Labelled tiles, by kind.
    pool: Vec<u8>,
    bag: usize,
    spread: i32,
}

impl Before {
    fn new(game: &Game, last: &LastMove) -> Before {
        let (mut board, mut played, mut spread) = (game.board().clone(), Rack::default(), -game.spread());
        if let LastMove::Play(last) = last {
            played = Rack::from_tiles(&last.play.tiles);
            board = last.board.clone();
            spread -= last.play.score;
        }
        let pool = game.unseen().tiles().chain(played.tiles()).map(Tile::kind).collect();
        Before { board, played, pool, bag: game.bag.len() + played.size(), spread }
    }

    /// Each leave of the move with this rack, with its weight by its gap to the first of all moves.
    fn leaves(&self, setup: &Setup, policy: &StaticPlayer, rack: Rack, last: &LastMove) -> Vec<(String, u128)> {
        let cross_sets = CrossSets::from_board(setup, &self.board);
        let unseen = unseen(&setup.tileset, &self.board, &rack).unwrap();
        let Before { ref board, bag, spread, .. } = *self;
        let turn = Turn { setup, board, cross_sets: &cross_sets, rack, unseen, bag, spread };
        let moves = policy.rank(&mut Generator::new(setup), &turn);
        let is_it = |chosen: &Move| match (chosen, last) {
            (Move::Play(play), LastMove::Play(last)) => *play == last.play,
            (Move::Exchange(exchanged), LastMove::Exchange { tiles }) => exchanged.len() == *tiles,
            _ => false,
        };
        let weight = |valued: &ValuedMove| (1e6 * (-f64::from((moves[0].equity - valued.equity).0) / 5000.0).exp()) as u128;
        let leave = |valued: &ValuedMove| rack.minus(&Rack::from_tiles(valued.chosen.tiles())).unwrap();
        let likely = moves.iter().filter(|valued| is_it(&valued.chosen));
        likely.map(|valued| (leave(valued).show(&setup.tileset), weight(valued))).collect()
    }
}

/// The weight of each leave, where every choice of labelled tiles is one rack.
fn brute_force(setup: &Setup, policy: &StaticPlayer, game: &Game, last: &LastMove) -> BTreeMap<String, u128> {
    let before = Before::new(game, last);
    let (size, pool) = (setup.tileset.rules().rack_size as u32, &before.pool);
    // Equal racks have equal leaves.
    let mut racks: HashMap<Rack, Vec<(String, u128)>> = HashMap::new();
    let mut weights = BTreeMap::new();
    for chosen in (0..1u32 << pool.len()).filter(|chosen| chosen.count_ones() == size) {
        let kinds: Vec<u8> = (0..pool.len()).filter(|place| chosen >> place & 1 == 1).map(|place| pool[place]).collect();
        let rack = Rack::from_kinds(&kinds);
        if rack.contains(&before.played) {
            let leaves = racks.entry(rack).or_insert_with(|| before.leaves(setup, policy, rack, last));
            for (leave, weight) in leaves.iter() {
                *weights.entry(leave.clone()).or_insert(0) += weight;
            }
        }
    }
    weights
}

/// The weights of an inference.
fn weights(inference: &Inference, tileset: &TileSet) -> BTreeMap<String, u128> {
    inference.weighed.iter().map(|weighed| (weighed.leave.show(tileset), weighed.weight)).collect()
}

/// Compares the estimates of a sampled inference with the exact probabilities.
fn compare(exact: &Inference, sampled: &Inference, tolerance: f64) {
    assert_eq!((exact.method, sampled.method), (Method::Exact, Method::Sampled));
    let of_leave: HashMap<Rack, f64> = exact.leaves().iter().map(|leave| (leave.leave, leave.probability)).collect();
    let estimates = sampled.leaves();
    for InferredLeave { leave, probability, .. } in &estimates {
        let known = of_leave[leave];
        assert!((probability - known).abs() < tolerance * (known + 0.01), "{probability} {known} {tolerance}");
    }
    assert!(estimates.len() > 5 || estimates.len() == of_leave.len());
}

/// Games of static play in which few tiles are unseen, with the last move.
fn late_positions(setup: &Setup, policy: &StaticPlayer, games: u64) -> Vec<(Game, LastMove)> {
    let mut generator = Generator::new(setup);
    let mut found = Vec::new();
    for index in 0..games {
        let mut game = Game::deal(setup, Domain::Match.deals(6), index);
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
    for setup in [setup(), Setup::pseudo_words("spanish"), Setup::pseudo_words("polish")] {
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
    for setup in [setup(), Setup::pseudo_words("spanish"), Setup::pseudo_words("polish")] {
        let policy = player_of(&setup.tileset);
        let mut generator = Generator::new(&setup);
        let mut game = Game::deal(&setup, Domain::Match.deals(8), 1);
        while game.bag.len() > 7 && !game.is_over() {
            // Plays that leave enough tiles in the bag for an exchange.
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
            let limits = Limits { all: 0, draws: 4000 };
            compare(&inference, &Inference::new(&setup, &policy, &game, &last, &limits, 1), 0.5);
        }
    }
}

#[test]
fn draws_come_near_to_the_exact_inference() {
    let setup = setup();
    let policy = player_of(&setup.tileset);
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
        compare(&exact, &sampled, 0.15);
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
    let setup = setup();
    let policy = player_of(&setup.tileset);
    let mut generator = Generator::new(&setup);
    let mut game = Game::deal(&setup, Domain::Match.deals(6), 0);
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
    let setup = setup();
    let policy = player_of(&setup.tileset);
    let mut seen = 0;
    for (game, last) in late_positions(&setup, &policy, 4) {
        let passed = Inference::new(&setup, &policy, &game, &LastMove::Pass, &ALL, 1);
        assert_eq!((passed.method, passed.draw(&mut stream(1, "test", 0))), (Method::Nothing, None));
        let LastMove::Play(last) = last else { continue };
        // The same play for fewer points falls further short of every best play.
        let mut before = 0.0;
        for points in [0, 30, 60, 100, 300] {
            let mut last = last.clone();
            last.play.score -= points;
            for limits in [ALL, Limits { all: 0, draws: 50 }] {
                let inference = Inference::new(&setup, &policy, &game, &LastMove::Play(last.clone()), &limits, 1);
                if inference.method == Method::Nothing {
                    continue;
                }
                let share = inference.prior_share();
                assert!((0.05..=1.0).contains(&share) && (points < 60 || share > 0.5) && (points < 100 || share > 0.99));
                for leave in inference.leaves() {
                    assert!(leave.probability >= share * leave.prior - 1e-12 && leave.prior > 0.0);
                }
                if limits == ALL {
                    assert!(share >= before, "{points}: {share} {before}");
                    before = share;
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 15, "{seen}");
}

#[test]
fn the_true_leave_becomes_more_likely() {
    let setup = setup();
    let player = Player::from_name("leave", Loader::new(&setup)).unwrap();
    let policy = player.as_static().unwrap();
    let mut generator = Generator::new(&setup);
    let (mut gain, mut count) = (0.0, 0);
    for index in 0..4 {
        let mut game = Game::deal(&setup, Domain::Match.deals(60), index);
        let mut kept = Rack::default();
        while !game.is_over() {
            if let Some(last @ LastMove::Play(_)) = game.last_move().filter(|_| (1..=2).contains(&kept.size())) {
                let inference = Inference::new(&setup, policy, &game, &last, &Limits::default(), 1);
                let leaves = inference.leaves();
                if let Some(inferred) = leaves.iter().find(|inferred| inferred.leave == kept) {
                    gain += (inferred.probability / inferred.prior).ln();
                    count += 1;
                }
            }
            let rack = game.racks[game.to_move];
            let chosen = policy.choose(&mut generator, &game.turn(&setup)).chosen;
            kept = rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap();
            game.make(&setup, &chosen);
        }
    }
    assert!(count > 10 && gain > 0.3 * f64::from(count), "{count} {gain}");
}
