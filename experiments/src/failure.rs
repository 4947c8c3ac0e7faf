//! Failures of commands, and their exit codes.

use std::fmt::Display;
use std::process::ExitCode;

use tilewright_train::journal::JournalError;

use crate::tell::tell;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Invalid usage or input: exit code 2.
    Input(anyhow::Error),
    /// The work itself failed: exit code 1.
    Failed(anyhow::Error),
    /// Stopped by Ctrl-C or SIGTERM: exit code 130. The text says what was finished and how to resume.
    Interrupted(String),
}

impl Failure {
    /// An input failure with this message.
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

    /// Prints the failure and returns its exit code.
    pub fn report(&self) -> ExitCode {
        let (code, kind) = match self {
            Failure::Input(_) => (2, "error"),
            Failure::Failed(_) => (1, "error"),
            Failure::Interrupted(_) => (130, "interrupted"),
        };
        tell!("{kind}: {}", self.message());
        ExitCode::from(code)
    }

    /// The error of a journal that caused it.
    pub fn journal(&self) -> Option<&JournalError> {
        let (Failure::Failed(error) | Failure::Input(error)) = self else { return None };
        error.chain().find_map(|cause| cause.downcast_ref::<JournalError>())
    }

    /// What went wrong, in words.
    pub fn message(&self) -> String {
        match self {
            Failure::Input(error) | Failure::Failed(error) => described(error),
            Failure::Interrupted(advice) => advice.clone(),
        }
    }
}

/// An error and its causes, without the causes that its text already contains.
fn described(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text += &format!(": {cause}");
        }
    }
    text
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        let error = error.into();
        // A journal error decides the exit code, even as the cause of another error.
        match error.chain().find_map(|cause| cause.downcast_ref::<JournalError>()) {
            Some(stop @ JournalError::Interrupted { .. }) => Failure::Interrupted(stop.to_string()),
            Some(journal) if journal.is_input() => Failure::Input(error),
            _ => Failure::Failed(error),
        }
    }
}

/// Marks errors as caused by the input.
pub trait Input<T> {
    /// The same result with its error as [`Failure::Input`].
    ///
    /// # Errors
    /// [`Failure::Input`].
    fn input(self) -> Result<T, Failure>;
}

impl<T, E: Into<anyhow::Error>> Input<T> for Result<T, E> {
    fn input(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::Input(error.into()))
    }
}
