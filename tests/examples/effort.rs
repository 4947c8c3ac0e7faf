//! How many playouts a turn takes, by stage of the game and by the expected excess at which a simulation ends.
//!
//! ```text
//! cargo run --release -p tilewright-tests --example effort -- network 24
//! ```
//!
//! The time manager of players needs these figures. The positions are those of self-play of a static player, which also ranks the
//! candidates; `leave` replies. A third argument is the most deals of a turn, times the excess.

#![allow(clippy::print_stdout)]

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Purpose;
use tilewright_engine::game::Game;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{Settings, Simulator, Situation};
use tilewright_engine::win_percentage::WinPercentage;

const EXCESSES: [f64; 7] = [0.8, 0.4, 0.2, 0.1, 0.05, 0.025, 0.0125];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or("network".into());
    let games: u64 = arguments.next().map_or(Ok(20), |count| count.parse())?;
    let most_deals: f64 = arguments.next().map_or(Ok(60.0), |count| count.parse())?;
    let setup = Setup::embedded("english")?;
    let ranker = Player::from_name(&name, Loader::new(&setup))?;
    let policy = Player::from_name("leave", Loader::new(&setup))?;
    let (Some(ranker), Some(policy)) = (ranker.as_static(), policy.as_static()) else { return Err("not static".into()) };
    let table = WinPercentage::for_setup(&setup).0;
    let turns: Vec<(usize, Vec<u64>)> = (0..games)
        .into_par_iter()
        .flat_map_iter(|number| {
            let mut generator = Generator::new(&setup);
            let mut game = Game::deal(&setup, Purpose::Match.deals(6161), number);
            let mut turns = Vec::new();
            while !game.is_over() && !game.bag.is_empty() {
                let mut playouts = Vec::new();
                for least_excess in EXCESSES {
                    let iterations = (most_deals / least_excess) as u64;
                    let settings = Settings { least_excess, iterations, ..Settings::default() };
                    let simulator = Simulator::new(&setup, policy, &table, &settings);
                    let simulator = simulator.with_prior(Some(ranker.prior(game.bag.len())));
                    let candidates = simulator.candidates(ranker, &mut generator, &game);
                    let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed: number };
                    let done = simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ());
                    playouts.push(done.standings.iter().map(|standing| standing.iterations).sum());
                }
                turns.push((game.bag.len(), playouts));
                let chosen = ranker.choose(&mut generator, &game.turn(&setup)).chosen;
                game.make(&setup, &chosen);
            }
            turns
        })
        .collect();
    let mut least = 1;
    for bag in [7, 14, 30, 45, 60, 75, 1000] {
        let here: Vec<_> = turns.iter().filter(|turn| (least..=bag).contains(&turn.0)).collect();
        least = bag + 1;
        print!("up to {bag:>4}: {:>5.2} turns a game", here.len() as f64 / games as f64 / 2.0);
        for number in 0..EXCESSES.len() {
            let mean = here.iter().map(|turn| turn.1[number] as f64).sum::<f64>() / here.len() as f64;
            print!("{mean:>9.0}");
        }
        println!();
    }
    print!("{:<27}", "playouts a game");
    for number in 0..EXCESSES.len() {
        print!("{:>9.0}", turns.iter().map(|turn| turn.1[number] as f64).sum::<f64>() / games as f64 / 2.0);
    }
    println!();
    Ok(())
}
