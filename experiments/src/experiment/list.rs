//! `experiment list` and `experiment show`.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::flags::{ExperimentListArguments, ExperimentShowArguments};
use super::stored::stored;
use super::study::{Study, studies};
use super::summary::{SUMMARY, Summary, in_short};
use crate::{Failure, output};

#[derive(Serialize)]
struct Studies {
    studies: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    question: String,
    /// What the stored full run says about what was published; null if it is not stored.
    found: Option<String>,
}

impl fmt::Display for Studies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |Listed { name, question, found }: &Listed| {
            format!("{name:<24} {:<28} {question}", found.as_deref().unwrap_or("not stored"))
        };
        f.write_str(&self.studies.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

pub fn list(arguments: &ExperimentListArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let listed = |config| {
        let Study { plan, .. } = Study::embedded(config)?;
        let found = stored(config.name).transpose().map_err(Failure::input)?;
        Ok(Listed { name: config.name, question: plan.question, found: found.map(|summary| in_short(&summary.lines)) })
    };
    output::show(&Studies { studies: studies().map(listed).collect::<Result<_, Failure>>()? }, json)
}

/// Shows the stored summary of a study, or that of a run.
///
/// # Errors
/// [`Failure::Input`] if there is none.
pub fn show(arguments: &ExperimentShowArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let name = &arguments.name;
    let summary = if Path::new(name).join(SUMMARY).is_file() {
        Some(Summary::of_run(Path::new(name))?)
    } else {
        stored(name).transpose().map_err(Failure::input)?
    };
    let summary = summary.ok_or_else(|| {
        Failure::input(if Path::new(name).is_dir() {
            format!("{name} has no {SUMMARY}: its run is not finished; rerun its command")
        } else if studies().any(|config| config.name == name) {
            format!("no full run of {name} is stored; tilewright experiment run {name} makes one")
        } else {
            format!("{name} is neither a study nor the folder of a run; tilewright experiment list shows the studies")
        })
    })?;
    output::show(&summary, json)
}
