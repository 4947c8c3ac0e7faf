//! `work match`: a queue of candidates, each of which plays a sequential match against one baseline.
//!
//! Each candidate is a job of its own, all on the same deals. The workers of the queue give their time to the candidate whose test is expected to
//! end first, and end each test as soon as its looks decide it.
//!
//! | in the folder | what it is |
//! | --- | --- |
//! | `queue.toml` | what all candidates have in common: baseline, test, deals, game, build |
//! | `candidates/0001/` … | the job of a candidate ([`super`]); with `failed.json` once it has failed |
//! | `queue.lock` | locked by the process that adds candidates |

use super::flags::QueueArguments;
use super::job;
use crate::runs::RunWords;
use crate::{Failure, output};

mod settings;
mod candidate;
mod add;
mod table;
mod tester;

use settings::Settings;
use table::Table;
use tester::Tester;

/// `work match`.
pub fn run(arguments: &QueueArguments, run_words: RunWords) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    if !arguments.candidates.is_empty() {
        add::add(arguments, run_words)?;
    }
    let queue = job::folder(&arguments.queue)?;
    let settings = Settings::read(&queue)?;
    settings.check(&arguments.queue, &arguments.settings)?;
    if arguments.work {
        return output::show(&Tester::new(arguments, &queue, &settings, run_words)?.run()?, json);
    }
    output::show(&Table::new(&queue, &settings)?, json)
}
