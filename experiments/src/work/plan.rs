//! `work plan`: the folder of a job.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use tilewright_configs::CONFIGS;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::input_file;

use super::flags::{PlanArguments, ProcessFlags};
use super::gather::{Gathered, gather, stage};
use super::job::{Job, RUN};
use super::stage::Stage;
use crate::crew::Command;
use crate::failure::Failure;
use crate::output;

/// How the first line of a config names its command.
const LINES: [&str; 2] = ["# cargo run --release -- ", "# tilewright "];
/// The commands that can be shared, and the flag that takes their config, if it is one.
const COMMANDS: [(&[&str], Option<&str>); 8] = [
    (&["leaves", "train"], Some("--config")),
    (&["win-percentage", "train"], Some("--config")),
    (&["linear", "fit"], None),
    (&["network", "train"], None),
    (&["match"], Some("--config")),
    (&["evolve"], None),
    (&["td"], None),
    (&["experiment", "run"], None),
];
/// Flags that a job sets itself.
const OWN: [&str; 4] = ["--out", "--json", "--threads", "--part"];

/// `work plan`.
pub fn run(arguments: &PlanArguments, command: Command<'_>) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let out = arguments.out.as_path();
    let planned = words(arguments)?;
    if std::fs::read_dir(out).is_ok_and(|mut folder| folder.next().is_some()) || out.is_file() {
        return Err(Failure::input(format!("{} is there already; --out names a new folder", out.display())));
    }
    std::fs::create_dir_all(out).map_err(|error| Failure::input(format!("cannot make {}: {error}", out.display())))?;
    let planned = plan(out, planned, arguments, command);
    match planned {
        Ok(plan) => output::show(&plan, json),
        Err(failure) => {
            // Nothing of it is of use, and the same command should work once the cause is gone.
            let _ = std::fs::remove_dir_all(out);
            Err(failure)
        }
    }
}

fn plan(
    out: &Path,
    (words, config): (Vec<String>, Option<Config>),
    arguments: &PlanArguments,
    command: Command<'_>,
) -> Result<Plan, Failure> {
    if let Some(config) = config {
        write_atomically(&out.join(config.file), config.text.as_bytes())?;
    }
    let job = Job::create(out, words)?;
    let first = first_stage(&job, &arguments.process, command)?;
    Ok(Plan { job: out.display().to_string(), stage: StageJson::new(&first) })
}

/// Begins a job: runs its command up to its first pieces.
pub fn first_stage(job: &Job, process: &ProcessFlags, command: Command<'_>) -> Result<Stage, Failure> {
    let first = match gather(job, process, command)? {
        Gathered::Finished => Stage { number: 1, is_finished: true, groups: Vec::new() },
        Gathered::Lacks(lacks) => stage(job, 1, &lacks),
    };
    first.write(job)?;
    Ok(first)
}

/// The config of a job.
struct Config {
    /// The name of its file; a study takes its name from it.
    file: String,
    text: String,
}

/// The words of the command, and its config.
fn words(arguments: &PlanArguments) -> Result<(Vec<String>, Option<Config>), Failure> {
    if let Some(own) = arguments.more.iter().find(|word| OWN.contains(&word.split('=').next().unwrap_or_default())) {
        return Err(Failure::input(format!("{own} is a flag that the job sets itself; leave it out")));
    }
    let Some(path) = &arguments.config else {
        if arguments.more.is_empty() {
            return Err(Failure::input("nothing to plan; name a config, or a command after --"));
        }
        let mut words = arguments.more.clone();
        words.extend(["--out".into(), Job::place(RUN)]);
        return Ok((words, None));
    };
    let text = text(path)?;
    let refuse = || {
        let commands = COMMANDS.map(|(words, _)| words.join(" "));
        Failure::input(format!(
            "{}: its first line does not name a command that can be shared; it should read, for example, `{}leaves train`, with one of: {}",
            path.display(),
            LINES[1],
            commands.join(", ")
        ))
    };
    let line = text.lines().next().unwrap_or_default();
    let named = LINES.iter().find_map(|start| line.strip_prefix(start)).ok_or_else(refuse)?;
    let named: Vec<&str> = named.split_whitespace().collect();
    let (verb, flag) = COMMANDS.iter().find(|(words, _)| named.starts_with(words)).ok_or_else(refuse)?;
    let mut words: Vec<String> = verb.iter().map(ToString::to_string).collect();
    words.extend(flag.map(String::from));
    let file = format!("{}.toml", path.file_stem().unwrap_or_default().to_string_lossy());
    words.push(Job::place(&file));
    words.extend(arguments.more.iter().cloned());
    words.extend(["--out".into(), Job::place(RUN)]);
    Ok((words, Some(Config { file, text })))
}

/// The text of a config: a file, or an embedded one.
fn text(path: &Path) -> Result<String, Failure> {
    let is_named = |config: &&tilewright_configs::Config| path == Path::new(config.folder).join(config.name);
    if let Some(config) = CONFIGS.iter().find(is_named).filter(|_| !path.is_file()) {
        return Ok(config.text.into());
    }
    input_file::read_text(path).map_err(|error| {
        Failure::input(format!(
            "config {}: {error}; an embedded one is named with its folder, as tilewright config list shows them",
            path.display()
        ))
    })
}

/// The result of `work plan`.
#[derive(Serialize)]
struct Plan {
    job: String,
    #[serde(flatten)]
    stage: StageJson,
}

/// A stage in results.
#[derive(Serialize)]
pub struct StageJson {
    stage: u64,
    is_finished: bool,
    shards: u64,
    /// Jobs of shards, with the number of their pieces.
    parts: Vec<PartJson>,
}

#[derive(Serialize)]
struct PartJson {
    folder: String,
    name: String,
    shards: u64,
}

impl StageJson {
    pub fn new(stage: &Stage) -> StageJson {
        let part = |group: &super::stage::Group| PartJson {
            folder: group.folder.clone(),
            name: group.shards.clone(),
            shards: group.pieces.len() as u64,
        };
        StageJson {
            stage: stage.number,
            is_finished: stage.is_finished,
            shards: stage.len(),
            parts: stage.groups.iter().map(part).collect(),
        }
    }
}

impl fmt::Display for StageJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_finished {
            return write!(f, "finished");
        }
        let parts: Vec<String> =
            self.parts.iter().map(|part| format!("{} of {} in {}", part.shards, part.name, part.folder)).collect();
        write!(f, "stage {}: {} pieces ({})", self.stage, self.shards, parts.join(", "))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { job, stage } = self;
        if stage.is_finished {
            return write!(f, "{job}: {stage}: this run has no pieces to share");
        }
        let last = stage.shards.saturating_sub(1);
        write!(
            f,
            "{job}: {stage}\nMake each piece, here or elsewhere: tilewright work run {job} --shard 0 (to {last}), or --next. Then: tilewright \
             work merge {job}"
        )
    }
}
