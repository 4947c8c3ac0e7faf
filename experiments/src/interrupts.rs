//! Requests to stop: Ctrl-C, and SIGTERM, which schedulers and containers send.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::status::status;

/// The exit code of a process that a second request ends at once.
const INTERRUPTED: i32 = 130;

/// Work that has not stopped so long after a request is left as it is, as after a kill. Its journal keeps the finished part.
const PATIENCE: Duration = Duration::from_millis(1200);
/// Time between two looks of the thread.
const TICK: Duration = Duration::from_millis(100);

static STOPPED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The last words of a process that does not follow a request.
static LAST_WORDS: OnceLock<fn() -> String> = OnceLock::new();

/// Whether the work has stopped since the last look, and its remains are written.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C and SIGTERM request a stop from here on. The process ends soon after the first request, whatever it does, and
/// at once after a second. Only work that looks at [`is_stopped`] may call this. The system ends other verbs. That loses no
/// finished shard either, so errors are ignored.
pub fn catch() {
    STOPPED.get_or_init(|| {
        let stopped = Arc::default();
        catch_signals(&stopped);
        let _ = thread::Builder::new().name("interrupts".into()).spawn(watch);
        stopped
    });
}

/// Sets the last words of a process that does not follow a request.
pub fn say_at_end(words: fn() -> String) {
    let _ = LAST_WORDS.set(words);
}

/// Gives the process as long again after a request, to print and write after the end of its work.
pub fn work_has_ended() {
    HAS_ENDED.store(true, Ordering::Relaxed);
}

/// Ends the process if it does not follow a request.
fn watch() {
    let mut since = None;
    loop {
        thread::sleep(TICK);
        if HAS_ENDED.swap(false, Ordering::Relaxed) || !is_stopped() {
            since = None;
        } else if since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            // The line of a terminal is not finished.
            let start = if std::io::stderr().is_terminal() { "\n" } else { "" };
            let of_runs = || "a run with a folder keeps its finished work; rerun its command to resume".to_string();
            let say = move || status!("{start}interrupted: {}", LAST_WORDS.get().map_or_else(of_runs, |words| words()));
            // It blocks if nobody reads standard error.
            let saying = thread::spawn(say);
            (0..3).take_while(|_| !saying.is_finished()).for_each(|_| thread::sleep(TICK));
            std::process::exit(INTERRUPTED);
        }
    }
}

/// Lets a write beyond the size that the system allows a file fail like any other, where the signal would end the process without a word.
pub fn outlive_file_limits() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(unix)]
fn catch_signals(stopped: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;

    for signal in [SIGINT, SIGTERM] {
        // The first handler looks before the second sets.
        let _ = flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(stopped));
        let _ = flag::register(signal, Arc::clone(stopped));
    }
}

#[cfg(not(unix))]
fn catch_signals(stopped: &Arc<AtomicBool>) {
    let stopped = Arc::clone(stopped);
    let _ = ctrlc::set_handler(move || {
        if stopped.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    });
}

pub fn is_stopped() -> bool {
    STOPPED.get().is_some_and(|stopped| stopped.load(Ordering::Relaxed))
}
