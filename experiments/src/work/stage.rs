//! The stage in work: the shards that are to be made before the run can go on.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use tilewright_engine::folder::{FileError, Folder, is_plain_file_name};
use tilewright_train::journal::WORK;

use super::files::{self, MERGE_LOCK};
use super::job::{Job, RUN};
use crate::failure::Failure;

const FILE: &str = "stage.json";

/// `stage.json`.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The number, from 1.
    pub number: u64,
    /// Whether the job is finished; then there are no shards.
    pub is_finished: bool,
    /// Shards that do not need each other. The number of a shard in the stage is its place here, from 0.
    pub shards: Vec<Shard>,
}

/// A shard of a stage.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The part of a study that makes it; empty for another run.
    pub part: String,
    /// The folder of the run, relative to that of the job.
    pub folder: String,
    /// The loop of the run to which it belongs.
    pub name: String,
    /// The number in the loop.
    pub number: u64,
    /// The name of its work file.
    pub file: String,
}

/// What to do if the file of the stage cannot be used.
const MAKES_AGAIN: &str = "tilewright work merge makes the stage again";

impl Stage {
    /// The stage of a job.
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
        // A merge that begins after the first look needs every shard, and one that has ended has written another stage.
        !files::is_locked(&job.folder, MERGE_LOCK) && Stage::read(job).is_ok_and(|stage| stage.is_same(self))
    }

    /// Whether another stage is this one: it has the same number, and the job has not been finished since.
    pub fn is_same(&self, other: &Stage) -> bool {
        (self.number, self.is_finished) == (other.number, other.is_finished)
    }

    /// Tells whether a shard is there, for many shards.
    pub fn presence(&self, job: &Job) -> impl Fn(&Shard) -> bool + use<> {
        let mut folders: BTreeMap<String, Option<Folder>> = BTreeMap::new();
        for shard in &self.shards {
            if !folders.contains_key(&shard.folder) {
                folders.insert(shard.folder.clone(), shard.work(job).ok());
            }
        }
        move |shard| folders.get(&shard.folder).is_some_and(|work| work.as_ref().is_some_and(|work| work.has(&shard.file)))
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
        self.work(job).is_ok_and(|work| work.has(&self.file))
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
#[derive(Serialize)]
pub struct StageJson {
    job: String,
    stage: u64,
    is_finished: bool,
    shards: usize,
    /// The loops to which they belong.
    parts: Vec<Part>,
    /// What to do next, for the text.
    #[serde(skip)]
    advice: String,
}

#[derive(Serialize)]
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
        write!(f, "{job}: stage {stage}: {shards} shards ({}){advice}", parts.collect::<Vec<_>>().join(", "))
    }
}
