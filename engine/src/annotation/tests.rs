use super::*;
use crate::artefact::Loader;
use crate::cross_set::CrossSets;
use crate::deals::Domain;
use crate::endgame;
use crate::evaluator::Greedy;
use crate::game::gcg::{GcgPlayer, read};
use crate::monitor::NoMonitor;
use crate::simulator::Settings;
use crate::simulator::tests::{player, setup};
use crate::win_percentage::WinPercentage;

/// A game of static play; with `solves`, the moves with an empty bag are the solver's.
fn played(setup: &Setup, player: &StaticPlayer, number: u64, solves: bool) -> GcgGame {
    let mut record = GcgGame::new(setup, ["ann", "bob"].map(GcgPlayer::named));
    let mut generator = Generator::new(setup);
    let mut game = Game::deal(setup, Domain::Match.deals(71), number);
    while !game.is_over() {
        let chosen = if solves && game.bag.is_empty() {
            endgame::solve(setup, &game, &Limits::default()).unwrap().best
        } else {
            player.choose(&mut generator, &game.turn(setup)).chosen
        };
        record.record(&game, &chosen);
        game.make(setup, &chosen);
    }
    record.finish(setup, &game)
}

fn annotator(ranker: &StaticPlayer) -> Annotator<'_> {
    Annotator { ranker, player: None, simulator: None, most: 5, threads: 1 }
}

fn annotate(annotator: &Annotator<'_>, game: &GcgGame, setup: &Setup) -> Vec<AnnotatedTurn> {
    annotator.annotate(game, &mut Generator::new(setup), &NoMonitor).unwrap()
}

/// The position before each event of a game, and the one after the last.
fn positions(game: &GcgGame, setup: &Setup) -> Vec<GcgPosition> {
    let after = replay(game, setup).map(Result::unwrap);
    std::iter::once(GcgPosition::start(setup)).chain(after).collect()
}

#[test]
fn a_player_loses_nothing_by_its_own_equity() {
    let (setup, greedy) = (setup(), StaticPlayer::new(Greedy));
    let (mut solved, mut unsolved) = (0, 0);
    for number in 0..4 {
        let game = played(&setup, &greedy, number, true);
        let (turns, positions) = (annotate(&annotator(&greedy), &game, &setup), positions(&game, &setup));
        assert!(turns.len() > 15);
        for turn in turns {
            let judgement = turn.judgement.unwrap();
            let is_end = positions[turn.event].bag == 0;
            if is_end && judgement.basis == Basis::Equity {
                unsolved += 1;
                continue;
            }
            solved += usize::from(is_end);
            assert!(judgement.loss().abs() < 1e-9, "{judgement:?}");
            assert_eq!((judgement.basis == Basis::Endgame, judgement.win_loss()), (is_end, is_end.then_some(0.0)));
            assert!(is_end || judgement.better_by_equity == 0);
        }
    }
    assert!(solved > 5 * unsolved, "{solved} turns of endgames are solved, {unsolved} are not");
}

#[test]
fn a_player_that_looks_ahead_loses_nothing_by_its_own_judgement() {
    let setup = setup();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quick.toml");
    std::fs::write(&path, "ranker = \"greedy\"\n[simulation]\ncandidates = 3\niterations = 16\nprior = false\n").unwrap();
    let player = Player::from_name(&format!("sim:{}", path.display()), Loader::new(&setup)).unwrap();
    let (greedy, mut generator) = (StaticPlayer::new(Greedy), Generator::new(&setup));
    let mut record = GcgGame::new(&setup, ["ann", "bob"].map(GcgPlayer::named));
    let mut game = Game::deal(&setup, Domain::Match.deals(71), 2);
    // Its opponent makes the tenth of its moves.
    while game.bag.len() > 40 {
        let chosen = match game.to_move {
            0 => player.choose(&mut generator, &game),
            _ => greedy.rank(&mut generator, &game.turn(&setup))[9],
        };
        record.record(&game, &chosen.chosen);
        game.make(&setup, &chosen.chosen);
    }
    let annotator = Annotator { player: Some(&player), most: 2, ..annotator(&greedy) };
    let mut lost = [0.0; 2];
    for turn in annotate(&annotator, &record, &setup) {
        let judgement = turn.judgement.unwrap();
        assert_eq!(judgement.basis, Basis::Simulation);
        assert!((1..=3).contains(&judgement.moves.len()) && judgement.win_loss().is_some_and(|loss| loss >= 0.0));
        lost[turn.event % 2] += judgement.win_loss().unwrap();
    }
    assert!(lost[0] < lost[1], "{lost:?}");
}

/// The loss by the definition: the best equity of all moves less that of the move that was made.
#[test]
fn losses_are_those_of_a_plain_search_of_all_moves() {
    let (setup, player, greedy) = (setup(), player(), StaticPlayer::new(Greedy));
    let mut lost = 0.0;
    for number in 10..14 {
        let game = played(&setup, &greedy, number, false);
        let positions = positions(&game, &setup);
        for turn in annotate(&annotator(&player), &game, &setup) {
            let (event, judgement) = (&game.events[turn.event], turn.judgement.unwrap());
            let (before, after) = (&positions[turn.event], &positions[turn.event + 1]);
            if judgement.basis == Basis::Endgame {
                assert!(before.bag == 0 && judgement.loss() >= 0.0);
                // The final spread by the definition decides the game.
                let spread = f64::from(before.scores[event.player] - before.scores[1 - event.player]);
                for judged in &judgement.moves {
                    let end = spread + judged.points;
                    let win = if end == 0.0 { 0.5 } else { f64::from(u8::from(end > 0.0)) };
                    assert_eq!(judged.expected.unwrap()[1].mean.to_bits(), win.to_bits());
                }
                continue;
            }
            let board = &before.board;
            let unseen = crate::game::unseen(&setup.tileset, board, &event.rack).unwrap();
            let cross_sets = CrossSets::from_board(&setup, board);
            let spread = before.scores[event.player] - before.scores[1 - event.player];
            let (setup, rack, bag) = (&setup, event.rack, before.bag);
            let turn_seen = Turn { setup, board, cross_sets: &cross_sets, rack, unseen, bag, spread };
            let ranked = player.rank(&mut Generator::new(setup), &turn_seen);
            let chosen = after.chosen.unwrap();
            let made = ranked.iter().find(|valued| valued.chosen == chosen).unwrap().reported_equity();
            let best = ranked.iter().map(ValuedMove::reported_equity).max().unwrap();
            assert!((judgement.loss() - (best.points() - made.points())).abs() < 1e-9);
            assert_eq!(judgement.made().chosen, chosen);
            assert!(judgement.moves.len() <= 6 && judgement.made <= 5);
            lost += judgement.loss();
        }
    }
    assert!(lost > 50.0, "greedy play loses something: {lost}");
}

#[test]
fn simulated_turns_hold_the_move_that_was_made_at_any_thread_count() {
    let (setup, player, greedy) = (setup(), player(), StaticPlayer::new(Greedy));
    let settings = Settings { iterations: 40, confidence: 1.0, ..Settings::default() };
    let table = WinPercentage::for_setup(&setup).0;
    let simulator = Some((Simulator::new(&setup, &player, &table, &settings), 5));
    let game = GcgGame { racks: Default::default(), ..played(&setup, &greedy, 20, false) };
    let game = GcgGame { events: game.events[..6].to_vec(), ..game };
    let of = |threads| {
        let annotator = Annotator { player: None, simulator, most: 3, threads, ranker: &player };
        let turns = annotate(&annotator, &game, &setup);
        turns.into_iter().map(|turn| turn.judgement.unwrap()).collect::<Vec<_>>()
    };
    let judged = of(1);
    assert_eq!(judged, of(2));
    for (judgement, event) in judged.iter().zip(&game.events) {
        assert_eq!((judgement.basis, judgement.made().chosen.score()), (Basis::Simulation, event.score));
        let wins = judgement.moves.iter().map(|judged| judged.expected.unwrap()[1].mean);
        assert!(wins.is_sorted_by(|one, next| one + 1e-3 >= *next) && judgement.win_loss().unwrap() > -1e-3);
    }
}

#[test]
fn turns_that_cannot_be_judged_say_why() {
    let setup = setup();
    let read_game = |text: &str| read(text.as_bytes(), &setup.tileset).unwrap();
    let partly = read_game("#player1 ann\n#player2 bob\n>ann: AT 8G AT +4 4\n>bob:  -3 +0 0\n>ann: ERT - +0 4\n");
    let reasons: Vec<String> = annotate(&annotator(&player()), &partly, &setup)
        .into_iter()
        .map(|turn| turn.judgement.unwrap_err().to_string())
        .collect();
    assert_eq!(
        reasons,
        [
            "2 of 7 tiles of the rack are known",
            "the tiles of the exchange are not known",
            "3 of 7 tiles of the rack are known"
        ]
    );

    let phony = "#player1 ann\n#player2 bob\n>ann: AEINRTZ 8G ZE +22 22\n";
    let withdrawn = format!("{phony}>ann: AEINRTZ -- -22 0\n");
    for (text, reason) in [(phony, "not in the lexicon: ZE"), (&withdrawn, "withdrawn")] {
        let turns = annotate(&annotator(&player()), &read_game(text), &setup);
        assert_eq!(turns[0].judgement.as_ref().unwrap_err().to_string(), reason);
        assert_eq!(turns.len(), 1);
    }
}
