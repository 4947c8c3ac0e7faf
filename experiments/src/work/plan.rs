//! `work plan`: the folder of a job.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use tilewright_configs::CONFIGS;
use tilewright_engine::input_file;

use super::coordinator::{Gathered, gather, stage};
use super::flags::{PlanArguments, ProcessFlags};
use super::job::{Job, Shared};
use super::stage::Stage;
use crate::failure::Failure;
use crate::output;
use crate::requests::Verbs;

/// `work plan`.
pub fn run(arguments: &PlanArguments, verbs: Verbs, plan: ReadShared) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    let out = arguments.out.as_path();
    let planned = shared(arguments, plan)?;
    if std::fs::read_dir(out).is_ok_and(|mut folder| folder.next().is_some()) || out.is_file() {
        return Err(Failure::input(format!("{} is there already; --out names a new folder", out.display())));
    }
    std::fs::create_dir_all(out).map_err(|error| Failure::input(format!("cannot make {}: {error}", out.display())))?;
    let planned = planned_in(out, planned, arguments, verbs);
    match planned {
        Ok(plan) => output::show(&plan, json),
        Err(failure) => {
            // Nothing of it is of use, and the same command should work once the cause is gone.
            let _ = std::fs::remove_dir_all(out);
            Err(failure)
        }
    }
}

fn planned_in(out: &Path, run: Shared, arguments: &PlanArguments, verbs: Verbs) -> Result<Plan, Failure> {
    let first = first_stage(&Job::create(out, run)?, &arguments.process, verbs)?;
    Ok(Plan { job: out.display().to_string(), stage: StageJson::new(&first) })
}

/// Begins a job: runs it up to its first pieces.
pub fn first_stage(job: &Job, process: &ProcessFlags, verbs: Verbs) -> Result<Stage, Failure> {
    let first = match gather(job, process, verbs)? {
        Gathered::Finished => Stage { number: 1, is_finished: true, groups: Vec::new() },
        Gathered::Lacks(lacks) => stage(1, &lacks),
    };
    first.write(job)?;
    Ok(first)
}

/// Reads a verb and its flags as a run that can be shared.
pub type ReadShared = fn(&[String]) -> Result<Shared, Failure>;

/// The run of the flags, or of the command in the first line of the config.
fn shared(arguments: &PlanArguments, read: ReadShared) -> Result<Shared, Failure> {
    let Some(path) = &arguments.config else {
        if arguments.more.is_empty() {
            return Err(Failure::input("nothing to plan; name a config, or a command after --"));
        }
        return read(&arguments.more);
    };
    let verb = verb_of(&text(path)?).ok_or_else(|| {
        Failure::input(format!(
            "{}: its first line does not name a command that can be shared; it should read, for example, `# tilewright leaves train`, with \
             one of: {}",
            path.display(),
            VERBS.map(|(words, _)| words.join(" ")).join(", ")
        ))
    })?;
    let mut words: Vec<String> = verb.0.iter().map(ToString::to_string).collect();
    words.extend(verb.1.map(String::from));
    words.push(path.display().to_string());
    words.extend(arguments.more.iter().cloned());
    read(&words)
}

/// The verbs whose config can be planned, and the flag that takes it, if it is one.
const VERBS: [(&[&str], Option<&str>); 8] = [
    (&["leaves", "train"], Some("--config")),
    (&["win-percentage", "train"], Some("--config")),
    (&["linear", "fit"], None),
    (&["network", "train"], None),
    (&["match"], Some("--config")),
    (&["evolve"], None),
    (&["td"], None),
    (&["experiment", "run"], None),
];

/// The verb in the first line of a config.
fn verb_of(text: &str) -> Option<&'static (&'static [&'static str], Option<&'static str>)> {
    let line = text.lines().next().unwrap_or_default();
    let named = ["# cargo run --release -- ", "# tilewright "].iter().find_map(|start| line.strip_prefix(start))?;
    let named: Vec<&str> = named.split_whitespace().collect();
    VERBS.iter().find(|(words, _)| named.starts_with(words))
}

/// The text of a config, a file or an embedded one.
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
