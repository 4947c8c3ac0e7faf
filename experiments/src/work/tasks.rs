//! The tasks: who makes which piece, and what it cost.
//!
//! A piece has a file in `tasks/`, which a process locks while it makes the piece; the lock ends with the process. Where locks do not work, two
//! processes may make the same piece, which costs time and changes nothing.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tilewright_engine::input_file;

use super::job::Job;
use crate::failure::Failure;

const FOLDER: &str = "tasks";

/// A task, as its file keeps it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Task {
    /// The machine, and the process on it.
    pub by: String,
    /// When it began, in seconds since 1970.
    pub begun: u64,
    /// How long it took.
    pub seconds: f64,
    /// Its CPU time.
    pub cpu_seconds: f64,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A task of this process; its file is locked.
pub struct OwnTask {
    path: PathBuf,
    file: File,
    task: Task,
}

/// What is known of a piece.
pub enum State {
    /// Nobody has begun it.
    Open,
    /// A process is making it.
    Running,
    /// A process has ended; whether the piece is there is another question.
    Ended(Task),
}

/// The file of a piece of a stage.
fn path(job: &Job, stage: u64, piece: u64) -> PathBuf {
    job.folder.join(FOLDER).join(format!("stage-{stage:04}-piece-{piece:06}.json"))
}

/// Takes a task, unless another process has it. What the last process wrote stays until the task begins.
pub fn take(job: &Job, stage: u64, piece: u64) -> Result<Option<OwnTask>, Failure> {
    std::fs::create_dir_all(job.folder.join(FOLDER))?;
    let path = path(job, stage, piece);
    let file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => return Ok(None),
        // Without locks nobody knows: the piece is made, twice at worst.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    Ok(Some(OwnTask { path, file, task: Task::default() }))
}

impl OwnTask {
    /// Begins the task.
    pub fn begin(&mut self) -> Result<(), Failure> {
        let begun = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.task = Task { by: process(), begun, ..Task::default() };
        self.write()
    }

    /// Ends the task, with the error if it failed.
    pub fn end(mut self, seconds: Duration, cpu: Duration, error: Option<String>) -> Result<(), Failure> {
        self.task = Task { seconds: seconds.as_secs_f64(), cpu_seconds: cpu.as_secs_f64(), error, ..self.task };
        self.write()
    }

    /// Leaves the task as if nobody had begun it.
    pub fn give_back(self) {
        // If the file stays, the piece counts as one that was begun and not ended, which is true too.
        let _ = std::fs::remove_file(&self.path);
    }

    fn write(&mut self) -> Result<(), Failure> {
        let json = serde_json::to_string(&self.task)? + "\n";
        self.file.rewind()?;
        self.file.set_len(0)?;
        Ok(self.file.write_all(json.as_bytes())?)
    }
}

/// What is known of a piece.
pub fn state(job: &Job, stage: u64, piece: u64) -> State {
    let Ok(mut file) = File::open(path(job, stage, piece)) else { return State::Open };
    if matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        return State::Running;
    }
    let mut text = String::new();
    // A process that was killed may leave half a line.
    let task = file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str(&text).ok());
    State::Ended(task.unwrap_or_default())
}

/// The CPU time of all tasks of a job, in seconds.
pub fn cpu_seconds(job: &Job) -> f64 {
    let Ok(folder) = std::fs::read_dir(job.folder.join(FOLDER)) else { return 0.0 };
    let task = |entry: std::io::Result<std::fs::DirEntry>| -> Option<Task> {
        serde_json::from_slice(&input_file::read(&entry.ok()?.path()).ok()?).ok()
    };
    folder.filter_map(task).map(|task| task.cpu_seconds).sum()
}

/// The name of this machine, and of the process.
pub fn process() -> String {
    format!("{}:{}", host(), std::process::id())
}

/// The name of this machine.
pub fn host() -> String {
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let host: String = host.trim().chars().filter(|&letter| letter.is_alphanumeric() || "-.".contains(letter)).collect();
    if host.is_empty() { "host".into() } else { host }
}
