//! `win-percentage show`, `export` and `eval`.

use std::fmt;

use serde::Serialize;
use tilewright_engine::WinPercentage;
use tilewright_engine::win_percentage::{csv, export as other_tools};
use tilewright_train::journal::RunKey;
use tilewright_train::run::kind;
use tilewright_train::win_percentage::comparison::Comparison;
use tilewright_train::win_percentage::run::Games;

use super::flags::{
    WinPercentageEvalArguments, WinPercentageExportArguments, WinPercentageFormat, WinPercentageShowArguments,
};
use super::summary;
use super::summary::{EMBEDDED, Grid, SCALED, player, shown_table, table};
use crate::flags::CommonFlags;
use crate::{Failure, Memos, NewFile, Progress, loading, output};

#[derive(Serialize)]
struct ShownTable<'a> {
    table: &'a str,
    #[serde(flatten)]
    grid: Grid,
}

impl fmt::Display for ShownTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{}", self.table, self.grid)
    }
}

pub fn show(arguments: &WinPercentageShowArguments) -> Result<(), Failure> {
    let [out, json] = arguments.json.files(arguments.out.as_deref())?;
    loading::start_threads(&arguments.flags)?;
    let name = arguments.table.as_deref().unwrap_or(EMBEDDED);
    let table = shown_table(name, &arguments.flags.game)?;
    output::show_in(&ShownTable { table: name, grid: Grid::new(&table) }, out, json)
}

#[derive(Serialize)]
struct ExportedTable {
    format: WinPercentageFormat,
}

pub fn export(arguments: &WinPercentageExportArguments) -> Result<(), Failure> {
    let known = ".csv (Macondo) or .txt (MAGPIE)";
    let format = output::format_of(&arguments.out, arguments.format, known, |extension| match extension {
        "csv" => Some(WinPercentageFormat::Macondo),
        "txt" => Some(WinPercentageFormat::Magpie),
        _ => None,
    })?;
    let [out, json] = arguments.json.files(Some(&arguments.out))?;
    loading::start_threads(&arguments.flags)?;
    let table = shown_table(&arguments.table, &arguments.flags.game)?;
    let (text, form) = match format {
        WinPercentageFormat::Macondo => (other_tools::macondo(&table), "as Macondo reads it, by spread and unseen tiles"),
        WinPercentageFormat::Magpie => (other_tools::magpie(&table), "as MAGPIE reads it, by unseen tiles and spread"),
        WinPercentageFormat::Full => (csv::write(&table), "in full, by tiles in the bag and on both racks"),
    };
    let written = out.export(text.into_bytes(), ExportedTable { format }, format!("win table {form}"))?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// Games per shard; standard errors are taken over shards.
const SHARD_GAMES: u64 = 2500;
/// The number of shards if the games are few.
const SHARDS: u64 = 20;
/// The default seed. Training never uses these deals.
const SEED: u64 = 1000;

pub fn evaluate(arguments: &WinPercentageEvalArguments) -> Result<(), Failure> {
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
