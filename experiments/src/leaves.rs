//! `leaves train`, `evaluate`, `show`, `report`, `diff` and `export`: leave tables.

use crate::Failure;
use crate::runs::{self, Context};

pub mod flags;
pub mod table;
mod inspect;
mod evaluate;
mod summary;
mod page;
mod diff;
pub mod report;
mod train;

use flags::LeavesVerb;
pub use train::{LeavesRequest, request};

pub fn run(verb: &LeavesVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        LeavesVerb::Train(arguments) => runs::run(request(arguments)?, &context.with(&arguments.run)?),
        LeavesVerb::Evaluate(arguments) => evaluate::run(arguments, context),
        LeavesVerb::Show(arguments) => inspect::show(arguments),
        LeavesVerb::Report(arguments) => report::run(arguments),
        LeavesVerb::Diff(arguments) => diff::run(arguments),
        LeavesVerb::Export(arguments) => inspect::export(arguments),
    }
}
