//! The words that the selections of a rack spell with letters on the board, as far as they are known.
//!
//! Extents that play through the same letters ask the filter the same questions. The answers are kept for the rack.

/// A cache of answers for one rack. It is lossy: letters whose place is taken replace the others.
#[derive(Clone, Debug)]
pub(super) struct Spelling {
    entries: Box<[Spelled; ENTRIES]>,
    /// The number of the rack. Entries of earlier racks have another one.
    rack: u32,
}

/// The number of entries, a power of two.
const ENTRIES: usize = 128;

/// Selections of one size with the same letters played through, by their place among the selections of that size.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spelled {
    rack: u32,
    tiles: u8,
    /// As many of them were tried, the first ones.
    pub tried: u8,
    through: u64,
    /// Those that may spell a word, as bits.
    pub may: u64,
}

impl Spelled {
    /// The most selections that are kept.
    pub(super) const MOST: usize = 64;
}

impl Default for Spelling {
    fn default() -> Spelling {
        Spelling { entries: Box::new([Spelled::default(); ENTRIES]), rack: 1 }
    }
}

impl Spelling {
    /// Begins with another rack.
    pub(super) fn begin(&mut self) {
        // After as many racks as there are numbers, the entries of the first ones could be taken for new ones.
        if self.rack == u32::MAX {
            *self = Spelling::default();
        }
        self.rack += 1;
    }

    /// The entry of the selections of a size with the letters of a key.
    #[inline]
    pub(super) fn entry(&mut self, through: u64, tiles: u8) -> &mut Spelled {
        let Spelling { entries, rack } = self;
        let place = through.wrapping_add(u64::from(tiles) << 57) >> 57;
        let entry = &mut entries[place as usize];
        if (entry.through, entry.tiles, entry.rack) != (through, tiles, *rack) {
            *entry = Spelled { rack: *rack, tiles, tried: 0, through, may: 0 };
        }
        entry
    }
}
