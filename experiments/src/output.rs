//! Results on standard output, and in a file where one is asked for.

use std::fmt;
use std::io::{ErrorKind, Write};
use std::path::Path;

use tilewright_engine::artefact::write_atomically;

use crate::failure::Failure;
use crate::folder::check_new_file;

/// Prints a line. A reader that has gone away (`| head`) ends the program quietly: nobody is left to tell.
pub fn print_line(text: fmt::Arguments<'_>) {
    let mut output = std::io::stdout().lock();
    match writeln!(output, "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        _ => {}
    }
}

/// Prints a line to standard output; see [`print_line`].
macro_rules! say {
    ($($part:tt)*) => { $crate::output::print_line(format_args!($($part)*)) };
}
pub(crate) use say;

/// A page of results, printed and written at its end.
pub struct Page<'a> {
    text: String,
    out: Option<&'a Path>,
}

impl<'a> Page<'a> {
    /// A page that will be printed, and written to `out` if it is given; fails at once if that file cannot be made.
    pub fn new(out: Option<&'a Path>) -> Result<Page<'a>, Failure> {
        out.map(check_new_file).transpose()?;
        Ok(Page { text: String::new(), out })
    }

    /// Adds a line.
    pub fn line(&mut self, line: impl fmt::Display) {
        self.text += &format!("{line}\n");
    }

    /// Prints and writes the page.
    pub fn finish(self) -> Result<(), Failure> {
        if let Some(out) = self.out {
            write_atomically(out, self.text.as_bytes())?;
        }
        print_line(format_args!("{}", self.text.trim_end_matches('\n')));
        Ok(())
    }
}
