//! `bench`: how fast this machine plays, and what features, endgames and pre-endgames cost.

use crate::Failure;

pub mod measuring;
mod speed;
mod features;
mod endgames;
mod pre_endgames;

use measuring::{BenchArguments, BenchVerb};

pub fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    match &arguments.verb {
        None => speed::run(&arguments.speed),
        Some(BenchVerb::Features(arguments)) => features::run(arguments),
        Some(BenchVerb::Endgames(arguments)) => endgames::run(arguments),
        Some(BenchVerb::PreEndgames(arguments)) => pre_endgames::run(arguments),
    }
}
