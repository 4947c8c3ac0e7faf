//! Words packed into integers that sort like words.

use crate::layout::MAX_SIDE;

/// The number of bits per letter.
const BITS: u32 = 6;

/// A word of at most 21 letters in six bits each, the first letter highest, so that packed words sort like words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedWord(u128);

impl PackedWord {
    /// Packs at most 21 letters, each 1 to 63.
    pub fn new(letters: impl IntoIterator<Item = u8>) -> PackedWord {
        let mut word = PackedWord::default();
        for (place, letter) in (0u32..).zip(letters) {
            debug_assert!(place < MAX_SIDE as u32 && (1..64).contains(&letter));
            word.0 |= u128::from(letter) << (128 - BITS * (place + 1));
        }
        word
    }

    /// Returns the letters in order.
    pub fn letters(self) -> impl DoubleEndedIterator<Item = u8> + Clone {
        (0..self.len() as u32).map(move |place| (self.0 >> (128 - BITS * (place + 1))) as u8 & 63)
    }

    /// Returns the number of letters.
    pub(crate) fn len(self) -> usize {
        // 21 letters take 126 bits. The two lowest bits are never used.
        (128 - self.0.trailing_zeros()).div_ceil(BITS) as usize * usize::from(self.0 != 0)
    }

    /// Returns the length of the shared prefix of two words.
    pub(super) fn shared_prefix(self, other: PackedWord) -> usize {
        ((self.0 ^ other.0).leading_zeros() / BITS).min(MAX_SIDE as u32) as usize
    }

    /// Returns the first `length` letters.
    pub(super) fn prefix(self, length: usize) -> PackedWord {
        if length == 0 { PackedWord(0) } else { PackedWord(self.0 & (u128::MAX << (128 - BITS * length as u32))) }
    }

    pub(super) fn reversed(self) -> PackedWord {
        PackedWord::new(self.letters().rev())
    }
}

pub(super) fn check_length(tiles: usize, longest: usize) -> Result<(), String> {
    if tiles < 2 {
        return Err(format!("{tiles} tile; a word has at least 2"));
    }
    if tiles > longest {
        return Err(format!("{tiles} tiles; the board is {longest} wide"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_words_sort_shorten_and_reverse() {
        let pack = |letters: &[u8]| PackedWord::new(letters.iter().copied());
        assert!(pack(&[1, 2]) < pack(&[1, 2, 1]) && pack(&[1, 2, 63]) < pack(&[1, 3]));
        for length in 0..=21 {
            let letters: Vec<u8> = (1..=length).map(|letter| letter * 3).collect();
            let word = pack(&letters);
            assert_eq!(word.len(), letters.len());
            assert_eq!(word.letters().collect::<Vec<_>>(), letters);
            assert_eq!(word.reversed().reversed(), word);
            assert_eq!(word.prefix(length as usize / 2).len(), length as usize / 2);
        }
        assert_eq!(pack(&[1, 2, 3]).shared_prefix(pack(&[1, 2, 4, 5])), 2);
        assert_eq!(pack(&[1, 2]).shared_prefix(pack(&[1, 2, 4])), 2);
    }
}
