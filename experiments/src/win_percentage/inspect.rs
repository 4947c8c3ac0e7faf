//! `win-percentage show` and `export`.

use tilewright_engine::win_percentage::{csv, export as other_tools};

use super::flags::{WinPercentageExportArguments, WinPercentageFormat, WinPercentageShowArguments};
use super::naming::{EMBEDDED, table};
use super::summary;
use crate::failure::Failure;
use crate::loading;
use crate::output::{self, NewFile};

/// `win-percentage show`.
pub fn show(arguments: &WinPercentageShowArguments) -> Result<(), Failure> {
    let out = NewFile::new(arguments.out.as_deref())?;
    let setup = loading::start_for_few_positions(&arguments.flags)?;
    let name = arguments.table.as_deref().unwrap_or(EMBEDDED);
    let table = table(name, &setup, &arguments.flags.game)?;
    output::show_text(&format!("{name}\n{}", summary::grid(&table)), out)
}

/// `win-percentage export`.
pub fn export(arguments: &WinPercentageExportArguments) -> Result<(), Failure> {
    let name = arguments.out.to_string_lossy().to_lowercase();
    let named = match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.') {
        Some((_, "csv")) => Some(WinPercentageFormat::Macondo),
        Some((_, "txt")) => Some(WinPercentageFormat::Magpie),
        _ => None,
    };
    let format = arguments.format.or(named).ok_or_else(|| {
        Failure::input(format!("{}: use .csv (Macondo) or .txt (MAGPIE), or add --format", arguments.out.display()))
    })?;
    let out = NewFile::new(Some(&arguments.out))?;
    let setup = loading::start_for_few_positions(&arguments.flags)?;
    let table = table(&arguments.table, &setup, &arguments.flags.game)?;
    let text = match format {
        WinPercentageFormat::Macondo => other_tools::macondo(&table),
        WinPercentageFormat::Magpie => other_tools::magpie(&table),
        WinPercentageFormat::Full => csv::write(&table),
    };
    out.export(text.into_bytes(), "win table")
}
