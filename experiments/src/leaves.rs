//! `leaves train`, `evaluate`, `show`, `report`, `diff` and `export`: leave tables.

use crate::Failure;
use crate::runs::{self, Context};

pub mod flags;
pub mod table;
mod inspect;
mod summary;
pub mod page;
mod diff;
mod train;

use flags::LeavesVerb;
pub use train::{LeavesRequest, request};

pub fn run(verb: &LeavesVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        LeavesVerb::Train(arguments) => runs::run(request(arguments)?, &context.with(&arguments.run)?),
        LeavesVerb::Evaluate(arguments) => inspect::evaluate(arguments, context),
        LeavesVerb::Show(arguments) => inspect::show(arguments),
        LeavesVerb::Report(arguments) => page::run(arguments),
        LeavesVerb::Diff(arguments) => diff::run(arguments),
        LeavesVerb::Export(arguments) => inspect::export(arguments),
    }
}
