//! Adding candidates to a queue: all of them, or none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::candidate::{FOLDER, folders, name_of};
use super::settings::{FILE, Settings};
use crate::failure::Failure;
use crate::requests::Request;
use crate::runs::{self, RunWords};
use crate::work::coordinator::next_stage;
use crate::work::files;
use crate::work::flags::QueueArguments;
use crate::work::job::Job;
use crate::work::stage::Stage;

const LOCK: &str = "queue.lock";
/// The folder of a candidate that is being added, inside that of the candidates.
const ADDING: &str = ".adding";

/// Adds the candidates of the flags, and makes the queue if there is none.
pub fn add(arguments: &QueueArguments, run_words: RunWords) -> Result<(), Failure> {
    let queue = arguments.queue.as_path();
    let is_queue = || queue.join(FILE).exists();
    let is_own = |path: &PathBuf| path.ends_with(LOCK) || path.ends_with(FOLDER);
    if !is_queue() && (queue.is_file() || !files::list(queue)?.iter().all(is_own)) {
        return Err(Failure::input(format!(
            "{} is no queue, and not empty; --queue names a new folder or a queue",
            queue.display()
        )));
    }
    let existed = queue.exists();
    let unwritable = |error: std::io::Error| {
        Failure::input(format!("cannot write to {}: {error}; choose another --queue", queue.display()))
    };
    std::fs::create_dir_all(queue.join(FOLDER)).map_err(unwritable)?;
    let _lock = files::lock_within(Duration::MAX, &queue.join(LOCK))?;
    let added = add_to(arguments, !is_queue(), run_words);
    if added.is_err() {
        let _ = std::fs::remove_dir_all(adding(queue));
        if !existed && !is_queue() {
            let _ = std::fs::remove_dir_all(queue);
        }
    }
    added
}

fn adding(queue: &Path) -> PathBuf {
    queue.join(FOLDER).join(ADDING)
}

fn add_to(arguments: &QueueArguments, is_new: bool, run_words: RunWords) -> Result<(), Failure> {
    let queue = arguments.queue.as_path();
    let settings = if is_new { Settings::from_flags(&arguments.settings)? } else { Settings::read(queue)? };
    settings.check(queue, &arguments.settings)?;
    settings.check_build(queue, arguments.accepted.build)?;
    if !is_new && arguments.settings.player_b.is_none() && !arguments.accepted.allow_programs {
        // The command line names the candidates, and not this baseline.
        runs::refuse_programs(queue.join(FILE).display(), &settings.match_of("greedy")?.spec.programs())?;
    }
    let folders = folders(queue)?;
    check_names(queue, &folders, &arguments.candidates)?;
    let last = folders.last().and_then(|folder| folder.file_name()?.to_string_lossy().parse::<u64>().ok()).unwrap_or(0);
    // What a process left that was killed while it added.
    let _ = std::fs::remove_dir_all(adding(queue));
    let names: Vec<String> = (last + 1..).take(arguments.candidates.len()).map(|number| format!("{number:04}")).collect();
    for (name, candidate) in names.iter().zip(&arguments.candidates) {
        let folder = adding(queue).join(name);
        std::fs::create_dir_all(&folder)?;
        let run = Request::Match(Box::new(settings.match_of(candidate)?));
        next_stage(&Job::create(&folder, run)?, &Stage::default(), &arguments.process, run_words)
            .map_err(|failure| failure.within(candidate))?;
    }
    if is_new {
        settings.write(queue)?;
    }
    for name in &names {
        std::fs::rename(adding(queue).join(name), queue.join(FOLDER).join(name))?;
    }
    Ok(std::fs::remove_dir(adding(queue))?)
}

/// Refuses a candidate that is there already or is named twice.
fn check_names(queue: &Path, folders: &[PathBuf], candidates: &[String]) -> Result<(), Failure> {
    let mut names = BTreeSet::new();
    for folder in folders {
        names.insert(name_of(&Job::read_only(folder)?));
    }
    for candidate in candidates {
        if !names.insert(candidate.clone()) {
            return Err(Failure::input(format!(
                "candidate {candidate} is in {} already; give the file of another candidate another name",
                queue.display()
            )));
        }
    }
    Ok(())
}
