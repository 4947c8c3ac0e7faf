//! The run of one target, in a process of its own.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rand::RngExt;
use tilewright_engine::hash::sha256;
use tilewright_engine::rng::{Stream, stream};
use tilewright_train::parquet_file::READER;

use crate::mutation::mutate;
use crate::process::{Find, INPUT, REPORT, Report};
use crate::shape::{shape, shape_of};
use crate::target::{Outcome, Subject, Target};
use crate::{ALLOCATOR, stored, targets};

/// An input that takes more CPU time than this is a find.
const SLOW: Duration = Duration::from_secs(2);
/// An input may take this much memory, in bytes, and some times its own length.
const MEMORY: usize = 64 << 20;
const MEMORY_PER_BYTE: usize = 1000;
/// A find is made shorter for at most this long.
const TIME_TO_SHORTEN: Duration = Duration::from_secs(4);
/// Inputs that are changed again: at most this many that were accepted, and as many that were refused.
const POOL: usize = 1000;
/// With `--keep`: the longest input that joins the corpus, in bytes, and the most that one run adds.
const KEPT_LENGTH: usize = 1500;
const KEPT: usize = 12;
/// The report is written after this many inputs.
const INPUTS_PER_REPORT: u64 = 512;

/// How long to look, and what to do with what is found.
pub struct Plan {
    /// CPU time of each target.
    pub seconds: f64,
    /// Changed inputs of each target, at most.
    pub changed: u64,
    pub seed: u64,
    /// Whether inputs with a new outcome join the corpus.
    pub keep: bool,
    /// Whether finds become regressions.
    pub stores: bool,
}

impl Plan {
    /// The words from which [`Plan::from_words`] makes it again.
    pub fn words(&self) -> [String; 5] {
        let Plan { seconds, changed, seed, keep, stores } = self;
        [seconds.to_string(), changed.to_string(), seed.to_string(), keep.to_string(), stores.to_string()]
    }

    fn from_words(words: &[String]) -> Option<Plan> {
        let [seconds, changed, seed, keep, stores] = words else { return None };
        let (keep, stores) = (keep.parse().ok()?, stores.parse().ok()?);
        Some(Plan { seconds: seconds.parse().ok()?, changed: changed.parse().ok()?, seed: seed.parse().ok()?, keep, stores })
    }
}

/// The process of one target; `words` are its name and those of the plan. It works in the current folder.
pub fn child(words: &[String]) -> ExitCode {
    let target = words.first().and_then(|name| targets::ALL.iter().find(|target| target.name == *name));
    let (Some(target), Some(plan)) = (target, words.get(1..).and_then(Plan::from_words)) else { return ExitCode::from(2) };
    std::panic::set_hook(Box::new(|info| {
        if std::thread::current().name() == Some(READER) {
            return;
        }
        let message = info.payload_as_str().unwrap_or_default();
        let place = info.location().map(|place| format!("{}:{}", place.file(), place.line())).unwrap_or_default();
        eprintln!("panicked at {place}: {message}");
        if let Ok(mut last) = PANIC.lock() {
            *last = format!("panicked at {place}: {message}");
        }
    }));
    let Ok(trace) = File::create(INPUT) else { return ExitCode::FAILURE };
    let stream = stream(plan.seed, target.name, 0);
    let mut session = Session {
        target,
        plan,
        subject: (target.open)(),
        trace,
        seen: HashSet::new(),
        pools: [Vec::new(), Vec::new()],
        stream,
        longest: 0,
        kept: 0,
        report: Report::default(),
    };
    let start = ProcessTime::now();
    session.read_stored();
    session.read_changed(start);
    session.report.outcomes = session.seen.len();
    session.report.cpu_seconds = start.elapsed().as_secs_f64();
    session.report.is_complete = true;
    session.write_report();
    ExitCode::SUCCESS
}

/// The last panic, with its place.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// What became of an input.
enum Verdict {
    Read(Outcome),
    /// A panic, or too much time or memory.
    Fault(String),
}

pub struct Session {
    target: &'static Target,
    plan: Plan,
    subject: Subject,
    /// The input in work, for the parent if this process dies.
    trace: File,
    /// The shapes of all outcomes.
    seen: HashSet<String>,
    /// Inputs to change: refused ones, each with an outcome of its own, and accepted ones, of which some are new all the time.
    pools: [Vec<Vec<u8>>; 2],
    /// The draws of this run.
    stream: Stream,
    /// An accepted input without a new outcome is kept if it is at most this long: twice the longest seed.
    longest: usize,
    kept: usize,
    report: Report,
}

impl Session {
    /// Reads one input without precautions.
    pub fn read(target: &Target, bytes: &[u8]) -> Outcome {
        ((target.open)().read)(bytes)
    }

    /// Reads the seeds, which must be accepted, and the inputs in the repository.
    fn read_stored(&mut self) {
        self.longest =
            self.subject.seeds.iter().chain(&self.subject.more).map(|seed| 2 * seed.len()).max().unwrap_or_default();
        for seed in self.subject.seeds.clone() {
            if let Verdict::Read(Err(reason)) = self.take(&seed, None) {
                self.found(&format!("a seed is refused: {reason}"), &seed, None);
            }
        }
        for input in self.subject.more.clone() {
            self.take(&input, None);
            self.pools[1].push(input);
        }
        for kind in ["regressions", "corpus"] {
            let mut files: Vec<PathBuf> = std::fs::read_dir(stored(kind, self.target.name))
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .collect();
            files.sort();
            for file in files {
                if let Ok(bytes) = std::fs::read(&file) {
                    self.take(&bytes, Some(&file));
                }
            }
        }
    }

    /// Changes inputs until the time is over.
    fn read_changed(&mut self, start: ProcessTime) {
        for number in 0..self.plan.changed {
            if number % 16 == 0 && start.elapsed().as_secs_f64() > self.plan.seconds {
                break;
            }
            let (one, other) = (self.choose(), self.choose());
            let mut changed = mutate(&one, &other, self.subject.fragments, &mut self.stream);
            // Some inputs keep a wrong checksum.
            if let Some(seal) = self.subject.seal.filter(|_| number % 16 != 0) {
                seal(&mut changed);
            }
            self.take(&changed, None);
            if number % INPUTS_PER_REPORT == 0 {
                self.report.cpu_seconds = start.elapsed().as_secs_f64();
                self.report.outcomes = self.seen.len();
                self.write_report();
            }
        }
    }

    /// An input to change: mostly an accepted one, because most changes end in a refusal.
    fn choose(&mut self) -> Vec<u8> {
        let is_accepted = self.pools[0].is_empty() || self.stream.random_range(0..3) > 0;
        let pool = &self.pools[usize::from(is_accepted)];
        if pool.is_empty() { Vec::new() } else { pool[self.stream.random_range(0..pool.len())].clone() }
    }

    /// Keeps an accepted or a refused input to change it again. A new outcome always stays; of the others, a few accepted ones do, so that
    /// changes add up. In a full pool it takes the place of another one, but never that of a seed.
    fn keep(&mut self, input: &[u8], is_accepted: bool, is_new: bool) {
        let pool = &mut self.pools[usize::from(is_accepted)];
        let is_full = pool.len() >= POOL;
        // Otherwise inputs grow and grow, and each takes longer.
        let is_long = input.len() > self.longest;
        if !is_new && (!is_accepted || is_long || self.stream.random_range(0..8) > 0) {
            return;
        }
        let seeds = self.subject.seeds.len() + self.subject.more.len();
        if is_full && seeds < pool.len() {
            let at = self.stream.random_range(seeds..pool.len());
            pool[at] = input.to_vec();
        } else if !is_full {
            pool.push(input.to_vec());
        }
    }

    /// Reads an input, and remembers it if its outcome is new. `file` holds it already.
    fn take(&mut self, input: &[u8], file: Option<&Path>) -> Verdict {
        self.report.inputs += 1;
        let verdict = self.judge(input);
        match &verdict {
            Verdict::Fault(message) => self.found(message, input, file),
            Verdict::Read(outcome) => {
                self.report.accepted += u64::from(outcome.is_ok());
                let is_new = self.seen.insert(shape_of(outcome));
                self.keep(input, outcome.is_ok(), is_new);
                if is_new && self.plan.keep && file.is_none() && input.len() <= KEPT_LENGTH && self.kept < KEPT {
                    self.kept += usize::from(store("corpus", self.target.name, input).is_some());
                }
            }
        }
        verdict
    }

    /// Reads an input with all precautions.
    fn judge(&mut self, input: &[u8]) -> Verdict {
        let head = [self.report.inputs.to_le_bytes(), (input.len() as u64).to_le_bytes()].concat();
        let _ = self.trace.rewind().and_then(|()| self.trace.write_all(&[&head, input].concat()));
        ALLOCATOR.reset_peak_usage();
        let (before, elapsed, cpu) = (ALLOCATOR.current_usage(), Instant::now(), ProcessTime::now());
        let result = catch_unwind(AssertUnwindSafe(|| (self.subject.read)(input)));
        let cpu = if elapsed.elapsed() > SLOW { cpu.elapsed() } else { Duration::ZERO };
        let memory = ALLOCATOR.peak_usage().saturating_sub(before);
        match result {
            Err(_) => {
                // What it held may be in disorder.
                self.subject = (self.target.open)();
                Verdict::Fault(PANIC.lock().map(|last| last.clone()).unwrap_or_default())
            }
            Ok(_) if cpu > SLOW => Verdict::Fault(format!("it took {:.1} s of CPU time", cpu.as_secs_f64())),
            Ok(_) if memory > MEMORY + MEMORY_PER_BYTE * input.len() => {
                Verdict::Fault(format!("it took {} MiB of memory for {} bytes", memory >> 20, input.len()))
            }
            Ok(outcome) => Verdict::Read(outcome),
        }
    }

    /// Records a fault, unless it was found before.
    fn found(&mut self, message: &str, input: &[u8], file: Option<&Path>) {
        let shape = shape(message);
        if self.report.finds.iter().any(|find| find.shape == shape) {
            return;
        }
        let file = match file {
            Some(file) => Some(file.to_path_buf()),
            None if self.plan.stores => {
                let short = self.shortened(input, &shape);
                store("regressions", self.target.name, &short)
            }
            None => None,
        };
        self.report.finds.push(Find { message: message.into(), shape, file });
        self.write_report();
    }

    /// The input without the pieces that the fault does not need.
    fn shortened(&mut self, input: &[u8], shape_wanted: &str) -> Vec<u8> {
        let start = Instant::now();
        let mut best = input.to_vec();
        let mut size = best.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at < best.len() && start.elapsed() < TIME_TO_SHORTEN {
                let mut shorter = [&best[..at], &best[(at + size).min(best.len())..]].concat();
                if let Some(seal) = self.subject.seal {
                    seal(&mut shorter);
                }
                match self.judge(&shorter) {
                    Verdict::Fault(message) if shape(&message) == shape_wanted && shorter.len() < best.len() => {
                        best = shorter;
                    }
                    _ => at += size,
                }
            }
            size /= 2;
        }
        best
    }

    fn write_report(&self) {
        if let Ok(text) = serde_json::to_vec(&self.report) {
            let _ = std::fs::write(REPORT, text);
        }
    }
}

/// Stores an input under its hash; `None` if it is there already or cannot be written.
pub fn store(kind: &str, target: &str, input: &[u8]) -> Option<PathBuf> {
    let folder = stored(kind, target);
    let file = folder.join(format!("{}.bin", &sha256(input)[..16]));
    let is_new = !file.exists();
    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input)).ok()?;
    is_new.then_some(file)
}
