//! Progress reports: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use tilewright_engine::monitor::Monitor;

use crate::interrupts::{self, is_stopped};

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Reports the progress of the work on standard error.
pub struct Progress {
    form: Form,
}

enum Form {
    Quiet,
    Bar { bar: Mutex<ProgressBar>, ahead: Arc<WorkAhead> },
    Lines { done: AtomicU64, task: Mutex<Task> },
}

struct Task {
    what: String,
    units: u64,
    unit: &'static str,
    note: String,
    ahead: WorkAhead,
    begun: Instant,
    reported: Instant,
}

/// The work that follows a task, in multiples of the task; NaN if unknown.
struct WorkAhead(AtomicU64);

impl WorkAhead {
    fn unknown() -> WorkAhead {
        WorkAhead(AtomicU64::new(f64::NAN.to_bits()))
    }

    fn set(&self, multiple: f64) {
        self.0.store(multiple.to_bits(), Ordering::Relaxed);
    }

    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}

/// The time left for a task, and for the whole run if more follows.
fn left_in_words(left: Duration, whole: Duration, ahead: &WorkAhead) -> String {
    let here = format!("{} left", HumanDuration(left));
    match Duration::try_from_secs_f64(left.as_secs_f64() + ahead.get() * whole.as_secs_f64()) {
        Ok(all) if all.as_secs() > left.as_secs() => format!("{here}, about {} for the whole run", HumanDuration(all)),
        _ => here,
    }
}

impl Progress {
    /// A bar if standard error is a terminal, otherwise lines; nothing if `quiet`. From here on a stop can be requested.
    pub fn new(quiet: bool) -> Progress {
        interrupts::catch();
        let form = if quiet {
            Form::Quiet
        } else if std::io::stderr().is_terminal() {
            Form::Bar { bar: Mutex::new(ProgressBar::hidden()), ahead: Arc::new(WorkAhead::unknown()) }
        } else {
            let now = Instant::now();
            Form::Lines {
                done: AtomicU64::new(0),
                task: Mutex::new(Task {
                    what: String::new(),
                    units: 0,
                    unit: "",
                    note: String::new(),
                    ahead: WorkAhead::unknown(),
                    begun: now,
                    reported: now,
                }),
            }
        };
        Progress { form }
    }

    /// Removes the bar before results are printed.
    pub fn finish(&self) {
        if let Form::Bar { bar, .. } = &self.form {
            bar.lock().unwrap_or_else(PoisonError::into_inner).finish_and_clear();
        }
    }
}

impl Monitor for Progress {
    fn begin(&self, what: &str, units: u64, unit: &'static str) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar { bar, ahead } => {
                let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
                bar.finish_and_clear();
                let template = if units == 0 {
                    "{msg} {elapsed}".to_string()
                } else {
                    format!("{{msg}} [{{bar:30}}] {{pos}}/{{len}} {unit}, {{per_sec}}, {{left}}{{prefix}}")
                };
                *bar = ProgressBar::new(units).with_message(what.to_string());
                ahead.set(f64::NAN);
                let ahead = Arc::clone(ahead);
                let left = move |state: &ProgressState, text: &mut dyn Write| {
                    let _ = text.write_str(&left_in_words(state.eta(), state.duration(), &ahead));
                };
                if let Ok(style) = ProgressStyle::with_template(&template) {
                    bar.set_style(style.progress_chars("=> ").with_key("left", left));
                }
                bar.enable_steady_tick(Duration::from_millis(200));
            }
            Form::Lines { done, task } => {
                let now = Instant::now();
                *task.lock().unwrap_or_else(PoisonError::into_inner) = Task {
                    what: what.into(),
                    units,
                    unit,
                    note: String::new(),
                    ahead: WorkAhead::unknown(),
                    begun: now,
                    reported: now,
                };
                done.store(0, Ordering::Relaxed);
                if units == 0 {
                    eprintln!("{what}");
                } else {
                    eprintln!("{what}: {units} {unit}");
                }
            }
        }
    }

    fn ahead(&self, multiple: f64) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar { ahead, .. } => ahead.set(multiple),
            Form::Lines { task, .. } => task.lock().unwrap_or_else(PoisonError::into_inner).ahead.set(multiple),
        }
    }

    fn advance(&self, units: u64) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar { bar, .. } => bar.lock().unwrap_or_else(PoisonError::into_inner).inc(units),
            Form::Lines { done, task } => {
                let done = done.fetch_add(units, Ordering::Relaxed) + units;
                let Ok(mut task) = task.try_lock() else { return };
                if task.reported.elapsed() >= LINE_INTERVAL && done < task.units {
                    task.reported = Instant::now();
                    let rate = done as f64 / task.begun.elapsed().as_secs_f64();
                    let time = |units: u64| Duration::from_secs_f64(units as f64 / rate);
                    let left = left_in_words(time(task.units - done), time(task.units), &task.ahead);
                    eprintln!(
                        "{}: {done}/{} {}, {rate:.1} per second, {left}{}",
                        task.what, task.units, task.unit, task.note
                    );
                }
            }
        }
    }

    fn note(&self, text: &str) {
        match &self.form {
            Form::Quiet => {}
            Form::Bar { bar, .. } => bar.lock().unwrap_or_else(PoisonError::into_inner).set_prefix(format!(", {text}")),
            Form::Lines { task, .. } => {
                task.lock().unwrap_or_else(PoisonError::into_inner).note = format!(", {text}");
            }
        }
    }

    fn warn(&self, text: &str) {
        match &self.form {
            Form::Bar { bar, .. } => {
                let bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
                bar.suspend(|| eprintln!("warning: {text}"));
            }
            Form::Lines { .. } => eprintln!("warning: {text}"),
            Form::Quiet => {}
        }
    }

    fn is_stopped(&self) -> bool {
        is_stopped()
    }
}
