//! `win-percentage train`, `eval`, `show` and `export`: win tables.

use crate::Failure;
use crate::runs::{self, Context};

pub mod flags;
mod summary;
mod inspect;
pub mod page;
mod train;

use flags::WinPercentageVerb;
pub use train::{WinPercentageRequest, request};

pub fn run(verb: &WinPercentageVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        WinPercentageVerb::Train(arguments) => runs::run(request(arguments)?, &context.with(&arguments.run)?),
        WinPercentageVerb::Eval(arguments) => inspect::evaluate(arguments),
        WinPercentageVerb::Show(arguments) => inspect::show(arguments),
        WinPercentageVerb::Export(arguments) => inspect::export(arguments),
    }
}
