//! Rack values: exact tallies of the observed values of full racks.
//!
//! Each distinct full rack has the number of its observations, and the sum and the sum of squares of its best equity, all as
//! integers. Merging shards in any order gives the same tallies.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::hash::sha256;

const MAGIC: &[u8; 8] = b"twracks2";

/// The tally of one rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RackValue {
    /// The rack's number in the ranking of full racks.
    pub rack: u32,
    /// Observations: turns that held the rack, or boards that valued it.
    pub count: u32,
    /// Sum of the best equities, in thousandths of a point.
    pub sum: i64,
    /// Sum of their squares.
    pub squares: u64,
}

impl RackValue {
    /// The sum of two tallies of the same rack.
    fn plus(&self, other: &RackValue) -> RackValue {
        RackValue {
            rack: self.rack,
            count: self.count + other.count,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

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
    /// Tallies one (rack, best equity in thousandths of a point) per turn.
    pub fn tally(mut turns: Vec<(u32, i32)>) -> RackValues {
        turns.sort_unstable();
        let single = turns.into_iter().map(|(rack, equity)| {
            let equity = i64::from(equity);
            RackValue { rack, count: 1, sum: equity, squares: equity.unsigned_abs().pow(2) }
        });
        RackValues { entries: add_equal(single) }
    }

    /// Creates tallies from the count, sum and sum of squares of racks 0, 1, …; racks with count 0 are left out.
    pub fn from_dense(dense: impl Iterator<Item = (u32, i64, u64)>) -> RackValues {
        let entries = (0..).zip(dense).filter(|(_, (count, ..))| *count > 0);
        RackValues {
            entries: entries.map(|(rack, (count, sum, squares))| RackValue { rack, count, sum, squares }).collect(),
        }
    }

    /// Merges tallies.
    pub fn merge(parts: Vec<RackValues>) -> RackValues {
        let mut entries: Vec<RackValue> = parts.into_iter().flat_map(|part| part.entries).collect();
        // Integer sums: the order among equal racks does not matter.
        entries.sort_unstable_by_key(|entry| entry.rack);
        RackValues { entries: add_equal(entries.into_iter()) }
    }

    /// The sum of both tallies.
    #[must_use]
    pub fn plus(&self, other: &RackValues) -> RackValues {
        let (mine, theirs) = (&self.entries, &other.entries);
        let mut entries = Vec::with_capacity(mine.len().max(theirs.len()));
        let (mut at, mut their_at) = (0, 0);
        while at < mine.len() || their_at < theirs.len() {
            let next = match (mine.get(at), theirs.get(their_at)) {
                (Some(one), Some(other)) if one.rack == other.rack => {
                    (at, their_at) = (at + 1, their_at + 1);
                    one.plus(other)
                }
                (Some(one), other) if other.is_none_or(|other| one.rack < other.rack) => {
                    at += 1;
                    *one
                }
                _ => {
                    their_at += 1;
                    theirs[their_at - 1]
                }
            };
            entries.push(next);
        }
        RackValues { entries }
    }

    /// Adds `by` thousandths of a point to every observation.
    #[must_use]
    pub fn shifted(mut self, by: i64) -> RackValues {
        for entry in &mut self.entries {
            let count = i64::from(entry.count);
            // Σ (y + b)² = Σ y² + b (2 Σ y + n b), which is not negative.
            entry.squares = (i128::from(entry.squares) + i128::from(by) * i128::from(2 * entry.sum + count * by)) as u64;
            entry.sum += count * by;
        }
        self
    }

    /// The mean difference of the racks in both tallies, `self` less `other`, weighted by the counts in `self`; in thousandths of a
    /// point. 0 if they share no rack.
    pub fn mean_above(&self, other: &RackValues) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for entry in &self.entries {
            if let Ok(at) = other.entries.binary_search_by_key(&entry.rack, |theirs| theirs.rack) {
                let weight = f64::from(entry.count);
                sum += weight * 1000.0 * (entry.mean() - other.entries[at].mean());
                count += weight;
            }
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// The tallies, sorted by rack.
    pub fn entries(&self) -> &[RackValue] {
        &self.entries
    }

    /// The number of observations.
    pub fn turns(&self) -> u64 {
        self.entries.iter().map(|entry| u64::from(entry.count)).sum()
    }

    /// Writes a shard under the key of its run; it appears whole or not at all.
    ///
    /// # Errors
    /// [`ShardError::File`].
    pub fn write(&self, path: &Path, key: &str) -> Result<(), ShardError> {
        let mut bytes = Vec::with_capacity(self.entries.len() * 12 + 200);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(sha256(key.as_bytes()).as_bytes());
        let mut next = 0;
        for entry in &self.entries {
            write_number(&mut bytes, u64::from(entry.rack - next));
            next = entry.rack + 1;
            write_number(&mut bytes, u64::from(entry.count));
            // The sign goes to the lowest bit, so that small numbers of either sign are short.
            write_number(&mut bytes, (entry.sum << 1 ^ entry.sum >> 63) as u64);
            write_number(&mut bytes, entry.squares);
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
    let mut rest = content.strip_prefix(MAGIC)?.strip_prefix(sha256(key.as_bytes()).as_bytes())?;
    if sha256(content).as_bytes() != checksum {
        return None;
    }
    let mut entries = Vec::new();
    let mut next = 0u32;
    while !rest.is_empty() {
        let rack = next.checked_add(u32::try_from(read_number(&mut rest)?).ok()?)?;
        let count = u32::try_from(read_number(&mut rest)?).ok()?;
        let sum = read_number(&mut rest)?;
        let sum = (sum >> 1) as i64 ^ -((sum & 1) as i64);
        entries.push(RackValue { rack, count, sum, squares: read_number(&mut rest)? });
        next = rack.checked_add(1)?;
    }
    Some(RackValues { entries })
}

/// Writes a number seven bits a byte, the lowest first; the highest bit of a byte says that more follow.
fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads such a number off the front; `None` if it does not end or is too large.
fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u64::from(byte & 0x7f);
        if part << shift >> shift != part {
            return None;
        }
        number |= part << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn add_equal(sorted: impl Iterator<Item = RackValue>) -> Vec<RackValue> {
    let mut entries: Vec<RackValue> = Vec::new();
    for next in sorted {
        match entries.last_mut() {
            Some(last) if last.rack == next.rack => *last = last.plus(&next),
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
        let one_by_one =
            turns().chunks(130).fold(RackValues::default(), |sum, part| sum.plus(&RackValues::tally(part.to_vec())));
        assert_eq!(one_by_one, whole);
        let sum: i64 = turns().iter().map(|&(_, equity)| i64::from(equity)).sum();
        assert_eq!((whole.turns(), whole.entries().iter().map(|entry| entry.sum).sum::<i64>()), (1000, sum));
    }

    #[test]
    fn shifting_is_adding_to_every_observation() {
        let shifted = turns().into_iter().map(|(rack, equity)| (rack, equity - 700)).collect();
        let (whole, lower) = (RackValues::tally(turns()), RackValues::tally(shifted));
        assert_eq!(whole.clone().shifted(-700), lower);
        assert!((whole.mean_above(&lower) - 700.0).abs() < 1e-9);
        assert!((lower.mean_above(&whole) + 700.0).abs() < 1e-9);
        assert!(whole.mean_above(&RackValues::default()).abs() < 1e-9);
    }

    #[test]
    fn numbers_come_back_and_broken_ones_do_not() {
        let numbers = [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            write_number(&mut bytes, number);
        }
        let mut rest = bytes.as_slice();
        assert_eq!(numbers.map(|_| read_number(&mut rest)), numbers.map(Some));
        assert_eq!((rest.len(), read_number(&mut rest)), (0, None));
        let too_large = [[0xff; 9].as_slice(), &[2]].concat();
        assert_eq!(read_number(&mut too_large.as_slice()), None);
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
