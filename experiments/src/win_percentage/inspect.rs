//! `win-percentage show` and `export`.

use tilewright_engine::win_percentage::{csv, export as other_tools};

use super::flags::{WinPercentageExportArguments, WinPercentageFormat, WinPercentageShowArguments};
use super::naming::{EMBEDDED, shown_table};
use super::summary;
use crate::failure::Failure;
use crate::loading;
use crate::output::{self, NewFile};

/// `win-percentage show`.
pub fn show(arguments: &WinPercentageShowArguments) -> Result<(), Failure> {
    let out = NewFile::new(arguments.out.as_deref())?;
    loading::start_threads(&arguments.flags)?;
    let name = arguments.table.as_deref().unwrap_or(EMBEDDED);
    let table = shown_table(name, &arguments.flags.game)?;
    output::show_text(&format!("{name}\n{}", summary::grid(&table)), out)
}

/// `win-percentage export`.
pub fn export(arguments: &WinPercentageExportArguments) -> Result<(), Failure> {
    let known = ".csv (Macondo) or .txt (MAGPIE)";
    let format = output::format_of(&arguments.out, arguments.format, known, |extension| match extension {
        "csv" => Some(WinPercentageFormat::Macondo),
        "txt" => Some(WinPercentageFormat::Magpie),
        _ => None,
    })?;
    let out = NewFile::new(Some(&arguments.out))?;
    loading::start_threads(&arguments.flags)?;
    let table = shown_table(&arguments.table, &arguments.flags.game)?;
    let (text, layout) = match format {
        WinPercentageFormat::Macondo => (other_tools::macondo(&table), "as Macondo reads it, by spread and unseen tiles"),
        WinPercentageFormat::Magpie => (other_tools::magpie(&table), "as MAGPIE reads it, by unseen tiles and spread"),
        WinPercentageFormat::Full => (csv::write(&table), "in full, by tiles in the bag and on both racks"),
    };
    out.export(text.into_bytes(), format_args!("win table {layout}"))
}
