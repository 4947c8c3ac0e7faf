//! The results of each generation of a leave run, as `generations.json` in its artefact.
//!
//! ```text
//! { "version": 3,
//!   "generations": [ { "generation": 1, "games": 4000,
//!                      "fit": { "observations": …, "racks": …, "noise": …, "held_out_error": …, … },
//!                      "change": …, "against_no_leaves": { "pairs": …, "outcomes": […], … }, "against_last": { … } }, … ],
//!   "closing_match": { "opponent": "no-leaves", "seed": 1000, "tally": { "pairs": …, "outcomes": […], … } } }
//! ```
//!
//! [`GenerationReport`] and [`FitReport`](super::least_squares::FitReport) describe the fields, in points. Tallies are
//! exact, so every interval can be computed again. A change of the format raises the version.

use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{Artefact, ArtefactError};
use tilewright_engine::player::Base;
use tilewright_engine::series::{Summary, Tally};

use super::config::LeavesConfig;
use super::run::{GenerationReport, LeavesOutcome};
use crate::schema::Cell::{Double, Int32, Int64, Text};
use crate::schema::{Schema, Table, double, int32, int64, text};

/// The file name, next to the table.
pub const GENERATIONS_FILE: &str = "generations.json";
/// The version of the format that is written and read.
const VERSION: u32 = 3;

/// The columns of the generations.
pub const SCHEMA: Schema = Schema {
    name: "leave_generations",
    row: "a generation of a leave table",
    fields: &[
        int64("generation", "number of the generation, from 1"),
        int64("games", "games of self-play").unit("games"),
        int64("observations", "turns of self-play"),
        double("noise", "standard deviation of one observation of a rack").unit("points"),
        double("held_out_error", "root of the weighted mean squared error on held-out racks").unit("points"),
        double("change", "mean absolute change of a value from the table before, weighted by observations").unit("points"),
    ],
};

/// The columns of the matches.
pub const MATCHES_SCHEMA: Schema = Schema {
    name: "leave_matches",
    row: "a match of a new leave table",
    fields: &[
        int64("generation", "number of the generation that made the table, from 1"),
        text("opponent", "no-leaves, or last-table for the table of the generation before"),
        int32("closing", "1 for the match at the end of the run, 0 for the shorter ones of each generation"),
        int64("pairs", "pairs of the match").unit("pairs"),
        double("win_rate", "win rate; a draw counts half").unit("0 to 1").view("new table"),
        double("win_rate_low", "lower end of its 95 % interval by pairs").unit("0 to 1").view("new table"),
        double("win_rate_high", "upper end of that interval").unit("0 to 1").view("new table"),
        double("spread", "spread").unit("points per game").view("new table"),
        double("spread_low", "lower end of its 95 % interval by pairs").unit("points per game").view("new table"),
        double("spread_high", "upper end of that interval").unit("points per game").view("new table"),
    ],
};

/// The opponent of a table in the matches of [`GenerationReport::against_last`].
const LAST_TABLE: &str = "last-table";

/// The results of the generations of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generations {
    version: u32,
    /// The generations in order.
    pub generations: Vec<GenerationReport>,
    /// The match of the table against no leaves, if one was played.
    pub closing_match: Option<ClosingMatch>,
}

/// The match of the finished table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosingMatch {
    /// The name of the opponent.
    pub opponent: String,
    /// The seed of the deals.
    pub seed: u64,
    /// The result, from the table's view.
    pub tally: Tally,
}

impl Generations {
    /// The results of a finished run.
    pub fn new(outcome: &LeavesOutcome, config: &LeavesConfig) -> Generations {
        let closing_match = (outcome.closing_match.pairs > 0).then(|| ClosingMatch {
            opponent: Base::NoLeaves.name().into(),
            seed: config.match_seed,
            tally: outcome.closing_match.clone(),
        });
        Generations { version: VERSION, generations: outcome.generations.clone(), closing_match }
    }

    /// The generations, and their matches if any were played.
    pub fn tables(&self) -> Vec<Table> {
        let [mut generations, mut matches] = [&SCHEMA, &MATCHES_SCHEMA].map(Table::new);
        for report in &self.generations {
            generations.add([
                ("generation", Int64(report.generation as i64)),
                ("games", Int64(report.games as i64)),
                ("observations", Int64(report.fit.observations as i64)),
                ("noise", Double(report.fit.noise)),
                ("held_out_error", Double(report.fit.held_out_error)),
                ("change", Double(report.change)),
            ]);
            add_match(&mut matches, report.generation, Base::NoLeaves.name(), false, &report.against_no_leaves);
            add_match(&mut matches, report.generation, LAST_TABLE, false, &report.against_last);
        }
        if let Some(ClosingMatch { opponent, tally, .. }) = &self.closing_match {
            add_match(&mut matches, self.generations.len() as u64, opponent, true, tally);
        }
        [generations, matches].into_iter().filter(|table| table.rows() > 0).collect()
    }

    /// The bytes of the file. A number that JSON cannot hold, such as NaN, is written as `null`, which
    /// [`Generations::read`] reports as damage.
    ///
    /// # Errors
    /// An error of the JSON writer.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        Ok((serde_json::to_string_pretty(self)? + "\n").into_bytes())
    }

    /// Reads the generations of an artefact, or `None` if it holds no generations.
    ///
    /// # Errors
    /// [`ArtefactError`].
    pub fn read(artefact: &Artefact) -> Result<Option<Generations>, ArtefactError> {
        if !artefact.has(GENERATIONS_FILE) {
            return Ok(None);
        }
        let bytes = artefact.payload(GENERATIONS_FILE)?;
        let fault =
            |reason: String| ArtefactError::Encoding { path: artefact.path(GENERATIONS_FILE), source: reason.into() };
        Generations::from_bytes(&bytes).map(Some).map_err(fault)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Generations, String> {
        let damaged = |error: serde_json::Error| format!("{error}; the artefact is damaged, make it again");
        let json: serde_json::Value = serde_json::from_slice(bytes).map_err(damaged)?;
        match &json["version"] {
            version if *version == VERSION => serde_json::from_value(json).map_err(damaged),
            version => Err(format!(
                "it has format version {version}, but this program reads version {VERSION}; use the program that wrote it"
            )),
        }
    }
}

/// Adds a match, if it was played.
fn add_match(table: &mut Table, generation: u64, opponent: &str, is_closing: bool, tally: &Tally) {
    if let Some(Summary { win_rate, spread, .. }) = tally.summary() {
        table.add([
            ("generation", Int64(generation as i64)),
            ("opponent", Text(opponent.into())),
            ("closing", Int32(i32::from(is_closing))),
            ("pairs", Int64(tally.pairs as i64)),
            ("win_rate", Double(win_rate.mean)),
            ("win_rate_low", Double(win_rate.low)),
            ("win_rate_high", Double(win_rate.high)),
            ("spread", Double(spread.mean)),
            ("spread_low", Double(spread.low)),
            ("spread_high", Double(spread.high)),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaves::least_squares::FitReport;
    use crate::parquet_file::Column;

    #[test]
    fn the_matches_that_were_played_are_rows_with_their_intervals() {
        let tally = |pairs: u64, spread_sum: i64, spread_squares: u64| {
            let outcomes = [0, 0, pairs / 2, 0, pairs / 2];
            Tally { pairs, outcomes, spread_sum, spread_squares, ..Tally::default() }
        };
        let generation = |generation, against_no_leaves, against_last| GenerationReport {
            generation,
            games: 2,
            fit: FitReport::of_nothing(),
            change: 0.5,
            against_no_leaves,
            against_last,
        };
        let generations = vec![
            generation(1, tally(10, 400, 40_000), Tally::default()),
            generation(2, Tally::default(), tally(20, -80, 9_000)),
        ];
        let tally = tally(10, 400, 40_000);
        let closing_match = Some(ClosingMatch { opponent: Base::NoLeaves.name().into(), seed: 1, tally });
        let tables = Generations { version: VERSION, generations: generations.clone(), closing_match }.tables();
        assert_eq!(tables.iter().map(|table| table.schema.name).collect::<Vec<_>>(), ["leave_generations", "leave_matches"]);
        let matches = &tables[1];
        matches.schema.fields_of(&matches.columns).unwrap();
        let column = |wanted| &matches.columns.iter().find(|(name, _)| name == wanted).unwrap().1;
        let texts = ["no-leaves", "last-table", "no-leaves"].map(String::from).to_vec();
        assert_eq!(column("generation"), &Column::Int64(vec![1, 2, 2]));
        assert_eq!((column("opponent"), column("closing")), (&Column::Text(texts), &Column::Int32(vec![0, 0, 1])));
        let Column::Double(lows) = column("spread_low") else { panic!() };
        // The spreads of pairs have mean 40 and variance (40000 − 10 · 1600) / 9; the mean of a game is half of it.
        assert!((lows[0] - (20.0 - 1.959_963_984_540_054 * (24_000.0f64 / 90.0).sqrt() / 2.0)).abs() < 1e-9, "{lows:?}");
        let Column::Double(highs) = column("win_rate_high") else { panic!() };
        assert!(highs.iter().all(|&high| high > 0.75 && high <= 1.0), "{highs:?}");
        // Without matches there is no table of them.
        let generations = vec![generation(1, Tally::default(), Tally::default())];
        assert_eq!(Generations { version: VERSION, generations, closing_match: None }.tables().len(), 1);
    }

    #[test]
    fn the_file_reads_back_and_another_version_is_reported() {
        let read = Generations::from_bytes;
        let refused = |bytes: &[u8]| read(bytes).unwrap_err();
        let generation = GenerationReport {
            generation: 1,
            games: 2,
            fit: FitReport::of_nothing(),
            change: 0.1 + 0.2,
            against_no_leaves: Tally::default(),
            against_last: Tally::default(),
        };
        let tally = Tally { pairs: 1, spread_sum: -7, ..Tally::default() };
        let closing_match = Some(ClosingMatch { opponent: Base::NoLeaves.name().into(), seed: 1000, tally });
        let written = Generations { version: VERSION, generations: vec![generation], closing_match };
        let bytes = written.to_bytes().unwrap();
        assert_eq!(read(&bytes).unwrap(), written);
        let text = String::from_utf8(bytes).unwrap();
        for other in [1, 2, 7] {
            let other = format!("version\": {other}");
            assert!(refused(text.replace(&format!("version\": {VERSION}"), &other).as_bytes()).contains("format version"));
        }
        let mut unwritable = written;
        unwritable.generations[0].change = f64::NAN;
        assert!(refused(&unwritable.to_bytes().unwrap()).contains("damaged"));
        assert!(refused(b"{").contains("damaged"));
    }
}
