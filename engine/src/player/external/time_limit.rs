//! Time limits of answers, in wall-clock time or in the CPU time of the program. Linux reports the CPU time of the processes of a group in
//! `/proc`. On other systems it is not known.

use std::time::{Duration, Instant};

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

/// The unit in which Linux reports CPU time to programs. User and system time are rounded down to it separately.
pub(super) const GRAIN: Duration = Duration::from_millis(10);
/// Whether this system reports the CPU time of other programs.
pub(crate) const KNOWS_CPU_TIME: bool = cfg!(all(target_os = "linux", feature = "external"));

/// Returns the user and system time of all processes of a group, and of their children that ended and were waited for. It is
/// `None` if the system does not report it.
///
/// Not counted are processes that have left the group, and ended ones whose parent ended before them.
#[cfg(all(target_os = "linux", feature = "external"))]
pub(crate) fn group_time(group: u32) -> Option<Duration> {
    /// The number of attempts. An attempt fails if a process ends and is waited for meanwhile.
    const ATTEMPTS: usize = 5;
    let sum = || members(group)?.into_iter().map(ticks).sum::<Option<u64>>();
    let ticks = (0..ATTEMPTS).find_map(|_| sum())?;
    Some(Duration::from_millis(GRAIN.as_millis() as u64 * ticks))
}

#[cfg(not(all(target_os = "linux", feature = "external")))]
pub(crate) fn group_time(_: u32) -> Option<Duration> {
    None
}

/// The processes of a group. Parents mostly stand before their children: if a child's time moves to its parent after the parent
/// was read, the child can no longer be read, so it is never lost or counted twice.
#[cfg(all(target_os = "linux", feature = "external"))]
fn members(group: u32) -> Option<Vec<i32>> {
    use nix::unistd::{Pid, getpgid};

    let group = Pid::from_raw(i32::try_from(group).ok()?);
    let entries = std::fs::read_dir("/proc").ok()?;
    let processes = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut members: Vec<i32> = processes.filter(|&id| getpgid(Some(Pid::from_raw(id))) == Ok(group)).collect();
    members.sort_unstable();
    Some(members)
}

/// The time of a process and of its children that were waited for, in units of [`GRAIN`], or `None` if it is gone.
#[cfg(all(target_os = "linux", feature = "external"))]
fn ticks(process: i32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything. The user time is the twelfth word after it. System time
    // and the times of the children follow.
    let (_, words) = stat.rsplit_once(')')?;
    let times = words.split_ascii_whitespace().skip(11).take(4).map(|word| word.parse::<u64>().ok());
    times.sum()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

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

    #[test]
    fn a_group_has_the_time_of_its_processes_and_of_ended_children() {
        let burn = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; echo done";
        // The time of the group after its last process is done, before the shell ends.
        let time = |script: &str, lines: usize| {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("{script}; read -r line")]).process_group(0);
            let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            let output = BufReader::new(child.stdout.take().unwrap());
            assert_eq!(output.lines().take(lines).count(), lines);
            let time = group_time(child.id()).unwrap();
            drop(child.stdin.take());
            child.wait().unwrap();
            time
        };
        let one = time(burn, 1);
        // A child that is waited for, one that is not, and the shell itself.
        let three = time(&format!("({burn}); ({burn}) & {burn}"), 3);
        assert!(one > 5 * GRAIN && three > 2 * one && three < 5 * one, "{one:?}, {three:?}");
    }
}
