//! `experiment`: studies that anyone can repeat. A study is a config in `configs/studies`: a question, the artefacts to make, and the
//! figures to measure, each next to the figure that was published.
//!
//! A study is made of commands of this program: a fit for each artefact, a match for each arm. They keep their own work, so a study that is
//! killed resumes, and what it reports is read anew from their checked results. The summary of the full run of each study is
//! stored in `experiments/studies/results`, and the tables of the pages are made from it.

use crate::failure::Failure;
use crate::runs::Context;

pub mod flags;
pub mod verdict;
mod figure;
pub mod study;
pub mod summary;
pub mod ladder;
mod results;
mod stored;
mod run;
mod list;

use flags::ExperimentVerb;
pub use run::StudyRequest;
pub use summary::{LINES_SCHEMA, SUMMARY, lines};

pub fn run(verb: &ExperimentVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        ExperimentVerb::List(arguments) => list::list(arguments),
        ExperimentVerb::Show(arguments) => list::show(arguments),
        ExperimentVerb::Run(arguments) => {
            let context = context.with_files(arguments.out.as_deref(), arguments.json.file()?, arguments.build);
            StudyRequest::new(arguments)?.run(&context)
        }
    }
}
