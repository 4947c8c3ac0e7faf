//! The table that a verb names, with the tile set that spells its leaves.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tilewright_engine::artefact::{Artefact, MANIFEST};
use tilewright_engine::leave::load::LEAVES_KIND;
use tilewright_engine::{Layout, LeaveData, LeaveTable, Setup, TileSet};
use tilewright_train::leaves::detail::Detail;

use crate::flags::GameFlags;
use crate::loading::{self, Opened};
use crate::{Failure, Input};

pub const EMBEDDED: &str = "embedded";

/// Where a table is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Embedded,
    /// An artefact folder, or a bare file.
    Path(PathBuf),
}

impl Place {
    pub fn named(path: &Path) -> Place {
        if path == Path::new(EMBEDDED) { Place::Embedded } else { Place::Path(path.into()) }
    }

    /// The place that a user named, or else the newest finished artefact in `runs` for the game of the flags, or the embedded table.
    /// Flags that name neither a tile set nor a lexicon fit every artefact.
    pub fn named_or_newest(path: Option<&Path>, game: &GameFlags) -> Result<Place, Failure> {
        match path {
            Some(path) => Ok(Place::named(path)),
            None => Ok(newest(game)?.map_or(Place::Embedded, Place::Path)),
        }
    }
}

/// The newest finished leave artefact in `runs` for the game of the flags.
fn newest(game: &GameFlags) -> Result<Option<PathBuf>, Failure> {
    let Ok(entries) = std::fs::read_dir("runs") else { return Ok(None) };
    let mut finished: Vec<_> = entries
        .flatten()
        .filter_map(|entry| Some((entry.path().join(MANIFEST).metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    finished.sort_by(|a, b| b.cmp(a));
    let artefacts = finished.into_iter().filter_map(|(_, folder)| Artefact::read(&folder, LEAVES_KIND).ok());
    let mut artefacts = artefacts.peekable();
    if artefacts.peek().is_none() {
        return Ok(None);
    }
    // A lexicon is for a tile set, the default one unless a flag names another. A tile set alone fits tables of any lexicon.
    let wants_rules = game.tileset.is_some() || game.lexicon.is_some();
    let rules = wants_rules.then(|| loading::tileset_and_layout(game.tileset_name())).transpose()?;
    let words = |(tileset, layout): &(TileSet, Layout)| loading::lexicon(game, tileset, layout);
    let lexicon = rules.as_ref().filter(|_| game.lexicon.is_some()).map(words).transpose()?;
    let found = artefacts.find(|artefact| {
        rules.as_ref().is_none_or(|(tileset, layout)| artefact.check_rules(tileset, layout).is_ok())
            && lexicon.as_ref().is_none_or(|lexicon| game.accept_other_lexicon || artefact.check_lexicon(lexicon).is_ok())
    });
    Ok(found.map(|artefact| artefact.folder().to_path_buf()))
}

/// A leave table with the tile set that spells its leaves.
pub struct OpenTable {
    /// The path of the table as it was named, or words for the embedded one.
    pub name: String,
    pub is_embedded: bool,
    pub table: LeaveTable,
    pub tileset: TileSet,
    pub layout: Layout,
    /// The artefact that holds the table, if one does.
    pub artefact: Option<Artefact>,
}

impl OpenTable {
    /// Reads a table, and warns of estimated values on standard error.
    ///
    /// # Errors
    /// [`Failure::Input`] if it cannot be read, or if it is an artefact for another tile set or lexicon than the flags name.
    pub fn open(place: &Place, game: &GameFlags) -> Result<OpenTable, Failure> {
        let Place::Path(path) = place else {
            let setup = loading::few_positions(game)?;
            let embedded = LeaveData::embedded(game.loader(&setup));
            let embedded = embedded.map_err(|error| loading::missing_table(&error, game))?;
            let table = Arc::unwrap_or_clone(embedded.table);
            let (name, Setup { tileset, layout, .. }) = ("the embedded table".into(), setup);
            return Ok(OpenTable { name, is_embedded: true, table, tileset, layout, artefact: None });
        };
        let Opened { content, tileset, layout } = loading::open(path, LEAVES_KIND, game)?;
        let table = LeaveTable::read(&content, &tileset).input()?;
        loading::warn(game, table.estimate_warning(path).as_deref());
        let (name, artefact) = (path.display().to_string(), content.artefact());
        Ok(OpenTable { name, is_embedded: false, table, tileset, layout, artefact })
    }

    /// Support and standard errors of the values, if the artefact has them.
    pub fn detail(&self) -> Result<Option<Detail>, Failure> {
        let detail = self.artefact.as_ref().map(|artefact| Detail::read(artefact, &self.table)).transpose().input()?;
        Ok(detail.flatten())
    }

    /// The name, with the lexicon if it is known.
    pub fn title(&self) -> String {
        match &self.artefact {
            Some(artefact) => format!("{}, for {}", self.name, artefact.manifest().lexicon.name),
            None => self.name.clone(),
        }
    }
}
