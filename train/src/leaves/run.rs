//! The whole run: generations of self-play and fits, the standard errors, and the closing match; sharded and resumable.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::equity::Equity;
use tilewright_engine::evaluator::{Greedy, Leave};
use tilewright_engine::hash::sha256;
use tilewright_engine::leave::{LeaveTable, klv};
use tilewright_engine::lexicon::kwg::KwgError;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::selfplay::play_game;
use tilewright_engine::series::{Tally, play_pairs};
use tilewright_engine::setup::Setup;

use super::completion::Completion;
use super::config::LeavesConfig;
use super::detail::{Detail, support};
use super::least_squares::{DRAWS, Fit, FitError, FitReport};
use crate::rack_values::{RackValues, ShardError};

/// Where shards and the tables of earlier generations live inside the run's folder.
const WORK: &str = "work";
/// Pairs of the closing match in a shard.
const MATCH_SHARD: u64 = 250;
/// Deals of generation `g` are numbered from `g` times this, so that no two generations and no match share one.
const GENERATION_STRIDE: u64 = 1 << 40;

/// What one generation found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationReport {
    /// Number from 1.
    pub generation: u64,
    /// Games played.
    pub games: u64,
    /// The fit.
    pub fit: FitReport,
    /// Mean absolute change of a leave's value from the last table, weighted by how often a turn could have kept the leave;
    /// points.
    pub change: f64,
}

/// What a run ends with.
pub struct LeavesOutcome {
    /// The table.
    pub table: LeaveTable,
    /// What stands behind its values.
    pub detail: Detail,
    /// All generations, the last at the end.
    pub generations: Vec<GenerationReport>,
    /// The match of the table against no leaves.
    pub closing_match: Tally,
}

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// It was asked to.
    #[error("interrupted")]
    Interrupted,
    /// A file of it cannot be read or written.
    #[error(transparent)]
    File(#[from] ArtefactError),
    /// A shard cannot be used.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// The leaves of the tile set do not fit the format of leave tables.
    #[error("leave table: {0}")]
    Table(#[from] KwgError),
    /// The fit failed.
    #[error("generation {generation}: {source}")]
    Fit {
        /// Which one.
        generation: u64,
        /// Why.
        source: FitError,
    },
}

/// A run in its folder.
struct Run<'a> {
    setup: &'a Setup,
    config: &'a LeavesConfig,
    work: PathBuf,
    /// Everything the shards depend on.
    key: String,
    completion: Completion,
    monitor: &'a dyn Monitor,
}

/// A generation's table on disk, with its report.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    key: String,
    table_hash: String,
    report: GenerationReport,
}

/// Trains a table in `folder`, which exists. Interrupted and started again, it goes on from its shards and ends with the
/// same result.
///
/// # Errors
/// [`RunError`]; [`RunError::Interrupted`] leaves everything finished on disk.
pub fn run(setup: &Setup, config: &LeavesConfig, folder: &Path, monitor: &dyn Monitor) -> Result<LeavesOutcome, RunError> {
    let work = folder.join(WORK);
    std::fs::create_dir_all(&work).map_err(|source| ArtefactError::File { path: work.clone(), source })?;
    let key = format!("{}{} {}", config.to_toml(), setup.rules_hash(), setup.lexicon.hash);
    let run = Run { setup, config, work, key, completion: Completion::new(&setup.tileset), monitor };
    let mut table = LeaveTable::zero(&setup.tileset);
    let mut generations = Vec::new();
    let last = config.generations.len() as u64;
    for generation in 1..last {
        let (next, report) = run.generation(generation, &table, generations.last())?;
        table = next;
        generations.push(report);
    }
    let (data, fit, next, report) = run.fit(last, &table, generations.last())?;
    generations.push(report);
    let detail = run.detail(&data, &fit)?;
    drop((data, fit));
    let closing_match = run.closing_match(&next)?;
    Ok(LeavesOutcome { table: next, detail, generations, closing_match })
}

impl Run<'_> {
    /// The table after a generation that is not the last: from disk, or made and kept there.
    fn generation(
        &self,
        generation: u64,
        table: &LeaveTable,
        before: Option<&GenerationReport>,
    ) -> Result<(LeaveTable, GenerationReport), RunError> {
        let path = self.work.join(format!("generation-{generation}.klv2"));
        let note = path.with_extension("json");
        if let Some(kept) = self.kept(&path, &note) {
            return Ok(kept);
        }
        let (_, _, next, report) = self.fit(generation, table, before)?;
        let bytes = klv::write(&next)?;
        let kept = Kept { key: sha256(self.key.as_bytes()), table_hash: sha256(&bytes), report: report.clone() };
        write_atomically(&path, &bytes)?;
        write_atomically(&note, serde_json::to_string_pretty(&kept).unwrap_or_default().as_bytes())?;
        Ok((next, report))
    }

    /// A generation's table and report as an earlier start of this run left them, if they are whole.
    fn kept(&self, path: &Path, note: &Path) -> Option<(LeaveTable, GenerationReport)> {
        let kept: Kept = serde_json::from_slice(&std::fs::read(note).ok()?).ok()?;
        let bytes = std::fs::read(path).ok()?;
        if kept.key != sha256(self.key.as_bytes()) || kept.table_hash != sha256(&bytes) {
            return None;
        }
        Some((klv::read(&bytes, &self.setup.tileset).ok()?.0, kept.report))
    }

    /// Plays a generation's games with `table` and fits the next one.
    fn fit(
        &self,
        generation: u64,
        table: &LeaveTable,
        before: Option<&GenerationReport>,
    ) -> Result<(RackValues, Fit, LeaveTable, GenerationReport), RunError> {
        let games = self.config.generations[generation as usize - 1];
        let data = self.play(generation, games, table)?;
        self.monitor.begin(&format!("generation {generation}: fitting"), 0, "");
        let fit = Fit::new(&data, &self.setup.tileset, before.map(|report| &report.fit))
            .map_err(|source| RunError::Fit { generation, source })?;
        let mut values = fit.rack_values(&data);
        self.completion.average(&mut values);
        let mut next = LeaveTable::zero(&self.setup.tileset);
        for index in 1..next.values().len() {
            next.set(index, Equity::from_fractional_points(values[index][0] - values[0][0]));
        }
        let change = weighted_change(table, &next, &support(&data, &self.setup.tileset));
        let report = GenerationReport { generation, games, fit: fit.report.clone(), change };
        Ok((data, fit, next, report))
    }

    /// The rack values of a generation's games, shard by shard.
    fn play(&self, generation: u64, games: u64, table: &LeaveTable) -> Result<RackValues, RunError> {
        self.monitor.begin(&format!("generation {generation}: self-play"), games, "games");
        let player = Player::new("leave", Arc::new(Leave::new(Arc::new(table.clone()))));
        let size = self.config.shard_games;
        // Shards one after the other, games of a shard on all threads: a kill loses one shard at most.
        let mut parts = Vec::new();
        for shard in 0..games.div_ceil(size) {
            let range = shard * size..((shard + 1) * size).min(games);
            let path = self.work.join(format!("generation-{generation}-shard-{shard:05}.racks"));
            let key = format!("{}generation {generation} shard {shard}", self.key);
            if let Some(part) = RackValues::read(&path, &key)? {
                self.monitor.advance(range.end - range.start);
                parts.push(part);
                continue;
            }
            if self.monitor.is_stopped() {
                return Err(RunError::Interrupted);
            }
            // A shard that is begun is finished, and kept.
            let turns: Vec<Vec<(u32, i32)>> = range
                .into_par_iter()
                .map_init(|| Generator::new(self.setup), |generator, game| self.game(generator, &player, generation, game))
                .collect();
            let part = RackValues::tally(turns.concat());
            part.write(&path, &key)?;
            parts.push(part);
        }
        Ok(RackValues::merge(parts))
    }

    /// (rack, best equity) of every turn of a game with tiles in the bag.
    fn game(&self, generator: &mut Generator<'_>, player: &Player, generation: u64, game: u64) -> Vec<(u32, i32)> {
        let ranking = self.completion.ranking();
        let first = ranking.of_size(ranking.max_size()).start;
        let mut turns = Vec::with_capacity(24);
        play_game(generator, [player; 2], self.config.seed, generation * GENERATION_STRIDE + game, |seen| {
            if !seen.game.bag.is_empty() {
                let rack = (ranking.rank(seen.game.rack()) - first) as u32;
                turns.push((rack, seen.chosen.told_equity().0));
            }
        });
        self.monitor.advance(1);
        turns
    }

    /// Support, and standard errors from draws of the whole table from its posterior.
    fn detail(&self, data: &RackValues, fit: &Fit) -> Result<Detail, RunError> {
        let draws = self.config.posterior_draws;
        self.monitor.begin("standard errors", draws, "draws");
        let support = support(data, &self.setup.tileset);
        let mut squares = vec![0.0; support.len()];
        for batch in 0..draws / DRAWS as u64 {
            if self.monitor.is_stopped() {
                return Err(RunError::Interrupted);
            }
            let mut deviations = fit.posterior_deviations(data, self.config.seed, batch);
            self.completion.average(&mut deviations);
            let empty = deviations[0];
            for (square, deviation) in squares.iter_mut().zip(&deviations) {
                *square += deviation.iter().zip(empty).map(|(deviation, empty)| (deviation - empty).powi(2)).sum::<f64>();
            }
            self.monitor.advance(DRAWS as u64);
        }
        let standard_error = squares.iter().map(|square| (square / draws as f64).sqrt()).collect();
        Ok(Detail { support, standard_error })
    }

    /// The table against no leaves, on deals that no generation saw.
    fn closing_match(&self, table: &LeaveTable) -> Result<Tally, RunError> {
        let pairs = self.config.match_pairs;
        self.monitor.begin("match against no leaves", pairs, "pairs");
        let leave = Player::new("leave", Arc::new(Leave::new(Arc::new(table.clone()))));
        let greedy = Player::new("greedy", Arc::new(Greedy));
        let mut sum = Tally::default();
        for shard in 0..pairs.div_ceil(MATCH_SHARD) {
            let range = shard * MATCH_SHARD..((shard + 1) * MATCH_SHARD).min(pairs);
            let path = self.work.join(format!("match-{shard:05}.json"));
            let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<(String, Tally)>(&bytes).ok());
            let key = sha256(self.key.as_bytes());
            let tally = if let Some((_, tally)) =
                kept.filter(|(own, tally)| *own == key && tally.pairs == range.end - range.start)
            {
                self.monitor.advance(tally.pairs);
                tally
            } else {
                if self.monitor.is_stopped() {
                    return Err(RunError::Interrupted);
                }
                let tally = play_pairs(self.setup, &leave, &greedy, self.config.match_seed, range, &Steady(self.monitor));
                write_atomically(&path, serde_json::to_string(&(key, &tally)).unwrap_or_default().as_bytes())?;
                tally
            };
            sum = sum.plus(&tally);
        }
        Ok(sum)
    }
}

/// Passes progress on, but lets what is begun come to its end.
struct Steady<'a>(&'a dyn Monitor);

impl Monitor for Steady<'_> {
    fn begin(&self, what: &str, units: u64, unit: &'static str) {
        self.0.begin(what, units, unit);
    }
    fn advance(&self, done: u64) {
        self.0.advance(done);
    }
    fn is_stopped(&self) -> bool {
        false
    }
}

fn weighted_change(before: &LeaveTable, after: &LeaveTable, support: &[i64]) -> f64 {
    let changes = before.values().iter().zip(after.values()).map(|(&before, &after)| (after - before).points().abs());
    let (sum, weights) = changes
        .zip(support)
        .skip(1)
        .fold((0.0, 0.0), |(sum, weights), (change, &times)| (sum + change * times as f64, weights + times as f64));
    if weights > 0.0 { sum / weights } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_report_comes_back_to_the_last_bit() {
        // The next fit begins with these numbers, so one bit lost would change a resumed run.
        for rack_effect in [13.678_503_557_477_901, 0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE] {
            let fit = FitReport {
                turns: 1,
                racks: 1,
                coefficients: 1,
                mean: 0.0,
                noise: 0.0,
                rack_effect,
                strengths: [8.0, 4.0, 2.0],
                held_out_error: 0.0,
                held_out_error_of_mean: 0.0,
            };
            let report = GenerationReport { generation: 1, games: 1, fit, change: 0.0 };
            let kept = Kept { key: String::new(), table_hash: String::new(), report };
            let back: Kept = serde_json::from_str(&serde_json::to_string_pretty(&kept).unwrap()).unwrap();
            assert_eq!(back.report.fit.rack_effect.to_bits(), rack_effect.to_bits());
        }
    }
}
