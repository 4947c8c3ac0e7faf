//! Output of results: text on standard output, and the files that flags name.

use std::fmt::{Arguments, Display};
use std::io::{ErrorKind, Write};
use std::path::Path;

use flate2::{Compression, GzBuilder};
use serde::Serialize;
use tilewright_engine::artefact::write_atomically;

use crate::failure::Failure;

/// Prints a line. If the reader has closed the pipe (`| head`), the program exits with code 0.
pub fn print_line(text: Arguments<'_>) {
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

/// Writes a result as JSON to the file of `--json`, and prints it as text even if it cannot be written.
///
/// # Errors
/// The file cannot be written.
pub fn show(result: &(impl Display + Serialize), json: NewFile<'_>) -> Result<(), Failure> {
    let written = json.write_json(result);
    say!("{result}");
    written
}

/// Writes a text to the file of `--out` and prints it.
///
/// # Errors
/// The file cannot be written.
pub fn show_text(text: &str, out: NewFile<'_>) -> Result<(), Failure> {
    out.write(text.as_bytes())?;
    say!("{}", text.trim_end_matches('\n'));
    Ok(())
}

/// The output file of a flag, if the flag is given. It is checked before the work and written after it, and an existing
/// file is never overwritten.
#[derive(Clone, Copy, Debug)]
pub struct NewFile<'a> {
    path: Option<&'a Path>,
}

impl<'a> NewFile<'a> {
    /// Checks that the file can be written.
    ///
    /// # Errors
    /// [`Failure::Input`] if the file exists, or if its folder does not exist or is not writable.
    pub fn new(path: Option<&'a Path>) -> Result<NewFile<'a>, Failure> {
        let Some(file) = path else { return Ok(NewFile { path }) };
        if file.exists() {
            return Err(Failure::input(format!(
                "{} already exists and is never overwritten; choose another name",
                file.display()
            )));
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let probe = tempfile::NamedTempFile::new_in(folder);
        probe.map_err(|error| Failure::input(format!("cannot write {}: {error}", file.display())))?;
        Ok(NewFile { path })
    }

    /// Like [`NewFile::new`], but a file that `is_own` accepts is replaced: the same work left it when it was stopped.
    ///
    /// # Errors
    /// As [`NewFile::new`].
    pub fn new_or_own(path: Option<&'a Path>, is_own: impl Fn(&Path) -> bool) -> Result<NewFile<'a>, Failure> {
        match path {
            Some(file) if file.is_file() && is_own(file) => Ok(NewFile { path }),
            path => NewFile::new(path),
        }
    }

    /// The path of the file.
    pub fn path(self) -> Option<&'a Path> {
        self.path
    }

    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(self, bytes: &[u8]) -> Result<(), Failure> {
        self.path.map(|path| write_atomically(path, bytes)).transpose()?;
        Ok(())
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_json(self, value: &impl Serialize) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        write_atomically(path, (serde_json::to_string_pretty(value)? + "\n").as_bytes())?;
        Ok(())
    }

    /// Writes the file, gzipped if its name ends in `.gz`, and prints `content` and the size of the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn export(self, bytes: Vec<u8>, content: impl Display) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        let bytes = packed(path, bytes)?;
        write_atomically(path, &bytes)?;
        say!("{}: {content}, {:.2} MB", path.display(), bytes.len() as f64 / 1e6);
        Ok(())
    }
}

/// The format that the name of a file stands for: that of `named` for its extension in lower case, not counting `.gz`. `format`
/// overrides it.
///
/// # Errors
/// [`Failure::Input`] for an extension that stands for nothing; `known` lists those that do.
pub fn format_of<F>(path: &Path, format: Option<F>, known: &str, named: impl Fn(&str) -> Option<F>) -> Result<F, Failure> {
    let name = path.to_string_lossy().to_lowercase();
    let extension = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.').map_or("", |(_, extension)| extension);
    format.or_else(|| named(extension)).ok_or_else(|| {
        Failure::input(format!("{}: the name does not say the format; use {known}, or add --format", path.display()))
    })
}

/// The bytes of a file, gzipped if its name ends in `.gz`.
fn packed(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
        return Ok(bytes);
    }
    // The header has no name and no time, so that the same content gives the same bytes.
    let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
    encoder.write_all(&bytes)?;
    Ok(encoder.finish()?)
}
