//! `match`: a paired series between two players, or a round robin of more.

use tilewright_engine::clock::Clock;

use crate::failure::Failure;
use flags::MatchArguments;

pub mod flags;
mod config;
pub mod external;
pub mod pair;
mod round_robin;

use config::Meeting;
use external::Foreign;

/// `match`.
pub fn run(arguments: &MatchArguments) -> Result<(), Failure> {
    let Meeting { game, run, players, pairs, unpaired, sequential, rates } = &Meeting::of(arguments)?;
    let MatchArguments { search, clock, overtime, json, pairs_out, .. } = arguments;
    let test = sequential.map(|hypotheses| pair::sequential_test(hypotheses, rates)).transpose()?;
    if test.is_none() && (rates.alpha.is_some() || rates.beta.is_some()) {
        return Err(Failure::input("--alpha and --beta are error rates of a sequential test; add --sequential H0:H1"));
    }
    let clock = clock.map(|time| Clock { time, overtime: *overtime });
    let (pairs, unpaired, json) = (*pairs, *unpaired, json.as_deref());
    if let [a, b] = &players[..] {
        let players = [a.as_str(), b];
        let pairs_out = pairs_out.as_deref();
        let foreign = Foreign { answer_time: arguments.answer_time, fault_log: arguments.fault_log.as_deref() };
        return pair::Asked { game, search, run, players, pairs, test, clock, foreign, unpaired, json, pairs_out }
            .play()
            .map(drop);
    }
    for (flag, is_given) in [
        ("--sequential", test.is_some()),
        ("--pairs-out", pairs_out.is_some()),
        ("--fault-log", arguments.fault_log.is_some()),
        ("--answer-time", arguments.answer_time.is_some()),
    ] {
        if is_given {
            let count = players.len();
            return Err(Failure::input(format!(
                "{flag} is of a match between two players, and {count} are named; leave it out"
            )));
        }
    }
    round_robin::Asked { game, search, run, players, pairs, clock, unpaired, json }.play()
}
