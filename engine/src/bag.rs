//! The bag: the tiles that are still to be drawn, in their order.

use rand::RngExt;

use crate::deals::Deals;
use crate::rack::Rack;
use crate::rng::{Stream, shuffle};
use crate::tileset::TileSet;

/// A shuffled bag from which each player draws at one end.
///
/// Player 0 draws from the front, player 1 from the back. So the tiles that a player draws do not depend on how many the
/// opponent has drawn, and the two games of a pair share their deals for as long as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bag {
    /// The tiles between `front` and `back` are in the bag. The others stay here, so that draws can be undone.
    kinds: Vec<u8>,
    front: usize,
    back: usize,
    stream: Stream,
}

/// The progress of the draws from a bag, to undo later draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawPosition {
    front: usize,
    back: usize,
}

impl Bag {
    /// Creates the full bag of a tile set, in the order of deal `index`.
    pub fn new(tileset: &TileSet, deals: Deals, index: u64) -> Bag {
        let kinds = (0u8..).zip(tileset.counts());
        let kinds = kinds.flat_map(|(kind, count)| std::iter::repeat_n(kind, count as usize)).collect();
        Bag::shuffled(kinds, deals.stream(index))
    }

    /// Creates a bag of tiles, given as kinds, and shuffles it by `stream`, which also places the tiles of later exchanges.
    pub fn shuffled(mut kinds: Vec<u8>, mut stream: Stream) -> Bag {
        shuffle(&mut kinds, &mut stream);
        Bag::in_order(kinds, stream)
    }

    /// Creates a bag of tiles in this order: player 0 draws from the front, player 1 from the back. `stream` places the
    /// tiles of later exchanges.
    pub fn in_order(kinds: Vec<u8>, stream: Stream) -> Bag {
        Bag { front: 0, back: kinds.len(), kinds, stream }
    }

    /// Returns the number of tiles in the bag.
    pub fn len(&self) -> usize {
        self.back - self.front
    }

    /// Returns whether the bag is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Draws tiles for player 0 or 1 until `rack` has `size` tiles or the bag is empty.
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

    /// Puts tiles back, each at a random place. Draws before this cannot be undone.
    pub(crate) fn put_back(&mut self, tiles: &Rack) {
        self.kinds.truncate(self.back);
        for tile in tiles.tiles() {
            let place = self.stream.random_range(self.front..=self.kinds.len());
            self.kinds.insert(place, tile.kind());
        }
        self.back = self.kinds.len();
    }

    /// Returns the current draw position.
    pub(crate) fn draw_position(&self) -> DrawPosition {
        DrawPosition { front: self.front, back: self.back }
    }

    /// Undoes all draws since the position `before`. No tiles may have been put back since. Debug builds check part of this.
    pub(crate) fn undo_draws(&mut self, before: DrawPosition) {
        debug_assert!(before.front <= self.front && self.back <= before.back && before.back <= self.kinds.len());
        (self.front, self.back) = (before.front, before.back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals::Domain;

    #[test]
    fn each_player_draws_from_one_end() {
        let english = TileSet::embedded("english").unwrap();
        let deal = |first_draw| {
            let mut bag = Bag::new(&english, Domain::Match.deals(1), 5);
            let (mut first, mut second) = (Rack::default(), Rack::default());
            bag.refill(&mut first, first_draw, 0);
            bag.refill(&mut second, 7, 1);
            (first, second, bag.len())
        };
        assert_eq!(deal(7).1, deal(3).1);
        assert_eq!((deal(7).2, deal(3).2), (86, 90));
    }

    #[test]
    fn draws_and_exchanges_neither_lose_nor_create_tiles() {
        let english = TileSet::embedded("english").unwrap();
        let mut bag = Bag::new(&english, Domain::Match.deals(2), 0);
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

    #[test]
    fn tiles_that_go_back_may_lie_anywhere() {
        let mut places = [0; 4];
        for index in 0..2000 {
            let mut bag = Bag::in_order(vec![1; 3], crate::rng::stream(1, "back", index));
            bag.put_back(&Rack::from_kinds(&[2]));
            let mut drawn = Rack::default();
            let draws = (1..=4).find(|&size| {
                bag.refill(&mut drawn, size, 0);
                drawn.count(2) == 1
            });
            places[draws.unwrap() - 1] += 1;
        }
        // 500 of each; three standard errors are 58.
        assert!(places.iter().all(|place| (442..=558).contains(place)), "{places:?}");
    }
}
