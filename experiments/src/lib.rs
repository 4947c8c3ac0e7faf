//! The `tilewright` command line.
//!
//! [`arguments`] says what can be asked for, [`commands`] has a module a verb; the work itself is done by the engine and
//! the training crate. Results go to standard output, progress and warnings to standard error. Exit codes: 0 done, 1
//! failed, 2 usage or input, 130 interrupted.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use clap::Parser;

pub mod arguments;
pub mod commands;
mod enclitics;
mod encoded_text;
mod failure;
mod folder;
mod foreign;
mod head_to_head;
mod hunspell;
mod leaves_page;
mod leaves_report;
mod loading;
mod match_config;
mod page;
mod position;
mod progress;
mod round_robin;
mod run_config;
mod spelling;
mod win_percentage_page;
mod win_percentage_report;

pub use failure::{Failure, Input};

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let arguments = arguments::Arguments::parse();
    match commands::run(arguments) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
