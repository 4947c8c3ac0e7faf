//! `leaves train`, `evaluate`, `show`, `report`, `diff` and `export`: leave tables.

use crate::failure::Failure;

pub mod flags;
mod table;
mod inspect;
mod evaluate;
mod summary;
mod page;
mod diff;
mod report;
mod train;

use flags::LeavesVerb;

/// Runs a verb on leave tables.
pub fn run(verb: &LeavesVerb) -> Result<(), Failure> {
    match verb {
        LeavesVerb::Train(arguments) => train::run(arguments),
        LeavesVerb::Evaluate(arguments) => evaluate::run(arguments),
        LeavesVerb::Show(arguments) => inspect::show(arguments),
        LeavesVerb::Report(arguments) => report::run(arguments),
        LeavesVerb::Diff(arguments) => diff::run(arguments),
        LeavesVerb::Export(arguments) => inspect::export(arguments),
    }
}
