//! `work merge`: puts the pieces of a stage together, and begins the next stage or finishes the job.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::input_file;
use tilewright_train::journal::Fault;

use super::coordinator::{Gathered, Lack, gather, stage};
use super::flags::{MergeArguments, ProcessFlags};
use super::job::{Job, RESULT, RUN};
use super::merge_lock::MergeLock;
use super::plan::StageJson;
use super::stage::Stage;
use crate::failure::Failure;
use crate::output;
use crate::requests::Verbs;

/// The most pieces that a message names.
const NAMED: usize = 20;

/// `work merge`.
pub fn run(arguments: &MergeArguments, verbs: Verbs) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let job = Job::open(&arguments.job)?;
    let _lock = MergeLock::wait(&job)?;
    // A stage that cannot be read is made again: it follows from the pieces.
    let last = Stage::read(&job).unwrap_or_default();
    if last.is_finished {
        return output::show(&Merged::new(&job, &last), json);
    }
    for from in &arguments.from {
        take_over(&job, &last, from)?;
    }
    let next = next_stage(&job, &last, &arguments.process, verbs)?;
    output::show(&Merged::new(&job, &next), json)
}

/// Puts the pieces of a stage together, and writes the stage that follows.
///
/// # Errors
/// [`Failure::Input`] that names the pieces which are missing or wrong.
pub fn next_stage(job: &Job, last: &Stage, process: &ProcessFlags, verbs: Verbs) -> Result<Stage, Failure> {
    let next = match gather(job, process, verbs)? {
        Gathered::Finished => Stage { number: last.number, is_finished: true, groups: Vec::new() },
        Gathered::Lacks(lacks) => {
            refuse(job, last, &lacks)?;
            stage(last.number + 1, &lacks)
        }
    };
    next.write(job)?;
    Ok(next)
}

/// Refuses pieces that are torn or of something else, and pieces of the stage that are missing.
fn refuse(job: &Job, last: &Stage, lacks: &[Lack]) -> Result<(), Failure> {
    let numbers: BTreeMap<String, u64> =
        (0..).zip(last.pieces()).map(|(at, (group, piece))| (group.place(piece), at)).collect();
    let place = |lack: &Lack| format!("{}/{}/{}", lack.folder, tilewright_train::journal::WORK, lack.file);
    let of_stage = |lack: &&Lack| lack.fault != Fault::Missing || numbers.contains_key(&place(lack));
    let wrong: Vec<&Lack> = lacks.iter().filter(of_stage).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let mut text = format!("{}: the stage cannot be put together", job.folder.display());
    for (fault, what, advice) in [
        (Fault::Torn, "torn (its checksum is wrong)", "run it again"),
        (Fault::Mismatched, "of another build, another run or another piece", "delete it and run it again"),
        (Fault::Missing, "missing", "run it"),
    ] {
        let named: Vec<&&Lack> = wrong.iter().filter(|lack| lack.fault == fault).collect();
        for lack in named.iter().take(NAMED) {
            let place = place(lack);
            text += &format!("\n  {place}: {what}; {advice}");
            if let Some(number) = numbers.get(&place) {
                text += &format!(": tilewright work run {} --shard {number}", job.folder.display());
            }
        }
        if named.len() > NAMED {
            text += &format!("\n  and {} more of that kind", named.len() - NAMED);
        }
    }
    Err(Failure::input(text))
}

/// Copies the pieces of the stage from another folder of the same job. A piece that is here must be the same there.
fn take_over(job: &Job, stage: &Stage, from: &Path) -> Result<(), Failure> {
    let other = Job::read_only(from)?;
    if !other.stored.run.is_same(&job.stored.run) || other.stored.version != job.stored.version {
        return Err(Failure::input(format!(
            "{} is a folder of another job ({}, tilewright {})",
            from.display(),
            other.stored.run.kind(),
            other.stored.version
        )));
    }
    let mut differing = Vec::new();
    for (group, piece) in stage.pieces() {
        let (own, theirs) = (group.path(job, piece), group.path(&other, piece));
        let Ok(bytes) = input_file::read(&theirs) else { continue };
        match input_file::read(&own) {
            Ok(here) if here == bytes => {}
            Ok(_) => differing.push(format!("{} and {}", own.display(), theirs.display())),
            Err(_) => {
                // The records of a shard lie next to its receipt.
                let folder = Path::new(&group.folder);
                let records = format!("{}.parquet", piece.file);
                if let Ok(records_bytes) = input_file::read(&other.folder.join(folder).join(&records)) {
                    write_atomically(&job.folder.join(folder).join(&records), &records_bytes)?;
                }
                write_atomically(&own, &bytes)?;
            }
        }
    }
    if differing.is_empty() {
        return Ok(());
    }
    Err(Failure::input(format!(
        "the same piece was made twice with different bytes: {}; delete the wrong one",
        differing.join(", ")
    )))
}

/// The result of `work merge`.
#[derive(Serialize)]
struct Merged {
    job: String,
    #[serde(flatten)]
    stage: StageJson,
}

impl Merged {
    fn new(job: &Job, stage: &Stage) -> Merged {
        Merged { job: job.folder.display().to_string(), stage: StageJson::new(stage) }
    }
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Merged { job, stage } = self;
        write!(f, "{job}: {stage}")?;
        if stage.to_string() == "finished" {
            write!(f, "; the run is in {job}/{RUN}, its result in {job}/{RESULT}")
        } else {
            Ok(())
        }
    }
}
