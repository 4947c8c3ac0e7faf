//! `win-percentage eval`: compares win tables on held-out games.

use tilewright_engine::WinPercentage;
use tilewright_train::journal::RunKey;
use tilewright_train::run::kind;
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::run::Games;

use super::flags::WinPercentageEvalArguments;
use super::naming::{EMBEDDED, SCALED, player, table};
use super::summary;
use crate::flags::CommonFlags;
use crate::{Failure, Memos, NewFile, Progress, loading, output};

/// Games per shard; standard errors are taken over shards.
const SHARD_GAMES: u64 = 2500;
/// The number of shards if the games are few.
const SHARDS: u64 = 20;
/// The default seed. Training never uses these deals.
const SEED: u64 = 1000;

pub fn run(arguments: &WinPercentageEvalArguments) -> Result<(), Failure> {
    let json = NewFile::new(arguments.json.as_deref())?;
    let CommonFlags { game, seed, .. } = &arguments.flags.common;
    let game = &game.with_tables(&arguments.files);
    let setup = loading::start(&arguments.flags, &Memos::default())?;
    let names = match &arguments.tables[..] {
        [] => vec![EMBEDDED.to_string(), SCALED.to_string()],
        names => names.to_vec(),
    };
    let load = |name: String| table(&name, &setup, game).map(|table| (name, table));
    let tables: Vec<(String, WinPercentage)> = names.into_iter().map(load).collect::<Result<_, _>>()?;
    let player = player(arguments.player.as_ref(), &setup, game)?;
    let (games, seed) = (arguments.games, seed.unwrap_or(SEED));
    let progress = Progress::new(game.quiet);
    let key = RunKey::new(kind::HELD_OUT_GAMES, format!("games = {games}\nseed = {seed}\n")).with_setup(&setup);
    let key = key.with_input("player", &*player.identity);
    let journal = arguments.build.journal(("--keep", arguments.keep.as_deref()), &key, &progress)?;
    let shard_games = SHARD_GAMES.min(games.div_ceil(SHARDS));
    let shards = Games { setup: &setup, player: &player, seed, shard_games, journal: &journal }.held_out(games);
    progress.finish();
    let comparison = Comparison::new(&tables, &setup.tileset, &shards?);
    output::show_as(summary::scores(&comparison).trim_end(), &comparison, json)
}
