//! The names of win tables and players in flags.

use std::path::Path;

use tilewright_engine::win_percentage::embedded::DefaultWinTable;
use tilewright_engine::win_percentage::load::WIN_PERCENTAGE_KIND;
use tilewright_engine::win_percentage::scaled::scaled;
use tilewright_engine::{Player, PlayerSpec, Setup, WinPercentage};

pub use tilewright_train::win_percentage::artefact::SCALED;

use crate::flags::GameFlags;
use crate::loading::{self, Opened};
use crate::{Failure, Input};

pub const EMBEDDED: &str = "embedded";

/// The win table with this name, or from this path.
pub fn table(name: &str, setup: &Setup, game: &GameFlags) -> Result<WinPercentage, Failure> {
    match name {
        SCALED => Ok(scaled(&setup.tileset)),
        EMBEDDED => match WinPercentage::for_setup(setup) {
            (_, Some(DefaultWinTable::Scaled { .. })) => Err(Failure::input(format!(
                "no win table is embedded for the {} tile set; name one that tilewright win-percentage train made, or {SCALED}",
                setup.tileset.name()
            ))),
            (table, warning) => {
                loading::warn_of(game, warning.as_ref());
                Ok(table)
            }
        },
        path => WinPercentage::load(Path::new(path), game.loader(setup)).input(),
    }
}

/// Like [`table`], for a verb that only shows or converts a table: an artefact has its own tile set.
pub fn shown_table(name: &str, game: &GameFlags) -> Result<WinPercentage, Failure> {
    if [EMBEDDED, SCALED].contains(&name) {
        return table(name, &loading::few_positions(game)?, game);
    }
    let Opened { content, tileset, .. } = loading::open(Path::new(name), WIN_PERCENTAGE_KIND, game)?;
    WinPercentage::read(&content, &tileset).input()
}

/// The player of the games; by default the embedded leave table. It must be static: only then
/// does the rest of a game not depend on the lead.
pub fn player(named: Option<&PlayerSpec>, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    loading::static_player(named, "player", ", and its moves may depend on the lead", setup, game)
}
