//! `leave+pool`: leave values corrected for the unseen tiles.
//!
//! A leave table has the value of a leave when the other tiles are drawn from a full bag. Near the end of a game the unseen
//! tiles may contain no vowel at all, or every blank. Leave K draws d tiles. To first order in the difference between the
//! shares of the unseen tiles and of the full bag, its value is
//!
//! ```text
//! V(K | U) = V(K) + d · Σ over kinds t of (u(t) / |U| − (n(t) − K(t)) / (N − |K|)) · D(K, t)
//! ```
//!
//! with u the unseen tiles, n the full bag of N tiles, and D(K, t) the gain of leave K from one more t. D comes from the
//! table itself: for leaves of up to two tiles it is V(K + t) − V(K). For larger leaves it is a sum over their tiles and
//! pairs of tiles: each term is the part that one adds to the gains of its own parts.
//!
//! The part of the sum that does not depend on the unseen tiles is added to the table once. The rest is one sum over the
//! kinds for each of the at most 36 tiles and pairs of the rack.

use super::clamped;
use crate::equity::Equity;
use crate::leave::LeaveTable;
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::tileset::{MAX_KINDS, Tile, TileSet};

/// Rows of kinds are padded to a multiple of this, so that sums over them use whole registers.
const ROW_UNIT: usize = 32;

/// The correction of a table for the unseen tiles.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    gains: Gains,
    /// n(t) / N.
    shares: Vec<f32>,
    rack_size: usize,
}

/// The gain of a leave from one more tile, in thousandths of a point: a row over kinds for the empty leave, each tile, and
/// each pair of tiles. A row has only its addition to the rows of its parts.
#[derive(Clone, Debug)]
struct Gains {
    width: usize,
    kinds: usize,
    rows: Vec<f32>,
}

impl Gains {
    fn new(table: &LeaveTable, kinds: usize) -> Gains {
        let width = kinds.div_ceil(ROW_UNIT) * ROW_UNIT;
        let mut gains = Gains { width, kinds, rows: vec![0.0; (1 + kinds + kinds * (kinds + 1) / 2) * width] };
        let value = |tiles: &[usize]| {
            let tiles: Vec<Tile> = tiles.iter().map(|&kind| Tile::letter_tile(kind as u8)).collect();
            table.get(&Rack::from_tiles(&tiles)).map(|value| value.0 as f32)
        };
        for t in 0..kinds {
            // The gain of a tile that cannot be added is unknown and not needed: 0.
            let gain = |leave: &[usize]| Some(value(&[leave, &[t]].concat())? - value(leave)?);
            gains.rows[t] = gain(&[]).unwrap_or(0.0);
            for a in 0..kinds {
                let row = gains.single(a);
                gains.rows[row + t] = gain(&[a]).map_or(0.0, |gain| gain - gains.rows[t]);
            }
            for a in 0..kinds {
                for b in a..kinds {
                    let mut parts = gains.rows[t] + gains.rows[gains.single(a) + t];
                    if a != b {
                        parts += gains.rows[gains.single(b) + t];
                    }
                    let row = gains.pair(a, b);
                    gains.rows[row + t] = gain(&[a, b]).map_or(0.0, |gain| gain - parts);
                }
            }
        }
        gains
    }

    /// Where the row of a tile begins.
    fn single(&self, a: usize) -> usize {
        (1 + a) * self.width
    }

    /// Where the row of two tiles begins, `a` not after `b`.
    fn pair(&self, a: usize, b: usize) -> usize {
        (1 + self.kinds + b * (b + 1) / 2 + a) * self.width
    }

    fn dot(&self, row: usize, shares: &[f32]) -> f32 {
        // Eight sums side by side, in a fixed order, so that additions do not wait for each other.
        let mut sums = [0.0f32; 8];
        for (gains, shares) in self.rows[row..row + self.width].chunks_exact(8).zip(shares.chunks_exact(8)) {
            sums.iter_mut().zip(gains.iter().zip(shares)).for_each(|(sum, (gain, share))| *sum += gain * share);
        }
        sums.iter().sum()
    }

    /// Writes Σ over kinds t of share(t) · D(K, t) for every sub-rack K, by number.
    fn fill(&self, sub_racks: &SubRacks, shares: &[f32], sums: &mut [f32; MAX_SUB_RACKS]) {
        sums[..sub_racks.len()].fill(0.0);
        sums[0] = self.dot(0, shares);
        for (at, &(a, count)) in sub_racks.kinds().iter().enumerate() {
            let stride = sub_racks.stride(a);
            sums[stride] = self.dot(self.single(a as usize), shares);
            if count > 1 {
                sums[2 * stride] = self.dot(self.pair(a as usize, a as usize), shares);
            }
            for &(b, _) in &sub_racks.kinds()[at + 1..] {
                sums[stride + sub_racks.stride(b)] = self.dot(self.pair(a as usize, b as usize), shares);
            }
        }
        sum_over_parts(sub_racks, sums);
    }
}

/// Replaces the entry of each sub-rack by the sum of the entries of all its sub-racks.
fn sum_over_parts(sub_racks: &SubRacks, sums: &mut [f32; MAX_SUB_RACKS]) {
    for &(kind, count) in sub_racks.kinds() {
        let stride = sub_racks.stride(kind);
        for block in sums[..sub_racks.len()].chunks_exact_mut(stride * (count as usize + 1)) {
            for at in stride..block.len() {
                block[at] += block[at - stride];
            }
        }
    }
}

impl Pool {
    /// The correction of a table, which must be for the tile set.
    pub(crate) fn new(table: &LeaveTable, tileset: &TileSet) -> Pool {
        let counts = tileset.counts();
        let gains = Gains::new(table, counts.len());
        let total = tileset.total_tiles() as f32;
        let mut shares: Vec<f32> = counts.iter().map(|&count| f32::from(count) / total).collect();
        shares.resize(gains.width, 0.0);
        Pool { gains, shares, rack_size: tileset.rules().rack_size }
    }

    /// The table plus the part of the correction that does not depend on the unseen tiles:
    /// V(K) + d · Σ over kinds t of (n(t) / N − (n(t) − K(t)) / (N − |K|)) · D(K, t).
    pub(crate) fn at_full_shares(&self, table: &LeaveTable, tileset: &TileSet) -> LeaveTable {
        let counts = tileset.counts();
        let mut adjusted = table.clone();
        let mut shares = vec![0.0f32; self.gains.width];
        let mut sums = [0.0; MAX_SUB_RACKS];
        for index in 1..table.values().len() {
            let leave = table.ranking().unrank(index);
            let rest = (tileset.total_tiles() - leave.size()) as f32;
            for (kind, share) in shares[..counts.len()].iter_mut().enumerate() {
                *share = self.shares[kind] - f32::from(counts[kind] - leave.count(kind as u8)) / rest;
            }
            let sub_racks = SubRacks::new(&leave);
            self.gains.fill(&sub_racks, &shares, &mut sums);
            let drawn = (self.rack_size - leave.size()) as f32;
            adjusted.set(index, table.values()[index] + clamped(drawn * sums[sub_racks.whole()]));
        }
        adjusted
    }

    /// Adds the other part: d · Σ over kinds t of (u(t) / |U| − n(t) / N) · D(K, t), where d is at most the number of tiles
    /// in the bag. `sizes` are the sizes of the sub-racks.
    pub(crate) fn add(
        &self,
        unseen: &Rack,
        bag: usize,
        sub_racks: &SubRacks,
        sizes: &[u8; MAX_SUB_RACKS],
        leave_values: &mut [Equity; MAX_SUB_RACKS],
    ) {
        let all = unseen.size() as f32;
        let mut shares = [0.0f32; MAX_KINDS];
        let shares = &mut shares[..self.gains.width];
        for (kind, share) in shares[..self.gains.kinds].iter_mut().enumerate() {
            *share = f32::from(unseen.count(kind as u8)) / all - self.shares[kind];
        }
        let mut sums = [0.0; MAX_SUB_RACKS];
        self.gains.fill(sub_racks, shares, &mut sums);
        for ((value, sum), &size) in leave_values[..sub_racks.whole()].iter_mut().zip(sums).zip(sizes) {
            let drawn = (self.rack_size - size as usize).min(bag) as f32;
            *value += clamped(drawn * sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::rng::stream;

    /// A set of 5 kinds and 21 tiles with racks of 4.
    fn small() -> TileSet {
        let text = r#"
            name = "small"
            board = "standard"
            total_tiles = 21
            total_points = 36
            blanks = 2
            letters = [
                { letter = "A", count = 6, value = 1, vowel = true },
                { letter = "B", count = 4, value = 3 },
                { letter = "E", count = 6, value = 1, vowel = true },
                { letter = "Q", count = 3, value = 4 },
            ]
            [rules]
            rack_size = 4
            bingo_bonus = 50
            exchange_minimum = 4
        "#;
        TileSet::from_toml(text, "small").unwrap()
    }

    /// A set of 40 kinds and 80 tiles with racks of 3, whose rows are padded to two units.
    fn wide() -> TileSet {
        let letters: String = (0..39)
            .map(|letter: u8| {
                let label = [letter / 7, letter % 7].map(|part| char::from(b'A' + part)).iter().collect::<String>();
                format!("{{ letter = \"{label}\", count = 2, value = 1, vowel = {} }},\n", letter.is_multiple_of(3))
            })
            .collect();
        let text = format!(
            "name = \"wide\"\nboard = \"standard\"\ntotal_tiles = 80\ntotal_points = 78\nblanks = 2\nletters = [\n{letters}]\n\
             [rules]\nrack_size = 3\nbingo_bonus = 50\nexchange_minimum = 3\n"
        );
        TileSet::from_toml(&text, "wide").unwrap()
    }

    /// The value of a full rack in points: of its tiles, and of each two together.
    fn rack_value(rack: &Rack) -> f64 {
        let kinds: Vec<(u8, u8)> = rack.kinds().collect();
        let single = |kind: u8| [20.0, 2.0, -3.0, 4.0, -8.0][kind as usize % 5];
        let pair = |a: u8, b: u8| f64::from((i32::from(a) * 5 + i32::from(b) * 3) % 7 - 3);
        let mut sum = 0.0;
        for (at, &(a, count)) in kinds.iter().enumerate() {
            sum += f64::from(count) * single(a) - f64::from(count * count) / 2.0;
            sum += kinds[at + 1..].iter().map(|&(b, other)| f64::from(count * other) * pair(a, b)).sum::<f64>();
        }
        sum
    }

    /// The mean value of a leave filled up to `size` tiles, over all draws from `unseen`.
    fn drawn(leave: &Rack, unseen: &Rack, size: usize) -> f64 {
        if leave.size() == size {
            return rack_value(leave);
        }
        let total = unseen.size() as f64;
        unseen
            .kinds()
            .map(|(kind, count)| {
                let (mut next, mut rest) = (*leave, *unseen);
                next.add(kind);
                rest.remove(kind);
                f64::from(count) / total * drawn(&next, &rest, size)
            })
            .sum()
    }

    fn table(tileset: &TileSet) -> LeaveTable {
        let full = Rack::from_counts(&tileset.counts());
        let mut table = LeaveTable::zero(tileset);
        let size = tileset.rules().rack_size;
        let empty = drawn(&Rack::default(), &full, size);
        for index in 1..table.values().len() {
            let leave = table.ranking().unrank(index);
            let value = drawn(&leave, &full.minus(&leave).unwrap(), size) - empty;
            table.set(index, Equity::from_fractional_points(value));
        }
        table
    }

    /// A table with its correction for the unseen tiles.
    struct PoolCorrected {
        pool: Pool,
        table: LeaveTable,
    }

    impl PoolCorrected {
        fn new(table: &LeaveTable, tileset: &TileSet) -> PoolCorrected {
            let pool = Pool::new(table, tileset);
            let table = pool.at_full_shares(table, tileset);
            PoolCorrected { pool, table }
        }

        fn fill(&self, sub_racks: &SubRacks, unseen: &Rack, bag: usize, values: &mut [Equity; MAX_SUB_RACKS]) {
            let sizes = sub_racks.sizes();
            self.table.fill(sub_racks, values);
            self.pool.add(unseen, bag, sub_racks, &sizes, values);
        }
    }

    #[test]
    fn with_a_full_bag_the_values_are_those_of_the_table() {
        [small(), wide()].iter().for_each(check_full_bag);
    }

    fn check_full_bag(tileset: &TileSet) {
        let full = Rack::from_counts(&tileset.counts());
        let table = table(tileset);
        let corrected = PoolCorrected::new(&table, tileset);
        for index in 1..table.values().len() {
            let leave = table.ranking().unrank(index);
            let unseen = full.minus(&leave).unwrap();
            let sub_racks = SubRacks::new(&leave);
            let mut values = [Equity::ZERO; MAX_SUB_RACKS];
            // It is the leave of a rack with one more blank, if the bag has one more.
            if leave.count(0) == tileset.counts()[0] {
                continue;
            }
            let mut rack = leave;
            rack.add(0);
            let bag = unseen.size() - tileset.rules().rack_size;
            let larger = SubRacks::new(&rack);
            corrected.fill(&larger, &unseen, bag, &mut values);
            let number = larger.whole() - larger.stride(0);
            assert_eq!(larger.get(number), sub_racks.get(sub_racks.whole()));
            let difference = (values[number] - table.values()[index]).0.abs();
            assert!(difference <= 5, "{} {difference}", leave.show(tileset));
        }
    }

    #[test]
    fn the_correction_removes_most_of_the_error_of_the_table() {
        let tileset = small();
        let (full, table) = (Rack::from_counts(&tileset.counts()), table(&tileset));
        let corrected_table = PoolCorrected::new(&table, &tileset);
        let mut draws = stream(1, "pools", 0);
        let (mut flat, mut corrected) = (0.0, 0.0);
        for _ in 0..200 {
            let mut left: Vec<u8> = full.tiles().map(Tile::kind).collect();
            let mut take = |count: usize| {
                let mut taken = Rack::default();
                (0..count).for_each(|_| taken.add(left.swap_remove(draws.random_range(0..left.len()))));
                taken
            };
            let (rack, board) = (take(4), take(6));
            let unseen = full.minus(&rack).unwrap().minus(&board).unwrap();
            let sub_racks = SubRacks::new(&rack);
            let mut values = [Equity::ZERO; MAX_SUB_RACKS];
            corrected_table.fill(&sub_racks, &unseen, unseen.size() - 4, &mut values);
            // Only differences between leaves matter.
            let truths: Vec<f64> = (0..sub_racks.whole()).map(|number| drawn(&sub_racks.get(number), &unseen, 4)).collect();
            let error = |value: &dyn Fn(usize) -> f64| {
                let differences: Vec<f64> = truths.iter().enumerate().map(|(number, truth)| value(number) - truth).collect();
                let mean = differences.iter().sum::<f64>() / differences.len() as f64;
                differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>()
            };
            flat += error(&|number| table.get(&sub_racks.get(number)).unwrap().points());
            corrected += error(&|number| values[number].points());
        }
        assert!(corrected < 0.1 * flat, "{corrected} against {flat}");
    }
}
