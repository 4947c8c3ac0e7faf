//! What an endgame comes to, at a glance: an estimate for use inside simulations.
//!
//! After the purpose of Sheppard (2002), 6.7, by other means: the most promising moves are made and answered, so that what they block
//! and what room they make is seen, and the rest is the static plan of that position.

use super::EndgameError;
use super::MOST;
use super::position::Position;
use super::search::{Candidate, Search, Until};
use super::solver::check;
use super::table::Table;
use crate::game::Game;
use crate::moves::{Move, Play};
use crate::rack::MAX_SUB_RACKS;
use crate::setup::Setup;

/// Moves that are tried, turn by turn; with half as many first moves, or three replies in place of ten, the error is larger by half.
const WIDTHS: [usize; 2] = [16, 10];
/// Of those, moves that lay the same tiles: a blank makes many that hardly differ.
const SAME_TILES: u8 = 3;
/// How far estimates are off, by the turns of the variation from 1 on, in points: the root of the mean square over 166 endgames of
/// static English self-play that were solved, and a little more for those of three turns, since the ones that take too long to solve
/// are the hard ones. A variation of one turn was never off.
const ERRORS: [f64; 3] = [0.5, 4.0, 5.5];

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
    table: Table,
}

impl<'a> FastEvaluator<'a> {
    /// For one tile set, board and lexicon.
    pub fn new(setup: &'a Setup) -> FastEvaluator<'a> {
        FastEvaluator { setup, table: Table::new(0) }
    }

    /// Estimates the endgame of a game.
    ///
    /// # Errors
    /// [`EndgameError`].
    pub fn evaluate(&mut self, game: &Game) -> Result<Estimate, EndgameError> {
        check(game)?;
        let mut search = Search::new(Position::new(self.setup, game), &mut self.table, Until::default());
        let variation = look_ahead(&mut search, &WIDTHS, -MOST, MOST);
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

/// What the search of some turns has found.
#[derive(Clone, Copy)]
struct Variation {
    value: i32,
    turns: usize,
    first: Option<Play>,
}

/// Searches the most promising moves of each turn, as many as `widths` says, and of the turn after them the best by the static plan.
fn look_ahead(search: &mut Search<'_, '_>, widths: &[usize], mut alpha: i32, beta: i32) -> Variation {
    if search.position.is_stalled() {
        let to_move = search.position.to_move();
        let value = search.position.points(1 - to_move) - search.position.points(to_move);
        return Variation { value, turns: 0, first: None };
    }
    let (candidates, rest) = match widths {
        [] => (search.first_candidates(1), widths),
        [width, rest @ ..] => (promising(search, *width), rest),
    };
    let mut best = Variation { value: -MOST, turns: 0, first: None };
    for candidate in candidates {
        let first = candidate.listed.map(|listed| listed.play);
        let variation = if candidate.ends || widths.is_empty() {
            Variation { value: candidate.estimate, turns: 1, first }
        } else {
            let score = candidate.score();
            let undo = search.make(&candidate);
            let reply = look_ahead(search, rest, score - beta, score - alpha);
            search.unmake(&undo);
            Variation { value: score - reply.value, turns: reply.turns + 1, first }
        };
        if variation.value > best.value {
            best = variation;
        }
        alpha = alpha.max(best.value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// So many of the moves that the static plan thinks most of, not too many of the same tiles.
fn promising(search: &mut Search<'_, '_>, most: usize) -> Vec<Candidate> {
    let mut seen = [0; MAX_SUB_RACKS];
    let is_new = |candidate: &Candidate| {
        let seen = &mut seen[candidate.listed.map_or(0, |listed| listed.part) as usize];
        let is_wanted = *seen < SAME_TILES;
        *seen += u8::from(is_wanted);
        is_wanted
    };
    search.candidates().into_iter().filter(is_new).take(most).collect()
}
