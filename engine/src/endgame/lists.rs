//! The plays of every lane that the search has met, found once for each thing that a lane can look like.
//!
//! A move changes a few lanes of the board, and most of what it leaves there the search meets again and again. So the plays of
//! a lane are kept by a hash of the lane: for the whole rack that a player began with where much of it is left, and filtered by
//! what is; else for what is left alone, which is found far sooner. Either way the same plays come in the same order. Two lanes
//! that look different share a 64-bit hash with a chance of one in 10¹⁹.

use rustc_hash::FxHashMap;

use super::parts::Parts;
use crate::board::Board;
use crate::cross_set::{Cross, CrossSets};
use crate::layout::Direction;
use crate::movegen::{LaneGenerator, LaneRack};
use crate::moves::Play;
use crate::setup::Setup;
use crate::tileset::Tile;

/// Plays kept before all are forgotten: about 24 MB for each player.
const MOST_PLAYS: usize = 1 << 20;
/// With so few tiles left, and more spent, lanes are looked through for these alone.
const FEW_TILES: u32 = 3;

/// A play with the tiles that it takes from a rack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    pub play: Play,
    /// A hash by which it is found again.
    pub mark: u32,
    /// The part of the rack that it lays, and its mask.
    pub part: u8,
    pub mask: u8,
}

/// Where the plays of a lane are listed; it holds until all lists are forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Handle {
    epoch: u32,
    list: u32,
    /// The part whose plays it has.
    part: u8,
}

/// The lists of one player.
#[derive(Clone, Debug)]
pub(super) struct Lists<'a> {
    generator: LaneGenerator<'a>,
    setup: &'a Setup,
    /// By part, as far as they were needed.
    racks: Vec<Option<LaneRack>>,
    whole: u8,
    /// The rack without its blanks.
    natural: u8,
    showable: u64,
    known: FxHashMap<u64, u32>,
    /// Where each list ends; it begins where the one before ends.
    ends: Vec<u32>,
    plays: Vec<Listed>,
    found: Vec<Play>,
    /// Counts how often all was forgotten, from 1.
    epoch: u32,
}

impl<'a> Lists<'a> {
    pub(super) fn new(setup: &'a Setup, parts: &Parts) -> Lists<'a> {
        Lists {
            generator: LaneGenerator::new(setup),
            setup,
            racks: vec![None; parts.len()],
            whole: parts.whole(),
            natural: parts.natural(),
            showable: parts.showable(&setup.tileset),
            known: FxHashMap::default(),
            ends: vec![0],
            plays: Vec::new(),
            found: Vec::new(),
            epoch: 1,
        }
    }

    /// The letters that the rack can show, as bits.
    pub(super) fn showable(&self) -> u64 {
        self.showable
    }

    /// Whether a handle still leads to a list that has all plays of the part that is held.
    #[inline]
    pub(super) fn holds(&self, handle: Handle, held: u8, parts: &Parts) -> bool {
        handle.epoch == self.epoch && parts.mask(held) & !parts.mask(handle.part) == 0
    }

    /// The plays behind a handle that still holds.
    #[inline]
    pub(super) fn plays(&self, handle: Handle) -> &[Listed] {
        let list = handle.list as usize;
        let first = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.plays[first as usize..self.ends[list] as usize]
    }

    /// A list of a lane whose look has this hash: it has all plays of the part that is held, and may have others.
    pub(super) fn find(
        &mut self,
        hash: u64,
        lane: (Direction, usize),
        (board, cross_sets): (&Board, &CrossSets),
        (parts, held): (&Parts, u8),
    ) -> Handle {
        let Lists { epoch, whole, natural, .. } = *self;
        let few = parts.mask(held).count_ones() <= FEW_TILES;
        let enough = if parts.mask(held) & !parts.mask(natural) == 0 { natural } else { whole };
        let part = if few { held } else { enough };
        for part in [part, enough, whole] {
            if let Some(&list) = self.known.get(&of_part(hash, part)) {
                return Handle { epoch, list, part };
            }
        }
        let hash = of_part(hash, part);
        if self.plays.len() > MOST_PLAYS {
            self.forget();
        }
        let Lists { generator, setup, racks, found, .. } = self;
        let rack = racks[part as usize].get_or_insert_with(|| LaneRack::new(setup, &parts.rack(part)));
        generator.find(rack, lane, (board, cross_sets), found);
        // The order of the search must not depend on how words are found.
        self.found.sort_unstable();
        self.plays.extend(self.found.iter().map(|&play| {
            let part = parts.number(&play.tiles);
            Listed { play, mark: mark(&play), part, mask: parts.mask(part) }
        }));
        let list = if self.found.is_empty() { 0 } else { self.ends.len() as u32 };
        if list > 0 {
            self.ends.push(self.plays.len() as u32);
        }
        self.known.insert(hash, list);
        Handle { epoch: self.epoch, list, part }
    }

    fn forget(&mut self) {
        self.known.clear();
        self.ends.truncate(1);
        self.plays.clear();
        self.epoch += 1;
    }
}

/// What a tile on a square of a lane adds to the hash of its look.
#[inline]
pub(super) fn tile_hash(offset: usize, tile: Tile) -> u64 {
    mix(1 << 32 | (offset as u64) << 8 | u64::from(tile.letter()) << 1 | u64::from(tile.is_blank()))
}

/// What the cross set of a square of a lane adds to the hash of its look, for a rack that can show these letters.
#[inline]
pub(super) fn cross_hash(offset: usize, cross: &Cross, showable: u64) -> u64 {
    if !cross.joined {
        return 0;
    }
    let letters = cross.letters & showable;
    let score = if letters == 0 { 0 } else { cross.score as u64 };
    mix(letters ^ mix(2 << 32 | (offset as u64) << 16 | score))
}

fn of_part(hash: u64, part: u8) -> u64 {
    hash ^ mix(6 << 32 | u64::from(part))
}

/// A hash of a number.
#[inline]
pub(super) fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn mark(play: &Play) -> u32 {
    let Play { direction, start, tiles, .. } = play;
    let place = (*direction as u64) << 16 | u64::from(start.row) << 8 | u64::from(start.column);
    let hash = tiles.iter().fold(mix(place), |hash, tile| {
        (hash ^ u64::from(tile.letter()) << 1 ^ u64::from(tile.is_blank())).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    });
    // 0 stands for no play.
    (mix(hash) >> 32) as u32 | 1
}
