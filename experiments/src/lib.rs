//! The `tilewright` command line. It turns flags and configs into runs, and shows their results.
//!
//! Each topic has a room: a module with its flags, its command and its output. `arguments` lists the verbs and calls the room
//! of each verb. The engine and the training crate do the work. Results go to standard output, progress and warnings to
//! standard error. Exit codes: 0 done, 1 failed, 2 usage or input, 130 interrupted.
//!
//! ```
//! use std::process::ExitCode;
//!
//! let words = ["tilewright", "moves", "--rack", "EEIOQTU", "--top", "3"];
//! assert_eq!(tilewright::run(words), ExitCode::SUCCESS); // prints the best moves
//! assert_eq!(tilewright::run(["tilewright", "moves", "--top", "many"]), ExitCode::from(2));
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr)]
// Comments on flags are the texts of `--help`, which prints backticks verbatim.
#![allow(clippy::doc_markdown)]

use std::ffi::OsString;
use std::process::ExitCode;

use status::visible;
use tilewright_train::parquet_file::READER;

// Shared by the topics below.
mod status;
mod failure;
mod interrupts;
mod progress;
mod output;
mod flags;
mod memo;
mod loading;
mod configs;
mod report;
mod fitting;
mod runs;
// Topics.
mod lexicon;
mod games;
mod positions;
mod matches;
mod selfplay;
mod analyse;
mod leaves;
mod win_percentage;
mod linear;
mod network;
mod evolve;
mod td;
mod serve;
mod features;
mod bench;
mod experiment;
mod requests;
mod export;
mod pages;
mod work;
mod arguments;

// The modules that nearly every room needs.
pub(crate) use failure::{Failure, InFile, Input};
pub(crate) use memo::Memos;
pub(crate) use output::{NewFile, say};
pub(crate) use progress::Progress;
pub(crate) use status::Number;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // A damaged table has an error of its own.
        if std::thread::current().name() != Some(READER) {
            usual(panic);
        }
    }));
    interrupts::outlive_file_limits();
    run(std::env::args_os())
}

/// Runs a command, given as its words, and returns the exit code. The first word is the name of the program.
pub fn run(words: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    // Configs, jobs and manifests hold names as text.
    if let Some(word) = words.iter().skip(1).find(|word| word.to_str().is_none()) {
        let word = word.display();
        return Failure::input(format!("{word}: not UTF-8; give files and folders names in UTF-8")).report();
    }
    // Commands of programs may have several lines. A name would begin a line of its own where it is shown.
    let has_lines = |word: &&str| word.trim_end_matches('\n').contains('\n') && !word.contains("stdio:");
    if let Some(word) = words.iter().skip(1).filter_map(|word| word.to_str()).find(has_lines) {
        return Failure::input(format!("{word:?} has a line end; give files and folders names of one line")).report();
    }
    let error = match arguments::parse(&words) {
        Ok(arguments) => return output::exit_code(arguments::run(arguments).unwrap_or_else(|failure| failure.report())),
        Err(error) => error,
    };
    // The message quotes words, in colours if it goes to a terminal.
    let shown = words.iter().map(|word| visible(&word.to_string_lossy()).into_owned());
    let error = if error.use_stderr() { arguments::parse(shown).err().unwrap_or(error) } else { error };
    match error.print() {
        Err(_) if !error.use_stderr() => ExitCode::FAILURE,
        // A closed standard error is ignored: nobody can read the message.
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}
