//! `win-percentage eval`: tables side by side on games that none of them saw.

use tilewright_engine::win_percentage::WinPercentage;
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::run::{Games, RunError};

use super::flags::WinPercentageEvalArguments;
use super::naming::{EMBEDDED, SCALED, player, table};
use super::summary;
use crate::failure::Failure;
use crate::flags::CommonFlags;
use crate::loading;
use crate::output::{NewFile, say};
use crate::progress::Progress;

/// Games in a shard, over which standard errors are taken.
const SHARD_GAMES: u64 = 2500;
/// And how many shards there should be for that, where games are few.
const SHARDS: u64 = 20;
/// The seed where none is given; none of the deals is one of training's.
const SEED: u64 = 1000;

/// `win-percentage eval`.
pub fn run(arguments: &WinPercentageEvalArguments) -> Result<(), Failure> {
    let json = NewFile::new(arguments.json.as_deref())?;
    let CommonFlags { game, seed, .. } = &arguments.flags.common;
    let setup = loading::start(&arguments.flags)?;
    let names = match &arguments.tables[..] {
        [] => vec![EMBEDDED.to_string(), SCALED.to_string()],
        names => names.to_vec(),
    };
    let load = |name: String| table(&name, &setup, game).map(|table| (name, table));
    let tables: Vec<(String, WinPercentage)> = names.into_iter().map(load).collect::<Result<_, _>>()?;
    let player = player(arguments.player.as_deref().unwrap_or_default(), &setup, game)?;
    if let Some(keep) = &arguments.keep {
        std::fs::create_dir_all(keep).map_err(|error| Failure::input(format!("--keep {}: {error}", keep.display())))?;
    }
    let games = Games {
        setup: &setup,
        player: &player,
        seed: seed.unwrap_or(SEED),
        shard_games: SHARD_GAMES.min(arguments.games.div_ceil(SHARDS)),
        folder: arguments.keep.clone(),
    };
    let progress = Progress::new(game.quiet);
    let shards = games.held_out(arguments.games, &progress);
    progress.finish();
    let shards = match shards {
        Err(RunError::Interrupted) => {
            return Err(Failure::Interrupted("with --keep DIR, rerun the command to resume".into()));
        }
        shards => shards?,
    };
    let comparison = Comparison::of(&tables, &setup.tileset, &shards);
    say!("{}", summary::scores(&comparison).trim_end());
    json.write_json(&comparison)
}
