//! A cache of the plays of lanes, by the state of the lane.
//!
//! A move changes a few lanes of the board, and the search meets most states of a lane many times. So the plays of a lane
//! are cached by a hash of its state and the held tiles. In a new state, plays are searched only where the lane has changed
//! since its last list. The other plays come from that list. Two states share a 64-bit hash with a probability of 1 in 10¹⁹.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::sub_racks::SubRackTable;
use crate::board::Board;
use crate::cross_set::{Cross, CrossSets};
use crate::hash::mix;
use crate::layout::Direction;
use crate::movegen::{ALL_SQUARES, LaneGenerator, LaneRack};
use crate::moves::Play;
use crate::setup::Setup;
use crate::tileset::Tile;

/// The number of cached plays after which the cache is cleared: about 60 MB for each player.
const MAX_PLAYS: usize = 1 << 21;

/// A play in a list, with the tiles that it uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedPlay {
    pub play: Play,
    /// A hash that identifies the play.
    pub mark: u32,
    /// The sub-rack that it lays.
    pub(crate) sub_rack: u8,
    /// The mask of that sub-rack.
    pub(crate) mask: u8,
    /// The squares that it covers, as bits of their offsets in the lane.
    covered: u32,
}

/// A reference to the last list of a lane, valid until the cache is cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Handle {
    epoch: u32,
    list: u32,
    /// The sub-rack for which the plays were generated.
    sub_rack: u8,
    /// The squares whose tile or cross set has changed since, as bits of their offsets.
    changed: u32,
}

impl Handle {
    pub(super) fn change(&mut self, offset: usize) {
        self.changed |= 1 << offset;
    }
}

/// The cached lists of one player.
#[derive(Clone, Debug)]
pub(super) struct Lists<'a> {
    generator: LaneGenerator<'a>,
    setup: &'a Setup,
    /// The prepared racks by sub-rack, created when needed.
    racks: Vec<Option<LaneRack>>,
    showable: u64,
    known: FxHashMap<u64, u32>,
    /// The end of each list in `plays`. A list begins at the end of the previous one.
    ends: Vec<u32>,
    plays: Vec<ListedPlay>,
    found: Vec<Play>,
    /// The number of times that the cache was cleared, plus 1.
    epoch: u32,
}

impl<'a> Lists<'a> {
    pub(super) fn new(setup: &'a Setup, sub_racks: &SubRackTable) -> Lists<'a> {
        Lists {
            generator: LaneGenerator::new(setup),
            setup,
            racks: vec![None; sub_racks.len()],
            showable: sub_racks.showable(&setup.tileset),
            known: FxHashMap::default(),
            ends: vec![0],
            plays: Vec::new(),
            found: Vec::new(),
            epoch: 1,
        }
    }

    /// Returns the letters that the rack can show, as bits.
    pub(super) fn showable(&self) -> u64 {
        self.showable
    }

    /// Returns whether a handle is valid, its lane has not changed since, and its list includes all plays of the tiles held.
    #[inline]
    pub(super) fn holds(&self, handle: Handle, held: u8, sub_racks: &SubRackTable) -> bool {
        handle.changed == 0 && self.held_before(handle, held, sub_racks)
    }

    /// Returns whether a handle is valid and its list included all plays of the tiles held.
    #[inline]
    fn held_before(&self, handle: Handle, held: u8, sub_racks: &SubRackTable) -> bool {
        handle.epoch == self.epoch && sub_racks.mask(held) & !sub_racks.mask(handle.sub_rack) == 0
    }

    #[inline]
    pub(super) fn plays(&self, handle: Handle) -> &[ListedPlay] {
        &self.plays[self.places(handle)]
    }

    #[inline]
    fn places(&self, handle: Handle) -> Range<usize> {
        let list = handle.list as usize;
        let first = if list == 0 { 0 } else { self.ends[list - 1] };
        first as usize..self.ends[list] as usize
    }

    /// Returns the list of all plays of the held tiles in a lane whose state has this hash. `last` is the last list of the
    /// lane.
    pub(super) fn find(
        &mut self,
        hash: u64,
        lane: (Direction, usize),
        boards: (&Board, &CrossSets),
        (sub_racks, held): (&SubRackTable, u8),
        last: Handle,
    ) -> Handle {
        let hash = hash ^ mix(6 << 32 | u64::from(held));
        let list = self.known.get(&hash).copied().unwrap_or_else(|| {
            if self.plays.len() > MAX_PLAYS {
                self.forget();
            }
            let list = self.add(lane, boards, (sub_racks, held), last);
            self.known.insert(hash, list);
            list
        });
        Handle { epoch: self.epoch, list, sub_rack: held, changed: 0 }
    }

    /// Adds the list of a lane: the plays of the last list that no change touches, and those that cover a square beside a change.
    fn add(
        &mut self,
        lane: (Direction, usize),
        (board, cross_sets): (&Board, &CrossSets),
        (sub_racks, held): (&SubRackTable, u8),
        last: Handle,
    ) -> u32 {
        let is_useful = self.held_before(last, held, sub_racks);
        let (kept, changed) = if is_useful { (self.places(last), last.changed) } else { (0..0, ALL_SQUARES) };
        let cells = board.lane(lane.0, lane.1);
        let squares = beside(cells, changed);
        let Lists { generator, setup, racks, found, plays, ends, .. } = self;
        let rack = racks[held as usize].get_or_insert_with(|| LaneRack::new(setup, &sub_racks.rack(held)));
        generator.find(rack, lane, squares, (board, cross_sets), found);
        // The order of the search must not depend on the generator.
        found.sort_unstable();
        let mut found = found.iter().map(|play| ListedPlay::new(play, sub_racks, cells)).peekable();
        let before = plays.len();
        for place in kept {
            let kept = plays[place];
            if kept.covered & (changed | squares) == 0 && kept.mask & !sub_racks.mask(held) == 0 {
                plays.extend(std::iter::from_fn(|| found.next_if(|found| found.play < kept.play)));
                plays.push(kept);
            }
        }
        plays.extend(found);
        if plays.len() == before {
            return 0;
        }
        ends.push(plays.len() as u32);
        ends.len() as u32 - 1
    }

    fn forget(&mut self) {
        self.known.clear();
        self.ends.truncate(1);
        self.plays.clear();
        self.epoch += 1;
    }
}

impl ListedPlay {
    /// Lists a play of a lane, whose squares are `cells`.
    fn new(play: &Play, sub_racks: &SubRackTable, cells: &[Option<Tile>]) -> ListedPlay {
        let sub_rack = sub_racks.number(&play.tiles);
        let start = play.start.lane(play.direction).1;
        let free = (start..cells.len()).filter(|&offset| cells[offset].is_none());
        let covered = free.take(play.tiles.len()).fold(0, |covered, offset| covered | 1 << offset);
        ListedPlay { play: *play, mark: mark(play), sub_rack, mask: sub_racks.mask(sub_rack), covered }
    }
}

/// Returns the empty squares on which plays may differ after some squares of a lane have changed, as bits of their offsets: the changed
/// squares that are empty, and both ends of each run of tiles with a changed square.
fn beside(cells: &[Option<Tile>], changed: u32) -> u32 {
    let (mut squares, mut rest) = (0, changed & ALL_SQUARES >> (u32::BITS as usize - cells.len()));
    while rest != 0 {
        let offset = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let before = cells[..=offset].iter().rposition(Option::is_none);
        let after = cells[offset..].iter().position(Option::is_none).map(|steps| offset + steps);
        squares |= before.into_iter().chain(after).fold(0, |squares, offset| squares | 1 << offset);
    }
    squares
}

/// Returns the hash of a tile on a square of a lane.
#[inline]
pub(super) fn tile_hash(offset: usize, tile: Tile) -> u64 {
    mix(1 << 32 | (offset as u64) << 8 | u64::from(tile.letter()) << 1 | u64::from(tile.is_blank()))
}

/// Returns the hash of a cross set of a lane, for a rack that can show the letters `showable`.
#[inline]
pub(super) fn cross_hash(offset: usize, cross: &Cross, showable: u64) -> u64 {
    if !cross.joined {
        return 0;
    }
    let letters = cross.letters & showable;
    let score = if letters == 0 { 0 } else { cross.score as u64 };
    mix(letters ^ mix(2 << 32 | (offset as u64) << 16 | score))
}

fn mark(play: &Play) -> u32 {
    let Play { direction, start, tiles, .. } = play;
    let place = (*direction as u64) << 16 | u64::from(start.row) << 8 | u64::from(start.column);
    let hash = tiles.iter().fold(mix(place), |hash, tile| {
        (hash ^ u64::from(tile.letter()) << 1 ^ u64::from(tile.is_blank())).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    });
    // 0 means no move.
    (mix(hash) >> 32) as u32 | 1
}
