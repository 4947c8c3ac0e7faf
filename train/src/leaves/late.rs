//! Adjustments of leave values when few tiles are left in the bag, fitted to how games end.
//!
//! In late positions of self-play, the best play and another good play are both played on to the end of the game with the
//! same tiles to come. Their results differ by their scores, their leave values, and a part that the evaluator does not
//! know. For a play with leave K that leaves `b` tiles in the bag, the model of this unknown part is
//!
//! ```text
//! constant(b) + (scale − 1) · V(K) + Σ over tiles of K of tile
//! ```
//!
//! fitted to the differences by ridge regression towards 0: a constant for each `b`, and a scale and tile values for each
//! window of `b`. Comparing plays of one position cancels the effect that the position has on both. The same model fitted
//! to single games mistakes good positions for good leaves, and loses matches.

use std::collections::BTreeMap;

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use tilewright_engine::deals::Deals;
use tilewright_engine::leave::late::{LateRow, LateValues};
use tilewright_engine::movegen::{Generator, LeaveValues, ValuedMove};
use tilewright_engine::moves::{Move, Play};
use tilewright_engine::rng::Stream;
use tilewright_engine::{Game, Setup, StaticPlayer, TileSet};

/// Prior standard deviations: of constants and of tiles in points, and of the scale.
const CONSTANT: f64 = 5.0;
const TILE: f64 = 1.5;
const SCALE: f64 = 0.3;
/// The other play is one of this many best moves.
const CANDIDATES: usize = 12;

/// The starts of the windows of tiles left, and one past the last window: none, up to half a rack, up to a rack.
fn windows(rack_size: usize) -> Vec<usize> {
    let mut ends = vec![0, 1, rack_size / 2 + 1, rack_size + 1];
    ends.dedup();
    ends
}

/// The columns of the model: a constant for each number of tiles left, then scale and tiles for each window.
#[derive(Clone, Debug)]
struct Columns {
    windows: Vec<usize>,
    /// The most tiles in the bag with an adjustment: a rack.
    few: usize,
    kinds: usize,
}

impl Columns {
    fn new(tileset: &TileSet) -> Columns {
        let few = tileset.rules().rack_size;
        Columns { windows: windows(few), few, kinds: tileset.kinds().len() }
    }

    fn len(&self) -> usize {
        self.few + 1 + (self.windows.len() - 1) * (1 + self.kinds)
    }

    /// The column of the scale. The tiles follow.
    fn scale(&self, left: usize) -> usize {
        let window = self.windows.partition_point(|&begin| begin <= left) - 1;
        self.few + 1 + window * (1 + self.kinds)
    }
}

/// One play of a comparison.
struct ComparedPlay {
    /// Tiles it leaves in the bag.
    left: usize,
    /// V(K), in thousandths of a point.
    value: i32,
    /// Kinds and counts of K.
    leave: Vec<(u8, u8)>,
    /// The change of the spread from the play to the end of the game, without the play's own score, in points.
    gain: i32,
}

/// Sums over comparisons. They are integers, so the order of addition does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateTally {
    /// Comparisons counted.
    pub comparisons: u64,
    /// Σ xx′ by rows, lower triangle. Leave values are in thousandths of a point.
    squares: Vec<i64>,
    /// Σ xy, y in thousandths of a point.
    products: Vec<i64>,
    /// Σ y².
    total: i64,
}

impl LateTally {
    /// Creates an empty tally.
    pub fn new(tileset: &TileSet) -> LateTally {
        let columns = Columns::new(tileset).len();
        LateTally { comparisons: 0, squares: vec![0; columns * (columns + 1) / 2], products: vec![0; columns], total: 0 }
    }

    /// Plays self-play games and compares plays in them. The player values leaves without adjustments.
    pub fn play(
        setup: &Setup,
        player: &StaticPlayer,
        deals: Deals,
        games: std::ops::Range<u64>,
        advance: impl Fn() + Sync,
    ) -> LateTally {
        let columns = Columns::new(&setup.tileset);
        let none = || LateTally::new(&setup.tileset);
        let play = |(mut generator, mut tally): (_, LateTally), game| {
            let draws = deals.side_stream("comparisons", game);
            let comparing = GameComparison { setup, player, columns: &columns, draws };
            comparing.run(&mut generator, Game::deal(setup, deals, game), &mut tally);
            advance();
            (generator, tally)
        };
        let tallies = games.into_par_iter().fold(|| (Generator::new(setup), none()), play).map(|(_, tally)| tally);
        tallies.reduce(none, |sum, tally| sum.plus(&tally))
    }

    fn count(&mut self, columns: &Columns, [one, other]: [&ComparedPlay; 2]) {
        let mut x: BTreeMap<usize, i64> = BTreeMap::new();
        let mut y = 0;
        for (seen, sign) in [(one, 1), (other, -1)] {
            y += sign * (1000 * i64::from(seen.gain) - i64::from(seen.value));
            if seen.left > columns.few {
                continue;
            }
            let scale = columns.scale(seen.left);
            let tiles = seen.leave.iter().map(|&(kind, count)| (scale + 1 + kind as usize, sign * i64::from(count)));
            for (column, part) in [(seen.left, sign), (scale, sign * i64::from(seen.value))].into_iter().chain(tiles) {
                *x.entry(column).or_default() += part;
            }
        }
        for (&a, part) in &x {
            for (b, other) in x.range(..=a) {
                self.squares[a * (a + 1) / 2 + b] += part * other;
            }
            self.products[a] += part * y;
        }
        self.total += y / 1000 * (y / 1000);
        self.comparisons += 1;
    }

    /// The sum of both tallies.
    #[must_use]
    pub fn plus(mut self, other: &LateTally) -> LateTally {
        self.comparisons += other.comparisons;
        self.squares.iter_mut().zip(&other.squares).for_each(|(mine, theirs)| *mine += theirs);
        self.products.iter_mut().zip(&other.products).for_each(|(mine, theirs)| *mine += theirs);
        self.total += other.total;
        self
    }

    /// Fits the adjustments. A coefficient without data is 0.
    pub fn fit(&self, tileset: &TileSet) -> LateValues {
        let columns = Columns::new(tileset);
        let solution = self.solve(&columns).unwrap_or_else(|| vec![0.0; columns.len()]);
        let rows = (0..=columns.few).map(|left| {
            let scale = columns.scale(left);
            let tiles = solution[scale + 1..][..columns.kinds].iter().map(|&value| value as f32).collect();
            LateRow { constant: solution[left] as f32, scale: (1.0 + solution[scale]) as f32, tiles }
        });
        LateValues { rows: rows.collect() }
    }

    /// The ridge solution in points, or `None` if the matrix cannot be factored in floating point.
    fn solve(&self, columns: &Columns) -> Option<Vec<f64>> {
        let variance = (self.total as f64 / self.comparisons.max(1) as f64).max(1.0);
        let is_scale = |column: usize| column > columns.few && (column - columns.few - 1).is_multiple_of(1 + columns.kinds);
        let unit = |column: usize| if is_scale(column) { 1e-3 } else { 1.0 };
        let deviation = |column: usize| match column {
            column if column <= columns.few => CONSTANT,
            column if is_scale(column) => SCALE,
            _ => TILE,
        };
        let mut matrix = Mat::from_fn(columns.len(), columns.len(), |row, column| {
            let (low, high) = (row.min(column), row.max(column));
            unit(row) * unit(column) * self.squares[high * (high + 1) / 2 + low] as f64
        });
        for column in 0..columns.len() {
            matrix[(column, column)] += variance / deviation(column).powi(2);
        }
        let right = Mat::from_fn(columns.len(), 1, |row, _| 1e-3 * unit(row) * self.products[row] as f64);
        let solution = matrix.llt(Side::Lower).ok()?.solve(right);
        Some(solution.col(0).iter().copied().collect())
    }
}

/// The comparison of plays in one game.
struct GameComparison<'a> {
    setup: &'a Setup,
    player: &'a StaticPlayer,
    columns: &'a Columns,
    draws: Stream,
}

impl GameComparison<'_> {
    fn run(mut self, generator: &mut Generator<'_>, mut game: Game, tally: &mut LateTally) {
        let rack_size = self.setup.tileset.rules().rack_size;
        while !game.is_over() && !game.bag.is_empty() {
            let is_late = game.bag.len() <= self.columns.few + rack_size;
            if is_late {
                let best = self.player.choose_top(generator, &game.turn(self.setup), CANDIDATES);
                let play = |valued: &ValuedMove| if let Move::Play(play) = valued.chosen { Some(play) } else { None };
                let plays: Vec<Play> = best.iter().filter_map(play).collect();
                if let [first, rest @ ..] = &plays[..]
                    && !rest.is_empty()
                {
                    let other = rest[self.draws.random_range(0..rest.len())];
                    let seen = [*first, other].map(|play| self.play_out(generator, &game, &play));
                    tally.count(self.columns, seen.each_ref());
                }
                game.make(self.setup, &best[0].chosen);
            } else {
                let best = self.player.choose(generator, &game.turn(self.setup));
                game.make(self.setup, &best.chosen);
            }
        }
    }

    /// Makes a play and lets the player finish the game for both sides.
    fn play_out(&self, generator: &mut Generator<'_>, game: &Game, play: &Play) -> ComparedPlay {
        let leaves: LeaveValues = self.player.leave_values(&game.turn(self.setup));
        let strides = play.tiles.iter().map(|tile| leaves.sub_racks.stride(tile.kind()));
        let number = leaves.sub_racks.whole() - strides.sum::<usize>();
        let (mover, spread) = (game.to_move, game.spread() + play.score);
        let mut game = game.clone();
        let left = game.bag.len().saturating_sub(play.tiles.len());
        game.make(self.setup, &Move::Play(*play));
        while !game.is_over() {
            let best = self.player.choose(generator, &game.turn(self.setup));
            game.make(self.setup, &best.chosen);
        }
        let end = game.scores[mover] - game.scores[1 - mover];
        ComparedPlay {
            left,
            value: leaves.values[number].0,
            leave: leaves.sub_racks.get(number).kinds().collect(),
            gain: end - spread,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewright_engine::rng::stream;

    const Q: u8 = 17;

    #[test]
    fn planted_adjustments_are_found() {
        let english = TileSet::embedded("english").unwrap();
        let columns = Columns::new(&english);
        let mut tally = LateTally::new(&english);
        let mut draws = stream(5, "late", 0);
        for _ in 0..200_000 {
            // The part that both plays share is large and cancels.
            let shared = draws.random_range(-100..100);
            let mut seen = || {
                let (left, value) = (draws.random_range(0..12usize), draws.random_range(-20_000..20_000));
                let has_q = draws.random_bool(0.5);
                let scale = if left == 0 { 0.3 } else { 1.0 };
                let held = if left <= 3 && has_q { -10.0 } else { 0.0 };
                let constant = if left == 1 { 7.0 } else { 0.0 };
                let noise = draws.random_range(-30.0..30.0);
                let gain = constant + scale * f64::from(value) / 1000.0 + held + noise;
                let leave = if has_q { vec![(Q, 1)] } else { Vec::new() };
                ComparedPlay { left, value, leave, gain: shared + gain.round() as i32 }
            };
            let pair = [seen(), seen()];
            tally.count(&columns, pair.each_ref());
        }
        let late = tally.fit(&english);
        assert_eq!(late.rows.len(), 8);
        let near = |value: f32, expected: f32, error: f32| assert!((value - expected).abs() < error, "{value} {expected}");
        near(late.rows[0].scale, 0.3, 0.1);
        near(late.rows[1].constant, 7.0, 1.0);
        near(late.rows[2].constant, 0.0, 1.0);
        near(late.rows[5].scale, 1.0, 0.05);
        near(late.rows[2].tiles[Q as usize], -10.0, 1.0);
        near(late.rows[5].tiles[Q as usize], 0.0, 1.0);
    }

    #[test]
    fn windows_grow_and_end_after_a_full_rack() {
        assert_eq!(windows(7), [0, 1, 4, 8]);
        assert_eq!(windows(1), [0, 1, 2]);
        for name in TileSet::embedded_names() {
            let tileset = TileSet::embedded(name).unwrap();
            assert_eq!(*windows(tileset.rules().rack_size).last().unwrap(), tileset.rules().rack_size + 1);
        }
        let english = TileSet::embedded("english").unwrap();
        let nothing = LateTally::new(&english).fit(&english);
        let none = LateRow { constant: 0.0, scale: 1.0, tiles: vec![0.0; 27] };
        assert_eq!(nothing.rows, vec![none; 8]);
    }

    #[test]
    fn merging_shards_equals_counting_at_once() {
        let english = TileSet::embedded("english").unwrap();
        let columns = Columns::new(&english);
        let mut draws = stream(5, "late", 1);
        let mut shards = [0; 3].map(|_| LateTally::new(&english));
        let mut whole = LateTally::new(&english);
        for number in 0..30 {
            let pair = [0; 2].map(|_| ComparedPlay {
                left: draws.random_range(0..9),
                value: draws.random_range(-20_000..20_000),
                leave: vec![(draws.random_range(0..27), 1)],
                gain: draws.random_range(-50..50),
            });
            shards[number % 3].count(&columns, pair.each_ref());
            whole.count(&columns, pair.each_ref());
        }
        let [one, two, three] = shards;
        assert_eq!(three.plus(&one).plus(&two), whole);
    }
}
