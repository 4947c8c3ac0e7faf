//! `work merge`: puts the shards of a stage together, and begins the next stage or finishes the job.

use std::path::Path;
use std::time::Duration;

use tilewright_engine::input_file::limits;

use super::coordinator::next_stage;
use super::files::{self, MERGE_LOCK};
use super::flags::MergeArguments;
use super::job::{self, Job, RESULT, RUN};
use super::stage::{Stage, StageJson};
use crate::runs::RunWords;
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
    let mut stage = Stage::read(&job).unwrap_or_default();
    if !stage.is_finished {
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
        let Ok(theirs) = shard.work(&other) else { continue };
        let Some(bytes) = theirs.read(&shard.file, limits::TABLE)? else { continue };
        let own = shard.work(job)?;
        match own.read(&shard.file, limits::TABLE)? {
            Some(here) if here == bytes => {}
            Some(_) => {
                let [own, theirs] = [own, theirs].map(|work| work.place(&shard.file).display().to_string());
                differing.push(format!("{own} and {theirs}"));
            }
            None => {
                // The records of a shard lie next to its receipt.
                let records = format!("{}.parquet", shard.file);
                if let Some(bytes) = other.folder.below(&shard.folder)?.read(&records, limits::TABLE)? {
                    job.folder.below(&shard.folder)?.write(&records, &bytes)?;
                }
                own.write(&shard.file, &bytes)?;
            }
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
