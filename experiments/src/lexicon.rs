//! `lexicon build`, `check`, `stats`, `export` and `expand`: word lists and word graphs.

use std::process::ExitCode;

use crate::Failure;

pub mod flags;
mod graph;
mod encoded_text;
mod hunspell;
mod spelling;
mod expand;

use flags::LexiconVerb;

/// Runs a verb on word lists. `check` returns exit code 1 if something is invalid.
pub fn run(verb: &LexiconVerb) -> Result<ExitCode, Failure> {
    match verb {
        LexiconVerb::Build(arguments) => graph::build(arguments),
        LexiconVerb::Check(arguments) => return graph::check(arguments),
        LexiconVerb::Stats(arguments) => graph::stats(arguments),
        LexiconVerb::Export(arguments) => graph::export(arguments),
        LexiconVerb::Expand(arguments) => expand::run(arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}
