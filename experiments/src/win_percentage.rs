//! `win-percentage train`, `eval`, `show` and `export`: win tables.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use tilewright_engine::win_percentage::{csv, export as other_tools};
use tilewright_engine::{Player, Setup, WinPercentage};
use tilewright_train::journal::RunKey;
use tilewright_train::run::kind;
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::run::{Games, WinPercentageRun};
use tilewright_train::win_percentage::scores::Comparison;

use crate::fitting::{FitRequest, RunJson};
use crate::flags::{CommonFlags, shell_word};
use crate::report::PAGE_FILE;
use crate::runs::{self, Context, Finished, RunRequest, SUMMARY_FILE, Told};
use crate::{Failure, Memos, NewFile, Progress, loading, output};

pub mod flags;
pub mod summary;

use flags::{
    WinPercentageEvalArguments, WinPercentageExportArguments, WinPercentageFormat, WinPercentageShowArguments,
    WinPercentageTrainArguments, WinPercentageVerb,
};
use summary::{EMBEDDED, Grid, SCALED, player, shown_table, table_named};

pub fn run(verb: &WinPercentageVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        WinPercentageVerb::Train(arguments) => runs::run(request(arguments)?, &context.with(&arguments.run)?),
        WinPercentageVerb::Eval(arguments) => evaluate(arguments),
        WinPercentageVerb::Show(arguments) => show(arguments),
        WinPercentageVerb::Export(arguments) => export(arguments),
    }
}

pub type WinPercentageRequest = FitRequest<WinPercentageConfig>;

pub fn request(arguments: &WinPercentageTrainArguments) -> Result<WinPercentageRequest, Failure> {
    let (path, flags) = (arguments.config.as_deref(), arguments.flags.with_tables(&arguments.files));
    FitRequest::of_file_or("default", path, &flags, (), |config: &mut WinPercentageConfig| {
        config.player = arguments.player.clone().or(config.player.take());
        arguments.files.name_in(&mut config.player);
        config.games = arguments.games.unwrap_or(config.games);
        config.held_out_games = arguments.held_out_games.unwrap_or(config.held_out_games);
    })
}

impl RunRequest for WinPercentageRequest {
    type Loaded = Player;
    type Run<'a> = WinPercentageRun<'a>;
    const DOING: &'static str = "training";

    fn load(&mut self, setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<Player, Failure> {
        player(self.config.player.as_ref(), setup, &self.flags.common.game)
    }

    fn run<'a>(&'a self, setup: &'a Setup, player: &'a Player) -> Result<Self::Run<'a>, Failure> {
        Ok(WinPercentageRun { setup, player, config: &self.config })
    }

    fn name(&self, setup: &Setup) -> String {
        let (WinPercentageConfig { games, seed, .. }, lexicon) = (&self.config, &setup.lexicon.name);
        format!("win-percentage-{lexicon}-{}-{games}-games-{seed}", setup.tileset.name())
    }

    fn finish(&self, finished: Finished<'_, WinPercentageRun<'_>>, _player: &Player) -> Result<Told, Failure> {
        let Finished { run, outcome, artefact, json, file } = finished;
        let WinPercentageRun { setup, player, .. } = *run;
        let comparison = run.compare(&outcome);
        let summary = summary::in_short(setup, &player.name, &outcome, &comparison);
        if let Some(artefact) = artefact {
            artefact.add(SUMMARY_FILE, &summary)?;
            let page = summary::write_page(outcome.tally.games, &outcome.table, &comparison, artefact.manifest());
            artefact.add(PAGE_FILE, page)?;
        }
        let trained = TrainedWinTable {
            run: json,
            player: &player.name,
            training_games: outcome.tally.games,
            training_turns: outcome.tally.turns(),
            loss: outcome.losses.last().copied(),
            held_out: &comparison,
        };
        Ok(Told { summary, times: None, written: file.write_json(&trained) })
    }

    fn next(&self, out: &Path, _setup: &Setup, _player: &Player) -> String {
        let page = out.join(PAGE_FILE);
        format!(
            "The table is in {}, and its page is {}.\nNext: tilewright win-percentage show {}{}",
            out.display(),
            page.display(),
            shell_word(&out.to_string_lossy()),
            self.flags.common.game.repeated()
        )
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct TrainedWinTable<'a> {
    #[serde(flatten)]
    run: RunJson,
    player: &'a str,
    training_games: u64,
    training_turns: u64,
    /// The final loss of the network above the smallest possible loss, in nats per turn.
    loss: Option<f64>,
    /// The scores of the tables on held-out games, as `win-percentage eval` writes them.
    held_out: &'a Comparison,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ShownTable<'a> {
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
    let [out, json] = arguments.json.files(arguments.save.as_deref())?;
    loading::start_threads(arguments.flags.threads)?;
    let name = arguments.table.as_deref().unwrap_or(EMBEDDED);
    let table = shown_table(name, &arguments.flags.game)?;
    output::show_in(&ShownTable { table: name, grid: Grid::new(&table) }, out, json)
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct ExportedTable {
    format: WinPercentageFormat,
}

pub fn export(arguments: &WinPercentageExportArguments) -> Result<(), Failure> {
    let known = ".csv (Macondo) or .txt (MAGPIE)";
    let format = output::format_of(&arguments.save, arguments.format, known, |extension| match extension {
        "csv" => Some(WinPercentageFormat::Macondo),
        "txt" => Some(WinPercentageFormat::Magpie),
        _ => None,
    })?;
    let [out, json] = arguments.json.files(Some(&arguments.save))?;
    loading::start_threads(arguments.flags.threads)?;
    let table = shown_table(&arguments.table, &arguments.flags.game)?;
    let (text, form) = match format {
        WinPercentageFormat::Macondo => (other_tools::macondo(&table), "as Macondo reads it, by spread and unseen tiles"),
        WinPercentageFormat::Magpie => (other_tools::magpie(&table), "as MAGPIE reads it, by unseen tiles and spread"),
        WinPercentageFormat::Full => (csv::write(&table), "in full, by tiles in the bag and on both racks"),
    };
    let written = out.export(text.into_bytes(), ExportedTable { format }, format!("win table {form}"))?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// Games per shard. Standard errors are taken over shards.
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
    let load = |name: String| table_named(&name, &setup, game).map(|table| (name, table));
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
