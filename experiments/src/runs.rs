//! Runs: requests for them as values, and the one function that runs every fit.
//!
//! A verb turns its flags and its config into a request. A request is plain data, so a job can hold it, and any process can run it.

use std::fmt::Display;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use tilewright_engine::artefact::{Artefact, ArtefactWriter, MANIFEST};
use tilewright_engine::folder::{FileError, Folder};
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file::limits;
use tilewright_engine::{Monitor, Setup};
use tilewright_train::journal::{Journal, JournalError, Opening, RUN, RunKey, Scheduled, Scheduler, StoredRun, WORK};
use tilewright_train::run::{Place, Run, RunError};
use tilewright_train::run_config::RunConfig;

use crate::fitting::{FitRequest, RunJson};
use crate::flags::{BuildFlag, PlayFlags, RunFlags};
use crate::status::status;
use crate::{Failure, Input, Memos, NewFile, Progress, loading, say};

/// The summary of a run, in its folder. Pages list the files of the folder, so a run with a page adds it before the page.
pub const SUMMARY_FILE: &str = "summary.txt";

/// Where and how a request is run. The result does not depend on it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The folder of the run, by default a new folder in `runs`.
    pub out: Option<&'a Path>,
    /// A folder that others may have handed over, in which `out` lies: links inside it are not followed.
    pub within: Option<&'a Folder>,
    pub json: NewFile<'a>,
    /// Whether a run of another build is continued.
    pub accept_other_build: bool,
    /// Whether the finished result of the same run is replaced.
    pub force: bool,
    pub programs: Programs<'a>,
    /// The scheduler of a shared run.
    pub scheduler: Option<&'a Arc<dyn Scheduler>>,
    /// The part of a study to run, for the scheduler.
    pub part: &'a str,
    /// The memos that the runs of this process share.
    pub memos: &'a Memos,
    /// Runs the words of a verb, as studies do.
    pub run_words: RunWords,
}

/// Who names the programs that play in a match (`stdio:`, `tcp:`).
#[derive(Clone, Copy)]
pub enum Programs<'a> {
    /// The command line, or a job whose programs it allows. They start.
    Named,
    /// A study. They start once that is said.
    OfStudy(&'a str),
    /// A job of somebody else. They do not start.
    Refused,
}

/// Refuses the programs that `place` names, if there are any.
pub fn refuse_programs(place: impl Display, programs: &[String]) -> Result<(), Failure> {
    if programs.is_empty() {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{place} names programs, which would run with your rights: {}; if you would start them yourself, add --allow-programs",
        programs.join(", ")
    )))
}

/// Runs the words of a verb, which do not begin with the name of the program. A run goes on as the context allows it.
pub type RunWords = fn(&[String], &Context<'_>) -> Result<(), Failure>;

impl<'a> Context<'a> {
    /// A run by one process, without files.
    pub fn new(memos: &'a Memos, run_words: RunWords) -> Context<'a> {
        Context {
            out: None,
            within: None,
            json: NewFile::unchecked(None),
            accept_other_build: false,
            force: false,
            programs: Programs::Named,
            scheduler: None,
            part: "",
            memos,
            run_words,
        }
    }

    /// The same, with the values of flags.
    ///
    /// # Errors
    /// [`Failure::Input`] for a file of `--json` that cannot be written.
    pub fn with<'f>(&self, flags: &'f RunFlags) -> Result<Context<'f>, Failure>
    where
        'a: 'f,
    {
        let out = flags.out.as_deref();
        let json = NewFile::new_or_own(flags.json.json.as_deref(), |file| is_among(&left_behind(out), file))?;
        Ok(Context { force: flags.force, ..self.with_files(out, json, flags.build) })
    }

    /// The same, with a folder and a file if they are given, and with the builds that the flag allows too.
    pub fn with_files<'f>(&self, out: Option<&'f Path>, json: NewFile<'f>, build: BuildFlag) -> Context<'f>
    where
        'a: 'f,
    {
        let json = if json.path().is_some() { json } else { self.json };
        let accept_other_build = self.accept_other_build || build.accept_other_build;
        Context { out: out.or(self.out), json, accept_other_build, ..*self }
    }

    /// Opens the journal of a run in a folder. `grows` allows to continue a finished run.
    pub fn open<'m>(
        &self,
        folder: &Path,
        key: &RunKey,
        grows: bool,
        monitor: &'m dyn Monitor,
    ) -> Result<Journal<'m>, JournalError> {
        let scheduled =
            self.scheduler.map(|scheduler| Scheduled { scheduler: Arc::clone(scheduler), label: self.part.into() });
        let within = self.within.cloned();
        let opening = Opening { monitor, within, grows, accept_other_build: self.accept_other_build, scheduled };
        Journal::open_as(folder, key, opening)
    }

    /// Opens a folder, and makes it if it is not there: inside a folder that others may have handed over, without following links.
    pub fn hold(&self, folder: &Path) -> Result<Folder, FileError> {
        let inside = self.within.and_then(|within| Some((within, within.names_to(folder)?)));
        inside.map_or_else(|| Folder::make(folder), |(within, names)| within.make_below(names))
    }

    /// The folder of a run: the folder of `--out`, or a folder in `runs`. Its name in `runs` ends in the hash of the run's
    /// key. So different runs never share a folder, and the same command finds its own again.
    pub fn folder(&self, name: &str, key: &RunKey) -> PathBuf {
        self.out.map_or_else(|| Path::new("runs").join(format!("{name}-{}", key.short_hash())), Path::to_path_buf)
    }
}

impl<C: RunConfig, M> AsRef<PlayFlags> for FitRequest<C, M> {
    fn as_ref(&self) -> &PlayFlags {
        &self.flags
    }
}

/// A request for a run of a fit or of self-play. Its flags are the game, the seed, the threads and the word map.
pub trait RunRequest: AsRef<PlayFlags> {
    type Loaded;
    type Run<'a>: Run
    where
        Self: 'a;
    /// The work of the run, for the line before it begins.
    const DOING: &'static str;

    /// Loads the inputs of the run besides the game. It may settle values that the request leaves open.
    ///
    /// # Errors
    /// [`Failure::Input`] for names and files that cannot be used.
    fn load(&mut self, setup: &Arc<Setup>, context: &Context<'_>, progress: &Progress) -> Result<Self::Loaded, Failure>;

    /// The run.
    ///
    /// # Errors
    /// [`Failure::Input`] for players that cannot be used, and for inputs that do not fit each other.
    fn run<'a>(&'a self, setup: &'a Setup, loaded: &'a Self::Loaded) -> Result<Self::Run<'a>, Failure>;

    /// The name of the default folder, without the hash.
    fn name(&self, setup: &Setup) -> String;

    fn settled_folder(_loaded: &Self::Loaded) -> Option<&Path> {
        None
    }

    /// Adds pages to the artefact, and writes the result as JSON. Then the artefact is finished. A run killed before can run again.
    fn finish(&self, finished: Finished<'_, Self::Run<'_>>, loaded: &Self::Loaded) -> Result<Told, Failure>;

    /// The place of the result, and the next command.
    fn next(&self, out: &Path, setup: &Setup, loaded: &Self::Loaded) -> String;
}

/// The result of a run in words.
pub struct Told {
    /// About ten lines, which the folder keeps. They name no times and no place.
    pub summary: String,
    /// The times of this process.
    pub times: Option<String>,
    /// Whether the result was written as JSON.
    pub written: Result<(), Failure>,
}

pub struct Finished<'a, R: Run> {
    pub run: &'a R,
    pub outcome: R::Outcome,
    /// The artefact without its pages, if the outcome is one.
    pub artefact: Option<&'a mut ArtefactWriter>,
    /// The first keys of its JSON.
    pub json: RunJson,
    pub file: NewFile<'a>,
}

/// Runs a request: loads its inputs, opens its journal, does the work, and shows the result.
pub fn run<Q: RunRequest>(mut request: Q, context: &Context<'_>) -> Result<(), Failure> {
    let flags = request.as_ref().clone();
    let quiet = flags.common.game.quiet;
    let setup = loading::start(&flags, context.memos)?;
    let progress = Progress::new(quiet);
    let loaded = request.load(&setup, context, &progress)?;
    let run = request.run(&setup, &loaded)?;
    let key = run.key();
    let out = Q::settled_folder(&loaded).map_or_else(|| context.folder(&request.name(&setup), &key), Path::to_path_buf);
    if context.force {
        forget(&out, &key)?;
    }
    let journal = match context.open(&out, &key, false, &progress) {
        Err(JournalError::Finished { folder }) if folder == out => {
            progress.finish();
            return tell_again((&out, &key), context, &request.next(&out, &setup, &loaded), quiet);
        }
        journal => journal?,
    };
    if !quiet && context.scheduler.is_none() {
        status!("{} in {}", Q::DOING, out.display());
    }
    say_resumed(&out, quiet);
    let outcome = run.execute(&journal);
    if outcome.is_err() {
        progress.finish();
    }
    // A folder other than the folder of the run is the folder of candidate sets.
    let is_of_sets = |error: &JournalError| error.misfit().is_some_and(|place| !place.starts_with(&out));
    let outcome = outcome.map_err(|error| {
        let of_sets = matches!(&error, RunError::Journal(error) if is_of_sets(error));
        Failure::of_folder(error, if of_sets { "--cache" } else { "--out" })
    })?;
    let place = journal.folder().zip(journal.key()).map(|(folder, key)| Place { folder, key });
    let mut artefact = place.map_or(Ok(None), |place| run.write(&outcome, place))?;
    progress.finish();
    let json = RunJson::new(&out, &setup, run.seed());
    let finished = Finished { run: &run, outcome, artefact: artefact.as_mut(), json, file: context.json };
    if let Some(file) = context.json.path().filter(|_| context.within.is_none()) {
        begin_outputs(&journal, &[file])?;
    }
    let Told { summary, times, written } = request.finish(finished, &loaded)?;
    if let Some(artefact) = artefact.as_mut().filter(|artefact| !artefact.manifest().files.contains_key(SUMMARY_FILE)) {
        artefact.add(SUMMARY_FILE, &summary)?;
    }
    say!("{summary}");
    if let Some(times) = times {
        say!("{times}");
    }
    say!("{}", request.next(&out, &setup, &loaded));
    written?;
    artefact.map_or(Ok(()), ArtefactWriter::finish)?;
    end_outputs(&journal);
    Ok(())
}

/// Removes the finished result of this run, by whatever build, so that it begins anew.
fn forget(out: &Path, key: &RunKey) -> Result<(), Failure> {
    let stored = StoredRun::open(out).ok().flatten();
    if out.join(MANIFEST).exists() && stored.is_some_and(|stored| stored.key.difference(key).is_none()) {
        let folder = Folder::open(out)?;
        folder.remove(MANIFEST)?;
        folder.remove_folder(WORK)?;
    }
    Ok(())
}

/// Prints the stored result of a finished run.
fn tell_again((out, key): (&Path, &RunKey), context: &Context<'_>, next: &str, quiet: bool) -> Result<(), Failure> {
    let finished = || JournalError::Finished { folder: out.into() };
    let stored = StoredRun::open(out).ok().flatten();
    if let Some((what, difference)) = stored.as_ref().and_then(|stored| stored.key.difference(key)) {
        return Err(Failure::of_folder(JournalError::OtherRun { folder: out.into(), what, difference }, "--out"));
    }
    if stored.is_none() || context.scheduler.is_some() || context.within.is_some() {
        return Err(Failure::of_folder(finished(), "--out"));
    }
    if context.json.path().is_some() {
        let out = out.display();
        return Err(Failure::input(format!(
            "{out} holds the finished run, and --json needs a new one: add --force to replace it"
        )));
    }
    let artefact = Artefact::read_any(out).input()?;
    if !artefact.manifest().files.contains_key(SUMMARY_FILE) {
        return Err(Failure::of_folder(finished(), "--out"));
    }
    let summary = artefact.payload(SUMMARY_FILE).input()?;
    if !quiet {
        status!("{} is finished; --force runs it again", out.display());
    }
    say!("{}\n{next}", String::from_utf8_lossy(&summary));
    Ok(())
}

/// Says that a run goes on, if its folder has finished work.
pub fn say_resumed(folder: &Path, quiet: bool) {
    let entries = std::fs::read_dir(folder.join(WORK)).into_iter().flatten().flatten();
    let stored = entries.filter(|entry| entry.file_name() != RUN).count();
    if stored > 0 && !quiet {
        status!("resuming: {stored} {} stored", if stored == 1 { "work file is" } else { "work files are" });
    }
}

/// The list of files that a run writes outside its folder, until the folder is finished. The list is in the user's cache,
/// because somebody else may have written the folder.
fn outputs(folder: &Path, key: &RunKey) -> Option<(Folder, String)> {
    let run = format!("{} {}", absolute(folder).ok()?.display(), key.hash());
    Some((Folder::make(&loading::cache_folder()?).ok()?, format!("outputs-{}", sha256(run.as_bytes()))))
}

fn outputs_of(journal: &Journal<'_>) -> Option<(Folder, String)> {
    outputs(journal.folder()?.path(), journal.key()?)
}

/// Says that the run is about to write these files: if it ends before its folder is finished, it may replace them. Returns whether it may.
pub fn begin_outputs(journal: &Journal<'_>, paths: &[&Path]) -> Result<bool, Failure> {
    let names: Vec<PathBuf> = paths.iter().filter_map(|path| absolute(path).ok()).collect();
    let Some((cache, name)) = outputs_of(journal).filter(|_| !names.is_empty()) else { return Ok(false) };
    let names = serde_json::to_string(&names)?;
    // A killed process may have left files there.
    let _ = cache.clear_temporary();
    // Without it, the next run refuses the files by name.
    Ok(cache.write(&name, names.as_bytes()).is_ok())
}

/// Says that the folder is finished: its files stay.
pub fn end_outputs(journal: &Journal<'_>) {
    if let Some((cache, name)) = outputs_of(journal) {
        let _ = cache.remove(&name);
    }
}

/// The files that a run in this folder wrote before it was killed with the folder unfinished.
pub fn left_behind(out: Option<&Path>) -> Vec<PathBuf> {
    let names = || {
        let out = out.filter(|out| !out.join(MANIFEST).exists())?;
        let (cache, name) = outputs(out, &StoredRun::open(out).ok()??.key)?;
        serde_json::from_slice(&cache.read(&name, limits::JSON).ok()??).ok()
    };
    names().unwrap_or_default()
}

/// Whether a file is among some that were left behind.
pub fn is_among(left: &[PathBuf], path: &Path) -> bool {
    absolute(path).is_ok_and(|path| left.contains(&path))
}
