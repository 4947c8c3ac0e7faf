//! The `tilewright` command line.
//!
//! One room per topic holds its flags, its command and its output; [`arguments`] lists the verbs and runs their rooms. The engine
//! and the training crate do the work. Results go to standard output, progress and warnings to standard error. Exit codes: 0
//! done, 1 failed, 2 usage or input, 130 interrupted.
//!
//! ```
//! use clap::Parser;
//! use tilewright::arguments::{Arguments, run};
//!
//! let arguments = Arguments::try_parse_from(["tilewright", "moves", "--rack", "EEIOQTU", "--top", "3"])?;
//! assert!(run(arguments).is_ok()); // prints the best moves
//! assert!(Arguments::try_parse_from(["tilewright", "moves", "--top", "many"]).is_err());
//! # Ok::<(), clap::Error>(())
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr)]
// Comments on flags are the texts of `--help`, which shows backticks as they are.
#![allow(clippy::doc_markdown)]

use std::process::ExitCode;

use clap::Parser;

// Shared rooms, each used by those below.
mod failure;
mod progress;
mod flags;
mod output;
mod loading;
mod run_config;
mod report;
// Topics.
mod lexicon;
mod positions;
mod matches;
mod selfplay;
mod leaves;
mod win_percentage;
mod evolve;
mod td;
mod serve;
mod bench;
mod arguments;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let arguments = arguments::Arguments::parse();
    match arguments::run(arguments) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
