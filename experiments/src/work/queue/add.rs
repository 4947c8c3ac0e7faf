//! Adding candidates to a queue: all of them, or none.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use tilewright_engine::folder::{Folder, GrowingFolder};

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

/// Adds the candidates of the flags, and makes the queue if there is none.
pub fn add(arguments: &QueueArguments, run_words: RunWords) -> Result<(), Failure> {
    let path = arguments.queue.as_path();
    let cannot = |error| Failure::input(format!("cannot write to the queue: {error}; choose another --queue"));
    let existing = match Folder::open(path) {
        Err(_) if !path.exists() => None,
        existing => Some(existing.map_err(cannot)?),
    };
    let is_own = |name: &String| [LOCK, FOLDER, FILE].contains(&name.as_str());
    if existing.as_ref().is_some_and(|queue| !queue.has(FILE) && !queue.names().is_ok_and(|names| names.iter().all(is_own)))
    {
        return Err(Failure::input(format!(
            "{} is no queue, and not empty; --queue names a new folder or a queue",
            path.display()
        )));
    }
    if existing.is_none() {
        Settings::from_flags(&arguments.settings)?;
    }
    let is_made = existing.is_none();
    let queue = existing.map_or_else(|| Folder::make(path), Ok).map_err(cannot)?;
    let lock = match files::lock_within(Duration::MAX, &queue, LOCK) {
        Ok(None) => return Err(Failure::Interrupted("no candidate was added".into())),
        // A process that made the queue and failed has taken it away again.
        Err(_) if !path.exists() => return add(arguments, run_words),
        Ok(_) if !queue.has(LOCK) => return add(arguments, run_words),
        lock => lock?,
    };
    let is_new = !queue.has(FILE);
    let added = add_to(arguments, &queue, is_new, run_words);
    if added.is_err() && is_made && is_new {
        // Nobody else adds while this process has the lock, so all of it is its own.
        let _ = queue.remove_folder(FOLDER);
        let _ = queue.remove(LOCK);
        let _ = std::fs::remove_dir(path);
    }
    drop(lock);
    added
}

fn add_to(arguments: &QueueArguments, queue: &Folder, is_new: bool, run_words: RunWords) -> Result<(), Failure> {
    let path = queue.path();
    let settings = if is_new { Settings::from_flags(&arguments.settings)? } else { Settings::read(queue)? };
    settings.check(path, &arguments.settings)?;
    settings.check_build(path, arguments.accepted.build)?;
    if !is_new && arguments.settings.player_b.is_none() && !arguments.accepted.allow_programs {
        // The command line names the candidates, and not this baseline.
        runs::refuse_programs(queue.place(FILE).display(), &settings.match_of("greedy")?.spec.programs())?;
    }
    let folders = folders(queue)?;
    let last = folders.iter().filter_map(|(name, _)| name.parse::<u32>().ok()).max().map_or(0, u64::from);
    check_names(path, folders, &arguments.candidates)?;
    let candidates = queue.make_folder(FOLDER)?;
    // What a process left that was killed while it added.
    candidates.clear_temporary()?;
    let mut planned = Vec::new();
    for (number, candidate) in (last + 1..).zip(&arguments.candidates) {
        let folder = candidates.begin_folder(&format!("{number:04}"))?;
        let run = Request::Match(Box::new(settings.match_of(candidate)?));
        next_stage(&Job::create(folder.folder(), run)?, &Stage::default(), &arguments.process, run_words)
            .map_err(|failure| failure.within(candidate))?;
        planned.push(folder);
    }
    if is_new {
        settings.write(queue)?;
    }
    Ok(planned.into_iter().try_for_each(GrowingFolder::finish)?)
}

/// Refuses a candidate that is there already or is named twice.
fn check_names(queue: &Path, folders: Vec<(String, Folder)>, candidates: &[String]) -> Result<(), Failure> {
    let mut names = BTreeSet::new();
    for (_, folder) in folders {
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
