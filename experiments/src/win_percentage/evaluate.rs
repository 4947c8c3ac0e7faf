//! `win-percentage eval`: tables side by side on games that none of them saw.

use tilewright_engine::artefact::write_atomically;
use tilewright_engine::win_percentage::WinPercentage;
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::run::{Games, RunError};

use super::flags::WinPercentageEvalArguments;
use super::naming::{EMBEDDED, SCALED, player, table};
use super::summary;
use crate::failure::Failure;
use crate::output::say;
use crate::progress::Progress;
use crate::{folder, loading};

/// Games in a shard, over which standard errors are taken.
const SHARD_GAMES: u64 = 2500;
/// And how many shards there should be for that, where games are few.
const SHARDS: u64 = 20;
/// The seed where none is given; none of the deals is one of training's.
const SEED: u64 = 1000;

/// `win-percentage eval`.
pub fn run(arguments: &WinPercentageEvalArguments) -> Result<(), Failure> {
    arguments.json.as_deref().map(folder::check_new_file).transpose()?;
    loading::set_threads(&arguments.run)?;
    let setup = loading::setup(&arguments.game, &arguments.search)?;
    let names = match &arguments.tables[..] {
        [] => vec![EMBEDDED.to_string(), SCALED.to_string()],
        names => names.to_vec(),
    };
    let load = |name: String| table(&name, &setup, &arguments.game).map(|table| (name, table));
    let tables: Vec<(String, WinPercentage)> = names.into_iter().map(load).collect::<Result<_, _>>()?;
    let player = player(arguments.player.as_deref().unwrap_or_default(), &setup, &arguments.game)?;
    if let Some(keep) = &arguments.keep {
        std::fs::create_dir_all(keep).map_err(|error| Failure::input(format!("--keep {}: {error}", keep.display())))?;
    }
    let games = Games {
        setup: &setup,
        player: &player,
        seed: arguments.run.seed.unwrap_or(SEED),
        shard_games: SHARD_GAMES.min(arguments.games.div_ceil(SHARDS)),
        folder: arguments.keep.clone(),
    };
    let progress = Progress::new(arguments.game.quiet);
    let shards = games.held_out(arguments.games, &progress);
    progress.finish();
    let shards = match shards {
        Err(RunError::Interrupted) => {
            return Err(Failure::Interrupted("with --keep DIR the same command would go on from there".into()));
        }
        shards => shards?,
    };
    let comparison = Comparison::of(&tables, &setup.tileset, &shards);
    say!("{}", summary::scores(&comparison).trim_end());
    if let Some(path) = &arguments.json {
        write_atomically(path, serde_json::to_string_pretty(&comparison)?.as_bytes())?;
    }
    Ok(())
}
