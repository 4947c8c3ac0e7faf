//! Defines an evaluator of your own and measures its strength in a match against `leave`.
//!
//! ```text
//! cargo run --release -p tilewright-engine --example own_evaluator
//! ```

#![allow(clippy::print_stdout)]

use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::player::Player;
use tilewright_engine::series::Series;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setup = Setup::embedded("english")?;
    let kinds = setup.tileset.kinds().to_vec();
    // Keep blanks, keep an S, and keep vowels and consonants in balance.
    let three_rules = StaticPlayer::by_leaves(move |_turn, leave| {
        let (mut points, mut balance) = (0, 0_i32);
        for (kind, count) in leave.kinds() {
            match (&*kinds[usize::from(kind)].label, i32::from(count)) {
                ("?", count) => points += 25 * count,
                ("S", _) => points += 8,
                (_, count) => balance += if kinds[usize::from(kind)].is_vowel { count } else { -count },
            }
        }
        f64::from(points - 2 * balance.abs())
    });
    let mine = Player::from_static("three rules", three_rules);
    let leave = Player::from_name("leave", Loader::new(&setup))?;
    let series = Series::new(&setup, [&mine, &leave], Domain::Match.deals(2026));
    let rate = series.play(0..200, &NoMonitor).summary().ok_or("no pairs")?.win_rate;
    println!("win rate in percent, with a 95 % interval: {:.1}", rate.times(100.0));
    Ok(())
}
