//! `network`: small networks on features of moves.

use crate::Failure;
use crate::runs::{self, Context};

pub mod flags;
pub mod page;
mod evaluate;
mod train;

use flags::NetworkVerb;
pub use page::EvaluationFile;
pub use train::{NetworkRequest, request};

pub fn run(verb: &NetworkVerb, context: &Context<'_>) -> Result<(), Failure> {
    match verb {
        NetworkVerb::Train(arguments) => runs::run(request(arguments)?, &context.with(&arguments.fit.run)?),
        NetworkVerb::Eval(arguments) => evaluate::run(arguments),
    }
}
