//! The pages of leave tables and of win tables.

use std::path::Path;

use tilewright_engine::Artefact;
use tilewright_train::leaves::generations::ClosingMatch;
use tilewright_train::run_config::RunConfig;
use tilewright_train::win_percentage::artefact::read_scores;
use tilewright_train::win_percentage::comparison::StratumScores;
use tilewright_train::win_percentage::config::WinPercentageConfig;

use super::compared::{Compared, Strength, Values};
use super::made::Made;
use crate::flags::GameFlags;
use crate::leaves::page::ReadTable;
use crate::leaves::table::Place;
use crate::report::figures::KeyFigure;
use crate::report::html::grouped;
use crate::win_percentage::summary;
use crate::{Failure, Input};

pub fn of_leaves(run: &Path, artefact: &Artefact, game: &GameFlags) -> Result<Made, Failure> {
    let (manifest, table) = (artefact.manifest(), ReadTable::read(Place::Path(run.into()), game)?);
    let closing = table.generations.as_ref().and_then(|known| known.closing_match.as_ref());
    let strength = |ClosingMatch { opponent, seed, tally }: &ClosingMatch| Strength {
        figure: 0,
        is_less_better: false,
        sample: "pairs",
        against: opponent.clone(),
        yardstick: format!("{opponent}, {}, {}", manifest.lexicon, manifest.tileset),
        deals: format!("the {} deals of seed {seed}", grouped(tally.pairs)),
        half_wins: Vec::new(),
        caveat: "",
    };
    let values = table.values_of_tiles();
    let values = vec![Values { title: "Values of single tiles, points", decimals: 2, values }];
    let compared = Compared { strength: closing.map(strength), values, ..Compared::default() };
    let (name, facts, figures, game) = (table.name.clone(), table.facts(), table.figures(), game.clone());
    let draw = move || Ok(table.draw(&game)?.html);
    Ok(Made { compared, ..Made::new(&manifest.kind, name, facts, figures, draw) })
}

pub fn of_win_table(artefact: &Artefact, game: &GameFlags) -> Result<Made, Failure> {
    let manifest = artefact.manifest();
    let config = WinPercentageConfig::from_toml(&manifest.config, &artefact.folder().display().to_string()).input()?;
    let scores = read_scores(artefact).input()?;
    let figures = summary::key_figures(&scores);
    let strength = Strength {
        // The difference from the scaled table has an interval, if that was scored.
        figure: usize::from(figures.get(1).is_some_and(KeyFigure::has_interval)),
        is_less_better: true,
        sample: "held-out games",
        against: "held-out games".into(),
        yardstick: format!("{} {} {:?}", manifest.lexicon, manifest.tileset, config.player),
        deals: format!("the {} held-out games of seed {}", grouped(scores.games), config.held_out_seed),
        half_wins: Vec::new(),
        caveat: "",
    };
    let log_loss = |stratum: &StratumScores| Some((stratum.stratum.clone(), stratum.scores.first()?.score.log_loss));
    let values = scores.strata.iter().filter_map(log_loss).collect();
    let values = vec![Values { title: "Log-loss on held-out games by stratum, nats", decimals: 5, values }];
    let compared = Compared { strength: Some(strength), values, ..Compared::default() };
    let facts = summary::facts(config.games, &scores, manifest);
    let (title, artefact, game) = (manifest.lexicon.name.clone(), artefact.clone(), game.clone());
    let draw = move || {
        let table = summary::shown_table(&artefact.folder().to_string_lossy(), &game)?;
        Ok(summary::write_page(config.games, &table, &scores, artefact.manifest()))
    };
    Ok(Made { compared, ..Made::new(&manifest.kind, title, facts, figures, draw) })
}
