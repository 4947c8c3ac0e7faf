//! The place of a failure in a dictionary.

use std::path::Path;

use crate::failure::Failure;

/// Adds the file and the line, which is 1-based, to a failure.
pub fn in_line(file: &Path, line: usize) -> impl Fn(Failure) -> Failure {
    move |failure| failure.within(&format!("{}, line {line}", file.display()))
}
