//! `match`: a paired series between two players.

use std::time::Instant;

use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::series::{Summary, Tally, play_pairs};

use crate::arguments::MatchArguments;
use crate::failure::{Failure, Input};
use crate::page::say;
use crate::progress::Progress;
use crate::{folder, loading};

/// The figures as JSON; others script against these keys. Rates are 0–1, spreads and scores points a game, all from the view
/// of player A; intervals hold 95 %.
#[derive(Serialize)]
struct MatchJson {
    pairs: u64,
    win_rate: f64,
    win_rate_low: f64,
    win_rate_high: f64,
    spread: f64,
    spread_low: f64,
    spread_high: f64,
    first_mover_win_rate: f64,
    mean_score_a: f64,
    mean_score_b: f64,
    bingos_a: f64,
    bingos_b: f64,
    turns: f64,
    /// Pairs in which A won 0, ½, 1, 1½, 2 games.
    pentanomial: [u64; 5],
    games_per_second: f64,
    /// User and system time of the games alone.
    cpu_seconds: f64,
    seed: u64,
    lexicon: String,
    tileset: String,
    player_a: String,
    player_b: String,
}

/// `match`.
pub fn run(arguments: &MatchArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    if let Some(path) = &arguments.json {
        folder::check_new_file(path)?;
    }
    let setup = loading::setup(&arguments.game, &arguments.search)?;
    let named = |name| Player::named(name, &setup, arguments.game.accept_other_lexicon).input();
    let (a, b) = (named(&arguments.player_a)?, named(&arguments.player_b)?);
    let seed = arguments.run.seed.unwrap_or(1);
    let progress = Progress::new(arguments.game.quiet);
    progress.begin("match", arguments.pairs, "pairs");
    let (begun, cpu) = (Instant::now(), cpu_time::ProcessTime::now());
    let tally = play_pairs(&setup, &a, &b, seed, 0..arguments.pairs, &progress);
    let (seconds, cpu_seconds) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    progress.finish();
    if tally.pairs < arguments.pairs {
        let text = tally.summary().map_or(String::new(), |summary| format!("\n{}", describe(&tally, &summary)));
        return Err(Failure::Interrupted(format!("{} of {} pairs were played{text}", tally.pairs, arguments.pairs)));
    }
    let Some(summary) = tally.summary() else { return Ok(()) };
    let rate = 2.0 * tally.pairs as f64 / seconds;
    say!("{} against {}, seed {seed}, {}", a.name, b.name, setup.lexicon.name);
    say!("{}", describe(&tally, &summary));
    say!("{rate:.0} games a second, {:.0} a CPU-second", 2.0 * tally.pairs as f64 / cpu_seconds.max(1e-9));
    if let Some(path) = &arguments.json {
        let json = MatchJson {
            pairs: tally.pairs,
            win_rate: summary.win_rate.mean,
            win_rate_low: summary.win_rate.low,
            win_rate_high: summary.win_rate.high,
            spread: summary.spread.mean,
            spread_low: summary.spread.low,
            spread_high: summary.spread.high,
            first_mover_win_rate: summary.first_mover_win_rate,
            mean_score_a: summary.scores[0],
            mean_score_b: summary.scores[1],
            bingos_a: summary.bingos[0],
            bingos_b: summary.bingos[1],
            turns: summary.turns,
            pentanomial: tally.outcomes,
            games_per_second: rate,
            cpu_seconds,
            seed,
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            player_a: a.name,
            player_b: b.name,
        };
        write_atomically(path, (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
    }
    Ok(())
}

/// The figures in words; also the match part of a report.
pub fn describe(tally: &Tally, summary: &Summary) -> String {
    let Summary { win_rate, spread, scores, bingos, .. } = summary;
    format!(
        "pairs       {}\n\
         win rate    {:.2} %   (95 %: {:.2} to {:.2})\n\
         spread      {:+.2}   (95 %: {:+.2} to {:+.2}) points a game\n\
         scores      {:.1} : {:.1}\n\
         bingos      {:.2} : {:.2} a game\n\
         turns       {:.1} a game\n\
         first mover wins {:.1} %",
        tally.pairs,
        100.0 * win_rate.mean,
        100.0 * win_rate.low,
        100.0 * win_rate.high,
        spread.mean,
        spread.low,
        spread.high,
        scores[0],
        scores[1],
        bingos[0],
        bingos[1],
        summary.turns,
        100.0 * summary.first_mover_win_rate,
    )
}
