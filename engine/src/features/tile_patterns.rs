//! Maven's tile patterns: a leave as a set of small patterns, each present or absent.

use super::leave::companions;
use crate::equity::Equity;
use crate::leave::LeaveTable;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::TileSet;

/// The most patterns of a kind: at least one, two and three tiles of it.
const MAX_OF_A_KIND: u8 = 3;

/// The tile patterns of a tile set and its words: features of the leave that are 0 or 1, under [`VERSION`](super::VERSION).
///
/// They are numbered from 1. Number 0 is the constant: every leave has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilePatterns {
    /// For each kind the number of its first pattern. At the end is the number of the first pair.
    firsts: Vec<u16>,
    /// A kind and its companion, such as Q and U.
    pairs: Vec<[u8; 2]>,
}

impl TilePatterns {
    /// The patterns of a setup: one, two and three tiles of each kind, as far as the tile set has them, and the companions.
    pub fn new(setup: &Setup) -> TilePatterns {
        let mut firsts = vec![1];
        for count in setup.tileset.counts() {
            let last = firsts[firsts.len() - 1];
            firsts.push(last + u16::from(count.min(MAX_OF_A_KIND)));
        }
        let pairs = companions(setup).into_iter().map(|companion| [companion.tile, companion.needs]).collect();
        TilePatterns { firsts, pairs }
    }

    /// The constant and no other pattern.
    pub fn none(tileset: &TileSet) -> TilePatterns {
        TilePatterns { firsts: vec![1; tileset.counts().len() + 1], pairs: Vec::new() }
    }

    /// The number of patterns, the constant included.
    pub fn count(&self) -> usize {
        self.firsts[self.firsts.len() - 1] as usize + self.pairs.len()
    }

    /// The numbers of the patterns that a leave has, the constant first.
    pub fn present(&self, leave: &Rack) -> Vec<u16> {
        let mut numbers = vec![0];
        for (kind, count) in leave.kinds() {
            let first = self.firsts[kind as usize];
            let most = self.firsts[kind as usize + 1] - first;
            numbers.extend(first..first + u16::from(count).min(most));
        }
        let pairs = self.firsts[self.firsts.len() - 1];
        let both = |&[one, other]: &[u8; 2]| leave.count(one) > 0 && leave.count(other) > 0;
        numbers.extend((pairs..).zip(&self.pairs).filter(|(_, pair)| both(pair)).map(|(number, _)| number));
        numbers
    }

    /// A pattern in notation: `E`, `EE`, `QU`, or empty for the constant.
    pub fn show(&self, number: usize, tileset: &TileSet) -> String {
        let label = |kind: usize| tileset.kinds()[kind].label.as_str();
        if number == 0 {
            return String::new();
        }
        let pairs = self.firsts[self.firsts.len() - 1] as usize;
        if let Some(&[one, other]) = number.checked_sub(pairs).and_then(|pair| self.pairs.get(pair)) {
            return label(one as usize).to_string() + label(other as usize);
        }
        let kind = self.firsts.partition_point(|&first| first as usize <= number) - 1;
        label(kind).repeat(number - self.firsts[kind] as usize + 1)
    }

    /// The sum of the weights of a leave's patterns, without the constant.
    pub fn value(&self, weights: &[f64], leave: &Rack) -> f64 {
        self.present(leave)[1..].iter().map(|&number| weights[number as usize]).sum()
    }

    /// The leave table of weights in points, without the constant.
    pub fn table(&self, weights: &[f64], tileset: &TileSet) -> LeaveTable {
        let mut table = LeaveTable::zero(tileset);
        for index in 1..table.values().len() {
            let leave = table.ranking().unrank(index);
            table.set(index, Equity::from_fractional_points(self.value(weights, &leave)));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::test_support::english;

    #[test]
    fn a_leave_has_its_patterns() {
        let setup = english();
        let patterns = TilePatterns::new(&setup);
        let shown = |text: &str| {
            let leave = Rack::parse(text, &setup.tileset).unwrap();
            patterns.present(&leave).iter().map(|&number| patterns.show(number as usize, &setup.tileset)).collect::<Vec<_>>()
        };
        assert_eq!(shown("QEEEEU"), ["", "E", "EE", "EEE", "Q", "U", "QU"]);
        assert_eq!(shown("Z"), ["", "Z"]);
        assert_eq!(shown("??A"), ["", "?", "??", "A"]);
        // The constant, each kind up to three times as far as the set has the tiles, and the pair.
        let numbers: Vec<String> = (0..patterns.count()).map(|number| patterns.show(number, &setup.tileset)).collect();
        let counts = setup.tileset.counts();
        assert_eq!(numbers.len(), 2 + counts.iter().map(|&count| count.min(3) as usize).sum::<usize>());
        let mut weights = vec![0.0; patterns.count()];
        for (weight, name) in weights.iter_mut().zip(&numbers) {
            *weight = match name.as_str() {
                "" => 99.0,
                "E" => 4.0,
                "EE" => -3.0,
                "QU" => 10.0,
                "Q" => -11.0,
                _ => 0.0,
            };
        }
        let table = patterns.table(&weights, &setup.tileset);
        let value = |text: &str| table.get(&Rack::parse(text, &setup.tileset).unwrap()).unwrap().points();
        assert_eq!((value("E"), value("EE"), value("EEQU"), value("QT")), (4.0, 1.0, 0.0, -11.0));
    }
}
