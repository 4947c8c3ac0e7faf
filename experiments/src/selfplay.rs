//! `selfplay`: plays games and records every turn as Parquet. Each file holds one shard, a range of games.

use std::time::Instant;

use tilewright_engine::player::Player;
use tilewright_train::journal::Journal;
use tilewright_train::selfplay::Selfplay;

use crate::failure::Failure;
use crate::flags::CommonFlags;
use crate::output::say;
use crate::progress::Progress;
use crate::{loading, run_config};

pub mod flags;

use flags::SelfplayArguments;

/// `selfplay`.
pub fn run(arguments: &SelfplayArguments) -> Result<(), Failure> {
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
    say!(
        "{}: {} games in {seconds:.1} s ({:.0} per second)",
        out.display(),
        arguments.games,
        arguments.games as f64 / seconds
    );
    Ok(())
}
