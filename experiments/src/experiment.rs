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
pub mod store;
pub mod literature;
pub mod results;
mod run;

use flags::ExperimentVerb;
use literature::{Table, tables};
use results::found;
use store::stored;
use study::{Study, studies};
use summary::Summary;

pub use run::StudyRequest;
pub use summary::{LINES_SCHEMA, SUMMARY, lines};

pub fn run(verb: &ExperimentVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        ExperimentVerb::List { tables, json } => list(*tables, json),
        ExperimentVerb::Show { name, json } => show(name, json),
        ExperimentVerb::Run(arguments) => {
            let context = context.with_files(arguments.out.as_deref(), arguments.json.file()?, arguments.build);
            StudyRequest::new(arguments)?.run(&context)
        }
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Studies {
    /// Whether the text shows the tables.
    #[serde(skip)]
    as_tables: bool,
    studies: Vec<Listed>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Listed {
    name: &'static str,
    question: String,
    /// The finding of the stored full run in a few words, or null if no run is stored.
    found: Option<String>,
    /// The tables of the literature that it measured.
    tables: Vec<Table>,
}

impl fmt::Display for Studies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.as_tables {
            return f.write_str(literature::as_markdown(self.studies.iter().flat_map(|study| &study.tables)).trim_end());
        }
        let line = |Listed { name, question, found, .. }: &Listed| {
            format!("{name:<24} {:<48} {question}", found.as_deref().unwrap_or("not stored"))
        };
        f.write_str(&self.studies.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

impl Studies {
    /// All studies, with the findings of their stored runs.
    fn listed(as_tables: bool) -> Result<Studies, Failure> {
        let listed = |config| {
            let Study { plan, .. } = Study::embedded(config)?;
            let summary = stored(config.name).transpose().map_err(Failure::input)?;
            let tables = summary.iter().flat_map(|summary| tables(&summary.study, &summary.lines)).collect();
            Ok(Listed { name: config.name, question: plan.question, found: summary.as_ref().map(found), tables })
        };
        Ok(Studies { as_tables, studies: studies().map(listed).collect::<Result<_, Failure>>()? })
    }
}

fn list(as_tables: bool, json: &JsonFlag) -> Result<(), Failure> {
    let json = json.file()?;
    output::show(&Studies::listed(as_tables)?, json)
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

#[cfg(test)]
mod tests {
    use tilewright_engine::hash::sha256;

    use super::ladder::Ladder;
    use super::results::block;
    use super::store::STORED;
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
    fn every_table_of_the_literature_that_differs_has_a_sentence() {
        let all = Studies::listed(true).unwrap();
        let tables: Vec<&Table> = all.studies.iter().flat_map(|study| &study.tables).collect();
        assert!(tables.len() > 25, "{}", tables.len());
        for table in tables {
            let has_cause = table.sentence.contains(": ") || table.sentence == "reproduced.";
            assert!(has_cause, "{}: {}", table.name, table.sentence);
        }
        let entries = literature::entries();
        for (study, name) in entries {
            let found = all.studies.iter().any(|own| own.name == study && own.tables.iter().any(|table| table.name == name));
            assert!(found, "{study} has no figure of {name}");
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

    /// A page, also of the book, shows the block of a study between `<!-- NAME -->` and `<!-- end -->`. Until its summary is
    /// stored, it shows nothing.
    #[test]
    fn the_tables_of_the_pages_are_those_of_the_summaries() {
        let mut shown = Vec::new();
        let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let files = files.chain(["players.md", "literature.md"].map(|name| folder().join("../../docs").join(name)));
        for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "md")) {
            let page = std::fs::read_to_string(&file).unwrap();
            for part in page.split("<!-- ").skip(1).filter(|part| !part.starts_with("end -->")) {
                let (name, rest) = part.split_once(" -->\n").unwrap();
                let table = match name {
                    "literature" => Studies::listed(true).unwrap().to_string(),
                    _ => stored(name).map_or(String::new(), |summary| block(&summary.unwrap())),
                };
                assert!(
                    name == "literature" || studies().any(|config| config.name == name),
                    "{}: {name} is no study",
                    file.display()
                );
                assert_eq!(rest.trim_matches('\n'), table.trim_end(), "{}", file.display());
                shown.push(name.to_string());
            }
        }
        for (name, _) in STORED {
            assert!(shown.iter().any(|one| one == name), "no page shows {name}");
        }
    }
}
