//! Compares rules that share playouts among candidates, on playouts that are all kept.
//!
//! ```text
//! cargo run --release -p tilewright-tests --example allocation -- network 400
//! ```
//!
//! It simulates the candidates of a ranker in positions of self-play on many deals. A rule sees the playouts of the first half that it
//! asks for; those of the second half say what its choice was worth.

#![allow(clippy::print_stdout)]

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Purpose;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::{Stream, stream};
use tilewright_engine::setup::Setup;
use tilewright_engine::equity::Equity;
use tilewright_engine::simulator::posterior::Posterior;
use tilewright_engine::simulator::{PlayoutResult, Prior, Settings, Simulator, Situation, Utility};
use tilewright_engine::win_percentage::WinPercentage;

struct Position { bag: usize, equities: Vec<Equity>, deals: Vec<Vec<PlayoutResult>>, truth: Vec<[f64; 2]>, noise: f64 }

const DEALS: u64 = 1200;
const SEEN: usize = 500;

fn sample(setup: &Setup, ranker: &Player, policy: &Player, table: &WinPercentage, number: u64) -> Vec<Position> {
    let settings = Settings { candidates: 15, iterations: DEALS, confidence: 1.0, ..Settings::default() };
    let (ranker, policy) = (ranker.as_static().unwrap(), policy.as_static().unwrap());
    let simulator = Simulator::new(setup, policy, table, &settings);
    let mut sampler = simulator.sampler();
    let mut generator = Generator::new(setup);
    let mut game = Game::deal(setup, Purpose::Match.deals(4242), number);
    let mut turn = 0;
    let mut positions = vec![];
    while !game.is_over() {
        if !game.bag.is_empty() && turn % 3 == number as usize % 3 {
            let candidates = simulator.candidates(ranker, &mut generator, &game);
            let best = candidates[0].valued.reported_equity();
            let candidates: Vec<_> = candidates.into_iter().filter(|c| (best - c.valued.reported_equity()).points() < 30.0).collect();
            let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed: number * 100 + turn as u64 };
            let deals = sampler.results(&situation, &candidates, DEALS);
            let equities: Vec<_> = candidates.iter().map(|c| c.valued.reported_equity()).collect();
            let rest = &deals[SEEN..];
            let truth: Vec<[f64; 2]> = (0..candidates.len()).map(|i| {
                let n = rest.len() as f64;
                [rest.iter().map(|d| d[i].gain.points()).sum::<f64>() / n, rest.iter().map(|d| d[i].win_probability as f64 / 1e9).sum::<f64>() / n]
            }).collect();
            let k = candidates.len() as f64;
            let mut squares = 0.0;
            let centre = truth.iter().map(|t| t[0]).sum::<f64>() / k;
            for d in rest { let luck = d.iter().map(|r| r.gain.points()).sum::<f64>() / k; for (r, t) in d.iter().zip(&truth) { squares += (r.gain.points() - luck - t[0] + centre).powi(2); } }
            let noise = squares / (k - 1.0).max(1.0) / rest.len() as f64;
            positions.push(Position { bag: game.bag.len(), equities, truth, noise, deals: deals.into_iter().take(SEEN).collect() });
        }
        let chosen = ranker.choose(&mut generator, &game.turn(setup)).chosen;
        game.make(setup, &chosen);
        turn += 1;
    }
    positions
}

#[derive(Clone, Copy, Debug)]
enum Rule { Equal, Drop(f64), Excess(f64), Halving, TopTwo, Ocba, Race }

/// Returns the choice and the playouts.
fn decide(rule: Rule, position: &Position, prior: Prior, utility: Utility, budget: usize, stop: f64, first: usize, stream: &mut Stream) -> (usize, usize) {
    let k = position.equities.len();
    let mut posterior = Posterior::new(prior, utility, position.equities.iter().copied());
    let (mut spent, mut deal) = (0, 0);
    let mut counts = vec![0usize; k];
    let all: Vec<usize> = (0..k).collect();
    let mut running = all.clone();
    let rounds = (k as f64).log2().ceil().max(1.0) as usize;
    loop {
        let leader = posterior.leader().unwrap();
        let loss: f64 = all.iter().filter(|&&i| i != leader).map(|&i| posterior.expected_excess(i, leader)).fold(0.0, f64::max);
        if k == 1 || spent >= budget || loss < stop { return (leader, spent); }
        let mut length = first.max(deal / 4);
        match rule {
            Rule::Equal => (),
            Rule::Race => (),
            Rule::Drop(least) => { running = all.iter().copied().filter(|&i| i == leader || posterior.chance(i, leader) > least).collect(); }
            Rule::Excess(least) => { running = all.iter().copied().filter(|&i| i == leader || posterior.expected_excess(i, leader) > least).collect(); }
            Rule::Halving => {
                if spent > 0 {
                    running.sort_by(|&a, &b| posterior.estimates()[b].mean.total_cmp(&posterior.estimates()[a].mean));
                    running.truncate(running.len().div_ceil(2).max(2));
                    running.sort_unstable();
                }
                length = (budget / rounds / running.len()).max(1);
            }
            Rule::TopTwo => {
                length = 4;
                let mut chosen = vec![leader];
                let draw = |stream: &mut Stream| { let mut best = (f64::MIN, 0); for (i, e) in posterior.estimates().iter().enumerate() { let z: f64 = (0..12).map(|_| stream.random::<f64>()).sum::<f64>() - 6.0; let v = e.mean + z * e.variance.sqrt(); if v > best.0 { best = (v, i); } } best.1 };
                for _ in 0..30 { let i = draw(stream); if !chosen.contains(&i) { chosen.push(i); } if chosen.len() >= 4 { break; } }
                chosen.sort_unstable();
                running = chosen;
            }
            Rule::Ocba => {
                length = 4;
                let e = posterior.estimates();
                let mut weight: Vec<f64> = all.iter().map(|&i| if i == leader { 0.0 } else { 1.0 / ((e[leader].mean - e[i].mean) / posterior.slope()).powi(2).max(0.25) }).collect();
                weight[leader] = weight.iter().map(|w| w * w).sum::<f64>().sqrt();
                let sum: f64 = weight.iter().sum();
                // Largest deficit against the ideal counts after the next 4·4 playouts.
                let total: usize = counts.iter().sum::<usize>() + 16;
                let mut order = all.clone();
                order.sort_by(|&a, &b| { let d = |i: usize| weight[i] / sum * total as f64 - counts[i] as f64; d(b).total_cmp(&d(a)) });
                order.truncate(4.min(k));
                order.sort_unstable();
                running = order;
            }
        }
        if running.len() == 1 { return (leader, spent); }
        length = length.min(((budget - spent) / running.len()).max(1)).min(SEEN - deal);
        if length == 0 { return (leader, spent); }
        let results: Vec<Vec<PlayoutResult>> = position.deals[deal..deal + length].iter().map(|d| running.iter().map(|&i| d[i]).collect()).collect();
        posterior.add(&running, &results);
        running.iter().for_each(|&i| counts[i] += length);
        spent += length * running.len();
        deal += length;
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap();
    let games: u64 = arguments.next().unwrap().parse().unwrap();
    let setup = Setup::embedded("english").unwrap();
    let [ranker, policy] = [name.as_str(), "leave"].map(|name| Player::from_name(name, Loader::new(&setup)).unwrap());
    let table = WinPercentage::for_setup(&setup).0;
    let positions: Vec<Position> = (0..games).into_par_iter().flat_map_iter(|number| sample(&setup, &ranker, &policy, &table, number)).collect();
    println!("{} positions", positions.len());
    // The variances by stage.
    for (low, high) in [(61, 93), (31, 60), (11, 30), (1, 10), (0, 93)] {
        let (mut sum, mut noise, mut count) = (0.0, 0.0, 0.0);
        for p in positions.iter().filter(|p| (low..=high).contains(&p.bag) && p.equities.len() > 1) {
            let k = p.equities.len() as f64;
            let d: Vec<f64> = p.equities.iter().zip(&p.truth).map(|(e, t)| t[0] - e.points()).collect();
            let m = d.iter().sum::<f64>() / k;
            sum += d.iter().map(|x| (x - m).powi(2)).sum::<f64>() / (k - 1.0) - p.noise / (DEALS - SEEN as u64) as f64;
            noise += p.noise; count += 1.0;
        }
        println!("bag {low}-{high}: {count} positions, variance {:.1}, noise {:.1}", sum / count, noise / count);
    }
    for (label, variance) in [("v5", 5.0), ("v10", 9.5), ("v20", 20.0), ("raw", 1e6)] {
        let prior = Prior { variance, noise: 272.0 };
        for budget in [150, 400, 1000, 3000] {
            for rule in [Rule::Equal, Rule::Drop(0.02), Rule::Drop(0.05), Rule::Drop(0.1), Rule::Drop(0.2), Rule::Excess(0.1), Rule::Excess(0.3), Rule::Halving, Rule::TopTwo, Rule::Ocba] {
                if label != "v10" && !matches!(rule, Rule::Equal | Rule::Drop(0.1) | Rule::Excess(0.1)) { continue; }
                report(&format!("{label} {budget:5} {rule:?}"), &positions, |p, s| decide(rule, p, prior, Utility::Win, budget, 0.0, 8, s));
            }
        }
    }
    let prior = Prior { variance: 9.5, noise: 272.0 };
    for stop in [1.0, 0.6, 0.4, 0.25, 0.15, 0.1, 0.05] {
        for rule in [Rule::Drop(0.05), Rule::Drop(0.1), Rule::Drop(0.2), Rule::Excess(0.1), Rule::TopTwo] {
            report(&format!("stop {stop} {rule:?}"), &positions, |p, s| decide(rule, p, prior, Utility::Win, 4000, stop, 8, s));
        }
    }
}

fn report(label: &str, positions: &[Position], decide: impl Fn(&Position, &mut Stream) -> (usize, usize)) {
    let mut stream = stream(3, "allocation", 0);
    let (mut gain, mut win, mut spent, mut regret) = (0.0, 0.0, 0, 0.0);
    for p in positions {
        let (choice, playouts) = decide(p, &mut stream);
        gain += p.truth[choice][0] - p.truth[0][0];
        win += p.truth[choice][1] - p.truth[0][1];
        regret += p.truth.iter().map(|t| t[1]).fold(0.0, f64::max) - p.truth[choice][1];
        spent += playouts;
    }
    let n = positions.len() as f64;
    println!("{label:32} playouts {:7.1}  points {:6.3}  win {:.4} %  short of the best {:.4} %", spent as f64 / n, gain / n, 100.0 * win / n, 100.0 * regret / n);
}
