//! `leaves report`: a leave table as one HTML page.

use std::path::PathBuf;

use serde::Serialize;
use tilewright_engine::Artefact;
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::{WarningCounts, Warnings};

use super::flags::LeavesReportArguments;
use super::page::{self, Subject};
use super::table::{OpenTable, Place};
use crate::flags::GameFlags;
use crate::report::page::page_beside;
use crate::{Failure, Input, NewFile, loading, output};

/// The page of the embedded table, which has no path.
const EMBEDDED_PAGE: &str = "leaves-report.html";

pub fn run(arguments: &LeavesReportArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let game = &arguments.flags.game;
    loading::start_threads(&arguments.flags)?;
    let place = Place::named_or_newest(arguments.table.as_deref(), game)?;
    let out = match (&arguments.out, &place) {
        (Some(out), _) => out.clone(),
        (None, Place::Path(path)) => page_beside(path)?,
        (None, Place::Embedded) => PathBuf::from(EMBEDDED_PAGE),
    };
    let out = NewFile::new(Some(&out))?;
    let Drawn { html, warnings, is_without_support, .. } = draw(&place, game)?;
    let text = if warnings.leaves == 0 && is_without_support {
        "no leave fails the only rule that needs no support".into()
    } else {
        warnings.to_string()
    };
    let written = out.export(html.into_bytes(), WarningsOfPage { warnings }, text)?;
    written.iter().try_for_each(|written| output::show(written, json))
}

/// The page of a table.
pub struct Drawn {
    /// The lexicon of an artefact, the file name of a bare table.
    pub name: String,
    pub html: String,
    warnings: WarningCounts,
    is_without_support: bool,
}

/// Draws the page of a table.
pub fn draw(place: &Place, game: &GameFlags) -> Result<Drawn, Failure> {
    let open = OpenTable::open(place, game)?;
    let manifest = open.artefact.as_ref().map(Artefact::manifest);
    let detail = open.detail()?;
    let generations = open.artefact.as_ref().map(Generations::read).transpose().input()?.flatten();
    let warnings = Warnings::new(&open.table, detail.as_ref());
    let name = match (place, manifest) {
        (Place::Embedded, _) => format!("{EMBEDDED_NAME}, embedded"),
        (_, Some(manifest)) => manifest.lexicon.name.clone(),
        (Place::Path(path), None) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
    };
    let subject = Subject {
        name: &name,
        words: words(place, &open, game),
        tileset: &open.tileset,
        table: &open.table,
        detail: detail.as_ref(),
        warnings: &warnings,
        manifest,
        generations: generations.as_ref(),
    };
    let (html, warnings, is_without_support) = (page::write(&subject), warnings.counts(), detail.is_none());
    Ok(Drawn { name, html, warnings, is_without_support })
}

#[derive(Serialize)]
struct WarningsOfPage {
    warnings: WarningCounts,
}

/// The number of words of the lexicon that the table was made for, if its word list is at hand: the one that the flags name, or else
/// the one that the config of the artefact names. `None` for a bare file, which states no lexicon.
fn words(place: &Place, open: &OpenTable, game: &GameFlags) -> Option<usize> {
    let load = |name: &str| {
        let game = GameFlags { lexicon: Some(name.into()), ..game.clone() };
        loading::lexicon(&game, &open.tileset, &open.layout).ok()
    };
    let lexicon = match (place, &open.artefact, &game.lexicon) {
        (Place::Embedded, ..) => load(EMBEDDED_NAME),
        (_, Some(artefact), Some(named)) => load(named).filter(|lexicon| artefact.check_lexicon(lexicon).is_ok()),
        (_, Some(artefact), None) => loading::own_lexicon(artefact, &open.tileset, &open.layout),
        (_, None, _) => None,
    };
    lexicon.map(|lexicon| lexicon.report.words)
}
