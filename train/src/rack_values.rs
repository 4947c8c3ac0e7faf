//! Rack values: what full racks turned out to be worth, tallied exactly.
//!
//! For each distinct full rack the number of turns that held it, and the sum and the sum of squares of the best equity, in
//! integers. Merging shards in any order gives the same tallies.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::hash::sha256;

const MAGIC: &[u8; 8] = b"twracks1";
const ENTRY: usize = 24;

/// What one rack turned out to be worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RackValue {
    /// The rack's number in the ranking of full racks.
    pub rack: u32,
    /// Turns that held it.
    pub count: u32,
    /// Sum of the best equities, in thousandths of a point.
    pub sum: i64,
    /// Sum of their squares.
    pub squares: u64,
}

impl RackValue {
    /// The mean best equity, in points.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / f64::from(self.count) / 1000.0
    }
}

/// Tallies of many racks, sorted by rack, each rack once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RackValues {
    entries: Vec<RackValue>,
}

/// Why a shard cannot be used.
#[derive(Debug, Error)]
pub enum ShardError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] ArtefactError),
    /// It is not what this run wrote.
    #[error("{path}: the shard is torn or of another run; delete it and run again")]
    Torn {
        /// The shard.
        path: PathBuf,
    },
}

impl RackValues {
    /// Tallies (rack, best equity in thousandths of a point), one a turn.
    pub fn tally(mut turns: Vec<(u32, i32)>) -> RackValues {
        turns.sort_unstable();
        let single = turns.into_iter().map(|(rack, equity)| {
            let equity = i64::from(equity);
            RackValue { rack, count: 1, sum: equity, squares: equity.unsigned_abs().pow(2) }
        });
        RackValues { entries: add_equal(single) }
    }

    /// All tallies together.
    pub fn merge(parts: Vec<RackValues>) -> RackValues {
        let mut entries: Vec<RackValue> = parts.into_iter().flat_map(|part| part.entries).collect();
        // Integer sums: the order among equal racks does not matter.
        entries.sort_unstable_by_key(|entry| entry.rack);
        RackValues { entries: add_equal(entries.into_iter()) }
    }

    /// The tallies, sorted by rack.
    pub fn entries(&self) -> &[RackValue] {
        &self.entries
    }

    /// Turns tallied.
    pub fn turns(&self) -> u64 {
        self.entries.iter().map(|entry| u64::from(entry.count)).sum()
    }

    /// Writes a shard under the key of its run; it appears whole or not at all.
    ///
    /// # Errors
    /// [`ShardError::File`].
    pub fn write(&self, path: &Path, key: &str) -> Result<(), ShardError> {
        let mut bytes = Vec::with_capacity(self.entries.len() * ENTRY + 200);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(sha256(key.as_bytes()).as_bytes());
        for entry in &self.entries {
            bytes.extend_from_slice(&entry.rack.to_le_bytes());
            bytes.extend_from_slice(&entry.count.to_le_bytes());
            bytes.extend_from_slice(&entry.sum.to_le_bytes());
            bytes.extend_from_slice(&entry.squares.to_le_bytes());
        }
        bytes.extend_from_slice(sha256(&bytes).as_bytes());
        Ok(write_atomically(path, &bytes)?)
    }

    /// Reads a shard that the run of this key wrote; `None` if there is no such file.
    ///
    /// # Errors
    /// [`ShardError`].
    pub fn read(path: &Path, key: &str) -> Result<Option<RackValues>, ShardError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ArtefactError::File { path: path.into(), source }.into()),
        };
        parse(&bytes, key).map(Some).ok_or_else(|| ShardError::Torn { path: path.into() })
    }
}

fn parse(bytes: &[u8], key: &str) -> Option<RackValues> {
    let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(64)?)?;
    let entries = content.strip_prefix(MAGIC)?.strip_prefix(sha256(key.as_bytes()).as_bytes())?;
    if sha256(content).as_bytes() != checksum || !entries.len().is_multiple_of(ENTRY) {
        return None;
    }
    let entries = entries.chunks_exact(ENTRY).map(|chunk| {
        Some(RackValue {
            rack: u32::from_le_bytes(chunk[..4].try_into().ok()?),
            count: u32::from_le_bytes(chunk[4..8].try_into().ok()?),
            sum: i64::from_le_bytes(chunk[8..16].try_into().ok()?),
            squares: u64::from_le_bytes(chunk[16..].try_into().ok()?),
        })
    });
    Some(RackValues { entries: entries.collect::<Option<_>>()? })
}

fn add_equal(sorted: impl Iterator<Item = RackValue>) -> Vec<RackValue> {
    let mut entries: Vec<RackValue> = Vec::new();
    for next in sorted {
        match entries.last_mut() {
            Some(last) if last.rack == next.rack => {
                last.count += next.count;
                last.sum += next.sum;
                last.squares += next.squares;
            }
            _ => entries.push(next),
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns() -> Vec<(u32, i32)> {
        (0..1000u32).map(|turn| (turn * 7919 % 97, turn as i32 * 37 % 5000 - 1000)).collect()
    }

    #[test]
    fn merging_shards_equals_tallying_at_once_in_any_order() {
        let whole = RackValues::tally(turns());
        let parts: Vec<RackValues> = turns().chunks(130).map(|part| RackValues::tally(part.to_vec())).collect();
        let reversed = parts.iter().rev().cloned().collect();
        assert_eq!(RackValues::merge(parts), whole);
        assert_eq!(RackValues::merge(reversed), whole);
        let sum: i64 = turns().iter().map(|&(_, equity)| i64::from(equity)).sum();
        assert_eq!((whole.turns(), whole.entries().iter().map(|entry| entry.sum).sum::<i64>()), (1000, sum));
    }

    #[test]
    fn shards_come_back_whole_or_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.racks");
        let values = RackValues::tally(turns());
        assert!(RackValues::read(&path, "run").unwrap().is_none());
        values.write(&path, "run").unwrap();
        assert_eq!(RackValues::read(&path, "run").unwrap(), Some(values));
        assert!(matches!(RackValues::read(&path, "other run"), Err(ShardError::Torn { .. })));
        let bytes = std::fs::read(&path).unwrap();
        for cut in [0, 10, 80, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            assert!(matches!(RackValues::read(&path, "run"), Err(ShardError::Torn { .. })));
        }
    }
}
