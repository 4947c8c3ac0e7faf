//! Leave tables: the value of every leave.

use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, Rack, Ranking, SubRacks};
use crate::tileset::TileSet;

mod completion;
pub mod csv;
pub mod klv;
pub mod late;
pub mod pool;
mod corrected;
pub mod load;

pub use corrected::{CorrectedLeaves, leftover};
pub use load::LeaveData;

/// The largest magnitude of a value in points. A file with a larger value is damaged.
const MAX_POINTS: f64 = 100_000.0;

/// A value or a correction of one, given in thousandths of a point, within the limits of leave values: a sum of a few of them and a
/// score is an [`Equity`].
#[inline]
fn clamped(thousandths: f32) -> Equity {
    const MOST: f32 = 1000.0 * MAX_POINTS as f32;
    Equity(thousandths.clamp(-MOST, MOST).round() as i32)
}

/// A value for every leave of 1 to rack size − 1 tiles, in thousandths of a point. The empty leave is worth 0.
///
/// The table is dense: the number of a leave in a [`Ranking`] is its index (English: 914,624 leaves, 3.7 MB).
#[derive(Clone, Debug)]
pub struct LeaveTable {
    ranking: Ranking,
    values: Vec<Equity>,
    estimated: usize,
}

impl LeaveTable {
    /// A table with the value 0 for every leave.
    pub fn zero(tileset: &TileSet) -> LeaveTable {
        let ranking = Ranking::new(&tileset.counts(), tileset.rules().rack_size - 1);
        let values = vec![Equity::ZERO; ranking.len()];
        LeaveTable { ranking, values, estimated: 0 }
    }

    /// The numbering of the leaves. Number 0 is the empty leave.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The values by the number of the leave.
    pub fn values(&self) -> &[Equity] {
        &self.values
    }

    /// How many values were missing in the file and were estimated from smaller leaves (see [`csv::read`]).
    pub fn estimated(&self) -> usize {
        self.estimated
    }

    /// Sets the value of a leave by number.
    pub fn set(&mut self, index: usize, value: Equity) {
        self.values[index] = value;
    }

    /// The value of a leave, or `None` if it is not a leave of the tile set.
    pub fn get(&self, leave: &Rack) -> Option<Equity> {
        self.ranking.holds(leave).then(|| self.values[self.ranking.rank(leave)])
    }

    /// Writes the value of every sub-rack of a rack to `leave_values`, by number. A full rack gets [`Equity::PASS`].
    pub fn fill(&self, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        let mut indices = [None; MAX_SUB_RACKS];
        self.ranking.sub_indices(sub_racks, &mut indices);
        for (value, index) in leave_values.iter_mut().zip(&indices[..sub_racks.len()]) {
            *value = index.map_or(Equity::PASS, |index| self.values[index as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals::Domain;

    #[test]
    fn a_correction_is_no_larger_than_a_leave_value() {
        let most = Equity::from_fractional_points(MAX_POINTS);
        assert_eq!([1e12, -1e12, f32::INFINITY, 250.0].map(|sum| clamped(7.0 * sum)), [most, -most, most, Equity(1750)]);
    }

    #[test]
    fn filling_agrees_with_single_look_ups() {
        for name in ["english", "polish", "english_super"] {
            let tileset = TileSet::embedded(name).unwrap();
            let mut table = LeaveTable::zero(&tileset);
            for index in 1..table.ranking().len() {
                table.set(index, Equity(index as i32));
            }
            for game in 0..300 {
                let mut rack = Rack::default();
                crate::bag::Bag::new(&tileset, Domain::Match.deals(4), game).refill(&mut rack, 1 + game as usize % 7, 0);
                let sub_racks = SubRacks::new(&rack);
                let mut leave_values = [Equity::ZERO; MAX_SUB_RACKS];
                table.fill(&sub_racks, &mut leave_values);
                for (number, &value) in leave_values[..sub_racks.len()].iter().enumerate() {
                    let expected = table.get(&sub_racks.get(number)).unwrap_or(Equity::PASS);
                    assert_eq!(value, expected, "{name} {}", sub_racks.get(number).show(&tileset));
                }
            }
        }
    }
}
