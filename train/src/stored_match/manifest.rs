//! The manifest of a finished match or round robin, next to its work files. A match that goes on has none.

use std::io::ErrorKind;
use std::path::Path;

use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter, MANIFEST, Manifest};
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_engine::series::{Estimate, Tally};
use tilewright_engine::setup::Setup;

use crate::journal::RunKey;

/// The figures of the sequential test that ended a match: win rates from 0 to 1, and error rates.
const TEST: [&str; 4] = ["sequential_h0", "sequential_h1", "sequential_alpha", "sequential_beta"];

/// A finished match or round robin.
pub struct FinishedMatch<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// What was played.
    pub key: &'a RunKey,
    /// The seed of the deals.
    pub seed: u64,
    /// Pairs of the match, or of each match of a round robin.
    pub pairs: u64,
    /// The result of a match of two players, from the view of the first.
    pub tally: Option<&'a Tally>,
    /// The test that ended it.
    pub test: Option<&'a SequentialTest>,
}

impl FinishedMatch<'_> {
    /// Writes the manifest into the folder of the run.
    ///
    /// # Errors
    /// [`ArtefactError`].
    pub fn write(&self, folder: &Path) -> Result<(), ArtefactError> {
        let FinishedMatch { setup, key, seed, pairs, tally, test } = *self;
        let mut artefact = ArtefactWriter::new(folder, key.kind(), setup, key.origin("no features", seed));
        artefact.measure("pairs", pairs as f64);
        if let Some(summary) = tally.and_then(Tally::summary) {
            for (name, Estimate { mean, low, high }) in [("win_rate", summary.win_rate), ("spread", summary.spread)] {
                artefact.measure(name, mean);
                artefact.measure(format!("{name}_low"), low);
                artefact.measure(format!("{name}_high"), high);
            }
        }
        if let Some(test) = test {
            let [[h0, h1], [alpha, beta]] = [test.hypotheses(), test.error_rates()];
            TEST.iter().zip([h0, h1, alpha, beta]).for_each(|(name, value)| artefact.measure(*name, value));
        }
        artefact.finish()
    }
}

/// The sequential test that ended a match.
pub fn test_of(manifest: &Manifest) -> Option<SequentialTest> {
    let [h0, h1, alpha, beta] = TEST.map(|name| manifest.metrics.get(name).copied());
    SequentialTest::new(h0?, h1?, alpha?, beta?).ok()
}

/// The manifest of a finished match or round robin; `None` if it goes on.
///
/// # Errors
/// [`ArtefactError`] for one that is damaged.
pub fn of_folder(folder: &Path) -> Result<Option<Manifest>, ArtefactError> {
    if !folder.join(MANIFEST).is_file() {
        return Ok(None);
    }
    Ok(Some(Artefact::read_any(folder)?.manifest().clone()))
}

/// Removes the manifest of a match that is played on.
///
/// # Errors
/// [`ArtefactError`] if it cannot be removed.
pub fn remove(folder: &Path) -> Result<(), ArtefactError> {
    let path = folder.join(MANIFEST);
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != ErrorKind::NotFound => Err(ArtefactError::File { path, source }),
        _ => Ok(()),
    }
}
