//! Upper bounds of the plays at an anchor.
//!
//! A play at an anchor is fixed by how many tiles lie left and right of it, as far as its squares go. For such an extent the
//! tiles played through, the crossing tiles and all multipliers are known; only who lies where is not. Laying the most
//! valuable tiles on the largest multipliers bounds every play of the extent. Two bounds are made of it: a quick one an
//! anchor (the best tiles of the rack and the best leave of the right size), which orders the anchors, and a close one a
//! sub-rack (its own tiles and its own leave), which the search consults at every tile it lays.
//!
//! The lexicon is asked once a turn: which of the rack's tiles spell a word by themselves. Extents that play through no tile
//! can lay nothing else, and so a rack without a bingo has no bingo there.

use super::Anchor;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::lexicon::{Children, SearchGraph};
use crate::rack::{MAX_SUB_RACKS, Rack, SubRacks};
use crate::setup::Setup;
use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE, Tile};

/// The squares of a play: how many tiles it lays, and what they are worth whoever they are.
#[derive(Clone, Copy, Default)]
struct Extent {
    tiles: usize,
    /// Whether the main word has tiles that were there before.
    plays_through: bool,
    /// Points of tiles played through and crossed, and the bonus.
    base: i32,
    /// What each laid tile's value counts, the largest first.
    multipliers: [i32; MAX_RACK_SIZE],
}

/// The tiles of one number of sub-racks.
#[derive(Clone, Copy, Default)]
struct Laid {
    tiles: u8,
    /// Values of the tiles laid when the sub-rack is kept, the largest first.
    values: [i32; MAX_RACK_SIZE],
}

/// What all anchors of a turn share.
pub(super) struct Shadow<'a> {
    setup: &'a Setup,
    board: &'a Board,
    cross_sets: &'a CrossSets,
    numbers: &'a SubRacks,
    keep_values: &'a [Equity],
    /// Letters that the rack can show.
    showable: u64,
    rack_size: usize,
    laid: [Laid; MAX_SUB_RACKS],
    /// The numbers by the tiles they lay, and where each count begins.
    by_tiles: Vec<u8>,
    first_by_tiles: [usize; MAX_RACK_SIZE + 2],
    /// For each sub-rack kept, whether the tiles laid spell a word by themselves.
    spells: [bool; MAX_SUB_RACKS],
    /// The best value of what stays when so many tiles are laid: any, and such that spell a word.
    best_kept: [Equity; MAX_RACK_SIZE + 1],
    best_kept_by_word: [Option<Equity>; MAX_RACK_SIZE + 1],
}

/// For each number of a sub-rack an upper bound over all plays at an anchor that keep it or less of it.
pub(super) type Reach = [Equity; MAX_SUB_RACKS];

/// With more blanks than this nearly everything spells a word, and finding out takes long.
const MOST_BLANKS: u8 = 1;
/// Less than any play is worth, and far from overflow.
const HOPELESS: Equity = Equity(i32::MIN / 2);

impl<'a> Shadow<'a> {
    pub(super) fn new(
        setup: &'a Setup,
        board: &'a Board,
        cross_sets: &'a CrossSets,
        rack: &Rack,
        numbers: &'a SubRacks,
        keep_values: &'a [Equity],
    ) -> Shadow<'a> {
        let kinds = rack.kinds().fold(0u64, |bits, (kind, _)| bits | 1 << kind);
        let showable = if kinds & 1 == 1 { setup.tileset.all_letters() } else { kinds };
        let laid = laid_tiles(setup, numbers);
        let mut by_tiles: Vec<u8> = (0..numbers.len()).map(|number| number as u8).collect();
        by_tiles.sort_by_key(|&number| laid[number as usize].tiles);
        let fewer = |tiles: usize| by_tiles.partition_point(|&number| (laid[number as usize].tiles as usize) < tiles);
        let first_by_tiles = std::array::from_fn(fewer);
        let spells = spelling(setup, rack, numbers);
        let mut best_kept = [HOPELESS; MAX_RACK_SIZE + 1];
        let mut best_kept_by_word = [None; MAX_RACK_SIZE + 1];
        for (number, &value) in keep_values[..numbers.len()].iter().enumerate() {
            let tiles = laid[number].tiles as usize;
            best_kept[tiles] = best_kept[tiles].max(value);
            if spells[number] {
                best_kept_by_word[tiles] = best_kept_by_word[tiles].max(Some(value));
            }
        }
        Shadow {
            setup,
            board,
            cross_sets,
            numbers,
            keep_values,
            showable,
            rack_size: rack.size(),
            laid,
            by_tiles,
            first_by_tiles,
            spells,
            best_kept,
            best_kept_by_word,
        }
    }

    /// An upper bound over all plays at an anchor; `None` if there are none.
    pub(super) fn bound(&self, anchor: Anchor) -> Option<Equity> {
        let mut bound = None;
        self.each_extent(anchor, |extent| bound = bound.max(self.quick(extent)));
        bound
    }

    /// Upper bounds over the plays at an anchor by what they keep; plays below `least` may be taken for hopeless.
    pub(super) fn reach(&self, anchor: Anchor, least: Equity, reach: &mut Reach) {
        let len = self.numbers.len();
        reach[..len].fill(HOPELESS);
        self.each_extent(anchor, |extent| {
            if self.quick(extent).is_none_or(|bound| bound < least) {
                return;
            }
            for &number in self.laying(extent.tiles) {
                let number = number as usize;
                if extent.plays_through || self.spells[number] {
                    let score = extent.base + product(&extent.multipliers, &self.laid[number].values);
                    reach[number] = reach[number].max(Equity::from_points(score) + self.keep_values[number]);
                }
            }
        });
        // What keeps less can still be reached: take the larger of both, one kind after the other.
        for &(kind, count) in self.numbers.kinds() {
            let stride = self.numbers.stride(kind);
            for block in reach[..len].chunks_exact_mut(stride * (count as usize + 1)) {
                for number in stride..block.len() {
                    block[number] = block[number].max(block[number - stride]);
                }
            }
        }
    }

    /// The numbers that lay so many tiles.
    fn laying(&self, tiles: usize) -> &[u8] {
        &self.by_tiles[self.first_by_tiles[tiles]..self.first_by_tiles[tiles + 1]]
    }

    fn quick(&self, extent: &Extent) -> Option<Equity> {
        let kept =
            if extent.plays_through { Some(self.best_kept[extent.tiles]) } else { self.best_kept_by_word[extent.tiles] };
        let score = extent.base + product(&extent.multipliers, &self.laid[0].values);
        kept.map(|kept| kept + Equity::from_points(score))
    }

    /// Calls `see` with every extent that a play at the anchor can have.
    fn each_extent(&self, anchor: Anchor, mut see: impl FnMut(&Extent)) {
        let Anchor { direction, lane, offset, left_limit } = anchor;
        let cells = self.board.lane(direction, lane);
        let crosses = self.cross_sets.lane(direction, lane);
        let premiums = self.setup.layout.lane(direction, lane);
        let rules = self.setup.tileset.rules();
        let value = |tile: Tile| self.setup.tileset.value(tile);
        let run_before: i32 = cells[..offset].iter().rev().map_while(|cell| cell.map(value)).sum();
        let left_room = if offset > 0 && cells[offset - 1].is_some() { 0 } else { offset - left_limit };
        for left in 0..=left_room.min(self.rack_size - 1) {
            let plays_through = offset > 0 && cells[offset - 1].is_some();
            let mut squares = Squares { through: run_before, plays_through, multiplier: 1, ..Squares::default() };
            let mut at = offset - left;
            while squares.tiles < self.rack_size && at < cells.len() {
                let cross = crosses[at];
                if cross.letters & self.showable == 0 {
                    break;
                }
                squares.lay(
                    i32::from(premiums[at].letter),
                    i32::from(premiums[at].word),
                    cross.joined.then_some(cross.score),
                );
                let run = cells[at + 1..].iter().map_while(|cell| cell.map(value));
                let (mut length, mut points) = (0, 0);
                for value in run {
                    length += 1;
                    points += value;
                }
                squares.through += points;
                squares.plays_through |= length > 0;
                let is_past_anchor = at >= offset;
                at += 1 + length;
                if is_past_anchor {
                    let bonus = if squares.tiles == rules.rack_size { rules.bingo_bonus } else { 0 };
                    see(&squares.extent(bonus));
                }
            }
        }
    }
}

/// The squares of a growing extent.
#[derive(Default)]
struct Squares {
    tiles: usize,
    plays_through: bool,
    /// Points of the tiles played through.
    through: i32,
    /// The main word's multiplier.
    multiplier: i32,
    /// Points of crossing tiles under their multipliers.
    crossing: i32,
    /// Each square's letter multiplier, and what it counts in its cross word.
    letters: [(i32, i32); MAX_RACK_SIZE],
}

impl Squares {
    fn lay(&mut self, letter: i32, word: i32, cross: Option<i32>) {
        self.multiplier *= word;
        self.crossing += cross.unwrap_or(0) * word;
        self.letters[self.tiles] = (letter, if cross.is_some() { letter * word } else { 0 });
        self.tiles += 1;
    }

    fn extent(&self, bonus: i32) -> Extent {
        let base = self.through * self.multiplier + self.crossing + bonus;
        let mut extent = Extent { tiles: self.tiles, plays_through: self.plays_through, base, ..Extent::default() };
        for (count, &(letter, crossing)) in self.letters[..self.tiles].iter().enumerate() {
            insert(&mut extent.multipliers, count, letter * self.multiplier + crossing);
        }
        extent
    }
}

/// Inserts into the first `count` items, which fall.
fn insert(items: &mut [i32; MAX_RACK_SIZE], count: usize, item: i32) {
    let mut at = count;
    while at > 0 && items[at - 1] < item {
        items[at] = items[at - 1];
        at -= 1;
    }
    items[at] = item;
}

/// The points of tiles on multipliers; both are 0 beyond the tiles there are.
fn product(multipliers: &[i32; MAX_RACK_SIZE], values: &[i32; MAX_RACK_SIZE]) -> i32 {
    multipliers.iter().zip(values).map(|(multiplier, value)| multiplier * value).sum()
}

/// For each sub-rack kept, the tiles laid.
fn laid_tiles(setup: &Setup, numbers: &SubRacks) -> [Laid; MAX_SUB_RACKS] {
    let mut laid = [Laid::default(); MAX_SUB_RACKS];
    // From the whole rack down: what lays one tile more is known from what lays it not.
    for number in (0..numbers.whole()).rev() {
        let mut rest = number;
        for &(kind, count) in numbers.kinds() {
            if rest % (count as usize + 1) < count as usize {
                let mut more = laid[number + numbers.stride(kind)];
                insert(&mut more.values, more.tiles as usize, setup.tileset.value(Tile::letter_tile(kind)));
                more.tiles += 1;
                laid[number] = more;
                break;
            }
            rest /= count as usize + 1;
        }
    }
    laid
}

/// For each sub-rack kept, whether the tiles laid spell a word by themselves.
fn spelling(setup: &Setup, rack: &Rack, numbers: &SubRacks) -> [bool; MAX_SUB_RACKS] {
    if rack.count(0) > MOST_BLANKS {
        return [true; MAX_SUB_RACKS];
    }
    let mut spells = [false; MAX_SUB_RACKS];
    let graph = &setup.lexicon.search;
    let mut speller = Speller { graph, numbers, counts: [0; MAX_KINDS], held: 0, spells: &mut spells };
    for (kind, count) in rack.kinds() {
        speller.counts[kind as usize] = count;
        speller.held |= 1 << kind;
    }
    speller.spell(graph.root(), numbers.whole());
    spells
}

/// Spells every word that the rack holds, from its last letter to its first as the GADDAG has it before the turning point.
struct Speller<'a> {
    graph: &'a SearchGraph,
    numbers: &'a SubRacks,
    counts: [u8; MAX_KINDS],
    /// Kinds left, as bits.
    held: u64,
    spells: &'a mut [bool; MAX_SUB_RACKS],
}

impl Speller<'_> {
    fn spell(&mut self, children: Children, kept: usize) {
        let showable = if self.held & 1 == 1 { u64::MAX } else { self.held };
        let mut wanted = children.letters & showable & !1;
        while wanted != 0 {
            let letter = wanted.trailing_zeros() as u8;
            wanted &= wanted - 1;
            let node = self.graph.child(children, letter);
            for kind in [letter, 0] {
                if self.held >> kind & 1 == 0 {
                    continue;
                }
                let kept = kept - self.numbers.stride(kind);
                let held = self.held;
                self.counts[kind as usize] -= 1;
                if self.counts[kind as usize] == 0 {
                    self.held &= !(1 << kind);
                }
                self.spells[kept] |= node.accepts;
                self.spell(node.children, kept);
                self.counts[kind as usize] += 1;
                self.held = held;
            }
        }
    }
}
