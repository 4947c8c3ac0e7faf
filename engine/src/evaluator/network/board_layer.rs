//! The layer that sees the board around the tiles of a move.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::features::board_patches::{PatchBoard, patch_size};
use crate::moves::Move;

/// The largest radius of patches.
pub const MOST_RADIUS: usize = 7;
/// The most units of a layer.
pub const MOST_UNITS: usize = 256;

/// A layer that is shared by all tiles that a move lays. For each of them it sees the [patch](crate::features::board_patches) of squares
/// around it. With the content c(o) of the square at offset o, and an output of 0 for a move that lays no tile,
///
/// ```text
/// output u of a move = Σ over its laid tiles of max(0, bias[u] + Σ over offsets o of table[o][c(o)][u])
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardLayer {
    /// The radius of the patches: 1 to [`MOST_RADIUS`].
    pub radius: usize,
    /// By offset and content, the weights of all units.
    pub table: Vec<f32>,
    /// The bias of each unit; as many as units.
    pub bias: Vec<f32>,
}

impl BoardLayer {
    /// The number of outputs.
    pub fn units(&self) -> usize {
        self.bias.len()
    }

    /// The number of contents of a square that the table knows.
    pub fn contents(&self) -> usize {
        self.table.len() / (patch_size(self.radius) * self.units()).max(1)
    }

    /// Checks that the shapes fit and all numbers are finite.
    ///
    /// # Errors
    /// What is wrong, with the name of the tensor.
    pub fn check(&self) -> Result<(), String> {
        let BoardLayer { radius, ref table, ref bias } = *self;
        if !(1..=MOST_RADIUS).contains(&radius) {
            return Err(format!("board_radius = {radius}; expected 1 to {MOST_RADIUS}"));
        }
        if !(1..=MOST_UNITS).contains(&bias.len()) {
            return Err(format!("board.bias has {} values; expected 1 to {MOST_UNITS}", bias.len()));
        }
        let (values, of_content) = (table.len(), patch_size(radius) * bias.len());
        if values == 0 || !values.is_multiple_of(of_content) {
            return Err(format!(
                "board.table has {values} values; expected {of_content} for each content of a square, with this board_radius"
            ));
        }
        match [("board.table", table), ("board.bias", bias)].iter().find(|(_, values)| !values.iter().all(|x| x.is_finite()))
        {
            Some((name, _)) => Err(format!("{name} has a value that is not finite")),
            None => Ok(()),
        }
    }

    /// By square of a patch, the place of its weights in the table.
    pub fn rows<'a>(&self, patch: &'a [u8]) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let (contents, units) = (self.contents(), self.units());
        patch.iter().enumerate().map(move |(offset, &content)| {
            let first = (offset * contents + usize::from(content)) * units;
            first..first + units
        })
    }

    /// The sum of each unit at a laid tile with this patch, before it is rectified.
    pub fn sums(&self, patch: &[u8], sums: &mut [f32]) {
        sums.copy_from_slice(&self.bias);
        for row in self.rows(patch) {
            sums.iter_mut().zip(&self.table[row]).for_each(|(sum, weight)| *sum += weight);
        }
    }

    /// Appends the outputs for some moves of a position to their rows of inputs.
    pub fn append(&self, board: &mut PatchBoard, moves: &[Move], rows: &mut [Vec<f32>]) {
        let mut sums = vec![0.0; self.units()];
        for (chosen, row) in moves.iter().zip(rows) {
            let first = row.len();
            row.resize(first + self.units(), 0.0);
            board.each_patch(chosen, |patch| {
                self.sums(patch, &mut sums);
                row[first..].iter_mut().zip(&sums).for_each(|(output, sum)| *output += sum.max(0.0));
            });
        }
    }
}
