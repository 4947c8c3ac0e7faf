//! The files that a match writes: checked before a game is played, and all written at the end, even if one cannot be.

use std::fmt::Display;
use std::path::{Path, PathBuf, absolute};

use tilewright_engine::folder::GrowingFolder;
use tilewright_engine::input_file;
use tilewright_engine::series::Series;
use tilewright_train::journal::Journal;
use tilewright_train::match_games::{self, GamesWriter, MatchGames};
use tilewright_train::pair_records::PairsWriter;
use tilewright_train::parquet_file;

use super::result::{self, MatchResult};
use crate::matches::request::{FileFlags, MatchRequest};
use crate::runs::{self, Context};
use crate::{Failure, NewFile, Progress};

/// The first line of the fault log of a match that was stopped begins like this.
const STOPPED: &str = "# stopped: ";

#[derive(Clone, Copy)]
pub struct MatchFiles<'a> {
    json: NewFile<'a>,
    pairs_out: NewFile<'a>,
    fault_log: NewFile<'a>,
    games: Option<GamesOut<'a>>,
}

#[derive(Clone, Copy)]
struct GamesOut<'a> {
    folder: &'a Path,
    flags: &'a FileFlags,
}

impl<'a> MatchFiles<'a> {
    /// The files of a request. The match named `work` replaces its own files from a stop.
    ///
    /// # Errors
    /// [`Failure::Input`] if one exists or cannot be written, if two are the same, and for too many pairs.
    pub fn new(request: &'a MatchRequest, context: &Context<'a>, work: &str) -> Result<MatchFiles<'a>, Failure> {
        let left = runs::left_behind(context.out);
        let is_own =
            |path: &Path, stopped: Option<String>| stopped.is_some_and(|own| own == work) || runs::is_among(&left, path);
        let (flags, json) = (&request.files, context.json.path());
        let [pairs_out, fault_log] = [&flags.pairs_out, &flags.fault_log].map(Option::as_deref);
        let named = [("--json", json), ("--pairs-out", pairs_out), ("--fault-log", fault_log)];
        check_distinct(&named)?;
        let games = flags.games_out.as_deref().map(|folder| GamesOut { folder, flags });
        if let Some(games) = &games {
            games.check_apart(&[&named[..], &[("--out", context.out)]].concat())?;
        }
        let files = MatchFiles {
            json: NewFile::new_or_own(json, |path| is_own(path, result::stopped(path)))?,
            pairs_out: NewFile::new_or_own(pairs_out, |path| is_own(path, parquet_file::stopped(path)))?,
            fault_log: NewFile::new_or_own(fault_log, |path| is_own(path, stopped_log(path)))?,
            games,
        };
        if let Some(games) = &games {
            games.check_free(|folder| is_own(folder, match_games::stopped(folder)))?;
        }
        Ok(files)
    }

    /// The writer of the pairs of a series, if they are written.
    pub fn pairs_writer(&self, series: &Series<'_>) -> Option<PairsWriter> {
        let Series { setup, players: [a, b], deals, .. } = *series;
        let marks =
            || parquet_file::marks_of_games([&a.name, &b.name], deals.seed, &setup.lexicon.name, setup.tileset.name());
        self.pairs_out.path().map(|path| PairsWriter::new(path, marks()))
    }

    /// The writer of the games of a series, if they are written.
    pub fn games_writer<'s>(
        &'s self,
        request: &'s MatchRequest,
        series: &'s Series<'_>,
        work: &'s str,
        progress: &'s Progress,
    ) -> Option<GamesWriter<'s>> {
        let GamesOut { folder, flags } = self.games?;
        let candidates = flags.candidates.unwrap_or(0) as usize;
        let games = MatchGames { series, spec: &request.spec, work, format: flags.games_format.into(), candidates };
        Some(GamesWriter::new(games, folder, progress))
    }

    /// The folder for the games.
    pub fn games(&self) -> Option<&'a Path> {
        self.games.map(|games| games.folder)
    }

    /// The files with a mark for partial results of a stopped match.
    pub fn marked(&self) -> impl Iterator<Item = &'a Path> {
        [self.json.path(), self.pairs_out.path(), self.games()].into_iter().flatten()
    }

    /// Writes all files. The first error is returned. `journal` is the journal of the match.
    pub fn write(
        &self,
        result: &MatchResult,
        pairs: Option<PairsWriter>,
        games: Option<GamesWriter<'_>>,
        faults: &str,
        journal: &Journal<'_>,
    ) -> Result<(), Failure> {
        let stopped = result.stopped.as_deref();
        let all = self.marked().chain(self.fault_log.path()).collect::<Vec<_>>();
        let may_stay = stopped.is_some() || runs::begin_outputs(journal, &all)?;
        let table = |path: &Path, pairs: PairsWriter| {
            self.pairs_out.check_absent(path)?;
            pairs.finish(stopped).map_err(Failure::from)
        };
        let table = self.pairs_out.path().zip(pairs).map_or(Ok(()), |(path, pairs)| table(path, pairs));
        let mark = stopped.map(|work| format!("{STOPPED}{work}\n")).unwrap_or_default();
        let log = self.fault_log.write(format!("{mark}{faults}").as_bytes());
        let games = games.map_or(Ok(()), |games| games.finish(stopped.is_some()).map_err(Failure::from));
        let (has_table, has_log) = (table.is_ok(), log.is_ok());
        let all = table.and(log).and(games);
        if all.is_err() && !may_stay {
            // The same command finds no file in its way.
            let own = [self.pairs_out.path().filter(|_| has_table), self.fault_log.path().filter(|_| has_log)];
            own.into_iter().flatten().for_each(|path| drop(std::fs::remove_file(path)));
        }
        all.and_then(|()| self.json.write_json(result))
    }
}

impl GamesOut<'_> {
    /// Checks that no other file or folder lies in the folder of the games, nor that folder in `--out`.
    fn check_apart(&self, others: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
        let (shown, folder) = (self.folder.display(), self.whole()?);
        for &(flag, other) in others {
            let Some(other) = other else { continue };
            let path = absolute(other).map_err(|error| self.cannot(&error))?;
            if path.starts_with(&folder) || flag == "--out" && folder.starts_with(&path) {
                let other = other.display();
                return Err(Failure::input(format!(
                    "--games-out {shown} and {flag} {other} lie in one another; choose a folder for the games alone"
                )));
            }
        }
        Ok(())
    }

    /// Checks that the folder is new, empty, or left by the match itself, and that it can be written.
    fn check_free(&self, is_own: impl Fn(&Path) -> bool) -> Result<(), Failure> {
        let folder = self.whole()?;
        let here = std::env::current_dir().map_err(|error| self.cannot(&error))?;
        let is_new = match folder.read_dir() {
            Ok(mut entries) => entries.next().is_none() && !here.starts_with(&folder),
            // A link that leads nowhere is there too.
            Err(_) => folder.symlink_metadata().is_err(),
        };
        let is_free = is_new || match_games::are_in(&folder) && is_own(&folder);
        if !is_free {
            return Err(Failure::input(format!(
                "{} already exists and is never overwritten; choose another name for --games-out",
                self.folder.display()
            )));
        }
        GrowingFolder::new(&folder).map(drop).map_err(|error| self.cannot(&error))
    }

    fn whole(&self) -> Result<PathBuf, Failure> {
        absolute(self.folder).map_err(|error| self.cannot(&error))
    }

    fn cannot(&self, error: &impl Display) -> Failure {
        Failure::input(format!("--games-out {}: cannot write there: {error}", self.folder.display()))
    }
}

/// Refuses two flags that name one file.
fn check_distinct(files: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    for (number, (flag, file)) in files.iter().enumerate() {
        let same = files[..number].iter().find(|(_, other)| file.is_some() && other == file);
        if let (Some((other, _)), Some(file)) = (same, file) {
            return Err(Failure::input(format!("{other} and {flag} both name {}; choose two files", file.display())));
        }
    }
    Ok(())
}

/// The name of the match whose fault log was stopped before its end, or `None` for any other file.
fn stopped_log(path: &Path) -> Option<String> {
    let text = input_file::read_text(path).ok()?;
    Some(text.lines().next()?.strip_prefix(STOPPED)?.to_string())
}
