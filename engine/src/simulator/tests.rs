//! Tests of simulations, against playouts on copies.

use std::ops::AddAssign;
use std::sync::Arc;

use super::settings::billionths;
use super::*;
use crate::board::Board;
use crate::deals::Domain;
use crate::endgame::fast::FastEvaluator;
use crate::equity::Equity;
use crate::leave::CorrectedLeaves;
use crate::leave::LeaveTable;
use crate::monitor::NoMonitor;
use crate::movegen::ValuedMove;
use crate::rack::Rack;
use crate::rng::stream;
use crate::tileset::TileSet;
use crate::win_percentage::TilesLeft;

pub(crate) fn setup() -> Setup {
    Setup::embedded("english").unwrap()
}

fn table(tileset: &TileSet) -> LeaveTable {
    let mut table = LeaveTable::zero(tileset);
    for index in 1..table.values().len() {
        table.set(index, Equity((index * 7919 % 20_000) as i32 - 10_000));
    }
    table
}

pub(crate) fn player() -> StaticPlayer {
    StaticPlayer::new(CorrectedLeaves::new(Arc::new(table(&TileSet::embedded("english").unwrap()))))
}

/// The positions of a game between static players, every N turns.
pub(super) fn positions(setup: &Setup, player: &StaticPlayer, seed: u64, every: usize) -> Vec<Game> {
    let mut generator = Generator::new(setup);
    let mut game = Game::deal(setup, Domain::Match.deals(seed), 0);
    let mut positions = Vec::new();
    while !game.is_over() {
        positions.push(game.clone());
        let chosen = player.choose(&mut generator, &game.turn(setup)).chosen;
        game.make(setup, &chosen);
    }
    positions.into_iter().step_by(every).collect()
}

/// One playout the slow way: on a copy of the game, with everything computed from the board and the racks.
fn played_on_a_copy(
    Rules { setup, policy: player, win_percentage: probabilities }: Rules<'_>,
    settings: &Settings,
    position: &Game,
    first: ValuedMove,
) -> PlayoutResult {
    let mut game = position.clone();
    let mover = game.to_move;
    let (mut kept, mut next_bingos, mut next_scores) = ([Equity::ZERO; 2], [false; 2], [0; 2]);
    let mut turns = vec![];
    let is_late = !position.bag.is_empty() && position.bag.len() <= settings.late_bag;
    let plies = if is_late { settings.late_plies } else { settings.plies };
    let is_estimated = |game: &Game, turns: usize| settings.fast_endgame && game.bag.is_empty() && turns > 0;
    let is_within = |game: &Game, turns: usize| {
        let goes_on = settings.to_the_end && game.bag.len() <= settings.end_bag;
        (turns <= plies || goes_on) && !is_estimated(game, turns)
    };
    while !game.is_over() && is_within(&game, turns.len()) {
        let valued = match turns.len() {
            0 => first,
            _ => player.choose(&mut Generator::new(setup), &game.turn(setup)),
        };
        let leaves = player.leave_values(&game.turn(setup));
        let leave = game.rack().minus(&Rack::from_tiles(valued.chosen.tiles())).unwrap();
        let number = (0..leaves.sub_racks.len()).find(|&number| leaves.sub_racks.get(number) == leave).unwrap();
        kept[game.to_move] = leaves.values[number].max(Equity(-999_999));
        if (1..=2).contains(&turns.len()) && valued.chosen.tiles().len() == 7 && valued.chosen.score() > 0 {
            next_bingos[usize::from(game.to_move != mover)] = true;
        }
        if (1..=2).contains(&turns.len()) {
            next_scores[usize::from(game.to_move != mover)] = valued.chosen.score();
        }
        turns.push(valued.chosen);
        game.make(setup, &valued.chosen);
    }
    let lead = Equity::from_points(game.scores[mover] - game.scores[1 - mover]);
    let before = Equity::from_points(position.spread());
    if game.is_over() {
        let win_probability = [0, 500_000_000, 1_000_000_000][(1 + lead.0.signum()) as usize];
        return PlayoutResult { win_probability, gain: lead - before, next_bingos, next_scores };
    }
    let on_turn = turns.len() % 2 == 0;
    if is_estimated(&game, turns.len()) {
        let estimate = FastEvaluator::new(setup).evaluate(&game).unwrap();
        let (sign, win_probability) =
            if on_turn { (1, estimate.win_probability) } else { (-1, 1.0 - estimate.win_probability) };
        let gain = lead + Equity::from_points(sign * estimate.value) - before;
        return PlayoutResult { win_probability: billionths(win_probability), gain, next_bingos, next_scores };
    }
    let spread = lead + kept[mover] - kept[1 - mover];
    let left =
        TilesLeft { bag: game.bag.len(), own: game.racks[game.to_move].size(), other: game.racks[1 - game.to_move].size() };
    let win_probability = if on_turn {
        probabilities.win_probability(left, spread)
    } else {
        1.0 - probabilities.win_probability(left, -spread)
    };
    PlayoutResult { win_probability: billionths(win_probability), gain: spread - before, next_bingos, next_scores }
}

#[test]
fn playouts_agree_with_games_played_from_a_copy() {
    let (setup, player) = (setup(), player());
    let probabilities = WinPercentage::for_setup(&setup).0;
    let (mut truncated, mut finished, mut bingos) = (0, 0, 0);
    for (number, game) in positions(&setup, &player, 8, 2).into_iter().enumerate() {
        let plies = 1 + number % 4;
        let settings = Settings {
            plies,
            late_plies: 1 + number % 5,
            late_bag: 30 * (number % 2),
            candidates: 4,
            to_the_end: number % 3 == 0,
            end_bag: number % 7,
            fast_endgame: number % 5 < 2,
            ..Settings::default()
        };
        let simulator = Simulator::new(&setup, &player, &probabilities, &settings);
        let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
        let situation = Situation { game, known: Rack::default(), last: None, seed: 3 };
        let mut deals = situation.deals(&setup, &player, &settings);
        let mut worker = simulator.worker(&situation, &candidates, &deals);
        for index in 0..4 {
            let running: Vec<usize> = (0..candidates.len()).collect();
            let reached = worker.iteration(index, &running);
            let (order, stream) = deals.deal(index);
            let mut copy = situation.game.clone();
            copy.deal_in_order(order, stream);
            for (reached, candidate) in reached.into_iter().zip(&candidates) {
                let slow = played_on_a_copy(simulator.rules, &settings, &copy, candidate.valued);
                assert_eq!(reached, slow, "position {number}, deal {index}, {candidate:?}");
                let is_final = reached.win_probability % 500_000_000 == 0;
                (if is_final { &mut finished } else { &mut truncated }).add_assign(1);
                bingos += u32::from(reached.next_bingos[0]) + u32::from(reached.next_bingos[1]);
            }
        }
    }
    assert!(truncated > 80 && finished > 15 && bingos > 10, "{truncated} {finished} {bingos}");
}

#[test]
fn the_result_depends_neither_on_threads_nor_on_what_is_hidden() {
    let (setup, player) = (setup(), player());
    let probabilities = WinPercentage::for_setup(&setup).0;
    let settings = Settings { iterations: 150, least_excess: 0.0, ..Settings::default() };
    let simulator = Simulator::new(&setup, &player, &probabilities, &settings);
    for (number, game) in positions(&setup, &player, 9, 7).into_iter().enumerate() {
        let simulator = simulator.with_prior((number % 2 == 1).then(|| player.prior(game.bag.len())));
        let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
        let run = |game: &Game, seed, threads| {
            let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
            simulator.run(&situation, &candidates, threads, &NoMonitor, &mut |_| ())
        };
        let one = run(&game, 4, 1);
        assert_eq!(run(&game, 4, 3), one);
        if !game.bag.is_empty() {
            let mut other = game.clone();
            other.shuffle_unseen(stream(1, "test", number as u64));
            assert_eq!(run(&other, 4, 2), one);
            assert_ne!(run(&game, 5, 1).standings, one.standings);
        }
    }
}

#[test]
fn rounds_are_shown_and_losers_are_tried_no_more() {
    let (setup, player) = (setup(), player());
    let probabilities = WinPercentage::for_setup(&setup).0;
    let settings = Settings { candidates: 40, iterations: 400, ..Settings::default() };
    let simulator = Simulator::new(&setup, &player, &probabilities, &settings);
    let game = positions(&setup, &player, 2, 5).remove(1);
    let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
    let situation = Situation { game, known: Rack::default(), last: None, seed: 1 };
    let mut shown = Vec::new();
    let last = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |simulated| {
        shown.push(simulated.iterations);
    });
    assert!(!shown.is_empty() && [32, 64, 96, 128, 160, 192, 224, 256, 288, 324, 364].starts_with(&shown), "{shown:?}");
    assert_eq!(last.standings.len(), 40);
    let beaten = last.standings.iter().filter(|standing| standing.is_beaten).count();
    assert!(beaten > 10, "{beaten}");
    assert!(last.standings.is_sorted_by_key(|standing| (standing.is_beaten, 400 - standing.iterations)));
    assert_eq!(last.playouts, last.standings.iter().map(|standing| standing.iterations).sum::<u64>());
    let all = Settings { confidence: 1.0, iterations: last.iterations, ..settings };
    let simulator = Simulator::new(&setup, &player, &probabilities, &all);
    let all = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
    assert_eq!((all.playouts, all.ended), (40 * last.iterations, Some(EndReason::Iterations)));
    // Dropped candidates take nothing from the others.
    let best = last.best().unwrap();
    assert_eq!(all.standings.iter().find(|standing| standing.candidate == best.candidate), Some(best));
}

#[test]
fn with_a_prior_the_leader_and_its_challengers_are_tried_until_no_challenger_is_worth_it() {
    let (setup, player) = (setup(), player());
    let probabilities = WinPercentage::for_setup(&setup).0;
    let run = |game: &Game, least_excess| {
        let settings = Settings { iterations: 400, least_excess, ..Settings::default() };
        let prior = Some(player.prior(game.bag.len()));
        let simulator = Simulator::new(&setup, &player, &probabilities, &settings).with_prior(prior);
        let candidates = simulator.candidates(&player, &mut Generator::new(&setup), game);
        let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed: 1 };
        let simulated = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
        (candidates, simulated)
    };
    let positions = positions(&setup, &player, 2, 4);
    let (mut playouts, mut decided) = ([0; 2], 0);
    for game in positions.iter().filter(|game| !game.bag.is_empty()) {
        let (_, all) = run(game, 0.0);
        assert_eq!((all.iterations, all.ended), (400, Some(EndReason::Iterations)));
        assert!(all.playouts <= 4 * 400, "{}", all.playouts);
        let (_, some) = run(game, 0.3);
        decided += u32::from(some.ended == Some(EndReason::Confident));
        playouts = [playouts[0] + all.playouts, playouts[1] + some.playouts];
        // If nothing can be gained, the ranker's first choice is taken without a playout.
        let (candidates, none) = run(game, 1000.0);
        assert_eq!((none.playouts, none.ended), (0, Some(EndReason::Confident)));
        assert_eq!(none.best().unwrap().candidate, candidates[0]);
    }
    assert!(decided > 2 && playouts[1] * 2 < playouts[0], "{decided} {playouts:?}");
}

#[test]
fn a_decided_game_takes_fewer_playouts() {
    let (setup, player) = (setup(), player());
    let probabilities = WinPercentage::for_setup(&setup).0;
    let settings = Settings { least_excess: 0.1, iterations: 3000, ..Settings::default() };
    let playouts = |game: &Game, lead: i32, utility| {
        let mut game = game.clone();
        game.scores[game.to_move] = game.scores[1 - game.to_move] + lead;
        let settings = Settings { utility, ..settings.clone() };
        let simulator = Simulator::new(&setup, &player, &probabilities, &settings);
        let simulator = simulator.with_prior(Some(player.prior(game.bag.len())));
        let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
        let situation = Situation { game, known: Rack::default(), last: None, seed: 1 };
        simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ()).playouts
    };
    let positions: Vec<Game> =
        positions(&setup, &player, 2, 6).into_iter().filter(|game| (8..40).contains(&game.bag.len())).collect();
    let all = |lead, utility| positions.iter().map(|game| playouts(game, lead, utility)).sum::<u64>();
    let [even, decided] = [0, 250].map(|lead| all(lead, Utility::Win));
    assert!(even > 500 && decided * 3 < even, "{even} {decided}");
    // A point of spread is worth the same whatever the score.
    assert_eq!(all(0, Utility::Spread), all(250, Utility::Spread));
}

#[test]
fn without_a_bag_one_iteration_to_the_end_tells_all() {
    let (setup, player) = (setup(), player());
    let probabilities = WinPercentage::for_setup(&setup).0;
    let settings = Settings { plies: 1, ..Settings::default() };
    let simulator = Simulator::new(&setup, &player, &probabilities, &settings).with_prior(Some(player.prior(0)));
    let game = positions(&setup, &player, 5, 1).into_iter().find(|game| game.bag.is_empty()).unwrap();
    let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
    let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed: 1 };
    let simulated = simulator.run(&situation, &candidates, 2, &NoMonitor, &mut |_| ());
    assert_eq!((simulated.iterations, simulated.ended), (1, Some(EndReason::Certain)));
    for Standing { candidate, win, gain, .. } in &simulated.standings {
        let mut played = game.clone();
        played.make(&setup, &candidate.valued.chosen);
        while !played.is_over() {
            let chosen = player.choose(&mut Generator::new(&setup), &played.turn(&setup)).chosen;
            played.make(&setup, &chosen);
        }
        let lead = played.scores[game.to_move] - played.scores[1 - game.to_move];
        assert_eq!((win.mean, win.error), (f64::from(1 + lead.signum()) / 2.0, 0.0));
        assert!((gain.mean - f64::from(lead - game.spread())).abs() < 1e-9);
    }
}

#[test]
fn a_known_rack_is_played_against() {
    let (setup, player) = (setup(), player());
    let probabilities = WinPercentage::for_setup(&setup).0;
    let settings = Settings { iterations: 64, confidence: 1.0, ..Settings::default() };
    let simulator = Simulator::new(&setup, &player, &probabilities, &settings);
    let rack = Rack::parse("CDEILNT", &setup.tileset).unwrap();
    let game = Game::from_position(&setup, Board::new(15), rack, [0; 2], stream(1, "test", 0)).unwrap();
    let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
    let lead = |known: &str| {
        let known = Rack::parse(known, &setup.tileset).unwrap();
        let situation = Situation { game: game.clone(), known, last: None, seed: 1 };
        let simulated = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
        (simulated.best().unwrap().gain.mean, simulated.best().unwrap().bingos[1])
    };
    let ((easy, easy_bingos), (hard, hard_bingos)) = (lead("VVUUII"), lead("AEIRST?"));
    assert!(easy > hard + 40.0 && easy_bingos == 0.0 && hard_bingos > 0.9, "{easy} {hard} {easy_bingos} {hard_bingos}");
}

#[test]
fn samples_are_the_playouts_of_a_simulation_and_do_not_depend_on_earlier_positions() {
    let (setup, player) = (setup(), player());
    let table = WinPercentage::for_setup(&setup).0;
    let settings = Settings { candidates: 6, iterations: 24, confidence: 1.0, ..Settings::default() };
    let simulator = Simulator::new(&setup, &player, &table, &settings);
    let mut games = 0;
    for game in positions(&setup, &player, 11, 3) {
        let candidates = simulator.candidates(&player, &mut Generator::new(&setup), &game);
        let is_certain = game.bag.is_empty();
        let situation = Situation { game, known: Rack::default(), last: None, seed: 7 };
        let deals = if is_certain { 1 } else { 24 };
        let results = simulator.results(&situation, &candidates, deals);
        assert_eq!(results, simulator.results(&situation, &candidates, deals));
        let simulated = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
        for (number, candidate) in candidates.iter().enumerate() {
            let gains = results.iter().map(|deal| deal[number].gain.points()).sum::<f64>() / deals as f64;
            let standing = simulated.standings.iter().find(|standing| standing.candidate == *candidate).unwrap();
            assert!((standing.gain.mean - gains).abs() < 1e-9, "{candidate:?}");
        }
        games += 1;
    }
    assert!(games > 5, "{games}");
}
