//! Sharded jobs: loops over units, with one work file per shard.

use std::ops::Range;

use super::failure::JournalError;

/// One machine's share of the shards: those whose number has the remainder `index` when divided by `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Counted from 0.
    pub index: u64,
    /// Number of parts.
    pub count: u64,
}

/// A loop over units, one shard at a time.
#[derive(Clone, Copy, Debug)]
pub struct ShardJob<'a> {
    /// The prefix of the names of its work files.
    pub name: &'a str,
    /// Units of all shards together, such as games.
    pub units: u64,
    /// Units per shard, at least 1; the last shard may be smaller.
    pub size: u64,
    /// The part whose shards are made; shards of other parts are only read. `None` makes all shards.
    pub part: Option<Part>,
}

impl ShardJob<'_> {
    /// The number of shards.
    pub fn shards(&self) -> u64 {
        self.units.div_ceil(self.size.max(1))
    }

    /// Whether this process makes shard `number` if it is missing.
    pub(super) fn makes(&self, number: u64) -> bool {
        self.part.is_none_or(|part| number % part.count == part.index)
    }

    /// Passes every shard to `take` in order; fails at the end if some are missing.
    pub(super) fn each<T, E: From<JournalError>>(
        &self,
        one: impl Fn(u64) -> Result<Option<T>, E>,
        mut take: impl FnMut(u64, T),
    ) -> Result<(), E> {
        let mut missing = 0;
        for number in 0..self.shards() {
            match one(number)? {
                Some(value) => take(number, value),
                None => missing += 1,
            }
        }
        if missing > 0 { Err(JournalError::PartDone { missing }.into()) } else { Ok(()) }
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
        let size = job.size.max(1);
        let units = number * size..((number + 1) * size).min(job.units);
        Shard { name: format!("{}-{number:05}", job.name), identity: format!("{identity} {units:?}"), units }
    }

    /// A shard of a shared run, which depends on the build of the program too.
    pub fn of_build(job: &ShardJob<'_>, number: u64, identity: &str, build: &str) -> Shard {
        Shard::new(job, number, &format!("{identity} build {build}"))
    }
}
