//! The reasons to stop a search.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::solution::Limits;

/// On a busy machine a search takes at most this many times its CPU time, so that it does not use up the clock of a game.
const LONGEST: u32 = 4;
/// The time is looked at once in this many positions.
const POSITIONS: u64 = 256;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StopConditions {
    nodes: Option<u64>,
    time: Option<TimeLimit>,
}

/// A limit of the CPU time of this thread.
#[derive(Clone, Copy, Debug)]
struct TimeLimit {
    most: Duration,
    begun: Instant,
    /// The CPU time at the beginning. On a system that does not measure it, it is `None` and elapsed time is used.
    cpu: Option<ThreadTime>,
}

impl StopConditions {
    /// Creates the conditions of a search that begins now on this thread.
    pub(super) fn from_now(limits: &Limits) -> StopConditions {
        let time = limits.time.map(|most| TimeLimit { most, begun: Instant::now(), cpu: ThreadTime::try_now().ok() });
        StopConditions { nodes: limits.nodes, time }
    }

    /// Whether the search stops after `nodes` positions.
    pub(super) fn are_met(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes > most)
            || nodes.is_multiple_of(POSITIONS) && self.time.as_ref().is_some_and(TimeLimit::is_over)
    }
}

impl TimeLimit {
    fn is_over(&self) -> bool {
        let elapsed = self.begun.elapsed();
        match self.cpu.and_then(|cpu| cpu.try_elapsed().ok()) {
            Some(cpu) => cpu >= self.most || elapsed >= self.most.saturating_mul(LONGEST),
            None => elapsed >= self.most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_takes_no_cpu_time_but_ends_in_the_end() {
        let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
        let until = StopConditions::from_now(&limits);
        std::thread::sleep(Duration::from_millis(220));
        assert!(!until.are_met(POSITIONS));
        std::thread::sleep(Duration::from_millis(600));
        assert!(until.are_met(POSITIONS) && !until.are_met(POSITIONS + 1));
        let none = StopConditions::from_now(&Limits { nodes: Some(7), ..Limits::default() });
        assert!(!none.are_met(7) && none.are_met(8));
    }
}
