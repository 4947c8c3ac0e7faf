//! A candidate of a queue: its job, and how far its test has come.

use std::sync::Arc;

use tilewright_engine::folder::Folder;
use tilewright_engine::series::sequential::Decision;
use tilewright_train::stored_match::Looks;

use super::settings::Settings;
use crate::failure::Failure;
use crate::requests::Request;
use crate::work::files;
use crate::work::job::{Job, RUN};
use crate::work::records::{self, Record};
use crate::work::stage::Stage;

/// The folder of the candidates, inside that of the queue.
pub const FOLDER: &str = "candidates";
/// The record of a candidate that failed.
const FAILED: &str = "failed.json";

/// A candidate.
pub struct Candidate {
    /// Its name as a player.
    pub name: String,
    pub job: Arc<Job>,
    /// How far its test has come, as far as it was read.
    pub looks: Looks,
}

/// The folders of a queue's candidates by their names, in the order in which they were added.
pub fn folders(queue: &Folder) -> Result<Vec<(String, Folder)>, Failure> {
    if !queue.has(FOLDER) {
        return Ok(Vec::new());
    }
    let candidates = queue.folder(FOLDER)?;
    // One that is being added has a name with a dot.
    let names = candidates.names()?.into_iter().filter(|name| !name.starts_with('.'));
    names.map(|name| Ok((candidates.folder(&name)?, name))).map(|found| found.map(|(folder, name)| (name, folder))).collect()
}

/// The name of the candidate whose job this is.
pub fn name_of(job: &Job) -> String {
    let Request::Match(request) = &job.stored.run else { return String::new() };
    request.spec.players.first().map(ToString::to_string).unwrap_or_default()
}

impl Candidate {
    /// The candidate of a job.
    pub fn new(job: Job, settings: &Settings) -> Result<Candidate, Failure> {
        let looks = Looks::new(&job.folder, RUN, settings.test()?, settings.pairs);
        Ok(Candidate { name: name_of(&job), job: Arc::new(job), looks })
    }

    /// Why it failed, if it did.
    pub fn failed(&self) -> Option<String> {
        let folder = &self.job.folder;
        let error = folder.has(FAILED).then(|| records::read(folder, FAILED).error);
        error.map(|error| error.unwrap_or_else(|| format!("{FAILED} is damaged")))
    }

    /// Writes down that it failed.
    pub fn fail(&self, error: String) -> Result<(), Failure> {
        files::write_json(
            &self.job.folder,
            FAILED,
            &Record { by: files::process(), error: Some(error), ..Record::default() },
        )
    }

    /// Its state in a word, after the looks that were read.
    pub fn state(&self) -> &'static str {
        if self.failed().is_some() {
            return "failed";
        }
        match self.looks.decision {
            Decision::AcceptH1 => "accepted",
            Decision::AcceptH0 => "rejected",
            Decision::Open if self.looks.is_over() => "undecided",
            Decision::Open if self.is_running() => "running",
            Decision::Open => "waiting",
        }
    }

    /// Whether a process is making one of its shards.
    fn is_running(&self) -> bool {
        let stage = Stage::read(&self.job);
        stage.is_ok_and(|stage| records::are_running(&self.job, stage.number, &stage.missing(&self.job)))
    }
}
