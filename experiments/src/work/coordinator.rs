//! The process of a job that coordinates: it runs the job up to the shards that are missing, which are the next stage.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tilewright_train::journal::{Fault, JournalError, Role, Scheduler, UnusableShard};

use super::flags::ProcessFlags;
use super::job::{Job, RESULT};
use super::stage::{Shard, Stage};
use crate::failure::Failure;
use crate::output::{NewFile, muted};
use crate::runs::RunWords;

/// The most shards that a message names.
const NAMED: usize = 20;

/// Puts the shards of the last stage together, and writes the stage that follows. The first stage follows an empty one.
///
/// # Errors
/// [`Failure::Input`] that names the shards of the last stage which are missing, and all that are wrong.
pub fn next_stage(job: &Job, last: &Stage, process: &ProcessFlags, run_words: RunWords) -> Result<Stage, Failure> {
    let coordinator = Arc::new(Coordinator { root: job.folder.path().into(), unusable: Mutex::default() });
    let result = job.folder.place(RESULT);
    // A process that was killed after it had written the result may not have marked the job as finished.
    job.folder.remove(RESULT)?;
    let json = NewFile::new(Some(&result))?;
    let scheduler: Arc<dyn Scheduler> = coordinator.clone();
    let done = muted(|| job.run("", json, &scheduler, (process.threads, process.quiet), run_words));
    let unusable = std::mem::take(&mut *coordinator.unusable.lock().unwrap_or_else(PoisonError::into_inner));
    let next = match done {
        Err(failure) if unusable.is_empty() || !lacks_shards(&failure) => return Err(failure),
        _ if unusable.is_empty() => Stage { number: last.number.max(1), is_finished: true, shards: Vec::new() },
        _ => {
            refuse(job, last, &unusable)?;
            let shards = unusable.into_iter().map(|(shard, _)| shard).collect();
            Stage { number: last.number + 1, is_finished: false, shards }
        }
    };
    next.write(job)?;
    Ok(next)
}

/// Whether a run ended because other processes have to make shards.
pub fn lacks_shards(failure: &Failure) -> bool {
    matches!(failure.journal(), Some(JournalError::ShardsMissing { .. }))
}

/// Refuses shards that are torn or of something else, and shards of the last stage that are missing.
fn refuse(job: &Job, last: &Stage, unusable: &[(Shard, Fault)]) -> Result<(), Failure> {
    let numbers: BTreeMap<String, usize> = last.shards.iter().map(Shard::place).zip(0..).collect();
    let mut text = String::new();
    for (fault, what, advice) in [
        (Fault::Torn, "torn (its checksum is wrong)", "run it again"),
        (Fault::Mismatched, "of another build, another run or another shard", "delete it and run it again"),
        (Fault::Missing, "missing", "run it"),
    ] {
        let places = unusable.iter().filter(|(_, own)| *own == fault).map(|(shard, _)| shard.place());
        let mut wrong = places.filter(|place| fault != Fault::Missing || numbers.contains_key(place));
        for place in wrong.by_ref().take(NAMED) {
            text += &format!("\n  {place}: {what}; {advice}");
            if let Some(number) = numbers.get(&place) {
                text += &format!(": tilewright work run {} --shard {number}", job.folder.path().display());
            }
        }
        let more = wrong.count();
        if more > 0 {
            text += &format!("\n  and {more} more of that kind");
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    Err(Failure::input(format!("{}: the stage cannot be put together{text}", job.folder.path().display())))
}

/// A folder relative to that of the job.
pub fn relative(root: &Path, folder: &Path) -> String {
    folder.strip_prefix(root).unwrap_or(folder).to_string_lossy().replace('\\', "/")
}

struct Coordinator {
    root: PathBuf,
    unusable: Mutex<Vec<(Shard, Fault)>>,
}

impl Scheduler for Coordinator {
    fn role(&self, _folder: &Path, _job: &str) -> Role {
        Role::Coordinator
    }

    fn is_alone(&self) -> bool {
        true
    }

    fn report(&self, shard: UnusableShard<'_>) {
        let UnusableShard { label, folder, job, number, file, fault } = shard;
        let folder = relative(&self.root, folder);
        let shard = Shard { part: label.into(), folder, name: job.into(), number, file: file.into() };
        self.unusable.lock().unwrap_or_else(PoisonError::into_inner).push((shard, fault));
    }
}
