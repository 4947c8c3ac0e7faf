//! The pages of leave tables and of win tables.

use std::path::Path;

use tilewright_engine::Artefact;
use tilewright_train::leaves::generations::ClosingMatch;
use tilewright_train::run_config::RunConfig;
use tilewright_train::win_percentage::artefact::read_scores;
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::scores::StratumScores;

use super::compared::{Compared, Strength, Values};
use super::made::{Head, Made};
use crate::flags::GameFlags;
use crate::leaves::page::ReadTable;
use crate::leaves::table::Place;
use crate::report::html::grouped;
use crate::win_percentage::summary;
use crate::{Failure, Input};

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
