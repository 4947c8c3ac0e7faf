//! The waiting of a worker for others.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// The shortest and the longest time between two looks.
const SHORTEST: Duration = Duration::from_millis(5);
const LONGEST: Duration = Duration::from_millis(500);
/// A worker that has waited for some time waits for this fraction of it until the next look. So it loses little of the time that the others
/// need, and its looks cost little however long that is.
const FRACTION: u32 = 8;

/// How long a worker has waited.
#[derive(Default)]
pub struct Waiting {
    since: Option<Instant>,
    total: Duration,
}

impl Waiting {
    /// Sleeps until the next look.
    pub fn sleep(&mut self) {
        let begun = Instant::now();
        let waited = *self.since.get_or_insert(begun);
        sleep((waited.elapsed() / FRACTION).clamp(SHORTEST, LONGEST));
        self.total += begun.elapsed();
    }

    /// There was something to do.
    pub fn end(&mut self) {
        self.since = None;
    }

    /// The time spent in [`Waiting::sleep`], in seconds.
    pub fn seconds(&self) -> f64 {
        self.total.as_secs_f64()
    }
}
