//! The pairs of a match, in files that grow.
//!
//! A file holds the finished pairs of one range of numbers, whichever they are. A stop keeps every game that has ended, and
//! a later run plays only the missing pairs. So an extension of a match is a plain resumption.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{Pair, Tally};

use super::shared;
use super::spec::{ASKED, FILES, MatchRun, PAIRS_PER_FILE, are_of, of_file};
use crate::journal::{Journal, JournalError};

/// The time after which a file that grows is written again, once a batch ends. A kill loses the younger pairs.
const WRITTEN_EVERY: Duration = Duration::from_secs(2);
/// Pairs are played in batches, which grow until they take this long.
const BATCH: Duration = Duration::from_millis(250);
/// Pairs of the first batch, per thread.
const FIRST_BATCH: u64 = 4;

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchEnd {
    /// All its pairs.
    pub tally: Tally,
    /// The decision of the test, or [`Decision::Open`] without a test.
    pub decision: Decision,
    /// Pairs that this process played. It read the others back.
    pub played: u64,
}

/// Plays the pairs of a match, or reads them back, and passes them to `take` in order. Unless it is stopped, a match ends at
/// the same pair as without a journal.
///
/// # Errors
/// [`JournalError`]. After [`JournalError::Interrupted`], `take` has every finished pair, with a test only up to the stop.
pub(super) fn play_pairs(run: &MatchRun<'_>, journal: &Journal<'_>) -> Result<MatchEnd, JournalError> {
    let &MatchRun { pairs, ref test, take, .. } = run;
    if journal.is_shared() {
        let (tally, decision) = shared::play(run, journal)?;
        return Ok(MatchEnd { tally, decision, played: 0 });
    }
    let mut tally = Tally::default();
    let batch = FIRST_BATCH * rayon::current_num_threads() as u64;
    let mut stored = StoredPairs { run, journal, file: None, played: 0, batch };
    let mut one = |stored: &mut StoredPairs<'_>, range: Range<u64>| {
        let (found, wanted) = (stored.range(range.clone())?, range.end - range.start);
        take(&found);
        if (found.len() as u64) < wanted {
            return Err(journal.interrupted());
        }
        let played = Pair::tally_of(&found);
        tally = played.clone().plus(&tally);
        Ok(played)
    };
    let mut decision = Decision::Open;
    if let Some(test) = test {
        decision = test.play_by(pairs, journal.monitor(), |range| one(&mut stored, range))?.decision;
    } else {
        let asked: u64 = journal.read(ASKED, "")?.unwrap_or(0);
        if asked < pairs {
            journal.write(ASKED, "", &pairs)?;
        }
        let mut next = 0;
        let mut play = || {
            for file in files(pairs) {
                next = file.start;
                while next < file.end {
                    let range = next..file.end.min(next + stored.batch);
                    next = range.end;
                    one(&mut stored, range)?;
                }
            }
            Ok(())
        };
        if let Err(stop) = play() {
            // An earlier run may have finished pairs behind the place of the stop.
            for file in files(pairs).filter(|file| file.end > next) {
                take(&stored.finished(file.start.max(next)..file.end)?);
            }
            return Err(stop);
        }
    }
    stored.save()?;
    Ok(MatchEnd { tally, decision, played: stored.played })
}

/// The ranges of the files of a match.
fn files(pairs: u64) -> impl Iterator<Item = Range<u64>> {
    (0..pairs.div_ceil(PAIRS_PER_FILE)).map(of_file).map(move |file| file.start..file.end.min(pairs))
}

/// The pairs of a match, with the file that is being read or grown.
struct StoredPairs<'a> {
    run: &'a MatchRun<'a>,
    journal: &'a Journal<'a>,
    file: Option<OpenFile>,
    /// Pairs that this process played.
    played: u64,
    /// Pairs per batch.
    batch: u64,
}

/// A file in memory.
struct OpenFile {
    name: String,
    number: u64,
    /// The finished pairs by their numbers.
    pairs: BTreeMap<u64, Pair>,
    is_saved: bool,
    written: Instant,
}

impl StoredPairs<'_> {
    /// The pairs of a range that lies within one file, or fewer if a stop was requested.
    fn range(&mut self, range: Range<u64>) -> Result<Vec<Pair>, JournalError> {
        let mut file = self.open(range.start / PAIRS_PER_FILE)?;
        let found = file.pairs.range(range.clone()).count() as u64;
        self.journal.monitor().advance(found);
        while let Some(missing) = file.first_missing(&range).filter(|_| !self.journal.monitor().is_stopped()) {
            let batch = missing.start..missing.end.min(missing.start + self.batch);
            let (begun, is_full) = (Instant::now(), batch.end - batch.start == self.batch);
            let played = self.run.play_each(batch, self.journal.monitor());
            if is_full && begun.elapsed() < BATCH {
                self.batch = (2 * self.batch).min(PAIRS_PER_FILE);
            }
            self.played += played.len() as u64;
            file.is_saved &= played.is_empty();
            file.pairs.extend(played.into_iter().map(|pair| (pair.index, pair)));
            if file.written.elapsed() > WRITTEN_EVERY {
                file.save(self.journal)?;
            }
        }
        if self.journal.monitor().is_stopped() {
            file.save(self.journal)?;
        }
        self.file = Some(file);
        self.finished(range)
    }

    /// The finished pairs of a range that lies within one file.
    fn finished(&mut self, range: Range<u64>) -> Result<Vec<Pair>, JournalError> {
        let file = self.open(range.start / PAIRS_PER_FILE)?;
        let pairs = file.pairs.range(range).map(|(_, pair)| pair.clone()).collect();
        self.file = Some(file);
        Ok(pairs)
    }

    /// The file with this number: the open one, or one read from the journal after the open one is saved.
    fn open(&mut self, number: u64) -> Result<OpenFile, JournalError> {
        if let Some(file) = self.file.take_if(|file| file.number == number) {
            return Ok(file);
        }
        self.save()?;
        let name = format!("{FILES}{number:05}");
        let stored: Vec<Pair> = self.journal.read(&name, "")?.unwrap_or_default();
        if !are_of(&stored, &of_file(number)) {
            return Err(self.journal.strange_file(&name));
        }
        let pairs = stored.into_iter().map(|pair| (pair.index, pair)).collect();
        Ok(OpenFile { name, number, pairs, is_saved: true, written: Instant::now() })
    }

    /// Saves the open file.
    fn save(&mut self) -> Result<(), JournalError> {
        self.file.iter_mut().try_for_each(|file| file.save(self.journal))
    }
}

impl OpenFile {
    fn first_missing(&self, range: &Range<u64>) -> Option<Range<u64>> {
        let mut missing = range.clone().filter(|number| !self.pairs.contains_key(number));
        let first = missing.next()?;
        let more = missing.zip(first + 1..).take_while(|(number, next)| number == next).count() as u64;
        Some(first..first + 1 + more)
    }

    fn save(&mut self, journal: &Journal<'_>) -> Result<(), JournalError> {
        if !self.is_saved {
            let pairs: Vec<Pair> = self.pairs.values().cloned().collect();
            journal.write(&self.name, "", &pairs)?;
            (self.is_saved, self.written) = (true, Instant::now());
        }
        Ok(())
    }
}

/// A small game for tests, and a monitor that stops it.
#[cfg(test)]
pub(super) mod samples {
    use std::sync::atomic::{AtomicU64, Ordering};

    use tilewright_engine::evaluator::Greedy;
    use tilewright_engine::monitor::Monitor;
    use tilewright_engine::player::Player;
    use tilewright_engine::setup::Setup;
    use tilewright_engine::static_player::StaticPlayer;
    use tilewright_engine::tileset::TileSet;

    pub fn setup() -> Setup {
        let words = "AE\nAI\nEA\nTEA\nEAT\nRAT\nSEA\nTIN\nIN\nNIT\nONE\nNOR\n";
        Setup::from_words(TileSet::embedded("english").unwrap(), words).unwrap()
    }

    /// A monitor that stops after this number of questions, which is in the middle of games.
    pub struct StopAtLook(pub AtomicU64);

    impl StopAtLook {
        pub fn new(looks: u64) -> StopAtLook {
            StopAtLook(AtomicU64::new(looks))
        }
    }

    impl Monitor for StopAtLook {
        fn begin(&self, _what: &str, _units: u64, _unit: &'static str) {}
        fn advance(&self, _done: u64) {}
        fn is_stopped(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
        }
    }

    pub fn greedy() -> Player {
        Player::from_static("greedy", StaticPlayer::new(Greedy))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicU64, Ordering};

    use tilewright_engine::deals::{Deals, Domain};
    use tilewright_engine::monitor::{Monitor, NoMonitor};
    use tilewright_engine::series::Series;
    use tilewright_engine::series::sequential::SequentialTest;

    use super::*;
    use crate::journal::StoredRun;
    use crate::stored_match::{MatchSpec, StoredError, StoredMatch};

    /// A monitor that stops after this number of pairs.
    struct StopAt(AtomicU64);

    impl Monitor for StopAt {
        fn begin(&self, _what: &str, _units: u64, _unit: &'static str) {}
        fn advance(&self, done: u64) {
            let left = self.0.load(Ordering::Relaxed);
            self.0.store(left.saturating_sub(done), Ordering::Relaxed);
        }
        fn is_stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    /// Passes a function that plays in a folder to a test: pairs and test, with the finished pairs and the end.
    fn with_match(
        deals: Deals,
        run: impl Fn(
            &Series<'_>,
            &dyn Fn(
                &std::path::Path,
                u64,
                Option<&SequentialTest>,
                &dyn Monitor,
            ) -> (Vec<Pair>, Result<MatchEnd, JournalError>),
        ),
    ) {
        let (setup, greedy) = (samples::setup(), samples::greedy());
        let players = [&greedy; 2];
        let series = Series::new(&setup, players, deals);
        let play = |folder: &std::path::Path, pairs, test: Option<&SequentialTest>, monitor: &dyn Monitor| {
            let spec = MatchSpec::of_two(["greedy"; 2].map(|name| name.parse().unwrap()), pairs);
            let spec = MatchSpec { seed: Some(deals.seed), unpaired: deals.is_unpaired(), ..spec };
            let key = spec.key(&setup, &players, true);
            let journal = Journal::open(folder, &key, monitor).unwrap();
            let taken = RefCell::new(Vec::new());
            let take = |more: &[Pair]| taken.borrow_mut().extend_from_slice(more);
            let series = Series::new(&setup, players, deals);
            let run = MatchRun { series, spec: &spec, pairs, test: test.copied(), keeps_moves: true, take: &take };
            let end = play_pairs(&run, &journal);
            (taken.into_inner(), end)
        };
        run(&series, &play);
    }

    #[test]
    fn a_match_that_is_stopped_and_resumed_equals_an_uninterrupted_one() {
        with_match(Domain::UnpairedMatch.deals(3), |series, play| {
            for test in [None, Some(SequentialTest::new(0.5, 0.500_1, 0.05, 0.05).unwrap())] {
                let (folder, pairs, mut finished) = (tempfile::tempdir().unwrap(), 300, 0);
                for stop in [1, 200] {
                    let (taken, end) = play(folder.path(), pairs, test.as_ref(), &StopAt(AtomicU64::new(stop)));
                    assert!(matches!(end, Err(JournalError::Interrupted { .. })), "{end:?}");
                    // Nothing that was finished is lost.
                    assert!(taken.len() as u64 >= stop.min(128) && taken.len() >= finished, "{} of {stop}", taken.len());
                    finished = taken.len();
                    // Stopped at once, it still reports them.
                    let (taken, _) = play(folder.path(), pairs, test.as_ref(), &StopAt(AtomicU64::new(0)));
                    assert!(test.is_some() || taken.len() == finished, "{} of {finished}", taken.len());
                }
                let (taken, end) = play(folder.path(), pairs, test.as_ref(), &NoMonitor);
                let end = end.unwrap();
                assert_eq!((taken, end.decision), (series.play_each(0..pairs, &NoMonitor), Decision::Open));
                assert_eq!(end.played, 300 - finished as u64);
                assert_eq!(play(folder.path(), pairs, test.as_ref(), &NoMonitor).1.unwrap().played, 0);
                // Extended, it plays the rest, with a test or without.
                let (taken, end) = play(folder.path(), 1500, None, &NoMonitor);
                assert_eq!((taken, end.unwrap().played), (series.play_each(0..1500, &NoMonitor), 1200));
                assert_eq!(play(folder.path(), 700, test.as_ref(), &NoMonitor).1.unwrap().played, 0);
            }
        });
    }

    #[test]
    fn pairs_that_were_abandoned_are_played_again() {
        with_match(Domain::UnpairedMatch.deals(4), |series, play| {
            let whole = series.play_each(0..100, &NoMonitor);
            for test in [None, Some(SequentialTest::new(0.5, 0.500_1, 0.05, 0.05).unwrap())] {
                let (folder, mut finished) = (tempfile::tempdir().unwrap(), 0);
                for looks in [40, 500, 1000, 50] {
                    let (taken, end) = play(folder.path(), 100, test.as_ref(), &samples::StopAtLook::new(looks));
                    assert!(matches!(end, Err(JournalError::Interrupted { .. })), "{end:?}");
                    assert!(taken.len() >= finished && taken.len() < 100, "{} after {finished}", taken.len());
                    assert!(taken.iter().all(|pair| *pair == whole[pair.index as usize]));
                    finished = taken.len();
                }
                assert!(finished > 2);
                let (taken, end) = play(folder.path(), 100, test.as_ref(), &NoMonitor);
                assert_eq!((taken, end.unwrap().played), (whole.clone(), 100 - finished as u64));
            }
        });
    }

    #[test]
    fn pairs_under_the_name_of_another_file_are_refused() {
        with_match(Domain::Match.deals(8), |series, play| {
            let (folder, pairs) = (tempfile::tempdir().unwrap(), 2 * PAIRS_PER_FILE);
            play(folder.path(), pairs, None, &NoMonitor).1.unwrap();
            let key = StoredRun::open(folder.path()).unwrap().unwrap().key;
            let whole = series.play_each(0..2, &NoMonitor);
            let numbered = |numbers: [u64; 2]| -> Vec<Pair> {
                whole.iter().zip(numbers).map(|(pair, index)| Pair { index, ..pair.clone() }).collect()
            };
            let second = PAIRS_PER_FILE;
            for (numbers, is_right) in [
                ([second, second + 1], true),
                ([0, 1], false),
                ([second, second], false),
                ([second + 1, second], false),
                ([second, 2 * second], false),
                ([second, u64::MAX], false),
            ] {
                let journal = Journal::open(folder.path(), &key, &NoMonitor).unwrap();
                journal.write(&format!("{FILES}00001"), "", &numbered(numbers)).unwrap();
                drop(journal);
                assert_eq!(StoredMatch::open(folder.path(), &NoMonitor).is_ok(), is_right, "{numbers:?}");
                let end = play(folder.path(), pairs, None, &NoMonitor).1;
                assert_eq!(matches!(end, Err(JournalError::OtherWorkFile { .. })), !is_right, "{numbers:?}: {end:?}");
            }
            let (job, look) = (shared::job(pairs), series.play_each(128..256, &NoMonitor));
            assert!(shared::is_whole(&job, 1, &look) && !shared::is_whole(&job, 0, &look));
            assert!(!shared::is_whole(&job, 1, &look[1..]) && !shared::is_whole(&job, 1, &vec![look[0].clone(); 128]));
        });
    }

    #[test]
    fn the_stored_pairs_are_those_without_a_gap() {
        with_match(Domain::Match.deals(8), |series, play| {
            let (folder, pairs) = (tempfile::tempdir().unwrap(), 2 * PAIRS_PER_FILE + 300);
            let none = StoredMatch::open(folder.path(), &NoMonitor).err().unwrap();
            assert!(matches!(none, StoredError::NoMatch { .. }), "{none}");
            play(folder.path(), pairs, None, &NoMonitor).1.unwrap();
            let stored = || StoredMatch::open(folder.path(), &NoMonitor).unwrap();
            let mut read = Vec::new();
            stored().each(&NoMonitor, |pair| read.push(pair)).unwrap();
            assert_eq!((stored().pairs, read), (pairs, series.play_each(0..pairs, &NoMonitor)));
            assert_eq!((stored().asked, stored().spec.players), (pairs, vec!["greedy".parse().unwrap(); 2]));
            std::fs::remove_file(folder.path().join(format!("work/{FILES}00001"))).unwrap();
            assert_eq!((stored().asked, stored().pairs), (pairs, PAIRS_PER_FILE));
            std::fs::write(folder.path().join(format!("work/{FILES}00002")), "torn").unwrap();
            let damaged = StoredMatch::open(folder.path(), &NoMonitor).err().unwrap();
            assert!(matches!(damaged, StoredError::Damaged { .. }), "{damaged}");
        });
    }
}
