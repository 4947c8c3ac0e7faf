//! What a network sees of the board, against a slow look at the board after the move.

use std::collections::BTreeSet;

use rand::RngExt;
use tilewright_engine::deals::Purpose;
use tilewright_engine::evaluator::network::{BoardLayer, Dense, NetworkSettings, NetworkWeights};
use tilewright_engine::evaluator::{Greedy, Network};
use tilewright_engine::features::board_patches::{PatchBoard, content_count, patch_size, square_contents};
use tilewright_engine::features::{ExtraInput, Inputs, VERSION};
use tilewright_engine::game::Game;
use tilewright_engine::layout::{Direction, Layout, Square};
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::rng::{Stream, stream};
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::Tile;
use tilewright_engine::turn::Turn;

use crate::movegen::fingerprint::setup;

/// The patches of a move, square by square on a copy of the board on which it was made.
fn slow_patches(turn: &Turn<'_>, chosen: &Move, radius: i32) -> Vec<Vec<u8>> {
    let Move::Play(play) = chosen else { return Vec::new() };
    let laid: Vec<(Square, Tile)> = play.placements(turn.board).collect();
    let mut board = turn.board.clone();
    for &(square, tile) in &laid {
        board.set(square, Some(tile));
    }
    let content = |row: i32, column: i32| {
        let inside = 0..board.side() as i32;
        if !inside.contains(&row) || !inside.contains(&column) {
            return 0;
        }
        let square = Square { row: row as u8, column: column as u8 };
        let premium = turn.setup.layout.premium(square);
        match (board.get(square), premium.letter, premium.word) {
            (Some(tile), ..) => 7 + tile.letter(),
            (None, 1, 1) => 1,
            (None, 2, 1) => 2,
            (None, 3, 1) => 3,
            (None, 4, 1) => 4,
            (None, 1, 2) => 5,
            (None, 1, 3) => 6,
            (None, 1, 4) => 7,
            other => panic!("{other:?}"),
        }
    };
    let patch = |&(Square { row, column }, _): &(Square, Tile)| {
        let (row, column) = (i32::from(row), i32::from(column));
        let offsets = (-radius..=radius).flat_map(|across| (-radius..=radius).map(move |along| (across, along)));
        let contents = offsets.map(|(across, along)| match play.direction {
            Direction::Across => content(row + across, column + along),
            Direction::Down => content(row + along, column + across),
        });
        contents.collect()
    };
    laid.iter().map(patch).collect()
}

/// Passes some moves of each turn of games to `see`; a random one of them is made.
fn each_turn(setup: &Setup, games: u64, mut see: impl FnMut(&Turn<'_>, &[Move], &mut Stream)) {
    let (player, mut generator) = (StaticPlayer::new(Greedy), Generator::new(setup));
    for index in 0..games {
        let mut draws = stream(7, "board networks", index);
        let mut game = Game::deal(setup, Purpose::SelfPlay.deals(7), index);
        while !game.is_over() {
            let turn = game.turn(setup);
            let ranked = player.rank(&mut generator, &turn);
            let mut moves: Vec<Move> = (0..12).map(|_| ranked[draws.random_range(0..ranked.len())].chosen).collect();
            // The last moves are exchanges and the pass.
            moves.extend(ranked.iter().rev().take(2).map(|valued| valued.chosen));
            see(&turn, &moves, &mut draws);
            game.make(setup, &ranked[draws.random_range(0..ranked.len().min(8))].chosen);
        }
    }
}

/// English on a board that rows and columns exchanged would change.
fn lopsided() -> Setup {
    let Setup { tileset, lexicon, .. } = Setup::embedded("english").expect("an embedded tile set");
    let text = tilewright_configs::text("boards", "standard");
    let changed = text.replacen("2L", "4L", 3).replacen("2W", "3L", 2).replacen("3W", "4W", 1);
    let layout = Layout::from_toml(&changed, "lopsided").expect("a layout");
    assert!(!layout.is_symmetric());
    Setup::new(tileset, layout, lexicon)
}

#[test]
fn patches_are_those_of_the_board_after_the_move() {
    let setups = [setup("english"), setup("spanish"), setup("polish"), setup("english_super"), lopsided()];
    let mut contents = BTreeSet::new();
    for (number, setup) in setups.iter().enumerate() {
        let [mut across, mut down, mut blanks, mut through, mut without, mut moves_seen] = [0; 6];
        each_turn(setup, 5, |turn, moves, draws| {
            let radius = draws.random_range(1..=7usize);
            let mut board = PatchBoard::new(&square_contents(&setup.layout, turn.board), radius);
            for chosen in moves {
                let mut found: Vec<Vec<u8>> = Vec::new();
                board.each_patch(chosen, |patch| found.push(patch.to_vec()));
                assert_eq!(found, slow_patches(turn, chosen, radius as i32), "{chosen:?}");
                moves_seen += 1;
                contents.extend(found.iter().flatten().copied());
                let Move::Play(play) = chosen else {
                    without += 1;
                    continue;
                };
                *(if play.direction == Direction::Across { &mut across } else { &mut down }) += 1;
                blanks += usize::from(play.tiles.iter().any(|tile| tile.is_blank()));
                let (lane, start) = play.start.lane(play.direction);
                let covered = &turn.board.lane(play.direction, lane)[start..][..play.tiles.len()];
                through += usize::from(covered.iter().any(Option::is_some));
            }
            // The board is as it was.
            let again = PatchBoard::new(&square_contents(&setup.layout, turn.board), radius);
            assert_eq!(format!("{board:?}").split("patch").next(), format!("{again:?}").split("patch").next());
        });
        assert!(moves_seen > 700 && across > 200 && down > 200, "{number}: {moves_seen} {across} {down}");
        assert!(blanks > 20 && through > 100 && without > 20, "{number}: {blanks} {through} {without}");
    }
    // Every kind of square that a layout can have, and all letters of Polish.
    assert!((0..content_count(32) as u8).all(|content| contents.contains(&content)), "{contents:?}");
}

/// A network of made-up weights on two inputs.
fn network(setup: &Setup, radius: usize, units: usize) -> NetworkWeights {
    let mut draws = stream(radius as u64, "weights", 0);
    let mut drawn = |count: usize, most: f32| -> Vec<f32> { (0..count).map(|_| draws.random_range(-most..most)).collect() };
    let rows = patch_size(radius) * content_count(setup.tileset.letters());
    let board = BoardLayer { radius, table: drawn(rows * units, 0.3), bias: drawn(units, 0.5) };
    let first = Dense { weights: drawn((2 + units) * 5, 1.0), bias: drawn(5, 0.5) };
    let last = Dense { weights: drawn(5, 3.0), bias: vec![0.5] };
    let settings = NetworkSettings {
        feature_version: VERSION,
        leaves: None,
        features: vec![serde_json::from_value("tiles_played".into()).expect("a feature")],
        extra_inputs: vec![ExtraInput::Score],
        board_radius: Some(radius),
        candidate_moves: 10,
        margin: 100.0,
        prior: Vec::new(),
    };
    let (mean, scale) = (vec![3.0, 15.0], vec![1.5, 10.0]);
    NetworkWeights { settings, skip: vec![0.7], mean, scale, board: Some(board), layers: vec![first, last], endgame: None }
}

/// The definition, in 64 bits.
fn slow_gain(weights: &NetworkWeights, turn: &Turn<'_>, chosen: &Move) -> f64 {
    let BoardLayer { radius, table, bias } = weights.board.as_ref().expect("a board layer");
    let (units, contents) = (bias.len(), content_count(turn.setup.tileset.letters()));
    let mut outputs = vec![0.0; units];
    for patch in slow_patches(turn, chosen, *radius as i32) {
        for (unit, output) in outputs.iter_mut().enumerate() {
            let weight = |(offset, &content): (usize, &u8)| table[(offset * contents + usize::from(content)) * units + unit];
            let sum: f64 = patch.iter().enumerate().map(weight).map(f64::from).sum();
            *output += (sum + f64::from(bias[unit])).max(0.0);
        }
    }
    let inputs = [chosen.tiles().len() as f64, f64::from(chosen.score())];
    let standardised = (0..2).map(|at| (inputs[at] - f64::from(weights.mean[at])) / f64::from(weights.scale[at]));
    let row: Vec<f64> = standardised.chain(outputs).collect();
    let [first, last] = &weights.layers[..] else { panic!("two layers") };
    let hidden = |to: usize| {
        let sum: f64 = row.iter().enumerate().map(|(from, value)| value * f64::from(first.weights[from * 5 + to])).sum();
        (sum + f64::from(first.bias[to])).max(0.0)
    };
    let added: f64 = (0..5).map(|unit| hidden(unit) * f64::from(last.weights[unit])).sum();
    f64::from(weights.skip[0]) * inputs[0] + added + inputs[1]
}

#[test]
fn equities_are_those_of_the_definition() {
    for (name, radius, units) in [("english", 3, 32), ("spanish", 2, 5), ("polish", 1, 19)] {
        let setup = setup(name);
        let weights = network(&setup, radius, units);
        let evaluator = Network::new(weights.clone(), &setup, None).unwrap();
        let (mut compared, mut widest) = (0, 0.0f64);
        each_turn(&setup, 3, |turn, moves, _| {
            let slow: Vec<f64> = moves.iter().map(|chosen| slow_gain(&weights, turn, chosen)).collect();
            let equities = evaluator.equities(turn, moves);
            // The level is arbitrary.
            let level = slow[0] - equities[0];
            for (slow, equity) in slow.iter().zip(&equities) {
                assert!((slow - equity - level).abs() < 2e-3, "{name}: {slow} {equity} {level}");
                compared += 1;
            }
            widest = widest.max((slow[0] - slow[slow.len() - 1]).abs());
        });
        assert!(compared > 500 && widest > 10.0, "{compared} {widest}");
    }
}

/// Inputs are prepared for a tile set, and a board layer has a weight for each of its letters.
#[test]
fn a_board_layer_for_other_letters_is_refused() {
    let (english, polish) = (setup("english"), setup("polish"));
    let weights = network(&english, 2, 3);
    let settings = &weights.settings;
    let inputs = Inputs::new(&settings.features, &settings.extra_inputs, &polish, None).unwrap();
    let both = NetworkWeights { endgame: Some(Box::new(weights.clone())), ..network(&polish, 2, 3) };
    for weights in [weights.clone(), both] {
        let error = Network::from_inputs(weights, inputs.clone().into()).unwrap_err().to_string();
        assert!(error.contains("board.table knows 34 contents of a square; expected 40"), "{error}");
    }
}
