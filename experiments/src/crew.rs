//! The run that this process shares with others, if `work` says so: the journals that commands open then take part in it.

use std::cell::RefCell;
use std::sync::Arc;

use tilewright_engine::monitor::Monitor;
use tilewright_train::journal::{Crew, Journal, JournalError, RunFolder, RunKey};

use crate::failure::Failure;

/// Runs a command of the program, given as its words.
pub type Command<'a> = &'a (dyn Fn(&[String]) -> Result<(), Failure> + Sync);

thread_local! {
    static CREW: RefCell<Option<Arc<dyn Crew>>> = const { RefCell::new(None) };
    /// The commands that are running, each called by the one before.
    static COMMANDS: RefCell<Vec<Vec<String>>> = const { RefCell::new(Vec::new()) };
}

/// Does work whose journals are shared by a crew.
pub fn with<T>(crew: Arc<dyn Crew>, work: impl FnOnce() -> T) -> T {
    let before = CREW.replace(Some(crew));
    let done = work();
    CREW.set(before);
    done
}

/// Opens the journal of a run, as one process of its crew if there is one.
///
/// # Errors
/// As [`Journal::open`] and [`Journal::share`].
pub fn open<'m>(folder: impl Into<RunFolder>, key: &RunKey, monitor: &'m dyn Monitor) -> Result<Journal<'m>, JournalError> {
    match CREW.with_borrow(Clone::clone) {
        Some(crew) => Journal::share(folder, key, monitor, crew),
        None => Journal::open(folder, key, monitor),
    }
}

/// Runs a command of the program, given as its words.
pub fn called<T>(words: &[String], run: impl FnOnce() -> T) -> T {
    COMMANDS.with_borrow_mut(|commands| commands.push(words.to_vec()));
    let done = run();
    COMMANDS.with_borrow_mut(Vec::pop);
    done
}

/// The words of the command that is running: the innermost one, if commands call others.
pub fn running() -> Vec<String> {
    COMMANDS.with_borrow(|commands| commands.last().cloned()).unwrap_or_default()
}
