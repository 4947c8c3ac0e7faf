//! `leaves train`, `evaluate`, `show`, `report`, `diff` and `export`: leave tables.

use crate::{Failure, Memos, runs};

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
pub use train::LeavesRequest;

pub fn run(verb: &LeavesVerb, memos: &Memos) -> Result<(), Failure> {
    match verb {
        LeavesVerb::Train(arguments) => runs::run_with(LeavesRequest::new(arguments)?, &arguments.run, memos),
        LeavesVerb::Evaluate(arguments) => evaluate::run(arguments, memos),
        LeavesVerb::Show(arguments) => inspect::show(arguments),
        LeavesVerb::Report(arguments) => report::run(arguments),
        LeavesVerb::Diff(arguments) => diff::run(arguments),
        LeavesVerb::Export(arguments) => inspect::export(arguments),
    }
}
