//! A run in its folder, read by the kind that its key or its manifest states, and the pages of leave tables and of win tables.

use std::path::Path;

use tilewright_engine::artefact::MANIFEST;
use tilewright_engine::evaluator::linear::load::{LINEAR_KIND, WEIGHTS_FILE};
use tilewright_engine::evaluator::network::load::NETWORK_KIND;
use tilewright_engine::leave::load::LEAVES_KIND;
use tilewright_engine::win_percentage::load::WIN_PERCENTAGE_KIND;
use tilewright_engine::{Artefact, input_file};
use tilewright_train::evolve::artefact::LOG_FILE;
use tilewright_train::journal::{RUN, StoredRun, WORK};
use tilewright_train::leaves::generations::ClosingMatch;
use tilewright_train::linear::artefact::REPORT_FILE;
use tilewright_train::network::artefact::read_report;
use tilewright_train::records::RECORDS_KIND;
use tilewright_train::run::kind;
use tilewright_train::run_config::RunConfig;
use tilewright_train::stored_match::spec::Hypotheses;
use tilewright_train::td::course::Course;
use tilewright_train::win_percentage::artefact::read_scores;
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::scores::StratumScores;

use super::compared::{Compared, Strength, Values};
use super::made::{Head, Made, of_unfinished};
use super::{evolution, fits, matches, records, round_robin, study};
use crate::experiment::summary::SUMMARY;
use crate::flags::GameFlags;
use crate::leaves::page::ReadTable;
use crate::leaves::table::Place;
use crate::report::html::grouped;
use crate::win_percentage::summary;
use crate::{Failure, InFile, Input, Progress};

/// Whether a folder holds a run or an artefact, damaged or not.
pub fn is_run(folder: &Path) -> bool {
    folder.join(MANIFEST).is_file() || folder.join(WORK).join(RUN).is_file()
}

/// A run in its folder.
pub struct Source<'a> {
    run: &'a Path,
    /// Its work files, unless they were removed.
    stored: Option<StoredRun>,
    /// Its artefact, if it has ended in one.
    artefact: Option<Artefact>,
}

impl<'a> Source<'a> {
    /// Opens a run, or returns `None` if the folder is none.
    ///
    /// # Errors
    /// [`Failure::Input`] if its key or its manifest is damaged.
    pub fn open(run: &'a Path) -> Result<Option<Source<'a>>, Failure> {
        let stored = StoredRun::open(run)?;
        let artefact = run.join(MANIFEST).is_file().then(|| Artefact::read_any(run).input()).transpose()?;
        let is_run = stored.is_some() || artefact.is_some();
        Ok(is_run.then_some(Source { run, stored, artefact }))
    }

    /// Checks all files of the artefact, if there is one.
    ///
    /// # Errors
    /// [`Failure::Input`] if one is damaged.
    pub fn check(&self) -> Result<(), Failure> {
        self.artefact.as_ref().map_or(Ok(()), Artefact::check_payloads).input()
    }

    /// Whether it is work that runs share, such as candidate sets.
    pub fn is_shared_work(&self) -> bool {
        [kind::CANDIDATES, kind::HELD_OUT_GAMES].contains(&self.kind())
    }

    fn kind(&self) -> &str {
        let of_artefact = self.artefact.as_ref().map(Artefact::manifest);
        let of_artefact = of_artefact.map(|manifest| if manifest.run.is_empty() { &manifest.kind } else { &manifest.run });
        let of_run = self.stored.as_ref().map(|stored| stored.key.kind.as_str());
        of_run.or(of_artefact.map(String::as_str)).unwrap_or_default()
    }

    /// Reads the run. A match draws the course of a test of `hypotheses`.
    ///
    /// # Errors
    /// [`Failure::Input`] if it is damaged, or if its kind has no page.
    pub fn read(&self, game: &GameFlags, hypotheses: Option<Hypotheses>) -> Result<Made, Failure> {
        if let Some(mut made) = self.made(game, hypotheses)? {
            if let Some(manifest) = self.artefact.as_ref().map(Artefact::manifest) {
                let [lexicon, tileset] = [&manifest.lexicon, &manifest.tileset].map(|of| Some(of.name.clone()));
                made.compared.game = GameFlags { lexicon, tileset, ..GameFlags::default() }.repeated();
                let of_kind = [
                    (LEAVES_KIND, "leave:"),
                    (LINEAR_KIND, "linear:"),
                    (NETWORK_KIND, "network:"),
                    (WIN_PERCENTAGE_KIND, ""),
                ];
                let base = of_kind.into_iter().find(|(kind, _)| *kind == manifest.kind);
                let player = base.map(|(_, base)| format!("{base}{}", self.run.display()));
                made.compared.player = made.compared.player.or(player);
            }
            return Ok(made);
        }
        match &self.stored {
            Some(stored) if self.artefact.is_none() => of_unfinished(self.run, stored),
            // A file that is missing is the better reason.
            _ => self.check().and_then(|()| {
                Err(Failure::input(format!("{} is a {} artefact, which has no page", self.run.display(), self.kind())))
            }),
        }
    }

    /// The run, by its kind. `None` if it is too young for a page of its own, or if its kind has no page.
    /// Artefacts without a run have the page of their own kind.
    fn made(&self, game: &GameFlags, hypotheses: Option<Hypotheses>) -> Result<Option<Made>, Failure> {
        let Source { run, stored, artefact } = self;
        let progress = &Progress::new(game.quiet);
        match (self.kind(), artefact, stored) {
            (kind::MATCH, _, Some(stored)) => matches::page(run, stored, hypotheses, progress),
            (kind::ROUND_ROBIN, _, Some(stored)) => round_robin::page(run, stored, progress),
            (kind::EVOLVE, Some(artefact), _) => {
                let weights = artefact.has(WEIGHTS_FILE).then(|| self.text(WEIGHTS_FILE)).transpose()?.unwrap_or_default();
                evolution::page(run, [&self.text(LOG_FILE)?, &weights], artefact.manifest(), progress).map(Some)
            }
            (kind::EVOLVE, None, Some(stored)) => evolution::page_of_unfinished(run, stored, progress),
            (kind::TD, Some(artefact), _) => {
                let course = Course::read(artefact).input()?;
                Ok(course.map(|course| fits::of_td(run, &course, artefact.manifest())))
            }
            (kind::TD, None, Some(stored)) => fits::of_unfinished_td(run, stored, progress),
            (kind::NETWORK, Some(artefact), _) => {
                let report = read_report(artefact).input()?;
                Ok(report.map(|report| fits::of_network(run, &report, artefact.manifest())))
            }
            (kind::LINEAR, Some(artefact), _) if artefact.has(REPORT_FILE) => {
                fits::of_linear(run, &self.text(REPORT_FILE)?, &self.text(WEIGHTS_FILE)?, artefact.manifest()).map(Some)
            }
            (kind::SELFPLAY | RECORDS_KIND, Some(artefact), _) => records::page(artefact, game).map(Some),
            (kind::LEAVES, Some(artefact), _) => of_leaves(run, artefact, game).map(Some),
            (kind::WIN_PERCENTAGE, Some(artefact), _) => of_win_table(artefact, game).map(Some),
            (kind::STUDY, ..) if run.join(SUMMARY).is_file() => study::page(run).map(Some),
            _ => Ok(None),
        }
    }

    /// The text of a file: a checked payload of the artefact, or a file of the folder.
    fn text(&self, name: &str) -> Result<String, Failure> {
        let file = self.run.join(name);
        match &self.artefact {
            Some(artefact) => String::from_utf8(artefact.payload(name).input()?).in_file(&file),
            None => input_file::read_text(&file).in_file(&file),
        }
    }
}

/// A leave table by its closing match. Its page is only drawn if it is written, because that takes seconds.
pub fn of_leaves(run: &Path, artefact: &Artefact, game: &GameFlags) -> Result<Made, Failure> {
    let (manifest, table) = (artefact.manifest(), ReadTable::read(Place::Path(run.into()), game)?);
    let closing = table.generations.as_ref().and_then(|known| known.closing_match.as_ref());
    let strength = |ClosingMatch { opponent, seed, tally }: &ClosingMatch| Strength {
        yardstick: format!("{opponent} {} {}", manifest.lexicon, manifest.tileset),
        deals: format!("the {} deals of seed {seed}", grouped(tally.pairs)),
        ..Strength::default()
    };
    let tiles = Values { title: "Values of single tiles, points", decimals: 2, rows: table.values_of_tiles() };
    let compared = Compared { strength: closing.map(strength), values: vec![tiles], ..Compared::default() };
    let (kind, title, lead) = (manifest.kind.clone(), table.name.clone(), String::new());
    let (head, game) = (Head { kind, title, facts: table.facts(), lead, figures: table.figures() }, game.clone());
    Ok(Made { head, is_finished: true, compared, page: Box::new(move || Ok(table.draw(&game)?.html)) })
}

/// A win table by its log-loss.
pub fn of_win_table(artefact: &Artefact, game: &GameFlags) -> Result<Made, Failure> {
    let manifest = artefact.manifest();
    let folder = artefact.folder().to_string_lossy();
    let config = WinPercentageConfig::from_toml(&manifest.config, &folder).input()?;
    let (table, scores) = (summary::shown_table(&folder, game)?, read_scores(artefact).input()?);
    let (kind, title, lead) = (manifest.kind.clone(), manifest.lexicon.name.clone(), String::new());
    let (figures, facts) = (summary::key_figures(&scores), summary::facts(config.games, &scores, manifest).into());
    let strength = Strength {
        // The difference from the scaled table has an interval, if that was scored.
        figure: usize::from(figures.get(1).is_some_and(|figure| figure.interval().is_some())),
        is_less_better: true,
        yardstick: format!("{} {} {:?}", manifest.lexicon, manifest.tileset, config.player),
        deals: format!("the {} held-out games of seed {}", grouped(scores.games), config.held_out_seed),
        ..Strength::default()
    };
    let log_loss = |stratum: &StratumScores| Some((stratum.stratum.clone(), stratum.scores.first()?.score.log_loss));
    let rows = scores.strata.iter().filter_map(log_loss).collect();
    let values = Values { title: "Log-loss on held-out games by stratum, nats", decimals: 5, rows };
    let compared = Compared { strength: Some(strength), values: vec![values], ..Compared::default() };
    let html = summary::write_page(config.games, &table, &scores, manifest);
    let head = Head { kind, title, facts, lead, figures };
    Ok(Made { head, is_finished: true, compared, page: Box::new(move || Ok(html)) })
}
