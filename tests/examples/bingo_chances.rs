//! Compares the exact bingo probability with random draws, and measures its cost.
//!
//! ```text
//! cargo run --release -p tilewright-tests --example bingo_chances -- 1000 1000000
//! ```
//!
//! It makes random cases of a leave of up to six tiles and unseen tiles, and compares each with random draws that fill the
//! rack.

#![allow(clippy::print_stdout)]

use std::collections::HashSet;

use cpu_time::ThreadTime;
use rand::RngExt;
use tilewright_engine::bag::Bag;
use tilewright_engine::deals::Domain;
use tilewright_engine::features::BingoChance;
use tilewright_engine::rack::Rack;
use tilewright_engine::rng::{Stream, stream};
use tilewright_engine::setup::Setup;
use tilewright_engine::tileset::Tile;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (cases, draws) = (number(1000)?, number(1_000_000)?);
    let setup = Setup::embedded("english")?;
    let (chances, bingos) = (BingoChance::new(&setup), bingos(&setup));
    let drawn_from = |case| {
        let mut choices = stream(3, "case", case);
        (leave_and_pool(&setup, case, &mut choices), choices)
    };
    let leaves_and_pools: Vec<(Rack, Rack)> = (0..cases).map(|case| drawn_from(case).0).collect();
    let begun = ThreadTime::now();
    let exact: Vec<f64> = leaves_and_pools.iter().map(|(leave, pool)| chances.chance(&setup, leave, pool)).collect();
    let time = begun.elapsed();
    let mut beyond = [0u64; 3];
    for (case, chance) in (0..cases).zip(exact) {
        let ((leave, pool), mut choices) = drawn_from(case);
        let mut tiles: Vec<u8> = pool.tiles().map(Tile::kind).collect();
        let hits = (0..draws).filter(|_| bingos.contains(&filled_up(&setup, &leave, &mut tiles, &mut choices))).count();
        let error = (chance * (1.0 - chance) / draws as f64).sqrt();
        // Hits are whole numbers, so half a hit is allowed.
        let off = ((hits as f64 / draws as f64 - chance).abs() - 0.5 / draws as f64) / error.max(f64::MIN_POSITIVE);
        beyond.iter_mut().zip([1.0, 2.0, 3.0]).for_each(|(beyond, errors)| *beyond += u64::from(off > errors));
    }
    let [one, two, three] = beyond;
    println!(
        "{cases} cases of {draws} draws: {one} are off by more than one standard error, {two} by two, {three} by three"
    );
    println!("{:.1} CPU-µs per case", time.as_secs_f64() * 1e6 / cases.max(1) as f64);
    Ok(())
}

/// Every full rack that spells a word, with blanks for any of its letters.
fn bingos(setup: &Setup) -> HashSet<Rack> {
    let mut bingos = HashSet::new();
    let blanks = setup.tileset.counts()[0];
    setup.lexicon.graph.for_each_word(|word| {
        if word.len() == setup.tileset.rules().rack_size {
            for blanked in (0u32..1 << word.len()).filter(|blanked| blanked.count_ones() <= u32::from(blanks)) {
                let kind = |(place, &letter): (usize, &u8)| if blanked >> place & 1 == 1 { 0 } else { letter };
                bingos.insert(Rack::from_kinds(&word.iter().enumerate().map(kind).collect::<Vec<u8>>()));
            }
        }
    });
    bingos
}

/// A random leave, and 14 or more of the other tiles.
fn leave_and_pool(setup: &Setup, case: u64, choices: &mut Stream) -> (Rack, Rack) {
    let mut leave = Rack::default();
    let size = choices.random_range(0..setup.tileset.rules().rack_size);
    Bag::new(&setup.tileset, Domain::Match.deals(11), case).refill(&mut leave, size, 0);
    let mut pool = Rack::from_counts(&setup.tileset.counts()).minus(&leave).unwrap_or_default();
    let tiles = choices.random_range(14..=pool.size());
    while pool.size() > tiles {
        pool.remove(choices.random_range(0..setup.tileset.counts().len() as u8));
    }
    (leave, pool)
}

/// The leave, filled up to a full rack with random tiles of the pool.
fn filled_up(setup: &Setup, leave: &Rack, pool: &mut [u8], choices: &mut Stream) -> Rack {
    let mut rack = *leave;
    for place in 0..setup.tileset.rules().rack_size - leave.size() {
        let other = choices.random_range(place..pool.len());
        pool.swap(place, other);
        rack.add(pool[place]);
    }
    rack
}
