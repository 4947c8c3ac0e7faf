//! The finished units of an unfinished shard. They are stored every few seconds, so a stop loses a few seconds of work.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Journal;
use super::failure::JournalError;
use super::scheduler::{Shard, ShardJob};

/// The time between two times at which they are stored. Tests do not wait.
const EVERY: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(3) };

/// The finished units of a shard.
pub struct Parts<'j, 'm, T> {
    journal: &'j Journal<'m>,
    shard: Shard,
    made: Mutex<(BTreeMap<u64, T>, Instant)>,
}

impl<'m> Journal<'m> {
    /// The units of a shard that an earlier process finished, for a `make` that stores them on its way.
    ///
    /// # Errors
    /// As [`Journal::read`].
    pub fn parts<T: DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        units: &Range<u64>,
    ) -> Result<Parts<'_, 'm, T>, JournalError> {
        let shard = part_of(job, units.start / job.size.max(1));
        let made = self.read(&shard.name, &shard.identity)?.unwrap_or_default();
        Ok(Parts { journal: self, shard, made: Mutex::new((made, Instant::now())) })
    }

    /// Forgets the units of a shard that is stored itself.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn forget_parts(&self, job: &ShardJob<'_>, number: u64) -> Result<(), JournalError> {
        let Some(store) = &self.store else { return Ok(()) };
        Ok(store.work.remove(&part_of(job, number).name)?)
    }
}

impl<T: Clone + Serialize + DeserializeOwned> Parts<'_, '_, T> {
    /// The unit with this number in the loop: an earlier process made it, or `make` does now. `None` if `make` was stopped.
    ///
    /// # Errors
    /// As [`Journal::write`].
    pub fn unit(&self, number: u64, make: impl FnOnce() -> Option<T>) -> Result<Option<T>, JournalError> {
        let made = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let known = made().0.get(&number).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let Some(unit) = make() else { return Ok(None) };
        if self.journal.store.is_some() {
            let (units, stored) = &mut *made();
            units.insert(number, unit.clone());
            if stored.elapsed() > EVERY {
                self.journal.write(&self.shard.name, &self.shard.identity, &*units)?;
                *stored = Instant::now();
            }
        }
        Ok(Some(unit))
    }
}

/// The work file of the finished units of a shard.
fn part_of(job: &ShardJob<'_>, number: u64) -> Shard {
    let shard = Shard::new(job, number, "");
    Shard { name: format!("part-of-{}", shard.name), ..shard }
}
