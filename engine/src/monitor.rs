//! Progress reports and stop requests of long work.

use std::fmt;

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
