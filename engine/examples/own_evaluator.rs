//! Defines an evaluator of your own and measures its strength in a match.
//!
//! ```text
//! cargo run --release -p tilewright-engine --example own_evaluator
//! ```

#![allow(clippy::print_stdout)]

use std::error::Error;

use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::equity::Equity;
use tilewright_engine::evaluator::Evaluator;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::player::Player;
use tilewright_engine::rack::{MAX_SUB_RACKS, SubRacks};
use tilewright_engine::series::Series;
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::turn::Turn;

/// Values a leave by three rules: keep blanks, keep an S, and keep vowels and consonants in balance.
struct ThreeRules;

impl Evaluator for ThreeRules {
    /// Writes the value of each leave. The generator adds it to the score of every move that keeps this leave.
    fn leave_values(&self, turn: &Turn<'_>, numbers: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        let kinds = turn.setup.tileset.kinds();
        for (number, value) in leave_values[..numbers.len()].iter_mut().enumerate() {
            let mut points = 0;
            let mut balance = 0_i32;
            for (kind, count) in numbers.get(number).kinds() {
                let (kind, count) = (&kinds[usize::from(kind)], i32::from(count));
                match &*kind.label {
                    "?" => points += 25 * count,
                    "S" => points += 8,
                    _ => balance += if kind.is_vowel { count } else { -count },
                }
            }
            *value = Equity::from_points(points - 2 * balance.abs());
        }
        // A pass leaves the whole rack; it is the last resort.
        leave_values[numbers.whole()] = Equity::PASS;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let setup = Setup::embedded("english")?;
    let mine = Player::from_static("three rules", StaticPlayer::new(ThreeRules));
    let greedy = Player::from_name("greedy", Loader::new(&setup))?;
    let series = Series { setup: &setup, players: [&mine, &greedy], deals: Domain::Match.deals(2026), clock: None };
    let summary = series.play(0..200, &NoMonitor).summary().ok_or("no pairs")?;
    let rate = summary.win_rate;
    println!("{} against {}", mine.name, greedy.name);
    println!("win rate {:.1} %  (95 %: {:.1} to {:.1})", 100.0 * rate.mean, 100.0 * rate.low, 100.0 * rate.high);
    Ok(())
}
