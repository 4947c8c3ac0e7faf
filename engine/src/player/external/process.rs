//! Players that are programs: requests go to their standard input, answers come from their standard output.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::quoted;

/// How long a program may take to end once its input is closed, before it is ended.
const TIME_TO_END: Duration = Duration::from_millis(200);
/// Lines of its standard error that are kept, and bytes of each.
const LAST_LINES: usize = 3;
const LINE_BYTES: u64 = 400;

/// A running program; dropped, it is ended with all that it has started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// The last lines of its standard error.
    last_words: Arc<Mutex<VecDeque<Vec<u8>>>>,
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
        let process = Process { child, last_words: Arc::default() };
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("the program has no standard streams"));
        };
        process.hear(errors)?;
        Ok((process, input, output))
    }

    fn hear(&self, errors: ChildStderr) -> io::Result<()> {
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
        thread::Builder::new().name("last words".into()).spawn(keep).map(drop)
    }

    /// How the program ended, and what it said last.
    pub fn ending(&mut self) -> String {
        let ended = match self.wait() {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".into(),
        };
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words: Vec<String> = words.iter().map(|line| quoted(line)).collect();
        if words.is_empty() { ended } else { format!("{ended}; it said {}", words.join(" ")) }
    }

    /// Waits a moment for the program to end.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    // What it said on the way out may be a moment behind.
                    thread::sleep(Duration::from_millis(10));
                    return Some(status);
                }
                Ok(None) if begun.elapsed() < TIME_TO_END => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.wait();
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
