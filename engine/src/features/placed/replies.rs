//! The opponent's best reply: how a play changes the number of words that score a given number of points.
//!
//! The estimate looks at extents ([`crate::movegen`]), not at words. On an extent of n empty squares, a random rack spells
//!
//! ```text
//! λ(e) = words(n, tiles played through) · Π over its squares with cross words of the share of unseen tiles that fit
//! ```
//!
//! words on average, and Λ(b) is the sum over the extents whose words score at least b points. `words` is computed once from the lexicon: for extents without a tile played through, for extents with one by
//! its letter and its place, and for longer runs by their length alone. The score of a word there is the extent's points with
//! tiles of the average unseen value. The feature is the change of ln Λ(b): a rack that spells one of these words spells many, so the
//! probability that the best reply scores b points or more grows with the logarithm. In English self-play, −ln(1 − probability) rises
//! from 1.2 to 2.3 for b = 20 while Λ rises from 26 to 111, and from 0.3 to 0.5 for b = 40 while Λ rises from 0.2 to 3.7.
//!
//! Only the lanes that a play changes are computed again.

use std::cell::{Cell, OnceCell};

use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::layout::{Direction, MAX_SIDE};
use crate::movegen::LaneExtents;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile, TileSet};
use crate::turn::Turn;

/// The scores in question, in points.
pub const LEVELS: [f32; 6] = [20.0, 30.0, 40.0, 50.0, 65.0, 80.0];
/// The scores of the words of an extent spread evenly over this many points around their mean.
const SPREAD: f32 = 16.0;
/// Extents with more than one tile played through are counted up to this many empty squares; longer words there are rare.
const MOST_AROUND_RUNS: usize = 3;

/// Added to rates before their logarithm is taken: fewer words than this are hardly worth telling apart.
const FEW: f32 = 0.05;

/// For each level the expected number of words that score at least as much.
type Rates = [f32; LEVELS.len()];

/// How many words a random rack spells on an extent, by its number of empty squares and the tiles played through.
#[derive(Clone, Debug)]
pub struct ReplyWords {
    /// Without a tile played through, by the number of squares.
    alone: [f32; MAX_RACK_SIZE + 1],
    /// With one tile played through: by the number of squares, the squares before the tile, and its letter.
    through_one: Vec<[f32; MAX_KINDS]>,
    /// With a longer run played through: by the number of squares and the length of the run.
    through_run: [[f32; MAX_SIDE + 1]; MAX_RACK_SIZE + 1],
}

impl ReplyWords {
    /// Counts the words of a setup's lexicon for racks drawn from the full bag.
    ///
    /// # Cost
    /// A few tenths of a second for 170,000 words.
    pub fn new(setup: &Setup) -> ReplyWords {
        let rack_size = setup.tileset.rules().rack_size;
        let draws = DrawChances::new(&setup.tileset);
        let mut alone = [0.0; MAX_RACK_SIZE + 1];
        let mut through_one = vec![[0.0; MAX_KINDS]; (MAX_RACK_SIZE + 1) * (MAX_RACK_SIZE + 1)];
        let mut through_run = [[0.0; MAX_SIDE + 1]; MAX_RACK_SIZE + 1];
        let mut words_of_length = [0.0; MAX_SIDE + 1];
        let graph = &setup.lexicon.graph;
        graph.for_each_word(|word| {
            let length = word.len();
            words_of_length[length.min(MAX_SIDE)] += 1.0;
            if length <= rack_size {
                alone[length] += draws.chance(word, &[]);
            }
            if (2..=rack_size + 1).contains(&length) {
                for (place, &letter) in word.iter().enumerate() {
                    let rates = &mut through_one[(length - 1) * (MAX_RACK_SIZE + 1) + place];
                    rates[usize::from(letter)] += draws.chance(&word[..place], &word[place + 1..]);
                }
            }
            for run in length.saturating_sub(MOST_AROUND_RUNS).max(2)..length {
                for place in 0..=length - run {
                    if graph.contains(&word[place..place + run]) {
                        through_run[length - run][run] += draws.chance(&word[..place], &word[place + run..]);
                    }
                }
            }
        });
        for rates in &mut through_run {
            rates.iter_mut().zip(&words_of_length).for_each(|(rate, words)| *rate /= f32::max(*words, 1.0));
        }
        ReplyWords { alone, through_one, through_run }
    }

    /// λ for squares without cross words. `through` are the letters played through, `before` the squares before the first.
    fn rate(&self, tiles: usize, through: usize, before: usize, letter: u8) -> f32 {
        match through {
            0 => self.alone[tiles],
            1 => self.through_one[tiles * (MAX_RACK_SIZE + 1) + before][usize::from(letter)],
            run => self.through_run[tiles][run.min(MAX_SIDE)],
        }
    }
}

/// The number of ways to hold given letters on a rack drawn from the full bag, on average; blanks are left out.
struct DrawChances {
    counts: Vec<u8>,
    /// By the number of letters: the share of the draws of this many tiles that are on the rack.
    shares: [f64; MAX_RACK_SIZE + 1],
}

impl DrawChances {
    fn new(tileset: &TileSet) -> DrawChances {
        let (rack, all) = (tileset.rules().rack_size as f64, tileset.total_tiles() as f64);
        let mut shares = [1.0; MAX_RACK_SIZE + 1];
        for tiles in 1..=MAX_RACK_SIZE {
            let drawn = (tiles - 1) as f64;
            shares[tiles] = shares[tiles - 1] * (rack - drawn).max(0.0) / (all - drawn).max(1.0);
        }
        DrawChances { counts: tileset.counts(), shares }
    }

    /// For the letters of both parts together.
    fn chance(&self, front: &[u8], back: &[u8]) -> f32 {
        let mut left = [0u8; MAX_KINDS];
        left[..self.counts.len()].copy_from_slice(&self.counts);
        let mut ways = self.shares[front.len() + back.len()];
        let mut taken = [0u8; MAX_KINDS];
        for &letter in front.iter().chain(back) {
            let kind = usize::from(letter);
            taken[kind] += 1;
            ways *= f64::from(left[kind]) / f64::from(taken[kind]);
            left[kind] = left[kind].saturating_sub(1);
        }
        ways as f32
    }
}

/// The replies to the plays of one turn.
#[derive(Debug)]
pub(super) struct Replies<'a> {
    turn: &'a Turn<'a>,
    words: &'a ReplyWords,
    extents: LaneExtents,
    /// The rates of each lane before the play, where they are known.
    before: [[Cell<Option<Rates>>; MAX_SIDE]; 2],
    /// The rates of all lanes before the play.
    total: OnceCell<Rates>,
    /// The mean points of an unseen tile.
    tile_value: f32,
}

impl<'a> Replies<'a> {
    pub(super) fn new(turn: &'a Turn<'a>, words: &'a ReplyWords) -> Replies<'a> {
        let points = turn.unseen.points(&turn.setup.tileset);
        let tile_value = points as f32 / turn.unseen.size().max(1) as f32;
        let extents = LaneExtents::new(turn.setup);
        Replies { turn, words, extents, before: Default::default(), total: OnceCell::new(), tile_value }
    }

    /// The change of ln Λ for each level, after a play that changed these lanes.
    pub(super) fn changes(&mut self, lanes: &[(Direction, usize)], board: &Board, cross_sets: &CrossSets) -> Rates {
        let before = self.total();
        let mut after = before;
        for &(direction, lane) in lanes {
            let was = self.lane_before(direction, lane);
            let is = self.lane(direction, lane, board, cross_sets);
            after.iter_mut().zip(was.iter().zip(is)).for_each(|(rate, (was, is))| *rate += is - was);
        }
        std::array::from_fn(|level| ((after[level].max(0.0) + FEW) / (before[level].max(0.0) + FEW)).ln())
    }

    fn total(&mut self) -> Rates {
        if let Some(&total) = self.total.get() {
            return total;
        }
        let mut total = Rates::default();
        for direction in Direction::BOTH {
            for lane in 0..self.turn.board.side() {
                let rates = self.lane_before(direction, lane);
                total.iter_mut().zip(rates).for_each(|(sum, rate)| *sum += rate);
            }
        }
        *self.total.get_or_init(|| total)
    }

    fn lane_before(&mut self, direction: Direction, lane: usize) -> Rates {
        if let Some(rates) = self.before[direction as usize][lane].get() {
            return rates;
        }
        let rates = self.lane(direction, lane, self.turn.board, self.turn.cross_sets);
        self.before[direction as usize][lane].set(Some(rates));
        rates
    }

    /// The rates of one lane.
    fn lane(&mut self, direction: Direction, index: usize, board: &Board, cross_sets: &CrossSets) -> Rates {
        let Replies { turn, words, extents, tile_value, .. } = self;
        let (cells, crosses) = (board.lane(direction, index), cross_sets.lane(direction, index));
        let mut shares = [1.0f32; MAX_SIDE];
        for (share, cross) in shares.iter_mut().zip(crosses) {
            if cross.joined {
                *share = share_that_fits(&turn.unseen, cross.letters);
            }
        }
        let mut rates = Rates::default();
        for extent in extents.find(turn.setup, direction, index, board, cross_sets) {
            let tiles = usize::from(extent.tiles);
            let through = extent.length() - tiles;
            let first = (extent.start..=extent.end).find(|&at| cells[usize::from(at)].is_some());
            let letter = first.and_then(|at| cells[usize::from(at)]).map_or(0, Tile::letter);
            let before = first.map_or(0, |at| usize::from(at - extent.start));
            let mut rate = words.rate(tiles, through, before, letter);
            let mut joined = extent.joined;
            while joined != 0 {
                rate *= shares[joined.trailing_zeros() as usize];
                joined &= joined - 1;
            }
            let multiplied: i32 = extent.multipliers[..tiles].iter().map(|&times| i32::from(times)).sum();
            let score = extent.base as f32 + multiplied as f32 * *tile_value;
            for (sum, level) in rates.iter_mut().zip(LEVELS) {
                *sum += rate * ((score - level) / SPREAD + 0.5).clamp(0.0, 1.0);
            }
        }
        rates
    }
}

/// The share of the unseen tiles that are one of `letters` or a blank; 0 if no letter fits.
fn share_that_fits(unseen: &Rack, letters: u64) -> f32 {
    if letters == 0 {
        return 0.0;
    }
    let fitting = unseen.kinds().filter(|&(kind, _)| kind == 0 || letters >> kind & 1 == 1);
    fitting.map(|(_, count)| f32::from(count)).sum::<f32>() / unseen.size().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::samples::{WORDS, english, no_leaves, positions, small};
    use crate::layout::Square;
    use crate::movegen::Generator;
    use crate::moves::Move;
    use crate::tileset::TileSet;

    /// The expected number of ways in which a random rack holds these letters, by drawing every rack.
    fn by_all_racks(setup: &Setup, letters: &[u8]) -> f64 {
        let tileset = &setup.tileset;
        let bag: Vec<u8> = (0u8..).zip(tileset.counts()).flat_map(|(kind, count)| vec![kind; count.into()]).collect();
        let size = tileset.rules().rack_size;
        let (mut ways, mut racks) = (0.0, 0.0);
        for places in 0u32..1 << bag.len() {
            if places.count_ones() as usize != size {
                continue;
            }
            racks += 1.0;
            let held = |letter: u8| (0..bag.len()).filter(|&place| places >> place & 1 == 1 && bag[place] == letter).count();
            let mut distinct = letters.to_vec();
            distinct.sort_unstable();
            ways += distinct
                .chunk_by(|a, b| a == b)
                .map(|same| (0..same.len()).map(|at| (held(same[0]) as f64 - at as f64) / (at + 1) as f64).product::<f64>())
                .product::<f64>();
        }
        ways / racks
    }

    #[test]
    fn words_are_counted_as_a_sum_over_all_racks_does() {
        let setup = small("AB\nBABE\nAQ\nABE\nEABE\n");
        let words = ReplyWords::new(&setup);
        // A is letter 1, B 2, E 3, Q 4.
        let close = |found: f32, letters: &[&[u8]]| {
            let wanted: f64 = letters.iter().map(|letters| by_all_racks(&setup, letters)).sum();
            assert!((f64::from(found) - wanted).abs() < 1e-5, "{found} {wanted} {letters:?}");
        };
        close(words.rate(2, 0, 0, 0), &[&[1, 2], &[1, 4]]);
        close(words.rate(4, 0, 0, 0), &[&[2, 1, 2, 3], &[3, 1, 2, 3]]);
        // Through an A with one square before it: BABE by B, B, E and EABE by E, B, E.
        close(words.rate(3, 1, 1, 1), &[&[2, 2, 3], &[3, 2, 3]]);
        close(words.rate(1, 1, 0, 1), &[&[2], &[4]]);
        close(words.rate(1, 1, 1, 1), &[]);
        // Through AB an E behind makes ABE; nothing extends AQ, the other word of two letters. Through ABE: EABE and BABE.
        close(2.0 * words.rate(1, 2, 0, 1), &[&[3]]);
        close(words.rate(1, 3, 1, 1), &[&[3], &[2]]);
    }

    /// The change over the lanes of a play is the change over the whole board.
    #[test]
    fn the_changed_lanes_tell_the_change_of_the_board() {
        let spanish = Setup::from_words(TileSet::embedded("spanish").unwrap(), "CASA\nSACO\nOCA\nCAL[LL]E\nES\nSE\n");
        for (setup, games) in [(english(), 2), (small(WORDS), 6), (spanish.unwrap(), 2)] {
            let words = ReplyWords::new(&setup);
            let mut generator = Generator::new(&setup);
            let mut compared = 0;
            for game in positions(&setup, 5, games) {
                let turn = game.turn(&setup);
                let mut replies = Replies::new(&turn, &words);
                for valued in generator.top_moves(&turn, &no_leaves(game.rack()), 6) {
                    let Move::Play(play) = valued.chosen else { continue };
                    let (mut board, mut crosses) = (game.board.clone(), game.cross_sets.clone());
                    let placed: Vec<(Square, _)> = play.placements(&game.board).collect();
                    for &(square, tile) in &placed {
                        board.set(square, Some(tile));
                    }
                    let squares: Vec<Square> = placed.iter().map(|&(square, _)| square).collect();
                    let lanes =
                        super::super::changed_lanes(&crosses.update(&setup, play.direction, &squares, &board), board.side());
                    let found = replies.changes(&lanes, &board, &crosses);
                    let after = Turn { board: &board, cross_sets: &crosses, ..turn };
                    let (before, after) = (Replies::new(&turn, &words).total(), Replies::new(&after, &words).total());
                    for (level, found) in found.into_iter().enumerate() {
                        let wanted = ((after[level] + FEW) / (before[level] + FEW)).ln();
                        assert!((found - wanted).abs() < 2e-3, "{level} {found} {wanted} {play:?}");
                    }
                    compared += 1;
                }
            }
            assert!(compared > 20, "{compared}");
        }
    }
}
