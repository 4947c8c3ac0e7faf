//! `leaves report`: a leave table as one HTML page.

use std::path::{Path, PathBuf};

use tilewright_engine::artefact::{Identity, Manifest, write_atomically};
use tilewright_engine::player::naming::{LEAVES_KIND, load_leaves};
use tilewright_engine::setup::Setup;
use tilewright_train::leaves::detail::{DETAIL_FILE, Detail};
use tilewright_train::leaves::generations::{GENERATIONS_FILE, Generations};
use tilewright_train::leaves::warnings::Warnings;

use super::inspect::newest_table;
use crate::arguments::LeavesReportArguments;
use crate::failure::{Failure, Input};
use crate::leaves_page::{self, Subject};
use crate::page::say;
use crate::{folder, loading};

/// `leaves report`.
pub fn run(arguments: &LeavesReportArguments) -> Result<(), Failure> {
    loading::set_threads(&arguments.run)?;
    let path = match &arguments.table {
        Some(path) => path.clone(),
        None => newest_table().ok_or_else(|| Failure::input("no leave table in runs; name one"))?,
    };
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => default_out(&path).ok_or_else(|| Failure::input(format!("{}: name a page with --out", path.display())))?,
    };
    folder::check_new_file(&out)?;
    let setup = loading::setup_for_few_positions(&arguments.game)?;
    let table = load_leaves(&path, &setup, arguments.game.accept_other_lexicon).input()?;
    let manifest = if path.is_dir() {
        Some(Manifest::load(&path, LEAVES_KIND, &setup, arguments.game.accept_other_lexicon).input()?)
    } else {
        None
    };
    let holds = |file: &str| manifest.as_ref().is_some_and(|manifest| manifest.files.contains_key(file));
    let detail = holds(DETAIL_FILE).then(|| Detail::read(&path, &table)).transpose().input()?;
    let generations = holds(GENERATIONS_FILE).then(|| Generations::read(&path)).transpose().input()?;
    let warnings = Warnings::of(&table, detail.as_ref());
    let file = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    let page = leaves_page::write(&Subject {
        name: manifest.as_ref().map_or(&*file, |manifest| &manifest.lexicon.name),
        words: words(manifest.as_ref(), &setup),
        tileset: &setup.tileset,
        table: &table,
        detail: detail.as_ref(),
        warnings: &warnings,
        manifest: manifest.as_ref(),
        generations: generations.as_ref(),
    });
    write_atomically(&out, page.as_bytes())?;
    say!("{}: {:.1} MB; {}", out.display(), page.len() as f64 / 1e6, warnings.summary());
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
