//! Progress reports: one line on a terminal, plain lines elsewhere, nothing with `--quiet`.
//!
//! A thread writes the reports, so they also come during a long unit. The line on a terminal is never wider than the
//! terminal. In a log the first lines come after 2, 5, 10, 20 and 30 seconds, for people who watch. Later lines come every
//! 30 seconds, because more of them would bury the results. A stage of the work writes a line when it begins.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use terminal_size::{Width, terminal_size_of};
use tilewright_engine::Monitor;

use crate::interrupts::{self, is_stopped};
use crate::status::{status, visible};

mod line;

use line::{View, line_interval};

/// Time between two looks of the thread.
const TICK: Duration = Duration::from_millis(200);
/// A resumed stage finds its stored units at once. Units of this time do not count for the speed.
const START: Duration = Duration::from_millis(500);
/// The width of a terminal that does not state it.
const WIDTH: usize = 80;

/// Reports the progress of the work on standard error.
pub struct Progress {
    /// `None` if quiet.
    report: Option<Arc<Report>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The state that the work and the thread share.
struct Report {
    /// The line of a terminal, or `None` in a log.
    bar: Option<ProgressBar>,
    begun: Instant,
    done: AtomicU64,
    stage: Mutex<Stage>,
    is_finished: AtomicBool,
}

struct Stage {
    /// The known state, without the finished units, the time and the speed.
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
        let known = View { what: visible(what).into(), units, unit, ahead: f64::NAN, ..View::default() };
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
        let mut is_stopping = false;
        while !self.is_finished.load(Ordering::Relaxed) {
            thread::park_timeout(TICK);
            if self.is_finished.load(Ordering::Relaxed) {
                break;
            }
            if is_stopped() && !is_stopping {
                is_stopping = true;
                let unit = self.stage().known.unit;
                let unit = if unit.is_empty() { "work" } else { unit };
                self.write(&format!("finishing the {unit} in hand; press again to stop now"));
            }
            self.show();
        }
    }

    /// Writes a line, above the line of a terminal.
    fn write(&self, text: &str) {
        let write = || status!("{text}");
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Progress {
    /// Reports of work that looks at stop requests, which are caught from here on. No reports if `quiet`.
    pub fn new(quiet: bool) -> Progress {
        interrupts::catch();
        Progress::waiting(quiet, "")
    }

    /// Reports that something short is on its way, such as reading a word list, until the value is dropped. A log has no
    /// line if it takes less than two seconds.
    pub fn waiting(quiet: bool, what: &str) -> Progress {
        if quiet {
            return Progress { report: None, thread: Mutex::new(None) };
        }
        let style = ProgressStyle::with_template("{wide_msg}").unwrap_or(ProgressStyle::default_spinner());
        let is_terminal = std::io::stderr().is_terminal();
        let report = Arc::new(Report {
            bar: is_terminal.then(|| ProgressBar::new_spinner().with_style(style)),
            begun: Instant::now(),
            done: AtomicU64::new(0),
            stage: Mutex::new(Stage::new(what, 0, "")),
            is_finished: AtomicBool::new(false),
        });
        let shared = Arc::clone(&report);
        // Without a thread the work goes on in silence.
        let thread = thread::Builder::new().name("progress".into()).spawn(move || shared.run()).ok();
        Progress { report: Some(report), thread: Mutex::new(thread) }
    }

    /// Ends the reports before results are printed.
    pub fn finish(&self) {
        interrupts::work_has_ended();
        let Some(report) = &self.report else { return };
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
        let Some(report) = &self.report else { return };
        let mut stage = report.stage();
        let last = stage.view(report.done.load(Ordering::Relaxed));
        *stage = Stage::new(what, units, unit);
        if !last.ahead.is_nan() {
            stage.known.before = (last.before.0 + last.elapsed, last.share());
        }
        report.done.store(0, Ordering::Relaxed);
        drop(stage);
        match &report.bar {
            Some(_) => report.show(),
            None if units == 0 => status!("{what}"),
            None => status!("{what}: {units} {unit}"),
        }
    }

    fn ahead(&self, multiple: f64) {
        if let Some(report) = &self.report {
            report.stage().known.ahead = multiple;
        }
    }

    fn expect(&self, units: u64) {
        if let Some(report) = &self.report {
            report.stage().known.expected = Some(units);
        }
    }

    fn advance(&self, units: u64) {
        if let Some(report) = &self.report {
            report.done.fetch_add(units, Ordering::Relaxed);
        }
    }

    fn note(&self, text: &str) {
        if let Some(report) = &self.report {
            report.stage().known.note = visible(text).into();
        }
    }

    fn warn(&self, text: &str) {
        if let Some(report) = &self.report {
            report.write(&format!("warning: {text}"));
        }
    }

    fn is_stopped(&self) -> bool {
        is_stopped()
    }
}
