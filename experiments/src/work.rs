//! `work`: a run that several machines share.
//!
//! A job is a folder that all of them see, or that a driver copies: the command, the stage in work with its pieces, a file per task, and
//! the folder of the run. `work plan` and `work merge` run the command up to the first shards that are missing: these are the pieces of the
//! next stage. `work run` runs the same command for one of them. So a job has nothing of its own about any kind of run, and its result is that of
//! the command.
//!
//! A worker that stays ([`worker`]) does both until the job is finished. A queue ([`queue`]) is a folder of jobs that are matches.
//!
//! | in the folder | what it is |
//! | --- | --- |
//! | `job.json` | the command, the build of the program, and what its floating-point functions return |
//! | `NAME.toml` | the config of the command |
//! | `stage.json` | the stage in work: its pieces |
//! | `tasks/` | who made which piece, and what it cost; locked while it is being made |
//! | `workers/` | the workers that stay until the job is finished |
//! | `merge.lock` | locked by the process that merges |
//! | `run/` | the folder of the run, with the pieces in `work/` |
//! | `result.json` | the result of the command, once the job is finished |

use crate::crew::Command;
use crate::failure::Failure;

pub mod flags;
mod probe;
mod job;
mod merge_lock;
mod stage;
mod tasks;
mod presence;
mod gatherer;
mod gather;
mod plan;
mod merge;
mod maker;
mod waiting;
mod worker;
mod piece;
mod status;
mod queue;

use flags::WorkVerb;

/// Runs a verb on jobs.
///
/// # Errors
/// [`Failure`].
pub fn run(verb: &WorkVerb, command: Command<'_>) -> Result<(), Failure> {
    match verb {
        WorkVerb::Plan(arguments) => plan::run(arguments, command),
        WorkVerb::Run(arguments) => piece::run(arguments, command),
        WorkVerb::Merge(arguments) => merge::run(arguments, command),
        WorkVerb::Status(arguments) => status::run(arguments),
        WorkVerb::Match(arguments) => queue::run(arguments, command),
    }
}
