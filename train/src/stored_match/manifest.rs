//! The manifest of a finished match or round robin, next to its work files. A match that goes on has none.

use std::io::ErrorKind;
use std::path::Path;

use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter, MANIFEST, Manifest};
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_engine::series::{Estimate, Tally};

/// The figures of the sequential test that ended a match: win rates from 0 to 1, and error rates.
const TEST: [&str; 4] = ["sequential_h0", "sequential_h1", "sequential_alpha", "sequential_beta"];

/// Adds the figures of a match of two players to its manifest, from the view of the first, and those of the test that ended it.
pub(super) fn measure(artefact: &mut ArtefactWriter, tally: &Tally, test: Option<&SequentialTest>) {
    if let Some(summary) = tally.summary() {
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
