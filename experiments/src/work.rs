//! `work`: a run that several processes share.
//!
//! A job is a folder that all of them see, or that a driver copies: the run as a value, the stage in work with its shards, a record per
//! shard, and the folder of the run. `work plan` and `work merge` run it up to the first shards that are missing: these are the next stage.
//! `work run` runs it for one of them. Jobs contain no code for any kind of run, and their result is identical to that of one process.
//!
//! A worker that stays ([`stay`]) does both until the job is finished. A queue ([`queue`]) is a folder of jobs that are matches.
//!
//! | in the folder | what it is |
//! | --- | --- |
//! | `job.json` | the run with its config, the build of the program, and what its floating-point functions return |
//! | `stage.json` | the stage in work: its shards |
//! | `shards/` | who made which shard, and what it cost; locked while it is being made |
//! | `workers/` | the workers that stay until the job is finished |
//! | `merge.lock` | locked by the process that merges |
//! | `run/` | the folder of the run, with the shards in `work/` |
//! | `result.json` | the result of the run, once the job is finished |

use clap::Command;

use crate::failure::Failure;
use crate::runs::RunWords;

pub mod flags;
mod files;
mod job;
mod stage;
mod processes;
mod plan;
mod stay;
mod run;
mod queue;

use flags::WorkVerb;
use plan::ReadRequest;

/// Runs a verb on jobs.
///
/// # Errors
/// [`Failure`].
pub fn run(verb: &WorkVerb, run_words: RunWords, program: &Command, read: ReadRequest) -> Result<(), Failure> {
    match verb {
        WorkVerb::Plan(arguments) => plan::plan(arguments, run_words, program, read),
        WorkVerb::Run(arguments) => run::run(arguments, run_words),
        WorkVerb::Merge(arguments) => plan::merge(arguments, run_words),
        WorkVerb::Status(arguments) => run::status(arguments),
        WorkVerb::Match(arguments) => queue::run(arguments, run_words),
    }
}
