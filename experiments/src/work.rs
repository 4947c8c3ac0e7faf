//! `work`: a run that several processes share.
//!
//! A job is a folder that all of them see or a driver copies: the run as a value, the stage in work with its shards, a
//! record per shard, and the folder of the run. `work plan` and `work merge` run it up to the missing shards of the next
//! stage. `work run` runs it for one of them. Jobs contain no code for any kind of run. One process has the same result.
//!
//! A worker that stays ([`stay`]) does both until the job is finished. A queue ([`queue`]) is a folder of jobs that are matches.
//!
//! | in the folder | content |
//! | --- | --- |
//! | `job.json` | the run with its config, the build of the program, and the hash of its floating-point results |
//! | `stage.json` | the stage in work: its shards |
//! | `shards/` | the process and the cost of each shard, in a file that is locked while the shard is being made |
//! | `workers/` | the workers that stay until the job is finished |
//! | `merge.lock` | locked by the process that merges |
//! | `run/` | the folder of the run, with the shards in `work/` |
//! | `result.json`, `result.txt` | the result of the run, once the job is finished |

use std::path::Path;
use std::time::Duration;

use clap::Command;
use tilewright_configs::all;
use tilewright_engine::folder::{FileError, Folder, GrowingFolder};
use tilewright_engine::input_file;
use tilewright_engine::input_file::limits;
use tilewright_train::journal::{self, WORK};

use crate::requests::Request;
use crate::runs::RunWords;
use crate::status::status;
use crate::{Failure, output};

pub mod flags;
mod files;
mod job;
pub mod stage;
mod processes;
pub mod stay;
pub mod run;
pub mod queue;

use files::MERGE_LOCK;
use flags::{MergeArguments, PlanArguments, WorkVerb};
use job::{Job, RESULT, RUN};
use processes::next_stage;
use stage::{Shard, Stage, StageJson};

/// Runs a verb on jobs.
///
/// # Errors
/// [`Failure`].
pub fn run(verb: &WorkVerb, run_words: RunWords, program: &Command, read: ReadRequest) -> Result<(), Failure> {
    match verb {
        WorkVerb::Plan(arguments) => plan(arguments, run_words, program, read),
        WorkVerb::Run(arguments) => run::run(arguments, run_words),
        WorkVerb::Merge(arguments) => merge(arguments, run_words),
        WorkVerb::Status(arguments) => run::status(arguments),
        WorkVerb::Match(arguments) => queue::run(arguments, run_words),
    }
}

pub fn plan(arguments: &PlanArguments, run_words: RunWords, program: &Command, read: ReadRequest) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let out = arguments.out.as_path();
    let planned = request(arguments, program, read)?;
    if out.exists() && !Folder::open(out).is_ok_and(|there| there.names().is_ok_and(|names| names.is_empty())) {
        return Err(Failure::input(format!("{} is there already; --out names a new folder", out.display())));
    }
    // It appears when it is planned: whatever fails leaves nothing, and touches nothing that another process plans.
    let cannot = |error| Failure::input(format!("cannot make {error}"));
    let growing = GrowingFolder::new(out).map_err(cannot)?;
    next_stage(&Job::create(growing.folder(), planned)?, &Stage::default(), &arguments.process, run_words)?;
    growing.finish().map_err(cannot)?;
    let job = Job::read_only(job::folder(out)?)?;
    let stage = Stage::read(&job)?;
    let advice = if stage.is_finished {
        ": this run has no shards to share".into()
    } else {
        let (out, last) = (out.display(), stage.shards.len() - 1);
        format!(
            "\nOn each machine that sees the folder: tilewright work run {out} --stay\nWithout a common folder, make each shard with --shard 0 \
             (to {last}) and put them together with tilewright work merge {out}"
        )
    };
    output::show(&StageJson::new(&job, &stage, advice), json)
}

/// Reads a verb and its flags as a run that can be shared.
pub type ReadRequest = fn(&[String]) -> Result<Request, Failure>;

/// The run of the flags, or of the command in the first line of the config.
fn request(arguments: &PlanArguments, program: &Command, read: ReadRequest) -> Result<Request, Failure> {
    let Some(path) = &arguments.config else {
        if arguments.more.is_empty() {
            return Err(Failure::input("nothing to plan; name a config, or a command after --"));
        }
        return read(&arguments.more);
    };
    let mut words = words_of(&text(path)?, path, program).ok_or_else(|| {
        Failure::input(format!(
            "{}: its first line does not name a command that takes a config; it should read, for example, `# tilewright leaves train`",
            path.display()
        ))
    })?;
    words.extend(arguments.more.iter().cloned());
    read(&words)
}

/// The verb in the first line of a config, with the config as its argument.
fn words_of(text: &str, config: &Path, program: &Command) -> Option<Vec<String>> {
    let line = text.lines().next().unwrap_or_default();
    let named = ["# cargo run --release -- ", "# tilewright "].iter().find_map(|start| line.strip_prefix(start))?;
    let (mut verb, mut words) = (program, Vec::new());
    for word in named.split_whitespace() {
        let Some(below) = verb.find_subcommand(word) else { break };
        words.push(word.to_string());
        verb = below;
    }
    verb.get_positionals().next()?;
    words.push(config.display().to_string());
    Some(words)
}

/// The text of a config, a file or an embedded one.
fn text(path: &Path) -> Result<String, Failure> {
    let is_named = |config: &&tilewright_configs::Config| path == Path::new(config.folder).join(config.name);
    if let Some(config) = all().find(is_named).filter(|_| !path.is_file()) {
        return Ok(config.text.into());
    }
    input_file::read_text(path).map_err(|error| {
        Failure::input(format!(
            "config {}: {error}; an embedded one is named with its folder, as tilewright config list shows them",
            path.display()
        ))
    })
}

/// How long a merge asks for the lock before it gives up: processes that look at the lock hold it for a moment.
const PATIENCE: Duration = Duration::from_millis(200);

/// `work merge`: puts the shards of a stage together, and begins the next stage or finishes the job.
pub fn merge(arguments: &MergeArguments, run_words: RunWords) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let job = Job::open(job::folder(&arguments.job)?, arguments.accepted)?;
    let Some(_lock) = files::lock_within(PATIENCE, &job.folder, MERGE_LOCK)? else {
        let job = job.folder.path().display();
        return Err(Failure::input(format!("another process is merging {job}; wait until it has ended")));
    };
    // A stage that cannot be read is made again: it follows from the shards.
    let read = Stage::read(&job).ok();
    let is_lost = read.is_none();
    let mut stage = read.unwrap_or_else(|| Stage { is_finished: job.has_result(), ..Stage::default() });
    if stage.is_finished && is_lost {
        stage.write(&job)?;
    } else if !stage.is_finished {
        for from in &arguments.from {
            take_over(&job, &stage, from)?;
        }
        stage = next_stage(&job, &stage, &arguments.process, run_words)?;
    }
    let folder = job.folder.path().display();
    let advice = format!("; the run is in {folder}/{RUN}, its result in {folder}/{RESULT}\n{}", job.result_text());
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
        let Some(theirs) = Content::read(&other, shard)? else { continue };
        let [here, there] = [job, &other].map(|job| job.folder.place(&shard.place()).display().to_string());
        if !theirs.is_whole() {
            status!("warning: {there} or its records are torn (a checksum is wrong), and are left there");
            continue;
        }
        match Content::read(job, shard)?.filter(Content::is_whole) {
            Some(own) if own.file == theirs.file => {}
            Some(_) => differing.push(format!("{here} and {there}")),
            None => theirs.write(job, shard)?,
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

/// The result of a process for a shard.
struct Content {
    /// The work file.
    file: Vec<u8>,
    /// The records next to it. The work file has their checksum.
    records: Option<Vec<u8>>,
}

impl Content {
    /// The content of a shard of a job, if it is there.
    fn read(job: &Job, shard: &Shard) -> Result<Option<Content>, FileError> {
        let run = match job.folder.below(&shard.folder) {
            Err(error) if error.is_not_found() => return Ok(None),
            run => run?,
        };
        if !run.has(WORK) {
            return Ok(None);
        }
        let Some(file) = run.folder(WORK)?.read(&shard.file, limits::TABLE)? else { return Ok(None) };
        Ok(Some(Content { file, records: run.read(&shard.records(), limits::TABLE)? }))
    }

    /// Whether all checksums are right.
    fn is_whole(&self) -> bool {
        journal::is_whole(&self.file, self.records.as_deref())
    }

    /// Writes the content into another job.
    fn write(&self, job: &Job, shard: &Shard) -> Result<(), FileError> {
        if let Some(records) = &self.records {
            job.folder.below(&shard.folder)?.write(&shard.records(), records)?;
        }
        shard.work(job)?.write(&shard.file, &self.file)
    }
}
