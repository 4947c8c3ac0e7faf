//! `network`: small networks on features of moves.

use crate::failure::Failure;
use crate::memo::Memos;
use crate::runs::{self, Context};

pub mod flags;
mod tables;
mod evaluation;
pub mod page;
mod evaluate;
mod train;

pub use evaluation::EvaluationFile;
use flags::NetworkVerb;
pub use train::NetworkRequest;

/// `network`.
pub fn run(verb: &NetworkVerb, memos: &Memos) -> Result<(), Failure> {
    match verb {
        NetworkVerb::Train(arguments) => {
            let fit = &arguments.fit;
            let context = Context::new(fit.out.as_deref(), fit.json.file()?, fit.build, memos);
            runs::run(NetworkRequest::new(arguments)?, &context)
        }
        NetworkVerb::Eval(arguments) => evaluate::run(arguments),
    }
}
