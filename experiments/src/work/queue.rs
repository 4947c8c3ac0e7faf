//! `work match`: a queue of candidates. Each plays a sequential match against one baseline.
//!
//! Each candidate is a job of its own, all on the same deals. The workers of the queue give their time to the candidate whose test is expected to
//! end first, and end each test as soon as its looks decide it.
//!
//! | in the folder | content |
//! | --- | --- |
//! | `queue.toml` | the common settings of all candidates: baseline, test, deals, game, build |
//! | `candidates/0001/` … | the job of a candidate ([`super`]), with `failed.json` once it has failed |
//! | `queue.lock` | locked by the process that adds candidates |

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tilewright_engine::folder::{Folder, GrowingFolder, TEMPORARY};
use tilewright_engine::series::{ERROR_RATE, Estimate};

use super::flags::QueueArguments;
use super::job::Job;
use super::processes::next_stage;
use super::stage::Stage;
use super::{files, job, stage};
use crate::requests::Request;
use crate::runs::{self, RunWords};
use crate::{Failure, Number, output};

mod candidate;
pub mod tester;

use candidate::{CANDIDATES, Candidate, FILE, Settings, folders, name_of};
use tester::Tester;

pub fn run(arguments: &QueueArguments, run_words: RunWords) -> Result<(), Failure> {
    let json = arguments.process.json.file()?;
    if !arguments.candidates.is_empty() {
        add(arguments, run_words)?;
    }
    let queue = job::folder(&arguments.queue)?;
    let settings = Settings::read(&queue)?;
    settings.check(&arguments.queue, &arguments.settings)?;
    if arguments.work {
        return output::show(&Tester::new(arguments, &queue, &settings, run_words)?.run()?, json);
    }
    output::show(&Table::new(&queue, &settings)?, json)
}

const LOCK: &str = "queue.lock";

/// Adds the candidates of the flags, and makes the queue if there is none.
pub fn add(arguments: &QueueArguments, run_words: RunWords) -> Result<(), Failure> {
    let path = arguments.queue.as_path();
    let cannot = |error| Failure::input(format!("cannot write to the queue: {error}; choose another --queue"));
    let existing = match Folder::open(path) {
        // Another process may make it now.
        Err(error) if error.is_not_found() => None,
        existing => Some(existing.map_err(cannot)?),
    };
    // A process that was killed while it made the queue has left files with temporary names.
    let is_own = |name: &String| [LOCK, CANDIDATES, FILE].contains(&name.as_str()) || name.starts_with(TEMPORARY);
    if existing.as_ref().is_some_and(|queue| !queue.has(FILE) && !queue.names().is_ok_and(|names| names.iter().all(is_own)))
    {
        return Err(Failure::input(format!(
            "{} is no queue, and not empty; --queue names a new folder or a queue",
            path.display()
        )));
    }
    if existing.is_none() {
        Settings::from_flags(&arguments.settings)?;
    }
    let is_made = existing.is_none();
    let queue = existing.map_or_else(|| Folder::make(path), Ok).map_err(cannot)?;
    let lock = match files::lock_within(Duration::MAX, &queue, LOCK) {
        Ok(None) => return Err(Failure::Interrupted("no candidate was added".into())),
        // A process that made the queue and failed has taken it away again.
        Err(_) if !path.exists() => return add(arguments, run_words),
        Ok(_) if !queue.has(LOCK) => return add(arguments, run_words),
        lock => lock?,
    };
    queue.clear_temporary()?;
    let is_new = !queue.has(FILE);
    let added = add_to(arguments, &queue, is_new, run_words);
    if added.is_err() && is_made && is_new {
        // Nobody else adds while this process has the lock, so all of it is its own.
        let _ = queue.remove_folder(CANDIDATES);
        let _ = queue.remove(LOCK);
        let _ = std::fs::remove_dir(path);
    }
    drop(lock);
    added
}

fn add_to(arguments: &QueueArguments, queue: &Folder, is_new: bool, run_words: RunWords) -> Result<(), Failure> {
    let path = queue.path();
    let settings = if is_new { Settings::from_flags(&arguments.settings)? } else { Settings::read(queue)? };
    settings.check(path, &arguments.settings)?;
    settings.check_build(path, arguments.accepted.build)?;
    if !is_new && arguments.settings.player_b.is_none() && !arguments.accepted.allow_programs {
        // The command line names the candidates, and not this baseline.
        runs::refuse_programs(queue.place(FILE).display(), &settings.match_of("greedy")?.spec.programs())?;
    }
    let folders = folders(queue)?;
    let last = folders.iter().filter_map(|(name, _)| name.parse::<u32>().ok()).max().map_or(0, u64::from);
    check_names(path, folders, &arguments.candidates)?;
    let candidates = queue.make_folder(CANDIDATES)?;
    // The remains of a process that was killed while it added.
    candidates.clear_temporary()?;
    let mut planned = Vec::new();
    for (number, candidate) in (last + 1..).zip(&arguments.candidates) {
        let folder = candidates.begin_folder(&format!("{number:04}"))?;
        let run = Request::Match(Box::new(settings.match_of(candidate)?));
        next_stage(&Job::create(folder.folder(), run)?, &Stage::default(), &arguments.process, run_words)
            .map_err(|failure| failure.within(candidate))?;
        planned.push(folder);
    }
    if is_new {
        settings.write(queue)?;
    }
    Ok(planned.into_iter().try_for_each(GrowingFolder::finish)?)
}

/// Refuses a candidate that is there already or is named twice.
fn check_names(queue: &Path, folders: Vec<(String, Folder)>, candidates: &[String]) -> Result<(), Failure> {
    let names = folders.into_iter().map(|(_, folder)| Ok::<_, Failure>(name_of(&Job::read_only(folder)?)));
    let mut names = names.collect::<Result<BTreeSet<String>, _>>()?;
    let Some(twice) = candidates.iter().find(|&candidate| !names.insert(candidate.clone())) else { return Ok(()) };
    let queue = queue.display();
    Err(Failure::input(format!("candidate {twice} is in {queue} already; give the file of another candidate another name")))
}

/// The result of `work match`.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Table<'a> {
    queue: String,
    #[serde(flatten)]
    settings: &'a Settings,
    /// The log-likelihood ratio at which a test accepts H0.
    lower_bound: f64,
    /// The log-likelihood ratio at which a test accepts H1.
    upper_bound: f64,
    candidates: Vec<Row>,
}

/// A candidate. Win rates are from its view, 0–1.
#[derive(schemars::JsonSchema, Serialize)]
struct Row {
    candidate: String,
    /// The folder of its job.
    job: String,
    state: &'static str,
    pairs: u64,
    /// With its anytime-valid 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    anytime_win_rate: Option<Estimate>,
    log_likelihood_ratio: f64,
    /// The CPU time of all its shards.
    cpu_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl<'a> Table<'a> {
    /// The table of a queue as it is now.
    pub fn new(queue: &Folder, settings: &'a Settings) -> Result<Table<'a>, Failure> {
        let [lower_bound, upper_bound] = settings.test()?.bounds();
        let row = |(_, folder)| Row::new(Candidate::new(Job::read_only(folder)?, settings)?);
        let candidates = folders(queue)?.into_iter().map(row).collect::<Result<_, Failure>>()?;
        Ok(Table { queue: queue.path().display().to_string(), settings, lower_bound, upper_bound, candidates })
    }
}

impl Row {
    fn new(mut candidate: Candidate) -> Result<Row, Failure> {
        candidate.looks.read()?;
        let state = candidate.state();
        let (error, looks) = (candidate.failed(), candidate.looks);
        let tally = looks.tally;
        Ok(Row {
            candidate: candidate.name,
            job: candidate.job.folder.path().display().to_string(),
            state,
            pairs: tally.pairs,
            anytime_win_rate: tally.anytime_win_rate(ERROR_RATE),
            log_likelihood_ratio: looks.test.log_likelihood_ratio(&tally.outcomes),
            cpu_seconds: stage::cpu_seconds(&candidate.job),
            error,
        })
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { player_b, sequential, alpha, beta, pairs, seed, .. } = self.settings;
        writeln!(
            f,
            "{}: candidates against {player_b}, win rates {sequential} % (alpha {alpha}, beta {beta}), at most {pairs} pairs, seed {seed}",
            self.queue
        )?;
        let longest = output::width(9, self.candidates.iter().map(|row| &row.candidate));
        write!(
            f,
            "  {:longest$}  {:9}  {:>7}  {:>10}  {:16}  {:>20}  {:>8}",
            "candidate", "state", "pairs", "win rate %", "anytime 95 %", "LLR", "CPU-s"
        )?;
        for row in &self.candidates {
            let rates = row.anytime_win_rate.map(|Estimate { mean, low, high }| [mean, low, high]);
            let [mean, low, high] =
                rates.map_or_else(|| ["-"; 3].map(String::from), |rates| rates.map(|rate| format!("{:.2}", 100.0 * rate)));
            write!(
                f,
                "\n  {:longest$}  {:9}  {:>7}  {:>10}  {:16}  {:>20}  {:>8.1}",
                row.candidate,
                row.state,
                row.pairs,
                mean,
                format!("{low} to {high}"),
                format!("{:+.2} ({:+.2} to {:+.2})", Number(row.log_likelihood_ratio), self.lower_bound, self.upper_bound),
                Number(row.cpu_seconds)
            )?;
            if let Some(error) = &row.error {
                write!(f, "\n    {error}; delete {}/failed.json to try again", row.job)?;
            }
        }
        Ok(())
    }
}
