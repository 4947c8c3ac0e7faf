//! Runs that several processes share: what each of them does with the shards.

use std::path::Path;

use super::ShardJob;
use super::shard::Shard;

/// What this process does with the shards of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// It reads all of them, and reports those that are missing.
    Gather,
    /// It makes those that [`Crew::next`] gives it, and does nothing else.
    Make,
    /// It leaves all of them to other processes, and does not read them.
    Leave,
}

/// One process of several that share a run in one folder. Shards are made one by one by whichever process has the task; everything between
/// the jobs, such as fits, is done by the process that gathers.
pub trait Crew: Send + Sync {
    /// What this process does with the shards of a job, whose work files lie in the run folder `folder`.
    fn task(&self, folder: &Path, job: &str) -> Task;
    /// The number of the next shard of a job for this process to make, if its task is to make some; the last one is stored when this is
    /// called.
    fn next(&self, folder: &Path, job: &str) -> Option<u64>;
    /// Receives a shard that cannot be used, when this process gathers.
    fn report(&self, piece: Piece<'_>);
    /// Whether this process locks the folder for itself; otherwise it shares the lock with others.
    fn is_alone(&self) -> bool;
    /// The build of the program, on which every shard depends: those of another build are refused.
    fn build(&self) -> &str;
}

/// A shard that a process which gathers cannot use.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The folder of the run.
    pub folder: &'a Path,
    /// The name of its job.
    pub job: &'a str,
    /// Its number in the job.
    pub number: u64,
    /// The name of its work file.
    pub file: &'a str,
    /// The number of units, such as games.
    pub units: u64,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is none, or it is not complete.
    Missing,
    /// Its checksum is wrong.
    Torn,
    /// It is whole, but was made for another run, by another build, or as another shard.
    Mismatched,
}

impl<'a> Piece<'a> {
    pub(super) fn new(folder: &'a Path, job: &ShardJob<'a>, number: u64, shard: &'a Shard, fault: Fault) -> Piece<'a> {
        let units = shard.units.end - shard.units.start;
        Piece { folder, job: job.name, number, file: &shard.name, units, fault }
    }
}
