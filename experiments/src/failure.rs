//! Failures of commands, and their exit codes.

use std::error::Error;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use tilewright_engine::artefact::ArtefactError;
use tilewright_engine::folder::FileError;
use tilewright_engine::lexicon::{Cure, LexiconError, LineForm, WordReport};
use tilewright_engine::setup::WordGraphTooLarge;
use tilewright_engine::win_percentage::load::DefaultWinTable;
use tilewright_train::journal::JournalError;
use tilewright_train::run::RunError;

use crate::status::status;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Invalid usage or input: exit code 2.
    Input(anyhow::Error),
    /// The work itself failed: exit code 1.
    Failed(anyhow::Error),
    /// Stopped by Ctrl-C or SIGTERM: exit code 130. The text has the finished work and the way to resume.
    Interrupted(String),
}

impl Failure {
    pub fn input(message: impl Display) -> Failure {
        Failure::Input(anyhow::anyhow!("{message}"))
    }

    /// The same failure with where it happened.
    #[must_use]
    pub fn within(self, place: &str) -> Failure {
        match self {
            Failure::Input(error) => Failure::Input(error.context(place.to_string())),
            Failure::Failed(error) => Failure::Failed(error.context(place.to_string())),
            Failure::Interrupted(advice) => Failure::Interrupted(format!("{place}: {advice}")),
        }
    }

    /// The same failure in a job, whose folders no flag names.
    #[must_use]
    pub fn in_job(self) -> Failure {
        let text = self.journal().filter(|journal| journal.misfit().is_some()).map(ToString::to_string);
        match (self, text) {
            (Failure::Input(error), Some(text)) => {
                Failure::Input(error.downcast::<JournalError>().map_or_else(|_| anyhow::anyhow!(text), Into::into))
            }
            (failure, _) => failure,
        }
    }

    /// Prints the failure and returns its exit code.
    pub fn report(&self) -> ExitCode {
        let (code, kind) = match self {
            Failure::Input(_) => (2, "error"),
            Failure::Failed(_) => (1, "error"),
            Failure::Interrupted(_) => (130, "interrupted"),
        };
        status!("{kind}: {}", self.message());
        ExitCode::from(code)
    }

    /// The failure of work in a folder that `flag` names. A journal error decides the exit code, even as the cause of another error.
    pub fn of_folder(error: impl Into<anyhow::Error>, flag: &str) -> Failure {
        let error = error.into();
        let cause = error.chain().find_map(|cause| cause.downcast_ref::<JournalError>());
        if let Some(journal) = cause {
            return match journal {
                stop @ JournalError::Interrupted { .. } => Failure::Interrupted(stop.to_string()),
                journal if journal.misfit().is_some() => {
                    let text = format!("{journal}{}", advice(journal, flag));
                    Failure::Input(error.context(text))
                }
                JournalError::File(file) if file.is_of_content() => Failure::Input(error),
                _ => Failure::Failed(error),
            };
        }
        let is_input = |cause: &(dyn Error + 'static)| {
            matches!(cause.downcast_ref(), Some(RunError::Input(_)))
                || cause.downcast_ref().is_some_and(FileError::is_of_content)
        };
        if error.chain().any(is_input) { Failure::Input(error) } else { Failure::Failed(error) }
    }

    /// The error of a journal that caused it.
    pub fn journal(&self) -> Option<&JournalError> {
        let (Failure::Failed(error) | Failure::Input(error)) = self else { return None };
        error.chain().find_map(|cause| cause.downcast_ref::<JournalError>())
    }

    /// The cause, in words. Lines that quote long values are shortened.
    pub fn message(&self) -> String {
        match self {
            Failure::Input(error) | Failure::Failed(error) => shortened(&described(error)),
            Failure::Interrupted(advice) => advice.clone(),
        }
    }
}

/// The longest line of a message, in characters.
const LONGEST_LINE: usize = 2000;

/// A text whose long lines have an ellipsis in the place of their middle.
fn shortened(text: &str) -> String {
    let line = |line: &str| {
        let count = line.chars().count();
        if count <= LONGEST_LINE {
            return line.to_string();
        }
        let head: String = line.chars().take(LONGEST_LINE / 2).collect();
        let tail: String = line.chars().skip(count - LONGEST_LINE / 2).collect();
        format!("{head} … {tail}")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The remedy for the error or the warning of a library, with the flags and verbs of this program.
fn remedy(cause: &(dyn Error + 'static)) -> Option<String> {
    if let Some(LexiconError::Empty { report, .. } | LexiconError::TooManyRejected { report, .. }) = cause.downcast_ref() {
        return remedy_of_lines(report);
    }
    let advice = if let Some(ArtefactError::Mismatch { what: "lexicon", .. }) = cause.downcast_ref() {
        " (--lexicon FILE), or accept the other one with --accept-other-lexicon"
    } else if cause.is::<DefaultWinTable>() {
        "; tilewright win-percentage train makes one, which --win-percentage PATH names"
    } else if cause.is::<WordGraphTooLarge>() {
        "; leave out --no-word-map"
    } else {
        return None;
    };
    Some(advice.into())
}

/// The flags with which most of the rejected lines of a word list are words.
fn remedy_of_lines(report: &WordReport) -> Option<String> {
    let Cure { form: LineForm { first_column, fold }, words } = report.cure()?;
    let flags = [(first_column, " --first-column"), (fold, " --fold")];
    let flags: String = flags.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, flag)| flag).collect();
    Some(format!("\n  {words} of these lines are words with{flags}: tilewright lexicon export{flags} writes a clean list"))
}

/// The report of a word list, and the remedy for its rejected lines.
pub fn words_and_remedy(report: &WordReport) -> String {
    report.to_string() + &remedy_of_lines(report).unwrap_or_default()
}

/// A warning of a library, and its remedy.
pub fn warning_and_remedy(warning: &(dyn Error + 'static)) -> String {
    let mut causes = std::iter::successors(Some(warning), |&cause| cause.source());
    warning.to_string() + &causes.find_map(remedy).unwrap_or_default()
}

/// An error, its causes without those already in its text, and the remedy.
fn described(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
    }
    text + &error.chain().find_map(remedy).unwrap_or_default()
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::of_folder(error, "--out")
    }
}

/// The remedy for a folder that `flag` names and that does not suit a run.
fn advice(error: &JournalError, flag: &str) -> String {
    match error {
        JournalError::NotBegun { .. } | JournalError::Damaged { .. } => String::new(),
        JournalError::NotAFolder { .. } => format!("; {flag} names a folder"),
        JournalError::OtherBuild { .. } => "; use that build, or go on with --accept-other-build".into(),
        JournalError::OtherRun { .. } => format!(" or choose another {flag}"),
        JournalError::Locked { .. } | JournalError::OtherWorkFile { .. } => format!(", or choose another {flag}"),
        _ => format!("; choose another {flag}"),
    }
}

/// Marks errors as caused by the input.
pub trait Input<T> {
    /// The same result with its error as [`Failure::Input`].
    fn input(self) -> Result<T, Failure>;
}

/// Names the file in which an error of the input lies.
pub trait InFile<T> {
    /// The same result with its error as [`Failure::Input`], after the name of the file.
    fn in_file(self, file: &Path) -> Result<T, Failure>;
}

impl<T, E: Display> InFile<T> for Result<T, E> {
    fn in_file(self, file: &Path) -> Result<T, Failure> {
        self.map_err(|error| Failure::input(format!("{}: {error}", file.display())))
    }
}

impl<T, E: Into<anyhow::Error>> Input<T> for Result<T, E> {
    fn input(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::Input(error.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_in_messages_lose_their_middle() {
        let text = format!("rack {} is too long\nline 2", "Ñ".repeat(300_000));
        let short = Failure::input(text).message();
        assert!(
            short.starts_with("rack ÑÑ") && short.ends_with("ÑÑ is too long\nline 2") && short.contains("Ñ … Ñ"),
            "{short}"
        );
        assert!(short.chars().count() < LONGEST_LINE + 20);
        assert_eq!(Failure::input("a\n\nb\n").message(), "a\n\nb\n");
    }
}
