//! `win-percentage train`, `eval`, `show` and `export`: win tables.

use crate::failure::Failure;

pub mod flags;
mod naming;
mod summary;
mod inspect;
mod page;
mod evaluate;
mod train;

use flags::WinPercentageVerb;

/// Runs a verb on win tables.
pub fn run(verb: &WinPercentageVerb) -> Result<(), Failure> {
    match verb {
        WinPercentageVerb::Train(arguments) => train::run(arguments),
        WinPercentageVerb::Eval(arguments) => evaluate::run(arguments),
        WinPercentageVerb::Show(arguments) => inspect::show(arguments),
        WinPercentageVerb::Export(arguments) => inspect::export(arguments),
    }
}
