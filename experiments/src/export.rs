//! `export`: the tables of a run (by the kind in its key or manifest) or of a file as a dataset. A dataset has tidy Parquet
//! or CSV files and a `schema.json` with the meaning of every column.
//!
//! The code that makes a table owns its schema. The data dictionary in `notebooks-export` is written from the same schemas.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use tilewright_engine::artefact::{Artefact, MANIFEST, Manifest};
use tilewright_engine::input_file::{self, limits};
use tilewright_engine::leave::load::LEAVES_KIND;
use tilewright_engine::monitor::NoMonitor;
use tilewright_engine::series::Pair;
use tilewright_engine::win_percentage::load::WIN_PERCENTAGE_KIND;
use tilewright_engine::{LeaveTable, TileSet, WinPercentage};
use tilewright_train::candidates::OnSets;
use tilewright_train::evolve::artefact::{self as evolution, LOG_FILE, read_log};
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::Evolution;
use tilewright_train::journal::StoredRun;
use tilewright_train::leaves::detail::{self, Detail};
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::run::LeavesRun;
use tilewright_train::network::artefact::read_report;
use tilewright_train::network::dataset as network;
use tilewright_train::network::run::NetworkRun;
use tilewright_train::pair_records::{self, Groups};
use tilewright_train::parquet_file::{self, Column};
use tilewright_train::records::{self, RECORDS_KIND, RecordTable};
use tilewright_train::run::{Run, kind};
use tilewright_train::run_config::RunConfig;
use tilewright_train::schema::{Field, Schema, Table};
use tilewright_train::selfplay::{Selfplay, valued};
use tilewright_train::stored_match::{MatchRun, StoredMatch};
use tilewright_train::td::artefact::TdRun;
use tilewright_train::td::course::Course;
use tilewright_train::win_percentage::run::WinPercentageRun;
use tilewright_train::{match_games, win_percentage};

use crate::flags::GameFlags;
use crate::loading::Opened;
use crate::network::EvaluationFile;
use crate::report::markdown;
use crate::{Failure, InFile, Input, Progress, experiment, loading, output, say};

pub mod dataset;

use dataset::{Dataset, ExportArguments};

pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    if let (Some(run), Some(out)) = (&arguments.run, &arguments.out) {
        export(arguments, run, out)
    } else {
        say!("{}", page().trim_end());
        Ok(())
    }
}

/// The config in the folder of a run.
const CONFIG_FILE: &str = "config.toml";

/// Exports a run.
///
/// # Errors
/// [`Failure::Input`] if it is no run that has tables, or damaged.
pub fn export(arguments: &ExportArguments, run: &Path, out: &Path) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let game = &arguments.flags.game;
    let waiting = Progress::waiting(game.quiet, "exporting");
    let new = |about| Dataset::new(out, arguments.format, about);
    let dataset = if run.is_file() {
        if is_parquet(run)? { pairs(run, new)? } else { evaluation(run, new)? }
    } else if run.join(MANIFEST).is_file() {
        let artefact = Artefact::read_any(run).input()?;
        let mut dataset = new(about(artefact.manifest()))?;
        add_artefact(&artefact, game, &mut dataset)?;
        dataset
    } else {
        match StoredRun::open(run)?.map(|stored| stored.key.kind).as_deref() {
            Some(kind::STUDY) if run.join(experiment::SUMMARY).is_file() => {
                let (lines, about) = experiment::lines(run)?;
                let mut dataset = new(about)?;
                dataset.add(&experiment::LINES_SCHEMA, run, &lines)?;
                dataset
            }
            _ => return Err(unknown(run)),
        }
    };
    drop(waiting);
    output::show(&dataset.finish()?, json)
}

/// Adds the tables of an artefact, by its kind, and of the run that made it.
fn add_artefact(artefact: &Artefact, game: &GameFlags, dataset: &mut Dataset<'_>) -> Result<(), Failure> {
    let (run, manifest) = (artefact.folder(), artefact.manifest());
    match manifest.kind.as_str() {
        RECORDS_KIND => add_records(artefact, dataset),
        kind::MATCH => {
            let stored = StoredMatch::open(run, &NoMonitor).input()?;
            let (mut groups, mut added) = (Groups::default(), Ok(()));
            let add = |pair: Pair| {
                if let Some(full) = groups.add(&pair).filter(|_| added.is_ok()) {
                    added = dataset.add_tables(run, [full]);
                }
            };
            stored.each(&NoMonitor, add).input()?;
            added?;
            let rest = groups.rest();
            if rest.rows() > 0 || stored.pairs == 0 { dataset.add_tables(run, [rest]) } else { Ok(()) }
        }
        LEAVES_KIND => {
            let Opened { content, tileset, .. } = loading::open(run, LEAVES_KIND, game)?;
            add_leaves(artefact, &LeaveTable::read(&content, &tileset).input()?, &tileset, dataset)
        }
        WIN_PERCENTAGE_KIND => {
            let Opened { content, tileset, .. } = loading::open(run, WIN_PERCENTAGE_KIND, game)?;
            let table = WinPercentage::read(&content, &tileset).input()?;
            dataset.add_tables(run, [win_percentage::artefact::rows(&table)])
        }
        _ if manifest.run == kind::EVOLVE => {
            let log = String::from_utf8(artefact.payload(LOG_FILE).input()?);
            let log = log.map_err(|error| Failure::input(format!("{LOG_FILE}: {error}")))?;
            add_evolution(run, &log, &manifest.config, dataset)
        }
        own => {
            let tables = learning(artefact)?;
            if tables.is_empty() {
                return Err(Failure::input(format!("{} is a {own} artefact, which has no tables", run.display())));
            }
            dataset.add_tables(run, tables)
        }
    }
}

fn unknown(run: &Path) -> Failure {
    let run = run.display();
    Failure::input(format!(
        "{run} is no run with tables; name a folder of selfplay, match --out or --games-out, leaves train, evolve, td, network train, \
         win-percentage train or experiment run, or a file of match --pairs-out or network eval --json"
    ))
}

/// The facts of the run in a manifest.
fn about(manifest: &Manifest) -> BTreeMap<String, String> {
    let named = [
        ("kind", &manifest.kind),
        ("lexicon", &manifest.lexicon.name),
        ("lexicon_hash", &manifest.lexicon.hash),
        ("tileset", &manifest.tileset.name),
        ("version", &manifest.code_version),
        ("config", &manifest.config),
    ];
    let seed = ("seed".to_string(), manifest.seed.to_string());
    named.map(|(key, value)| (key.to_string(), value.clone())).into_iter().chain([seed]).collect()
}

/// All columns of a file of an artefact, which has the tables of a schema.
fn columns(schema: &Schema, path: &Path, bytes: Vec<u8>) -> Result<Vec<(String, Column)>, Failure> {
    let names = parquet_file::names(path, bytes.clone()).input()?;
    let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = schema.read(path, bytes, &wanted).input()?;
    Ok(names.into_iter().zip(columns).collect())
}

fn add_records(artefact: &Artefact, dataset: &mut Dataset<'_>) -> Result<(), Failure> {
    for name in artefact.manifest().files.keys() {
        let path = artefact.path(name);
        let table = |schema| columns(schema, &path, artefact.payload(name).input()?);
        if name.starts_with("games-") {
            let turns = table(&records::SCHEMA)?;
            let games = records::games(&turns).in_file(&path)?;
            dataset.add_tables(&path, [games])?;
            dataset.add(&records::SCHEMA, &path, &turns)?;
        } else if name.starts_with("candidates-") {
            let schema = &match_games::CANDIDATES_SCHEMA;
            dataset.add(schema, &path, &table(schema)?)?;
        } else if RecordTable::Candidates.has(name) {
            dataset.add(&valued::SCHEMA, &path, &table(&valued::SCHEMA)?)?;
        }
    }
    Ok(())
}

fn add_leaves(artefact: &Artefact, table: &LeaveTable, tileset: &TileSet, dataset: &mut Dataset<'_>) -> Result<(), Failure> {
    let unknown = || {
        let leaves = table.values().len();
        Detail { support: vec![0; leaves], standard_error: vec![f64::NAN; leaves] }
    };
    let detail = Detail::read(artefact, table).input()?.unwrap_or_else(unknown);
    dataset.add(&detail::SCHEMA, artefact.folder(), &detail.columns(table, tileset))?;
    if let Some(generations) = Generations::read(artefact).input()? {
        dataset.add_tables(artefact.folder(), generations.tables())?;
    }
    dataset.add_tables(artefact.folder(), learning(artefact)?)
}

/// The course of learning of an artefact of TD or a network, or nothing for other artefacts.
fn learning(artefact: &Artefact) -> Result<Vec<Table>, Failure> {
    let course = Course::read(artefact).input()?.into_iter().flat_map(|course| course.tables());
    let report = read_report(artefact).input()?.into_iter().flat_map(|report| network::of_report(&report));
    Ok(course.chain(report).collect())
}

fn add_evolution(run: &Path, log: &str, config: &str, dataset: &mut Dataset<'_>) -> Result<(), Failure> {
    let config = EvolveConfig::from_toml(config, &run.join(CONFIG_FILE).display().to_string()).input()?;
    let log = read_log(log, &config).in_file(&run.join(LOG_FILE))?;
    dataset.add_tables(run, [evolution::generations(&config, &log), evolution::candidates(&config, &log)])
}

/// Whether a file begins as a Parquet file does.
fn is_parquet(file: &Path) -> Result<bool, Failure> {
    let mut start = Vec::new();
    let read = input_file::open(file, limits::TABLE).and_then(|opened| opened.take(4).read_to_end(&mut start));
    read.in_file(file)?;
    Ok(start == b"PAR1")
}

/// The figures of a file of `network eval`.
fn evaluation<'a>(
    file: &Path,
    new: impl FnOnce(BTreeMap<String, String>) -> Result<Dataset<'a>, Failure>,
) -> Result<Dataset<'a>, Failure> {
    let path = file.display();
    let text = input_file::read_up_to(file, limits::JSON).in_file(file)?;
    let EvaluationFile { path: network, identity, tileset, lexicon, seed, games, evaluation, .. } =
        serde_json::from_slice(&text).map_err(|error| {
            Failure::input(format!("{path} is neither Parquet of match --pairs-out nor JSON of network eval: {error}"))
        })?;
    let about = [
        ("kind", "network evaluation".into()),
        ("network", network),
        ("network_hash", identity),
        ("tileset", tileset),
        ("lexicon", lexicon),
        ("seed", seed.to_string()),
        ("games", games.to_string()),
    ];
    let mut dataset = new(about.map(|(key, value)| (key.to_string(), value)).into())?;
    dataset.add_tables(file, network::of_evaluation(&evaluation))?;
    Ok(dataset)
}

/// The pairs of a file. Its marks name the match.
fn pairs<'a>(
    file: &Path,
    new: impl FnOnce(BTreeMap<String, String>) -> Result<Dataset<'a>, Failure>,
) -> Result<Dataset<'a>, Failure> {
    let schema = &pair_records::SCHEMA;
    let names: Vec<&str> = schema.fields.iter().map(|field| field.name).collect();
    let about = parquet_file::marks(file).input()?.into_iter().chain([("kind".to_string(), "pairs".to_string())]);
    let mut dataset = new(about.collect())?;
    let opened = input_file::open(file, limits::TABLE).in_file(file)?;
    for columns in schema.groups(file, &opened, &names) {
        let names = names.iter().copied().map(String::from);
        dataset.add(schema, file, &names.zip(columns.input()?).collect::<Vec<_>>())?;
    }
    Ok(dataset)
}

/// The tables of all kinds of runs.
fn schemas() -> Vec<&'static Schema> {
    fn of<R: Run>() -> &'static [&'static Schema] {
        R::TABLES
    }
    [
        of::<Selfplay<'_>>(),
        of::<MatchRun<'_>>(),
        &[&match_games::CANDIDATES_SCHEMA],
        of::<LeavesRun<'_>>(),
        of::<Evolution<'_>>(),
        of::<TdRun<'_>>(),
        of::<OnSets<'_, NetworkRun<'_>>>(),
        of::<WinPercentageRun<'_>>(),
        &[&experiment::LINES_SCHEMA],
    ]
    .concat()
}

pub fn page() -> String {
    let mut page = String::from(
        "# Data dictionary\n\nThe tables that `tilewright export RUN --out DIR` writes. `tilewright export --dictionary` prints this page; \
         a test compares the two.\nA name that ends in `*` stands for columns that begin so.\n\nIn CSV a text that begins with `=`, `+`, `-`, `@`, a tab or a \
         carriage return, such as an exchange, has an apostrophe before it, so that no spreadsheet computes it. NaN is an empty cell.\n",
    );
    for Schema { name, row, fields } in schemas() {
        let cells = |field: &Field| {
            let kind = format!("{:?}", field.kind).to_lowercase();
            vec![field.name.into(), kind, field.unit.into(), field.view.into(), field.meaning.into()]
        };
        let table = markdown::table(&["`column", "type", "unit", "point of view", "meaning"], fields.iter().map(cells));
        page += &format!("\n## `{name}`\n\nA row is {row}.\n\n{table}");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_the_repository_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../notebooks-export/data-dictionary.md");
        let committed = std::fs::read_to_string(path).unwrap();
        assert_eq!(committed, page(), "write it with: tilewright export --dictionary > notebooks-export/data-dictionary.md");
    }

    #[test]
    fn no_two_tables_have_one_name() {
        let schemas = schemas();
        for (at, schema) in schemas.iter().enumerate() {
            assert!(schemas[..at].iter().all(|other| other.name != schema.name), "{}", schema.name);
            for (at, field) in schema.fields.iter().enumerate() {
                assert!(schema.fields[..at].iter().all(|other| other.name != field.name), "{}", field.name);
            }
        }
    }
}
