//! The board layer under training, in plain numbers: sums over the laid tiles of a batch, and their gradient.

use rand::RngExt;
use tilewright_engine::evaluator::network::BoardLayer;
use tilewright_engine::features::board_patches::{PatchBoard, patch_size};
use tilewright_engine::moves::Move;
use tilewright_engine::rng::stream;

use super::config::BoardConfig;

/// A layer for squares of this many contents, drawn by seed; its bias is zero.
pub fn drawn_board(config: BoardConfig, contents: usize, seed: u64) -> BoardLayer {
    let BoardConfig { radius, units } = config;
    let mut draws = stream(seed, "network board", 0);
    // One weight per square adds up to about the same at every radius.
    let most = 1.0 / (patch_size(radius) as f32).sqrt();
    let table = (0..patch_size(radius) * contents * units).map(|_| (2.0 * draws.random::<f32>() - 1.0) * most).collect();
    BoardLayer { radius, table, bias: vec![0.0; units] }
}

/// The patches of the tiles that the candidates of a batch lay.
#[derive(Default)]
pub struct Patches {
    /// By laid tile, the place of its candidate in the batch.
    cells: Vec<usize>,
    /// The patches, one after another.
    contents: Vec<u8>,
}

impl Patches {
    /// Adds the patches of the moves of a set, whose places in the batch begin with `first`.
    pub fn add(&mut self, board: &mut PatchBoard, first: usize, moves: &[Move]) {
        for (cell, chosen) in (first..).zip(moves) {
            board.each_patch(chosen, |patch| {
                self.cells.push(cell);
                self.contents.extend_from_slice(patch);
            });
        }
    }

    /// Each laid tile: the place of its candidate, and its patch.
    fn tiles(&self, layer: &BoardLayer) -> impl Iterator<Item = (usize, &[u8])> {
        self.cells.iter().copied().zip(self.contents.chunks_exact(patch_size(layer.radius)))
    }

    /// What a layer makes of a batch of `cells` places: the sums of its units by laid tile, and its outputs by place.
    pub fn pass(&self, layer: &BoardLayer, cells: usize) -> (Vec<f32>, Vec<f32>) {
        let units = layer.units();
        let (mut sums, mut outputs) = (vec![0.0; self.cells.len() * units], vec![0.0; cells * units]);
        for ((cell, patch), sums) in self.tiles(layer).zip(sums.chunks_exact_mut(units)) {
            layer.sums(patch, sums);
            let outputs = &mut outputs[cell * units..][..units];
            outputs.iter_mut().zip(sums).for_each(|(output, sum)| *output += sum.max(0.0));
        }
        (sums, outputs)
    }

    /// The gradient of a layer, given the sums of its units and the gradient of its outputs.
    pub fn gradient(&self, layer: &BoardLayer, sums: &[f32], of_outputs: &[f32]) -> BoardLayer {
        let units = layer.units();
        let mut gradient = BoardLayer { radius: layer.radius, table: vec![0.0; layer.table.len()], bias: vec![0.0; units] };
        let mut slopes = vec![0.0; units];
        for ((cell, patch), sums) in self.tiles(layer).zip(sums.chunks_exact(units)) {
            let of_outputs = &of_outputs[cell * units..][..units];
            for ((slope, &sum), &of_output) in slopes.iter_mut().zip(sums).zip(of_outputs) {
                *slope = if sum > 0.0 { of_output } else { 0.0 };
            }
            let add = |sums: &mut [f32]| sums.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            add(&mut gradient.bias);
            layer.rows(patch).for_each(|row| add(&mut gradient.table[row]));
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::monitor::NoMonitor;

    use super::super::config::NetworkConfig;
    use super::super::run::NetworkRun;
    use super::super::samples::{CONFIG, with_run};
    use super::*;
    use crate::candidates::Positions;
    use crate::journal::Journal;
    use crate::linear::dataset::{Dataset, centre};
    use crate::linear::run::Regression;

    /// By row of a dataset, 5 points for each tile that is laid beside an empty square that doubles a letter, across the play.
    fn planted(data: &Dataset) -> Vec<f64> {
        let of_set = |number| {
            let (contents, moves) = data.board(number).unwrap();
            let mut board = PatchBoard::new(contents, 1);
            let mut points = vec![0.0; moves.len()];
            for (points, chosen) in points.iter_mut().zip(moves) {
                board.each_patch(chosen, |patch| {
                    let count = [patch[1], patch[7]].iter().filter(|content| **content == 2).count();
                    *points += 5.0 * count as f64;
                });
            }
            centre(&mut points);
            points
        };
        (0..data.sets().count()).flat_map(of_set).collect()
    }

    #[test]
    fn what_is_planted_around_laid_tiles_is_found_by_a_board_layer_alone() {
        let config = CONFIG.replace("[candidates]", "[board]\nradius = 1\nunits = 8\n\n[candidates]");
        let config = config.replace("epochs = 4", "epochs = 40").replace("hidden = [6, 4]", "hidden = [16, 8]");
        with_run(&config, |run, regression| {
            let explained = |board| {
                let mut regression = regression();
                let Regression { training, validation, held_out, .. } = &mut regression;
                for data in [training, validation, held_out] {
                    data.residuals = planted(data);
                    data.weights.fill(1.0);
                }
                regression.added = vec![0.0; 4];
                let config = NetworkConfig { board, ..run.config.clone() };
                let run = NetworkRun { config: &config, ..*run };
                let outcome = run.train(Positions::WithBag, regression, &Journal::in_memory(&NoMonitor)).unwrap();
                outcome.report.network.all.explained
            };
            let (with, without) = (explained(run.config.board), explained(None));
            assert!(with > 0.35 && without < 0.15, "{with} {without}");
        });
    }
}
