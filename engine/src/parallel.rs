//! Jobs for several workers.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

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
