//! `work merge`: puts the shards of a stage together, and begins the next stage or finishes the job.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use tilewright_engine::folder::FileError;
use tilewright_engine::input_file::limits;
use tilewright_train::journal::{self, WORK};

use super::coordinator::next_stage;
use super::files::{self, MERGE_LOCK};
use super::flags::MergeArguments;
use super::job::{self, Job, RESULT, RUN};
use super::stage::{Shard, Stage, StageJson};
use crate::runs::RunWords;
use crate::status::status;
use crate::{Failure, output};

/// How long a merge asks for the lock before it gives up: processes that look at the lock hold it for a moment.
const PATIENCE: Duration = Duration::from_millis(200);

/// `work merge`.
pub fn run(arguments: &MergeArguments, run_words: RunWords) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let job = Job::open(job::folder(&arguments.job)?, arguments.accepted)?;
    let Some(_lock) = files::lock_within(PATIENCE, &job.folder, MERGE_LOCK)? else {
        let job = job.folder.path().display();
        return Err(Failure::input(format!("another process is merging {job}; wait until it has ended")));
    };
    // A stage that cannot be read is made again: it follows from the shards.
    let read = Stage::read(&job).ok();
    let is_lost = read.is_none();
    let mut stage = read.unwrap_or_else(|| Stage { is_finished: job.has_result(), ..Stage::default() });
    if stage.is_finished && is_lost {
        stage.write(&job)?;
    } else if !stage.is_finished {
        for from in &arguments.from {
            take_over(&job, &stage, from)?;
        }
        stage = next_stage(&job, &stage, &arguments.process, run_words)?;
    }
    let folder = job.folder.path().display();
    let advice = format!("; the run is in {folder}/{RUN}, its result in {folder}/{RESULT}");
    let advice = if stage.is_finished { advice } else { String::new() };
    output::show(&StageJson::new(&job, &stage, advice), json)
}

/// Copies the shards of the stage from another folder of the same job. A shard that is here must be the same there.
fn take_over(job: &Job, stage: &Stage, from: &Path) -> Result<(), Failure> {
    let other = Job::read_only(job::folder(from)?)?;
    if !other.is_same(job) {
        return Err(Failure::input(format!(
            "{} is a folder of another job ({}, tilewright {})",
            from.display(),
            other.stored.run.kind(),
            other.stored.version
        )));
    }
    let mut differing = Vec::new();
    for shard in &stage.shards {
        let Some(theirs) = Content::read(&other, shard)? else { continue };
        let [here, there] = [job, &other].map(|job| job.folder.place(&shard.place()).display().to_string());
        if !theirs.is_whole() {
            status!("warning: {there} or its records are torn (a checksum is wrong), and are left there");
            continue;
        }
        match Content::read(job, shard)?.filter(Content::is_whole) {
            Some(own) if own.file == theirs.file => {}
            Some(_) => differing.push(format!("{here} and {there}")),
            None => theirs.write(job, shard)?,
        }
    }
    if differing.is_empty() {
        return Ok(());
    }
    Err(Failure::input(format!(
        "the same shard was made twice with different bytes: {}; delete the wrong one",
        differing.join(", ")
    )))
}

/// What a process has made of a shard.
struct Content {
    /// The work file.
    file: Vec<u8>,
    /// The records next to it; the work file has their checksum.
    records: Option<Vec<u8>>,
}

impl Content {
    /// The content of a shard of a job, if it is there.
    fn read(job: &Job, shard: &Shard) -> Result<Option<Content>, FileError> {
        let run = match job.folder.below(&shard.folder) {
            Err(FileError::File { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
            run => run?,
        };
        if !run.has(WORK) {
            return Ok(None);
        }
        let Some(file) = run.folder(WORK)?.read(&shard.file, limits::TABLE)? else { return Ok(None) };
        Ok(Some(Content { file, records: run.read(&shard.records(), limits::TABLE)? }))
    }

    /// Whether all checksums are right.
    fn is_whole(&self) -> bool {
        journal::is_whole(&self.file, self.records.as_deref())
    }

    /// Writes the content into another job.
    fn write(&self, job: &Job, shard: &Shard) -> Result<(), FileError> {
        if let Some(records) = &self.records {
            job.folder.below(&shard.folder)?.write(&shard.records(), records)?;
        }
        shard.work(job)?.write(&shard.file, &self.file)
    }
}
