//! Time limits of answers, in wall-clock time or in the CPU time of the program.

use std::time::{Duration, Instant};

use super::group_time::{GRAIN, KNOWS_CPU_TIME};

/// How often a waiting thread looks at stop requests and at the CPU time of the program.
pub(super) const TICK: Duration = Duration::from_millis(25);
/// The limit in wall-clock time is this multiple of a limit in CPU time, and at least [`MIN_WALL_CLOCK`].
const WALL_CLOCK_MULTIPLE: u32 = 10;
/// The shortest limit in wall-clock time of an answer that is limited in CPU time.
const MIN_WALL_CLOCK: Duration = Duration::from_secs(5);
/// The most cores that a program is expected to use. An answer that came within a smaller share of the limit is not late, and no
/// CPU time is read.
const MAX_CORES: u32 = 256;

/// The time limit of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeLimit {
    /// Elapsed time.
    WallClock(Duration),
    /// The CPU time that the processes of the program use, if the system reports it, otherwise elapsed time.
    CpuTime(Duration),
}

impl TimeLimit {
    /// The time as given.
    pub(super) fn time(self) -> Duration {
        match self {
            TimeLimit::WallClock(time) | TimeLimit::CpuTime(time) => time,
        }
    }
}

/// The time limit of one answer, which runs.
pub(super) struct Deadline {
    begun: Instant,
    wall_clock: Duration,
    /// The limit in CPU time, and the CPU time of the program at the beginning.
    cpu: Option<(Duration, Duration)>,
}

impl Deadline {
    /// Starts the time of an answer. `cpu_time` returns the CPU time of the program so far, if it is known.
    pub(super) fn start(limit: TimeLimit, cpu_time: impl FnOnce() -> Option<Duration>) -> Deadline {
        let begun = Instant::now();
        let (wall_clock, used) = match limit {
            // A system that knows the CPU time of programs may fail to read it once: then elapsed time limits this answer.
            TimeLimit::CpuTime(time) if KNOWS_CPU_TIME => {
                (time.saturating_mul(WALL_CLOCK_MULTIPLE).max(MIN_WALL_CLOCK), cpu_time())
            }
            TimeLimit::CpuTime(time) | TimeLimit::WallClock(time) => (time, None),
        };
        let cpu = used.map(|used| (limit.time(), used));
        Deadline { begun, wall_clock, cpu }
    }

    /// The time until the next look at the limit.
    pub(super) fn tick(&self) -> Duration {
        self.wall_clock.saturating_sub(self.begun.elapsed()).min(TICK)
    }

    /// Returns in words that the player has used more CPU time than its limit, if that is certain although the system rounds user and
    /// system time down.
    pub(crate) fn cpu_overrun(&self, cpu_time: impl FnOnce() -> Option<Duration>) -> Option<String> {
        let (limit, before) = self.cpu.filter(|&(limit, _)| self.begun.elapsed() >= limit / MAX_CORES)?;
        let used = cpu_time()?.saturating_sub(before);
        (used >= limit + 2 * GRAIN).then(|| format!("no answer within {} s of CPU time", limit.as_secs_f64()))
    }

    /// Returns in words that the player is late, if it is.
    pub(crate) fn overrun(&self, cpu_time: impl FnOnce() -> Option<Duration>) -> Option<String> {
        let is_over = self.begun.elapsed() >= self.wall_clock;
        self.cpu_overrun(cpu_time).or_else(|| is_over.then(|| self.wall_clock_overrun()))
    }

    fn wall_clock_overrun(&self) -> String {
        let waited = format!("no answer within {} s", self.wall_clock.as_secs_f64());
        match self.cpu {
            Some((limit, _)) => format!("{waited}, though it used less than {} s of CPU time", limit.as_secs_f64()),
            None => waited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn cpu_time_counts_from_the_request_and_a_player_that_waits_is_late_too() {
        // A second and two grains after the request it is late.
        let mut deadline = Deadline::start(TimeLimit::CpuTime(SECOND), || Some(7 * SECOND));
        deadline.begun -= SECOND / 2;
        let overrun = |used: Duration| deadline.overrun(|| Some(used));
        assert_eq!(overrun(8 * SECOND + GRAIN), None);
        assert_eq!(overrun(8 * SECOND + 2 * GRAIN).as_deref(), Some("no answer within 1 s of CPU time"));
        assert_eq!(deadline.overrun(|| None), None);
        // A player that only waits has ten times as long.
        deadline.begun -= 9 * SECOND;
        assert_eq!(deadline.overrun(|| Some(7 * SECOND)), None);
        deadline.begun -= SECOND;
        let waited = deadline.overrun(|| Some(7 * SECOND)).unwrap();
        assert_eq!(waited, "no answer within 10 s, though it used less than 1 s of CPU time");
        assert_eq!(deadline.tick(), Duration::ZERO);
        let short = Deadline::start(TimeLimit::CpuTime(SECOND / 10), || Some(SECOND));
        assert_eq!(short.wall_clock, MIN_WALL_CLOCK);
    }

    #[test]
    fn without_cpu_time_the_limit_is_elapsed_time() {
        let unread = if KNOWS_CPU_TIME { 10 } else { 1 };
        for (limit, seconds) in [(TimeLimit::CpuTime(SECOND), unread), (TimeLimit::WallClock(SECOND), 1)] {
            let mut deadline = Deadline::start(limit, || None);
            assert_eq!((deadline.overrun(|| None), deadline.tick()), (None, TICK));
            deadline.begun -= seconds * SECOND;
            assert_eq!(deadline.overrun(|| None), Some(format!("no answer within {seconds} s")));
        }
        // The CPU time is not read.
        let deadline = Deadline::start(TimeLimit::WallClock(SECOND), || unreachable!());
        assert_eq!(deadline.overrun(|| unreachable!()), None);
    }
}
