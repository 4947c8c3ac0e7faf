//! What an endgame comes to, at a glance: an estimate for use inside simulations.
//!
//! After the purpose of Sheppard (2002), 6.7, by other means: the most promising moves are made and answered, so that what they block
//! and what room they make is seen, and the rest is the static plan of that position.

use super::MOST;
use super::candidate::Candidate;
use super::position::Position;
use super::search::{Search, Until};
use super::solution::{EndgameError, check};
use super::table::Table;
use crate::game::Game;
use crate::moves::{Move, Play};
use crate::rack::MAX_SUB_RACKS;
use crate::setup::Setup;

/// Moves that are tried, turn by turn. The best first move is now and then one that the plan thinks little of, since it makes room for
/// tiles that had none.
const WIDTHS: [usize; 3] = [48, 10, 3];
/// Of the moves of a turn, those that lay the same tiles: a blank makes many that hardly differ.
const SAME_TILES: u8 = 3;
/// First moves that are searched in full; the others only if they are still the best after a few replies.
const TRUSTED: usize = 16;
/// So many replies, and the turn after them by the plan.
const QUICK: [usize; 1] = [3];
/// How far estimates are off, by the turns of the variation from 1 on, in points: the root of the mean square over 225 endgames of
/// static English self-play that were solved, and a little more, since the ones that take too long to solve are the hard ones. A
/// variation of one turn was never off.
const ERRORS: [f64; 4] = [0.5, 1.0, 5.0, 6.5];

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
        let variation = best_variation(&mut search);
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

impl Variation {
    const NONE: Variation = Variation { value: -MOST, turns: 0, first: None };

    /// Of a move that the plan has the last word on.
    fn ending(candidate: &Candidate) -> Variation {
        Variation { value: candidate.estimate, turns: 1, first: candidate.play() }
    }
}

/// The best of the first moves.
fn best_variation(search: &mut Search<'_, '_>) -> Variation {
    let mut best = Variation::NONE;
    for (number, candidate) in promising(search, WIDTHS[0]).into_iter().enumerate() {
        let is_worth_it = number < TRUSTED || after(search, &candidate, &QUICK, best.value, MOST).value > best.value;
        if is_worth_it {
            let variation = after(search, &candidate, &WIDTHS[1..], best.value, MOST);
            best = if variation.value > best.value { variation } else { best };
        }
    }
    best
}

/// The variation that begins with a move, from the view of who makes it.
fn after(search: &mut Search<'_, '_>, candidate: &Candidate, widths: &[usize], alpha: i32, beta: i32) -> Variation {
    if candidate.ends {
        return Variation::ending(candidate);
    }
    let score = candidate.score();
    let undo = search.make(candidate);
    let reply = look_ahead(search, widths, score - beta, score - alpha);
    search.unmake(&undo);
    Variation { value: score - reply.value, turns: reply.turns + 1, first: candidate.play() }
}

/// Searches the most promising moves of each turn, as many as `widths` says, and of the turn after them the best by the static plan.
fn look_ahead(search: &mut Search<'_, '_>, widths: &[usize], mut alpha: i32, beta: i32) -> Variation {
    if search.position.is_stalled() {
        let to_move = search.position.to_move();
        let value = search.position.points(1 - to_move) - search.position.points(to_move);
        return Variation { value, turns: 0, first: None };
    }
    let [width, rest @ ..] = widths else {
        return search.first_candidates(1).first().map_or(Variation::NONE, Variation::ending);
    };
    let mut best = Variation::NONE;
    for candidate in promising(search, *width) {
        let variation = after(search, &candidate, rest, alpha, beta);
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

/// So many of the moves that the static plan thinks most of, not too many of the same tiles; a pass lays none.
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
