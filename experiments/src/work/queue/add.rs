//! Adding candidates to a queue: all of them, or none.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::candidate::{FOLDER, folders, name_of};
use super::settings::{FILE, Settings};
use crate::failure::Failure;
use crate::requests::{Request, Verbs};
use crate::work::flags::queue::QueueArguments;
use crate::work::job::{Job, Shared};
use crate::work::plan;

const LOCK: &str = "queue.lock";
/// The folder of a candidate that is being added, inside that of the candidates.
const ADDING: &str = ".adding";

/// Adds the candidates of the flags, and makes the queue if there is none.
pub fn add(arguments: &QueueArguments, verbs: Verbs) -> Result<(), Failure> {
    let queue = arguments.queue.as_path();
    let is_new = !queue.join(FILE).exists();
    let settings = if is_new { new_settings(arguments)? } else { Settings::read(queue)? };
    let existed = queue.exists();
    let unwritable = |error| Failure::input(format!("cannot write to {}: {error}; choose another --queue", queue.display()));
    std::fs::create_dir_all(queue.join(FOLDER)).map_err(unwritable)?;
    // The lock ends with the process.
    let lock = File::create(queue.join(LOCK)).map_err(unwritable)?;
    lock.lock().map_err(unwritable)?;
    let added = if is_new && queue.join(FILE).exists() {
        // Another process has made the queue in the meantime.
        Settings::read(queue).and_then(|settings| add_to(arguments, &settings, false, verbs))
    } else {
        add_to(arguments, &settings, is_new, verbs)
    };
    if added.is_err() {
        let _ = std::fs::remove_dir_all(adding(queue));
        if !existed && !queue.join(FILE).exists() {
            let _ = std::fs::remove_dir_all(queue);
        }
    }
    added
}

/// The settings of a new queue, whose folder is new too.
fn new_settings(arguments: &QueueArguments) -> Result<Settings, Failure> {
    let queue = arguments.queue.as_path();
    let is_own = |name: &std::ffi::OsStr| name == LOCK || name == FOLDER;
    let is_other = std::fs::read_dir(queue).is_ok_and(|all| all.flatten().any(|entry| !is_own(&entry.file_name())));
    if is_other || queue.is_file() {
        return Err(Failure::input(format!(
            "{} is no queue, and not empty; --queue names a new folder or a queue",
            queue.display()
        )));
    }
    Settings::from_flags(&arguments.settings)
}

fn adding(queue: &Path) -> PathBuf {
    queue.join(FOLDER).join(ADDING)
}

fn add_to(arguments: &QueueArguments, settings: &Settings, is_new: bool, verbs: Verbs) -> Result<(), Failure> {
    let queue = arguments.queue.as_path();
    settings.check(queue, &arguments.settings)?;
    settings.check_build(queue)?;
    let folders = folders(queue)?;
    check_names(queue, &folders, &arguments.candidates)?;
    let last = folders.last().and_then(|folder| folder.file_name()?.to_string_lossy().parse::<u64>().ok()).unwrap_or(0);
    // What a process left that was killed while it added.
    let _ = std::fs::remove_dir_all(adding(queue));
    for (number, candidate) in (last + 1..).zip(&arguments.candidates) {
        let folder = adding(queue).join(format!("{number:04}"));
        std::fs::create_dir_all(&folder)?;
        let run = Shared::Run(Box::new(Request::Match(Box::new(settings.match_of(candidate)?))));
        let job = Job::create(&folder, run)?;
        plan::first_stage(&job, &arguments.process, verbs).map_err(|failure| failure.within(candidate))?;
    }
    if is_new {
        settings.write(queue)?;
    }
    for number in (last + 1..).take(arguments.candidates.len()) {
        let name = format!("{number:04}");
        std::fs::rename(adding(queue).join(&name), queue.join(FOLDER).join(&name))?;
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
