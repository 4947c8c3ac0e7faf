//! The lattice of all multisets of up to a full rack, and sums along its steps from a multiset to those with one more tile.
//!
//! Three sums over all pairs of a rack and a sub-rack take one addition per step of the lattice:
//!
//! * [`Lattice::sum_over_parts`]: f(R) = Σ over T ⊆ R of β(T), the prediction of a model with coefficients β for every rack;
//! * [`Lattice::sum_over_wholes`]: g(S) = Σ over R ⊇ S of c(R), how often a leave was on a rack;
//! * [`Lattice::average`], the exact completion average, from rack values to leave values:
//!
//! V(S) = Σ ways(R, S) · v(R) / Σ ways(R, S) over the full racks R that contain S, where ways(R, S) counts the draws of R −
//! S from a bag without S. Each distinct rack counts once, however often it was observed. Drawing tile by tile gives the
//! same distribution, so with `n` the counts of the full bag and `N` its size,
//!
//! V(S) = Σ over tiles t of (n(t) − S(t)) · V(S + t) / (N − |S|).

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use tilewright_engine::rack::Ranking;
use tilewright_engine::tileset::TileSet;

/// Leaves per parallel task.
const CHUNK: usize = 2048;

/// The most steps that are computed: 5 GB. English has 25 million.
const MAX_STEPS: u64 = 1 << 30;

/// The steps between the multisets of a tile set, computed once.
#[derive(Debug)]
pub struct Lattice {
    /// The numbering of racks and leaves, from size 0 to a full rack.
    pub ranking: Ranking,
    total_tiles: usize,
    /// For each kind and leave: the number of the leave with one more tile of the kind, or 0 if the bag has no more.
    larger: Vec<Vec<u32>>,
    /// For each kind and leave: the tiles of the kind that are left in the bag.
    left: Vec<Vec<u8>>,
}

impl Lattice {
    /// Checks that the steps of a tile set fit into memory: five bytes each.
    ///
    /// # Errors
    /// The number of steps, and advice.
    pub fn check(tileset: &TileSet) -> Result<(), String> {
        let ranking = Ranking::new(&tileset.counts(), tileset.rules().rack_size);
        let steps = ranking.indices_of_size(ranking.max_size()).start as u64 * ranking.limits().len() as u64;
        if steps > MAX_STEPS {
            let name = tileset.name();
            return Err(format!(
                "the tile set {name} has {steps} steps from a leave to a larger one, and a leave table is fitted with at most \
                 {MAX_STEPS}; use fewer letters or a smaller rack_size"
            ));
        }
        Ok(())
    }

    /// Computes the steps up to the full racks of a tile set (English: 123 MB, 1 CPU-second).
    pub fn new(tileset: &TileSet) -> Lattice {
        let ranking = Ranking::new(&tileset.counts(), tileset.rules().rack_size);
        let leaves = ranking.indices_of_size(ranking.max_size()).start;
        let kinds = ranking.limits().len();
        let steps = |chunk: usize| -> (Vec<u32>, Vec<u8>) {
            let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(leaves);
            range.flat_map(|index| steps_from(&ranking, index)).unzip()
        };
        let rows: Vec<_> = (0..leaves.div_ceil(CHUNK)).into_par_iter().map(steps).collect();
        let column = |kind: usize| {
            rows.iter().flat_map(move |(larger, left)| {
                larger.iter().zip(left).skip(kind).step_by(kinds).map(|(&larger, &left)| (larger, left))
            })
        };
        let (larger, left) =
            (0..kinds).into_par_iter().map(|kind| column(kind).unzip::<u32, u8, Vec<u32>, Vec<u8>>()).unzip();
        Lattice { ranking, total_tiles: tileset.total_tiles(), larger, left }
    }

    /// The numbers of the full racks.
    pub fn racks(&self) -> std::ops::Range<usize> {
        self.ranking.indices_of_size(self.ranking.max_size())
    }

    /// Replaces the entry of each multiset by the sum over all its sub-multisets, including the empty one and itself.
    pub fn sum_over_parts<const TABLES: usize>(&self, values: &mut [[f64; TABLES]]) {
        for larger in &self.larger {
            // Leaves come in the order of their size, so the sum of a leave along this kind is complete when it is added on.
            for (index, &next) in larger.iter().enumerate().filter(|&(_, &next)| next != 0) {
                let part = values[index];
                values[next as usize].iter_mut().zip(part).for_each(|(value, part)| *value += part);
            }
        }
    }

    /// Replaces the entry of each multiset by the sum over all multisets that contain it, including itself.
    pub fn sum_over_wholes(&self, values: &mut [i64]) {
        for larger in &self.larger {
            for (index, &next) in larger.iter().enumerate().rev().filter(|&(_, &next)| next != 0) {
                values[index] += values[next as usize];
            }
        }
    }

    /// Computes the completion averages of all leaves from the values of the full racks, for `TABLES` tables side by side.
    ///
    /// `values` has one entry per number of [`Lattice::ranking`]. The entries of the full racks are the input.
    pub fn average<const TABLES: usize>(&self, values: &mut [[f64; TABLES]]) {
        for size in (0..self.ranking.max_size()).rev() {
            let range = self.ranking.indices_of_size(size);
            let share = (self.total_tiles - size) as f64;
            let (smaller, larger) = values.split_at_mut(range.end);
            smaller[range.clone()].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, values)| {
                let first = range.start + chunk * CHUNK;
                let steps = first..first + values.len();
                values.fill([0.0; TABLES]);
                for (next, left) in self.larger.iter().zip(&self.left) {
                    for ((value, &next), &left) in values.iter_mut().zip(&next[steps.clone()]).zip(&left[steps.clone()]) {
                        if left > 0 {
                            let larger = &larger[next as usize - range.end];
                            let weight = f64::from(left);
                            value.iter_mut().zip(larger).for_each(|(sum, value)| *sum += weight * value);
                        }
                    }
                }
                for value in values {
                    *value = value.map(|sum| sum / share);
                }
            });
        }
    }
}

/// For each kind: the number of the leave with one more tile of the kind, and the tiles of the kind left in the bag.
fn steps_from(ranking: &Ranking, index: usize) -> impl Iterator<Item = (u32, u8)> + '_ {
    let leave = ranking.unrank(index);
    (0u8..).zip(ranking.limits()).map(move |(kind, &limit)| {
        let left = limit - leave.count(kind);
        let mut next = leave;
        next.add(kind);
        (if left > 0 { ranking.rank(&next) as u32 } else { 0 }, left)
    })
}

#[cfg(test)]
mod tests {
    use tilewright_engine::rack::Rack;

    use super::*;

    /// A tile set of 5 kinds and 13 tiles with racks of 4.
    fn small() -> TileSet {
        let text = r#"
            name = "small"
            board = "standard"
            total_tiles = 13
            total_points = 21
            blanks = 1
            letters = [
                { letter = "A", count = 4, value = 1, vowel = true },
                { letter = "B", count = 2, value = 3 },
                { letter = "E", count = 5, value = 1, vowel = true },
                { letter = "Q", count = 1, value = 6 },
            ]
            [rules]
            rack_size = 4
            bingo_bonus = 50
            exchange_minimum = 4
        "#;
        TileSet::from_toml(text, "small").unwrap()
    }

    fn choose(from: u8, many: u8) -> f64 {
        (0..many).map(|step| (f64::from(from) - f64::from(step)) / f64::from(step + 1)).product()
    }

    #[test]
    fn a_tile_set_with_too_many_leaves_is_refused() {
        assert_eq!(Lattice::check(&TileSet::embedded("polish").unwrap()), Ok(()));
        let letters: String = ('A'..='Z')
            .flat_map(|one| {
                ["A", "B"].map(|other| format!("{{ letter = \"{one}{other}\", count = 6, value = 1, vowel = true }},"))
            })
            .take(40)
            .collect();
        let text = |rack_size: usize| {
            format!(
                "name = \"large\"\nboard = \"standard\"\ntotal_tiles = 240\ntotal_points = 240\nblanks = 0\nletters = [{letters}]\n\
                 [rules]\nrack_size = {rack_size}\nbingo_bonus = 50\nexchange_minimum = 7\n"
            )
        };
        let check = |rack_size: usize| Lattice::check(&TileSet::from_toml(&text(rack_size), "x").unwrap());
        assert_eq!(check(7), Ok(()));
        assert!(check(8).unwrap_err().contains("use fewer letters or a smaller rack_size"));
    }

    #[test]
    fn the_average_is_the_sum_over_all_racks() {
        let tileset = small();
        let lattice = Lattice::new(&tileset);
        let ranking = &lattice.ranking;
        let mut values: Vec<[f64; 1]> = (0..ranking.len()).map(|index| [(index * 7919 % 101) as f64 / 7.0]).collect();
        let racks = ranking.indices_of_size(4);
        let full: Vec<(Rack, f64)> = racks.clone().map(|index| (ranking.unrank(index), values[index][0])).collect();
        lattice.average(&mut values);
        for (index, &[value]) in values[..racks.start].iter().enumerate() {
            let leave = ranking.unrank(index);
            let (mut sum, mut total) = (0.0, 0.0);
            for (rack, value) in &full {
                if let Some(draw) = rack.minus(&leave) {
                    let counts = tileset.counts();
                    let ways: f64 =
                        draw.kinds().map(|(kind, many)| choose(counts[kind as usize] - leave.count(kind), many)).product();
                    sum += ways * value;
                    total += ways;
                }
            }
            assert!((value - sum / total).abs() < 1e-9, "{}", leave.show(&tileset));
        }
    }

    #[test]
    fn sums_over_parts_and_wholes_equal_sums_over_all_pairs() {
        let tileset = small();
        let lattice = Lattice::new(&tileset);
        let ranking = &lattice.ranking;
        let given: Vec<i64> = (0..ranking.len()).map(|index| (index * 7919 % 101) as i64).collect();
        let mut parts: Vec<[f64; 1]> = given.iter().map(|&value| [value as f64]).collect();
        let mut wholes = given.clone();
        lattice.sum_over_parts(&mut parts);
        lattice.sum_over_wholes(&mut wholes);
        let racks: Vec<Rack> = (0..ranking.len()).map(|index| ranking.unrank(index)).collect();
        for (index, rack) in racks.iter().enumerate() {
            let sum = |related: &dyn Fn(&Rack) -> bool| {
                racks.iter().zip(&given).filter(|(other, _)| related(other)).map(|(_, value)| value).sum::<i64>()
            };
            assert_eq!(parts[index].map(|sum| sum as i64), [sum(&|other| rack.contains(other))]);
            assert_eq!(wholes[index], sum(&|other| other.contains(rack)));
        }
    }
}
