//! `work plan`: the folder of a job.

use std::path::Path;

use clap::Command;
use tilewright_configs::all;
use tilewright_engine::folder::{Folder, GrowingFolder};
use tilewright_engine::input_file;

use super::coordinator::next_stage;
use super::flags::PlanArguments;
use super::job::{self, Job};
use super::stage::{Stage, StageJson};
use crate::requests::Request;
use crate::runs::RunWords;
use crate::{Failure, output};

/// `work plan`.
pub fn run(arguments: &PlanArguments, run_words: RunWords, program: &Command, read: ReadRequest) -> Result<(), Failure> {
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
            "\nMake each shard, here or elsewhere: tilewright work run {out} --shard 0 (to {last}), or --next. Then: tilewright work merge {out}"
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
    if verb.get_positionals().next().is_none() {
        verb.get_arguments().find(|argument| argument.get_long() == Some("config"))?;
        words.push("--config".into());
    }
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
