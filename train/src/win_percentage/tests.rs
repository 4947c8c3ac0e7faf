//! Tests of the network's guarantees, and of its fit to remaining spreads with known win probabilities.

use std::collections::BTreeMap;

use tilewright_engine::equity::Equity;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::win_percentage::load::logistic;
use tilewright_engine::win_percentage::{States, TilesLeft, WinPercentage};

use super::config::WinPercentageConfig;
use super::fit::fit;
use super::network::{Network, is_even};
use super::remaining_spreads::{Outcomes, RemainingSpreads, StateTally};
use crate::run_config::RunConfig;

const STATES: (usize, usize) = (3, 12);

/// Remaining spreads from a logistic curve for each state, so that the win probability of every lead is known. The remaining spreads do not
/// depend on the lead.
fn tally(turns: f64) -> RemainingSpreads {
    let states = States { rack_size: STATES.0, most_bag: STATES.1 };
    let mut tally = RemainingSpreads::new(states);
    tally.games = 1;
    for (left, state) in states.all().zip(&mut tally.states).filter(|(left, _)| !left.is_over()) {
        let share = |remaining: i32| {
            let below = |at: f64| logistic(at - ahead(left), width(left));
            (turns * (below(f64::from(remaining) + 0.5) - below(f64::from(remaining) - 0.5))) as u64
        };
        let remaining: BTreeMap<i32, u64> = (-200..=200).map(|remaining| (remaining, share(remaining))).collect();
        let held = Outcomes { turns: remaining.values().sum::<u64>() / 25, wins: 0, draws: 0 };
        let outcomes = (-60..=60).step_by(5).map(|lead| (lead, held)).collect();
        *state = StateTally { remaining, outcomes, products: 0 };
    }
    tally
}

fn ahead(left: TilesLeft) -> f64 {
    3.0 + left.own as f64
}

fn width(left: TilesLeft) -> f64 {
    2.0 * ((left.unseen() + 1) as f64).sqrt()
}

fn config(steps: usize) -> WinPercentageConfig {
    WinPercentageConfig {
        hidden: 8,
        pairs: 2,
        steps,
        learning_rate: 0.02,
        seed: 1,
        ..WinPercentageConfig::built_in("default")
    }
}

fn fitted(steps: usize) -> (Network, Vec<f64>) {
    fit(States { rack_size: STATES.0, most_bag: STATES.1 }, &tally(1e6), &config(steps), &NoMonitor).unwrap()
}

fn win_probability(table: &WinPercentage, left: TilesLeft, lead: i32) -> f64 {
    table.win_probability(left, Equity::from_points(lead))
}

#[test]
fn win_probabilities_rise_with_the_lead_for_any_weights() {
    for steps in [1, 30] {
        let table = fitted(steps).0.table(100);
        for left in table.states().all() {
            assert!(table.row(left).is_sorted(), "{left:?} after {steps} steps");
            assert!(table.row(left).iter().all(|probability| (0.0..=1.0).contains(probability)));
        }
    }
}

#[test]
fn even_positions_are_symmetric_about_the_value_of_the_turn() {
    let network = fitted(40).0;
    let curve = |left, lead: f64| network.win_probability(left, lead);
    for left in network.states().all().filter(|&left| is_even(network.states(), left)) {
        // At the centre the win probability is ½; a lead above it wins as often as one equally far below it loses.
        let (mut low, mut high) = (-200.0, 200.0);
        for _ in 0..80 {
            let middle = f64::midpoint(low, high);
            if curve(left, middle) < 0.5 { low = middle } else { high = middle }
        }
        for lead in [0.5, 3.0, 11.0, 40.0, 90.0] {
            let (above, below) = (curve(left, low + lead), curve(left, low - lead));
            assert!((above + below - 1.0).abs() < 1e-9, "{left:?}: {above} and {below}");
        }
    }
}

#[test]
fn the_fit_recovers_known_win_probabilities() {
    let (network, losses) = fitted(600);
    assert!(losses.last().unwrap() < &2e-4 && losses.last() < losses.first(), "{losses:?}");
    let table = network.table(100);
    for left in table.states().all().filter(|left| !left.is_over()) {
        for lead in (-60..=60).step_by(5) {
            let (known, found) = (logistic(f64::from(lead) + ahead(left), width(left)), win_probability(&table, left, lead));
            assert!((known - found).abs() < 0.02, "{left:?} {lead}: {known} {found}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_weights_at_any_thread_count() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fitted(20).0)
    };
    assert_eq!(on(1), on(3));
    let other = WinPercentageConfig { seed: 2, ..config(20) };
    let states = States { rack_size: STATES.0, most_bag: STATES.1 };
    assert_ne!(fit(states, &tally(1e6), &other, &NoMonitor).unwrap().0, on(1));
}

#[test]
fn the_trainer_and_plain_arithmetic_agree() {
    let (network, gap) = super::fit::parity(States { rack_size: STATES.0, most_bag: STATES.1 }, &tally(1e5), &config(25));
    assert!(gap < 1e-5, "{gap}");
    assert_eq!(
        network.layers[0].weights.len(),
        super::network::features(network.states(), TilesLeft { bag: 1, own: 3, other: 3 }).len()
    );
}

#[test]
fn a_network_is_read_back_to_the_last_bit() {
    let network = fitted(3).0;
    let back: Network = serde_json::from_str(&serde_json::to_string(&network).unwrap()).unwrap();
    assert_eq!(back, network);
}
