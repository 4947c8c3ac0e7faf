//! `win-percentage eval`: tables side by side on games that none of them saw.

use tilewright_engine::artefact::write_atomically;
use tilewright_engine::win_percentage::WinPercentage;
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::position::compare::{Forecast, compare};
use tilewright_train::win_percentage::position::inputs::Sight;
use tilewright_train::win_percentage::run::{Games, RunError};

use super::flags::WinPercentageEvalArguments;
use super::naming::{EMBEDDED, SCALED, player};
use super::position;
use super::summary;
use super::summary::SHARDS_OF_GAMES;
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
    let mut named = Vec::new();
    for name in &names {
        named.extend(position::forecasts(name, &setup, &arguments.game)?);
    }
    let sight = position::sight(&named, &setup)?;
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
    let compared = compared(&named, sight.as_ref(), &games, arguments.games, &progress);
    progress.finish();
    let (comparison, clusters) = match compared {
        Err(RunError::Interrupted) => {
            return Err(Failure::Interrupted("with --keep DIR the same command would go on from there".into()));
        }
        compared => compared?,
    };
    say!("{}", summary::scores(&comparison, clusters).trim_end());
    if let Some(path) = &arguments.json {
        write_atomically(path, serde_json::to_string_pretty(&comparison)?.as_bytes())?;
    }
    Ok(())
}

/// All side by side on the same games, and what the errors are taken over. Tables need the tallies alone; networks of positions need
/// every turn as they see it.
fn compared(
    named: &[(String, Forecast)],
    sight: Option<&Sight>,
    games: &Games<'_>,
    count: u64,
    progress: &Progress,
) -> Result<(Comparison, &'static str), RunError> {
    let tileset = &games.setup.tileset;
    if let Some(sight) = sight {
        let records = games.held_out_records(sight, count, progress)?;
        return Ok((compare(named, tileset, &records), "games"));
    }
    let table = |(name, forecast): &(String, Forecast)| match forecast {
        Forecast::Table(table) => Some((name.clone(), WinPercentage::clone(table))),
        Forecast::Network(_) => None,
    };
    let tables: Vec<_> = named.iter().filter_map(table).collect();
    Ok((Comparison::of(&tables, tileset, &games.held_out(count, progress)?), SHARDS_OF_GAMES))
}
