//! The workers that stay with a job: each has a file with the number of its threads, locked as long as it lives.
//!
//! When one of them merges, the others wait, so it may use the threads of all workers of its machine.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use tilewright_engine::input_file;

use super::flags::ProcessFlags;
use super::job::Job;
use super::tasks;
use crate::failure::Failure;

const FOLDER: &str = "workers";
/// The stack of the threads, in bytes: that of the main thread, on which commands otherwise run.
const STACK: usize = 8 << 20;

/// A worker's own file.
pub struct Presence {
    path: PathBuf,
    _file: File,
}

impl Presence {
    /// Says that this process works on the job.
    pub fn new(job: &Job, process: &ProcessFlags) -> Result<Presence, Failure> {
        let folder = job.folder.join(FOLDER);
        std::fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{}-{}", tasks::host(), std::process::id()));
        let mut file = File::create(&path)?;
        file.lock()?;
        write!(file, "{}", own_threads(process))?;
        Ok(Presence { path, _file: file })
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        // A file that stays has no lock, and is not counted.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The threads of this process.
fn own_threads(process: &ProcessFlags) -> usize {
    process.threads.map_or_else(cores, usize::from)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The threads of all workers of this machine, at most one for each core.
fn threads_here(job: &Job) -> usize {
    let Ok(folder) = std::fs::read_dir(job.folder.join(FOLDER)) else { return 0 };
    let prefix = format!("{}-", tasks::host());
    let threads = |entry: std::io::Result<std::fs::DirEntry>| -> Option<usize> {
        let entry = entry.ok().filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))?;
        if File::open(entry.path()).ok()?.try_lock_shared().is_ok() {
            // It was killed. If it has not had the time to lock its file, it is only not counted.
            let _ = std::fs::remove_file(entry.path());
            return None;
        }
        input_file::read_text(&entry.path()).ok()?.parse().ok()
    };
    folder.filter_map(threads).sum::<usize>().min(cores())
}

/// Does work with the threads of this process, on one of them: work that goes back and forth between threads loses what their cores have
/// cached.
pub fn with_own_threads<T: Send>(
    process: &ProcessFlags,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    with_threads(own_threads(process), work)
}

/// Does work while the other workers wait, with their threads too.
pub fn with_all_threads<T: Send>(
    job: &Job,
    process: &ProcessFlags,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let threads = threads_here(job);
    if threads <= own_threads(process) { work() } else { with_threads(threads, work) }
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build()?.install(work)
}
