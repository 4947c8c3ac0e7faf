//! `selfplay`: plays games and records every turn as Parquet. Each file holds one shard, a range of games.

use std::fmt;
use std::time::Instant;

use serde::Serialize;
use tilewright_engine::player::Player;
use tilewright_train::journal::Journal;
use tilewright_train::selfplay::Selfplay;

use crate::failure::Failure;
use crate::flags::CommonFlags;
use crate::progress::Progress;
use crate::run_config::RunJson;
use crate::{loading, output, run_config};

pub mod flags;

use flags::SelfplayArguments;

/// `selfplay`.
pub fn run(arguments: &SelfplayArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let CommonFlags { game, seed, .. } = &arguments.flags.common;
    let setup = loading::start(&arguments.flags)?;
    let name = arguments.player.as_deref().unwrap_or(Player::default_name(&setup));
    let player = loading::player(name, &setup, game)?;
    let opponent = arguments.opponent.as_deref().map(|name| loading::player(name, &setup, game)).transpose()?;
    let (seed, players) = (seed.unwrap_or(1), [&player, opponent.as_ref().unwrap_or(&player)]);
    let selfplay = Selfplay { setup: &setup, players, seed, games: arguments.games };
    let (kind, key) = (name.split(':').next().unwrap_or_default(), selfplay.key());
    let default = format!("selfplay-{}-{kind}-{}-games-{seed}", setup.lexicon.name, arguments.games);
    let out = run_config::out_folder(arguments.out.as_deref(), &default, &key);
    let progress = Progress::new(game.quiet);
    let journal = Journal::open(&out, &key, &progress)?;
    let begun = Instant::now();
    let end = selfplay.record(&journal, &out);
    progress.finish();
    end?;
    let seconds = begun.elapsed().as_secs_f64();
    let games = arguments.games;
    let run = RunJson::new(&out, &setup, seed);
    let games_per_second = games as f64 / seconds;
    let opponent = opponent.as_ref().map(|opponent| opponent.name.as_str());
    output::show(&SelfplayResult { run, player: &player.name, opponent, games, seconds, games_per_second }, json)
}

/// The result of `selfplay`; times are those of this process.
#[derive(Serialize)]
struct SelfplayResult<'a> {
    #[serde(flatten)]
    run: RunJson,
    player: &'a str,
    /// The other player, if two were named.
    opponent: Option<&'a str>,
    games: u64,
    seconds: f64,
    games_per_second: f64,
}

impl fmt::Display for SelfplayResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SelfplayResult { run, games, seconds, games_per_second, .. } = self;
        write!(f, "{}: {games} games in {seconds:.1} s ({games_per_second:.0} per second)", run.folder)
    }
}
