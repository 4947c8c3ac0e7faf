//! Sharded jobs: loops over units, with one work file per shard.

use std::ops::Range;

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
        // A job of another program may name a shard beyond the end of the loop. It is empty.
        let first = number.saturating_mul(size).min(job.units);
        let units = first..first.saturating_add(size).min(job.units);
        Shard { name: format!("{}-{number:05}", job.name), identity: format!("{identity} {units:?}"), units }
    }
}
