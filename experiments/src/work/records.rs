//! The records of shards: who makes which shard, and what it cost.
//!
//! A shard has a file in `shards/`, which a process locks while it makes the shard; the lock ends with the process. Where locks do not work,
//! two processes may make the same shard, which costs time and changes nothing.

use std::fs::File;
use std::io::{Seek, Write};
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tilewright_engine::folder::Folder;

use super::files;
use super::job::Job;
use crate::failure::Failure;
use crate::status::status;

const FOLDER: &str = "shards";

/// The longest time of a shard that is believed, in seconds: three years.
const LONGEST: f64 = 1e8;

/// The record of a shard, as its file keeps it.
#[derive(Default, Serialize, Deserialize)]
pub struct Record {
    /// The machine, and the process on it.
    pub by: String,
    /// How long it took.
    pub seconds: f64,
    /// Its CPU time.
    pub cpu_seconds: f64,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What is known of a shard.
pub enum State {
    /// Nobody has begun it.
    Open,
    /// A process is making it.
    Running,
    /// A process has ended; whether the shard is there is another question.
    Ended(Record),
}

/// A shard that this process makes; its record is locked.
pub struct Making {
    /// Its number in the stage.
    pub number: usize,
    /// Its record, in the folder of the records.
    name: String,
    folder: Folder,
    /// `None` if another process makes the shard too.
    file: Option<File>,
    time: Instant,
    cpu: ProcessTime,
}

fn file_name(stage: u64, number: usize) -> String {
    format!("stage-{stage:04}-shard-{number:06}.json")
}

impl Making {
    /// Locks the record of a shard, unless another process has. What the last process wrote stays until this one begins.
    ///
    /// # Errors
    /// A record that cannot be made or locked, because something else lies there.
    pub fn new(job: &Job, stage: u64, number: usize) -> Result<Making, Failure> {
        let (name, folder) = (file_name(stage, number), job.folder.make_folder(FOLDER)?);
        let file = files::lock(&folder, &name)?;
        Ok(Making { number, name, folder, file, time: Instant::now(), cpu: ProcessTime::now() })
    }

    /// Whether no other process makes the shard.
    pub fn is_own(&self) -> bool {
        self.file.is_some()
    }

    /// Begins the shard.
    pub fn begin(&mut self) {
        (self.time, self.cpu) = (Instant::now(), ProcessTime::now());
        self.write(&Record { by: files::process(), ..Record::default() });
    }

    /// Ends the shard, with the error if it failed. Returns the elapsed time and the CPU time in seconds.
    pub fn end(mut self, error: Option<String>) -> [f64; 2] {
        let (seconds, cpu_seconds) = (self.time.elapsed().as_secs_f64(), self.cpu.elapsed().as_secs_f64());
        self.write(&Record { by: files::process(), seconds, cpu_seconds, error });
        [seconds, cpu_seconds]
    }

    /// Leaves the shard as if nobody had begun it.
    pub fn give_back(self) {
        if self.is_own() {
            // If the file stays, the shard counts as one that was begun and not ended, which is true too.
            let _ = self.folder.remove(&self.name);
        }
    }

    /// Writes the record. The shard counts without it, so an error is only reported.
    fn write(&mut self, record: &Record) {
        let Some(file) = &mut self.file else { return };
        let text = serde_json::to_string(record).unwrap_or_default() + "\n";
        let written = file.rewind().and_then(|()| file.set_len(0)).and_then(|()| file.write_all(text.as_bytes()));
        if let Err(error) = written {
            status!("warning: the cost of shard {} cannot be written down: {error}", self.number);
        }
    }
}

/// What is known of a shard.
pub fn state(job: &Job, stage: u64, number: usize) -> State {
    let name = file_name(stage, number);
    match job.folder.folder(FOLDER) {
        Ok(folder) if files::is_locked(&folder, &name) => State::Running,
        Ok(folder) if folder.has(&name) => State::Ended(read(&folder, &name)),
        _ => State::Open,
    }
}

/// Whether a process is making one of these shards.
pub fn are_running(job: &Job, stage: u64, numbers: &[usize]) -> bool {
    numbers.iter().any(|&number| matches!(state(job, stage, number), State::Running))
}

/// The CPU time of all shards of a job, in seconds.
pub fn cpu_seconds(job: &Job) -> f64 {
    let Ok(folder) = job.folder.folder(FOLDER) else { return 0.0 };
    folder.names().unwrap_or_default().iter().fold(0.0, |sum, name| sum + read(&folder, name).cpu_seconds)
}

/// A record; a process that was killed may leave half a line. Its texts are one line, and its times are possible.
pub fn read(folder: &Folder, name: &str) -> Record {
    let Record { by, seconds, cpu_seconds, error }: Record =
        files::read_json(folder, name).ok().flatten().unwrap_or_default();
    let line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let [seconds, cpu_seconds] = [seconds, cpu_seconds].map(|seconds| seconds.clamp(0.0, LONGEST));
    Record { by: line(by), seconds, cpu_seconds, error: error.map(line) }
}
