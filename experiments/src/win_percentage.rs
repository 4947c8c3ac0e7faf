//! `win-percentage train`, `eval`, `show` and `export`: win tables.

use crate::{Failure, Memos, runs};

pub mod flags;
mod naming;
mod summary;
mod inspect;
mod page;
mod evaluate;
mod train;

use flags::WinPercentageVerb;
pub use train::WinPercentageRequest;

pub fn run(verb: &WinPercentageVerb, memos: &Memos) -> Result<(), Failure> {
    match verb {
        WinPercentageVerb::Train(arguments) => runs::run_with(WinPercentageRequest::new(arguments)?, &arguments.run, memos),
        WinPercentageVerb::Eval(arguments) => evaluate::run(arguments),
        WinPercentageVerb::Show(arguments) => inspect::show(arguments),
        WinPercentageVerb::Export(arguments) => inspect::export(arguments),
    }
}
