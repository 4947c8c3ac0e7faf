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
    /// Something that the user should know and that does not stop the work, on one line.
    fn warn(&self, _text: &str) {}
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

/// Passes progress on to another monitor but no stop request, so that work which has begun comes to its end.
#[derive(Clone, Copy)]
pub struct Steady<'a>(pub &'a dyn Monitor);

impl Monitor for Steady<'_> {
    fn begin(&self, what: &str, units: u64, unit: &'static str) {
        self.0.begin(what, units, unit);
    }
    fn ahead(&self, multiple: f64) {
        self.0.ahead(multiple);
    }
    fn advance(&self, done: u64) {
        self.0.advance(done);
    }
    fn note(&self, found: &str) {
        self.0.note(found);
    }
    fn warn(&self, text: &str) {
        self.0.warn(text);
    }
    fn is_stopped(&self) -> bool {
        false
    }
}
