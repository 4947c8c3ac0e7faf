//! Measures the error rates and the length of the sequential test on played pairs.
//!
//! ```text
//! tilewright match --player-a leave --player-b leave --unpaired --pairs 200000 --seed 9100 --pairs-out null.parquet
//! cargo run -p tilewright-tests --example sequential_errors -- null.parquet 50:51 50:52.5
//! ```
//!
//! For each pair of hypotheses it runs the test on the file again and again, each time from the pair at which the last test
//! ended. These are real matches of a player against itself, so H0 is true by symmetry. Then it simulates matches with the
//! outcomes of the file, tilted to the win rates of H0, of H1 and halfway. For comparison it prints the pairs of a test of
//! fixed size with the same errors.

#![allow(clippy::print_stdout)]

use std::path::Path;

use rand::RngExt;
use tilewright_engine::rng::stream;
use tilewright_engine::series::sequential::{Decision, PAIRS_PER_LOOK, SequentialTest};
use tilewright_engine::series::{Tally, standard_errors};
use tilewright_train::parquet_file::{Column, read};

/// The error rate of each verdict.
const ERROR_RATE: f64 = 0.05;
/// Simulated matches per win rate.
const SIMULATED: u64 = 1000;

/// The results of several tests.
#[derive(Default)]
struct Ends {
    accepted: [u64; 2],
    pairs: u64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a file that match --pairs-out wrote")?;
    let columns = read(Path::new(&path), &["half_wins"])?;
    let [Column::Int32(half_wins)] = &columns[..] else { return Err("half_wins is not a column of integers".into()) };
    let mut outcomes = [0u64; 5];
    for &half_wins in half_wins {
        outcomes[half_wins as usize] += 1;
    }
    let tally = Tally { pairs: half_wins.len() as u64, outcomes, ..Tally::default() };
    let summary = tally.summary().ok_or("no pairs")?;
    println!("{path}: {} pairs, {outcomes:?}, win rate {:?}", tally.pairs, summary.win_rate);
    for hypotheses in arguments {
        let (h0, h1) = hypotheses.split_once(':').ok_or("write hypotheses as in 50:51")?;
        let [h0, h1] = [h0.parse::<f64>()? / 100.0, h1.parse::<f64>()? / 100.0];
        let test = SequentialTest::new(h0, h1, ERROR_RATE, ERROR_RATE)?;
        report(&test, half_wins, &outcomes);
    }
    Ok(())
}

fn report(test: &SequentialTest, half_wins: &[i32], outcomes: &[u64; 5]) {
    let [h0, h1] = test.hypotheses();
    let mut real = Ends::default();
    let mut looks = half_wins.chunks_exact(PAIRS_PER_LOOK as usize);
    while real.add(test, || Some(looks.next()?.iter().map(|&half_wins| half_wins as usize).collect())) {}
    println!("H0 {h0} : H1 {h1}, played: {}", real.show());
    for mean in [h0, f64::midpoint(h0, h1), h1] {
        let shares = tilted(outcomes, mean);
        let mut simulated = Ends::default();
        for index in 0..SIMULATED {
            let mut stream = stream(mean.to_bits(), "sequential errors", index);
            let mut draw = || {
                let mut rest: f64 = stream.random();
                let found = shares.iter().position(|share| {
                    rest -= share;
                    rest < 0.0
                });
                found.unwrap_or(4)
            };
            simulated.add(test, || Some((0..PAIRS_PER_LOOK).map(|_| draw()).collect()));
        }
        println!("  simulated at {mean:.4}: {}", simulated.show());
    }
    // The test is one-sided at both ends.
    let deviations = 2.0 * standard_errors(2.0 * ERROR_RATE);
    let shares = tilted(outcomes, f64::midpoint(h0, h1));
    let mean = mean_of(&shares);
    let variance: f64 = (0u8..).zip(shares).map(|(outcome, share)| share * (f64::from(outcome) / 4.0 - mean).powi(2)).sum();
    println!("  a test of fixed size: {:.0} pairs", variance * (deviations / (h1 - h0)).powi(2));
}

impl Ends {
    /// Runs one match to its verdict. `look` returns the pairs up to the next look; returns false if it has no more.
    fn add(&mut self, test: &SequentialTest, mut look: impl FnMut() -> Option<Vec<usize>>) -> bool {
        let mut outcomes = [0u64; 5];
        loop {
            let Some(half_wins) = look() else { return false };
            for half_wins in half_wins {
                outcomes[half_wins] += 1;
            }
            match test.decide(&outcomes) {
                Decision::Open => continue,
                Decision::AcceptH0 => self.accepted[0] += 1,
                Decision::AcceptH1 => self.accepted[1] += 1,
            }
            self.pairs += outcomes.iter().sum::<u64>();
            return true;
        }
    }

    fn show(&self) -> String {
        let [h0, h1] = self.accepted;
        let matches = h0 + h1;
        format!("{matches} matches, H0 {h0}, H1 {h1}, {:.0} pairs each", self.pairs as f64 / matches.max(1) as f64)
    }
}

fn mean_of(shares: &[f64; 5]) -> f64 {
    (0u8..).zip(shares).map(|(outcome, share)| f64::from(outcome) / 4.0 * share).sum()
}

/// The shares of these outcomes, tilted exponentially so that their mean is `mean`.
fn tilted(outcomes: &[u64; 5], mean: f64) -> [f64; 5] {
    let with_tilt = |tilt: f64| {
        let mut outcome = -1.0;
        let shares = outcomes.map(|pairs| {
            outcome += 1.0;
            pairs as f64 * (tilt * outcome).exp()
        });
        let sum: f64 = shares.iter().sum();
        shares.map(|share| share / sum)
    };
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if mean_of(&with_tilt(middle)) < mean { low = middle } else { high = middle }
    }
    with_tilt(low)
}
