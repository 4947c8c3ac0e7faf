//! The table of a queue.

use std::fmt;

use serde::Serialize;
use tilewright_engine::folder::Folder;
use tilewright_engine::series::{ERROR_RATE, Estimate};

use super::candidate::{Candidate, folders};
use super::settings::Settings;
use crate::Number;
use crate::failure::Failure;
use crate::work::job::Job;
use crate::work::records;

/// The result of `work match`.
#[derive(Serialize)]
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
#[derive(Serialize)]
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
        let tally = &looks.tally;
        Ok(Row {
            candidate: candidate.name,
            job: candidate.job.folder.path().display().to_string(),
            state,
            pairs: tally.pairs,
            anytime_win_rate: tally.anytime_win_rate(ERROR_RATE),
            log_likelihood_ratio: looks.test.log_likelihood_ratio(&tally.outcomes),
            cpu_seconds: records::cpu_seconds(&candidate.job),
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
        let longest = self.candidates.iter().map(|row| row.candidate.chars().count()).max().unwrap_or(0).max(9);
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
