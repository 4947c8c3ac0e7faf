//! The job: its command, and what a process must share with the others to take part.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{stated_code_version, write_atomically};
use tilewright_engine::input_file;

use super::flags::ProcessFlags;
use super::probe::probe;
use crate::failure::Failure;

/// Stands for the folder of the job in words of a command.
const PLACE: &str = "{job}";
/// The folder of the run, inside that of the job.
pub const RUN: &str = "run";
/// The result of the command.
pub const RESULT: &str = "result.json";
const FILE: &str = "job.json";

/// A job in its folder.
pub struct Job {
    pub folder: PathBuf,
    pub stored: StoredJob,
}

/// `job.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredJob {
    /// The words of the command, with a placeholder for the folder of the job.
    pub command: Vec<String>,
    /// The build of the program.
    pub version: String,
    /// The hash of what the floating-point functions return.
    pub probe: String,
}

impl Job {
    /// Writes the job of a command.
    pub fn create(folder: &Path, command: Vec<String>) -> Result<Job, Failure> {
        let job =
            Job { folder: folder.into(), stored: StoredJob { command, version: stated_code_version(), probe: probe() } };
        job.write(FILE, &job.stored)?;
        Ok(job)
    }

    /// Reads a job. A process of another build, or on a machine whose floating-point functions return something else, is refused.
    pub fn open(folder: &Path) -> Result<Job, Failure> {
        let job = Job::read_only(folder)?;
        let (version, own) = (&job.stored.version, stated_code_version());
        if *version != own {
            return Err(Failure::input(format!(
                "{} is a job of tilewright {version}, and this is {own}; its pieces would not be the same: run that build",
                folder.display()
            )));
        }
        if job.stored.probe != probe() {
            return Err(Failure::input(format!(
                "{}: the floating-point functions of this machine do not return what they return where the job was planned; pieces \
                 made here could differ in their last bits: use machines with the same kind of processor and the same system library",
                folder.display()
            )));
        }
        Ok(job)
    }

    /// Reads a job to look at it.
    pub fn read_only(folder: &Path) -> Result<Job, Failure> {
        let file = folder.join(FILE);
        let bytes = input_file::read(&file)
            .map_err(|error| Failure::input(format!("{}: {error}; tilewright work plan makes a job", file.display())))?;
        let stored = serde_json::from_slice(&bytes)
            .map_err(|error| Failure::input(format!("{} is damaged ({error}); plan the job again", file.display())))?;
        Ok(Job { folder: folder.into(), stored })
    }

    /// Writes a JSON file of the job.
    pub fn write(&self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        let json = serde_json::to_string_pretty(value)? + "\n";
        Ok(write_atomically(&self.folder.join(name), json.as_bytes())?)
    }

    /// The words of a command with the folder of the job in place.
    pub fn filled(&self, words: &[String], process: &ProcessFlags) -> Vec<String> {
        let folder = self.folder.display().to_string();
        let mut words: Vec<String> = words.iter().map(|word| word.replace(PLACE, &folder)).collect();
        words.extend(process.threads.iter().flat_map(|threads| ["--threads".into(), threads.to_string()]));
        words.extend(process.quiet.then(|| "--quiet".into()));
        words
    }

    /// The words of a command that ran here, as the job stores them: without the flags of the process and the file of its result.
    pub fn stored_words(&self, words: &[String]) -> Vec<String> {
        let folder = self.folder.display().to_string();
        let mut stored = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--threads" | "--json" => drop(words.next()),
                "--quiet" => {}
                word => stored.push(word.replace(&folder, PLACE)),
            }
        }
        stored
    }

    /// A path of the job, relative to its folder.
    pub fn place(name: &str) -> String {
        format!("{PLACE}/{name}")
    }
}
