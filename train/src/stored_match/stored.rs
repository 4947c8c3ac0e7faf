//! The pairs of a match and the standings of a round robin in a folder, whether it ended, was stopped or goes on. The deals of a round robin, in shards.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter, MANIFEST, Manifest};
use tilewright_engine::folder::Folder;
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file::limits;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::series::round_robin::{RoundRobin, Standings};
use tilewright_engine::series::sequential::{PAIRS_PER_LOOK, SequentialTest};
use tilewright_engine::series::{Estimate, Pair, Tally};

use super::spec::{ASKED, FILES, MatchSpec, are_of, of_file};
use crate::journal::{Journal, JournalError, Json, RUN, ShardJob, StoredRun, WORK};

/// A match of two players as its folder has it. Its pairs stay there, so that a long match takes no more memory than a short one.
pub struct StoredMatch {
    /// The spec of the match.
    pub spec: MatchSpec,
    /// The pairs that were asked for.
    pub asked: u64,
    /// The number of finished pairs from number 0 on, up to the first that is missing.
    pub pairs: u64,
    /// The manifest of a match that has ended.
    pub manifest: Option<Manifest>,
    folder: PathBuf,
    run: StoredRun,
}

impl StoredMatch {
    /// The match in a folder. One that has ended is complete.
    ///
    /// # Errors
    /// [`StoredError`].
    pub fn open(folder: &Path, monitor: &dyn Monitor) -> Result<StoredMatch, StoredError> {
        let none = || StoredError::NoMatch { folder: folder.into() };
        let manifest = of_folder(folder)?;
        let run = StoredRun::open(folder)?.ok_or_else(none)?;
        let spec: Option<MatchSpec> = toml::from_str(&run.key.config).ok();
        let spec = spec.filter(|spec| spec.players.len() == 2).ok_or_else(none)?;
        let asked: Option<u64> = run.read(ASKED, "", monitor)?;
        let mut stored = StoredMatch { spec, asked: 0, pairs: u64::MAX, manifest, folder: folder.into(), run };
        let mut pairs = 0;
        stored.each(monitor, |_| pairs += 1)?;
        // A match that only a test has ended was asked for no number of pairs.
        (stored.pairs, stored.asked) = (pairs, asked.unwrap_or(0).max(pairs));
        Ok(stored)
    }

    /// Reads the pairs, one file after the other, and passes them to `take` in order.
    ///
    /// # Errors
    /// [`StoredError`].
    pub fn each(&self, monitor: &dyn Monitor, mut take: impl FnMut(Pair)) -> Result<(), StoredError> {
        let mut next = 0;
        for name in self.run.names(FILES)? {
            let stored: Option<Vec<Pair>> = self.run.read(&name, "", monitor)?;
            let file = name.strip_prefix(FILES).and_then(|number| number.parse().ok()).map(of_file);
            let stored = stored.filter(|pairs| file.is_some_and(|file| are_of(pairs, &file)));
            for pair in stored.ok_or_else(|| StoredError::Damaged { folder: self.folder.clone(), name })? {
                // A run that goes on may have finished more.
                if pair.index == next && next < self.pairs {
                    take(pair);
                    next += 1;
                }
            }
        }
        Ok(())
    }
}

/// The standings of the round robin in a folder, up to the first shard that is missing.
///
/// # Errors
/// [`JournalError`], and [`StoredError::NoRoundRobin`] for another kind of run.
pub fn stored_standings(folder: &Path, monitor: &dyn Monitor) -> Result<(MatchSpec, Standings), StoredError> {
    let none = || StoredError::NoRoundRobin { folder: folder.into() };
    let run = StoredRun::open(folder)?.ok_or_else(none)?;
    let spec: MatchSpec = toml::from_str(&run.key.config).map_err(|_| none())?;
    let deals = spec.pairs.filter(|_| spec.players.len() > 2).ok_or_else(none)?;
    let (players, deals) = (spec.players.len(), job(deals));
    let shards: Vec<Json<Standings>> = run.shards(&deals, "", monitor)?;
    if !(0..).zip(&shards).all(|(number, Json(shard))| shard.are_of(players, count(&deals, number))) {
        return Err(StoredError::Damaged { folder: folder.into(), name: deals.name.into() });
    }
    let standings = shards.into_iter().fold(Standings::none(players), |sum, Json(more)| more.plus(sum));
    Ok((spec, standings))
}

/// Why a folder has no standings or no pairs.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum StoredError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Artefact(#[from] ArtefactError),
    #[error("{folder} holds no round robin")]
    NoRoundRobin { folder: PathBuf },
    #[error("{folder} holds no match of two players")]
    NoMatch { folder: PathBuf },
    #[error("{folder}: work/{name} is damaged; rerun the match in this folder, which plays its pairs again")]
    Damaged { folder: PathBuf, name: String },
}

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

/// The approximate number of shards of a long round robin: a kill loses little, and the files stay few.
const SHARDS: u64 = 1000;
/// The prefix of the work files with the finished deals of shards that were stopped.
const BEGUN: &str = "begun-";

/// Plays the deals of a round robin, or reads their standings back, and passes the standings of each shard to `take`.
/// Returns the number of deals that this process played.
///
/// # Errors
/// [`JournalError`]. After [`JournalError::Interrupted`], `take` has the finished deals up to the shard of the stop.
pub(super) fn play_deals(
    round_robin: &RoundRobin<'_>,
    deals: u64,
    journal: &Journal<'_>,
    mut take: impl FnMut(Standings),
) -> Result<u64, JournalError> {
    let (played, begun) = (Cell::new(0), RefCell::new(None));
    let none = || Standings::none(round_robin.players);
    let make = |deals: Range<u64>| {
        let (name, count) = (format!("{BEGUN}{:010}", deals.start), deals.end - deals.start);
        let stored: Option<Json<BTreeMap<u64, Standings>>> = journal.read(&name, "")?;
        let mut finished = stored.map_or_else(BTreeMap::new, |Json(finished)| finished);
        if !finished.iter().all(|(deal, standings)| deals.contains(deal) && standings.are_of(round_robin.players, 1)) {
            return Err(journal.strange_file(&name));
        }
        journal.monitor().advance(finished.len() as u64 * round_robin.matches());
        let missing: Vec<u64> = deals.filter(|deal| !finished.contains_key(deal)).collect();
        let more = round_robin.play_each(missing, journal.monitor());
        played.set(played.get() + more.len() as u64);
        finished.extend(more);
        if finished.len() as u64 == count {
            return Ok(Some(Json(finished.into_values().fold(none(), Standings::plus))));
        }
        let Json(finished) = journal.write(&name, "", &Json(finished))?;
        begun.replace(Some(finished.into_values().fold(none(), Standings::plus)));
        Ok(None)
    };
    let (job, mut strange) = (job(deals), None);
    let end = journal.each_unless_stopped(&job, "", make, |number, Json(standings)| {
        if standings.are_of(round_robin.players, count(&job, number)) {
            take(standings);
        } else {
            strange = strange.or(Some(number));
        }
    });
    if let Some(number) = strange {
        return Err(journal.strange_shard(&job, number));
    }
    if let Some(begun) = begun.into_inner() {
        take(begun);
    }
    end?;
    journal.forget(BEGUN)?;
    Ok(played.get())
}

/// The job of this many deals. Its shards hold at least as many as one look of a sequential test.
pub(super) fn job(deals: u64) -> ShardJob<'static> {
    ShardJob { name: "deals", units: deals, size: PAIRS_PER_LOOK * (deals / (SHARDS * PAIRS_PER_LOOK)).max(1) }
}

/// The deals of a shard.
fn count(job: &ShardJob<'_>, number: u64) -> u64 {
    let deals = job.units_of(number);
    deals.end - deals.start
}

#[cfg(test)]
mod tests {
    use tilewright_engine::deals::Domain;
    use tilewright_engine::monitor::{Monitor, NoMonitor};

    use super::super::pairs::samples;
    use super::*;
    use crate::journal::RunKey;

    /// The standings after this many deals.
    fn played(round_robin: &RoundRobin<'_>, deals: u64) -> Standings {
        let played = round_robin.play_each((0..deals).collect(), &NoMonitor);
        played.into_iter().fold(Standings::none(round_robin.players), |sum, (_, deal)| sum.plus(deal))
    }

    #[test]
    fn the_shards_of_a_round_robin_add_up() {
        let setup = samples::setup();
        let greedy = samples::greedy();
        let round_robin = RoundRobin::new(&setup, &[&greedy; 2], Domain::UnpairedMatch.deals(3), None);
        let mut sum = Standings::none(2);
        let add = |more: Standings| sum = more.plus(sum.clone());
        assert_eq!(play_deals(&round_robin, 150, &Journal::in_memory(&NoMonitor), add).unwrap(), 150);
        assert_eq!(sum, played(&round_robin, 150));
        let standings = played(&round_robin, 3);
        assert!(standings.are_of(2, 3) && !standings.are_of(2, 2) && !standings.are_of(3, 3));
    }

    #[test]
    fn the_finished_deals_of_a_stopped_round_robin_are_not_played_again() {
        let (setup, greedy, folder) = (samples::setup(), samples::greedy(), tempfile::tempdir().unwrap());
        let round_robin = RoundRobin::new(&setup, &[&greedy; 3], Domain::UnpairedMatch.deals(3), None);
        let play = |monitor: &dyn Monitor| {
            let journal = Journal::open(folder.path(), &RunKey::new("round-robin", "deals"), monitor).unwrap();
            let mut sum = Standings::none(3);
            let end = play_deals(&round_robin, 140, &journal, |more: Standings| sum = more.plus(sum.clone()));
            (sum, end, journal.names(BEGUN).unwrap().len())
        };
        let mut finished = 0;
        for looks in [900, 1500, 30, 2000] {
            let (sum, end, begun) = play(&samples::StopAtLook::new(looks));
            assert!(matches!(end, Err(JournalError::Interrupted { .. })), "{end:?}");
            assert!(begun == 1 && sum.deals >= finished && sum.deals < 128, "{} after {finished}", sum.deals);
            finished = sum.deals;
        }
        assert!(finished > 5);
        let (sum, end, begun) = play(&NoMonitor);
        assert_eq!((end.unwrap(), begun), (140 - finished, 0));
        assert_eq!(sum, played(&round_robin, 140));
    }
}
