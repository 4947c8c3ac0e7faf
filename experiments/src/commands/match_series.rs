//! `match`: a paired series between two players.

use crate::arguments::MatchArguments;
use crate::failure::Failure;
use crate::head_to_head::{self, HeadToHead};
use crate::{folder, loading};

/// `match`.
pub fn run(arguments: &MatchArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    let test = arguments.sequential.map(|hypotheses| head_to_head::test(hypotheses, &arguments.rates)).transpose()?;
    if test.is_none() && (arguments.rates.alpha.is_some() || arguments.rates.beta.is_some()) {
        return Err(Failure::input("--alpha and --beta are error rates of a sequential test; add --sequential H0:H1"));
    }
    if let Some(path) = &arguments.json {
        folder::check_new_file(path)?;
    }
    let setup = loading::setup(&arguments.game, &arguments.search)?;
    let series = HeadToHead {
        setup: &setup,
        a: loading::player(&arguments.player_a, &setup, &arguments.game)?,
        b: loading::player(&arguments.player_b, &setup, &arguments.game)?,
        seed: arguments.run.seed.unwrap_or(1),
        pairs: arguments.pairs,
        test,
    };
    let played = series.play(arguments.game.quiet)?;
    series.tell(&played);
    match &arguments.json {
        Some(path) => series.write(&played, path),
        None => Ok(()),
    }
}
