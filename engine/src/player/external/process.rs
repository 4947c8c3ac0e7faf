//! External players that are programs: requests go to standard input, answers come from standard output.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::lines::quoted;
use super::time_limit::group_time;

/// The time in which a program can end by itself after its input is closed. Then it is killed.
const TIME_TO_END: Duration = Duration::from_millis(200);
/// The time limit to read the rest of a program's standard error after its output has ended.
const TIME_FOR_LAST_ERRORS: Duration = Duration::from_secs(1);
/// The number of lines of a program's standard error that are stored, and the maximum number of bytes of each.
const LAST_LINES: usize = 3;
const LINE_BYTES: u64 = 400;

/// The CPU time of the programs that have ended, or `None` once the CPU time of a program is not known.
#[derive(Debug)]
pub(super) struct EndedPrograms(Mutex<Option<Duration>>);

impl Default for EndedPrograms {
    fn default() -> EndedPrograms {
        EndedPrograms(Mutex::new(Some(Duration::ZERO)))
    }
}

impl EndedPrograms {
    /// The sum so far.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, time: Option<Duration>) {
        let mut sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *sum = sum.zip(time).map(|(sum, time)| sum + time);
    }
}

/// A running program. Dropping it kills the program and all programs that it has started.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Kills the program if this process ends without dropping it. `None` where there is none.
    guard: Option<Child>,
    /// The CPU time before the program was waited for, with its children. After that the system does not know it any more.
    cpu_time: Option<Duration>,
    /// Receives the CPU time when the program ends.
    ended: Arc<EndedPrograms>,
    time_to_end: Duration,
    /// The last lines of its standard error.
    last_errors: Arc<Mutex<VecDeque<Vec<u8>>>>,
    /// The thread that reads its standard error.
    error_reader: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts a shell command. Its CPU time is added to `ended` when it ends.
    ///
    /// # Errors
    /// The error of the system.
    pub(super) fn start(command: &str, ended: &Arc<EndedPrograms>) -> io::Result<(Process, ChildStdin, ChildStdout)> {
        if !cfg!(feature = "external") {
            let reason = "this build starts no programs; build the engine with its feature external";
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        let mut shell = shell(command);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on, an error drops the process and so kills the program.
        let mut process = Process {
            guard: guard(child.id()),
            child,
            cpu_time: None,
            ended: Arc::clone(ended),
            time_to_end: TIME_TO_END,
            last_errors: Arc::default(),
            error_reader: None,
        };
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("the program has no standard streams"));
        };
        process.error_reader = Some(process.read_errors(errors)?);
        Ok((process, input, output))
    }

    fn read_errors(&self, errors: ChildStderr) -> io::Result<JoinHandle<()>> {
        let last_errors = Arc::clone(&self.last_errors);
        let mut errors = BufReader::new(errors);
        let read = move || {
            let mut line = Vec::new();
            while errors.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let line = std::mem::take(&mut line);
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let mut last = last_errors.lock().unwrap_or_else(PoisonError::into_inner);
                last.push_back(line);
                if last.len() > LAST_LINES {
                    last.pop_front();
                }
            }
        };
        thread::Builder::new().name("standard error".into()).spawn(read)
    }

    /// Returns how the program ended, with the last lines of its standard error.
    pub(super) fn ending(&mut self) -> String {
        let ended = match self.status_within(TIME_FOR_LAST_ERRORS) {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".into(),
        };
        wait_until(TIME_FOR_LAST_ERRORS, || self.error_reader.as_ref().is_none_or(JoinHandle::is_finished));
        let errors = self.last_errors.lock().unwrap_or_else(PoisonError::into_inner);
        let errors: Vec<String> = errors.iter().map(|line| quoted(line)).collect();
        if errors.is_empty() { ended } else { format!("{ended}; its standard error: {}", errors.join(" ")) }
    }

    /// Returns the CPU time of the program and of all that it has started, since its start, or `None` if it is not known.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        // The time of a group falls when its first process has been waited for.
        group_time(self.child.id()).map(|time| time.max(self.cpu_time.unwrap_or_default()))
    }

    /// From now on, dropping the process kills the program at once.
    pub(crate) fn give_no_time_to_end(&mut self) {
        self.time_to_end = Duration::ZERO;
    }

    /// Waits at most `limit` for the program to end, and returns how it ended.
    fn status_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        wait_until(limit, || has_ended(&mut self.child));
        self.cpu_time = self.cpu_time();
        self.child.try_wait().ok().flatten()
    }
}

/// Returns whether the program has ended, without waiting for it, so that its CPU time can still be read.
#[cfg(all(target_os = "linux", feature = "external"))]
fn has_ended(child: &mut Child) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use nix::unistd::Pid;

    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    let id = i32::try_from(child.id()).map(|id| Id::Pid(Pid::from_raw(id)));
    // An error means that it was waited for.
    !id.is_ok_and(|id| waitid(id, flags) == Ok(WaitStatus::StillAlive))
}

#[cfg(not(all(target_os = "linux", feature = "external")))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Waits for a condition, at most `limit`.
fn wait_until(limit: Duration, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() && begun.elapsed() < limit {
        thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.status_within(self.time_to_end);
        self.ended.add(self.cpu_time);
        // First the guard: once the program has been waited for, another may get its number.
        if let Some(guard) = &mut self.guard {
            let _ = guard.kill();
            let _ = guard.wait();
        }
        kill_group(&self.child);
        // Errors mean that the program has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        wait_until(TIME_TO_END, || is_gone(&self.child));
    }
}

/// Returns the shell with a command, in its own process group: Ctrl-C reaches only this program, which ends the player itself.
#[cfg(all(unix, feature = "external"))]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).process_group(0);
    shell
}

#[cfg(not(all(unix, feature = "external")))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

/// Starts a process that kills a group of programs when its standard input ends: this process holds the other end, which the system
/// closes however this process ends. It is in its own group, so that Ctrl-C does not reach it, and starts no program, which would be left
/// behind when it is killed.
#[cfg(all(unix, feature = "external"))]
fn guard(group: u32) -> Option<Child> {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("while read -r _; do :; done; kill -KILL -{group}")]).process_group(0);
    // Without a guard, programs that do not look at the end of their input outlive a killed match.
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

#[cfg(not(all(unix, feature = "external")))]
fn guard(_: u32) -> Option<Child> {
    None
}

/// Kills the shell and all programs that it has started.
#[cfg(all(unix, feature = "external"))]
fn kill_group(child: &Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(group) = i32::try_from(child.id()) {
        // An error means that the group has already ended.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(all(unix, feature = "external")))]
fn kill_group(_: &Child) {}

/// Waits for the processes that a killed shell left to this process, as it does to process 1. Returns whether none are left.
#[cfg(all(unix, feature = "external"))]
fn is_gone(child: &Child) -> bool {
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    use nix::unistd::Pid;
    let Ok(group) = i32::try_from(child.id()) else { return true };
    loop {
        match waitpid(Pid::from_raw(-group), Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => return false,
            Ok(_) => {}
            // Usually another process is asked to wait for them.
            Err(_) => return true,
        }
    }
}

#[cfg(not(all(unix, feature = "external")))]
fn is_gone(_: &Child) -> bool {
    true
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Process, wait_until};

    /// The processes of a group, also those that have ended and were not waited for.
    fn members(group: u32) -> Vec<String> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = entries.filter_map(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // After the name: state, parent, group.
            let own = stat.rsplit_once(") ")?.1.split(' ').nth(2)? == group.to_string();
            own.then_some(stat)
        });
        stats.collect()
    }

    #[test]
    fn nothing_is_left_of_a_program_also_if_its_orphans_come_to_this_process() {
        nix::sys::prctl::set_child_subreaper(true).unwrap();
        let (process, _input, _output) = Process::start("sleep 100 & sleep 100 & cat", &Arc::default()).unwrap();
        let groups = [process.child.id(), process.guard.as_ref().unwrap().id()];
        wait_until(Duration::from_secs(10), || members(groups[0]).len() == 4);
        drop(process);
        for group in groups {
            assert!(members(group).is_empty(), "{:?}", members(group));
        }
        nix::sys::prctl::set_child_subreaper(false).unwrap();
    }
}
