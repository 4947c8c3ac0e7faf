//! A fast estimate of the value of an endgame, for use inside simulations.
//!
//! It serves the purpose of Sheppard (2002), section 6.7, by other means. It searches the most promising moves and replies,
//! so it sees which squares they block and open. It estimates the rest by the static plan.

use super::MAX_VALUE;
use super::plan::Candidate;
use super::position::Position;
use super::search::Search;
use super::solution::{EndgameError, StopConditions, check};
use super::table::Table;
use crate::game::Game;
use crate::moves::{Move, Play};
use crate::rack::MAX_SUB_RACKS;
use crate::setup::Setup;

/// The number of moves searched at each turn. The plan sometimes underestimates the best first move, because the move opens
/// squares for tiles that had none.
const WIDTHS: [usize; 3] = [48, 10, 3];
/// The maximum number of moves at a turn that lay the same tiles: with a blank many moves hardly differ.
const SAME_TILES: u8 = 3;
/// The number of first moves that are searched in full. The others are searched in full only if they are best after a quick
/// search.
const FULL_SEARCHES: usize = 16;
/// The number of replies in the quick search.
const QUICK_WIDTHS: [usize; 1] = [3];
/// The standard error of the estimate in points, by the number of turns of the variation from 1 on: the root mean square
/// error over 225 solved endgames of static self-play in English, rounded up, because the hardest endgames take too long to
/// solve. A variation of one turn was always exact.
const ERRORS: [f64; 4] = [0.5, 1.0, 5.0, 6.5];

/// An estimate of an endgame, from the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The change of the spread from here to the end of the game, in points.
    pub value: i32,
    /// The win probability, 0–1. A draw counts half.
    pub win_probability: f64,
    /// The number of turns of the variation from which the value comes.
    pub turns: usize,
    /// The first move of the variation.
    pub best: Move,
}

/// A fast evaluator of endgames.
#[derive(Debug)]
pub struct FastEvaluator<'a> {
    setup: &'a Setup,
    table: Table,
}

impl<'a> FastEvaluator<'a> {
    /// Creates an evaluator for a setup.
    pub fn new(setup: &'a Setup) -> FastEvaluator<'a> {
        FastEvaluator { setup, table: Table::new(0) }
    }

    /// Estimates the value of an endgame.
    ///
    /// # Errors
    /// [`EndgameError`] if the bag is not empty or the game is over.
    pub fn evaluate(&mut self, game: &Game) -> Result<Estimate, EndgameError> {
        check(self.setup, game)?;
        let mut search = Search::new(Position::new(self.setup, game), &mut self.table, StopConditions::default());
        let variation = best_variation(&mut search);
        let final_spread = f64::from(game.spread() + variation.value);
        let error = ERRORS[variation.turns.clamp(1, ERRORS.len()) - 1];
        Ok(Estimate {
            value: variation.value,
            win_probability: probability_below(final_spread / error),
            turns: variation.turns,
            best: variation.first.map_or(Move::Pass, Move::Play),
        })
    }
}

/// Returns the probability that a standard normal deviate is below `deviations`, by the logistic approximation, whose error
/// is less than 0.01.
fn probability_below(deviations: f64) -> f64 {
    1.0 / (1.0 + (-1.702 * deviations).exp())
}

/// A variation: a sequence of moves with its value.
#[derive(Clone, Copy)]
struct Variation {
    value: i32,
    turns: usize,
    first: Option<Play>,
}

impl Variation {
    const NONE: Variation = Variation { value: -MAX_VALUE, turns: 0, first: None };

    /// Creates the variation of a move that is not searched further.
    fn from_candidate(candidate: &Candidate) -> Variation {
        Variation { value: candidate.estimate, turns: 1, first: candidate.play() }
    }
}

fn best_variation(search: &mut Search<'_, '_>) -> Variation {
    let mut best = Variation::NONE;
    for (number, candidate) in promising(search, WIDTHS[0]).into_iter().enumerate() {
        let is_worth_it =
            number < FULL_SEARCHES || after(search, &candidate, &QUICK_WIDTHS, best.value, MAX_VALUE).value > best.value;
        if is_worth_it {
            let variation = after(search, &candidate, &WIDTHS[1..], best.value, MAX_VALUE);
            best = if variation.value > best.value { variation } else { best };
        }
    }
    best
}

/// Returns the variation that begins with a move, from the view of the player who makes it.
fn after(search: &mut Search<'_, '_>, candidate: &Candidate, widths: &[usize], alpha: i32, beta: i32) -> Variation {
    if candidate.ends {
        return Variation::from_candidate(candidate);
    }
    let score = candidate.score();
    let undo = search.make(candidate);
    let reply = look_ahead(search, widths, score - beta, score - alpha);
    search.unmake(&undo);
    Variation { value: score - reply.value, turns: reply.turns + 1, first: candidate.play() }
}

/// Searches the `widths[i]` most promising moves of each turn i, and takes the best move by the static plan at the turn
/// after them.
fn look_ahead(search: &mut Search<'_, '_>, widths: &[usize], mut alpha: i32, beta: i32) -> Variation {
    if search.position.is_stalled() {
        let to_move = search.position.to_move();
        let value = search.position.points(1 - to_move) - search.position.points(to_move);
        return Variation { value, turns: 0, first: None };
    }
    let [width, rest @ ..] = widths else {
        return search.first_candidates(1).first().map_or(Variation::NONE, Variation::from_candidate);
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

/// Returns the best moves by the static plan, at most `most`, and at most [`SAME_TILES`] of them with the same tiles.
fn promising(search: &mut Search<'_, '_>, most: usize) -> Vec<Candidate> {
    let mut seen = [0; MAX_SUB_RACKS];
    let is_new = |candidate: &Candidate| {
        let seen = &mut seen[candidate.listed.map_or(0, |listed| listed.sub_rack) as usize];
        let is_wanted = *seen < SAME_TILES;
        *seen += u8::from(is_wanted);
        is_wanted
    };
    search.candidates().into_iter().filter(is_new).take(most).collect()
}
