//! How many playouts a turn takes, by stage of the game and by the expected excess at which a simulation ends.
//!
//! ```text
//! cargo run --release -p tilewright-tests --example effort -- network 40
//! ```
//!
//! The time manager of players needs these figures. The positions are those of self-play of a static player, which also ranks the
//! candidates; `leave` replies. A turn has at most 60 deals, divided by the excess; a third argument is another number.

#![allow(clippy::print_stdout)]

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::game::Game;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::setup::Setup;
use tilewright_engine::simulator::{Settings, Simulator, Situation};
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::win_percentage::WinPercentage;

/// The seed of the games.
const SEED: u64 = 6161;
const EXCESSES: [f64; 7] = [0.8, 0.4, 0.2, 0.1, 0.05, 0.025, 0.0125];
/// The stages of the game, by the most tiles in the bag.
const STAGES: [usize; 7] = [7, 14, 30, 45, 60, 75, 1000];

/// A turn: the tiles in the bag, and the playouts at each excess.
type Turn = (usize, [u64; EXCESSES.len()]);

/// What simulations go by.
struct Simulations<'a> {
    setup: &'a Setup,
    ranker: &'a StaticPlayer,
    policy: &'a StaticPlayer,
    table: WinPercentage,
    most_deals: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or("network".into());
    let games: u64 = arguments.next().map_or(Ok(40), |count| count.parse())?;
    let most_deals: f64 = arguments.next().map_or(Ok(60.0), |count| count.parse())?;
    let setup = Setup::embedded("english")?;
    let player = Player::from_name(&name, Loader::new(&setup))?;
    let policy = Player::from_name("leave", Loader::new(&setup))?;
    let (Some(ranker), Some(policy)) = (player.as_static(), policy.as_static()) else { return Err("not static".into()) };
    let table = WinPercentage::for_setup(&setup).0;
    let simulations = Simulations { setup: &setup, ranker, policy, table, most_deals };
    let turns: Vec<Turn> =
        (0..games).into_par_iter().flat_map_iter(|number| of_game(&simulations, &player, number)).collect();
    let mut least = 1;
    for most in STAGES {
        report(&format!("up to {most:>4} in the bag"), &turns, least..=most, games);
        least = most + 1;
    }
    report("playouts of a game", &turns, 1..=usize::MAX, games);
    Ok(())
}

/// Prints the turns of a stage per game and seat, and their playouts in all.
fn report(name: &str, turns: &[Turn], stage: std::ops::RangeInclusive<usize>, games: u64) {
    let turns: Vec<&Turn> = turns.iter().filter(|turn| stage.contains(&turn.0)).collect();
    let seats = 2.0 * games as f64;
    print!("{name:<22}{:>6.2} turns", turns.len() as f64 / seats);
    for number in 0..EXCESSES.len() {
        print!("{:>9.0}", turns.iter().map(|turn| turn.1[number] as f64).sum::<f64>() / seats);
    }
    println!();
}

/// The turns of a game that the player plays against itself.
fn of_game(simulations: &Simulations<'_>, player: &Player, number: u64) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut generator = Generator::new(simulations.setup);
    play_game(&mut Generator::new(simulations.setup), [player; 2], Domain::Match.deals(SEED), number, |seen| {
        if !seen.game.bag.is_empty() {
            let playouts = EXCESSES.map(|excess| simulations.playouts(&mut generator, seen.game, excess, number));
            turns.push((seen.game.bag.len(), playouts));
        }
    });
    turns
}

impl Simulations<'_> {
    /// The playouts of a turn.
    fn playouts(&self, generator: &mut Generator<'_>, game: &Game, least_excess: f64, seed: u64) -> u64 {
        let iterations = (self.most_deals / least_excess) as u64;
        let settings = Settings { iterations, least_excess, ..Settings::default() };
        let simulator = Simulator::new(self.setup, self.policy, &self.table, &settings);
        let simulator = simulator.with_prior(Some(self.ranker.prior(game.bag.len())));
        let candidates = simulator.candidates(self.ranker, generator, game);
        let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
        simulator.run(&situation, &candidates, 1, &NoMonitor, &mut |_| ()).playouts
    }
}
