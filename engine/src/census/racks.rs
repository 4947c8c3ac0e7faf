//! The value of every full rack, computed from the sheet.

use super::Sheet;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::leave::LeaveTable;
use crate::rack::{Rack, Ranking};
use crate::setup::Setup;

/// The value of a rack that cannot be drawn from the unseen tiles of a board.
pub const NOT_DEALT: i32 = i32::MIN;

/// Takes the census of boards. Each thread needs its own.
#[derive(Clone, Debug)]
pub struct Census<'a> {
    setup: &'a Setup,
    ranking: Ranking,
    sheet: Sheet,
    /// The splits of the tiles added so far, at each depth of the recursion.
    levels: Vec<Splits>,
    values: Vec<i32>,
}

/// All ways to split some tiles into tiles played and a leave, by the number of tiles played.
#[derive(Clone, Debug, Default)]
struct Splits {
    /// The indices of the tiles played and of the leave, each counted within its size.
    pairs: Vec<(u32, u32)>,
    /// The end in `pairs` of the splits with 0, 1, … tiles played.
    ends: Vec<usize>,
}

impl Splits {
    fn with_played(&self, played: usize) -> &[(u32, u32)] {
        let start = if played == 0 { 0 } else { self.ends[played - 1] };
        &self.pairs[start..self.ends[played]]
    }

    /// Fills in the splits of the tiles of `before` and `count` tiles of `kind`.
    fn extend(&mut self, before: &Splits, ranking: &Ranking, kind: usize, count: usize) {
        let size = before.ends.len() - 1;
        self.pairs.clear();
        self.ends.clear();
        for played in 0..=size + count {
            for more in played.saturating_sub(size)..=count.min(played) {
                let (from, left) = (played - more, size + more - played);
                let played_step = ranking.step(kind, from, more) as u32;
                let leave_step = ranking.step(kind, left, count - more) as u32;
                let splits = before.with_played(from).iter();
                self.pairs.extend(splits.map(|&(played, leave)| (played + played_step, leave + leave_step)));
            }
            self.ends.push(self.pairs.len());
        }
    }
}

impl<'a> Census<'a> {
    /// Creates a census for the boards of a setup. It takes 21 MB in English.
    pub fn new(setup: &'a Setup) -> Census<'a> {
        let rack_size = setup.tileset.rules().rack_size;
        let ranking = Ranking::new(&setup.tileset.counts(), rack_size);
        let values = vec![NOT_DEALT; ranking.indices_of_size(rack_size).len()];
        let start = Splits { pairs: vec![(0, 0)], ends: vec![1] };
        let mut levels = vec![Splits::default(); rack_size];
        levels[0] = start;
        Census { setup, sheet: Sheet::new(&ranking), ranking, levels, values }
    }

    /// Returns the numbering of racks and leaves.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Returns the value of every full rack for the player to move, in thousandths of a point, by its index among full
    /// racks.
    ///
    /// The value is the equity of the move that the static player with this leave table chooses. It is [`NOT_DEALT`] for a
    /// rack that cannot be drawn from `unseen`. These must be all tiles that are not on the board, and `bag` of them, at
    /// least one, must be in the bag; debug builds check the bag.
    ///
    /// # Cost
    /// About 0.5 CPU-seconds per board in English.
    pub fn take(&mut self, board: &Board, cross_sets: &CrossSets, unseen: &Rack, bag: usize, table: &LeaveTable) -> &[i32] {
        debug_assert!(bag > 0 && bag <= unseen.size(), "{bag} of {} unseen tiles are in the bag", unseen.size());
        let rules = self.setup.tileset.rules();
        let exchangeable = if bag >= rules.exchange_minimum { bag.min(rules.rack_size) } else { 0 };
        self.sheet.fill(self.setup, &self.ranking, board, cross_sets, unseen, exchangeable);
        self.values.fill(NOT_DEALT);
        let counts: Vec<u8> = (0..self.ranking.limits().len() as u8).map(|kind| unseen.count(kind)).collect();
        let mut valuer = RackValuer {
            ranking: &self.ranking,
            scores: self.sheet.scores(),
            leaves: table,
            unseen: &counts,
            rack_size: rules.rack_size,
            values: &mut self.values,
        };
        valuer.add(&mut self.levels, 0, 0, 0, unseen.size());
        &self.values
    }
}

/// Computes the value of every rack, adding one kind of tile after another.
struct RackValuer<'a> {
    ranking: &'a Ranking,
    scores: &'a [i16],
    leaves: &'a LeaveTable,
    unseen: &'a [u8],
    rack_size: usize,
    values: &'a mut [i32],
}

impl RackValuer<'_> {
    /// Adds tiles of `kind` and later kinds to `size` tiles of earlier kinds, whose index within their size is `index`.
    /// There are `left` unseen tiles of `kind` and later kinds, and `levels[0]` holds the splits of the tiles so far.
    fn add(&mut self, levels: &mut [Splits], kind: usize, size: usize, index: usize, left: usize) {
        let mut left = left;
        let Some((splits, rest)) = levels.split_first_mut() else { return };
        for kind in kind..self.unseen.len() {
            if size + left < self.rack_size {
                return;
            }
            left -= self.unseen[kind] as usize;
            for count in 1..=(self.unseen[kind] as usize).min(self.rack_size - size) {
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

    /// Returns the value of the best split of a full rack: the tiles of `splits` and `count` tiles of `kind`.
    fn best(&self, splits: &Splits, kind: usize, count: usize) -> i32 {
        let size = self.rack_size - count;
        let mut best = NOT_DEALT;
        for more in 0..=count {
            for from in 0..=size {
                let (played, left) = (from + more, size - from + count - more);
                if played == 0 {
                    continue;
                }
                let scores =
                    &self.scores[self.ranking.indices_of_size(played).start + self.ranking.step(kind, from, more)..];
                let first = self.ranking.indices_of_size(left).start + self.ranking.step(kind, size - from, count - more);
                let leaves = &self.leaves.values()[first..];
                for &(played, leave) in splits.with_played(from) {
                    let score = scores[played as usize];
                    if score != Sheet::UNPLAYABLE {
                        best = best.max(i32::from(score) * 1000 + leaves[leave as usize].0);
                    }
                }
            }
        }
        // No play and no exchange: a pass gains nothing.
        if best == NOT_DEALT { 0 } else { best }
    }
}
