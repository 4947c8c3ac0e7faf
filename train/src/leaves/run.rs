//! The whole run: generations of censuses, self-play and fits, the standard errors, and the matches; sharded and resumable.

use std::cell::Cell;

use serde::{Deserialize, Serialize};
use tilewright_engine::equity::Equity;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::leave::late::LateValues;
use tilewright_engine::player::Player;
use tilewright_engine::series::Tally;
use tilewright_engine::setup::Setup;

use super::budget::Costs;
use super::config::LeavesConfig;
use super::detail::Detail;
use super::knowledge::Knowledge;
use super::lattice::Lattice;
use super::least_squares::{FitOptions, FitReport, ORDERS, Strengths};
use super::shards::{RackJob, SOURCES, Shards, player};
use crate::journal::{Journal, JournalError, Json};
use crate::run::RunError;

/// Tiles in the largest sub-multisets of early generations, which need only a rough table to play with.
const EARLY_ORDERS: usize = 2;

/// The results of one generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationReport {
    /// The number, from 1.
    pub generation: u64,
    /// Games played.
    pub games: u64,
    /// Census boards.
    pub boards: u64,
    /// The fit to the census, whose values are the prior of the fit to self-play.
    pub census: Option<FitReport>,
    /// The fit to self-play.
    pub self_play: Option<FitReport>,
    /// Mean absolute change of leave values from the previous table, in points, weighted by how often a leave was observed.
    pub change: f64,
    /// A short match of the table against no leaves.
    #[serde(alias = "against_greedy")]
    pub against_no_leaves: Tally,
    /// A short match of the table against the previous one.
    pub against_last: Tally,
}

impl GenerationReport {
    /// The last fit, which determined the values.
    pub fn fit(&self) -> Option<&FitReport> {
        self.self_play.as_ref().or(self.census.as_ref())
    }
}

/// The result of a run.
pub struct LeavesOutcome {
    /// The table.
    pub table: LeaveTable,
    /// The value of each full rack by its number, in thousandths of a point.
    pub rack_values: Vec<i32>,
    /// Support and standard errors of the table's values.
    pub detail: Detail,
    /// The adjustments for few tiles in the bag, if they were fitted.
    pub late: Option<LateValues>,
    /// The number of comparisons of plays that they were fitted to.
    pub late_comparisons: u64,
    /// All generations in order.
    pub generations: Vec<GenerationReport>,
    /// The match of the table against no leaves.
    pub closing_match: Tally,
}

/// A run at work.
struct Running<'a> {
    setup: &'a Setup,
    config: &'a LeavesConfig,
    lattice: &'a Lattice,
    shards: Shards<'a>,
    costs: Costs,
    /// An estimate of the work after the current phase, in CPU-seconds.
    ahead: Cell<f64>,
    /// Shards that other processes have to make, of work that nothing else depends on.
    missing: Cell<u64>,
}

/// What one generation passes to the next.
struct State {
    table: LeaveTable,
    /// The value of each full rack by its number, in thousandths of a point.
    rack_values: Vec<i32>,
}

/// A generation as the journal stores it, before its matches.
#[derive(Serialize, Deserialize)]
struct Fitted {
    /// The values of the table, in thousandths of a point.
    table: Vec<i32>,
    rack_values: Vec<i32>,
    detail: Detail,
    change: f64,
    /// The fit to the census and that to self-play.
    fits: Json<[Option<FitReport>; 2]>,
}

/// A run that trains a leave table.
pub struct LeavesRun<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// The config.
    pub config: &'a LeavesConfig,
    /// The lattice of the tile set.
    pub lattice: &'a Lattice,
}

impl LeavesRun<'_> {
    /// Trains the table.
    pub(super) fn run(&self, journal: &Journal<'_>) -> Result<LeavesOutcome, RunError> {
        let LeavesRun { setup, config, lattice } = *self;
        let (tileset, tiles) = (setup.tileset.name(), setup.tileset.total_tiles());
        if tiles <= 2 * setup.tileset.rules().rack_size {
            return Err(RunError::Input(format!(
                "the {tileset} tile set has {tiles} tiles: none is left in the bag after the deal, so leaves have no value"
            )));
        }
        let shards =
            Shards { setup, ranking: lattice.ranking(), journal, seed: config.seed, extra_racks: config.extra_racks };
        let costs = Costs::new(&setup.tileset, config);
        let (ahead, missing) = (Cell::new(0.0), Cell::new(0));
        let running = Running { setup, config, lattice, shards, costs, ahead, missing };
        running.execute()
    }
}

impl Running<'_> {
    fn execute(&self) -> Result<LeavesOutcome, RunError> {
        let (config, lattice) = (self.config, self.lattice);
        self.ahead.set(self.cost());
        let mut state = State { table: LeaveTable::zero(&self.setup.tileset), rack_values: vec![0; lattice.racks().len()] };
        let (mut generations, mut detail): (Vec<GenerationReport>, _) = (Vec::new(), Detail::default());
        for generation in 1..=config.generations() {
            let (next, next_detail, report) = self.generation(generation, &state, &generations)?;
            (state, detail) = (next, next_detail);
            generations.push(report);
        }
        let State { table, rack_values } = state;
        let (late, late_comparisons) = self.unless_missing(self.late(&table))?;
        self.begin("match against no leaves", config.match_pairs, "pairs", self.costs.pair);
        let closing_match = self.unless_missing(self.against_no_leaves("match-no-leaves", &table, config.match_pairs))?;
        match self.missing.get() {
            0 => Ok(LeavesOutcome { table, rack_values, detail, late, late_comparisons, generations, closing_match }),
            missing => Err(JournalError::ShardsMissing { missing }.into()),
        }
    }

    /// An estimate of the cost of the whole run, in CPU-seconds.
    fn cost(&self) -> f64 {
        let generations: f64 = (1..=self.config.generations()).map(|generation| self.cost_of(generation)).sum();
        let late = self.config.late_games as f64 * self.costs.late_game;
        generations + self.costs.standard_errors + late + self.config.match_pairs as f64 * self.costs.pair
    }

    /// An estimate of the cost of one generation without its standard errors, in CPU-seconds.
    fn cost_of(&self, generation: u64) -> f64 {
        let (games, boards) = self.config.games_and_boards(generation);
        let fits = u64::from(games > 0) + u64::from(boards > 0);
        let matches = 2.0 * self.config.generation_pairs as f64 * self.costs.pair;
        games as f64 * self.costs.game
            + boards as f64 * self.costs.board
            + fits as f64 * self.cost_of_fit(generation)
            + matches
    }

    fn cost_of_fit(&self, generation: u64) -> f64 {
        // Fits of fewer orders cost almost nothing.
        if generation == self.config.generations() { self.costs.fit } else { 0.0 }
    }

    /// Begins a phase; `cost` is per unit, in CPU-seconds. A phase without units is skipped, unless `unit` is empty (a fit).
    fn begin(&self, what: &str, units: u64, unit: &'static str, cost: f64) {
        let cost = units.max(1) as f64 * cost;
        if units > 0 || unit.is_empty() {
            self.ahead.set((self.ahead.get() - cost).max(0.0));
            let monitor = self.shards.journal.monitor();
            monitor.begin(what, units, unit);
            monitor.ahead(self.ahead.get() / cost);
        }
    }

    /// What nothing else of the run depends on, or a default while other processes have to make its shards.
    fn unless_missing<T: Default>(&self, made: Result<T, JournalError>) -> Result<T, JournalError> {
        if let Err(JournalError::ShardsMissing { missing }) = made {
            self.missing.set(self.missing.get() + missing);
            return Ok(T::default());
        }
        made
    }

    /// A generation: the next table, and its matches.
    fn generation(
        &self,
        generation: u64,
        last: &State,
        before: &[GenerationReport],
    ) -> Result<(State, Detail, GenerationReport), RunError> {
        let Fitted { table: values, rack_values, detail, change, fits: Json([census, self_play]) } =
            self.fitted(generation, last, before)?;
        let (games, boards) = self.config.games_and_boards(generation);
        let table = self.table(values);
        let (pairs, seed) = (self.config.generation_pairs, self.config.match_seed);
        let name = format!("generation-{generation}-match");
        let phase = self.phase(generation, before);
        self.begin(&format!("{phase}: matches"), 2 * pairs, "pairs", self.costs.pair);
        let [new, old] = [player(&table), player(&last.table)];
        let against_no_leaves = self.unless_missing(self.against_no_leaves(&format!("{name}-no-leaves"), &table, pairs))?;
        let against_last = self.unless_missing(self.shards.series(&format!("{name}-last"), [&new, &old], pairs, seed))?;
        let report =
            GenerationReport { generation, games, boards, census, self_play, change, against_no_leaves, against_last };
        Ok((State { table, rack_values }, detail, report))
    }

    /// The fitted table of a generation: read back, or made and stored, because a match of it should not wait for the fit again.
    fn fitted(&self, generation: u64, last: &State, before: &[GenerationReport]) -> Result<Fitted, RunError> {
        let mut is_new = false;
        let make = || {
            is_new = true;
            self.fit(generation, last, before)
        };
        let (journal, name) = (self.shards.journal, format!("generation-{generation}"));
        let fitted = journal.once(&format!("{name}-fitted"), "", make)?;
        for source in SOURCES {
            journal.forget(&format!("{name}-{source}-"))?;
        }
        if !is_new {
            let matches = 2.0 * self.config.generation_pairs as f64 * self.costs.pair;
            self.ahead.set((self.ahead.get() - self.cost_of(generation) + matches).max(0.0));
        }
        Ok(fitted)
    }

    /// Collects the census and the games with the last table, and fits the next one.
    fn fit(&self, generation: u64, last: &State, before: &[GenerationReport]) -> Result<Fitted, RunError> {
        let is_last = generation == self.config.generations();
        let (games, many_boards) = self.config.games_and_boards(generation);
        let job = RackJob {
            generation,
            table: &last.table,
            prior: &last.rack_values,
            units: many_boards,
            size: self.config.shard_boards,
        };
        let phase = self.phase(generation, before);
        let begin = |what: &str, units, unit, cost| self.begin(&format!("{phase}: {what}"), units, unit, cost);
        let Costs { game, board, .. } = self.costs;
        // The sources do not need each other, so a process that makes some shards has those of both at hand.
        begin("census", many_boards, "boards", board);
        let (halves, played) = JournalError::of_both(self.shards.census(job), || {
            begin("self-play", games, "games", game);
            self.shards.self_play(RackJob { units: games, size: self.config.shard_games, ..job })
        })?;
        let none = vec![0; last.table.values().len()];
        let mut knowledge = Knowledge {
            tileset: &self.setup.tileset,
            config: self.config,
            lattice: self.lattice,
            journal: self.shards.journal,
            generation,
            rack_values: last.rack_values.clone(),
            unpooled: None,
            support: none.clone(),
            boards: none.clone(),
            weights: none,
            detail: Detail::default(),
        };
        let options = |source: fn(&GenerationReport) -> Option<&FitReport>| FitOptions {
            orders: if is_last { ORDERS } else { EARLY_ORDERS },
            start: start(before, source),
        };
        let (mut census, mut self_play) = (None, None);
        if many_boards > 0 {
            begin("fitting the census", 0, "", self.cost_of_fit(generation));
            let options = options(|report| report.census.as_ref());
            census = knowledge.take_census(&halves, options, is_last && games == 0)?;
        }
        if games > 0 {
            begin("fitting self-play", 0, "", self.cost_of_fit(generation));
            self_play = knowledge.take_games(&played, options(|report| report.self_play.as_ref()), is_last)?;
        }
        let table = knowledge.table();
        let change = weighted_change(&last.table, &table, &knowledge.weights);
        let table = table.values().iter().map(|value| value.0).collect();
        let Knowledge { rack_values, detail, .. } = knowledge;
        Ok(Fitted { table, rack_values, detail, change, fits: Json([census, self_play]) })
    }

    /// The name of a generation's phases.
    fn phase(&self, generation: u64, before: &[GenerationReport]) -> String {
        let so_far = before.last().map_or(String::new(), so_far);
        format!("generation {generation} of {}{so_far}", self.config.generations())
    }

    /// The table with these values, in thousandths of a point.
    fn table(&self, values: Vec<i32>) -> LeaveTable {
        let mut table = LeaveTable::zero(&self.setup.tileset);
        for (index, value) in (0..table.values().len()).zip(values) {
            table.set(index, Equity(value));
        }
        table
    }

    /// The adjustments for few tiles in the bag, and the number of comparisons that they are fitted to.
    fn late(&self, table: &LeaveTable) -> Result<(Option<LateValues>, u64), JournalError> {
        let games = self.config.late_games;
        if games == 0 {
            return Ok((None, 0));
        }
        self.begin("comparing late plays", games, "games", self.costs.late_game);
        let tally = self.shards.late(table, games, self.config.shard_games)?;
        Ok((Some(tally.fit(&self.setup.tileset)), tally.comparisons))
    }

    /// A match of a table against no leaves, on deals that no training game used.
    fn against_no_leaves(&self, name: &str, table: &LeaveTable, pairs: u64) -> Result<Tally, JournalError> {
        self.shards.series(name, [&player(table), &Player::no_leaves()], pairs, self.config.match_seed)
    }
}

/// The results of the last generation, for the progress line of the next.
fn so_far(report: &GenerationReport) -> String {
    let error = report.fit().map_or(String::new(), |fit| format!("held-out error {:.2}", fit.held_out_error));
    let strength = report.against_no_leaves.summary().map_or(String::new(), |summary| {
        let half = 50.0 * (summary.win_rate.high - summary.win_rate.low);
        format!("{:.1} ± {half:.1} % against no leaves", 100.0 * summary.win_rate.mean)
    });
    let parts: Vec<String> = [error, strength].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!(" (so far {})", parts.join(", ")) }
}

/// The start of the search for the strengths: the result of the last fit to the same source.
fn start(before: &[GenerationReport], source: impl Fn(&GenerationReport) -> Option<&FitReport>) -> Strengths {
    before.iter().rev().find_map(source).map_or(Strengths::default(), |fit| Strengths::starting_at(&fit.strengths))
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
    fn a_checkpoint_is_read_back_to_the_last_bit() {
        // The next fit begins with these numbers, so one bit lost would change a resumed run.
        for rack_effect in [13.678_503_557_477_901, 0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE] {
            let fit = FitReport {
                observations: 1,
                racks: 1,
                coefficients: 1,
                noise: 0.0,
                own_noise: 0.0,
                rack_effect,
                strengths: vec![8.0, 4.0, 2.0],
                held_out_error: 0.0,
                held_out_error_of_prior: 0.0,
            };
            let fitted = Fitted {
                table: vec![-1, 1 << 30],
                rack_values: vec![7],
                detail: Detail { support: vec![1], boards: vec![2], standard_error: vec![0.1 + 0.2] },
                change: 0.5,
                fits: Json([None, Some(fit)]),
            };
            let back: Fitted = postcard::from_bytes(&postcard::to_stdvec(&fitted).unwrap()).unwrap();
            assert_eq!((&back.table, &back.rack_values, &back.detail), (&fitted.table, &fitted.rack_values, &fitted.detail));
            assert_eq!(back.fits, fitted.fits);
            let [_, self_play] = back.fits.0;
            assert_eq!(self_play.unwrap().rack_effect.to_bits(), rack_effect.to_bits());
        }
    }
}
