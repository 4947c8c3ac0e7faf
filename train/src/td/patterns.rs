//! Maven's tile patterns: what a keep is made of.

use tilewright_engine::equity::Equity;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::rack::Rack;
use tilewright_engine::tileset::TileSet;

/// Patterns of a kind: one of it, two, three or more.
const MOST_OF_A_KIND: u8 = 3;

/// The patterns of a tile set, numbered from 1; number 0 is always there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patterns {
    /// Of each kind the number of its first pattern, and one more at the end.
    firsts: Vec<u16>,
    /// Two kinds that mean something together, such as Q and U.
    pairs: Vec<[u8; 2]>,
}

impl Patterns {
    /// Those of a tile set: each kind once, twice and three times, as far as it has so many, and the pairs.
    pub fn new(tileset: &TileSet, pairs: Vec<[u8; 2]>) -> Patterns {
        let mut firsts = vec![1];
        for count in tileset.counts() {
            let last = firsts[firsts.len() - 1];
            firsts.push(last + u16::from(count.min(MOST_OF_A_KIND)));
        }
        Patterns { firsts, pairs }
    }

    /// None but number 0.
    pub fn none(tileset: &TileSet) -> Patterns {
        Patterns { firsts: vec![1; tileset.counts().len() + 1], pairs: Vec::new() }
    }

    /// How many there are, number 0 included.
    pub fn count(&self) -> usize {
        self.firsts[self.firsts.len() - 1] as usize + self.pairs.len()
    }

    /// The numbers of those that a keep has.
    pub fn of(&self, keep: &Rack) -> Vec<u16> {
        let mut numbers = vec![0];
        for (kind, count) in keep.kinds() {
            let first = self.firsts[kind as usize];
            let most = self.firsts[kind as usize + 1] - first;
            numbers.extend(first..first + u16::from(count).min(most));
        }
        let pairs = self.firsts[self.firsts.len() - 1];
        let both = |&[one, other]: &[u8; 2]| keep.count(one) > 0 && keep.count(other) > 0;
        numbers.extend((pairs..).zip(&self.pairs).filter(|(_, pair)| both(pair)).map(|(number, _)| number));
        numbers
    }

    /// A pattern in notation: `E`, `EE`, `QU`; nothing for number 0.
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

    /// What the patterns of a keep are worth beside number 0.
    pub fn value(&self, weights: &[f64], keep: &Rack) -> f64 {
        self.of(keep)[1..].iter().map(|&number| weights[number as usize]).sum()
    }

    /// The leave table of weights in points.
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

    #[test]
    fn a_keep_has_its_patterns() {
        let english = TileSet::embedded("english").unwrap();
        let kind = |label: &str| Rack::parse(label, &english).unwrap().kinds().next().unwrap().0;
        let patterns = Patterns::new(&english, vec![[kind("Q"), kind("U")]]);
        let shown = |text: &str| {
            let keep = Rack::parse(text, &english).unwrap();
            patterns.of(&keep).iter().map(|&number| patterns.show(number as usize, &english)).collect::<Vec<_>>()
        };
        assert_eq!(shown("QEEEEU"), ["", "E", "EE", "EEE", "Q", "U", "QU"]);
        assert_eq!(shown("Z"), ["", "Z"]);
        assert_eq!(shown("??A"), ["", "?", "??", "A"]);
        // Number 0, the kinds as often as they can be kept up to three times, and the pair.
        let numbers: Vec<String> = (0..patterns.count()).map(|number| patterns.show(number, &english)).collect();
        let counts = english.counts();
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
        let table = patterns.table(&weights, &english);
        let value = |text: &str| table.get(&Rack::parse(text, &english).unwrap()).unwrap().points();
        assert_eq!((value("E"), value("EE"), value("EEQU"), value("QT")), (4.0, 1.0, 0.0, -11.0));
    }
}
