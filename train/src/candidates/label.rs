//! Candidate sets as they are stored.

use serde::{Deserialize, Serialize};
use tilewright_engine::cross_set::CrossSets;
use tilewright_engine::game::{scoring::is_legal, unseen};
use tilewright_engine::layout::Square;
use tilewright_engine::turn::Turn;
use tilewright_engine::win_percentage::TilesLeft;
use tilewright_engine::{Board, Equity, Move, Rack, Setup, Tile};

/// The largest spread, in points, and the largest equity, in thousandths, of a set that is read.
const MOST_SPREAD: u32 = 100_000;
const MOST_EQUITY: u32 = 100_000_000;

/// A position with its labelled candidates, the best by static equity first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateSet {
    /// The number of the game.
    pub game: u64,
    /// The tiles on the board.
    tiles: Vec<(Square, Tile)>,
    /// The kinds on the rack of the player to move.
    rack: Vec<u8>,
    /// The spread before the move, in points, from the view of the player to move.
    pub spread: i32,
    /// The sum over deals of the mean gain of the candidates, in thousandths of a point.
    pub gain: i64,
    /// The sum over deals of their mean win probability, in millionths.
    pub win_probability: i64,
    /// The candidates, at least two.
    pub candidates: Vec<LabelledMove>,
}

/// A candidate with its labels, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelledMove {
    /// The move.
    pub chosen: Move,
    /// Its static equity in thousandths of a point.
    pub equity: i32,
    /// The growth of the spread up to the horizon with the values of both leaves, in thousandths of a point.
    pub gain: Label,
    /// The win probability at the horizon, in millionths.
    pub win_probability: Label,
    /// The points of the opponent's next turn, in thousandths of a point.
    pub reply: Label,
    /// The points of the player's own next turn, in thousandths of a point.
    pub next_turn: Label,
}

/// Sums over deals of the difference between a candidate's result and the mean result of its set on the same deal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The sum of the differences.
    pub sum: i64,
    /// The sum of their squares.
    pub squares: i64,
}

impl Label {
    /// The labels of a set's `count` candidates, by a value of their results on each deal. Also the sum of the deals' means.
    pub fn of_deals<R>(deals: &[Vec<R>], count: usize, value: impl Fn(&R) -> i64) -> (Vec<Label>, i64) {
        let (mut labels, mut means) = (vec![Label::default(); count], 0);
        for deal in deals {
            let mean = deal.iter().map(&value).sum::<i64>().div_euclid(count.max(1) as i64);
            for (label, result) in labels.iter_mut().zip(deal) {
                let difference = value(result) - mean;
                label.sum += difference;
                label.squares += difference.pow(2);
            }
            means += mean;
        }
        (labels, means)
    }

    /// The mean difference over `deals` deals.
    pub fn mean(self, deals: u64) -> f64 {
        self.sum as f64 / deals as f64
    }

    /// The variance of the mean over `deals` deals (at least two), as if they were independent. It is an upper bound,
    /// because the deals of a set use every tile about equally often.
    pub fn variance(self, deals: u64) -> f64 {
        let deals = deals as f64;
        let mean = self.sum as f64 / deals;
        (self.squares as f64 / deals - mean * mean).max(0.0) / (deals - 1.0)
    }
}

impl CandidateSet {
    /// The set of a turn, without results.
    pub fn new(game: u64, turn: &Turn<'_>, candidates: Vec<LabelledMove>) -> CandidateSet {
        let rack = turn.rack.tiles().map(Tile::kind).collect();
        let tiles = turn.board.occupied().collect();
        CandidateSet { game, tiles, rack, spread: turn.spread, gain: 0, win_probability: 0, candidates }
    }

    /// The candidates without their labels.
    pub fn moves(&self) -> Vec<Move> {
        self.candidates.iter().map(|candidate| candidate.chosen).collect()
    }

    /// The number of tiles in the bag.
    pub fn bag(&self, setup: &Setup) -> usize {
        self.tiles_left(setup).bag
    }

    /// The tiles in the bag and on both racks. If there are tiles in the bag, the other rack is full.
    pub fn tiles_left(&self, setup: &Setup) -> TilesLeft {
        let unseen = setup.tileset.total_tiles() - self.tiles.len() - self.rack.len();
        let other = unseen.min(setup.tileset.rules().rack_size);
        TilesLeft { bag: unseen - other, own: self.rack.len(), other }
    }

    /// The board, the rack and the unseen tiles, or `None` if no game of this setup has them.
    fn position(&self, setup: &Setup) -> Option<(Board, Rack, Rack)> {
        let (side, kinds) = (setup.layout.side(), setup.tileset.kinds().len());
        let mut board = Board::new(side);
        for &(square, tile) in &self.tiles {
            if usize::from(square.row.max(square.column)) >= side || !(1..kinds).contains(&tile.letter().into()) {
                return None;
            }
            board.set(square, Some(tile));
        }
        let is_full = self.rack.len() > setup.tileset.rules().rack_size;
        if is_full || board.tiles() < self.tiles.len() || self.rack.iter().any(|&kind| usize::from(kind) >= kinds) {
            return None;
        }
        let rack = Rack::from_kinds(&self.rack);
        let unseen = unseen(&setup.tileset, &board, &rack)?;
        Some((board, rack, unseen))
    }

    /// Whether a game of this setup can have the set. Anybody can write a work file, so the set may be impossible.
    pub(super) fn is_possible(&self, setup: &Setup) -> bool {
        let Some((board, rack, _)) = self.position(setup) else { return false };
        let bag = self.bag(setup);
        let is_possible = |LabelledMove { chosen, equity, .. }: &LabelledMove| {
            equity.unsigned_abs() <= MOST_EQUITY && is_legal(setup, &board, &rack, bag, chosen)
        };
        self.spread.unsigned_abs() <= MOST_SPREAD && self.candidates.len() > 1 && self.candidates.iter().all(is_possible)
    }

    /// Applies `see` to the turn of the set, with a full other rack. The key of its run ensures that it is of this setup.
    pub fn at_turn<T>(&self, setup: &Setup, see: impl FnOnce(&Turn<'_>) -> T) -> T {
        let position = self.position(setup);
        let (board, rack, unseen) = position.unwrap_or_else(|| unreachable!("a candidate set of another tile set"));
        let (bag, cross_sets) = (self.bag(setup), CrossSets::from_board(setup, &board));
        see(&Turn { setup, board: &board, cross_sets: &cross_sets, rack, unseen, bag, spread: self.spread })
    }
}

impl LabelledMove {
    /// A candidate without results.
    pub fn new(chosen: Move, equity: Equity) -> LabelledMove {
        let none = Label::default();
        LabelledMove { chosen, equity: equity.0, gain: none, win_probability: none, reply: none, next_turn: none }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::test_support::labelled_sets;

    /// Whoever writes a work file chooses its bytes.
    #[test]
    fn a_set_with_changed_bytes_is_refused_or_is_a_position_with_legal_moves() {
        let setup = Setup::embedded("english").unwrap();
        let (mut read, mut possible) = (0, 0);
        for set in labelled_sets(&setup).iter().step_by(9) {
            assert!(set.is_possible(&setup));
            let bytes = postcard::to_stdvec(set).unwrap();
            for at in 0..bytes.len() {
                for value in [0, 15, 27, 64, 127] {
                    let mut changed = bytes.clone();
                    changed[at] = value;
                    let Ok(changed) = postcard::from_bytes::<CandidateSet>(&changed) else { continue };
                    read += 1;
                    if !changed.is_possible(&setup) {
                        continue;
                    }
                    possible += 1;
                    changed.at_turn(&setup, |turn| {
                        let moves = changed.moves();
                        assert!(moves.iter().all(|chosen| turn.rack.contains(&Rack::from_tiles(chosen.tiles()))));
                        assert_eq!(turn.unseen.size(), setup.tileset.total_tiles() - turn.board.tiles() - turn.rack.size());
                    });
                }
            }
        }
        assert!(read > 1000 && (100..read - 100).contains(&possible), "{read} {possible}");
    }

    #[test]
    fn labels_are_sums_of_differences_from_the_mean_of_the_set() {
        let deals = [[1000, 4000, 700], [-2000, 500, 9001], [0, 0, 0], [12, -7, 3]];
        let (labels, _) = Label::of_deals(&deals.map(Vec::from), 3, |&result| result);
        for (number, label) in labels.into_iter().enumerate() {
            let differences = deals.map(|deal| deal[number] as f64 - deal.iter().sum::<i64>() as f64 / 3.0);
            let mean = differences.iter().sum::<f64>() / 4.0;
            let variance = differences.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 3.0;
            // The mean of a set is rounded to whole units.
            assert!((label.mean(4) - mean).abs() < 1.0, "{label:?} {mean}");
            assert!((label.variance(4) - variance / 4.0).abs() < 0.001 * variance, "{label:?} {variance}");
        }
    }
}
