//! The games of a match, written to the folder of `--games-out`.

use std::path::Path;

use tilewright_engine::series::{MeasuredPair, Series};
use tilewright_train::match_games::{MatchGames, stopped};

use super::result::MatchResult;
use crate::failure::Failure;
use crate::matches::flags::GamesFlags;

/// The folder for the games. It is checked before the work, and appears when all games are written.
#[derive(Clone, Copy)]
pub struct GamesOut<'a> {
    folder: &'a Path,
    flags: &'a GamesFlags,
}

impl<'a> GamesOut<'a> {
    /// Checks that the folder is new or empty, or that `is_own` accepts the match that left it when it was stopped.
    ///
    /// # Errors
    /// [`Failure::Input`].
    pub fn new(flags: &'a GamesFlags, is_own: impl Fn(Option<String>) -> bool) -> Result<GamesOut<'a>, Failure> {
        let folder = flags.games_out.as_deref().unwrap_or(Path::new("."));
        let is_new = match folder.read_dir() {
            Ok(mut entries) => entries.next().is_none(),
            Err(_) => !folder.exists(),
        };
        if !is_new && !is_own(stopped(folder)) {
            return Err(Failure::input(format!(
                "{} already exists and is never overwritten; choose another name for --games-out",
                folder.display()
            )));
        }
        Ok(GamesOut { folder, flags })
    }

    /// The folder.
    pub fn folder(&self) -> &'a Path {
        self.folder
    }

    /// Writes the games.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, series: &Series<'_>, pairs: &[MeasuredPair], result: &MatchResult) -> Result<(), Failure> {
        let games = MatchGames {
            series,
            format: self.flags.games_format.into(),
            candidates: self.flags.candidates.unwrap_or(0) as usize,
        };
        Ok(games.write(pairs, self.folder, result.is_stopped.then(|| result.work()))?)
    }
}
