//! Compares rules that share playouts among candidates, on playouts that are all there.
//!
//! ```text
//! cargo run --release -p tilewright-tests --example allocation -- network 64
//! ```
//!
//! In positions of self-play of a static player it plays out the player's best moves on many deals. It prints how far the equities lie
//! from the simulated gains by stage of the game, which is what a [`Prior`] says. Then each rule sees the first of the deals, candidate
//! by candidate as it asks for them, and the others say what its choice was worth.

#![allow(clippy::print_stdout)]

mod rules;
mod sample;

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use tilewright_engine::artefact::Loader;
use tilewright_engine::evaluator::Prior;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;

use rules::{Limits, Rule};
use sample::Sample;

/// The stages of the game, by the most tiles in the bag.
const STAGES: [usize; 4] = [10, 30, 60, 1000];
/// The most playouts of a position, and the expected excess in points at which rules stop.
const LIMITS: [Limits; 6] = [
    Limits { playouts: 150, excess: 0.0 },
    Limits { playouts: 400, excess: 0.0 },
    Limits { playouts: 1000, excess: 0.0 },
    Limits { playouts: 1000, excess: 0.3 },
    Limits { playouts: 1000, excess: 0.1 },
    Limits { playouts: 1000, excess: 0.03 },
];
const RULES: [Rule; 6] = [
    Rule::Equal,
    Rule::Race { least_chance: 0.05 },
    Rule::Halving,
    Rule::Ocba,
    Rule::TopTwo,
    Rule::Challengers { count: 3 },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or("network".into());
    let games: u64 = arguments.next().map_or(Ok(64), |count| count.parse())?;
    let setup = Setup::embedded("english")?;
    let ranker = Player::from_name(&name, Loader::new(&setup))?;
    let policy = Player::from_name("leave", Loader::new(&setup))?;
    let samples: Vec<Sample> =
        (0..games).into_par_iter().flat_map_iter(|game| sample::of_game(&setup, [&ranker, &policy], game)).collect();
    println!("{} positions of {games} games of {name}", samples.len());
    let priors = priors(&samples);
    for prior in &priors {
        let Prior { bag, variance, noise } = prior;
        println!("up to {bag} in the bag: variance {variance:.1}, noise {noise:.0} points²");
    }
    println!(
        "\n{:>9}{:>7}  {:<34}{:>9}{:>14}{:>12}",
        "playouts", "excess", "rule", "playouts", "points gained", "lost win %"
    );
    for limits in &LIMITS {
        for rule in &RULES {
            report(rule, limits, &samples, &priors);
        }
    }
    let one_stage = of_stage(&samples, 0, usize::MAX);
    println!("with a prior that knows no stages");
    LIMITS[..3].iter().for_each(|limits| report(&RULES[5], limits, &samples, &[one_stage]));
    println!("without a prior");
    let none = Prior { variance: 1e6, ..one_stage };
    LIMITS[..3].iter().for_each(|limits| report(&RULES[0], limits, &samples, &[none]));
    Ok(())
}

/// How far the equities err, stage by stage.
fn priors(samples: &[Sample]) -> Vec<Prior> {
    let mut least = 1;
    let mut stage = |bag| {
        let prior = of_stage(samples, least, bag);
        least = bag.saturating_add(1);
        prior
    };
    STAGES.into_iter().map(&mut stage).collect()
}

fn of_stage(samples: &[Sample], least: usize, most: usize) -> Prior {
    let of_stage = samples.iter().filter(|sample| (least..=most).contains(&sample.bag) && sample.equities.len() > 1);
    let (mut count, mut variance, mut noise) = (0.0, 0.0, 0.0);
    for sample in of_stage {
        count += 1.0;
        variance += sample.variance();
        noise += sample.noise;
    }
    Prior { bag: most, variance: (variance / count).max(0.1), noise: noise / count }
}

fn report(rule: &Rule, limits: &Limits, samples: &[Sample], priors: &[Prior]) {
    let chosen: Vec<(usize, usize)> = samples
        .par_iter()
        .map(|sample| {
            let prior = Prior::of_stage(priors, sample.bag).expect("there are stages");
            rules::choose(rule, limits, sample, prior)
        })
        .collect();
    let count = samples.len() as f64;
    let [mut playouts, mut points, mut lost] = [0.0; 3];
    for (sample, (choice, spent)) in samples.iter().zip(chosen) {
        let best = sample.truth.iter().map(|truth| truth.win).fold(0.0, f64::max);
        playouts += spent as f64 / count;
        points += (sample.truth[choice].gain - sample.truth[0].gain) / count;
        lost += 100.0 * (best - sample.truth[choice].win) / count;
    }
    let Limits { playouts: most, excess } = limits;
    println!("{most:>9}{excess:>7.2}  {:<34}{playouts:>9.0}{points:>14.3}{lost:>12.3}", format!("{rule:?}"));
}
