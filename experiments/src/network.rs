//! `network`: small networks on features of moves.

use crate::failure::Failure;

pub mod flags;
mod tables;
mod evaluation;
pub mod page;
mod evaluate;
mod train;
mod amend;

pub use evaluation::EvaluationFile;
use flags::NetworkVerb;

/// `network`.
pub fn run(verb: &NetworkVerb) -> Result<(), Failure> {
    match verb {
        NetworkVerb::Train(arguments) => train::run(arguments),
        NetworkVerb::Amend(arguments) => amend::run(arguments),
        NetworkVerb::Eval(arguments) => evaluate::run(arguments),
    }
}
