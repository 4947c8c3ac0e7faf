//! The transposition table, and refutations of other positions, which are tried first (the killer heuristic).

use super::lists::ListedPlay;

/// The result of a search: the value of a position, or a bound outside the window of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchValue {
    /// The value in points, from the view of the player to move.
    pub value: i32,
    /// Whether it is proved, that is, does not depend on an estimate.
    pub proved: bool,
}

/// The kind of bound that an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is at least the value of the entry.
    Lower,
    /// The value is at most the value of the entry.
    Upper,
    /// The value equals the value of the entry.
    Exact,
}

/// An entry of the table: the result of the last search of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub value: i32,
    /// The mark of the best move, or 0 for none.
    pub best: u32,
    pub bound: Bound,
    /// The depth of the search in turns.
    pub depth: u8,
    /// Whether the value is proved, that is, does not depend on an estimate.
    pub proved: bool,
}

impl Entry {
    /// Returns the result for a search of `depth` turns within a window, if the entry decides it.
    #[inline]
    pub(super) fn decides(&self, alpha: i32, beta: i32, depth: u8) -> Option<SearchValue> {
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        (is_enough && (self.proved || self.depth >= depth)).then_some(SearchValue { value: self.value, proved: self.proved })
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    entry: Entry,
    /// The number of the endgame to which the slot belongs, or 0 for none.
    endgame: u16,
}

const EMPTY: Slot =
    Slot { key: 0, entry: Entry { value: 0, best: 0, bound: Bound::Exact, depth: 0, proved: false }, endgame: 0 };

/// The number of slots in which a position may be stored.
const WAYS: usize = 4;

/// The transposition table. Entries of an earlier endgame count as empty, so that a search gives the same result on a used
/// table as on a new one.
#[derive(Clone, Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    endgame: u16,
}

impl Table {
    /// Creates a table of 2^`bits` slots.
    pub(super) fn new(bits: u32) -> Table {
        Table { slots: vec![EMPTY; 1 << bits.max(WAYS.ilog2())], endgame: 1 }
    }

    pub(super) fn clear(&mut self) {
        self.endgame = self.endgame.wrapping_add(1);
        if self.endgame == 0 {
            self.slots.fill(EMPTY);
            self.endgame = 1;
        }
    }

    fn place(&self, key: u64) -> usize {
        (key >> 8) as usize & (self.slots.len() - 1) & !(WAYS - 1)
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let place = self.place(key);
        let slots = &self.slots[place..place + WAYS];
        slots.iter().find(|slot| slot.key == key && slot.endgame == self.endgame).map(|slot| slot.entry)
    }

    /// Stores an entry. It replaces the entry of the same position, or the least valuable entry of its slots.
    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let place = self.place(key);
        let endgame = self.endgame;
        let slots = &mut self.slots[place..place + WAYS];
        let worth = |slot: &Slot| if slot.endgame == endgame { 1 + u32::from(slot.entry.depth) } else { 0 };
        let same = slots.iter().position(|slot| slot.key == key && slot.endgame == endgame);
        let chosen = same.or_else(|| (0..WAYS).min_by_key(|&way| worth(&slots[way])));
        if let Some(way) = chosen {
            // A proved value is never replaced by an estimate of the same position.
            if same.is_none() || entry.proved || !slots[way].entry.proved {
                slots[way] = Slot { key, entry, endgame };
            }
        }
    }
}

/// The number of turns with refutations of their own. No line of best play is longer.
const TURNS: usize = 32;
/// The number of refutations stored for each turn.
const REFUTATIONS: usize = 4;

/// A play that refuted a position, and the hash of its lane there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refutation {
    pub listed: ListedPlay,
    pub(crate) lane_hash: u64,
}

/// The latest refutations at each turn from the root.
#[derive(Debug, Default)]
pub(super) struct Refutations {
    turn: usize,
    by_turn: [[Option<Refutation>; REFUTATIONS]; TURNS],
}

impl Refutations {
    pub(super) fn next_turn(&mut self) {
        self.turn = (self.turn + 1) % TURNS;
    }

    pub(super) fn previous_turn(&mut self) {
        self.turn = (self.turn + TURNS - 1) % TURNS;
    }

    /// Returns the refutations of this turn, the latest first.
    pub(super) fn all(&self) -> [Option<Refutation>; REFUTATIONS] {
        self.by_turn[self.turn]
    }

    /// Stores a play that has refuted a position.
    pub(super) fn remember(&mut self, listed: ListedPlay, lane_hash: u64) {
        let refutations = &mut self.by_turn[self.turn];
        let is_it = |known: &Option<Refutation>| {
            known.is_some_and(|known| known.listed.mark == listed.mark && known.lane_hash == lane_hash)
        };
        let at = refutations.iter().position(is_it).unwrap_or(REFUTATIONS - 1);
        refutations[..=at].rotate_right(1);
        refutations[0] = Some(Refutation { listed, lane_hash });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_decide_within_their_bound_and_their_depth() {
        let decides = |bound, (alpha, beta), depth| {
            let entry = Entry { value: 10, best: 0, bound, depth: 3, proved: false };
            entry.decides(alpha, beta, depth).map(|found| found.value)
        };
        assert_eq!([2, 3, 4].map(|depth| decides(Bound::Exact, (0, 20), depth)), [Some(10), Some(10), None]);
        let windows = [(8, 9), (9, 10), (10, 11), (11, 12)];
        assert_eq!(windows.map(|window| decides(Bound::Lower, window, 3)), [Some(10), Some(10), None, None]);
        assert_eq!(windows.map(|window| decides(Bound::Upper, window, 3)), [None, None, Some(10), Some(10)]);
        assert_eq!([Bound::Lower, Bound::Upper].map(|bound| decides(bound, (0, 20), 3)), [None; 2]);
        let proved = Entry { value: 10, best: 0, bound: Bound::Exact, depth: 3, proved: true };
        assert!(proved.decides(0, 20, u8::MAX).is_some_and(|found| found.proved));
    }
}
