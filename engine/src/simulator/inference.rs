//! Inference of the opponent's leave from its last move.
//!
//! A move is more likely with leaves that make it a good move. By Bayes' rule the weight of a leave is
//!
//! ```text
//! ways to draw the rack × exp(−gap / 5 points)
//! ```
//!
//! The rack is the played tiles and the leave, drawn from all tiles that the player to move did not see at that time. The
//! gap is the equity by which the move falls short of the best move of a static player with that rack. It is never below 0.
//! If few leaves are possible, all are weighed (*exact*). Otherwise leaves are drawn from the unseen tiles and weighed in
//! the same way (*sampled*).
//!
//! After an exchange the number of exchanged tiles is known, and not which they are. So whole racks are drawn or enumerated, and each
//! rack weighs every leave of the right size by the gap of keeping it. A pass says nothing. With an empty bag nothing is inferred,
//! because the opponent's rack is known.
//!
//! # The prior
//!
//! Opponents are not this static player. With a probability of at least 5 % a leave is drawn at random from the unseen tiles,
//! as without inference, so no possible leave has probability 0. This share grows if hardly any leave explains the move: the prior
//! weighs at least as much as leaves that all fall short by 35 points. A move that no leave explains therefore says next to nothing.
//!
//! # The result
//!
//! In 12 games of static play the true leave of one or two tiles was 1.7 times as probable as in a random draw (the geometric mean of
//! 66 exact inferences by the same player).
//!
//! # Limits of the model
//!
//! The rest of the opponent's rack is taken to be drawn at random from the other unseen tiles. After an exchange this is an
//! approximation: the exchanged tiles went into the bag only after the draw. The equity of a play beyond score and leave
//! does not count.

use std::collections::HashMap;

use rand::RngExt;

use crate::bag::Bag;
use crate::board::Board;
use crate::cross_set::CrossSets;
use crate::equity::Equity;
use crate::game::{Game, LastMove, LastPlay};
use crate::movegen::{Generator, LeaveValues};
use crate::rack::Rack;
use crate::rack::sub_racks::{choose, count, multisets, ways};
use crate::rng::{Stream, stream};
use crate::setup::Setup;
use crate::static_player::StaticPlayer;
use crate::tileset::Tile;
use crate::turn::Turn;

/// The prior is mixed in with at least one part in N.
const PRIOR_PARTS: u128 = 20;
/// The prior weighs at least as much as leaves of this likelihood, which a gap of 35 points has, in the unit of [`CERTAIN`].
const LEAST_LIKELIHOOD: u128 = CERTAIN as u128 / 1000;
/// The weight of one draw of a leave, divisible by the ways of most leaves.
const DRAW: u128 = 1_000_000;

/// How much work an inference may do. Every rack costs one static move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// All leaves are weighed if no more than this are possible. After an exchange, all racks are weighed.
    pub all: usize,
    /// Otherwise this many leaves or racks are drawn.
    pub draws: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { all: 1000, draws: 400 }
    }
}

/// How leaves were weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Nothing was inferred: the last move was a pass or left no tile, or the bag is empty.
    Nothing,
    /// Every possible leave was weighed.
    Exact,
    /// Leaves were drawn.
    Sampled,
}

/// The inference about the leave of the opponent's last move. Probabilities are 0–1.
#[derive(Clone, Debug, PartialEq)]
pub struct Inference {
    /// How leaves were weighed.
    pub method: Method,
    /// The number of different leaves, or racks before an exchange, for which the move was valued.
    pub looked_at: usize,
    /// The number of tiles of the leave, and of the part of the rack that was drawn: the same after a play, the rack before an exchange.
    sizes: [usize; 2],
    /// The number of draws, or 0 unless leaves were drawn.
    draws: u64,
    unseen: Rack,
    weighed: Vec<Weighed>,
    /// The weight of the prior.
    prior: u128,
}

/// A leave that was weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Weighed {
    leave: Rack,
    weight: u128,
    /// The sum of the weights up to and including its own.
    sum: u128,
    /// How often it was drawn: the ways to take it from each draw.
    drawn: u128,
}

/// A possible leave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InferredLeave {
    /// The leave.
    pub leave: Rack,
    /// Its probability.
    pub probability: f64,
    /// Its probability if it is drawn at random from the unseen tiles.
    pub prior: f64,
}

impl Inference {
    /// Infers the leave of `last`, the opponent's move that led to `game`, as a move of `policy`. The result does not depend
    /// on tiles that the player to move cannot see. The draws come from `seed`.
    pub fn new(setup: &Setup, policy: &StaticPlayer, game: &Game, last: &LastMove, limits: &Limits, seed: u64) -> Inference {
        let unseen = game.unseen();
        let (played, exchanged) = match last {
            LastMove::Play(last) => (Rack::from_tiles(&last.play.tiles), 0),
            LastMove::Exchange { tiles } => (Rack::default(), *tiles),
            LastMove::Pass => return Inference::nothing(unseen),
        };
        let size = game.racks[1 - game.to_move].size().saturating_sub(played.size() + exchanged);
        if game.bag.is_empty() || size == 0 {
            return Inference::nothing(unseen);
        }
        let (method, parts) = parts(&unseen, size + exchanged, &played, limits, seed);
        let mut turn = PreviousTurn::new(setup, policy, game, last);
        let mut weights = Weights::default();
        let mut sum_of_ways = 0;
        for Weighed { leave: part, weight, drawn, .. } in &parts {
            sum_of_ways += weight;
            turn.likelihoods(part, size, |leave, likelihood| {
                weights.add(leave, weight * u128::from(likelihood), drawn * ways(part, &leave));
            });
        }
        let weighed = weights.weighed();
        let sum = weighed.last().map_or(0, |last| last.sum);
        let prior = sum.div_ceil(PRIOR_PARTS - 1).max(sum_of_ways * LEAST_LIKELIHOOD);
        let draws = if method == Method::Sampled { limits.draws } else { 0 };
        Inference { method, looked_at: parts.len(), sizes: [size, size + exchanged], draws, unseen, weighed, prior }
    }

    /// An inference that says nothing.
    pub(crate) fn nothing(unseen: Rack) -> Inference {
        Inference { method: Method::Nothing, looked_at: 0, sizes: [0; 2], draws: 0, unseen, weighed: Vec::new(), prior: 1 }
    }

    /// The number of tiles of the leave, or 0 if nothing was inferred.
    pub fn size(&self) -> usize {
        self.sizes[0]
    }

    /// The probability with which a leave is drawn at random from the unseen tiles, as without inference.
    pub fn prior_share(&self) -> f64 {
        self.prior as f64 / self.total()
    }

    /// The leaves that were weighed, the most likely first. After an exact inference they are all leaves, with probabilities
    /// of sum 1. Otherwise the probabilities are estimates, and the rest belongs to leaves that were not drawn.
    pub fn leaves(&self) -> Vec<InferredLeave> {
        let [size, part] = self.sizes;
        let (all, takes) = (choose(self.unseen.size(), size) as f64, choose(part, size) as f64);
        let inferred = |&Weighed { leave, weight, drawn, .. }: &Weighed| {
            let prior = ways(&self.unseen, &leave) as f64 / all;
            // The probability of drawing a leave is known, so chance additions and omissions do not count.
            let weight = match self.method {
                Method::Sampled => weight as f64 * self.draws as f64 * takes * prior / (drawn as f64).max(1.0),
                Method::Exact | Method::Nothing => weight as f64,
            };
            InferredLeave { leave, probability: (weight + self.prior as f64 * prior) / self.total(), prior }
        };
        let mut leaves: Vec<InferredLeave> = self.weighed.iter().map(inferred).collect();
        // The sort is stable, so equal leaves keep the order of the inference.
        leaves.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        leaves
    }

    /// The expected number of tiles of a kind in the leave: inferred, and if the leave is drawn at random from the unseen tiles.
    pub fn expected(&self, kind: u8) -> (f64, f64) {
        let prior = self.size() as f64 * f64::from(self.unseen.count(kind)) / (self.unseen.size() as f64).max(1.0);
        let held: u128 = self.weighed.iter().map(|weighed| weighed.weight * u128::from(weighed.leave.count(kind))).sum();
        ((held as f64 + self.prior as f64 * prior) / self.total(), prior)
    }

    /// Draws a leave by weight. `None` if it is to be drawn at random from the unseen tiles, as always if nothing was inferred.
    pub(super) fn draw(&self, stream: &mut Stream) -> Option<&Rack> {
        let last = self.weighed.last()?;
        let place = stream.random_range(0..last.sum + self.prior);
        self.weighed.get(self.weighed.partition_point(|weighed| weighed.sum <= place)).map(|weighed| &weighed.leave)
    }

    fn total(&self) -> f64 {
        (self.weighed.last().map_or(0, |last| last.sum) + self.prior) as f64
    }
}

/// The parts of the opponent's previous rack that may be unseen now, `size` tiles each, with their weights before the move is valued.
fn parts(unseen: &Rack, size: usize, played: &Rack, limits: &Limits, seed: u64) -> (Method, Vec<Weighed>) {
    let mut parts = Weights::default();
    if count(unseen, size) <= limits.all as u64 {
        let pool = unseen.plus(played);
        for part in multisets(unseen, size) {
            parts.add(part, ways(&pool, &part.plus(played)), 0);
        }
        return (Method::Exact, parts.weighed());
    }
    let kinds: Vec<u8> = unseen.tiles().map(Tile::kind).collect();
    for index in 0..limits.draws {
        let mut part = Rack::default();
        Bag::shuffled(kinds.clone(), stream(seed, "inference", index)).refill(&mut part, size, 0);
        // Draws from the tiles unseen now too often hold played kinds: a rack with two E, one of them played, is one rack.
        parts.add(part, DRAW / ways(&part.plus(played), played), 1);
    }
    (Method::Sampled, parts.weighed())
}

/// Weights by rack, in the order in which racks first came.
#[derive(Default)]
struct Weights {
    in_order: Vec<Weighed>,
    places: HashMap<Rack, usize>,
}

impl Weights {
    fn add(&mut self, leave: Rack, weight: u128, drawn: u128) {
        let place = *self.places.entry(leave).or_insert(self.in_order.len());
        match self.in_order.get_mut(place) {
            Some(own) => (own.weight, own.drawn) = (own.weight + weight, own.drawn + drawn),
            None => self.in_order.push(Weighed { leave, weight, sum: 0, drawn }),
        }
    }

    fn weighed(mut self) -> Vec<Weighed> {
        let mut sum = 0;
        for weighed in &mut self.in_order {
            sum += weighed.weight;
            weighed.sum = sum;
        }
        self.in_order
    }
}

/// The likelihood of the best move.
pub(super) const CERTAIN: u64 = 1_000_000;
/// The gap at which the likelihood falls to 1/e, in thousandths of a point.
const GAP: f64 = 5000.0;

/// The opponent's last turn, with any rack.
pub(super) struct PreviousTurn<'a> {
    policy: &'a StaticPlayer,
    generator: Generator<'a>,
    /// The last move if it was a play, otherwise an exchange.
    play: Option<&'a LastPlay>,
    played: Rack,
    board: &'a Board,
    cross_sets: CrossSets,
    /// The tiles that were not on the board.
    unplayed: Rack,
    bag: usize,
    /// The opponent's spread before the move, in points.
    spread: i32,
}

impl<'a> PreviousTurn<'a> {
    pub(super) fn new(setup: &'a Setup, policy: &'a StaticPlayer, game: &'a Game, last: &'a LastMove) -> PreviousTurn<'a> {
        let play = match last {
            LastMove::Play(last) => Some(last.as_ref()),
            LastMove::Exchange { .. } | LastMove::Pass => None,
        };
        let played = play.map_or(Rack::default(), |last| Rack::from_tiles(&last.play.tiles));
        let board = play.map_or(game.board(), |last| &last.board);
        PreviousTurn {
            policy,
            generator: Generator::new(setup),
            play,
            played,
            board,
            cross_sets: CrossSets::from_board(setup, board),
            unplayed: game.unseen().plus(game.rack()).plus(&played),
            bag: game.bag.len() + played.size(),
            spread: -game.spread() - play.map_or(0, |last| last.play.score),
        }
    }

    /// Calls `see` with each leave of `size` tiles that the move may have had with this part of the rack, and with its likelihood, in
    /// the unit of [`CERTAIN`]. The part is the leave after a play, and the whole rack before an exchange.
    pub(super) fn likelihoods(&mut self, part: &Rack, size: usize, mut see: impl FnMut(Rack, u64)) {
        let rack = part.plus(&self.played);
        let Some(unseen) = self.unplayed.minus(&rack) else { return };
        let turn = Turn {
            setup: self.generator.setup(),
            board: self.board,
            cross_sets: &self.cross_sets,
            rack,
            unseen,
            bag: self.bag,
            spread: self.spread,
        };
        let leaves = self.policy.leave_values(&turn);
        let best = self.generator.best_move(&turn, &leaves).equity;
        let LeaveValues { sub_racks, values } = &leaves;
        if let Some(last) = self.play {
            let number = sub_racks.whole() - sub_racks.number(&last.play.tiles);
            see(*part, likelihood(best - Equity::from_points(last.play.score) - values[number]));
            return;
        }
        let sizes = sub_racks.sizes();
        for number in (0..sub_racks.len()).filter(|&number| usize::from(sizes[number]) == size) {
            see(sub_racks.get(number), likelihood(best - values[number]));
        }
    }
}

/// The likelihood of a move that falls short of the best one by `gap`.
fn likelihood(gap: Equity) -> u64 {
    (CERTAIN as f64 * (-f64::from(gap.0.max(0)) / GAP).exp()) as u64
}

#[cfg(test)]
mod tests;
