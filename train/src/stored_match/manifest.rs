//! The manifest of a finished match or round robin, next to its work files. A match that goes on has none.

use std::path::Path;

use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter, MANIFEST, Manifest};
use tilewright_engine::folder::Folder;
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file::limits;
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_engine::series::{Estimate, Tally};

use crate::journal::{RUN, WORK};

/// The figures of the sequential test that ended a match: win rates from 0 to 1, and error rates.
const TEST: [&str; 4] = ["sequential_h0", "sequential_h1", "sequential_alpha", "sequential_beta"];

/// Adds the figures of a match of two players to its manifest, from the view of the first, and of the test that ended it.
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

/// Lists work files in a manifest: the run key, and the match's files, whose names begin with one of these prefixes.
pub(super) fn list_work(artefact: &mut ArtefactWriter, folder: &Folder, prefixes: &[&str]) -> Result<(), ArtefactError> {
    let work = folder.folder(WORK)?;
    for name in work.names()? {
        if name == RUN || prefixes.iter().any(|prefix| name.starts_with(prefix)) {
            let bytes = work.read(&name, limits::TABLE)?.unwrap_or_default();
            artefact.add_written(&format!("{WORK}/{name}"), sha256(&bytes))?;
        }
    }
    Ok(())
}

/// The manifest of a finished match or round robin, or `None` if it goes on. All its files are checked.
///
/// # Errors
/// [`ArtefactError`] if the manifest or a file is damaged.
pub fn of_folder(folder: &Path) -> Result<Option<Manifest>, ArtefactError> {
    if !folder.join(MANIFEST).is_file() {
        return Ok(None);
    }
    let artefact = Artefact::read_any(folder)?;
    artefact.check_payloads()?;
    Ok(Some(artefact.manifest().clone()))
}
