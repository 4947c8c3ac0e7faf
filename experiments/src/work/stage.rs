//! The stage in work: the shards to make before the run can go on. Each shard has a record with its process and its cost.
//!
//! A process locks the file of a shard in `shards/` while it makes the shard. The lock ends with the process. Where locks do
//! not work, two processes may make the same shard. That costs time and changes nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{Seek, Write};
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use tilewright_engine::folder::{FileError, Folder, is_plain_file_name};
use tilewright_engine::input_file::limits;
use tilewright_train::journal::WORK;

use super::files::{self, MERGE_LOCK};
use super::job::{Job, RUN};
use crate::failure::Failure;
use crate::status::status;

const FILE: &str = "stage.json";

/// `stage.json`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The number, from 1.
    pub number: u64,
    /// Whether the job is finished. A finished job has no shards.
    pub is_finished: bool,
    /// Shards that do not need each other. The number of a shard in the stage is its place here, from 0.
    pub shards: Vec<Shard>,
}

/// A shard of a stage.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The part of a study that makes it. Empty for another run.
    pub part: String,
    /// The folder of the run, relative to the folder of the job.
    pub folder: String,
    /// The loop of the run to which it belongs.
    pub name: String,
    /// The number in the loop.
    pub number: u64,
    /// The name of its work file.
    pub file: String,
}

/// The remedy for a file of the stage that cannot be used.
const MAKES_AGAIN: &str = "tilewright work merge makes the stage again";

impl Stage {
    pub fn read(job: &Job) -> Result<Stage, Failure> {
        let stage: Option<Stage> = files::read_json(&job.folder, FILE).map_err(|failure| failure.within(MAKES_AGAIN))?;
        let file = job.folder.place(FILE);
        let advice = if job.has_result() { MAKES_AGAIN } else { "the job was not planned to the end: plan it again" };
        let missing = || Failure::input(format!("{}: there is no such file; {advice}", file.display()));
        let mut stage = stage.ok_or_else(missing)?;
        // A stage that claims the end without a result is merged again.
        stage.is_finished &= job.has_result();
        match stage.shards.iter().find(|shard| !shard.is_in_run()) {
            Some(shard) => Err(Failure::input(format!("{}: {} is no work file of the run", file.display(), shard.place()))),
            None => Ok(stage),
        }
    }

    pub fn write(&self, job: &Job) -> Result<(), Failure> {
        files::write_json(&job.folder, FILE, self)
    }

    /// Whether this is the stage in work, and nobody is merging it.
    pub fn is_in_work(&self, job: &Job) -> bool {
        // A merge that began after the first look needs every shard. A merge that ended has written another stage.
        !files::is_locked(&job.folder, MERGE_LOCK) && Stage::read(job).is_ok_and(|stage| stage.is_same(self))
    }

    /// Whether another stage is this one: it has the same number, and the job has not been finished since.
    pub fn is_same(&self, other: &Stage) -> bool {
        (self.number, self.is_finished) == (other.number, other.is_finished)
    }

    /// Tells whether a shard is there, for many shards.
    pub fn presence(&self, job: &Job) -> impl Fn(&Shard) -> bool + use<> {
        let mut folders = BTreeMap::new();
        for shard in &self.shards {
            folders.entry(shard.folder.clone()).or_insert_with(|| shard.work(job).ok());
        }
        move |shard| {
            folders.get(&shard.folder).and_then(Option::as_ref).is_some_and(|work| work.has_file(&shard.file, limits::TABLE))
        }
    }

    /// The numbers of the shards that are not there.
    pub fn missing(&self, job: &Job) -> Vec<usize> {
        let is_there = self.presence(job);
        (0..self.shards.len()).filter(|&number| !is_there(&self.shards[number])).collect()
    }
}

impl Shard {
    /// Whether another shard belongs to the same loop of the same run.
    pub fn is_beside(&self, other: &Shard) -> bool {
        (&self.folder, &self.name) == (&other.folder, &other.name)
    }

    /// Whether its work file lies in the folder of the run, and has its name.
    fn is_in_run(&self) -> bool {
        let mut names = self.folder.split('/');
        let is_named = self.file == format!("{}-{:05}", self.name, self.number);
        is_named && names.next() == Some(RUN) && names.chain([&*self.file]).all(is_plain_file_name)
    }

    /// The name of its records, which lie in the folder of the run, if the run writes any.
    pub fn records(&self) -> String {
        format!("{}.parquet", self.file)
    }

    /// The folder of its work file.
    pub fn work(&self, job: &Job) -> Result<Folder, FileError> {
        job.folder.below(&self.folder)?.folder(WORK)
    }

    /// Whether its work file is there.
    pub fn is_there(&self, job: &Job) -> bool {
        self.work(job).is_ok_and(|work| work.has_file(&self.file, limits::TABLE))
    }

    /// The failure of a run that makes no such shard.
    pub fn unknown(&self, job: &Job) -> Failure {
        let file = job.folder.place(FILE);
        Failure::input(format!("{}: the run makes no shard {}; {MAKES_AGAIN}", file.display(), self.place()))
    }

    /// The place of its work file in the folder of the job.
    pub fn place(&self) -> String {
        format!("{}/{WORK}/{}", self.folder, self.file)
    }
}

/// The result of `work plan` and `work merge`: the stage that they began.
#[derive(schemars::JsonSchema, Serialize)]
pub struct StageJson {
    job: String,
    stage: u64,
    is_finished: bool,
    shards: usize,
    /// The loops to which they belong.
    parts: Vec<Part>,
    /// The next step, for the text.
    #[serde(skip)]
    advice: String,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Part {
    folder: String,
    name: String,
    shards: usize,
}

impl StageJson {
    pub fn new(job: &Job, stage: &Stage, advice: String) -> StageJson {
        let part = |shards: &[Shard]| {
            let Shard { folder, name, .. } = shards[0].clone();
            Part { folder, name, shards: shards.len() }
        };
        StageJson {
            job: job.folder.path().display().to_string(),
            stage: stage.number,
            is_finished: stage.is_finished,
            shards: stage.shards.len(),
            parts: stage.shards.chunk_by(Shard::is_beside).map(part).collect(),
            advice,
        }
    }
}

impl fmt::Display for StageJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StageJson { job, stage, is_finished, shards, parts, advice } = self;
        if *is_finished {
            return write!(f, "{job}: finished{advice}");
        }
        let parts = parts.iter().map(|Part { folder, name, shards }| format!("{shards} of {name} in {folder}"));
        let all = if *shards == 1 { "1 shard".into() } else { format!("{shards} shards") };
        write!(f, "{job}: stage {stage}: {all} ({}){advice}", parts.collect::<Vec<_>>().join(", "))
    }
}

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

/// The state of a shard.
pub enum State {
    /// Nobody has begun it.
    Open,
    /// A process is making it.
    Running,
    /// A process has ended. The shard may be there or not.
    Ended(Record),
}

/// A shard that this process makes, with its record locked.
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
    /// Locks the record of a shard, unless another process has. The text of the last process stays until this one begins.
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
            // If the file stays, the shard counts as begun and not ended. That is true too.
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

/// The state of a shard, from its record.
pub fn state_of(job: &Job, stage: u64, number: usize) -> State {
    let name = file_name(stage, number);
    match job.folder.folder(FOLDER) {
        Ok(folder) if files::is_locked(&folder, &name) => State::Running,
        Ok(folder) if folder.has(&name) => State::Ended(read(&folder, &name)),
        _ => State::Open,
    }
}

/// Whether a process is making one of these shards.
pub fn are_running(job: &Job, stage: u64, numbers: &[usize]) -> bool {
    numbers.iter().any(|&number| matches!(state_of(job, stage, number), State::Running))
}

/// The CPU time of all shards of a job, in seconds.
pub fn cpu_seconds(job: &Job) -> f64 {
    let Ok(folder) = job.folder.folder(FOLDER) else { return 0.0 };
    folder.names().unwrap_or_default().iter().fold(0.0, |sum, name| sum + read(&folder, name).cpu_seconds)
}

/// A record. If a process was killed, it may hold half a line. Its texts are one line, and its times are possible.
pub fn read(folder: &Folder, name: &str) -> Record {
    let Record { by, seconds, cpu_seconds, error }: Record =
        files::read_json(folder, name).ok().flatten().unwrap_or_default();
    let line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let [seconds, cpu_seconds] = [seconds, cpu_seconds].map(|seconds| seconds.clamp(0.0, LONGEST));
    Record { by: line(by), seconds, cpu_seconds, error: error.map(line) }
}
