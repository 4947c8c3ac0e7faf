//! The config of a linear fit, as TOML.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::features::Feature;

use crate::candidates::{CandidateConfig, Split, TargetConfig};
use crate::run_config::{Basics, RunConfig, within};

/// A linear fit: everything that determines its result besides the tile set and the words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearFitConfig {
    /// The lexicon, as on the command line. An empty text stands for the default lexicon of the tile set.
    pub lexicon: String,
    /// The tile set, as on the command line.
    pub tileset: String,
    /// The seed of every random draw.
    pub seed: u64,
    /// The leave table of the features, relative to the working directory. The default is the embedded table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<PathBuf>,
    /// Games whose positions are used.
    pub games: u64,
    /// Of each `held_out` games the last is for the report and the last but one chooses strengths. The fit learns from
    /// neither.
    pub held_out: u64,
    /// The features with weights, besides the score, whose weight is 1.
    pub features: BTreeSet<Feature>,
    /// The number of best moves by score and leave that the evaluator re-ranks by the features of their placement.
    pub candidate_moves: usize,
    /// The target of the fit to the candidate sets.
    #[serde(default)]
    pub target: TargetConfig,
    /// How the candidate sets are made.
    pub candidates: CandidateConfig,
}

impl RunConfig for LinearFitConfig {
    const FOLDER: &str = "linear-fit";

    fn check(&self) -> Result<(), String> {
        if self.features.is_empty() {
            return Err("features = []; name at least one feature".into());
        }
        if self.features.contains(&Feature::Score) {
            return Err("features: score has the weight 1 already; remove it".into());
        }
        if let Some(feature) = self.features.iter().find(|&&feature| !varies_by_move(feature)) {
            return Err(format!("features: {} is equal for all moves of a position; remove it", feature.about().name));
        }
        within("candidate_moves", self.candidate_moves, &(1..=1000))?;
        self.split().check()?;
        self.target.check()?;
        self.candidates.check()
    }

    fn basics(&mut self) -> Basics<'_> {
        Basics { lexicon: &mut self.lexicon, tileset: &mut self.tileset, seed: &mut self.seed }
    }
}

impl LinearFitConfig {
    /// The games, and their uses.
    pub fn split(&self) -> Split {
        Split { games: self.games, held_out: self.held_out }
    }

    /// Whether a feature is computed from the leave table.
    pub fn needs_leaves(&self) -> bool {
        self.features.iter().any(|feature| feature.needs_leaves())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = tilewright_configs::text("linear-fit", "default");

    #[test]
    fn the_default_reads_back_as_written() {
        let config = LinearFitConfig::built_in("default");
        assert_eq!(LinearFitConfig::from_toml(&config.to_toml(), "echo").unwrap(), config);
    }

    #[test]
    fn invalid_values_are_reported() {
        let message = |from: &str, to: &str| {
            assert!(DEFAULT.contains(from), "{from}");
            LinearFitConfig::from_toml(&DEFAULT.replace(from, to), "my.toml").unwrap_err().to_string()
        };
        assert!(message("\"tiles_played\"", "\"tiles_in_bag\"").contains("tiles_in_bag is equal for all moves"));
        assert!(message("deals = 8", "deals = 1").contains("candidates.deals = 1"));
        assert!(message("window = 15.0", "window = 0.0").contains("candidates.window = 0"));
        assert!(message("softmax = 0.1", "softmax = 1.5").contains("candidates.exploration.softmax = 1.5"));
        assert!(message("turns = 4", "turn = 4").contains("line"));
    }
}
