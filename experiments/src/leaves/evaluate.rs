//! `leaves evaluate`: tests in paired games whether a table is better than another.
//!
//! By default it tests a win rate of 51 % against 50 %, which is about two and a half points of spread per game. The test
//! takes some five thousand pairs on average, and eight thousand if the true win rate lies halfway
//! ([`tilewright_engine::series::sequential`]). The maximum of 50,000 pairs is six times that, so a test hardly ever ends
//! undecided.

use tilewright_engine::player::{Base, MatchPlayer, PlayerSpec};
use tilewright_engine::series::sequential::Decision;
use tilewright_train::stored_match::MatchSpec;
use tilewright_train::stored_match::spec::percent;

use super::flags::LeavesEvaluateArguments;
use super::table::EMBEDDED;
use crate::flags::{BuildFlag, shell_word};
use crate::matches::pair;
use crate::matches::request::MatchRequest;
use crate::runs::Context;
use crate::{Failure, NewFile, say};

pub fn run(arguments: &LeavesEvaluateArguments, context: &Context<'_>) -> Result<(), Failure> {
    let [table, against] = [&arguments.table, &arguments.against].map(|name| player(name));
    let spec = MatchSpec {
        seed: arguments.flags.common.seed,
        sequential: Some(arguments.sequential),
        alpha: arguments.rates.alpha,
        beta: arguments.rates.beta,
        ..MatchSpec::of_two([table.clone(), against.clone()], arguments.pairs)
    };
    let request = MatchRequest::new(arguments.flags.clone(), spec);
    let json = NewFile::unchecked(arguments.json.as_deref());
    let decision = pair::play(&request, &context.with_files(None, json, BuildFlag::default()))?;
    let [h0, h1] = [arguments.sequential.h0, arguments.sequential.h1].map(percent);
    let (table_shown, other) = (&arguments.table, &arguments.against);
    let verdict = match decision {
        Decision::AcceptH1 if h0 >= 50.0 => {
            format!("{table_shown} is better than {other}: it wins more than {h0} % of the games")
        }
        Decision::AcceptH1 => format!("{table_shown} wins more than {h0} % of the games against {other}"),
        Decision::AcceptH0 => format!("{table_shown} wins less than {h1} % of the games against {other}"),
        Decision::Open => {
            format!("{} pairs do not decide whether {table_shown} wins {h0} % or {h1} % against {other}", arguments.pairs)
        }
    };
    say!("\n{verdict}.");
    say!(
        "For an unbiased estimate of the difference, play a fixed number of pairs: tilewright match --player-a {} \
         --player-b {} --pairs 10000 --seed {}{}",
        shell_word(&table.to_string()),
        shell_word(&against.to_string()),
        request.spec.seed().wrapping_add(1),
        arguments.flags.common.game.repeated()
    );
    Ok(())
}

/// The player with this name, or the player that uses the table at this path or the embedded one.
fn player(name: &str) -> MatchPlayer {
    let base = match name.parse() {
        _ if name == EMBEDDED => Base::leave(None),
        Ok(PlayerSpec { base: base @ (Base::Greedy | Base::NoLeaves | Base::Leave { .. }), endgame: false }) => base,
        _ => Base::leave(Some(name.into())),
    };
    PlayerSpec::from(base).into()
}
