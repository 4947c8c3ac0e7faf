//! What `network eval` writes as JSON, and its page and exports read.

use serde::{Deserialize, Serialize};
use tilewright_train::candidates::CandidateConfig;
use tilewright_train::network::eval::NetworkEvaluation;

/// What is written as JSON. It is the same on every run and any number of threads; times are only printed.
#[derive(Serialize, Deserialize)]
pub struct EvaluationFile {
    /// The network, as on the command line.
    pub path: String,
    /// A hash of its weights, its settings and its leave table.
    pub identity: String,
    pub tileset: String,
    pub lexicon: String,
    /// The seed of the games and of the shuffles.
    pub seed: u64,
    pub games: u64,
    /// How their candidates were labelled.
    pub labels: CandidateConfig,
    #[serde(flatten)]
    pub evaluation: NetworkEvaluation,
}
