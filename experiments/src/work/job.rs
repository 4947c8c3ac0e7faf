//! The job: its run, and the data that all its processes must share. A process reads only the files whose hashes the job
//! names, because somebody else may have written the job.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tilewright_engine::artefact::{MANIFEST, stated_code_version};
use tilewright_engine::folder::Folder;
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file::{self, limits};
use tilewright_train::journal::Scheduler;

use super::files;
use super::flags::Accepted;
use crate::flags::BuildFlag;
use crate::requests::Request;
use crate::runs::{self, Context, Programs, RunWords};
use crate::{Failure, Memos, NewFile};

/// The folder of the run, inside the folder of the job.
pub const RUN: &str = "run";
pub const RESULT: &str = "result.json";
/// The text that the finished run prints.
pub const RESULT_TEXT: &str = "result.txt";
const FILE: &str = "job.json";
/// Points at which [`probe`] calls each function.
const POINTS: u32 = 20_000;

pub struct Job {
    pub folder: Folder,
    pub stored: StoredJob,
    /// Whether a build takes part that did not plan the job.
    accept_other_build: bool,
    programs: Programs<'static>,
    memos: Memos,
}

/// `job.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredJob {
    /// The run, by its kind.
    pub run: Request,
    /// The files that the run names.
    #[serde(default)]
    pub inputs: Inputs,
    /// The build of the program.
    pub version: String,
    /// The hash of results of the floating-point functions, from [`probe`].
    pub probe: String,
}

impl Job {
    fn of(folder: Folder, stored: StoredJob) -> Job {
        let (accept_other_build, programs, memos) = (false, Programs::Named, Memos::default());
        Job { folder, stored, accept_other_build, programs, memos }
    }

    /// Writes the job of a run.
    pub fn create(folder: &Folder, run: Request) -> Result<Job, Failure> {
        let (inputs, version, probe) = (inputs_of(&run)?, stated_code_version(), probe());
        let job = Job::of(folder.clone(), StoredJob { run, inputs, version, probe });
        files::write_json(folder, FILE, &job.stored)?;
        Ok(job)
    }

    /// Runs the job, or the part of a study, as this process takes part in it. Refuses changed files.
    pub fn run(
        &self,
        part: &str,
        json: NewFile<'_>,
        scheduler: &Arc<dyn Scheduler>,
        (threads, quiet): (Option<u16>, bool),
        run_words: RunWords,
    ) -> Result<(), Failure> {
        check_inputs(&self.folder.place(FILE), &self.stored.run, &self.stored.inputs)?;
        let (out, alone) = (self.folder.place(RUN), Context::new(&self.memos, run_words));
        let (accept_other_build, programs, scheduler) = (self.accept_other_build, self.programs, Some(scheduler));
        let within = Some(&self.folder);
        let context = Context { out: Some(&out), within, json, accept_other_build, programs, scheduler, part, ..alone };
        self.stored.run.clone().with_process(threads, quiet).run(&context).map_err(Failure::in_job)
    }

    /// Reads a job. Refuses a machine with other floating-point results. Without the flag for it, also refuses a job of
    /// another build, and a job that names programs.
    pub fn open(folder: Folder, accepted: Accepted) -> Result<Job, Failure> {
        let Accepted { build: BuildFlag { accept_other_build }, allow_programs } = accepted;
        let programs = if allow_programs { Programs::Named } else { Programs::Refused };
        let job = Job { accept_other_build, programs, ..Job::read_only(folder)? };
        let (version, own, folder) = (&job.stored.version, stated_code_version(), job.folder.path());
        if !allow_programs {
            runs::refuse_programs(folder.display(), &job.stored.run.programs())?;
        }
        if *version != own && !accept_other_build {
            return Err(Failure::input(format!(
                "{} is a job of tilewright {version}, and this is {own}; its shards might not be the same: run that build, or go on \
                 with --accept-other-build",
                folder.display()
            )));
        }
        if job.stored.probe != probe() {
            return Err(Failure::input(format!(
                "{}: the floating-point functions of this machine do not return what they return where the job was planned; shards \
                 made here could differ in their last bits: use machines with the same kind of processor and the same system library",
                folder.display()
            )));
        }
        Ok(job)
    }

    /// Whether another folder is a copy of this one.
    pub fn is_same(&self, other: &Job) -> bool {
        let [own, other] = [self, other].map(|job| serde_json::to_value(&job.stored).ok());
        own.is_some() && own == other
    }

    /// Whether the run has ended and its result is there.
    pub fn has_result(&self) -> bool {
        self.folder.has(RESULT)
    }

    /// The text that the finished run prints, or nothing.
    pub fn result_text(&self) -> String {
        let text = self.folder.read(RESULT_TEXT, limits::JSON).ok().flatten().unwrap_or_default();
        String::from_utf8_lossy(&text).trim_end().to_string()
    }

    /// Reads a job to look at it.
    pub fn read_only(folder: Folder) -> Result<Job, Failure> {
        let file = folder.place(FILE);
        let stored = files::read_json(&folder, FILE)?.ok_or_else(|| {
            Failure::input(format!("{}: there is no such file; tilewright work plan makes a job", file.display()))
        })?;
        Ok(Job::of(folder, stored))
    }
}

/// Opens the folder of a job or of a queue, as a flag names it.
pub fn folder(path: &Path) -> Result<Folder, Failure> {
    Folder::open(path).map_err(|error| {
        Failure::input(format!("{error}; tilewright work plan makes a job, tilewright work match --player-b makes a queue"))
    })
}

/// The hash of results of the floating-point functions of this machine.
///
/// Shards of games between static players are integers, sums and products of integers, and the same on every machine.
/// Simulations, networks and win tables call functions of the system's mathematical library. The library chooses its code by
/// the abilities of the processor, so the last bit of a result can differ between processors. So a job stores a hash of many
/// results, and a machine with another hash makes no shard.
fn probe() -> String {
    let functions: [fn(f64) -> f64; 8] =
        [f64::exp, f64::ln, f64::tanh, f64::sin, f64::cos, f64::sqrt, f64::cbrt, |x| x.powf(1.37)];
    let singles: [fn(f32) -> f32; 4] = [f32::exp, f32::ln, f32::tanh, |x| x.powf(0.73)];
    let mut bytes = Vec::new();
    for point in 1..=POINTS {
        // From 1/2000 to 10, off the round numbers.
        let x = std::hint::black_box(f64::from(point) * 5.000_37e-4);
        bytes.extend(functions.iter().flat_map(|function| function(x).to_bits().to_le_bytes()));
        bytes.extend(singles.iter().flat_map(|function| function(x as f32).to_bits().to_le_bytes()));
    }
    sha256(&bytes)
}

/// Hashes by paths. The hash of an artefact is the hash of its manifest, which has checksums of its files.
pub type Inputs = BTreeMap<String, String>;

/// A file that may name others, such as a player or a tile set, has no more bytes.
const LARGEST_TEXT: usize = 1 << 20;

/// The files and artefacts on this machine that a run names, also by way of files that it names.
///
/// Every text of the run counts that is a path, or has one among its words or after a colon. A word that happens to be a path costs a hash
/// and no more.
pub fn inputs_of(run: &Request) -> Result<Inputs, Failure> {
    let mut search = Search::default();
    search.look_at(&serde_json::to_value(run)?, Path::new(""));
    Ok(search.found)
}

/// Refuses files that are not those with which the job was planned. Nothing has parsed them yet.
pub fn check_inputs(place: &Path, run: &Request, planned: &Inputs) -> Result<(), Failure> {
    let here = inputs_of(run)?;
    let Some((path, _)) = here.iter().find(|(path, hash)| planned.get(*path) != Some(hash)) else { return Ok(()) };
    Err(Failure::input(format!(
        "{} names {path}, which on this machine is not what the job was planned with; put the same there, or plan the job again",
        place.display()
    )))
}

#[derive(Default)]
struct Search {
    seen: BTreeSet<PathBuf>,
    found: Inputs,
}

impl Search {
    /// Looks at the texts of a value that stands in a file of this folder.
    fn look_at(&mut self, value: &Value, folder: &Path) {
        match value {
            Value::String(text) => self.look_at_text(text, folder),
            Value::Array(values) => values.iter().for_each(|value| self.look_at(value, folder)),
            Value::Object(values) => values.values().for_each(|value| self.look_at(value, folder)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn look_at_text(&mut self, text: &str, folder: &Path) {
        for name in text.split_whitespace().chain([text]) {
            let after = name.match_indices([':', '=']).map(|(at, _)| &name[at + 1..]);
            for name in after.chain([name]) {
                // Boards stand beside their tile sets. Other paths begin where the program was started.
                self.look_at_path(Path::new(name));
                self.look_at_path(&folder.join(name));
            }
        }
        self.look_at_toml(text, folder);
    }

    /// Looks at the names in the TOML of a file or a study.
    fn look_at_toml(&mut self, text: &str, folder: &Path) {
        if text.contains('=')
            && let Ok(table) = toml::from_str::<toml::Table>(text)
            && let Ok(value) = serde_json::to_value(table)
        {
            self.look_at(&value, folder);
        }
    }

    fn look_at_path(&mut self, path: &Path) {
        if !path.exists() || !self.seen.insert(path.into()) {
            return;
        }
        let manifest = || Folder::open(path).ok()?.read(MANIFEST, limits::JSON).ok()?;
        // The system refuses to read folders.
        let Some(bytes) = input_file::read(path).ok().or_else(manifest) else { return };
        self.found.insert(path.display().to_string(), sha256(&bytes));
        if bytes.len() <= LARGEST_TEXT {
            self.look_at_toml(&String::from_utf8_lossy(&bytes), path.parent().unwrap_or(Path::new("")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_agrees_with_itself() {
        assert_eq!(probe(), probe());
    }
}
