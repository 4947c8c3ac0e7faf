//! `win-percentage show`, `export`.

use tilewright_engine::artefact::write_atomically;
use tilewright_engine::win_percentage::{csv, export as other_tools};

use super::flags::{WinPercentageExportArguments, WinPercentageFormat, WinPercentageShowArguments};
use super::naming::{EMBEDDED, table};
use super::summary;
use crate::failure::Failure;
use crate::output::{Page, say};
use crate::{folder, loading};

/// `win-percentage show`.
pub fn show(arguments: &WinPercentageShowArguments) -> Result<(), Failure> {
    let mut page = Page::new(arguments.out.as_deref())?;
    loading::set_threads(&arguments.run)?;
    let setup = loading::setup_for_few_positions(&arguments.game)?;
    let name = arguments.table.as_deref().unwrap_or(EMBEDDED);
    let table = table(name, &setup, &arguments.game)?;
    page.line(name);
    page.line(summary::grid(&table));
    page.finish()
}

/// `win-percentage export`.
pub fn export(arguments: &WinPercentageExportArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    let name = arguments.out.to_string_lossy().to_lowercase();
    let named = match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.') {
        Some((_, "csv")) => Some(WinPercentageFormat::Macondo),
        Some((_, "txt")) => Some(WinPercentageFormat::Magpie),
        _ => None,
    };
    let format = arguments.format.or(named).ok_or_else(|| {
        Failure::input(format!("{}: name a .csv (Macondo) or a .txt (MAGPIE), or say --format", arguments.out.display()))
    })?;
    folder::check_new_file(&arguments.out)?;
    let setup = loading::setup_for_few_positions(&arguments.game)?;
    let table = table(&arguments.table, &setup, &arguments.game)?;
    let text = match format {
        WinPercentageFormat::Macondo => other_tools::macondo(&table),
        WinPercentageFormat::Magpie => other_tools::magpie(&table),
        WinPercentageFormat::Full => csv::write(&table),
    };
    let bytes = folder::packed(&arguments.out, text.into_bytes())?;
    write_atomically(&arguments.out, &bytes)?;
    say!("{}: {:.2} MB", arguments.out.display(), bytes.len() as f64 / 1e6);
    Ok(())
}
