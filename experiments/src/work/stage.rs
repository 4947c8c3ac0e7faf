//! The stage in work: the pieces that are to be made before the run can go on.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewright_engine::input_file;
use tilewright_train::journal::WORK;

use super::job::Job;
use super::merge_lock::is_merging;
use crate::failure::Failure;

const FILE: &str = "stage.json";

/// `stage.json`.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The number, from 1.
    pub number: u64,
    /// Whether the job is finished; then there are no pieces.
    pub is_finished: bool,
    /// Jobs of shards that do not need each other.
    pub groups: Vec<Group>,
}

/// The pieces of one job of shards.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The part of a study that makes them; empty for another run.
    pub part: String,
    /// The folder of the run, relative to that of the job.
    pub folder: String,
    /// The name of the job of shards.
    pub shards: String,
    /// The pieces.
    pub pieces: Vec<StoredPiece>,
}

/// A piece: one shard.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPiece {
    /// The number in the job of shards.
    pub number: u64,
    /// The name of its work file.
    pub file: String,
    /// The number of units, such as games.
    pub units: u64,
}

impl Stage {
    /// The stage of a job.
    pub fn read(job: &Job) -> Result<Stage, Failure> {
        let file = job.folder.join(FILE);
        let bytes = input_file::read(&file).map_err(|error| {
            Failure::input(format!("{}: {error}; the job was not planned to the end: plan it again", file.display()))
        })?;
        serde_json::from_slice(&bytes).map_err(|error| {
            Failure::input(format!("{} is damaged ({error}); tilewright work merge makes it again", file.display()))
        })
    }

    /// Whether this is the stage in work, and nobody is merging it.
    pub fn is_in_work(&self, job: &Job) -> bool {
        // A merge that begins after the first look needs every piece, and one that has ended has written another stage.
        !is_merging(job) && Stage::read(job).is_ok_and(|stage| stage.is_same(self))
    }

    /// Whether another stage is this one: it has the same number, and the job has not been finished since.
    pub fn is_same(&self, other: &Stage) -> bool {
        (self.number, self.is_finished) == (other.number, other.is_finished)
    }

    pub fn write(&self, job: &Job) -> Result<(), Failure> {
        job.write(FILE, self)
    }

    /// All pieces in order, with their groups; the place in it is the number of a piece in the stage.
    pub fn pieces(&self) -> impl Iterator<Item = (&Group, &StoredPiece)> {
        self.groups.iter().flat_map(|group| group.pieces.iter().map(move |piece| (group, piece)))
    }

    /// The number of pieces.
    pub fn len(&self) -> u64 {
        self.groups.iter().map(|group| group.pieces.len() as u64).sum()
    }
}

impl Group {
    /// The path of a piece's work file.
    pub fn path(&self, job: &Job, piece: &StoredPiece) -> PathBuf {
        job.folder.join(self.place(piece))
    }

    /// The place of a piece's work file in the folder of the job.
    pub fn place(&self, piece: &StoredPiece) -> String {
        format!("{}/{WORK}/{}", self.folder, piece.file)
    }
}
