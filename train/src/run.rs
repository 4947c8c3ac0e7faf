//! A run as a value: a kind, a config and its loaded inputs, which a [`Journal`] executes and an artefact records.
//!
//! Whoever runs it, a command, a worker or a study, opens a journal for [`Run::key`], calls [`Run::execute`], and writes the outcome. A run
//! that is executed again in its folder goes on where it was stopped, and ends in the same bytes.

use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::evaluator::linear::BadWeights;
use tilewright_engine::evaluator::network::BadNetwork;
use tilewright_engine::features::FeatureError;
use tilewright_engine::folder::Folder;
use tilewright_engine::hash::sha256;
use tilewright_engine::setup::Setup;

use crate::journal::{CONFIG, Journal, JournalError, RunKey};
use crate::schema::Schema;

/// The kinds of runs.
#[expect(missing_docs, reason = "each name is its kind")]
pub mod kind {
    pub const LEAVES: &str = "leaves";
    pub const WIN_PERCENTAGE: &str = "win-percentage";
    pub const LINEAR: &str = "linear";
    pub const NETWORK: &str = "network";
    pub const EVOLVE: &str = "evolve";
    pub const TD: &str = "td";
    pub const SELFPLAY: &str = "selfplay";
    pub const MATCH: &str = "match";
    pub const ROUND_ROBIN: &str = "round-robin";
    pub const STUDY: &str = "study";
    /// Labelled positions, which fits share.
    pub const CANDIDATES: &str = "candidates";
    /// Games on which win tables are scored.
    pub const HELD_OUT_GAMES: &str = "held-out games";
}

/// A run with its inputs.
pub trait Run {
    /// The kind, as the run key, the manifest and jobs name it.
    const KIND: &'static str;
    /// The tables that its artefact has for export.
    const TABLES: &'static [&'static Schema] = &[];
    /// The result.
    type Outcome;

    /// The seed of its random draws.
    fn seed(&self) -> u64;

    /// Everything on which the result depends.
    fn key(&self) -> RunKey;

    /// Does the work. `journal` is open for the [`Run::key`].
    ///
    /// # Errors
    /// [`RunError`]. After [`JournalError::Interrupted`] and [`JournalError::ShardsMissing`] all finished work is stored.
    fn execute(&self, journal: &Journal<'_>) -> Result<Self::Outcome, RunError>;

    /// Writes the outcome. The caller may add pages to the artefact and finishes it. `None` is an outcome without one.
    ///
    /// # Errors
    /// [`ArtefactError`].
    fn write(&self, outcome: &Self::Outcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError>;
}

/// Where a run writes its outcome.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The folder of the run, as its journal holds it.
    pub folder: &'a Folder,
    /// Its key, with all builds that worked on it.
    pub key: &'a RunKey,
}

impl Place<'_> {
    /// Begins an artefact of this kind.
    ///
    /// # Errors
    /// [`ArtefactError`].
    pub fn artefact(
        &self,
        kind: &str,
        setup: &Setup,
        feature_set: impl Into<String>,
        seed: u64,
    ) -> Result<ArtefactWriter, ArtefactError> {
        let mut artefact = ArtefactWriter::new(self.folder, kind, setup, self.key.origin(feature_set, seed));
        artefact.add_written(CONFIG, sha256(self.key.config.as_bytes()))?;
        Ok(artefact)
    }
}

/// Executes a run in a folder, and writes its artefact without pages.
///
/// # Errors
/// [`RunError`].
pub fn run_in<R: Run>(run: &R, journal: &Journal<'_>) -> Result<R::Outcome, RunError> {
    let outcome = run.execute(journal)?;
    if let (Some(folder), Some(key)) = (journal.folder(), journal.key())
        && let Some(artefact) = run.write(&outcome, Place { folder, key })?
    {
        artefact.finish()?;
    }
    Ok(outcome)
}

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// The journal ended it.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// The result cannot be written.
    #[error("{0}")]
    Artefact(#[from] ArtefactError),
    /// Another config, or other inputs, would avoid it.
    #[error("{0}")]
    Input(String),
    /// The work failed.
    #[error("{0}")]
    Failed(String),
}

impl From<FeatureError> for RunError {
    fn from(error: FeatureError) -> RunError {
        RunError::Input(error.to_string())
    }
}

impl From<BadWeights> for RunError {
    fn from(error: BadWeights) -> RunError {
        RunError::Failed(format!("the run found weights that cannot be played: {error}"))
    }
}

impl From<BadNetwork> for RunError {
    fn from(error: BadNetwork) -> RunError {
        RunError::Failed(format!("training made a network that cannot be played: {error}"))
    }
}
