//! Players that are programs: requests go to their standard input, answers come from their standard output.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::lines::quoted;

/// How long a program may take to end once its input is closed, before it is ended.
const TIME_TO_END: Duration = Duration::from_millis(200);
/// How long the rest of what a program said may take once its output has ended.
const TIME_FOR_LAST_WORDS: Duration = Duration::from_secs(1);
/// Lines of its standard error that are kept, and bytes of each.
const LAST_LINES: usize = 3;
const LINE_BYTES: u64 = 400;

/// A running program; dropped, it is ended with all that it has started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// The last lines of its standard error.
    last_words: Arc<Mutex<VecDeque<Vec<u8>>>>,
    /// The thread that keeps them.
    hearing: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts a command of the shell.
    ///
    /// # Errors
    /// What the system said.
    pub fn start(command: &str) -> io::Result<(Process, ChildStdin, ChildStdout)> {
        let mut shell = shell(command);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = shell.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on the program is ended if anything fails.
        let mut process = Process { child, last_words: Arc::default(), hearing: None };
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("the program has no standard streams"));
        };
        process.hearing = Some(process.hear(errors)?);
        Ok((process, input, output))
    }

    fn hear(&self, errors: ChildStderr) -> io::Result<JoinHandle<()>> {
        let last_words = Arc::clone(&self.last_words);
        let mut errors = BufReader::new(errors);
        let keep = move || {
            let mut line = Vec::new();
            while errors.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let line = std::mem::take(&mut line);
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let mut kept = last_words.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push_back(line);
                if kept.len() > LAST_LINES {
                    kept.pop_front();
                }
            }
        };
        thread::Builder::new().name("last words".into()).spawn(keep)
    }

    /// How the program ended, and what it said last.
    pub fn ending(&mut self) -> String {
        let ended = match self.status_within(TIME_FOR_LAST_WORDS) {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".into(),
        };
        wait_until(TIME_FOR_LAST_WORDS, || self.hearing.as_ref().is_none_or(JoinHandle::is_finished));
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words: Vec<String> = words.iter().map(|line| quoted(line)).collect();
        if words.is_empty() { ended } else { format!("{ended}; it said {}", words.join(" ")) }
    }

    /// How it ended, if it does within so much time.
    fn status_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let mut status = None;
        wait_until(limit, || {
            status = self.child.try_wait().ok().flatten();
            status.is_some()
        });
        status
    }
}

/// Waits for something, but no longer than the limit.
fn wait_until(limit: Duration, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() && begun.elapsed() < limit {
        thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.status_within(TIME_TO_END);
        kill_group(&self.child);
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The shell with a command, in a group of its own: Ctrl-C asks this program to finish its games, with the player's help.
#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).process_group(0);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.args(["/C", command]);
    shell
}

/// Ends what the shell has started too.
#[cfg(unix)]
fn kill_group(child: &Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(group) = i32::try_from(child.id()) {
        // Nobody may be left.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}
