//! How a journal is opened, sharded jobs (loops over units, with one work file per shard), and runs that several processes share. A scheduler
//! gives each process its part of the shards.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use tilewright_engine::folder::Folder;
use tilewright_engine::monitor::Monitor;

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

/// How a journal is opened.
#[derive(Clone)]
pub struct Opening<'m> {
    /// The monitor of the run.
    pub monitor: &'m dyn Monitor,
    /// A folder that others may have handed over: a run inside it is opened without following links.
    pub within: Option<Folder>,
    /// Whether a finished run may be continued, as a match with more pairs.
    pub grows: bool,
    /// Whether work of other builds of the program is accepted.
    pub accept_other_build: bool,
    /// The scheduler of a run that several processes share.
    pub scheduled: Option<Scheduled>,
}

impl<'m> Opening<'m> {
    /// By one process, for a run of this build that ends once.
    pub fn new(monitor: &'m dyn Monitor) -> Opening<'m> {
        Opening { monitor, within: None, grows: false, accept_other_build: false, scheduled: None }
    }

    /// Whether this process has the folder to itself, or coordinates the others.
    pub(super) fn is_alone(&self) -> bool {
        self.scheduled.as_ref().is_none_or(|scheduled| scheduled.scheduler.is_alone())
    }
}

/// A loop over units, one shard at a time.
#[derive(Clone, Copy, Debug)]
pub struct ShardJob<'a> {
    /// The prefix of the names of its work files.
    pub name: &'a str,
    /// Units of all shards together, such as games.
    pub units: u64,
    /// Units per shard, at least 1. The last shard may be smaller.
    pub size: u64,
}

impl ShardJob<'_> {
    /// The number of shards.
    pub fn shards(&self) -> u64 {
        self.units.div_ceil(self.size.max(1))
    }

    /// The units of a shard. A job of another program may name a shard beyond the end of the loop. It is empty.
    pub fn units_of(&self, number: u64) -> Range<u64> {
        let first = number.saturating_mul(self.size.max(1)).min(self.units);
        first..first.saturating_add(self.size.max(1)).min(self.units)
    }
}

/// A shard of a job.
pub(super) struct Shard {
    /// The name of its work file.
    pub name: String,
    pub identity: String,
    pub units: Range<u64>,
}

impl Shard {
    pub fn new(job: &ShardJob<'_>, number: u64, identity: &str) -> Shard {
        let units = job.units_of(number);
        Shard { name: format!("{}-{number:05}", job.name), identity: format!("{identity} {units:?}"), units }
    }
}
