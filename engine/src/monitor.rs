//! Progress reports and stop requests of long work, and jobs for several workers.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

/// Receives the progress of long work, which may run on many threads, and requests that it stop.
pub trait Monitor: Sync {
    /// Begins a stage of the work: its name, its number of units (0 if unknown), and the name of the units.
    fn begin(&self, _what: &str, _units: u64, _unit: &'static str) {}
    /// Reports how much work follows the current stage, in multiples of the stage.
    fn ahead(&self, _multiple: f64) {}
    /// Reports that the current stage is expected to end after this many units, if it may end before the last one.
    fn expect(&self, _units: u64) {}
    /// Reports that `done` more units are done.
    fn advance(&self, _done: u64) {}
    /// Reports an intermediate result in a few words, which is shown next to the progress until the next one.
    fn note(&self, _found: &str) {}
    /// Reports a warning in one line. The work continues.
    fn warn(&self, _text: &str) {}
    /// Returns whether the work should finish its current units and stop.
    fn is_stopped(&self) -> bool;
}

impl fmt::Debug for dyn Monitor + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("dyn Monitor")
    }
}

/// A monitor that ignores progress and never stops the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMonitor;

impl Monitor for NoMonitor {
    fn is_stopped(&self) -> bool {
        false
    }
}

/// A monitor that forwards the stop request of another one for a part of its work, but no progress.
#[derive(Clone, Copy, Debug)]
pub struct StopOnly<'a>(pub &'a dyn Monitor);

impl Monitor for StopOnly<'_> {
    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}

/// Runs jobs on all workers. The results are in the order of the jobs.
pub(crate) fn share_out<W: Send, J: Sync, R: Send>(
    workers: &mut [W],
    jobs: &[J],
    work: impl Fn(&mut W, &J) -> R + Sync,
) -> Vec<R> {
    if let [worker] = workers {
        return jobs.iter().map(|job| work(worker, job)).collect();
    }
    let next = AtomicUsize::new(0);
    let take = |worker: &mut W| {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let mine = numbers.take_while(|&number| number < jobs.len());
        mine.map(|number| (number, work(worker, &jobs[number]))).collect::<Vec<_>>()
    };
    let mut results: Vec<(usize, R)> = workers.par_iter_mut().flat_map_iter(take).collect();
    results.sort_unstable_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}
