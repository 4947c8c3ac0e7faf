//! The process of a target, seen from outside: it may end in any way.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::session::{Plan, store};
use crate::shape::shape;
use crate::target::Target;

/// Files in the folder of the process: the input in work behind its number and its length, the report, and standard error.
pub const INPUT: &str = "input";
pub const REPORT: &str = "report.json";
pub const ERRORS: &str = "errors";

/// An input that takes longer is a hang.
const HANG: Duration = Duration::from_secs(30);
/// A target that takes longer to open is a hang.
const TIME_TO_OPEN: Duration = Duration::from_mins(2);
/// A process is watched at this interval.
const TICK: Duration = Duration::from_millis(20);
/// A target whose process died is started again at most this often.
const ATTEMPTS: u64 = 3;

/// A fault that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Find {
    pub message: String,
    /// The message without what differs from input to input.
    pub shape: String,
    /// The file that holds the input, if it is stored.
    pub file: Option<PathBuf>,
}

impl Find {
    /// The find, and how to repeat it.
    pub fn in_words(&self, target: &str) -> String {
        let message: String = self.message.chars().take(600).collect();
        let again = match &self.file {
            Some(file) => format!("\n    tests/fuzz/run --input {} {target}", file.display()),
            None => String::new(),
        };
        format!("  FOUND in {target}: {message}{again}")
    }
}

/// What a target did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    pub inputs: u64,
    pub accepted: u64,
    pub outcomes: usize,
    pub finds: Vec<Find>,
    pub cpu_seconds: f64,
    pub is_complete: bool,
}

impl Report {
    pub fn is_clean(&self) -> bool {
        self.finds.is_empty()
    }

    /// Adds what another process did.
    pub fn add(&mut self, other: &Report) {
        self.inputs += other.inputs;
        self.accepted += other.accepted;
        self.outcomes = self.outcomes.max(other.outcomes);
        self.cpu_seconds += other.cpu_seconds;
        self.finds.extend(other.finds.iter().cloned());
    }

    /// One line of a table.
    pub fn line(&self, name: &str) -> String {
        let Report { inputs, accepted, outcomes, finds, cpu_seconds, .. } = self;
        let rate = *inputs as f64 / cpu_seconds.max(1e-3);
        let share = 100.0 * *accepted as f64 / (*inputs).max(1) as f64;
        format!(
            "{name:<16} {inputs:>9} inputs ({rate:>6.0} per CPU-second), {share:>3.0} % accepted, {outcomes:>4} outcomes, {} finds, \
             {cpu_seconds:.1} CPU-seconds",
            finds.len()
        )
    }
}

/// Runs a target; its process is started again if it dies.
pub fn run(target: &Target, plan: &Plan) -> Report {
    let mut all = Report::default();
    for attempt in 0..ATTEMPTS {
        let rest = Plan { seconds: plan.seconds - all.cpu_seconds, seed: plan.seed + attempt * 1_000_003, ..*plan };
        let (report, death) = run_once(target, &rest);
        all.add(&report);
        let Some((message, input)) = death else { break };
        let shape = shape(&message);
        if !all.finds.iter().any(|find| find.shape == shape) {
            let file = if plan.stores { store("regressions", target.name, &input) } else { None };
            all.finds.push(Find { message, shape, file });
        }
    }
    all
}

/// Runs a process to its end. If it died, also how, and the input that it was reading.
fn run_once(target: &Target, plan: &Plan) -> (Report, Option<(String, Vec<u8>)>) {
    let nothing = |reason: String| (Report::default(), Some((reason, Vec::new())));
    let folder = match temporary_folder() {
        Ok(folder) => folder,
        Err(error) => return nothing(format!("no temporary folder: {error}")),
    };
    let mut child = match start(target, plan, folder.path()) {
        Ok(child) => child,
        Err(error) => return nothing(format!("the process cannot be started: {error}")),
    };
    let end = watch(&mut child, folder.path());
    let report = std::fs::read(folder.path().join(REPORT)).ok();
    let report: Report = report.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    if report.is_complete {
        return (report, None);
    }
    let input = std::fs::read(folder.path().join(INPUT)).unwrap_or_default();
    let length = input.get(8..16).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes) as usize;
    let errors = std::fs::read(folder.path().join(ERRORS)).unwrap_or_default();
    let errors = String::from_utf8_lossy(&errors[errors.len().saturating_sub(400)..]).into_owned();
    let input = input.get(16..16 + length).unwrap_or_default().to_vec();
    (report, Some((format!("{end}: {errors}"), input)))
}

/// A folder in memory, if the system has a place for it: some targets write files for every input.
fn temporary_folder() -> std::io::Result<TempDir> {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new())
}

fn start(target: &Target, plan: &Plan, folder: &Path) -> std::io::Result<Child> {
    let program = std::env::current_exe()?;
    let errors = File::options().create(true).append(true).open(folder.join(ERRORS))?;
    Command::new(program)
        .args(["--child", target.name])
        .args(plan.words())
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors)
        .spawn()
}

/// Waits for the end of a process, or ends it if it hangs. Returns how it ended.
fn watch(child: &mut Child, folder: &Path) -> String {
    let (mut last, mut since) = (Vec::new(), Instant::now());
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return format!("the process ended with {status}"),
            Ok(None) => thread::sleep(TICK),
            Err(error) => return format!("the process cannot be watched: {error}"),
        }
        if since.elapsed() < Duration::from_secs(1) {
            continue;
        }
        let number = std::fs::read(folder.join(INPUT)).unwrap_or_default().into_iter().take(8).collect::<Vec<u8>>();
        let limit = if number.is_empty() { TIME_TO_OPEN } else { HANG };
        if number != last {
            (last, since) = (number, Instant::now());
        } else if since.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return format!("it took more than {} s", limit.as_secs());
        }
    }
}
