//! The search: negamax over the rest of the game.

use std::time::Instant;

use super::lists::Listed;
use super::plan::{BestScores, Plan};
use super::position::{Position, Squares, Undo};
use super::table::{Bound, Entry, Table};
use crate::moves::Play;

/// Farther ahead than any endgame goes.
pub(super) const TO_THE_END: u8 = u8::MAX;
/// More than any endgame is worth, in points.
pub(super) const MOST: i32 = 1 << 20;

/// A limit was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The value of a position, or a bound of it outside the window that was asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Points, from the view of the player to move.
    pub value: i32,
    /// Whether it follows from the rules alone, without any estimate.
    pub proved: bool,
}

impl Found {
    /// Seen by the player who has made a move of so many points to come here.
    fn after(self, score: i32) -> Found {
        Found { value: score - self.value, ..self }
    }
}

/// A move to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// `None` to pass.
    pub listed: Option<Listed>,
    /// By the static plan, in points.
    pub estimate: i32,
    /// Whether the game ends with it, so that the estimate is its value.
    pub ends: bool,
}

impl Candidate {
    pub(super) fn score(&self) -> i32 {
        self.listed.map_or(0, |listed| listed.play.score)
    }

    fn mark(&self) -> u32 {
        self.listed.map_or(PASS_MARK, |listed| listed.mark)
    }

    fn play(&self) -> Option<Play> {
        self.listed.map(|listed| listed.play)
    }
}

/// The mark of a pass; those of plays are odd.
const PASS_MARK: u32 = 2;

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Until {
    pub nodes: Option<u64>,
    pub time: Option<Instant>,
}

/// One endgame with what is known of it.
#[derive(Debug)]
pub(super) struct Search<'a, 't> {
    pub position: Position<'a>,
    pub plan: Plan,
    pub table: &'t mut Table,
    pub until: Until,
    pub nodes: u64,
    /// The moves of every position on the way to the present one.
    stack: Vec<Candidate>,
    /// Plays that go out.
    outs: Vec<(i32, Play)>,
}

/// Plays that go out which are looked at to see whether a move leaves one of them open.
const MOST_OUTS: usize = 4;

impl<'a, 't> Search<'a, 't> {
    pub(super) fn new(mut position: Position<'a>, table: &'t mut Table, until: Until) -> Search<'a, 't> {
        table.clear();
        let mut scores = [0, 1].map(|player| BestScores::new(&position.parts[player]));
        for (player, scores) in scores.iter_mut().enumerate() {
            position.list(player, |listed| scores.see(listed.part, listed.play.score));
        }
        let plan = Plan::new(position.parts.each_ref(), &scores);
        Search::resumed(position, plan, table, until)
    }

    /// A search of a position whose plan is known, with whatever the table has of it.
    pub(super) fn resumed(position: Position<'a>, plan: Plan, table: &'t mut Table, until: Until) -> Search<'a, 't> {
        Search { position, plan, table, until, nodes: 0, stack: Vec::new(), outs: Vec::new() }
    }

    /// The moves of a position, the most promising first, and equals by the order of moves.
    pub(super) fn candidates(&mut self) -> Vec<Candidate> {
        let first = self.stack.len();
        self.list_candidates();
        let mut candidates = self.stack.split_off(first);
        let order = |candidate: &Candidate| (-candidate.estimate, candidate.play().is_none(), candidate.play());
        candidates.sort_unstable_by_key(order);
        candidates
    }

    /// Puts the moves of the position on the stack.
    fn list_candidates(&mut self) {
        let Search { position, plan, stack, .. } = self;
        let (to_move, held) = (position.to_move(), position.held());
        let other_points = position.points(1 - to_move);
        position.list(to_move, |listed| {
            let mut left = held;
            left[to_move] -= listed.part;
            let ends = left[to_move] == 0;
            let rest = if ends { 2 * other_points } else { -plan.value(1 - to_move, left) };
            stack.push(Candidate { listed: Some(*listed), estimate: listed.play.score + rest, ends });
        });
        let pass = -self.plan.value(1 - to_move, held);
        stack.push(Candidate { listed: None, estimate: pass, ends: false });
    }

    /// Makes a move.
    pub(super) fn make(&mut self, candidate: &Candidate) -> Undo {
        match &candidate.listed {
            Some(listed) => self.position.make(listed),
            None => self.position.pass(),
        }
    }

    /// Finds what a move is worth, within a window.
    pub(super) fn value_of(&mut self, candidate: &Candidate, alpha: i32, beta: i32, depth: u8) -> Result<Found, Stopped> {
        if candidate.ends {
            return Ok(Found { value: candidate.estimate, proved: true });
        }
        let score = candidate.score();
        let undo = self.make(candidate);
        let found = self.search(score - beta, score - alpha, depth - 1);
        self.position.unmake(&undo);
        Ok(found?.after(score))
    }

    /// Finds the value of the position if it is between `alpha` and `beta`; else a lower bound that is not below `beta`, or an
    /// upper bound that is not above `alpha`.
    fn search(&mut self, alpha: i32, beta: i32, depth: u8) -> Result<Found, Stopped> {
        self.count()?;
        let to_move = self.position.to_move();
        if self.position.is_stalled() {
            let value = self.position.points(1 - to_move) - self.position.points(to_move);
            return Ok(Found { value, proved: true });
        }
        if depth == 0 {
            return Ok(Found { value: self.plan.value(to_move, self.position.held()), proved: false });
        }
        let key = self.position.key();
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| entry.proved || entry.depth >= depth) {
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if decides {
                return Ok(Found { value: entry.value, proved: entry.proved });
            }
        }
        let first = self.stack.len();
        self.list_candidates();
        let (found, best) = self.search_candidates(first, alpha, beta, depth, entry.map_or(0, |entry| entry.best))?;
        self.stack.truncate(first);
        let bound = match found.value {
            value if value >= beta => Bound::Lower,
            value if value <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table.put(key, Entry { value: found.value, best, bound, depth, proved: found.proved });
        Ok(found)
    }

    fn search_candidates(
        &mut self,
        first: usize,
        mut alpha: i32,
        beta: i32,
        depth: u8,
        mark: u32,
    ) -> Result<(Found, u32), Stopped> {
        let mut best = Found { value: -MOST, proved: true };
        let mut best_mark = 0;
        if depth > 1 {
            let (bound, mark) = self.drop_hopeless(first, alpha);
            (best.value, best_mark) = (bound, mark);
        }
        for number in first..self.stack.len() {
            self.bring_forward(first, number, mark);
            let candidate = self.stack[number];
            let found = if number == first || beta - alpha == 1 {
                self.value_of(&candidate, alpha, beta, depth)?
            } else {
                let found = self.value_of(&candidate, alpha, alpha + 1, depth)?;
                if found.value > alpha && found.value < beta {
                    self.value_of(&candidate, alpha, beta, depth)?
                } else {
                    found
                }
            };
            if found.value > best.value {
                best.value = found.value;
                best_mark = candidate.mark();
            }
            if found.value >= beta {
                return Ok((found, best_mark));
            }
            best.proved &= found.proved;
            alpha = alpha.max(found.value);
        }
        Ok((best, best_mark))
    }

    /// Takes the moves off the stack after which the other player can go out at once and leave no more than `alpha`; an upper bound
    /// of what they are worth, and the mark of the one that has it.
    fn drop_hopeless(&mut self, first: usize, alpha: i32) -> (i32, u32) {
        let Search { position, stack, outs, .. } = self;
        let (to_move, held) = (position.to_move(), position.held());
        outs.clear();
        position.list(1 - to_move, |listed| {
            if listed.part == held[1 - to_move] {
                outs.push((listed.play.score, listed.play));
            }
        });
        let mut best = (-MOST, 0);
        if outs.is_empty() {
            return best;
        }
        outs.sort_unstable_by_key(|&(score, _)| std::cmp::Reverse(score));
        outs.truncate(MOST_OUTS);
        let mut footprints = [Squares::default(); MOST_OUTS];
        for (footprint, (_, play)) in footprints.iter_mut().zip(&*outs) {
            *footprint = position.footprint(play);
        }
        let mut kept = first;
        for number in first..stack.len() {
            let candidate = stack[number];
            let part = candidate.listed.map_or(0, |listed| listed.part);
            let laid = candidate.listed.map_or_else(Squares::default, |listed| position.laid(&listed.play));
            let penalty = 2 * position.parts[to_move].points(held[to_move] - part);
            let open = outs.iter().zip(&footprints).find(|(_, footprint)| !footprint.meet(&laid));
            let bound = open.filter(|_| !candidate.ends).map_or(MOST, |((score, _), _)| candidate.score() - score - penalty);
            if bound > alpha {
                stack[kept] = candidate;
                kept += 1;
            } else if bound > best.0 {
                best = (bound, candidate.mark());
            }
        }
        stack.truncate(kept);
        best
    }

    /// Brings the most promising of the moves that are left to place `number`.
    fn bring_forward(&mut self, first: usize, number: usize, mark: u32) {
        let left = &mut self.stack[number..];
        let at =
            if number == first && mark != 0 { left.iter().position(|candidate| candidate.mark() == mark) } else { None };
        let sorted = number - first >= 4;
        if number - first == 4 {
            left.sort_unstable_by_key(|candidate| -candidate.estimate);
        }
        let at = at.or_else(|| {
            if sorted { None } else { (0..left.len()).max_by_key(|&at| (left[at].estimate, std::cmp::Reverse(at))) }
        });
        if let Some(at) = at {
            left.swap(0, at);
        }
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.until.nodes.is_some_and(|most| self.nodes > most) {
            return Err(Stopped);
        }
        if self.nodes % 256 == 0 && self.until.time.is_some_and(|end| Instant::now() >= end) {
            return Err(Stopped);
        }
        Ok(())
    }
}
