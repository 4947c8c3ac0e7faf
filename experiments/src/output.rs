//! Output of results: text on standard output, and the files that flags name.

use std::fmt::{self, Arguments, Display};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use flate2::{Compression, GzBuilder};
use serde::Serialize;
use tilewright_engine::folder::{Folder, GrowingFile, write_atomically};

use crate::failure::Failure;
use crate::status::{status, visible};

mod document;

use document::Document;
pub use document::{form_of, of_verb};

/// The lines of [`say!`] that [`captured`] keeps from standard output.
static CAPTURED: Mutex<Option<String>> = Mutex::new(None);
/// Whether a result was printed as JSON, which takes the place of all text.
static JSON_PRINTED: AtomicBool = AtomicBool::new(false);
/// Whether standard output takes no more.
static LOST: AtomicBool = AtomicBool::new(false);

/// Does work whose results are not printed, because somebody else reports them. Returns the text, too.
pub fn captured<T>(work: impl FnOnce() -> T) -> (T, String) {
    let swap = |text| std::mem::replace(&mut *CAPTURED.lock().unwrap_or_else(PoisonError::into_inner), text);
    let before = swap(Some(String::new()));
    let done = work();
    (done, swap(before).unwrap_or_default())
}

/// Prints a line, unless a result was printed as JSON before. If standard output takes no more, this line and all later ones
/// are lost: its reader has gone away (`| head`) or its disk is full. The work goes on, and [`exit_code`] tells.
pub fn print_line(text: Arguments<'_>) {
    if let Some(kept) = &mut *CAPTURED.lock().unwrap_or_else(PoisonError::into_inner) {
        *kept += &format!("{text}\n");
        return;
    }
    if [&JSON_PRINTED, &LOST].into_iter().any(|reason| reason.load(Ordering::Relaxed)) {
        return;
    }
    if let Err(error) = writeln!(std::io::stdout().lock(), "{}", visible(&text.to_string())) {
        lost(&error);
    }
}

/// Notes that standard output takes no more.
pub fn lost(error: &std::io::Error) {
    LOST.store(true, Ordering::Relaxed);
    if error.kind() != ErrorKind::BrokenPipe {
        status!("error: cannot write to standard output, the rest is lost: {error}");
    }
}

/// The exit code of the process, from the code of its work: failure if a part of standard output was lost.
pub fn exit_code(of_work: ExitCode) -> ExitCode {
    if of_work == ExitCode::SUCCESS && LOST.load(Ordering::Relaxed) { ExitCode::FAILURE } else { of_work }
}

/// Prints a line to standard output, as [`print_line`] does.
macro_rules! say {
    ($($part:tt)*) => { $crate::output::print_line(format_args!($($part)*)) };
}
pub(crate) use say;

/// Writes a result as JSON to the file of `--json`, and prints it as text even if it cannot be written. With `--json -` it prints the
/// JSON in the place of the text.
pub fn show(result: &(impl Display + Serialize), json: NewFile<'_>) -> Result<(), Failure> {
    show_as(result, result, json)
}

/// Like [`show`], for a result that does not hold its text.
pub fn show_as(text: impl Display, result: &impl Serialize, json: NewFile<'_>) -> Result<(), Failure> {
    let written = json.write_json(result);
    if !json.is_standard_output() {
        say!("{text}");
    }
    written
}

/// Writes a result as JSON, prints it, and writes its page to the file of `--html`, which is made only if the flag is given. It is printed
/// even if a file cannot be written.
pub fn show_and_page(
    result: &(impl Display + Serialize),
    json: NewFile<'_>,
    html: NewFile<'_>,
    page: impl FnOnce() -> Result<String, Failure>,
) -> Result<(), Failure> {
    let written = if html.path().is_some() { page().and_then(|page| html.write(page.as_bytes())) } else { Ok(()) };
    written.and(show(result, json))
}

/// Writes a result as text to the file of `--out` and as JSON to the file of `--json`. Prints it even if that fails.
pub fn show_in(result: &(impl Display + Serialize), out: NewFile<'_>, json: NewFile<'_>) -> Result<(), Failure> {
    let written = out.write(format!("{result}\n").as_bytes());
    written.and(show(result, json))
}

/// The widest column of text, in characters. A longer text moves the rest of its own line alone.
const WIDEST: usize = 200;

/// The width of a column of text: the length of its longest text, at least `least`.
pub fn width<'a>(least: usize, texts: impl IntoIterator<Item = &'a String>) -> usize {
    texts.into_iter().map(|text| text.chars().count()).max().unwrap_or(0).min(WIDEST).max(least)
}

/// A written file with its content.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Written<C> {
    path: String,
    bytes: usize,
    #[serde(flatten)]
    content: C,
    /// The content in words.
    #[serde(skip)]
    text: String,
}

impl<C> Display for Written<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, {:.2} MB", self.path, self.text, self.bytes as f64 / 1e6)
    }
}

/// The output file of a flag, if the flag is given. It is checked before the work and written after it, and an existing
/// file is never overwritten.
#[derive(Clone, Copy, Debug)]
pub struct NewFile<'a> {
    path: Option<&'a Path>,
    /// Whether a file that exists may be replaced.
    replaces: bool,
}

impl<'a> NewFile<'a> {
    /// Checks that the file can be written.
    ///
    /// # Errors
    /// [`Failure::Input`] if the file exists, or if its folder does not exist or is not writable.
    pub fn new(path: Option<&'a Path>) -> Result<NewFile<'a>, Failure> {
        let new = NewFile { path, replaces: false };
        let Some(file) = path else { return Ok(new) };
        if new.is_standard_output() {
            return Ok(new);
        }
        new.check_absent(file)?;
        let cannot = |error| Failure::input(format!("cannot write {error}"));
        Folder::of_file(file).and_then(|(folder, _)| folder.clear_temporary()).map_err(cannot)?;
        GrowingFile::new(file).map_err(cannot)?;
        Ok(new)
    }

    /// A file without a check. The caller checks it before writing.
    pub fn unchecked(path: Option<&'a Path>) -> NewFile<'a> {
        NewFile { path, replaces: false }
    }

    /// Like [`NewFile::new`], but a file that `is_own` accepts is replaced: the same work left it when it was stopped.
    pub fn new_or_own(path: Option<&'a Path>, is_own: impl Fn(&Path) -> bool) -> Result<NewFile<'a>, Failure> {
        match path {
            Some(file) if file.is_file() && is_own(file) => Ok(NewFile { path, replaces: true }),
            path => NewFile::new(path),
        }
    }

    pub fn path(self) -> Option<&'a Path> {
        self.path
    }

    pub fn write(self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        if self.is_standard_output() {
            say!("{}", String::from_utf8_lossy(bytes).trim_end());
            return Ok(());
        }
        self.check_absent(path)?;
        write_atomically(path, bytes)?;
        Ok(())
    }

    /// Refuses to overwrite a file, which the work itself may have made since the first check.
    pub fn check_absent(self, path: &Path) -> Result<(), Failure> {
        if self.replaces || !path.exists() {
            return Ok(());
        }
        let path = path.display();
        Err(Failure::input(format!("{path} already exists and is never overwritten; choose another name")))
    }

    /// Whether the file is standard output, whose name is `-`.
    pub fn is_standard_output(self) -> bool {
        self.path.is_some_and(|path| path.as_os_str() == "-")
    }

    /// Writes a value as JSON, to standard output as one line.
    pub fn write_json(self, value: &impl Serialize) -> Result<(), Failure> {
        let value = &Document::new(value);
        match self.path {
            Some(_) if self.is_standard_output() => {
                say!("{}", serde_json::to_string(value)?);
                JSON_PRINTED.store(true, Ordering::Relaxed);
                Ok(())
            }
            Some(_) => self.write((serde_json::to_string_pretty(value)? + "\n").as_bytes()),
            None => Ok(()),
        }
    }

    /// Begins a file of JSON lines. It stays if the work ends early.
    pub fn begin_lines(self) -> Result<JsonLines, Failure> {
        let begin = |path: &Path| {
            let made = File::create_new(path);
            made.map_err(|error| Failure::input(format!("cannot write {}: {error}", path.display())))
        };
        Ok(JsonLines(self.path.filter(|_| !self.is_standard_output()).map(begin).transpose()?))
    }

    /// Writes the file, gzipped if its name ends in `.gz`, or `None` without the flag. `text` is the content in words.
    pub fn export<C>(self, bytes: Vec<u8>, content: C, text: String) -> Result<Option<Written<C>>, Failure> {
        let Some(path) = self.path else { return Ok(None) };
        let bytes = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            // The header has no name and no time, so that the same content gives the same bytes.
            let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
            encoder.write_all(&bytes)?;
            encoder.finish()?
        } else {
            bytes
        };
        self.write(&bytes)?;
        Ok(Some(Written { path: path.display().to_string(), bytes: bytes.len(), content, text }))
    }
}

/// Results as JSON lines, in a file or on standard output. Nothing is held back: a reader sees each line at once.
pub struct JsonLines(Option<File>);

impl JsonLines {
    /// Adds a result.
    pub fn add(&mut self, result: &impl Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(&Document::new(result))?;
        match &mut self.0 {
            Some(file) => file.write_all((line + "\n").as_bytes())?,
            None => say!("{line}"),
        }
        Ok(())
    }
}

/// The format of a file by its name: the result of `named` for its extension in lower case, not counting `.gz`. `format`
/// overrides it.
///
/// # Errors
/// [`Failure::Input`] for an unknown extension. `known` lists the known ones.
pub fn format_of<F>(path: &Path, format: Option<F>, known: &str, named: impl Fn(&str) -> Option<F>) -> Result<F, Failure> {
    let name = path.to_string_lossy().to_lowercase();
    let extension = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.').map_or("", |(_, extension)| extension);
    format.or_else(|| named(extension)).ok_or_else(|| {
        Failure::input(format!("{}: the name does not say the format; use {known}, or add --format", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Figures {
        figure: u32,
    }

    #[test]
    fn a_file_that_the_work_itself_makes_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        let file = NewFile::new(Some(&path)).unwrap();
        std::fs::write(&path, "made meanwhile").unwrap();
        assert!(matches!(file.write_json(&Figures { figure: 1 }), Err(Failure::Input(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "made meanwhile");
        let own = NewFile::new_or_own(Some(&path), |_| true).unwrap();
        own.write_json(&Figures { figure: 1 }).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\n  \"schema\": \"tilewright//1\",\n  \"figure\": 1\n}\n");
    }
}
