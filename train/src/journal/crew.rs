//! Runs that several processes share: what each of them does with the shards.

use std::path::Path;

use super::ShardJob;
use super::shard::Shard;

/// What this process does with the shards of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// It reads all of them, and reports those that are missing.
    Gather,
    /// It makes those that [`Crew::next`] gives it, and does nothing else.
    Make,
    /// It leaves all of them to other processes, and does not read them.
    Leave,
}

/// One process of several that share a run in one folder. Shards are made one by one by whichever process has the task; everything between
/// the jobs, such as fits, is done by the process that gathers.
pub trait Crew: Send + Sync {
    /// What this process does with the shards of a job, whose work files lie in the run folder `folder`.
    fn task(&self, folder: &Path, job: &str) -> Task;
    /// The number of the next shard of a job for this process to make, if its task is to make some; the last one is stored when this is
    /// called.
    fn next(&self, folder: &Path, job: &str) -> Option<u64>;
    /// Learns that no further shard of a job is needed, when its task is to make some.
    fn has_enough(&self, folder: &Path, job: &str);
    /// Receives a shard that cannot be used, when this process gathers.
    fn report(&self, piece: Piece<'_>);
    /// Whether this process locks the folder for itself; otherwise it shares the lock with others.
    fn is_alone(&self) -> bool;
    /// The build of the program, on which every shard depends: those of another build are refused.
    fn build(&self) -> &str;
}

/// A shard that a process which gathers cannot use.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The folder of the run.
    pub folder: &'a Path,
    /// The name of its job.
    pub job: &'a str,
    /// Its number in the job.
    pub number: u64,
    /// The name of its work file.
    pub file: &'a str,
    /// The number of units, such as games.
    pub units: u64,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is none, or it is not complete.
    Missing,
    /// Its checksum is wrong.
    Torn,
    /// It is whole, but was made for another run, by another build, or as another shard.
    Mismatched,
}

impl<'a> Piece<'a> {
    pub(super) fn new(folder: &'a Path, job: &ShardJob<'a>, number: u64, shard: &'a Shard, fault: Fault) -> Piece<'a> {
        let units = shard.units.end - shard.units.start;
        Piece { folder, job: job.name, number, file: &shard.name, units, fault }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tilewright_engine::monitor::NoMonitor;

    use super::super::{Journal, JournalError, RunKey};
    use super::*;

    /// A process that gathers, or makes these shards.
    struct Process {
        build: &'static str,
        makes: Option<Mutex<Vec<u64>>>,
        reports: Mutex<Vec<(u64, Fault)>>,
    }

    impl Crew for Process {
        fn task(&self, _folder: &Path, _job: &str) -> Task {
            if self.makes.is_some() { Task::Make } else { Task::Gather }
        }
        fn next(&self, _folder: &Path, _job: &str) -> Option<u64> {
            self.makes.as_ref()?.lock().unwrap().pop()
        }
        fn has_enough(&self, _folder: &Path, _job: &str) {}
        fn report(&self, piece: Piece<'_>) {
            assert_eq!((piece.job, piece.units), ("squares", if piece.number == 3 { 1 } else { 3 }));
            self.reports.lock().unwrap().push((piece.number, piece.fault));
        }
        fn is_alone(&self) -> bool {
            self.makes.is_none()
        }
        fn build(&self) -> &str {
            self.build
        }
    }

    fn process(build: &'static str, makes: Option<&[u64]>) -> Arc<Process> {
        Arc::new(Process { build, makes: makes.map(|makes| Mutex::new(makes.to_vec())), reports: Mutex::default() })
    }

    /// The sum of ten squares in four shards, as one process of a crew sees it, and what it reports.
    fn sum(folder: &Path, process: &Arc<Process>) -> (Result<u64, JournalError>, Vec<(u64, Fault)>) {
        let run = || {
            let journal = Journal::share(folder, &RunKey::new("squares\n"), &NoMonitor, process.clone())?;
            let (job, mut sum) = (ShardJob { name: "squares", units: 10, size: 3, part: None }, 0);
            journal.each(&job, "", |units| units.map(|unit| unit * unit).sum(), |_, shard: u64| sum += shard)?;
            Ok(sum)
        };
        (run(), std::mem::take(&mut *process.reports.lock().unwrap()))
    }

    #[test]
    fn a_process_that_gathers_needs_every_shard_from_its_own_build() {
        use Fault::{Mismatched, Missing, Torn};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let (gatherer, maker) = (process("one", None), process("one", Some(&[2, 0])));
        assert!(matches!(sum(path, &maker).0, Err(JournalError::NotBegun { .. })));
        let (end, reports) = sum(path, &gatherer);
        assert!(matches!(end, Err(JournalError::PartDone { missing: 4 })), "{end:?}");
        assert_eq!(reports, [(0, Missing), (1, Missing), (2, Missing), (3, Missing)]);
        assert!(matches!(sum(path, &maker), (Err(JournalError::PartDone { .. }), reports) if reports.is_empty()));
        assert_eq!(sum(path, &gatherer).1, [(1, Missing), (3, Missing)]);
        let _ = sum(path, &process("another", Some(&[3])));
        assert_eq!(sum(path, &gatherer).1, [(1, Missing), (3, Mismatched)]);
        // A shard of another build is not made again, because it may be somebody's work.
        assert!(matches!(sum(path, &process("one", Some(&[3]))).0, Err(JournalError::OtherWorkFile { .. })));
        std::fs::remove_file(path.join("work/squares-00003")).unwrap();
        std::fs::write(path.join("work/squares-00000"), "torn").unwrap();
        let _ = sum(path, &process("one", Some(&[3, 1])));
        assert_eq!(sum(path, &gatherer).1, [(0, Torn)]);
        let _ = sum(path, &process("one", Some(&[0])));
        let (end, reports) = sum(path, &gatherer);
        assert_eq!((end.unwrap(), reports), (285, vec![]));
    }

    #[test]
    fn shards_that_are_asked_for_in_order_are_asked_for_ahead() {
        let folder = tempfile::tempdir().unwrap();
        let ask = |process: &Arc<Process>, number| {
            let journal = Journal::share(folder.path(), &RunKey::new("squares\n"), &NoMonitor, process.clone()).unwrap();
            let job = ShardJob { name: "squares", units: 10, size: 3, part: None };
            let shard = journal.next_shard(&job, (number, 1), "", |units| Some(units.end));
            (shard.ok(), std::mem::take(&mut *process.reports.lock().unwrap()))
        };
        let gatherer = process("one", None);
        let missing = |number| (number, Fault::Missing);
        assert_eq!(ask(&gatherer, 0), (None, vec![missing(0), missing(1)]));
        assert_eq!(ask(&gatherer, 3), (None, vec![missing(3)]));
        // A process that makes shards makes all it is given up to the one that it asks for.
        assert_eq!(ask(&process("one", Some(&[1, 0])), 1).0, Some(6));
        assert_eq!((ask(&gatherer, 0), ask(&gatherer, 1).0), ((Some(3), vec![]), Some(6)));
        assert_eq!(ask(&gatherer, 2), (None, vec![missing(2), missing(3)]));
    }

    #[test]
    fn a_process_that_makes_shards_stops_when_enough_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let gatherer = process("one", None);
        // Asks for shards until their last units add up to at least 9.
        let ask = |process: &Arc<Process>| -> Result<u64, JournalError> {
            let journal = Journal::share(folder.path(), &RunKey::new("squares\n"), &NoMonitor, process.clone())?;
            let (job, mut sum) = (ShardJob { name: "squares", units: 10, size: 3, part: None }, 0);
            for number in 0.. {
                sum += journal.next_shard(&job, (number, 3), "", |units| Some(units.end))?;
                if sum >= 9 {
                    break;
                }
            }
            journal.has_enough(&job).map(|()| sum)
        };
        assert!(ask(&gatherer).is_err());
        let maker = process("one", Some(&[3, 2, 1, 0]));
        assert!(matches!(ask(&maker), Err(JournalError::PartDone { .. })));
        // The first two are enough: it has not begun the others.
        assert_eq!(*maker.makes.as_ref().unwrap().lock().unwrap(), [3, 2]);
        let late = process("one", Some(&[3, 2]));
        assert!(matches!(ask(&late), Err(JournalError::PartDone { .. })));
        assert_eq!(*late.makes.as_ref().unwrap().lock().unwrap(), [3, 2]);
        assert_eq!(ask(&gatherer).unwrap(), 9);
    }
}
