//! The chance to hold the letters of a word.

use crate::tileset::{MAX_KINDS, MAX_RACK_SIZE};

/// Racks drawn from some tiles, without their blanks.
#[derive(Clone, Debug)]
pub(super) struct Draws {
    /// By kind and by how many tiles of the kind were taken before: the tiles that are left, divided by the number then taken.
    ways: [[f32; MAX_RACK_SIZE + 1]; MAX_KINDS],
    /// One divided by that.
    inverse: [[f32; MAX_RACK_SIZE + 1]; MAX_KINDS],
    /// By the number of letters: the share of the draws of this many tiles that are on the rack.
    shares: [f32; MAX_RACK_SIZE + 2],
}

impl Draws {
    /// Racks of `rack_size` tiles, drawn from tiles with these numbers of each kind.
    pub(super) fn new(counts: &[u8], rack_size: usize) -> Draws {
        let (rack, all) = (rack_size as f32, counts.iter().map(|&count| f32::from(count)).sum::<f32>());
        let mut shares = [1.0; MAX_RACK_SIZE + 2];
        for tiles in 1..shares.len() {
            let drawn = (tiles - 1) as f32;
            shares[tiles] = shares[tiles - 1] * (rack - drawn).max(0.0) / (all - drawn).max(1.0);
        }
        let mut ways = [[0.0; MAX_RACK_SIZE + 1]; MAX_KINDS];
        for (ways, &count) in ways.iter_mut().zip(counts).skip(1) {
            *ways = std::array::from_fn(|taken| f32::from(count.saturating_sub(taken as u8)) / (taken + 1) as f32);
        }
        let inverse = ways.map(|ways| ways.map(f32::recip));
        Draws { ways, inverse, shares }
    }

    /// The factor for the ways to draw some letters with one more letter of a kind, of which they have `taken`.
    #[inline]
    pub(super) fn one_more(&self, letter: u8, taken: u8) -> f32 {
        self.ways[usize::from(letter)][usize::from(taken)]
    }

    /// The factor for these ways with one letter of a kind less, of which they have `taken`.
    #[inline]
    pub(super) fn one_less(&self, letter: u8, taken: u8) -> f32 {
        self.inverse[usize::from(letter)][usize::from(taken) - 1]
    }

    /// The share of the draws of `tiles` tiles that are on the rack.
    pub(super) fn share(&self, tiles: usize) -> f32 {
        self.shares[tiles]
    }

    /// In how many ways a rack holds the letters of all parts, on average.
    pub(super) fn chance(&self, parts: [&[u8]; 3]) -> f32 {
        let mut taken = [0u8; MAX_KINDS];
        let (mut ways, mut tiles) = (1.0, 0);
        for &letter in parts.into_iter().flatten() {
            ways *= self.one_more(letter, taken[usize::from(letter)]);
            taken[usize::from(letter)] += 1;
            tiles += 1;
        }
        ways * self.share(tiles)
    }
}
