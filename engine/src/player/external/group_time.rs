//! The CPU time of the processes of a group. Linux reports it in `/proc`. On other systems it is not known.

use std::time::Duration;

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
