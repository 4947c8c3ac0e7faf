//! How a leave run went, as `generations.json` in its artefact.
//!
//! ```text
//! { "version": 1,
//!   "generations": [ { "generation": 1, "games": 4000, "turns": …, "racks": …, "noise": …, "rack_effect": …,
//!                      "strengths": [s1, s2, s3], "held_out_error": …, "held_out_error_of_mean": …, "change": … }, … ],
//!   "closing_match": { "opponent": "greedy", "seed": 1000, "tally": { "pairs": …, "outcomes": […], … } } }
//! ```
//!
//! `held_out_error`, `noise` and the rest are those of [`FitReport`](super::least_squares::FitReport), in points; the tally is
//! exact, so that every interval can be worked out again. A reader ignores keys it does not know; a change that it could
//! misread raises the version.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::artefact::ArtefactError;
use tilewright_engine::series::Tally;

use super::config::LeavesConfig;
use super::run::{GenerationReport, LeavesOutcome};

/// The file beside the table.
pub const GENERATIONS_FILE: &str = "generations.json";
/// The form that is written and read.
const VERSION: u32 = 1;

/// How a run went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generations {
    version: u32,
    /// The generations, the last at the end.
    pub generations: Vec<Generation>,
    /// The match of the table against no leaves, if one was played.
    pub closing_match: Option<ClosingMatch>,
}

/// What one generation found out; everything without a unit of its own in points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Number from 1.
    pub generation: u64,
    /// Games played.
    pub games: u64,
    /// Turns observed.
    pub turns: u64,
    /// Distinct racks among them.
    pub racks: u64,
    /// Standard deviation of one observation of a rack.
    pub noise: f64,
    /// Standard deviation of what a rack is worth beyond its sub-multisets.
    pub rack_effect: f64,
    /// Prior standard deviation of the coefficients of order 1, 2, ….
    pub strengths: Vec<f64>,
    /// Root of the weighted mean squared error on held-out racks.
    pub held_out_error: f64,
    /// The same if every rack were worth the mean.
    pub held_out_error_of_mean: f64,
    /// Mean absolute change of a leave in use from the last table.
    pub change: f64,
}

/// The match of the finished table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosingMatch {
    /// Whom it played.
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
    /// It is not of the expected form.
    #[error("{path}: {source}; the artefact is damaged, make it again")]
    Form {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// It is of another form.
    #[error("{path} has form {found}, this program reads form {VERSION}; use the program that wrote it")]
    Version {
        /// The file.
        path: PathBuf,
        /// The form it says it has.
        found: u64,
    },
}

impl Generations {
    /// What a finished run has to tell.
    pub fn of(outcome: &LeavesOutcome, config: &LeavesConfig) -> Generations {
        let closing_match = (outcome.closing_match.pairs > 0).then(|| ClosingMatch {
            opponent: "greedy".into(),
            seed: config.match_seed,
            tally: outcome.closing_match.clone(),
        });
        Generations {
            version: VERSION,
            generations: outcome.generations.iter().map(Generation::of).collect(),
            closing_match,
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// A number that JSON cannot hold.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        Ok((serde_json::to_string_pretty(self)? + "\n").into_bytes())
    }

    /// Reads the file of an artefact folder.
    ///
    /// # Errors
    /// [`GenerationsError`].
    pub fn read(folder: &Path) -> Result<Generations, GenerationsError> {
        let path = folder.join(GENERATIONS_FILE);
        let bytes = std::fs::read(&path).map_err(|source| ArtefactError::File { path: path.clone(), source })?;
        let form = |source| GenerationsError::Form { path: path.clone(), source };
        let any: serde_json::Value = serde_json::from_slice(&bytes).map_err(form)?;
        match any.get("version").and_then(serde_json::Value::as_u64) {
            Some(found) if found != u64::from(VERSION) => Err(GenerationsError::Version { path, found }),
            _ => serde_json::from_slice(&bytes).map_err(form),
        }
    }
}

impl Generation {
    fn of(report: &GenerationReport) -> Generation {
        let fit = &report.fit;
        Generation {
            generation: report.generation,
            games: report.games,
            turns: fit.turns,
            racks: fit.racks as u64,
            noise: fit.noise,
            rack_effect: fit.rack_effect,
            strengths: fit.strengths.to_vec(),
            held_out_error: fit.held_out_error,
            held_out_error_of_mean: fit.held_out_error_of_mean,
            change: report.change,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_reads_back_and_another_form_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(GENERATIONS_FILE);
        let generation = Generation {
            generation: 1,
            games: 2,
            turns: 3,
            racks: 4,
            noise: 0.1 + 0.2,
            rack_effect: 1.0 / 3.0,
            strengths: vec![8.0, 4.0],
            held_out_error: 1.0,
            held_out_error_of_mean: 2.0,
            change: 0.5,
        };
        let tally = Tally { pairs: 1, spread_sum: -7, ..Tally::default() };
        let closing_match = Some(ClosingMatch { opponent: "greedy".into(), seed: 1000, tally });
        let written = Generations { version: VERSION, generations: vec![generation], closing_match };
        let bytes = written.to_bytes().unwrap();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(Generations::read(folder.path()).unwrap(), written);
        let text = String::from_utf8(bytes).unwrap();
        std::fs::write(&path, text.replace("\"games\"", "\"new\": 1, \"games\"")).unwrap();
        assert_eq!(Generations::read(folder.path()).unwrap(), written, "unknown keys are ignored");
        std::fs::write(&path, text.replace("\"version\": 1", "\"version\": 7")).unwrap();
        assert!(Generations::read(folder.path()).unwrap_err().to_string().contains("form 7"));
        std::fs::write(&path, "{").unwrap();
        assert!(Generations::read(folder.path()).unwrap_err().to_string().contains("damaged"));
    }
}
