//! Requests to stop: Ctrl-C, and SIGTERM, which schedulers and containers send.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The exit code of a process that a second request ends at once.
const INTERRUPTED: i32 = 130;

static STOPPED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Lets Ctrl-C and SIGTERM request a stop from here on; a second one ends the process at once. Only work that looks at [`is_stopped`] may
/// call this: other verbs end as the system ends them, which loses no finished shard either, so errors are ignored.
pub fn catch() {
    STOPPED.get_or_init(|| {
        let stopped = Arc::default();
        catch_signals(&stopped);
        stopped
    });
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
            exit();
        }
    });
}

/// Ends the process as a second request does.
pub fn exit() -> ! {
    std::process::exit(INTERRUPTED)
}

pub fn is_stopped() -> bool {
    STOPPED.get().is_some_and(|stopped| stopped.load(Ordering::Relaxed))
}
