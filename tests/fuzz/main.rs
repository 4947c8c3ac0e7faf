//! Everything that the program reads, given inputs that nobody would write: no panic, no abort, no hang, no flood of memory, and what is
//! read and written again stays the same.
//!
//! ```text
//! cargo test --workspace --test fuzz     reads every stored input, and a few changed ones
//! tests/fuzz/run --minutes 5 gcg cgp     looks for new faults in these targets; without names, in all
//! tests/fuzz/run --list                  lists the targets
//! tests/fuzz/run --input FILE gcg        reads one input
//! ```
//!
//! A [`Target`](target::Target) is a parser with inputs that it accepts. Each runs in a process of its own, so that an abort or a hang is a
//! find too. The process changes inputs at random ([`mutation`]), keeps those whose outcome is new, and changes those again ([`session`]).
//! A find is made shorter and stored in `tests/fuzz/regressions/TARGET`, which every later run reads first. `tests/fuzz/corpus/TARGET` has
//! further inputs with outcomes of their own; `--keep` adds to them.
//!
//! Mutations are not those of `proptest`: its strategies make values from nothing and cannot start from the inputs that were found so far.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod mutation;
mod target;
mod shape;
mod session;
mod process;
mod targets;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use process::Report;
use session::{Plan, Session};
use target::Target;

/// Counts the memory that an input takes.
#[global_allocator]
static ALLOCATOR: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Targets that run at the same time.
const TOGETHER: usize = 2;
/// Changed inputs of each target in a test run, and the CPU time for them in seconds.
const CHANGED_IN_TESTS: u64 = 300;
const SECONDS_IN_TESTS: f64 = 1.0;

/// The folder of a target's stored inputs.
fn stored(kind: &str, target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(kind).join(target)
}

/// The flags, and the names without a flag.
#[derive(Default)]
struct Arguments {
    seconds: Option<f64>,
    seed: u64,
    keep: bool,
    list: bool,
    input: Option<PathBuf>,
    child: bool,
    names: Vec<String>,
}

impl Arguments {
    /// Reads the flags. Flags of cargo's own test programs are ignored, because `cargo test` hands them to every test.
    fn read(words: impl IntoIterator<Item = String>) -> Result<Arguments, String> {
        let mut words = words.into_iter();
        let mut arguments = Arguments { seed: 1, ..Arguments::default() };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let number = |text: String| text.parse::<f64>().map_err(|_| format!("{word} {text}: expected a number"));
            match word.as_str() {
                "--seconds" => arguments.seconds = Some(number(value()?)?),
                "--minutes" => arguments.seconds = Some(number(value()?)? * 60.0),
                "--seed" => arguments.seed = number(value()?)? as u64,
                "--input" => arguments.input = Some(value()?.into()),
                "--keep" => arguments.keep = true,
                "--list" => arguments.list = true,
                "--child" => arguments.child = true,
                "--skip" | "--test-threads" | "--color" | "--format" => drop(value()?),
                flag if flag.starts_with('-') => {}
                _ => arguments.names.push(word),
            }
        }
        Ok(arguments)
    }

    /// The targets that are named; without a name, all. In a test run a name is a filter.
    fn targets(&self) -> Result<Vec<&'static Target>, String> {
        if let (Some(_), Some(name)) =
            (self.seconds, self.names.iter().find(|name| !targets::ALL.iter().any(|target| target.name == **name)))
        {
            return Err(format!("there is no target {name}; --list lists them"));
        }
        let is_meant = |target: &&Target| self.names.is_empty() || self.names.iter().any(|name| name == target.name);
        let filtered = |target: &&Target| is_meant(target) || self.names.iter().any(|name| "fuzz".contains(name.as_str()));
        Ok(targets::ALL
            .iter()
            .filter(|target| if self.seconds.is_some() { is_meant(target) } else { filtered(target) })
            .collect())
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(reason) => {
            eprintln!("error: {reason}");
            return ExitCode::from(2);
        }
    };
    if arguments.child {
        return session::child(&arguments.names);
    }
    let chosen = match arguments.targets() {
        Ok(chosen) => chosen,
        Err(reason) => {
            eprintln!("error: {reason}");
            return ExitCode::from(2);
        }
    };
    if arguments.list {
        for target in &chosen {
            println!("{:<16} {}", target.name, target.what);
        }
        return ExitCode::SUCCESS;
    }
    if let Some(file) = &arguments.input {
        return read_one(file, &chosen);
    }
    let plan = Plan {
        seconds: arguments.seconds.unwrap_or(SECONDS_IN_TESTS),
        changed: if arguments.seconds.is_some() { u64::MAX } else { CHANGED_IN_TESTS },
        seed: arguments.seed,
        keep: arguments.keep,
        stores: arguments.seconds.is_some(),
    };
    if run_all(&chosen, &plan) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Reads one file in this process, where a debugger sees it.
fn read_one(file: &Path, chosen: &[&'static Target]) -> ExitCode {
    let ([target], Ok(bytes)) = (chosen, std::fs::read(file)) else {
        eprintln!("error: --input needs a file that can be read, and one target");
        return ExitCode::from(2);
    };
    let folder = tempfile::tempdir();
    if folder.as_ref().is_ok_and(|folder| std::env::set_current_dir(folder.path()).is_ok()) {
        println!("{:?}", Session::read(target, &bytes));
        return ExitCode::SUCCESS;
    }
    ExitCode::FAILURE
}

/// Runs the targets, some at a time, and prints a line for each. Returns whether nothing was found.
fn run_all(chosen: &[&'static Target], plan: &Plan) -> bool {
    // The filter of a test run may name tests of other programs only.
    if chosen.is_empty() {
        return true;
    }
    if plan.stores {
        println!("seed {}", plan.seed);
    }
    let (queue, is_clean) = (Mutex::new(chosen.iter()), AtomicBool::new(true));
    let totals = Mutex::new(Report::default());
    thread::scope(|scope| {
        for _ in 0..TOGETHER {
            scope.spawn(|| {
                while let Some(target) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                    let report = process::run(target, plan);
                    if plan.stores || !report.is_clean() {
                        println!("{}", report.line(target.name));
                    }
                    for find in &report.finds {
                        println!("{}", find.in_words(target.name));
                    }
                    is_clean.fetch_and(report.is_clean(), Ordering::Relaxed);
                    if let Ok(mut totals) = totals.lock() {
                        totals.add(&report);
                    }
                }
            });
        }
    });
    let totals = totals.into_inner().unwrap_or_default();
    println!("{}", totals.line(&format!("{} targets", chosen.len())));
    is_clean.into_inner()
}
