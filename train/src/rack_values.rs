//! Rack values: exact tallies of the observed values of full racks.
//!
//! Each distinct full rack has the number of its observations, and the sum and the sum of squares of its best equity, all as
//! integers. Merging shards in any order gives the same tallies.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The tally of one rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RackValue {
    /// The rack's number in the ranking of full racks.
    pub rack: u32,
    /// Observations: turns that held the rack.
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

impl RackValues {
    /// Tallies one (rack, best equity in thousandths of a point) per turn.
    pub fn tally(mut turns: Vec<(u32, i32)>) -> RackValues {
        turns.sort_unstable_by_key(|&(rack, _)| rack);
        let of_rack = |same: &[(u32, i32)]| RackValue {
            rack: same[0].0,
            count: same.len() as u32,
            sum: same.iter().map(|&(_, equity)| i64::from(equity)).sum(),
            squares: same.iter().map(|&(_, equity)| u64::from(equity.unsigned_abs()).pow(2)).sum(),
        };
        RackValues { entries: turns.chunk_by(|(one, _), (other, _)| one == other).map(of_rack).collect() }
    }

    /// Merges tallies.
    pub fn merge(parts: Vec<RackValues>) -> RackValues {
        let mut entries: Vec<RackValue> = parts.into_iter().flat_map(|part| part.entries).collect();
        // Integer sums: the order among equal racks does not matter.
        entries.sort_unstable_by_key(|entry| entry.rack);
        let together = |same: &[RackValue]| RackValue {
            rack: same[0].rack,
            count: same.iter().map(|entry| entry.count).sum(),
            sum: same.iter().map(|entry| entry.sum).sum(),
            squares: same.iter().map(|entry| entry.squares).sum(),
        };
        RackValues { entries: entries.chunk_by(|one, other| one.rack == other.rack).map(together).collect() }
    }

    /// The tallies, sorted by rack.
    pub fn entries(&self) -> &[RackValue] {
        &self.entries
    }

    /// The number of observations.
    pub fn turns(&self) -> u64 {
        self.entries.iter().map(|entry| u64::from(entry.count)).sum()
    }
}

/// A rack in a payload: the number of racks without a value just before it, its count, its sum and its sum of squares.
type EncodedRack = (u32, u32, i64, u64);

impl Serialize for RackValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Gaps take fewer bytes than rack numbers.
        let first = |place: usize| place.checked_sub(1).map_or(0, |last| self.entries[last].rack + 1);
        let written = |(place, entry): (usize, &RackValue)| -> EncodedRack {
            (entry.rack - first(place), entry.count, entry.sum, entry.squares)
        };
        serializer.collect_seq(self.entries.iter().enumerate().map(written))
    }
}

impl<'de> Deserialize<'de> for RackValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RackValues, D::Error> {
        let mut next = Some(0u32);
        let mut entry = |(gap, count, sum, squares): EncodedRack| {
            let rack = next?.checked_add(gap)?;
            next = rack.checked_add(1);
            Some(RackValue { rack, count, sum, squares })
        };
        let entries = Vec::<EncodedRack>::deserialize(deserializer)?.into_iter().map(&mut entry).collect::<Option<_>>();
        Ok(RackValues { entries: entries.ok_or_else(|| D::Error::custom("a rack number exceeds 32 bits"))? })
    }
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
    fn values_are_stored_in_few_bytes() {
        let values = RackValues::tally(turns());
        let bytes = postcard::to_stdvec(&values).unwrap();
        assert!(bytes.len() < 12 * values.entries().len(), "{} bytes", bytes.len());
        assert_eq!(postcard::from_bytes::<RackValues>(&bytes).unwrap(), values);
        let largest = RackValue { rack: u32::MAX, count: 1, sum: i64::MIN, squares: u64::MAX };
        let ends = RackValues { entries: vec![RackValue { rack: 0, ..largest }, largest] };
        assert_eq!(postcard::from_bytes::<RackValues>(&postcard::to_stdvec(&ends).unwrap()).unwrap(), ends);
        let beyond: Vec<EncodedRack> = vec![(u32::MAX, 1, 1, 1), (0, 1, 1, 1)];
        assert!(postcard::from_bytes::<RackValues>(&postcard::to_stdvec(&beyond).unwrap()).is_err());
    }
}
