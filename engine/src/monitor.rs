//! How long work reports its progress and hears that it should stop.

/// Watches work that may run on many threads.
pub trait Monitor: Sync {
    /// A new stretch of work begins: what it is, how many units it has (0: unknown), and what the units are.
    fn begin(&self, what: &str, units: u64, unit: &'static str);
    /// How much work comes after the stretch that has just begun, in multiples of it.
    fn ahead(&self, _multiple: f64) {}
    /// So many more units are done.
    fn advance(&self, done: u64);
    /// What the work has found so far, in a few words, to stand beside its progress until there is something new.
    fn note(&self, _found: &str) {}
    /// Whether to finish what is begun and stop.
    fn is_stopped(&self) -> bool;
}

/// Nobody watches, nobody stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Monitor for Unwatched {
    fn begin(&self, _what: &str, _units: u64, _unit: &'static str) {}
    fn advance(&self, _done: u64) {}
    fn is_stopped(&self) -> bool {
        false
    }
}
