//! A candidate of a queue: its job, and how far its test has come.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tilewright_engine::input_file;
use tilewright_engine::series::sequential::Decision;
use tilewright_train::journal::JournalError;
use tilewright_train::stored_match::Looks;

use super::settings::Settings;
use crate::failure::Failure;
use crate::requests::Request;
use crate::work::job::{Job, RUN, Shared};
use crate::work::stage::Stage;
use crate::work::tasks;

/// The folder of the candidates, inside that of the queue.
pub const FOLDER: &str = "candidates";
const FAILED: &str = "failed.json";

/// A candidate.
pub struct Candidate {
    /// Its name as a player.
    pub name: String,
    pub job: Arc<Job>,
    looks: Arc<Mutex<Looks>>,
}

/// `failed.json`: why a candidate failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failed {
    /// The machine and the process.
    pub by: String,
    /// The message.
    pub error: String,
}

/// The state of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// No process is at work on it.
    Waiting,
    /// A process is making a piece of it.
    Running,
    /// The test has accepted H1.
    Accepted,
    /// The test has accepted H0.
    Rejected,
    /// The test has not decided within the most pairs.
    Undecided,
    /// It failed.
    Failed,
}

impl State {
    /// The state in words.
    pub fn name(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Accepted => "accepted",
            State::Rejected => "rejected",
            State::Undecided => "undecided",
            State::Failed => "failed",
        }
    }
}

/// The folders of a queue's candidates, in the order in which they were added.
pub fn folders(queue: &Path) -> Result<Vec<PathBuf>, Failure> {
    let all = std::fs::read_dir(queue.join(FOLDER))?;
    let mut folders: Vec<PathBuf> = all.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    // A candidate that is being added has a name with a dot.
    folders.retain(|folder| !folder.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.')));
    folders.sort();
    Ok(folders)
}

/// The name of the candidate whose job this is.
pub fn name_of(job: &Job) -> String {
    let Shared::Run(run) = &job.stored.run else { return String::new() };
    let Request::Match(request) = &**run else { return String::new() };
    request.spec.players.first().map(ToString::to_string).unwrap_or_default()
}

impl Candidate {
    /// The candidate of a job.
    pub fn new(job: Job, settings: &Settings) -> Result<Candidate, Failure> {
        let looks = Looks::new(&job.folder.join(RUN), settings.test()?, settings.pairs);
        Ok(Candidate { name: name_of(&job), job: Arc::new(job), looks: Arc::new(Mutex::new(looks)) })
    }

    /// How far the test has come, as far as it was read.
    pub fn looks(&self) -> MutexGuard<'_, Looks> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the looks that have come since.
    pub fn read(&self) -> Result<(), JournalError> {
        self.looks().read()
    }

    /// Why it failed, if it did.
    pub fn failed(&self) -> Option<Failed> {
        let bytes = input_file::read(&self.job.folder.join(FAILED)).ok()?;
        let unreadable = |error| Failed { by: "unknown".into(), error: format!("{FAILED} is damaged: {error}") };
        Some(serde_json::from_slice(&bytes).unwrap_or_else(unreadable))
    }

    /// Writes down that it failed.
    pub fn fail(&self, error: String) -> Result<(), Failure> {
        self.job.write(FAILED, &Failed { by: tasks::process(), error })
    }

    /// The state after the looks that were read.
    pub fn state(&self) -> State {
        if self.failed().is_some() {
            return State::Failed;
        }
        let looks = self.looks();
        match looks.decision() {
            Decision::AcceptH1 => State::Accepted,
            Decision::AcceptH0 => State::Rejected,
            Decision::Open if looks.is_over() => State::Undecided,
            Decision::Open if Stage::read(&self.job).is_ok_and(|stage| is_running(&self.job, &stage)) => State::Running,
            Decision::Open => State::Waiting,
        }
    }
}

/// Whether a process is making a piece of a stage.
pub fn is_running(job: &Job, stage: &Stage) -> bool {
    let mut missing = (0..).zip(stage.pieces()).filter(|(_, (group, piece))| !group.path(job, piece).exists());
    missing.any(|(number, _)| matches!(tasks::state(job, stage.number, number), tasks::State::Running))
}
