//! The bag: every tile still to be drawn, in the order of the draw.

use rand::RngExt;

use crate::deals::Deals;
use crate::rack::Rack;
use crate::rng::{Stream, shuffle};
use crate::tileset::TileSet;

/// A shuffled bag that each player draws from at an end of its own.
///
/// The first player draws from the front, the second from the back. So what one player draws does not depend on how many
/// tiles the other took, and the two games of a pair share their deals for as long as they can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bag {
    /// Those between `front` and `back` are left; the others stay until tiles are put back, so that draws can be taken back.
    kinds: Vec<u8>,
    front: usize,
    back: usize,
    stream: Stream,
}

/// How far a bag was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    front: usize,
    back: usize,
}

impl Bag {
    /// The full bag of a tile set, in the order of deal `index`.
    pub fn new(tileset: &TileSet, deals: Deals, index: u64) -> Bag {
        let kinds = (0u8..).zip(tileset.counts());
        let kinds = kinds.flat_map(|(kind, count)| std::iter::repeat_n(kind, count as usize)).collect();
        Bag::shuffled(kinds, deals.stream(index))
    }

    /// A bag of these tiles, shuffled by `stream`, which also places the tiles of later exchanges.
    pub fn shuffled(mut kinds: Vec<u8>, mut stream: Stream) -> Bag {
        shuffle(&mut kinds, &mut stream);
        Bag::in_order(kinds, stream)
    }

    /// A bag of these tiles, player 0 drawing the first of them first and player 1 the last; `stream` places the tiles of later
    /// exchanges.
    pub fn in_order(kinds: Vec<u8>, stream: Stream) -> Bag {
        Bag { front: 0, back: kinds.len(), kinds, stream }
    }

    /// Tiles left.
    pub fn len(&self) -> usize {
        self.back - self.front
    }

    /// Whether no tile is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `rack` up to `size` tiles from the end of player 0 or 1, as far as the bag goes.
    pub fn refill(&mut self, rack: &mut Rack, size: usize, player: usize) {
        while rack.size() < size && !self.is_empty() {
            let kind = if player == 0 {
                self.front += 1;
                self.kinds[self.front - 1]
            } else {
                self.back -= 1;
                self.kinds[self.back]
            };
            rack.add(kind);
        }
    }

    /// Puts tiles back, each at a random place.
    pub fn put_back(&mut self, tiles: &Rack) {
        self.kinds.truncate(self.back);
        for tile in tiles.tiles() {
            let place = self.stream.random_range(self.front..=self.kinds.len());
            self.kinds.insert(place, tile.kind());
        }
        self.back = self.kinds.len();
    }

    /// How far it is drawn now.
    pub fn drawn(&self) -> Drawn {
        Drawn { front: self.front, back: self.back }
    }

    /// Takes back all draws since it was `drawn` so far; nothing may have been put back since.
    pub fn take_back(&mut self, drawn: Drawn) {
        debug_assert!(drawn.front <= self.front && self.back <= drawn.back && drawn.back <= self.kinds.len());
        (self.front, self.back) = (drawn.front, drawn.back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals::Purpose;

    #[test]
    fn players_draw_from_their_own_ends() {
        let english = TileSet::embedded("english").unwrap();
        let deal = |first_draw| {
            let mut bag = Bag::new(&english, Purpose::Match.deals(1), 5);
            let (mut first, mut second) = (Rack::default(), Rack::default());
            bag.refill(&mut first, first_draw, 0);
            bag.refill(&mut second, 7, 1);
            (first, second, bag.len())
        };
        assert_eq!(deal(7).1, deal(3).1);
        assert_eq!((deal(7).2, deal(3).2), (86, 90));
    }

    #[test]
    fn no_tile_is_lost_or_made() {
        let english = TileSet::embedded("english").unwrap();
        let mut bag = Bag::new(&english, Purpose::Match.deals(2), 0);
        let mut racks = [Rack::default(); 2];
        for turn in 0..40 {
            let rack = &mut racks[turn % 2];
            bag.refill(rack, 7, turn % 2);
            if turn % 3 == 0 {
                bag.put_back(rack);
                *rack = Rack::default();
            }
        }
        let mut counts = english.counts();
        let mut rest = Rack::default();
        while !bag.is_empty() {
            bag.refill(&mut rest, 250, 0);
        }
        for rack in [racks[0], racks[1], rest] {
            for (kind, count) in rack.kinds() {
                counts[kind as usize] -= count;
            }
        }
        assert!(counts.iter().all(|&count| count == 0));
    }
}
