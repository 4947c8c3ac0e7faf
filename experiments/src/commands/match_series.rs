//! `match`: a paired series between two players.

use tilewright_engine::clock::Clock;

use crate::arguments::MatchArguments;
use crate::failure::Failure;
use crate::foreign::Foreign;
use crate::head_to_head::{self, Asked};

/// `match`.
pub fn run(arguments: &MatchArguments) -> Result<(), Failure> {
    let MatchArguments { game, search, run, player_a, player_b, pairs, sequential, rates, clock, overtime, .. } = arguments;
    let test = sequential.map(|hypotheses| head_to_head::sequential_test(hypotheses, rates)).transpose()?;
    if test.is_none() && (rates.alpha.is_some() || rates.beta.is_some()) {
        return Err(Failure::input("--alpha and --beta are error rates of a sequential test; add --sequential H0:H1"));
    }
    let players = [player_a.as_str(), player_b];
    let clock = clock.map(|time| Clock { time, overtime: *overtime });
    let foreign = Foreign { answer_time: arguments.answer_time, fault_log: arguments.fault_log.as_deref() };
    let json = arguments.json.as_deref();
    Asked { game, search, run, players, pairs: *pairs, test, clock, foreign, json }.play().map(drop)
}
