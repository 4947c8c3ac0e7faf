//! `network`: small networks on features of moves.

use crate::{Failure, Memos, runs};

pub mod flags;
pub mod page;
mod evaluate;
mod train;

use flags::NetworkVerb;
pub use page::EvaluationFile;
pub use train::NetworkRequest;

pub fn run(verb: &NetworkVerb, memos: &Memos) -> Result<(), Failure> {
    match verb {
        NetworkVerb::Train(arguments) => runs::run_with(NetworkRequest::new(arguments)?, &arguments.fit.run, memos),
        NetworkVerb::Eval(arguments) => evaluate::run(arguments),
    }
}
