//! The results of each generation of a leave run, as `generations.json` in its artefact.
//!
//! ```text
//! { "version": 2,
//!   "generations": [ { "generation": 1, "games": 4000, "boards": 0, "census": null,
//!                      "self_play": { "observations": …, "racks": …, "noise": …, "held_out_error": …, … },
//!                      "change": …, "against_no_leaves": { "pairs": …, "outcomes": […], … }, "against_last": { … } }, … ],
//!   "closing_match": { "opponent": "no-leaves", "seed": 1000, "tally": { "pairs": …, "outcomes": […], … } } }
//! ```
//!
//! The fields are those of [`GenerationReport`] and [`FitReport`], in points; tallies are
//! exact, so that every interval can be computed again. A change of the format raises the version.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::artefact::{Artefact, ArtefactError};
use tilewright_engine::player::naming::{GREEDY, NO_LEAVES};
use tilewright_engine::series::Tally;

use super::config::LeavesConfig;
use super::least_squares::FitReport;
use super::run::{GenerationReport, LeavesOutcome};
use crate::parquet_file::Column;
use crate::schema::{Schema, Type, field};

/// The file name, next to the table.
pub const GENERATIONS_FILE: &str = "generations.json";
/// The version of the format that is written and read.
const VERSION: u32 = 2;
/// The version in which the matches were against greedy play.
const GREEDY_VERSION: u32 = 1;

/// The columns of [`Generations::columns`].
pub const SCHEMA: Schema = Schema {
    name: "leave_generations",
    row: "a generation of a leave table",
    fields: &[
        field("generation", Type::Int64, "", "", "number of the generation, from 1"),
        field("games", Type::Int64, "games", "", "games of self-play"),
        field("boards", Type::Int64, "boards", "", "boards of the census"),
        field(
            "observations",
            Type::Int64,
            "",
            "",
            "turns of self-play, or racks times boards of the census if no game was played",
        ),
        field("noise", Type::Double, "points", "", "standard deviation of one observation of a rack; NaN without a fit"),
        field(
            "held_out_error",
            Type::Double,
            "points",
            "",
            "root of the weighted mean squared error on held-out racks; NaN without a fit",
        ),
        field(
            "change",
            Type::Double,
            "points",
            "",
            "mean absolute change of a value from the table before, weighted by observations",
        ),
        field("pairs", Type::Int64, "pairs", "", "pairs of the match against no leaves; 0 if there was none"),
        field(
            "win_rate",
            Type::Double,
            "0 to 1",
            "new table",
            "win rate against no leaves, in old artefacts against greedy; NaN without a match",
        ),
        field(
            "pairs_against_last",
            Type::Int64,
            "pairs",
            "",
            "pairs of the match against the table before; 0 if there was none",
        ),
        field(
            "win_rate_against_last",
            Type::Double,
            "0 to 1",
            "new table",
            "win rate against the table before; NaN without a match",
        ),
    ],
};

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

/// Why the file cannot be used.
#[derive(Debug, Error)]
pub enum GenerationsError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] ArtefactError),
    /// It does not have the expected format.
    #[error("{path}: {source}; the artefact is damaged, make it again")]
    Form {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// It has another version of the format.
    #[error("{path} has format version {found}, but this program reads version {VERSION}; use the program that wrote it")]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u64,
    },
}

impl Generations {
    /// The player that values no leaves in the matches of the generations.
    pub fn opponent(&self) -> &'static str {
        if self.version == GREEDY_VERSION { GREEDY } else { NO_LEAVES }
    }

    /// The results of a finished run.
    pub fn new(outcome: &LeavesOutcome, config: &LeavesConfig) -> Generations {
        let closing_match = (outcome.closing_match.pairs > 0).then(|| ClosingMatch {
            opponent: NO_LEAVES.into(),
            seed: config.match_seed,
            tally: outcome.closing_match.clone(),
        });
        Generations { version: VERSION, generations: outcome.generations.clone(), closing_match }
    }

    /// The generations as columns of [`SCHEMA`].
    pub fn columns(&self) -> Vec<(String, Column)> {
        let all = || self.generations.iter();
        let integers =
            |value: &dyn Fn(&GenerationReport) -> u64| Column::Int64(all().map(|report| value(report) as i64).collect());
        let doubles = |value: &dyn Fn(&GenerationReport) -> f64| Column::Double(all().map(value).collect());
        let of_fit = |value: fn(&FitReport) -> f64| doubles(&|report| report.fit().map_or(f64::NAN, value));
        let rate = |tally: &Tally| tally.summary().map_or(f64::NAN, |summary| summary.win_rate.mean);
        let columns = [
            ("generation", integers(&|report| report.generation)),
            ("games", integers(&|report| report.games)),
            ("boards", integers(&|report| report.boards)),
            ("observations", integers(&|report| report.fit().map_or(0, |fit| fit.observations))),
            ("noise", of_fit(|fit| fit.noise)),
            ("held_out_error", of_fit(|fit| fit.held_out_error)),
            ("change", doubles(&|report| report.change)),
            ("pairs", integers(&|report| report.against_no_leaves.pairs)),
            ("win_rate", doubles(&|report| rate(&report.against_no_leaves))),
            ("pairs_against_last", integers(&|report| report.against_last.pairs)),
            ("win_rate_against_last", doubles(&|report| rate(&report.against_last))),
        ];
        columns.map(|(name, column)| (name.to_string(), column)).into()
    }

    /// The bytes of the file. A number that JSON cannot hold, such as NaN, is written as `null`, which
    /// [`Generations::read`] reports as damage.
    ///
    /// # Errors
    /// An error of the JSON writer.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        Ok((serde_json::to_string_pretty(self)? + "\n").into_bytes())
    }

    /// Reads the generations that an artefact holds; `None` if it holds none.
    ///
    /// # Errors
    /// [`GenerationsError`].
    pub fn read(artefact: &Artefact) -> Result<Option<Generations>, GenerationsError> {
        if !artefact.has(GENERATIONS_FILE) {
            return Ok(None);
        }
        let bytes = artefact.payload(GENERATIONS_FILE)?;
        Generations::from_bytes(&artefact.path(GENERATIONS_FILE), &bytes).map(Some)
    }

    /// The generations from the bytes of a file; `path` names it in errors.
    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Generations, GenerationsError> {
        let form = |source| GenerationsError::Form { path: path.into(), source };
        let any: serde_json::Value = serde_json::from_slice(bytes).map_err(form)?;
        match any.get("version").and_then(serde_json::Value::as_u64) {
            Some(found) if ![GREEDY_VERSION, VERSION].map(u64::from).contains(&found) => {
                Err(GenerationsError::Version { path: path.into(), found })
            }
            _ => serde_json::from_slice(bytes).map_err(form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_reads_back_and_another_version_is_reported() {
        let read = |bytes: &[u8]| Generations::from_bytes(Path::new(GENERATIONS_FILE), bytes);
        let refused = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        let generation = GenerationReport {
            generation: 1,
            games: 2,
            boards: 3,
            census: None,
            self_play: None,
            change: 0.1 + 0.2,
            against_no_leaves: Tally::default(),
            against_last: Tally::default(),
        };
        let tally = Tally { pairs: 1, spread_sum: -7, ..Tally::default() };
        let closing_match = Some(ClosingMatch { opponent: NO_LEAVES.into(), seed: 1000, tally });
        let written = Generations { version: VERSION, generations: vec![generation], closing_match };
        let bytes = written.to_bytes().unwrap();
        assert_eq!(read(&bytes).unwrap(), written);
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            refused(text.replace(&format!("\"version\": {VERSION}"), "\"version\": 7").as_bytes()).contains("version 7")
        );
        let first = text
            .replace(&format!("\"version\": {VERSION}"), "\"version\": 1")
            .replace("against_no_leaves", "against_greedy");
        assert_eq!(read(first.as_bytes()).unwrap().opponent(), GREEDY);
        let mut unwritable = written;
        unwritable.generations[0].change = f64::NAN;
        assert!(refused(&unwritable.to_bytes().unwrap()).contains("damaged"));
        assert!(refused(b"{").contains("damaged"));
    }
}
