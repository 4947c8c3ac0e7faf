//! Compares the lengths of playouts by what playouts to the end of the game say of their choices.
//!
//! ```text
//! cargo run --release -p tilewright-tests --example horizons -- 60 600 1500 100
//! ```
//!
//! The arguments are games, deals that a rule sees, deals to the end of the game, and the most tiles in the bag. In positions of
//! self-play of `network`, the best moves are played out by each rule; its choice is that of the highest posterior mean. Other deals,
//! which go on to the end of the game, say by how much the choice is better than the network's, by stage of the game.

#![allow(clippy::print_stdout)]

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::posterior::Posterior;
use tilewright_engine::simulator::{Candidate, PlayoutResult, Settings, Simulator, Situation, Utility};
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::win_percentage::WinPercentage;

/// The seed of the games.
const SEED: u64 = 5151;
/// The most candidates, and how many points of equity they may be behind.
const CANDIDATES: usize = 6;
const WINDOW: f64 = 12.0;
/// One turn in N of a game is looked at.
const TURNS: usize = 3;
/// The stages of the game, by the most tiles in the bag.
const STAGES: [usize; 5] = [7, 14, 30, 60, 1000];
/// What a point is taken to add to the win probability before playouts say it, in billionths.
const SLOPE: f64 = 7e6;

/// A way to value the end of a playout.
struct Rule {
    name: &'static str,
    plies: usize,
    end_bag: usize,
    horizon: Option<&'static str>,
}

const RULES: [Rule; 7] = [
    Rule { name: "2 plies", plies: 2, end_bag: 0, horizon: None },
    Rule { name: "2 plies, leave+pool+late", plies: 2, end_bag: 0, horizon: Some("leave+pool+late") },
    Rule { name: "2 plies, to the end from 7", plies: 2, end_bag: 7, horizon: None },
    Rule { name: "3 plies", plies: 3, end_bag: 0, horizon: None },
    Rule { name: "4 plies", plies: 4, end_bag: 0, horizon: None },
    Rule { name: "6 plies", plies: 6, end_bag: 0, horizon: None },
    Rule { name: "to the end", plies: 200, end_bag: 0, horizon: None },
];

/// A position: what each rule's choice is worth beyond the ranker's, in percent of a win, and how far its means err.
struct Sample {
    bag: usize,
    gained: Vec<f64>,
    squared_errors: Vec<f64>,
}

struct Players {
    network: Player,
    ranker: StaticPlayer,
    policy: StaticPlayer,
    horizons: Vec<Option<StaticPlayer>>,
    table: WinPercentage,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let mut argument = |default| arguments.next().unwrap_or(Ok(default));
    let (games, seen, hidden, most_bag) = (argument(60)?, argument(600)?, argument(1500)?, argument(100)? as usize);
    let setup = Setup::embedded("english")?;
    let network = Player::from_name("network", Loader::new(&setup))?;
    let named = |name: &str| -> Result<StaticPlayer, Box<dyn std::error::Error>> {
        let player = Player::from_name(name, Loader::new(&setup))?;
        player.as_static().cloned().ok_or_else(|| format!("{name} is not static").into())
    };
    let horizons = RULES.iter().map(|rule| rule.horizon.map(&named).transpose()).collect::<Result<_, _>>()?;
    let (ranker, policy) = (named("network")?, named("leave")?);
    let players = Players { network, ranker, policy, horizons, table: WinPercentage::for_setup(&setup).0 };
    let samples: Vec<Sample> =
        (0..games).into_par_iter().flat_map_iter(|game| of_game(&setup, &players, game, [seen, hidden], most_bag)).collect();
    println!("{} positions of {games} games; {seen} deals against {hidden} to the end of the game", samples.len());
    let mut least = 0;
    for most in STAGES {
        report(&format!("{least} to {most} tiles in the bag"), &samples, least..=most);
        least = most + 1;
    }
    report("all", &samples, 0..=usize::MAX);
    Ok(())
}

fn report(name: &str, samples: &[Sample], stage: std::ops::RangeInclusive<usize>) {
    let samples: Vec<&Sample> = samples.iter().filter(|sample| stage.contains(&sample.bag)).collect();
    if samples.is_empty() {
        return;
    }
    let count = samples.len() as f64;
    println!("\n{name}: {} positions", samples.len());
    println!("{:<30}{:>12}{:>18}{:>18}", "rule", "gained %", "over 2 plies", "error of means %");
    for (number, rule) in RULES.iter().enumerate() {
        let mean = |of: &dyn Fn(&Sample) -> f64| samples.iter().map(|sample| of(sample)).sum::<f64>() / count;
        let over = |sample: &Sample| sample.gained[number] - sample.gained[0];
        let (gained, ahead) = (mean(&|sample| sample.gained[number]), mean(&over));
        let spread = (mean(&|sample| (over(sample) - ahead).powi(2)) / count).sqrt();
        let error = mean(&|sample| sample.squared_errors[number]).max(0.0).sqrt();
        println!("{:<30}{gained:>12.3}{:>18}{error:>18.3}", rule.name, format!("{ahead:+.3} ± {spread:.3}"));
    }
}

/// Positions of a game that the ranker plays against itself.
fn of_game(setup: &Setup, players: &Players, number: u64, deals: [u64; 2], most_bag: usize) -> Vec<Sample> {
    let defaults = Settings { candidates: CANDIDATES, ..Settings::default() };
    let ranker = &players.ranker;
    let simulator = Simulator::new(setup, &players.policy, &players.table, &defaults);
    let mut generator = Generator::new(setup);
    let mut samples = Vec::new();
    play_game(&mut Generator::new(setup), [&players.network; 2], Domain::Match.deals(SEED), number, |seen| {
        let (game, turn) = (seen.game, seen.number);
        if !(1..=most_bag).contains(&game.bag.len()) || turn % TURNS != number as usize % TURNS {
            return;
        }
        let mut candidates = simulator.candidates(ranker, &mut generator, game);
        let equity = |candidate: &Candidate| candidate.valued.reported_equity().points();
        let least = candidates.first().map_or(0.0, &equity) - WINDOW;
        candidates.retain(|candidate| equity(candidate) >= least);
        if candidates.len() > 1 {
            let seed = number * 1000 + turn as u64;
            let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
            samples.push(sample(setup, players, &situation, &candidates, deals));
        }
    });
    samples
}

fn sample(setup: &Setup, players: &Players, situation: &Situation, candidates: &[Candidate], deals: [u64; 2]) -> Sample {
    let play = |rule: &Rule, horizon: Option<&StaticPlayer>, seed: u64, deals: u64| {
        let settings = Settings { plies: rule.plies, end_bag: rule.end_bag, ..Settings::default() };
        let simulator = Simulator::new(setup, &players.policy, &players.table, &settings).with_horizon(horizon);
        let situation = Situation { game: situation.game.clone(), known: situation.known, last: None, seed };
        simulator.results(&situation, candidates, deals)
    };
    let bag = situation.game.bag.len();
    let truth = wins(&play(&RULES[RULES.len() - 1], None, situation.seed + 500, deals[1]));
    let prior = players.ranker.prior(bag);
    let equities = || candidates.iter().map(|candidate| candidate.valued.reported_equity());
    let all: Vec<usize> = (0..candidates.len()).collect();
    let (mut gained, mut squared_errors) = (Vec::new(), Vec::new());
    for (rule, horizon) in RULES.iter().zip(&players.horizons) {
        let results = play(rule, horizon.as_ref(), situation.seed, deals[0]);
        let mut posterior = Posterior::new(prior, Utility::Win, SLOPE, equities());
        posterior.add(&all, &results);
        let leader = posterior.leader().unwrap_or(0);
        gained.push(truth[leader] - truth[0]);
        squared_errors.push(variance_of_difference(&wins(&results), &truth));
    }
    Sample { bag, gained, squared_errors }
}

/// The mean win probability of each candidate, in percent.
fn wins(results: &[Vec<PlayoutResult>]) -> Vec<f64> {
    let mean =
        |number: usize| results.iter().map(|deal| deal[number].win_probability as f64).sum::<f64>() / results.len() as f64;
    (0..results[0].len()).map(|number| mean(number) / 1e7).collect()
}

/// The variance between candidates of what the means differ by.
fn variance_of_difference(means: &[f64], truth: &[f64]) -> f64 {
    let differences: Vec<f64> = means.iter().zip(truth).map(|(mean, truth)| mean - truth).collect();
    let centre = differences.iter().sum::<f64>() / differences.len() as f64;
    differences.iter().map(|difference| (difference - centre).powi(2)).sum::<f64>() / (differences.len() as f64 - 1.0)
}
