//! The transposition table.

/// The value of a position, or a bound of it outside the window that was asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Points, from the view of the player to move.
    pub value: i32,
    /// Whether it follows from the rules alone, without any estimate.
    pub proved: bool,
}

/// What is known of the value of a position, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// At least this.
    Lower,
    /// At most this.
    Upper,
    /// This.
    Exact,
}

/// What the search has found out about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub value: i32,
    /// The mark of the best move; 0 for none.
    pub best: u32,
    pub bound: Bound,
    /// Turns that were looked ahead.
    pub depth: u8,
    /// Whether it follows from the rules alone, without any estimate.
    pub proved: bool,
}

impl Entry {
    /// What it says to a search of so many turns, if that is enough for the window.
    #[inline]
    pub(super) fn decides(&self, alpha: i32, beta: i32, depth: u8) -> Option<Found> {
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        (is_enough && (self.proved || self.depth >= depth)).then_some(Found { value: self.value, proved: self.proved })
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    entry: Entry,
    /// Which endgame it belongs to; 0 for none.
    endgame: u16,
}

const EMPTY: Slot =
    Slot { key: 0, entry: Entry { value: 0, best: 0, bound: Bound::Exact, depth: 0, proved: false }, endgame: 0 };

/// Slots that a position may lie in.
const WAYS: usize = 4;

/// Positions by their hash. What an endgame leaves behind is empty to the next, so that each search is the same on a table that
/// has been used as on a new one.
#[derive(Clone, Debug)]
pub(super) struct Table {
    slots: Vec<Slot>,
    endgame: u16,
}

impl Table {
    /// A table of 2^`bits` positions.
    pub(super) fn new(bits: u32) -> Table {
        Table { slots: vec![EMPTY; 1 << bits.max(WAYS.ilog2())], endgame: 1 }
    }

    /// Forgets everything.
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

    /// Keeps an entry in the place of the same position, or of the one that is missed least.
    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let place = self.place(key);
        let endgame = self.endgame;
        let slots = &mut self.slots[place..place + WAYS];
        let worth = |slot: &Slot| match slot {
            slot if slot.endgame != endgame => 0,
            slot if slot.key == key => 1,
            slot => 2 + u32::from(slot.entry.depth),
        };
        let same = slots.iter().position(|slot| slot.key == key && slot.endgame == endgame);
        let chosen = same.or_else(|| (0..WAYS).min_by_key(|&way| worth(&slots[way])));
        if let Some(way) = chosen {
            // What is proved is worth more than any estimate of the same position.
            if same.is_none() || entry.proved || !slots[way].entry.proved {
                slots[way] = Slot { key, entry, endgame };
            }
        }
    }
}
