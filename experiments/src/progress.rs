//! Progress reports: one line on a terminal, plain lines elsewhere, nothing with `--quiet`.
//!
//! A thread writes the reports, so they also come while a long unit is in the making. The line on a terminal is never wider than it. In a log the
//! first lines come after 2, 5, 10, 20 and 30 seconds, for people who watch, and then one every 30 seconds: a file is read later, and a line
//! every two seconds would bury its results. A stage of the work writes a line when it begins.

use std::fmt::Arguments;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use terminal_size::{Width, terminal_size_of};
use tilewright_engine::Monitor;

use crate::interrupts::{self, is_stopped};
use crate::status::status;

mod line;

use line::{View, line_interval};

/// Time between two looks of the thread.
const TICK: Duration = Duration::from_millis(200);
/// A resumed stage finds its stored units at once: those of this time do not count for the speed.
const START: Duration = Duration::from_millis(500);
/// Work that has not stopped so long after a request is left where it is: what the journal holds is kept, as after a kill.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The width of a terminal that does not state it.
const WIDTH: usize = 80;

/// Reports the progress of the work on standard error, and ends the process if the work does not stop on request.
pub struct Progress {
    report: Arc<Report>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the work and the thread share.
struct Report {
    is_quiet: bool,
    /// The line of a terminal; `None` in a log.
    bar: Option<ProgressBar>,
    begun: Instant,
    done: AtomicU64,
    stage: Mutex<Stage>,
    is_finished: AtomicBool,
}

/// A stage of the work.
struct Stage {
    /// What is known of it, but for the units done, the time and the speed.
    known: View,
    begun: Instant,
    /// Time and units done from which on the speed is measured, once [`START`] is over.
    start: Option<(Instant, u64)>,
    /// Time and units done of the last line in a log.
    reported: (Instant, u64),
}

impl Stage {
    fn new(what: &str, units: u64, unit: &'static str) -> Stage {
        let now = Instant::now();
        let known = View { what: what.into(), units, unit, ahead: f64::NAN, ..View::default() };
        Stage { known, begun: now, start: None, reported: (now, 0) }
    }

    fn view(&self, done: u64) -> View {
        let speed = self.start.filter(|&(_, found)| done > found);
        let speed = speed.map(|(since, found)| (done - found) as f64 / since.elapsed().as_secs_f64());
        View { done, elapsed: self.begun.elapsed(), speed, ..self.known.clone() }
    }
}

impl Report {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws the line, or writes one if it is time.
    fn show(&self) {
        let mut stage = self.stage();
        if stage.known.what.is_empty() {
            return;
        }
        let (now, done) = (Instant::now(), self.done.load(Ordering::Relaxed));
        if stage.start.is_none() && stage.begun.elapsed() >= START {
            stage.start = Some((now, done));
        }
        if let Some(bar) = &self.bar {
            let width = terminal_size_of(std::io::stderr()).map_or(WIDTH, |(Width(width), _)| usize::from(width));
            bar.set_message(stage.view(done).on_terminal(width));
            bar.tick();
            return;
        }
        let (last, reported) = stage.reported;
        let since = last.elapsed();
        if since >= line_interval(last.duration_since(self.begun)) {
            stage.reported = (now, done);
            status!("{}", stage.view(done).in_log((done == reported).then_some(since)));
        }
    }

    /// Reports until the work is finished.
    fn run(&self) {
        let mut stopping = None;
        while !self.is_finished.load(Ordering::Relaxed) {
            thread::park_timeout(TICK);
            if self.is_finished.load(Ordering::Relaxed) {
                break;
            }
            if is_stopped() {
                let since = *stopping.get_or_insert_with(Instant::now);
                self.stop(since);
            }
            if !self.is_quiet {
                self.show();
            }
        }
    }

    /// Waits for a place where the work can stop, and ends the process if none comes.
    fn stop(&self, since: Instant) {
        if since.elapsed() > PATIENCE && !self.is_finished.load(Ordering::Relaxed) {
            let what = self.stage().known.what.clone();
            let what = if what.is_empty() { "the work" } else { &what };
            self.write(format_args!(
                "interrupted: {what} was left in the middle; the folder of a run keeps what was finished: rerun the command to resume"
            ));
            interrupts::exit();
        }
    }

    /// Writes a line above the line of a terminal.
    fn write(&self, text: Arguments<'_>) {
        let write = || status!("{text}");
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Progress {
    /// Reports of work that looks at stop requests, which are caught from here on; nothing if `quiet`.
    pub fn new(quiet: bool) -> Progress {
        interrupts::catch();
        Progress::start(quiet, "")
    }

    /// Reports that something short is on its way, such as reading a word list; it ends when the value is dropped. A log has no line unless it
    /// takes two seconds.
    pub fn waiting(quiet: bool, what: &str) -> Progress {
        Progress::start(quiet, what)
    }

    fn start(is_quiet: bool, what: &str) -> Progress {
        let style = ProgressStyle::with_template("{wide_msg}").unwrap_or(ProgressStyle::default_spinner());
        let has_bar = !is_quiet && std::io::stderr().is_terminal();
        let report = Arc::new(Report {
            is_quiet,
            bar: has_bar.then(|| ProgressBar::new_spinner().with_style(style)),
            begun: Instant::now(),
            done: AtomicU64::new(0),
            stage: Mutex::new(Stage::new(what, 0, "")),
            is_finished: AtomicBool::new(false),
        });
        let shared = Arc::clone(&report);
        // Without a thread the work goes on in silence.
        let thread = thread::Builder::new().name("progress".into()).spawn(move || shared.run()).ok();
        Progress { report, thread: Mutex::new(thread) }
    }

    /// Ends the reports before results are printed.
    pub fn finish(&self) {
        let report = &self.report;
        report.is_finished.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            thread.thread().unpark();
            // The thread has nothing to return.
            let _ = thread.join();
        }
        if let Some(bar) = &report.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Monitor for Progress {
    fn begin(&self, what: &str, units: u64, unit: &'static str) {
        let report = &self.report;
        let mut stage = report.stage();
        *stage = Stage::new(what, units, unit);
        report.done.store(0, Ordering::Relaxed);
        drop(stage);
        match &report.bar {
            _ if report.is_quiet => {}
            Some(_) => report.show(),
            None if units == 0 => status!("{what}"),
            None => status!("{what}: {units} {unit}"),
        }
    }

    fn ahead(&self, multiple: f64) {
        self.report.stage().known.ahead = multiple;
    }

    fn expect(&self, units: u64) {
        self.report.stage().known.expected = Some(units);
    }

    fn advance(&self, units: u64) {
        self.report.done.fetch_add(units, Ordering::Relaxed);
    }

    fn note(&self, text: &str) {
        self.report.stage().known.note = text.into();
    }

    fn warn(&self, text: &str) {
        if !self.report.is_quiet {
            self.report.write(format_args!("warning: {text}"));
        }
    }

    fn is_stopped(&self) -> bool {
        is_stopped()
    }
}
