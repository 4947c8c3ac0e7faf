//! The sharded loops of a run. This process reads back a shard, makes it, leaves it to another, or reports it missing.

use std::ops::Range;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::hash::sha256;
use tilewright_engine::input_file::limits;

use super::Journal;
use super::failure::JournalError;
use super::scheduler::{Fault, Role, Scheduled, Shard, ShardJob, UnusableShard};

/// The role of this process in a job, with the scheduler that gave it, or `None` if the run is not shared.
type Share<'a> = Option<(Role, &'a Scheduled)>;

impl Journal<'_> {
    /// Passes the shards of a job to `take` in order, with their numbers. Each is read back, or made and stored. The journal
    /// advances the monitor for shards that it reads back, `make` for the others. `make` must not stop early.
    ///
    /// # Errors
    /// As [`Journal::shard`], and [`JournalError::ShardsMissing`] if shards are missing that other processes make.
    pub fn each<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        identity: &str,
        make: impl Fn(Range<u64>) -> T,
        take: impl FnMut(u64, T),
    ) -> Result<(), JournalError> {
        self.each_unless_stopped(job, identity, |units| Ok(Some(make(units))), take)
    }

    /// Like [`Journal::each`], with a `make` that may stop early. If it does, it returns `None`, and nothing is stored.
    ///
    /// # Errors
    /// As [`Journal::each`] and `make`, and [`JournalError::Interrupted`] if `make` returned `None`.
    pub fn each_unless_stopped<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        identity: &str,
        make: impl Fn(Range<u64>) -> Result<Option<T>, JournalError>,
        take: impl FnMut(u64, T),
    ) -> Result<(), JournalError> {
        let one = |share: Share<'_>, number| self.shard_as(share, job, number, identity, &make);
        self.share_out(job, one, take)
    }

    /// Passes the shards of a job to `take` in order. In a shared run, does the part of this process.
    fn share_out<T, E: From<JournalError>>(
        &self,
        job: &ShardJob<'_>,
        one: impl Fn(Share<'_>, u64) -> Result<Option<T>, E>,
        mut take: impl FnMut(u64, T),
    ) -> Result<(), E> {
        let share = self.share(job);
        let mut missing = 0;
        match share {
            None | Some((Role::Coordinator, _)) => {
                for number in 0..job.shards() {
                    match one(share, number)? {
                        Some(value) => take(number, value),
                        None => missing += 1,
                    }
                }
            }
            Some((Role::Worker, scheduled)) => {
                while let Some(number) = scheduled.scheduler.next() {
                    one(share, number)?;
                }
                missing = 1;
            }
            Some((Role::Bystander, _)) => missing = 1,
        }
        if missing > 0 { Err(JournalError::ShardsMissing { missing }.into()) } else { Ok(()) }
    }

    /// The next shard of a loop that ends with [`Journal::has_enough`]. The caller expects to ask for `ahead` shards more.
    /// If the shard is missing in a shared run, the coordinator asks for the others now, and [`JournalError::ShardsMissing`]
    /// ends the run for the time being. A worker goes on as soon as it is there. `make` may stop early and return `None`.
    ///
    /// # Errors
    /// As [`Journal::each_unless_stopped`].
    pub fn next_shard<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        (number, ahead): (u64, u64),
        identity: &str,
        make: impl Fn(Range<u64>) -> Option<T>,
    ) -> Result<T, JournalError> {
        let share = self.share(job);
        let one = |number| self.shard_as(share, job, number, identity, |units| Ok(make(units)));
        let missing = || JournalError::ShardsMissing { missing: 1 };
        match share {
            None | Some((Role::Coordinator, _)) => {
                if let Some(value) = one(number)? {
                    return Ok(value);
                }
                (number + 1..job.shards().min(number + 1 + ahead)).try_for_each(|number| one(number).map(drop))?;
                Err(missing())
            }
            Some((Role::Worker, scheduled)) => {
                let shard = Shard::new(job, number, identity);
                loop {
                    if let Some(value) = self.read(&shard.name, &shard.identity)? {
                        return Ok(value);
                    }
                    one(scheduled.scheduler.next().ok_or_else(missing)?)?;
                }
            }
            Some((Role::Bystander, _)) => Err(missing()),
        }
    }

    /// The error of a shard that no run of this key can have made, although its checksum is right.
    pub fn strange_shard(&self, job: &ShardJob<'_>, number: u64) -> JournalError {
        self.strange_file(&Shard::new(job, number, "").name)
    }

    /// The error of a work file that no run of this key can have made, although its checksum is right.
    pub fn strange_file(&self, name: &str) -> JournalError {
        let path = self.store.as_ref().map_or_else(|| PathBuf::from(name), |store| store.work.place(name));
        JournalError::OtherWorkFile { path }
    }

    /// Ends a job whose shards were asked for one after the other: it needs no further shard.
    ///
    /// # Errors
    /// [`JournalError::ShardsMissing`] in a worker, which leaves the rest of the run to the coordinator.
    pub fn has_enough(&self, job: &ShardJob<'_>) -> Result<(), JournalError> {
        match self.share(job) {
            None | Some((Role::Coordinator, _)) => return Ok(()),
            Some((Role::Worker, scheduled)) => scheduled.scheduler.has_enough(),
            Some((Role::Bystander, _)) => {}
        }
        Err(JournalError::ShardsMissing { missing: 0 })
    }

    /// One shard of a job, by number from 0, as [`Journal::each`] makes it, or `None` if another process has to make it.
    ///
    /// # Errors
    /// As [`Journal::read`] and [`Journal::write`], and [`JournalError::Interrupted`] if a stop was requested before.
    pub fn shard<T: Serialize + DeserializeOwned>(
        &self,
        job: &ShardJob<'_>,
        number: u64,
        identity: &str,
        make: impl FnOnce(Range<u64>) -> T,
    ) -> Result<Option<T>, JournalError> {
        self.shard_as(self.share(job), job, number, identity, |units| Ok(Some(make(units))))
    }

    fn shard_as<T: Serialize + DeserializeOwned>(
        &self,
        share: Share<'_>,
        job: &ShardJob<'_>,
        number: u64,
        identity: &str,
        make: impl FnOnce(Range<u64>) -> Result<Option<T>, JournalError>,
    ) -> Result<Option<T>, JournalError> {
        let shard = Shard::new(job, number, identity);
        let read = || self.read(&shard.name, &shard.identity);
        let make = || make(shard.units.clone())?.map(|made| self.write(&shard.name, &shard.identity, &made)).transpose();
        self.read_or_make(share, (job, number, &shard), read, make)
    }

    /// Like [`Journal::each`], for shards that are result files: the bytes that `make` returns go to `NAME-00000.EXTENSION`
    /// in the run's folder, and a receipt with their checksum to `work/`. `take` receives the names of the files and their
    /// checksums (SHA-256). `make` may stop early and return `None`.
    ///
    /// # Errors
    /// The errors of [`Journal::each_unless_stopped`] and `make`.
    pub fn each_file<E: From<JournalError>>(
        &self,
        job: &ShardJob<'_>,
        extension: &str,
        identity: &str,
        make: impl Fn(Range<u64>) -> Result<Option<Vec<u8>>, E>,
        mut take: impl FnMut(String, String),
    ) -> Result<(), E> {
        let one = |share: Share<'_>, number| -> Result<Option<(String, String)>, E> {
            let shard = Shard::new(job, number, identity);
            let file = format!("{}.{extension}", shard.name);
            let read = || self.read_file(&shard, &file);
            let make = || -> Result<Option<String>, E> {
                let Some(bytes) = make(shard.units.clone())? else { return Ok(None) };
                Ok(Some(self.write_file(&shard, &file, &bytes)?))
            };
            let checksum = self.read_or_make(share, (job, number, &shard), read, make)?;
            Ok(checksum.map(|checksum| (file, checksum)))
        };
        self.share_out(job, one, |_, (file, checksum)| take(file, checksum))
    }

    fn share(&self, job: &ShardJob<'_>) -> Share<'_> {
        let (store, scheduled) = (self.store.as_ref()?, self.opening.scheduled.as_ref()?);
        Some((scheduled.scheduler.role(store.folder.path(), job.name), scheduled))
    }

    /// A shard, read back or made and stored. A coordinator makes no shard: it reports an unusable one, and gets `None`.
    fn read_or_make<T, E: From<JournalError>>(
        &self,
        share: Share<'_>,
        (job, number, shard): (&ShardJob<'_>, u64, &Shard),
        read: impl FnOnce() -> Result<Option<T>, JournalError>,
        make: impl FnOnce() -> Result<Option<T>, E>,
    ) -> Result<Option<T>, E> {
        let read = || -> Result<Option<T>, JournalError> {
            let found = read()?;
            if found.is_some() {
                self.monitor().advance(shard.units.end - shard.units.start);
            }
            Ok(found)
        };
        let (Some(store), Some((Role::Coordinator, Scheduled { scheduler, label }))) = (&self.store, share) else {
            if let Some(found) = read()? {
                return Ok(Some(found));
            }
            self.check_stop()?;
            return Ok(Some(make()?.ok_or_else(|| self.interrupted())?));
        };
        let is_there = store.work.has(&shard.name);
        let fault = match read() {
            Ok(None) if is_there => Fault::Torn,
            Ok(None) => Fault::Missing,
            Err(JournalError::OtherWorkFile { .. }) => Fault::Mismatched,
            found => return Ok(found?),
        };
        let (folder, file) = (store.folder.path(), &*shard.name);
        scheduler.report(UnusableShard { label, folder, job: job.name, number, file, fault });
        Ok(None)
    }

    /// The checksum of a result file that matches its receipt, or `None` if the file must be made.
    fn read_file(&self, shard: &Shard, file: &str) -> Result<Option<String>, JournalError> {
        let Some(store) = &self.store else { return Ok(None) };
        let receipt_is_there = store.work.has(&shard.name);
        let receipt: Option<String> = self.read(&shard.name, &shard.identity)?;
        let Some(bytes) = store.folder.read(file, limits::TABLE)? else { return Ok(None) };
        let whole = receipt.as_ref().is_some_and(|checksum| *checksum == sha256(&bytes));
        // A damaged receipt has been reported already.
        if !whole && (receipt.is_some() || !receipt_is_there) {
            let path = store.folder.place(file);
            self.monitor().warn(&format!("{} does not match its receipt; it will be rebuilt", path.display()));
        }
        Ok(receipt.filter(|_| whole))
    }

    /// Writes a result file and its receipt. The receipt comes first, so that this run never leaves a file without a
    /// receipt. In a shared run it comes last, because it tells the other processes that the shard is there.
    fn write_file(&self, shard: &Shard, file: &str, bytes: &[u8]) -> Result<String, JournalError> {
        let receipt = || self.write(&shard.name, &shard.identity, &sha256(bytes));
        let Some(store) = &self.store else { return receipt() };
        if self.is_shared() {
            store.folder.write(file, bytes)?;
            return receipt();
        }
        let checksum = receipt()?;
        store.folder.write(file, bytes)?;
        Ok(checksum)
    }
}
