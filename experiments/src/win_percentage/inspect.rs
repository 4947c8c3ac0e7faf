//! `win-percentage show` and `export`.

use std::fmt;

use serde::Serialize;
use tilewright_engine::win_percentage::{csv, export as other_tools};

use super::flags::{WinPercentageExportArguments, WinPercentageFormat, WinPercentageShowArguments};
use super::naming::{EMBEDDED, shown_table};
use super::summary::Grid;
use crate::{Failure, loading, output};

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
