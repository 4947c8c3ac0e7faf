//! Models on whole boards, each a config and a module: the burn code for a new layer and for a head per square.
//!
//! ```text
//! cargo run --release -p tilewright-train --example board -- train/examples/board/convolution.toml
//! cargo run --release -p tilewright-train --example board -- train/examples/board/squares.toml
//! ```
//!
//! The positions come from games of `leave` against itself. The program prints the explained share of the loss of a constant
//! prediction on other games.

#![allow(clippy::print_stdout)]

use std::error::Error;

use burn::module::Module;
use burn::optim::{AdamWConfig, GradientsParams};
use burn::tensor::{Device, Tensor, TensorData};
use serde::Deserialize;
use tilewright_engine::artefact::Loader;
use tilewright_engine::deals::Domain;
use tilewright_engine::layout::Square;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::Move;
use tilewright_engine::player::Player;
use tilewright_engine::rng::{shuffle, stream};
use tilewright_engine::selfplay::play_game;
use tilewright_engine::setup::Setup;

mod convolution;
mod squares;

/// The planes of a board: whether there is a tile, and its points.
const PLANES: usize = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    seed: u64,
    games: u64,
    held_out_games: u64,
    epochs: usize,
    batch: usize,
    learning_rate: f64,
    model: ModelConfig,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ModelConfig {
    Convolution(convolution::Config),
    Squares(squares::Config),
}

/// A model with its loss.
trait BoardModel: Module {
    /// The mean loss of the positions.
    fn loss(&self, positions: &Batch) -> Tensor<1>;
    /// The mean loss of the best constant prediction.
    fn loss_of_constant(positions: &Batch) -> f64;
}

/// Positions before a turn.
#[derive(Default)]
struct Positions {
    boards: Vec<f32>,
    racks: Vec<f32>,
    /// The remaining spread of the player to move, in hundreds of points.
    remaining: Vec<f32>,
    /// By square, 1 if the next play covers it.
    covered: Vec<f32>,
}

/// Some positions as tensors, with the same rows.
struct Batch {
    boards: Tensor<4>,
    racks: Tensor<2>,
    remaining: Tensor<2>,
    covered: Tensor<4>,
}

impl Positions {
    /// The positions of games of a player against itself.
    fn play(setup: &Setup, player: &Player, seed: u64, games: u64) -> Positions {
        let (mut generator, mut all) = (Generator::new(setup), Positions::default());
        let (side, kinds) = (setup.layout.side(), setup.tileset.kinds().len());
        for game in 0..games {
            let mut spreads = Vec::new();
            let result = play_game(&mut generator, [player; 2], Domain::SelfPlay.deals(seed), game, |seen| {
                let board = seen.game.board();
                let squares = || {
                    (0..side * side)
                        .map(|at| Square::in_lane(tilewright_engine::layout::Direction::Across, at / side, at % side))
                };
                let tile = |square| board.get(square);
                all.boards.extend(squares().map(|square| f32::from(u8::from(tile(square).is_some()))));
                all.boards.extend(
                    squares().map(|square| tile(square).map_or(0.0, |tile| setup.tileset.value(tile) as f32 / 10.0)),
                );
                all.racks.extend((0..kinds).map(|kind| f32::from(seen.game.rack().count(kind as u8))));
                let played: Vec<Square> = match &seen.chosen.chosen {
                    Move::Play(play) => play.placements(board).map(|(square, _)| square).collect(),
                    _ => Vec::new(),
                };
                all.covered.extend(squares().map(|square| f32::from(u8::from(played.contains(&square)))));
                spreads.push((seen.game.to_move, seen.game.spread()));
            });
            let remaining =
                |(player, spread): (usize, i32)| (result.scores[player] - result.scores[1 - player] - spread) as f32 / 100.0;
            all.remaining.extend(spreads.into_iter().map(remaining));
        }
        all
    }

    fn batch(&self, rows: &[usize], side: usize, device: &Device) -> Batch {
        let of = |values: &[f32]| {
            let width = values.len() / self.remaining.len();
            let chosen: Vec<f32> = rows.iter().flat_map(|row| &values[row * width..(row + 1) * width]).copied().collect();
            Tensor::<2>::from_data(TensorData::new(chosen, [rows.len(), width]), device)
        };
        Batch {
            boards: of(&self.boards).reshape([rows.len(), PLANES, side, side]),
            racks: of(&self.racks),
            remaining: of(&self.remaining),
            covered: of(&self.covered).reshape([rows.len(), 1, side, side]),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: board CONFIG.toml")?;
    let config: Config = toml::from_str(&std::fs::read_to_string(path)?)?;
    let device = Device::flex().autodiff();
    device.seed(config.seed);
    match &config.model {
        ModelConfig::Convolution(model) => train(model.model(&device), &config, &device),
        ModelConfig::Squares(model) => train(model.model(&device), &config, &device),
    }
}

fn train<M: BoardModel>(mut model: M, config: &Config, device: &Device) -> Result<(), Box<dyn Error>> {
    let setup = Setup::embedded("english")?;
    let player = Player::from_name("leave", Loader::new(&setup))?;
    let [positions, held_out] = [(config.seed, config.games), (config.seed + 1, config.held_out_games)]
        .map(|(seed, games)| Positions::play(&setup, &player, seed, games));
    let side = setup.layout.side();
    let judged = held_out.batch(&(0..held_out.remaining.len()).collect::<Vec<_>>(), side, device);
    let mut optimizer = AdamWConfig::new().init();
    let mut order: Vec<usize> = (0..positions.remaining.len()).collect();
    for epoch in 0..config.epochs {
        shuffle(&mut order, &mut stream(config.seed, "batches", epoch as u64));
        for rows in order.chunks(config.batch) {
            let loss = model.loss(&positions.batch(rows, side, device));
            let gradients = GradientsParams::from_grads(loss.backward(), &model);
            model = optimizer.step(config.learning_rate, model, gradients);
        }
        let loss = f64::from(model.loss(&judged).into_scalar::<f32>());
        println!("epoch {}: {:.2} % of the loss explained", epoch + 1, 100.0 * (1.0 - loss / M::loss_of_constant(&judged)));
    }
    Ok(())
}
