//! The whole run, sharded and resumable: generations of self-play and fits, the standard errors, and the matches.

use std::cell::Cell;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tilewright_engine::leave::late::LateValues;
use tilewright_engine::series::Tally;
use tilewright_engine::{Equity, LeaveTable, Player, Setup};

use super::config::{Costs, LeavesConfig};
use super::detail::{Detail, support};
use super::lattice::Lattice;
use super::least_squares::{DRAWS, Fit, FitChoice, FitError, FitReport, ORDERS, Strengths};
use super::shards::{Shards, player, racks_name};
use crate::journal::{Journal, JournalError, Json};
use crate::run::RunError;

/// Tiles in the largest sub-multisets of early generations, which need only a rough table to play with.
const EARLY_ORDERS: usize = 2;
/// The time after which the sums over draws are written again. A kill loses the younger sums.
const WRITTEN_EVERY: Duration = Duration::from_secs(2);

/// The results of one generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GenerationReport {
    /// The number, from 1.
    pub generation: u64,
    /// Games played.
    pub games: u64,
    /// The fit to the games.
    pub fit: FitReport,
    /// Mean absolute change of leave values from the previous table, in points, weighted by how often a leave was observed.
    pub change: f64,
    /// A short match of the table against no leaves.
    pub against_no_leaves: Tally,
    /// A short match of the table against the previous one.
    pub against_last: Tally,
}

/// The result of a run.
pub struct LeavesOutcome {
    /// The table.
    pub table: LeaveTable,
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

/// The input of a generation from the one before.
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
    fit: Json<FitReport>,
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
    pub(super) fn run(&self, journal: &Journal<'_>) -> Result<LeavesOutcome, RunError> {
        let LeavesRun { setup, config, lattice } = *self;
        let (tileset, tiles) = (setup.tileset.name(), setup.tileset.total_tiles());
        if tiles <= 2 * setup.tileset.rules().rack_size {
            return Err(RunError::Input(format!(
                "the {tileset} tile set has {tiles} tiles: none is left in the bag after the deal, so leaves have no value"
            )));
        }
        let shards = Shards { setup, config, ranking: &lattice.ranking, journal };
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
        let State { table, .. } = state;
        let (late, late_comparisons) = self.unless_missing(self.late(&table))?;
        self.begin("match against no leaves", config.match_pairs, "pairs", self.costs.pair);
        let closing_match = self.unless_missing(self.against_no_leaves("match-no-leaves", &table, config.match_pairs))?;
        match self.missing.get() {
            0 => Ok(LeavesOutcome { table, detail, late, late_comparisons, generations, closing_match }),
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
        let matches = 2.0 * self.config.generation_pairs as f64 * self.costs.pair;
        self.config.games_of(generation) as f64 * self.costs.game + self.cost_of_fit(generation) + matches
    }

    fn cost_of_fit(&self, generation: u64) -> f64 {
        // Fits of fewer orders cost almost nothing.
        if generation == self.config.generations() { self.costs.fit } else { 0.0 }
    }

    /// Begins a phase. `cost` is per unit, in CPU-seconds. A phase without units is skipped, unless `unit` is empty (a fit).
    fn begin(&self, what: &str, units: u64, unit: &'static str, cost: f64) {
        let cost = units.max(1) as f64 * cost;
        if units > 0 || unit.is_empty() {
            self.ahead.set((self.ahead.get() - cost).max(0.0));
            let monitor = self.shards.journal.monitor();
            monitor.begin(what, units, unit);
            monitor.ahead(self.ahead.get() / cost);
        }
    }

    /// A result that nothing else of the run depends on, or a default while other processes have to make its shards.
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
        let Fitted { table: values, rack_values, detail, change, fit: Json(fit) } = self.fitted(generation, last, before)?;
        let games = self.config.games_of(generation);
        let table = self.table(values);
        let pairs = self.config.generation_pairs;
        let name = format!("generation-{generation}-match");
        let phase = self.phase(generation, before);
        self.begin(&format!("{phase}: matches"), 2 * pairs, "pairs", self.costs.pair);
        let [new, old] = [player(&table), player(&last.table)];
        let against_no_leaves = self.unless_missing(self.against_no_leaves(&format!("{name}-no-leaves"), &table, pairs))?;
        let against_last = self.unless_missing(self.shards.series(&format!("{name}-last"), [&new, &old], pairs))?;
        let report = GenerationReport { generation, games, fit, change, against_no_leaves, against_last };
        Ok((State { table, rack_values }, detail, report))
    }

    /// The fitted table of a generation: read back, or made and stored, because a match of it should not wait for the fit again.
    fn fitted(&self, generation: u64, last: &State, before: &[GenerationReport]) -> Result<Fitted, RunError> {
        let mut is_new = false;
        let make = || {
            is_new = true;
            self.fit(generation, last, before)
        };
        let journal = self.shards.journal;
        let fitted = journal.once(&format!("generation-{generation}-fitted"), "", make)?;
        for replaced in [racks_name(generation), fit_name(generation)] {
            journal.forget(&format!("{replaced}-"))?;
        }
        if !is_new {
            let matches = 2.0 * self.config.generation_pairs as f64 * self.costs.pair;
            self.ahead.set((self.ahead.get() - self.cost_of(generation) + matches).max(0.0));
        }
        Ok(fitted)
    }

    /// Plays the games with the last table, and fits the next one.
    fn fit(&self, generation: u64, last: &State, before: &[GenerationReport]) -> Result<Fitted, RunError> {
        let (config, lattice) = (self.config, self.lattice);
        let is_last = generation == config.generations();
        let games = config.games_of(generation);
        let phase = self.phase(generation, before);
        self.begin(&format!("{phase}: self-play"), games, "games", self.costs.game);
        let State { table: last_table, rack_values: prior } = last;
        let played = self.shards.self_play(generation, last_table)?;
        self.begin(&format!("{phase}: fitting self-play"), 0, "", self.cost_of_fit(generation));
        let support = support(&played, lattice);
        let orders = if is_last { ORDERS } else { EARLY_ORDERS };
        // The search for the strengths starts where the last one ended.
        let start = before.last().map_or(Strengths::default(), |report| Strengths::starting_at(&report.fit.strengths));
        let failed = |error: FitError| match error {
            FitError::TooAlike => RunError::Input(format!("the {} tile set: {error}", self.setup.tileset.name())),
            error => RunError::Failed(format!("generation {generation}: {error}")),
        };
        let choose = || Fit::choose(&played, prior, lattice, orders, start).map_err(failed);
        let name = fit_name(generation);
        let chosen: FitChoice = self.shards.journal.once(&format!("{name}-choice"), "", choose)?;
        let fit = Fit::new(&played, prior, lattice, orders, &chosen).map_err(failed)?;
        let rack_values = fit.rack_values();
        let standard_error = if is_last { self.standard_errors(&fit, &format!("{name}-draws"))? } else { Vec::new() };
        let table = self.completed(&rack_values);
        let change = weighted_change(last_table, &table, &support);
        let table = table.values().iter().map(|value| value.0).collect();
        let detail = if is_last { Detail { support, standard_error } } else { Detail::default() };
        Ok(Fitted { table, rack_values, detail, change, fit: Json(fit.report) })
    }

    /// The table of the completion averages of rack values.
    fn completed(&self, rack_values: &[i32]) -> LeaveTable {
        let lattice = self.lattice;
        let mut values = vec![[0.0]; lattice.ranking.len()];
        for (value, &rack) in values[lattice.racks()].iter_mut().zip(rack_values) {
            value[0] = f64::from(rack) / 1000.0;
        }
        lattice.average(&mut values);
        let mut table = LeaveTable::zero(&self.setup.tileset);
        for index in 1..table.values().len() {
            table.set(index, Equity::from_fractional_points(values[index][0] - values[0][0]));
        }
        table
    }

    /// The standard errors of leaves, in points, from draws of the table's posterior. File `name` has the sums of squares.
    fn standard_errors(&self, fit: &Fit<'_>, name: &str) -> Result<Vec<f64>, RunError> {
        let (draws, journal) = (self.config.posterior_draws, self.shards.journal);
        self.begin("standard errors", draws, "draws", self.costs.standard_errors / draws.max(1) as f64);
        let (done, mut squares) = journal.read_like(name, "", (0_u64, vec![0.0; self.lattice.racks().start]))?;
        journal.monitor().advance(done.saturating_mul(DRAWS as u64));
        let mut written = Instant::now();
        for batch in done..draws / DRAWS as u64 {
            if written.elapsed() > WRITTEN_EVERY || journal.monitor().is_stopped() {
                (_, squares) = journal.write(name, "", &(batch, squares))?;
                written = Instant::now();
            }
            journal.check_stop()?;
            let mut deviations = fit.posterior_deviations(self.config.seed, batch);
            self.lattice.average(&mut deviations);
            let empty = deviations[0];
            for (square, deviation) in squares.iter_mut().zip(&deviations) {
                *square += deviation.iter().zip(empty).map(|(deviation, empty)| (deviation - empty).powi(2)).sum::<f64>();
            }
            journal.monitor().advance(DRAWS as u64);
        }
        Ok(squares.iter().map(|square| (square / draws as f64).sqrt()).collect())
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
        let tally = self.shards.late(table)?;
        Ok((Some(tally.fit(&self.setup.tileset)), tally.comparisons))
    }

    /// A match of a table against no leaves, on deals that no training game used.
    fn against_no_leaves(&self, name: &str, table: &LeaveTable, pairs: u64) -> Result<Tally, JournalError> {
        self.shards.series(name, [&player(table), &Player::no_leaves()], pairs)
    }
}

/// The name of the work files of a generation's fit.
fn fit_name(generation: u64) -> String {
    format!("generation-{generation}-fit")
}

/// The results of the last generation, for the progress line of the next.
fn so_far(report: &GenerationReport) -> String {
    let strength = report.against_no_leaves.summary().map_or(String::new(), |summary| {
        let half = 50.0 * (summary.win_rate.high - summary.win_rate.low);
        format!(", {:.1} ± {half:.1} % against no leaves", 100.0 * summary.win_rate.mean)
    });
    format!(" (so far held-out error {:.2}{strength})", report.fit.held_out_error)
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
    use std::sync::atomic::{AtomicU64, Ordering};

    use tilewright_engine::TileSet;
    use tilewright_engine::monitor::{Monitor, NoMonitor};

    use super::*;
    use crate::run::Run;
    use crate::run_config::RunConfig;
    use crate::test_support::made_up_words;

    /// Stops the work at its third look during the standard errors: in the second batch of draws.
    #[derive(Default)]
    struct StopInErrors {
        /// Looks since the standard errors began, and one more; 0 before.
        looks: AtomicU64,
        /// Draws made or read back.
        draws: AtomicU64,
    }

    impl Monitor for StopInErrors {
        fn begin(&self, what: &str, _units: u64, _unit: &'static str) {
            self.looks.store(u64::from(what == "standard errors"), Ordering::Relaxed);
        }
        fn advance(&self, done: u64) {
            if self.looks.load(Ordering::Relaxed) > 0 {
                self.draws.fetch_add(done, Ordering::Relaxed);
            }
        }
        fn is_stopped(&self) -> bool {
            self.looks.load(Ordering::Relaxed) > 0 && self.looks.fetch_add(1, Ordering::Relaxed) > 2
        }
    }

    #[test]
    fn draws_of_standard_errors_outlive_a_stop() {
        let letter = |letter: char| {
            let is_vowel = "AEI".contains(letter);
            format!("{{ letter = \"{letter}\", count = 6, value = 1, vowel = {is_vowel} }},")
        };
        let text = format!(
            "name = \"small\"\nboard = \"standard\"\ntotal_tiles = 50\ntotal_points = 48\nblanks = 2\nletters = [{}]\n\
             [rules]\nrack_size = 4\nbingo_bonus = 50\nexchange_minimum = 4\n",
            "AEINRSTL".chars().map(letter).collect::<String>()
        );
        let tileset = TileSet::from_toml(&text, "small").unwrap();
        let words = made_up_words(&tileset);
        let lattice = Lattice::new(&tileset);
        let setup = Setup::from_words(tileset, &words).unwrap();
        let config = "seed = 1\nlexicon = \"\"\ntileset = \"small\"\ngames = [300]\nlate_games = 0\nshard_games = 300\n\
                      generation_pairs = 0\nposterior_draws = 16\nmatch_pairs = 0\nmatch_seed = 1\n";
        let config = LeavesConfig::from_toml(config, "test").unwrap();
        let run = LeavesRun { setup: &setup, config: &config, lattice: &lattice };
        let whole = run.execute(&Journal::in_memory(&NoMonitor)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut after = Vec::new();
        let resumed = loop {
            let monitor = StopInErrors::default();
            let ended = run.execute(&Journal::open(folder.path(), &run.key(), &monitor).unwrap());
            after.push(monitor.draws.into_inner());
            match ended {
                Ok(resumed) => break resumed,
                Err(RunError::Journal(JournalError::Interrupted { .. })) => {}
                Err(error) => panic!("{error}"),
            }
        };
        // Each run makes one batch and keeps those before it.
        assert_eq!(after, [4, 8, 12, 16]);
        assert_eq!((&resumed.detail, &resumed.generations), (&whole.detail, &whole.generations));
        assert_eq!(resumed.table.values(), whole.table.values());
    }

    #[test]
    fn a_checkpoint_is_read_back_to_the_last_bit() {
        // The next fit begins with these numbers, so one bit lost would change a resumed run.
        for rack_effect in [13.678_503_557_477_901, 0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE] {
            let fitted = Fitted {
                table: vec![-1, 1 << 30],
                rack_values: vec![7],
                detail: Detail { support: vec![1], standard_error: vec![0.1 + 0.2] },
                change: 0.5,
                fit: Json(FitReport { rack_effect, ..FitReport::of_nothing() }),
            };
            let back: Fitted = postcard::from_bytes(&postcard::to_stdvec(&fitted).unwrap()).unwrap();
            assert_eq!((&back.table, &back.rack_values, &back.detail), (&fitted.table, &fitted.rack_values, &fitted.detail));
            assert_eq!(back.fit, fitted.fit);
            assert_eq!(back.fit.0.rack_effect.to_bits(), rack_effect.to_bits());
        }
    }
}
