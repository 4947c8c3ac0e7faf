//! `leaves report`: a leave table as one HTML page.

use std::path::{Path, PathBuf};

use tilewright_engine::artefact::{Artefact, Identity, Manifest};
use tilewright_engine::leave::embedded::{embedded, has_embedded};
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_engine::setup::Setup;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::Warnings;

use super::flags::LeavesReportArguments;
use super::inspect::{load, newest_table};
use super::page::{self, Subject};
use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::NewFile;

/// The page of the embedded table, which has no path.
const EMBEDDED_PAGE: &str = "leaves-report.html";

/// `leaves report`.
pub fn run(arguments: &LeavesReportArguments) -> Result<(), Failure> {
    let path = arguments.table.clone().or_else(newest_table);
    let out = match (&arguments.out, &path) {
        (Some(out), _) => out.clone(),
        (None, Some(path)) => default_out(path).ok_or_else(|| {
            Failure::input(format!("{}: no page name follows from this path; name one with --out", path.display()))
        })?,
        (None, None) => PathBuf::from(EMBEDDED_PAGE),
    };
    let out = NewFile::new(Some(&out))?;
    let (setup, game) = (loading::start_for_few_positions(&arguments.flags)?, &arguments.flags.game);
    let Some(path) = path else {
        let (table, _) = embedded(game.loader(&setup)).input()?;
        let warnings = Warnings::new(&table, None);
        let subject = Subject {
            name: &format!("{EMBEDDED_NAME}, embedded"),
            words: has_embedded(&setup).then(|| setup.lexicon.words()),
            tileset: &setup.tileset,
            table: &table,
            detail: None,
            warnings: &warnings,
            manifest: None,
            generations: None,
        };
        return write(&subject, out);
    };
    let (table, artefact) = load(&path, &setup, game)?;
    let manifest = artefact.as_ref().map(Artefact::manifest);
    let (detail, generations) = match &artefact {
        Some(artefact) => (Detail::read(artefact, &table).input()?, Generations::read(artefact).input()?),
        None => (None, None),
    };
    let warnings = Warnings::new(&table, detail.as_ref());
    let file = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    let subject = Subject {
        name: manifest.map_or(&*file, |manifest| &manifest.lexicon.name),
        words: words(manifest, &setup),
        tileset: &setup.tileset,
        table: &table,
        detail: detail.as_ref(),
        warnings: &warnings,
        manifest,
        generations: generations.as_ref(),
    };
    write(&subject, out)
}

fn write(subject: &Subject<'_>, out: NewFile<'_>) -> Result<(), Failure> {
    let warnings = match subject.detail {
        None if subject.warnings.leaves.is_empty() => "no leave fails the only rule that needs no support".into(),
        _ => subject.warnings.summary(),
    };
    out.export(page::write(subject).into_bytes(), warnings)
}

/// The number of words of the lexicon in use, if the table was made for it.
fn words(manifest: Option<&Manifest>, setup: &Setup) -> Option<usize> {
    (manifest?.lexicon == Identity::from_lexicon(setup)).then(|| setup.lexicon.words())
}

/// The default page: next to the table and with its name.
fn default_out(table: &Path) -> Option<PathBuf> {
    let name = if table.is_dir() { table.file_name() } else { table.file_stem() };
    let mut name = name?.to_os_string();
    name.push(".html");
    Some(table.with_file_name(name))
}
