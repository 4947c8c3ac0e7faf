//! `leaves evaluate`: what a table is worth, by games.
//!
//! It asks for one point of win rate, 51 % against 50 %: about two and a half points of spread a game, a difference that matters,
//! and one that some five thousand pairs tell on average, eight thousand where the truth lies halfway
//! ([`tilewright_engine::series::sequential`]). The 50,000 pairs allowed are six times that, so a test hardly ever ends undecided.

use tilewright_engine::player::naming::LEAVE_PLAYERS;
use tilewright_engine::series::sequential::Decision;

use crate::arguments::LeavesEvaluateArguments;
use crate::failure::Failure;
use crate::head_to_head::{self, HeadToHead, percent};
use crate::page::say;
use crate::{folder, loading};

/// `leaves evaluate`.
pub fn run(arguments: &LeavesEvaluateArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    let test = head_to_head::test(arguments.sequential, &arguments.rates)?;
    if let Some(path) = &arguments.json {
        folder::check_new_file(path)?;
    }
    let setup = loading::setup(&arguments.game, &arguments.search)?;
    let [table, against] = [&arguments.table, &arguments.against].map(|name| player_name(name));
    let series = HeadToHead {
        setup: &setup,
        a: loading::player(&table, &setup, &arguments.game)?,
        b: loading::player(&against, &setup, &arguments.game)?,
        seed: arguments.run.seed.unwrap_or(1),
        pairs: arguments.pairs,
        test: Some(test),
    };
    let played = series.play(arguments.game.quiet)?;
    series.tell(&played);
    let [h0, h1] = test.hypotheses().map(percent);
    let (table_shown, other) = (&arguments.table, &arguments.against);
    let verdict = match played.decision() {
        Decision::AcceptH1 if h0 >= 50.0 => {
            format!("{table_shown} is better than {other}: it wins more than {h0} % of the games")
        }
        Decision::AcceptH1 => format!("{table_shown} wins more than {h0} % of the games against {other}"),
        Decision::AcceptH0 => format!("{table_shown} wins less than {h1} % of the games against {other}"),
        Decision::Open => {
            format!("{} pairs do not tell whether {table_shown} wins {h0} % or {h1} % against {other}", series.pairs)
        }
    };
    say!("\n{verdict}.");
    say!(
        "By how much, a number of pairs fixed beforehand tells without leaning: tilewright match --player-a {table} --player-b \
         {against} --pairs 10000 --seed {}",
        series.seed.wrapping_add(1)
    );
    match &arguments.json {
        Some(path) => series.write(&played, path),
        None => Ok(()),
    }
}

/// The player that a table stands for; a player stands for itself.
fn player_name(name: &str) -> String {
    let kind = name.split_once(':').map_or(name, |(kind, _)| kind);
    if kind == "greedy" || LEAVE_PLAYERS.contains(&kind) { name.into() } else { format!("leave:{name}") }
}
