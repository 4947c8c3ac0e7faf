//! `leaves report`: a leave table as one HTML page.

use std::path::{Path, PathBuf};

use tilewright_engine::artefact::{Identity, Manifest, write_atomically};
use tilewright_engine::leave::embedded::{embedded, has_embedded};
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_engine::player::naming::{LEAVES_FILE, LEAVES_KIND, PlayerError};
use tilewright_engine::setup::Setup;
use tilewright_train::leaves::detail::{DETAIL_FILE, Detail};
use tilewright_train::leaves::generations::{GENERATIONS_FILE, Generations};
use tilewright_train::leaves::warnings::Warnings;

use super::flags::LeavesReportArguments;
use super::inspect::{load, newest_table};
use super::page::{self, Subject};
use crate::failure::{Failure, Input};
use crate::output::say;
use crate::{folder, loading};

/// The page of the embedded table, which has no place of its own.
const EMBEDDED_PAGE: &str = "leaves-report.html";

/// `leaves report`.
pub fn run(arguments: &LeavesReportArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    let path = arguments.table.clone().or_else(newest_table);
    let out = match (&arguments.out, &path) {
        (Some(out), _) => out.clone(),
        (None, Some(path)) => {
            default_out(path).ok_or_else(|| Failure::input(format!("{}: name a page with --out", path.display())))?
        }
        (None, None) => PathBuf::from(EMBEDDED_PAGE),
    };
    folder::check_new_file(&out)?;
    let setup = loading::setup_for_few_positions(&arguments.game)?;
    let accept_other_lexicon = arguments.game.accept_other_lexicon;
    let Some(path) = path else {
        let (table, _) = embedded(&setup, accept_other_lexicon).input()?;
        let warnings = Warnings::of(&table, None);
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
        return write(&subject, &out);
    };
    let manifest = path.is_dir().then(|| Manifest::load(&path, LEAVES_KIND, &setup, accept_other_lexicon));
    let manifest = manifest.transpose().map_err(PlayerError::from).input()?;
    // The manifest has checked its files; a folder whose manifest does not name the table is refused as everywhere.
    let file = match &manifest {
        Some(manifest) if manifest.files.contains_key(LEAVES_FILE) => path.join(LEAVES_FILE),
        _ => path.clone(),
    };
    let table = load(&file, &setup, &arguments.game)?;
    let holds = |file: &str| manifest.as_ref().is_some_and(|manifest| manifest.files.contains_key(file));
    let detail = holds(DETAIL_FILE).then(|| Detail::read(&path, &table)).transpose().input()?;
    let generations = holds(GENERATIONS_FILE).then(|| Generations::read(&path)).transpose().input()?;
    let warnings = Warnings::of(&table, detail.as_ref());
    let file = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    let subject = Subject {
        name: manifest.as_ref().map_or(&*file, |manifest| &manifest.lexicon.name),
        words: words(manifest.as_ref(), &setup),
        tileset: &setup.tileset,
        table: &table,
        detail: detail.as_ref(),
        warnings: &warnings,
        manifest: manifest.as_ref(),
        generations: generations.as_ref(),
    };
    write(&subject, &out)
}

fn write(subject: &Subject<'_>, out: &Path) -> Result<(), Failure> {
    let page = page::write(subject);
    write_atomically(out, page.as_bytes())?;
    let warnings = match subject.detail {
        None if subject.warnings.leaves.is_empty() => "no leave fails the one rule that needs no support".into(),
        _ => subject.warnings.summary(),
    };
    say!("{}: {:.1} MB; {warnings}", out.display(), page.len() as f64 / 1e6);
    Ok(())
}

/// Words of the lexicon at hand, if the table was made for it.
fn words(manifest: Option<&Manifest>, setup: &Setup) -> Option<usize> {
    (manifest?.lexicon == Identity::of_lexicon(setup)).then(|| setup.lexicon.words())
}

/// Beside the table and with its name.
fn default_out(table: &Path) -> Option<PathBuf> {
    let name = if table.is_dir() { table.file_name() } else { table.file_stem() };
    let mut name = name?.to_os_string();
    name.push(".html");
    Some(table.with_file_name(name))
}
