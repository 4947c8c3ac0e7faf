//! The best score of every multiset of tiles on one board.

use crate::board::Board;
use crate::cross_set::{Cross, CrossSets};
use crate::layout::Premium;
use crate::lexicon::{Node, WordGraph};
use crate::movegen::all_lanes;
use crate::rack::{Rack, Ranking};
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile};

/// The best score on one board of each multiset of up to a rackful of tiles, by its index in a [`Ranking`].
#[derive(Clone, Debug)]
pub struct Sheet {
    scores: Vec<i16>,
}

impl Sheet {
    /// The score of a multiset that cannot be played.
    pub const UNPLAYABLE: i16 = i16::MIN;

    /// Creates an empty sheet. It takes 8.2 MB in English.
    pub fn new(ranking: &Ranking) -> Sheet {
        Sheet { scores: vec![Sheet::UNPLAYABLE; ranking.len()] }
    }

    /// Returns the scores in points, or [`Sheet::UNPLAYABLE`]. A score above 32,767 points, which no known board allows, is
    /// clamped.
    pub fn scores(&self) -> &[i16] {
        &self.scores
    }

    /// Fills the sheet for a board and the tiles of `unseen`; `ranking` numbers the multisets. A multiset of 1 to
    /// `exchangeable` tiles scores at least 0, because it can be exchanged.
    pub fn fill(
        &mut self,
        setup: &Setup,
        ranking: &Ranking,
        board: &Board,
        cross_sets: &CrossSets,
        unseen: &Rack,
        exchangeable: usize,
    ) {
        let free = ranking.indices_of_size(exchangeable.min(ranking.max_size())).end;
        self.scores[..free].fill(0);
        self.scores[free..].fill(Sheet::UNPLAYABLE);
        self.scores[0] = Sheet::UNPLAYABLE;
        let start = setup.layout.start();
        for (direction, lane) in all_lanes(board.side()) {
            let must_cover = board.is_empty().then(|| start.lane(direction));
            if must_cover.is_some_and(|(start_lane, _)| start_lane != lane) {
                continue;
            }
            let lane = Lane {
                cells: board.lane(direction, lane),
                crosses: cross_sets.lane(direction, lane),
                premiums: setup.layout.lane(direction, lane),
                must_cover: must_cover.map(|(_, offset)| offset),
            };
            WordPlacer::new(setup, ranking, unseen, lane, &mut self.scores).run();
        }
    }
}

#[derive(Clone, Copy)]
struct Lane<'a> {
    cells: &'a [Option<Tile>],
    crosses: &'a [Cross],
    premiums: &'a [Premium],
    /// The start square of an empty board.
    must_cover: Option<usize>,
}

impl Lane<'_> {
    /// Returns whether a tile on this empty square connects a play to the board.
    fn touches(&self, offset: usize) -> bool {
        self.crosses[offset].joined || self.must_cover == Some(offset)
    }

    fn is_free(&self, offset: usize) -> bool {
        self.cells.get(offset).is_none_or(Option::is_none)
    }

    /// Returns the first square at which a word that begins on `start` is connected to the board, or `None` if `max_tiles`
    /// tiles do not reach it.
    fn joined_from(&self, start: usize, max_tiles: usize) -> Option<usize> {
        let mut empty = 0;
        (start..self.cells.len())
            .find(|&offset| {
                empty += usize::from(self.cells[offset].is_none());
                self.cells[offset].is_some() || self.touches(offset)
            })
            .filter(|_| empty <= max_tiles)
    }
}

/// A letter placed on a square.
#[derive(Clone, Copy, Default)]
struct Placement {
    letter: u8,
    /// The value of the letter times the letter multiplier.
    value: i32,
    /// The word multiplier of the cross word; 0 without a cross word.
    crossing: i32,
}

/// The points of a partial word.
#[derive(Clone, Copy)]
struct Points {
    word: i32,
    multiplier: i32,
    crosses: i32,
}

/// Places every word in a lane once, whichever tiles and blanks spell it.
struct WordPlacer<'a> {
    graph: &'a WordGraph,
    values: &'a [u8; MAX_KINDS],
    ranking: &'a Ranking,
    scores: &'a mut [i16],
    lane: Lane<'a>,
    /// The number of tiles of each kind in `unseen`, and of each letter in the word. The second is larger if blanks stand
    /// in.
    unseen: [u8; MAX_KINDS],
    used: [u8; MAX_KINDS],
    blanks: usize,
    short: usize,
    placed: [Placement; MAX_RACK_SIZE],
    count: usize,
    max_tiles: usize,
    full_rack: usize,
    bonus: i32,
    joined_at: usize,
}

impl<'a> WordPlacer<'a> {
    fn new(setup: &'a Setup, ranking: &'a Ranking, unseen: &Rack, lane: Lane<'a>, scores: &'a mut [i16]) -> WordPlacer<'a> {
        let mut counts = [0; MAX_KINDS];
        unseen.kinds().for_each(|(kind, count)| counts[kind as usize] = count);
        let full_rack = setup.tileset.rules().rack_size;
        WordPlacer {
            graph: &setup.lexicon.graph,
            values: setup.tileset.values(),
            ranking,
            scores,
            lane,
            unseen: counts,
            used: [0; MAX_KINDS],
            blanks: counts[0] as usize,
            short: 0,
            placed: [Placement::default(); MAX_RACK_SIZE],
            count: 0,
            max_tiles: full_rack.min(unseen.size()),
            full_rack,
            bonus: setup.tileset.rules().bingo_bonus,
            joined_at: 0,
        }
    }

    fn run(&mut self) {
        let root = self.graph.dawg_root();
        for start in 0..self.lane.cells.len() {
            if start > 0 && !self.lane.is_free(start - 1) {
                continue;
            }
            if let Some(joined_at) = self.lane.joined_from(start, self.max_tiles) {
                self.joined_at = joined_at;
                self.cover(start, root, Points { word: 0, multiplier: 1, crosses: 0 });
            }
        }
    }

    /// Covers a square with each letter that the sibling list, the cross set and the unseen tiles allow.
    fn cover(&mut self, offset: usize, list: u32, points: Points) {
        if let Some(tile) = self.lane.cells[offset] {
            if let Some(node) = self.graph.child(list, tile.letter()) {
                let value = i32::from(self.values[tile.kind() as usize]);
                self.covered(offset, node, Points { word: points.word + value, ..points });
            }
            return;
        }
        let cross = self.lane.crosses[offset];
        let premium = self.lane.premiums[offset];
        let graph = self.graph;
        for node in graph.siblings(list) {
            let letter = node.letter();
            let kind = letter as usize;
            let lacking = self.used[kind] >= self.unseen[kind];
            if cross.letters >> letter & 1 == 0 || (lacking && self.short == self.blanks) {
                continue;
            }
            let value = i32::from(self.values[kind]) * i32::from(premium.letter);
            let crossing = if cross.joined { i32::from(premium.word) } else { 0 };
            self.placed[self.count] = Placement { letter, value, crossing };
            self.count += 1;
            self.used[kind] += 1;
            self.short += usize::from(lacking);
            let next = Points {
                word: points.word + value,
                multiplier: points.multiplier * i32::from(premium.word),
                crosses: points.crosses + crossing * (cross.score + value),
            };
            self.covered(offset, node, next);
            self.short -= usize::from(lacking);
            self.used[kind] -= 1;
            self.count -= 1;
        }
    }

    fn covered(&mut self, offset: usize, node: Node, points: Points) {
        if node.accepts() && offset >= self.joined_at && self.count > 0 && self.lane.is_free(offset + 1) {
            self.record(points);
        }
        let next = offset + 1;
        let open = next < self.lane.cells.len() && (self.count < self.max_tiles || self.lane.cells[next].is_some());
        if node.children() != 0 && open {
            self.cover(next, node.children(), points);
        }
    }

    /// Records the score of a complete word for every choice of blanks among its letters.
    fn record(&mut self, points: Points) {
        let mut placed = self.placed;
        let placed = &mut placed[..self.count];
        // By letter; among equal letters, the one that costs least as a blank comes first.
        let loss = |tile: &Placement| tile.value * (points.multiplier + tile.crossing);
        placed.sort_unstable_by_key(|tile| (tile.letter, loss(tile)));
        let bonus = if self.count == self.full_rack { self.bonus } else { 0 };
        let score = points.word * points.multiplier + points.crosses + bonus;
        for blanks in self.short..=self.blanks.min(self.count) {
            let index = self.ranking.indices_of_size(self.count).start + self.ranking.step(0, 0, blanks);
            let losses: [i32; MAX_RACK_SIZE] = std::array::from_fn(|at| placed.get(at).map_or(0, loss));
            self.spell(placed, &losses, blanks, blanks, index, score);
        }
    }

    /// Chooses the letters, among the sorted ones that are left, for which the remaining blanks stand. `index` includes
    /// `size` tiles so far.
    fn spell(&mut self, placed: &[Placement], losses: &[i32], blanks: usize, size: usize, index: usize, score: i32) {
        let Some(first) = placed.first() else {
            let entry = &mut self.scores[index];
            *entry = (*entry).max(score.min(i32::from(i16::MAX)) as i16);
            return;
        };
        let kind = first.letter as usize;
        let run = placed.iter().take_while(|tile| tile.letter == first.letter).count();
        let least = run.saturating_sub(self.unseen[kind] as usize).max((blanks + run).saturating_sub(placed.len()));
        let mut score = score - losses[..least].iter().sum::<i32>();
        for as_blanks in least..=run.min(blanks) {
            let real = run - as_blanks;
            let next = if real == 0 { index } else { index + self.ranking.step(kind, size, real) };
            self.spell(&placed[run..], &losses[run..], blanks - as_blanks, size + real, next, score);
            score -= losses.get(as_blanks).copied().unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tileset::TileSet;

    #[test]
    fn tiles_that_may_be_exchanged_score_nothing_and_others_need_a_play() {
        let setup = Setup::from_words(TileSet::embedded("english").unwrap(), "AN\nNA\n").unwrap();
        let (board, cross_sets) = (Board::new(15), CrossSets::new(15, &setup.tileset));
        let unseen = Rack::from_counts(&setup.tileset.counts());
        let ranking = Ranking::new(&setup.tileset.counts(), 3);
        let mut sheet = Sheet::new(&ranking);
        let word = ranking.rank(&Rack::from_kinds(&[1, 14]));
        for exchangeable in 0..=3 {
            sheet.fill(&setup, &ranking, &board, &cross_sets, &unseen, exchangeable);
            // AN over the start square, whose word premium is 2.
            assert_eq!(sheet.scores()[word], 4);
            for (index, &score) in sheet.scores().iter().enumerate() {
                let tiles = ranking.unrank(index);
                let is_word = tiles.size() == 2 && tiles.kinds().all(|(kind, _)| [0, 1, 14].contains(&kind));
                let is_free = (1..=exchangeable).contains(&tiles.size());
                // Two As or two Ns spell no word.
                let is_twice = [1, 14].iter().any(|&kind| tiles.count(kind) == 2);
                let is_there = is_free || (is_word && !is_twice);
                assert_eq!(score != Sheet::UNPLAYABLE, is_there, "{exchangeable}: {tiles:?}");
            }
        }
    }
}
