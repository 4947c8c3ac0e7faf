//! From the sheet to the value of every full rack.

use super::Sheet;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::leave::LeaveTable;
use crate::rack::{Rack, Ranking};
use crate::setup::Setup;

/// The value of a rack that the unseen tiles of a board cannot deal, in thousandths of a point.
pub const NOT_DEALT: i32 = i32::MIN;

/// Takes the census of one board after another; one for each thread.
#[derive(Clone, Debug)]
pub struct Census<'a> {
    setup: &'a Setup,
    ranking: Ranking,
    sheet: Sheet,
    /// For each kind from which on tiles are added: the splits of what is held so far.
    levels: Vec<Splits>,
    values: Vec<i32>,
}

/// The ways to split some tiles into played ones and kept ones, by the number of tiles played.
#[derive(Clone, Debug, Default)]
struct Splits {
    /// How far along in its size the number of either part is.
    pairs: Vec<(u32, u32)>,
    /// Where the splits with so many tiles played end.
    ends: Vec<usize>,
}

impl Splits {
    fn of_size(&self, played: usize) -> &[(u32, u32)] {
        let start = if played == 0 { 0 } else { self.ends[played - 1] };
        &self.pairs[start..self.ends[played]]
    }

    /// The splits of the same tiles and `count` more of `kind`.
    fn extend(&mut self, before: &Splits, ranking: &Ranking, kind: usize, count: usize) {
        let size = before.ends.len() - 1;
        self.pairs.clear();
        self.ends.clear();
        for played in 0..=size + count {
            for more in played.saturating_sub(size)..=count.min(played) {
                let (from, kept) = (played - more, size + more - played);
                let played_step = ranking.step(kind, from, more) as u32;
                let kept_step = ranking.step(kind, kept, count - more) as u32;
                self.pairs.extend(before.of_size(from).iter().map(|&(m, k)| (m + played_step, k + kept_step)));
            }
            self.ends.push(self.pairs.len());
        }
    }
}

impl<'a> Census<'a> {
    /// Ready for boards of a setup (English: 21 MB).
    pub fn new(setup: &'a Setup) -> Census<'a> {
        let rack_size = setup.tileset.rules().rack_size;
        let ranking = Ranking::new(&setup.tileset.counts(), rack_size);
        let values = vec![NOT_DEALT; ranking.of_size(rack_size).len()];
        let start = Splits { pairs: vec![(0, 0)], ends: vec![1] };
        let mut levels = vec![Splits::default(); rack_size];
        levels[0] = start;
        Census { setup, sheet: Sheet::new(&ranking), ranking, levels, values }
    }

    /// How racks and leaves are numbered.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The value of every full rack drawn from `unseen` to whoever is to move on the board, in thousandths of a point: the
    /// best sum of score and leave, as the static player with this table would have it; by number among full racks,
    /// [`NOT_DEALT`] for those that cannot be drawn. `unseen` are all tiles that are not on the board; `bag` of them are in the
    /// bag, at least one.
    ///
    /// # Cost
    /// In English about 0.5 CPU-seconds a board.
    pub fn take(&mut self, board: &Board, cross_sets: &CrossSets, unseen: &Rack, bag: usize, table: &LeaveTable) -> &[i32] {
        let rules = self.setup.tileset.rules();
        let exchangeable = if bag >= rules.exchange_minimum { bag.min(rules.rack_size) } else { 0 };
        self.sheet.fill(self.setup, &self.ranking, board, cross_sets, unseen, exchangeable);
        self.values.fill(NOT_DEALT);
        let pool: Vec<u8> = (0..self.ranking.limits().len() as u8).map(|kind| unseen.count(kind)).collect();
        let mut splitting = Splitting {
            ranking: &self.ranking,
            scores: self.sheet.scores(),
            keeps: table,
            pool: &pool,
            rack_size: rules.rack_size,
            values: &mut self.values,
        };
        splitting.add(&mut self.levels, 0, 0, 0, unseen.size());
        &self.values
    }
}

/// Values the racks that extend the tiles so far.
struct Splitting<'a> {
    ranking: &'a Ranking,
    scores: &'a [i16],
    keeps: &'a LeaveTable,
    pool: &'a [u8],
    rack_size: usize,
    values: &'a mut [i32],
}

impl Splitting<'_> {
    /// Adds tiles of `kind` or later ones to `size` tiles of earlier kinds with number `index` in their size; `left` tiles of
    /// these kinds are in the pool. `levels[0]` holds the splits so far.
    fn add(&mut self, levels: &mut [Splits], kind: usize, size: usize, index: usize, left: usize) {
        let mut left = left;
        let Some((splits, rest)) = levels.split_first_mut() else { return };
        for kind in kind..self.pool.len() {
            if size + left < self.rack_size {
                return;
            }
            left -= self.pool[kind] as usize;
            for count in 1..=(self.pool[kind] as usize).min(self.rack_size - size) {
                let index = index + self.ranking.step(kind, size, count);
                if size + count == self.rack_size {
                    self.values[index] = self.best(splits, kind, count);
                } else {
                    rest[0].extend(splits, self.ranking, kind, count);
                    self.add(rest, kind + 1, size + count, index, left);
                }
            }
        }
    }

    /// The best split of the tiles of `splits` and `count` more of `kind`, a full rack.
    fn best(&self, splits: &Splits, kind: usize, count: usize) -> i32 {
        let size = self.rack_size - count;
        let mut best = NOT_DEALT;
        for more in 0..=count {
            for from in 0..=size {
                let (played, kept) = (from + more, size - from + count - more);
                if played == 0 {
                    continue;
                }
                let scores = &self.scores[self.ranking.of_size(played).start + self.ranking.step(kind, from, more)..];
                let first = self.ranking.of_size(kept).start + self.ranking.step(kind, size - from, count - more);
                let keeps = &self.keeps.values()[first..];
                for &(m, k) in splits.of_size(from) {
                    let score = scores[m as usize];
                    if score != Sheet::UNPLAYABLE {
                        best = best.max(i32::from(score) * 1000 + keeps[k as usize].0);
                    }
                }
            }
        }
        // Nothing to play and no exchange: passing gains nothing.
        if best == NOT_DEALT { 0 } else { best }
    }
}
