//! Learned = played: training sees the inputs that play sees, and its predictions are the equities of the player.

use std::sync::Arc;

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Network;
use tilewright_engine::evaluator::network::{MOST_IN_BAG, NetworkSettings, NetworkWeights};
use tilewright_engine::features::{Feature, Inputs, VERSION};
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::rng::stream;
use tilewright_engine::{Equity, Game, Generator, LeaveData, LeaveTable, Move, Player, Setup, TileSet, WinPercentage};

use super::config::NetworkConfig;
use super::inference::predictions;
use super::test_support::layers;
use crate::candidates::{CandidateSet, LabelledMove, TargetConfig, Targets};
use crate::journal::Journal;
use crate::linear::dataset::{Dataset, centre, prior};
use crate::run_config::RunConfig;
use crate::test_support::made_up_words;

/// Turns that are compared, by language.
const TURNS: [(&str, usize); 3] = [("english", 8400), ("spanish", 800), ("polish", 800)];
/// Moves of each turn.
const MOVES: usize = 2;

/// A language with the leave table of its features: the embedded one, or a made-up one without adjustments for few tiles in the bag.
fn language(name: &str) -> (Setup, LeaveData) {
    if name == "english" {
        let setup = Setup::embedded(name).unwrap();
        let leaves = LeaveData::embedded(Loader::new(&setup)).unwrap();
        return (setup, leaves);
    }
    let tileset = TileSet::embedded(name).unwrap();
    let words = made_up_words(&tileset);
    let mut table = LeaveTable::zero(&tileset);
    for number in 0..table.values().len() {
        table.set(number, Equity((number * 7919 % 20_011) as i32 - 10_000));
    }
    (Setup::from_words(tileset, &words).unwrap(), table.into())
}

/// A turn as a candidate set without labels, with the inputs that play computed.
struct Seen {
    set: CandidateSet,
    inputs: Vec<Vec<f32>>,
    equities: Vec<f64>,
}

/// The turns of a game between two players of a kind, up to the turn at which the bag is empty.
fn played(setup: &Setup, player: &Player, inputs: &Inputs, network: &Network, index: u64) -> Vec<Seen> {
    let (mut generator, mut seen) = (Generator::new(setup), Vec::new());
    let mut game = Game::deal(setup, Domain::SelfPlay.deals(11), index);
    let mut choices = stream(11, "parity", index);
    while !game.is_over() && !game.bag.is_empty() {
        let turn = game.turn(setup);
        let ranked = player.as_static().unwrap().choose_top(&mut generator, &turn, 15);
        let first = choices.random_range(0..ranked.len());
        let chosen: Vec<Move> =
            (0..MOVES.min(ranked.len())).map(|step| ranked[(first + 5 * step) % ranked.len()].chosen).collect();
        let moves = chosen.iter().map(|&chosen| LabelledMove::new(chosen, Equity::ZERO)).collect();
        // The last turns are also played out.
        let equities = if index < 30 && turn.bag > MOST_IN_BAG { network.equities(&turn, &chosen) } else { Vec::new() };
        seen.push(Seen { set: CandidateSet::new(index, &turn, moves), inputs: inputs.values(&turn, &chosen), equities });
        game.make(setup, &ranked[0].chosen);
    }
    seen
}

/// A network of made-up weights.
fn network(inputs: &Inputs, settings: NetworkSettings) -> NetworkWeights {
    let (count, made_up) = (inputs.count(), |at: usize| (at * 7919 % 101) as f32 / 50.0 - 1.0);
    let skip = settings.features.iter().enumerate();
    let skip = skip.map(|(at, &feature)| prior(feature) as f32 + 0.1 * made_up(at)).collect();
    let [mean, scale] = [5.0, 12.0].map(|middle| (0..count).map(|at| middle + made_up(at)).collect());
    let layers = layers(count, &[12, 5], 0).up_to(0);
    NetworkWeights { settings, skip, mean, scale, layers }
}

/// Every input, bit by bit, of what training computes from a stored set and play from the turn itself; and the equities.
#[test]
fn training_and_play_see_the_same_inputs_and_say_the_same() {
    for (name, turns) in TURNS {
        let (setup, leaves) = language(name);
        let NetworkConfig { features, extra_inputs, candidate_moves, margin, .. } = NetworkConfig::built_in("small");
        let needs_late = |feature: &Feature| feature.about().name == "late";
        let features: Vec<_> =
            features.into_iter().filter(|feature| leaves.late.is_some() || !needs_late(feature)).collect();
        let inputs = Arc::new(Inputs::new(&features, &extra_inputs, &setup, Some(leaves)).unwrap());
        let feature_version = VERSION;
        let settings = NetworkSettings {
            feature_version,
            leaves: None,
            features,
            extra_inputs,
            candidate_moves,
            margin,
            prior: Vec::new(),
        };
        let weights = network(&inputs, settings);
        let evaluator = Network::from_inputs(weights.clone(), Arc::clone(&inputs)).unwrap();
        let player = Player::from_name(if name == "english" { "leave" } else { "greedy" }, Loader::new(&setup)).unwrap();
        let games = (turns / 12) as u64;
        let seen = (0..games).into_par_iter().map(|index| played(&setup, &player, &inputs, &evaluator, index));
        let mut seen: Vec<Seen> = seen.collect::<Vec<_>>().into_iter().flatten().collect();
        assert!(seen.len() >= turns, "{name}: {} turns", seen.len());
        seen.truncate(turns);

        let sets: Vec<CandidateSet> = seen.iter().map(|seen| seen.set.clone()).collect();
        let sets = Journal::in_memory(&NoMonitor).write("sets", "", &sets).unwrap();
        let table = WinPercentage::for_setup(&setup).0;
        let targets = Targets { config: TargetConfig::default(), deals: 2, win_percentage: &table };
        let mut data = Dataset::new(weights.settings.features.clone(), inputs.count(), &[]);
        data.append(&sets.iter().collect::<Vec<_>>(), &inputs, &setup, targets);
        let lived: Vec<&Vec<f32>> = seen.iter().flat_map(|seen| &seen.inputs).collect();
        assert_eq!(data.rows(), lived.len());
        for (number, lived) in lived.into_iter().enumerate() {
            for (column, (trained, lived)) in data.row(number).iter().zip(lived).enumerate() {
                assert!(trained.to_bits() == lived.to_bits(), "{name}, row {number}, input {column}: {trained} {lived}");
            }
        }
        let bits = |row, column: usize| data.row(row)[column].to_bits();
        let moving = |column| (1..data.rows()).any(|row| bits(row, column) != bits(0, column));
        // Made-up words leave some features at one value.
        assert!(name != "english" || (0..inputs.count()).all(moving), "{name}: an input never changes");
        compare_equities(&setup, &inputs, &weights, &seen);
    }
}

/// The predictions of the trainer are the equities, but for the state value.
fn compare_equities(setup: &Setup, inputs: &Inputs, weights: &NetworkWeights, seen: &[Seen]) {
    let valued: Vec<&Seen> = seen.iter().filter(|seen| !seen.equities.is_empty()).collect();
    let table = WinPercentage::for_setup(setup).0;
    let targets = Targets { config: TargetConfig::default(), deals: 2, win_percentage: &table };
    let mut data = Dataset::new(weights.settings.features.clone(), inputs.count(), &[]);
    data.append(&valued.iter().map(|seen| &seen.set).collect::<Vec<_>>(), inputs, setup, targets);
    let skip = weights.settings.features.iter().zip(&weights.skip);
    let added: Vec<f64> = skip.map(|(&feature, &skip)| f64::from(skip) - prior(feature)).collect();
    let trained = data.priors.iter().zip(predictions(weights, &data, &added)).map(|(prior, added)| prior + added);
    let mut played = Vec::new();
    for seen in &valued {
        let mut equities = seen.equities.clone();
        centre(&mut equities);
        played.append(&mut equities);
    }
    assert!(played.len() == data.rows() && valued.len() > 300, "{}", valued.len());
    for (number, (trained, played)) in trained.zip(&played).enumerate() {
        assert!((trained - played).abs() < 1e-3, "candidate {number}: {trained} {played}");
    }
    assert!(played.iter().any(|equity| equity.abs() > 10.0));
}
