//! `network`: small networks on features of moves.

use crate::failure::Failure;
use crate::memo::Memos;
use crate::runs::{self, Context};

pub mod flags;
pub mod page;
mod evaluate;
mod train;

use flags::NetworkVerb;
pub use page::EvaluationFile;
pub use train::NetworkRequest;

pub fn run(verb: &NetworkVerb, memos: &Memos) -> Result<(), Failure> {
    match verb {
        NetworkVerb::Train(arguments) => {
            let context = Context::of(&arguments.fit.run, memos)?;
            runs::run(NetworkRequest::new(arguments)?, &context)
        }
        NetworkVerb::Eval(arguments) => evaluate::run(arguments),
    }
}
