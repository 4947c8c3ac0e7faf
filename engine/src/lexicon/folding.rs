//! Letters that a tile set lacks, spelled with letters that it has: `É` as `E`, `Œ` as `OE`.

use std::collections::BTreeSet;
use std::iter;

use unicode_normalization::UnicodeNormalization;

use crate::tileset::TileSet;

/// Spells words with the letters of a tile set.
#[derive(Clone, Debug)]
pub struct Folding {
    /// The characters in the labels of the tiles.
    letters: BTreeSet<char>,
}

impl Folding {
    /// The folding to the letters of a tile set.
    pub fn new(tileset: &TileSet) -> Folding {
        Folding { letters: tileset.kinds().iter().skip(1).flat_map(|kind| kind.label.chars()).collect() }
    }

    /// Whether a tile has this character in its label: a capital, or a mark such as the dot of the Catalan `L·L`.
    pub fn has(&self, character: char) -> bool {
        self.letters.contains(&character)
    }

    /// Spells a capital that the tile set lacks: a ligature as its parts, any other letter without its accents. `None` if the tile
    /// set lacks those too.
    pub fn letter(&self, letter: char) -> Option<String> {
        let folded = match letter {
            'Œ' => "OE".into(),
            'Æ' => "AE".into(),
            _ => iter::once(letter).nfd().next()?.to_string(),
        };
        folded.chars().all(|letter| self.has(letter)).then_some(folded)
    }

    /// A word in capitals with every letter that the tile set lacks folded, as far as it can be. Accents of their own are first
    /// joined to their letters.
    pub(crate) fn word(&self, word: &str) -> String {
        let letters = word.nfc().flat_map(char::to_uppercase);
        let spelled =
            letters.map(|letter| if self.has(letter) { None } else { self.letter(letter) }.unwrap_or(letter.into()));
        spelled.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_the_tile_set_stay_and_others_lose_their_accents() {
        let words = [
            ("english", "cœur d’été", "COEUR D’ETE"),
            ("spanish", "pingu\u{308}i\u{301}no", "PINGUINO"),
            ("spanish", "nin\u{303}o", "NIÑO"),
            ("german", "Süß café", "SÜSS CAFE"),
            ("polish", "müsli źdźbło smørre", "MUSLI ŹDŹBŁO SMØRRE"),
            ("catalan", "col·legi", "COL·LEGI"),
        ];
        for (tileset, word, folded) in words {
            assert_eq!(Folding::new(&TileSet::embedded(tileset).unwrap()).word(word), folded, "{tileset}");
        }
    }
}
