//! The network of positions against what it promises, and its fit against games whose ends follow from what was seen.

use rand::RngExt;
use tilewright_engine::monitor::Unwatched;
use tilewright_engine::rng::stream;
use tilewright_engine::tileset::TileSet;
use tilewright_engine::win_percentage::{States, TilesLeft};

use super::compare::{Forecast, compare};
use super::fit::{Steps, fit};
use super::inputs::{Input, Seen, Sight};
use super::network::PositionNetwork;
use super::records::{GameRecord, Noted, tally};
use crate::win_percentage::fit::{Training, fit as fit_plain};
use crate::win_percentage::network::{Layer, Network, Shape, is_even};
use crate::win_percentage::swings::Turn;

const STATES: (usize, usize) = (7, 86);

fn sight() -> Sight {
    let inputs = vec![Input::Blanks, Input::Hooks, Input::Rare, Input::Openness];
    Sight { inputs, kinds: [0, 19, 17], totals: [2, 4, 1], most_places: 270 }
}

fn seen(draws: &mut impl rand::Rng) -> Seen {
    let unseen = [2, 4, 1].map(|total| draws.random_range(0..=total));
    Seen { unseen, openness: draws.random_range(0..=270_000) }
}

/// A network of any weights, large ones among them.
fn random_network(index: u64) -> PositionNetwork {
    let states = States::new(STATES.0, STATES.1);
    let (sight, mut draws) = (sight(), stream(1, "test", index));
    let start = TilesLeft { bag: 86, own: 7, other: 7 };
    let (inputs, hidden, pairs) = (sight.told(states, start, &Seen::default()).len(), 9, 3);
    let mut layer = |from: usize, to: usize| {
        let mut row = || (0..to).map(|_| draws.random_range(-1.5..1.5_f32)).collect::<Vec<f32>>();
        Layer { weights: (0..from).map(|_| row()).collect(), bias: row() }
    };
    let layers = [layer(inputs, hidden), layer(hidden, hidden), layer(hidden, 1 + 6 * pairs)];
    let network = Network { rack_size: STATES.0, most_bag: STATES.1, pairs, variance_of_tile: 80.0, layers };
    PositionNetwork { sight, network }
}

#[test]
fn chances_rise_with_the_lead_whatever_the_weights_and_whatever_is_seen() {
    for index in 0..20 {
        let network = random_network(index);
        assert!(network.is_sound(States::new(STATES.0, STATES.1)));
        let mut draws = stream(1, "seen", index);
        for left in network.network.states().all() {
            let seen = seen(&mut draws);
            let chances: Vec<f64> = (-40..=40).map(|lead| network.chance(left, &seen, f64::from(5 * lead))).collect();
            assert!(chances.is_sorted(), "{left:?} {seen:?}: {chances:?}");
            assert!(chances.iter().all(|chance| (0.0..=1.0 + 1e-12).contains(chance)));
        }
    }
}

#[test]
fn curves_are_symmetric_about_their_centres_while_the_bag_refills_both_racks() {
    for index in 0..10 {
        let network = random_network(index);
        let mut draws = stream(2, "seen", index);
        let states = network.network.states();
        for left in states.all().filter(|&left| is_even(states, left)) {
            let seen = seen(&mut draws);
            let chance = |lead| network.chance(left, &seen, lead);
            let (mut low, mut high) = (-2000.0, 2000.0);
            for _ in 0..90 {
                let middle = f64::midpoint(low, high);
                if chance(middle) < 0.5 { low = middle } else { high = middle }
            }
            for lead in [0.5, 7.0, 40.0, 150.0] {
                let (above, below) = (chance(low + lead), chance(low - lead));
                assert!((above + below - 1.0).abs() < 1e-9, "{left:?}: {above} and {below}");
            }
        }
    }
}

/// Games of one turn each at half a bag, whose rest is 20 points better for each unseen blank and wider on an open board.
fn games(count: usize, purpose: &str) -> Vec<GameRecord> {
    let states = States::new(STATES.0, STATES.1);
    let state = states.number(TilesLeft { bag: 40, own: 7, other: 7 }) as u16;
    let mut draws = stream(3, purpose, 0);
    let mut game = || {
        let seen = seen(&mut draws);
        let width = 20.0 + 40.0 * f64::from(seen.openness) / 270_000.0;
        let place: f64 = draws.random_range(0.001..0.999);
        let swing = 20.0 * (f64::from(seen.unseen[0]) - 1.0) + width * (place / (1.0 - place)).ln();
        vec![Turn { noted: Noted { state, seen }, spread: draws.random_range(-60..=60), swing: swing.round() as i32 }]
    };
    (0..count).map(|_| game()).collect()
}

fn trained(steps: usize, seed: u64) -> (Network, PositionNetwork) {
    let (states, records) = (States::new(STATES.0, STATES.1), games(20_000, "training"));
    let tally = tally(states, &records);
    let training = Training { shape: Shape { hidden: 8, pairs: 2 }, steps: 150, learning_rate: 0.02, seed: 1 };
    let (plain, _) = fit_plain(states, &tally, &training, &Unwatched).unwrap();
    let steps = Steps { steps, turns: 256, leads: 8, learning_rate: 0.01, seed };
    let (network, losses) = fit(&plain, &sight(), &records, &tally, &steps, &Unwatched).unwrap();
    assert_eq!(losses.len(), steps.steps.div_ceil(100));
    assert!(losses.iter().all(|loss| (0.1..0.7).contains(loss)), "{losses:?}");
    (plain, network)
}

#[test]
fn the_fit_finds_what_the_inputs_say() {
    let (plain, network) = trained(800, 1);
    let left = TilesLeft { bag: 40, own: 7, other: 7 };
    for (blanks, open, lead) in [(0, 0, 0), (2, 0, 0), (0, 270_000, 30), (2, 270_000, -30), (1, 135_000, 40)] {
        let width = 20.0 + 40.0 * f64::from(open) / 270_000.0;
        let ahead = f64::from(lead) + 20.0 * (f64::from(blanks) - 1.0);
        let known = 1.0 / (1.0 + (-ahead / width).exp());
        let found = network.chance(left, &Seen { unseen: [blanks, 2, 0], openness: open }, f64::from(lead));
        assert!((known - found).abs() < 0.05, "{blanks} {open} {lead}: {known} {found}");
    }
    let english = TileSet::embedded("english").unwrap();
    let forecasts = [
        ("position".to_string(), Forecast::Network(Box::new(network))),
        ("plain".to_string(), Forecast::Table(Box::new(plain.table(500)))),
    ];
    let comparison = compare(&forecasts, &english, &games(5_000, "held out"));
    let against = comparison.strata[0].scores[1].first_minus_this;
    assert!(against.log_loss < -5.0 * against.log_loss_error && against.brier < -5.0 * against.brier_error, "{against:?}");
    assert_eq!(comparison.strata[0].scores[0].score.turns, 5_000);
}

#[test]
fn the_trainer_begins_as_the_plain_network_and_agrees_with_plain_arithmetic() {
    let states = States::new(STATES.0, STATES.1);
    let records = games(2_000, "training");
    let tally = tally(states, &records);
    let training = Training { shape: Shape { hidden: 8, pairs: 2 }, steps: 20, learning_rate: 0.02, seed: 1 };
    let (plain, _) = fit_plain(states, &tally, &training, &Unwatched).unwrap();
    let gap = super::fit::parity(&plain, &sight(), &records, &tally);
    assert!(gap < 1e-5, "{gap}");
}

#[test]
fn the_same_seed_gives_the_same_weights_at_any_thread_count() {
    let on = |threads: usize, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(20, seed).1)
    };
    assert_eq!(on(1, 1), on(3, 1));
    assert_ne!(on(1, 2), on(1, 1));
    let network = on(1, 1);
    let back: PositionNetwork = serde_json::from_str(&serde_json::to_string(&network).unwrap()).unwrap();
    assert_eq!(back, network);
}
