//! `leaves show`, `diff` and `export`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use tilewright_engine::artefact::{Artefact, ArtefactOrFile, MANIFEST};
use tilewright_engine::leave::embedded::embedded;
use tilewright_engine::leave::load::{LEAVES_KIND, LeaveTableError};
use tilewright_engine::leave::{LeaveTable, csv, klv};
use tilewright_engine::rack::Rack;
use tilewright_engine::series::NORMAL_95;
use tilewright_engine::setup::Setup;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::difference::Difference;

use super::flags::{LeavesDiffArguments, LeavesExportArguments, LeavesFormat, LeavesShowArguments};
use crate::failure::{Failure, Input};
use crate::flags::GameFlags;
use crate::loading;
use crate::output::{self, NewFile};

/// Loads the leave table of a path, with its artefact if it has one; warns of estimated values on standard error.
pub(super) fn load(path: &Path, setup: &Setup, game: &GameFlags) -> Result<(LeaveTable, Option<Artefact>), Failure> {
    let place = ArtefactOrFile::open(path, LEAVES_KIND, game.loader(setup)).map_err(LeaveTableError::from).input()?;
    let table = LeaveTable::read(&place, &setup.tileset).input()?;
    loading::warn(game, table.estimate_warning(path).as_deref());
    Ok((table, place.artefact()))
}

fn leave(text: &str, setup: &Setup, table: &LeaveTable) -> Result<Rack, Failure> {
    let leave = Rack::parse(text, &setup.tileset).input()?;
    let most = table.ranking().max_size();
    if leave.is_empty() || leave.size() > most {
        return Err(Failure::input(format!("{text:?} has {} tiles; a leave has 1 to {most}", leave.size())));
    }
    Ok(leave)
}

/// `leaves show`.
pub fn show(arguments: &LeavesShowArguments) -> Result<(), Failure> {
    let (mut text, out) = (String::new(), NewFile::new(arguments.out.as_deref())?);
    let (setup, game) = (loading::start_for_few_positions(&arguments.flags)?, &arguments.flags.game);
    let (name, table, detail) = match arguments.table.clone().or_else(newest_table) {
        Some(path) => {
            let (table, artefact) = load(&path, &setup, game)?;
            let detail = artefact.map(|artefact| Detail::read(&artefact, &table)).transpose().input()?;
            (path.display().to_string(), table, detail.flatten())
        }
        None => ("the embedded table".into(), embedded(game.loader(&setup)).input()?.0, None),
    };
    writeln!(text, "{name}")?;
    writeln!(text, "leave      value    95 % interval       support")?;
    for named in &arguments.leaves {
        let leave = leave(named, &setup, &table)?;
        let index = table.ranking().rank(&leave);
        let value = table.values()[index].points();
        let name = leave.show(&setup.tileset);
        match &detail {
            None => writeln!(text, "{name:<8} {value:>7.2}    unknown: a bare table has no support")?,
            Some(detail) => {
                let half = NORMAL_95 * detail.standard_error[index];
                let interval = format!("{:.2} to {:.2}", value - half, value + half);
                let (turns, boards) = (detail.support[index], detail.boards[index]);
                writeln!(text, "{name:<8} {value:>7.2}    {interval:<18} {turns:>8} turns, {boards} boards")?;
            }
        }
    }
    output::show_text(&text, out)
}

/// The newest finished leave artefact in `runs`.
pub(super) fn newest_table() -> Option<PathBuf> {
    let folders = std::fs::read_dir("runs").ok()?.flatten().map(|entry| entry.path());
    let finished = folders.filter_map(|folder| {
        let name = folder.file_name()?.to_string_lossy().into_owned();
        let time = folder.join(MANIFEST).metadata().ok()?.modified().ok()?;
        name.starts_with("leaves-").then_some((time, folder))
    });
    finished.max().map(|(_, folder)| folder)
}

/// `leaves diff`.
pub fn diff(arguments: &LeavesDiffArguments) -> Result<(), Failure> {
    let (mut text, out) = (String::new(), NewFile::new(arguments.out.as_deref())?);
    let (setup, game) = (loading::start_for_few_positions(&arguments.flags)?, &arguments.flags.game);
    let (a, _) = load(&arguments.a, &setup, game)?;
    let (b, _) = load(&arguments.b, &setup, game)?;
    let difference = Difference::between(&a, &b, &setup.tileset);
    writeln!(text, "a: {}\nb: {}", arguments.a.display(), arguments.b.display())?;
    writeln!(text, "tiles   leaves  correlation  mean |a - b|  root mean square")?;
    for row in &difference.by_length {
        let label = row.tiles.map_or("all".to_string(), |tiles| tiles.to_string());
        writeln!(
            text,
            "{label:>5} {:>8}  {:>11.4}  {:>12.3}  {:>16.3}",
            row.leaves, row.correlation, row.mean_absolute, row.root_mean_square
        )?;
    }
    writeln!(
        text,
        "\nThe averages weight each leave by how often a random full rack contains it. The largest differences:"
    )?;
    writeln!(text, "leave         a         b     a - b   racks that contain it")?;
    for index in difference.largest(arguments.top) {
        let leave = a.ranking().unrank(index);
        let (value_a, value_b) = (a.values()[index].points(), b.values()[index].points());
        writeln!(
            text,
            "{:<8} {value_a:>8.2}  {value_b:>8.2}  {:>8.2}   {:.5} %",
            leave.show(&setup.tileset),
            value_a - value_b,
            100.0 * difference.weight(index)
        )?;
    }
    output::show_text(&text, out)
}

/// `leaves export`.
pub fn export(arguments: &LeavesExportArguments) -> Result<(), Failure> {
    let name = arguments.out.to_string_lossy().to_lowercase();
    let named = match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.') {
        Some((_, "klv2" | "klv")) => Some(LeavesFormat::Klv2),
        Some((_, "csv")) => Some(LeavesFormat::Csv),
        _ => None,
    };
    let format = arguments.format.or(named).ok_or_else(|| {
        Failure::input(format!("{}: unknown extension; use .klv2 or .csv, or add --format", arguments.out.display()))
    })?;
    let out = NewFile::new(Some(&arguments.out))?;
    let (setup, game) = (loading::start_for_few_positions(&arguments.flags)?, &arguments.flags.game);
    let (table, _) = load(&arguments.table, &setup, game)?;
    let bytes = match format {
        LeavesFormat::Klv2 => klv::write(&table).input()?,
        LeavesFormat::Csv => csv::write(&table, &setup.tileset).into_bytes(),
    };
    out.export(bytes, format_args!("{} leaves", table.values().len() - 1))
}
