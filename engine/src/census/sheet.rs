//! The best score of every multiset of tiles on one board.

use crate::board::Board;
use crate::cross_set::{Cross, CrossSets};
use crate::layout::{Direction, Premium};
use crate::lexicon::{Node, WordGraph};
use crate::rack::{Rack, Ranking};
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile};

/// The best score of each multiset of up to a rackful of tiles on one board, by its number in a [`Ranking`].
#[derive(Clone, Debug)]
pub struct Sheet {
    scores: Vec<i16>,
}

impl Sheet {
    /// The entry of a multiset that cannot be played.
    pub const UNPLAYABLE: i16 = i16::MIN;

    /// An empty sheet (English: 8.2 MB).
    pub fn new(ranking: &Ranking) -> Sheet {
        Sheet { scores: vec![Sheet::UNPLAYABLE; ranking.len()] }
    }

    /// By number: points, or [`Sheet::UNPLAYABLE`]. A play of more than 32,767 points, which no known board allows, counts as
    /// that.
    pub fn scores(&self) -> &[i16] {
        &self.scores
    }

    /// Fills the sheet for a board and what can be drawn beside it; `ranking` numbers the multisets. Multisets of up to
    /// `exchangeable` tiles score at least 0, by being exchanged; 0 for none.
    pub fn fill(
        &mut self,
        setup: &Setup,
        ranking: &Ranking,
        board: &Board,
        cross_sets: &CrossSets,
        pool: &Rack,
        exchangeable: usize,
    ) {
        let free = ranking.of_size(exchangeable.min(ranking.max_size())).end;
        self.scores[..free].fill(0);
        self.scores[free..].fill(Sheet::UNPLAYABLE);
        self.scores[0] = Sheet::UNPLAYABLE;
        let start = setup.layout.start();
        for direction in Direction::BOTH {
            for lane in 0..board.side() {
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
                Laying::new(setup, ranking, pool, lane, &mut self.scores).run();
            }
        }
    }
}

/// One lane of the board.
#[derive(Clone, Copy)]
struct Lane<'a> {
    cells: &'a [Option<Tile>],
    crosses: &'a [Cross],
    premiums: &'a [Premium],
    /// The start square of an empty board.
    must_cover: Option<usize>,
}

impl Lane<'_> {
    /// Whether a tile on this empty square touches what a play must touch.
    fn touches(&self, offset: usize) -> bool {
        self.crosses[offset].joined || self.must_cover == Some(offset)
    }

    fn is_free(&self, offset: usize) -> bool {
        self.cells.get(offset).is_none_or(Option::is_none)
    }

    /// The first square from `start` on at which a word begun there is joined to the board, if so many tiles reach it.
    fn joined_from(&self, start: usize, most: usize) -> Option<usize> {
        let mut empty = 0;
        (start..self.cells.len())
            .find(|&offset| {
                empty += usize::from(self.cells[offset].is_none());
                self.cells[offset].is_some() || self.touches(offset)
            })
            .filter(|_| empty <= most)
    }
}

/// A letter laid on a square.
#[derive(Clone, Copy, Default)]
struct Laid {
    letter: u8,
    /// Its value under the letter premium.
    value: i32,
    /// What multiplies it in the cross word; 0 without one.
    crossing: i32,
}

/// The points of the tiles so far.
#[derive(Clone, Copy)]
struct Points {
    word: i32,
    multiplier: i32,
    crosses: i32,
}

/// Lays every word of a lane, spelled once, whatever tiles spell it.
struct Laying<'a> {
    graph: &'a WordGraph,
    values: &'a [u8; MAX_KINDS],
    ranking: &'a Ranking,
    scores: &'a mut [i16],
    lane: Lane<'a>,
    /// Tiles of each kind in the pool, and of those how many are laid: more than there are where blanks stand in.
    pool: [u8; MAX_KINDS],
    used: [u8; MAX_KINDS],
    blanks: usize,
    short: usize,
    laid: [Laid; MAX_RACK_SIZE],
    count: usize,
    most: usize,
    full_rack: usize,
    bonus: i32,
    joined_at: usize,
}

impl<'a> Laying<'a> {
    fn new(setup: &'a Setup, ranking: &'a Ranking, pool: &Rack, lane: Lane<'a>, scores: &'a mut [i16]) -> Laying<'a> {
        let mut counts = [0; MAX_KINDS];
        pool.kinds().for_each(|(kind, count)| counts[kind as usize] = count);
        let full_rack = setup.tileset.rules().rack_size;
        Laying {
            graph: &setup.lexicon.graph,
            values: setup.tileset.values(),
            ranking,
            scores,
            lane,
            pool: counts,
            used: [0; MAX_KINDS],
            blanks: counts[0] as usize,
            short: 0,
            laid: [Laid::default(); MAX_RACK_SIZE],
            count: 0,
            most: full_rack.min(pool.size()),
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
            if let Some(joined_at) = self.lane.joined_from(start, self.most) {
                self.joined_at = joined_at;
                self.cover(start, root, Points { word: 0, multiplier: 1, crosses: 0 });
            }
        }
    }

    /// Covers a square with each letter that the list, the square and the pool allow.
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
            let lacking = self.used[kind] >= self.pool[kind];
            if cross.letters >> letter & 1 == 0 || (lacking && self.short == self.blanks) {
                continue;
            }
            let value = i32::from(self.values[kind]) * i32::from(premium.letter);
            let crossing = if cross.joined { i32::from(premium.word) } else { 0 };
            self.laid[self.count] = Laid { letter, value, crossing };
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
            self.found(points);
        }
        let next = offset + 1;
        let open = next < self.lane.cells.len() && (self.count < self.most || self.lane.cells[next].is_some());
        if node.children() != 0 && open {
            self.cover(next, node.children(), points);
        }
    }

    /// Notes a word under every choice of blanks for its letters.
    fn found(&mut self, points: Points) {
        let mut laid = self.laid;
        let laid = &mut laid[..self.count];
        // By letter; among equal letters a blank goes first where it costs least.
        let loss = |tile: &Laid| tile.value * (points.multiplier + tile.crossing);
        laid.sort_unstable_by_key(|tile| (tile.letter, loss(tile)));
        let bonus = if self.count == self.full_rack { self.bonus } else { 0 };
        let score = points.word * points.multiplier + points.crosses + bonus;
        for blanks in self.short..=self.blanks.min(self.count) {
            let index = self.ranking.of_size(self.count).start + self.ranking.step(0, 0, blanks);
            let losses: [i32; MAX_RACK_SIZE] = std::array::from_fn(|at| laid.get(at).map_or(0, loss));
            self.spell(laid, &losses, blanks, blanks, index, score);
        }
    }

    /// Chooses which of the sorted letters the rest of the blanks stand for; `size` tiles have their place in `index`.
    fn spell(&mut self, laid: &[Laid], losses: &[i32], blanks: usize, size: usize, index: usize, score: i32) {
        let Some(first) = laid.first() else {
            let entry = &mut self.scores[index];
            *entry = (*entry).max(score.min(i32::from(i16::MAX)) as i16);
            return;
        };
        let kind = first.letter as usize;
        let run = laid.iter().take_while(|tile| tile.letter == first.letter).count();
        let least = run.saturating_sub(self.pool[kind] as usize).max((blanks + run).saturating_sub(laid.len()));
        let mut score = score - losses[..least].iter().sum::<i32>();
        for as_blanks in least..=run.min(blanks) {
            let real = run - as_blanks;
            let next = if real == 0 { index } else { index + self.ranking.step(kind, size, real) };
            self.spell(&laid[run..], &losses[run..], blanks - as_blanks, size + real, next, score);
            score -= losses.get(as_blanks).copied().unwrap_or_default();
        }
    }
}
