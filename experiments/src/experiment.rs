//! `experiment`: studies that anyone can repeat. A study is a config in `configs/studies`: a question, the artefacts to
//! make, and the figures to measure, each next to the published figure.
//!
//! A study is made of commands of this program: a fit for each artefact, a match for each arm. They keep their own work, so
//! a killed study resumes, and its report is read anew from their checked results. The summary of the full run of each study
//! is stored in `experiments/studies/results`, and the tables of the pages are made from it.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::flags::JsonFlag;
use crate::runs::Context;
use crate::status::did_you_mean;
use crate::{Failure, output};

pub mod flags;
pub mod verdict;
pub mod study;
pub mod summary;
pub mod ladder;
mod run;

use flags::ExperimentVerb;
use study::{Study, studies};
use summary::{Summary, in_short};

pub use run::StudyRequest;
pub use summary::{LINES_SCHEMA, SUMMARY, lines};

pub fn run(verb: &ExperimentVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        ExperimentVerb::List(json) => list(json),
        ExperimentVerb::Show { name, json } => show(name, json),
        ExperimentVerb::Run(arguments) => {
            let context = context.with_files(arguments.out.as_deref(), arguments.json.file()?, arguments.build);
            StudyRequest::new(arguments)?.run(&context)
        }
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Studies {
    studies: Vec<Listed>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Listed {
    name: &'static str,
    question: String,
    /// Published figures beside the figures of the stored full run, or null if no run is stored.
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

fn list(json: &JsonFlag) -> Result<(), Failure> {
    let json = json.file()?;
    let listed = |config| {
        let Study { plan, .. } = Study::embedded(config)?;
        let found = stored(config.name).transpose().map_err(Failure::input)?;
        Ok(Listed { name: config.name, question: plan.question, found: found.map(|summary| in_short(&summary.lines)) })
    };
    output::show(&Studies { studies: studies().map(listed).collect::<Result<_, Failure>>()? }, json)
}

/// Shows the stored summary of a study, or the summary of a run.
///
/// # Errors
/// [`Failure::Input`] if there is none.
fn show(name: &str, json: &JsonFlag) -> Result<(), Failure> {
    let json = json.file()?;
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
            let near = did_you_mean(name, studies().map(|config| config.name));
            format!("{name} is neither a study nor the folder of a run; tilewright experiment list shows the studies{near}")
        })
    })?;
    output::show(&summary, json)
}

/// Lists summaries by the name of their study.
macro_rules! stored {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../studies/results/", $name, ".json")))),*]
    };
}

const STORED: &[(&str, &str)] = stored! {
    "barbicels-evolved" "barbicels-greedy" "embedded-network" "endgames" "evolved-weights"
    "generations" "heuri-french" "heuri-spanish" "ladder" "late-game" "linear-fit" "mathieu-game-state"
    "mathieu-no-leaves" "maven-endgames" "maven-games" "maven-iterations" "maven-openings" "maven-plays"
    "maven-simulations" "maven-synergies" "maven-tile-values" "maven-tiles-held" "maven-turns" "no-leaves"
    "quackle-leaves" "self-play-games" "sequential-null" "small-network" "spanish-table" "td-exploration"
    "unseen-tiles" "win-tables"
};

/// The stored summary of a study, or `None` if its full size was never stored.
pub fn stored(study: &str) -> Option<Result<Summary, String>> {
    let &(name, text) = STORED.iter().find(|(name, _)| *name == study)?;
    Some(Summary::from_json(text, name))
}

#[cfg(test)]
mod tests {
    use tilewright_engine::hash::sha256;

    use super::ladder::Ladder;
    use super::summary::Size;
    use super::verdict::Verdict;
    use super::*;

    fn folder() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/studies"))
    }

    #[test]
    fn stored_summaries_are_of_the_full_runs_of_the_studies_as_they_are() {
        let files = std::fs::read_dir(folder().join("results")).into_iter().flatten().flatten().map(|file| file.path());
        let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
        let mut files: Vec<String> = files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        files.sort();
        let mut names: Vec<&str> = STORED.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        assert_eq!(names, files);
        for name in names {
            let summary = stored(name).unwrap().unwrap();
            let config = studies().find(|config| config.name == name).unwrap();
            assert_eq!((summary.study.as_str(), summary.size), (name, Size::Full));
            assert_eq!(summary.config, sha256(config.text.as_bytes()), "the config of {name} was changed after its run");
        }
    }

    #[test]
    fn stored_verdicts_follow_the_rule() {
        for (name, _) in STORED {
            for line in stored(name).unwrap().unwrap().lines {
                let none = if line.unit == "%" { 50.0 } else { 0.0 };
                let none = line.measured.pairs.map(|_| none);
                let expected = line.published.as_ref().map(|published| Verdict::new(line.measured, published, none));
                assert_eq!(line.verdict, expected, "{name}: {} of {}", line.figure, line.part);
            }
        }
    }

    #[test]
    fn stored_drawings_are_those_of_the_summaries() {
        for (name, _) in STORED {
            let summary = stored(name).unwrap().unwrap();
            let drawn = Ladder::new(&summary.lines).map(|ladder| ladder.drawing().file());
            assert_eq!(std::fs::read_to_string(folder().join(format!("results/{name}.svg"))).ok(), drawn, "{name}");
        }
    }

    /// A page, also of the book, shows the first table of a study between `<!-- NAME -->` and `<!-- end -->`; until its summary is
    /// stored, nothing.
    #[test]
    fn the_tables_of_the_pages_are_those_of_the_summaries() {
        let mut shown = Vec::new();
        let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let files = files.chain([folder().join("../../docs/players.md")]);
        for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "md")) {
            let page = std::fs::read_to_string(&file).unwrap();
            for block in page.split("<!-- ").skip(1).filter(|block| !block.starts_with("end -->")) {
                let (name, rest) = block.split_once(" -->\n").unwrap();
                let table = stored(name).map_or(String::new(), |summary| {
                    let summary = summary.unwrap();
                    Ladder::new(&summary.lines).map_or_else(|| summary.table(), |ladder| ladder.table())
                });
                assert!(studies().any(|config| config.name == name), "{}: {name} is no study", file.display());
                assert_eq!(rest.trim_matches('\n'), table.trim_end(), "{}", file.display());
                shown.push(name.to_string());
            }
        }
        for (name, _) in STORED {
            assert!(shown.iter().any(|one| one == name), "no page shows {name}");
        }
    }
}
