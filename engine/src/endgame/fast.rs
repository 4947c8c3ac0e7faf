//! What an endgame comes to, at a glance: an estimate for use inside simulations.
//!
//! After Sheppard (2002), 6.7: both players' plays are found once, and then the endgame is searched as if these were all there
//! ever will be, a few of the most promising at each turn. Plays that are blocked on the way are known to be; what new room a
//! play makes is not seen.

use super::EndgameError;
use super::MOST;
use super::geometry::Squares;
use super::lists::Listed;
use super::plan::{BestScores, Plan};
use super::position::Position;
use super::solver::check;
use crate::game::{Game, SCORELESS_LIMIT};
use crate::moves::{Move, Play};
use crate::setup::Setup;

/// Moves that are tried, turn by turn; then the static plan is asked.
const WIDTHS: [usize; 6] = [12, 8, 5, 3, 2, 2];
/// Plays kept of each part of a rack: if one is blocked, the next may not be.
const PLAYS_A_PART: usize = 12;
/// How far estimates are off, by the turns of the variation from 1 on, in points: the root of the mean square over 84 endgames of
/// static English self-play that were solved. Longer variations count as the last, which pools 54 of them. A variation of one
/// turn was never off.
const ERRORS: [f64; 3] = [0.5, 5.0, 10.8];

/// An estimate, from the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// By how much the spread will change from here to the end of the game, in points.
    pub value: i32,
    /// The chance to win, a draw being half a win.
    pub win_probability: f64,
    /// Turns of the variation that the value comes from.
    pub turns: usize,
    /// The first of them.
    pub best: Move,
}

/// Estimates endgames.
#[derive(Debug)]
pub struct FastEvaluator<'a> {
    setup: &'a Setup,
}

impl<'a> FastEvaluator<'a> {
    /// For one tile set, board and lexicon.
    pub fn new(setup: &'a Setup) -> FastEvaluator<'a> {
        FastEvaluator { setup }
    }

    /// Estimates the endgame of a game.
    ///
    /// # Errors
    /// [`EndgameError`].
    pub fn evaluate(&mut self, game: &Game) -> Result<Estimate, EndgameError> {
        check(game)?;
        let glance = Glance::new(Position::new(self.setup, game));
        let passed = u32::from(game.scoreless_turns == SCORELESS_LIMIT - 1);
        let variation = glance.search(&Node::root(&glance.position, passed), -MOST, MOST, 0);
        let final_spread = f64::from(game.spread() + variation.value);
        let error = ERRORS[variation.turns.clamp(1, ERRORS.len()) - 1];
        Ok(Estimate {
            value: variation.value,
            win_probability: chance_above_zero(final_spread / error),
            turns: variation.turns,
            best: variation.first.map_or(Move::Pass, Move::Play),
        })
    }
}

/// The chance that a normal deviate is below this: the logistic approximation, off by less than 0.01.
fn chance_above_zero(deviations: f64) -> f64 {
    1.0 / (1.0 + (-1.702 * deviations).exp())
}

/// A play, and the squares that it lays on and depends on.
#[derive(Clone, Copy, Debug)]
struct Known {
    listed: Listed,
    laid: Squares,
    footprint: Squares,
}

/// The plays of both players.
struct Glance<'a> {
    position: Position<'a>,
    plan: Plan,
    plays: [Vec<Known>; 2],
}

/// A position on the way.
#[derive(Clone, Copy)]
struct Node {
    held: [u8; 2],
    to_move: usize,
    laid: Squares,
    /// Passes in a row.
    passed: u32,
}

impl Node {
    fn root(position: &Position<'_>, passed: u32) -> Node {
        Node { held: position.held(), to_move: position.to_move(), laid: Squares::default(), passed }
    }
}

#[derive(Clone, Copy)]
struct Variation {
    value: i32,
    turns: usize,
    first: Option<Play>,
}

impl<'a> Glance<'a> {
    fn new(mut position: Position<'a>) -> Glance<'a> {
        let mut scores = [0, 1].map(|player| BestScores::new(&position.parts[player]));
        let mut plays = [Vec::new(), Vec::new()];
        for player in 0..2 {
            let mut listed = Vec::new();
            position.list(player, |play| {
                scores[player].see(play.part, play.play.score);
                listed.push(*play);
            });
            plays[player] = best_of_each_part(&position, listed);
        }
        let plan = Plan::new(position.parts.each_ref(), &scores);
        Glance { position, plan, plays }
    }

    fn search(&self, node: &Node, mut alpha: i32, beta: i32, turn: usize) -> Variation {
        let Node { held, to_move, laid, passed } = *node;
        let points = |player: usize| self.position.parts[player].points(held[player]);
        let ends = points(1 - to_move) - points(to_move);
        if passed >= 2 {
            return Variation { value: ends, turns: 0, first: None };
        }
        let Some(&width) = WIDTHS.get(turn) else {
            return Variation { value: self.plan.value(to_move, held), turns: 2, first: None };
        };
        let missing = !self.position.parts[to_move].mask(held[to_move]);
        let mut tried: Vec<(i32, &Known)> = Vec::with_capacity(64);
        for known in &self.plays[to_move] {
            if known.listed.mask & missing == 0 && !known.footprint.meet(&laid) {
                let mut left = held;
                left[to_move] -= known.listed.part;
                let rest = if left[to_move] == 0 { 2 * points(1 - to_move) } else { -self.plan.value(1 - to_move, left) };
                tried.push((known.listed.play.score + rest, known));
            }
        }
        tried.sort_by_key(|&(estimate, _)| std::cmp::Reverse(estimate));
        tried.truncate(width);
        let mut best = Variation { value: -MOST, turns: 0, first: None };
        for (estimate, known) in tried {
            let Listed { play, part, .. } = known.listed;
            let mut next = Node { to_move: 1 - to_move, passed: 0, ..*node };
            next.held[to_move] -= part;
            next.laid.join(&known.laid);
            let (value, turns) = if next.held[to_move] == 0 {
                (estimate, 1)
            } else {
                let reply = self.search(&next, play.score - beta, play.score - alpha, turn + 1);
                (play.score - reply.value, reply.turns + 1)
            };
            if value > best.value {
                best = Variation { value, turns, first: Some(play) };
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                return best;
            }
        }
        let next = Node { to_move: 1 - to_move, passed: passed + 1, ..*node };
        let reply = self.search(&next, -beta, -alpha, turn + 1);
        if -reply.value > best.value {
            best = Variation { value: -reply.value, turns: reply.turns + 1, first: None };
        }
        best
    }
}

/// The few best plays of each part.
fn best_of_each_part(position: &Position<'_>, mut listed: Vec<Listed>) -> Vec<Known> {
    listed.sort_unstable_by_key(|listed| (listed.part, std::cmp::Reverse(listed.play.score), listed.play));
    let mut known = Vec::with_capacity(listed.len());
    for same in listed.chunk_by(|a, b| a.part == b.part) {
        known.extend(same.iter().take(PLAYS_A_PART).map(|&listed| {
            let (laid, footprint) = (position.laid(&listed.play), position.footprint(&listed.play));
            Known { listed, laid, footprint }
        }));
    }
    known
}
