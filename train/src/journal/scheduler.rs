//! Runs that several processes share. A scheduler gives each process its part of the shards.

use std::path::Path;
use std::sync::Arc;

/// The part of this process in the shards of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It reads all of them, and reports missing ones.
    Coordinator,
    /// It makes the shards that [`Scheduler::next`] gives it, and does nothing else.
    Worker,
    /// It leaves all of them to other processes, and does not read them.
    Bystander,
}

/// Divides the shards of a run among processes that share its folder. Workers make single shards. The coordinator does
/// everything between the jobs, such as fits.
pub trait Scheduler: Send + Sync {
    /// The role of this process in a job, whose work files lie in the run folder `folder`.
    fn role(&self, folder: &Path, job: &str) -> Role;
    /// Whether this process locks the folder for itself. Otherwise it shares the lock with others.
    fn is_alone(&self) -> bool;
    /// The number of the next shard for a worker. The last one is stored when this is called.
    fn next(&self) -> Option<u64> {
        None
    }
    /// Tells a worker's scheduler that the job needs no further shard.
    fn has_enough(&self) {}
    /// Receives a shard that the coordinator cannot use.
    fn report(&self, _shard: UnusableShard<'_>) {}
}

/// A scheduler, and the label of the run for which it is asked.
#[derive(Clone)]
pub struct Scheduled {
    /// The scheduler.
    pub scheduler: Arc<dyn Scheduler>,
    /// The label. The journal passes it on in reports, so that a scheduler can tell the runs of a study apart.
    pub label: Arc<str>,
}

/// A shard that the coordinator cannot use.
#[derive(Clone, Copy, Debug)]
pub struct UnusableShard<'a> {
    /// The label of its run.
    pub label: &'a str,
    /// The folder of the run.
    pub folder: &'a Path,
    /// The name of its job.
    pub job: &'a str,
    /// Its number in the job.
    pub number: u64,
    /// The name of its work file.
    pub file: &'a str,
    /// Why it is unusable.
    pub fault: Fault,
}

/// Why a shard is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is none, or it is not complete.
    Missing,
    /// Its checksum is wrong.
    Torn,
    /// It is whole, but was made for another run, by another build, or as another shard.
    Mismatched,
}
