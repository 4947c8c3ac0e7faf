//! Plays a match between two leave tables.
//!
//! ```text
//! cargo run --release -p tilewright-engine --example match_of_tables -- TABLE TABLE PAIRS
//! ```
//!
//! A table is an artefact folder of `leaves train`, a `.klv2` or a `.csv`.

#![allow(clippy::print_stdout)]

use std::error::Error;

use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::player::{Base, Player, PlayerSpec};
use tilewright_engine::series::Series;
use tilewright_engine::setup::Setup;

/// The seed of the deals. Tables are compared on deals that their training did not see.
const SEED: u64 = 2026;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |number: usize, default| match arguments.get(number) {
        Some(path) => Base::leave(Some(path.into())),
        None => default,
    };
    // Without arguments: the embedded table against no leaves.
    let specs = [argument(0, Base::leave(None)), argument(1, Base::NoLeaves)].map(PlayerSpec::from);
    let pairs: u64 = arguments.get(2).map_or(Ok(200), |text| text.parse())?;

    let setup = Setup::embedded("english")?;
    let loader = Loader::new(&setup);
    let [table, other] = &specs;
    let players = [Player::from_spec(table, loader)?, Player::from_spec(other, loader)?];
    let series = Series::new(&setup, players.each_ref(), Domain::Match.deals(SEED));

    // Each pair is one deal played twice with the seats swapped, on all threads.
    let tally = series.play(0..pairs, &NoMonitor);
    let summary = tally.summary().ok_or("no pairs")?;
    println!("{table} against {other}, {pairs} pairs");
    println!("win rate in percent, with a 95 % interval: {:.2}", summary.win_rate.times(100.0));
    println!("spread in points per game: {:.2}", summary.spread);
    Ok(())
}
