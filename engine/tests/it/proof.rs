//! A slow proof search of endgames. It shares the rules with the solver (move generation and [`Game::make`]), and nothing else: it
//! has no plan, no windows of estimates, no lists of lanes and no footprints.

use std::collections::HashMap;

use tilewright_engine::equity::Equity;
use tilewright_engine::game::Game;
use tilewright_engine::movegen::{Generator, LeaveValues};
use tilewright_engine::moves::Move;
use tilewright_engine::rack::{MAX_SUB_RACKS, SubRacks};

use crate::oracle::{Key, key};

/// A bound above the value of any endgame, in points.
const MAX_VALUE: i32 = 1 << 20;

/// Answers whether the value of a position reaches a number, by alpha-beta with windows of one point.
pub struct Proof<'a> {
    generator: Generator<'a>,
    /// The proved bounds of the values of positions, for the player to move.
    known: HashMap<Key, (i32, i32)>,
    /// The number of positions whose moves may still be generated.
    left: u64,
}

impl<'a> Proof<'a> {
    pub fn new(generator: Generator<'a>, nodes: u64) -> Proof<'a> {
        Proof { generator, known: HashMap::new(), left: nodes }
    }

    /// Returns whether the value of the game is this one, or `None` if that takes too many positions.
    pub fn is_value(&mut self, game: &Game, value: i32) -> Option<bool> {
        let mut game = game.clone();
        Some(self.reaches(&mut game, value)? && !self.reaches(&mut game, value + 1)?)
    }

    /// Returns whether the player to move gains at least `least` points on the opponent until the game ends.
    fn reaches(&mut self, game: &mut Game, least: i32) -> Option<bool> {
        if game.is_over() {
            return Some(least <= 0);
        }
        let key = key(game);
        let (mut lower, mut upper) = self.known.get(&key).copied().unwrap_or((-MAX_VALUE, MAX_VALUE));
        if lower < least && least <= upper {
            self.left = self.left.checked_sub(1)?;
            let moves = self.moves(game);
            upper = upper.min(most_with_one_tile(game, &moves, self));
            lower = lower.max(self.least_against_one_tile(game));
            if lower < least && least <= upper {
                if self.some_move_reaches(game, &moves, least)? { lower = least } else { upper = least - 1 }
            }
            self.known.insert(key, (lower, upper));
        }
        Some(lower >= least)
    }

    fn some_move_reaches(&mut self, game: &mut Game, moves: &[Move], least: i32) -> Option<bool> {
        let player = game.to_move;
        let spread = |game: &Game| game.scores[player] - game.scores[1 - player];
        let before = spread(game);
        for chosen in moves {
            let undo = game.make_with_undo(self.generator.setup(), chosen);
            let gained = spread(game) - before;
            let reached = if game.is_over() {
                Some(gained >= least)
            } else {
                self.reaches(game, gained - least + 1).map(|refuted| !refuted)
            };
            game.unmake(&undo);
            if reached? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Returns the moves, the plays that go out first and then the highest scores, with some points for every tile.
    fn moves(&mut self, game: &Game) -> Vec<Move> {
        let leaves = LeaveValues { sub_racks: SubRacks::new(game.rack()), values: [Equity::ZERO; MAX_SUB_RACKS] };
        let moves = self.generator.all_moves(&game.turn(self.generator.setup()), &leaves);
        let mut moves: Vec<Move> = moves.iter().map(|valued| valued.chosen).collect();
        let held = game.rack().size();
        moves.sort_by_key(|chosen| {
            let tiles = tiles(chosen);
            std::cmp::Reverse(chosen.score() + 5 * tiles as i32 + if tiles == held { 1000 } else { 0 })
        });
        moves
    }

    /// Returns a lower bound for the player to move if the opponent has one tile: the player may pass for the rest of the game,
    /// and then the opponent goes out or keeps the tile.
    fn least_against_one_tile(&mut self, game: &mut Game) -> i32 {
        let other = 1 - game.to_move;
        if game.racks[other].size() != 1 {
            return -MAX_VALUE;
        }
        game.to_move = other;
        let moves = self.moves(game);
        let most = most_with_one_tile(game, &moves, self);
        game.to_move = 1 - other;
        -most
    }
}

/// Returns an upper bound for a player to move with one tile: the opponent may pass for the rest of the game, and then the player
/// goes out with one of these moves or keeps the tile.
fn most_with_one_tile(game: &Game, moves: &[Move], proof: &Proof<'_>) -> i32 {
    if game.rack().size() != 1 {
        return MAX_VALUE;
    }
    let tileset = &proof.generator.setup().tileset;
    let [own, other] = [game.to_move, 1 - game.to_move].map(|player| game.racks[player].points(tileset));
    let out = moves.iter().filter(|chosen| tiles(chosen) == 1).map(|chosen| chosen.score() + 2 * other).max();
    out.unwrap_or(-MAX_VALUE).max(other - own)
}

fn tiles(chosen: &Move) -> usize {
    match chosen {
        Move::Play(play) => play.tiles.len(),
        _ => 0,
    }
}
