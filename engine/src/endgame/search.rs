//! The search: negamax over the rest of the game.

use std::time::Instant;

use super::MOST;
use super::lists::Listed;
use super::plan::{BestScores, Plan};
use super::position::{Position, Squares, Undo};
use super::table::{Bound, Entry, Found, Table};
use crate::moves::Play;
use crate::rack::MAX_SUB_RACKS;

/// Farther ahead than any endgame goes.
pub(super) const TO_THE_END: u8 = u8::MAX;

/// A limit was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

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

    /// What is tried first where a value of `beta` is to be shown: of those that may well do, the one that leaves least to be
    /// searched. That is the play of most tiles, unless it is a much closer thing.
    fn promise(&self, beta: i32) -> (i32, i32) {
        let margin = self.estimate - beta;
        let tiles = self.listed.map_or(0, |listed| listed.mask.count_ones() as i32);
        let promise = if margin < 0 { margin - MOST } else { margin.min(AMPLE_MARGIN) + POINTS_A_TILE * tiles };
        (promise, margin)
    }

    fn play(&self) -> Option<Play> {
        self.listed.map(|listed| listed.play)
    }
}

/// A larger margin makes no move more promising,
const AMPLE_MARGIN: i32 = 40;
/// and a tile laid makes up for so many points of it.
const POINTS_A_TILE: i32 = 5;
/// Moves that are selected one by one before the others are sorted.
const SELECTED: usize = 4;

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
    outs: Vec<Out>,
    /// By part, the best score of a single tile.
    singles: [i32; MAX_SUB_RACKS],
    /// Plays of the two tiles that a player has left.
    pairs: Vec<Play>,
    /// Turns made on the way to the present position, and for each number of turns what refuted other positions.
    turn: usize,
    refutations: Vec<[Option<Refutation>; REFUTATIONS]>,
}

/// Turns that refutations are told apart for; no line of best play is longer.
const TURNS: usize = 32;
/// Refutations kept of each turn.
const REFUTATIONS: usize = 4;

/// A play that refuted some position, and what its lane looked like.
#[derive(Clone, Copy, Debug)]
struct Refutation {
    listed: Listed,
    look: u64,
}

fn candidate(plan: &Plan, to_move: usize, held: [u8; 2], other_points: i32, listed: &Listed) -> Candidate {
    let mut left = held;
    left[to_move] -= listed.part;
    let ends = left[to_move] == 0;
    let rest = if ends { 2 * other_points } else { -plan.value(1 - to_move, left) };
    Candidate { listed: Some(*listed), estimate: listed.play.score + rest, ends }
}

/// A play that goes out, and the squares that it depends on.
#[derive(Clone, Copy, Debug)]
struct Out {
    play: Play,
    footprint: Squares,
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
        Search {
            position,
            plan,
            table,
            until,
            nodes: 0,
            stack: Vec::new(),
            outs: Vec::new(),
            singles: [-MOST; MAX_SUB_RACKS],
            pairs: Vec::new(),
            turn: 0,
            refutations: vec![[None; REFUTATIONS]; TURNS],
        }
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
        position.list(to_move, |listed| stack.push(candidate(plan, to_move, held, other_points, listed)));
        let pass = -self.plan.value(1 - to_move, held);
        stack.push(Candidate { listed: None, estimate: pass, ends: false });
    }

    /// Makes a move.
    pub(super) fn make(&mut self, candidate: &Candidate) -> Undo {
        self.turn = (self.turn + 1) % TURNS;
        match &candidate.listed {
            Some(listed) => self.position.make(listed),
            None => self.position.pass(),
        }
    }

    fn unmake(&mut self, undo: &Undo) {
        self.turn = (self.turn + TURNS - 1) % TURNS;
        self.position.unmake(undo);
    }

    /// Finds what a move is worth, within a window.
    pub(super) fn value_of(&mut self, candidate: &Candidate, alpha: i32, beta: i32, depth: u8) -> Result<Found, Stopped> {
        if candidate.ends {
            return Ok(Found { value: candidate.estimate, proved: true });
        }
        let score = candidate.score();
        if depth == 1 && score > 0 {
            return Ok(Found { value: candidate.estimate, proved: false });
        }
        if let Some(found) = self.known_after(candidate, score - beta, score - alpha, depth - 1) {
            return Ok(found.after(score));
        }
        let undo = self.make(candidate);
        let found = self.search(score - beta, score - alpha, depth - 1);
        self.unmake(&undo);
        Ok(found?.after(score))
    }

    /// What the table decides of the position after a play.
    fn known_after(&self, candidate: &Candidate, alpha: i32, beta: i32, depth: u8) -> Option<Found> {
        let listed = candidate.listed.filter(|listed| listed.play.score > 0)?;
        let entry = self.table.get(self.position.key_after(&listed))?;
        entry.decides(alpha, beta, depth)
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
        if let Some(found) = entry.and_then(|entry| entry.decides(alpha, beta, depth)) {
            return Ok(found);
        }
        let bound = -self.most_alone();
        if bound >= beta {
            let found = Found { value: bound, proved: true };
            self.table.put(key, Entry { value: bound, best: 0, bound: Bound::Lower, depth, proved: true });
            return Ok(found);
        }
        if let Some((found, best)) = self.try_refutations(beta, depth)? {
            self.table.put(key, Entry { value: found.value, best, bound: Bound::Lower, depth, proved: found.proved });
            return Ok(found);
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
            self.bring_forward(first, number, mark, beta);
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
                self.remember_refutation(&candidate);
                return Ok((found, best_mark));
            }
            best.proved &= found.proved;
            alpha = alpha.max(found.value);
        }
        Ok((best, best_mark))
    }

    /// Tries the plays that refuted other positions of this turn, where their lanes look as they did there: their plays are legal
    /// then and score the same. Most often one of them does it again, and no list is needed.
    fn try_refutations(&mut self, beta: i32, depth: u8) -> Result<Option<(Found, u32)>, Stopped> {
        if depth == 1 {
            return Ok(None);
        }
        let turn = self.turn;
        for number in 0..REFUTATIONS {
            let Some(Refutation { listed, look }) = self.refutations[turn][number] else { break };
            let position = &self.position;
            if position.look_of(&listed.play) != look || !position.holds(&listed) {
                continue;
            }
            let to_move = position.to_move();
            let candidate = candidate(&self.plan, to_move, position.held(), position.points(1 - to_move), &listed);
            // What the static plan thinks little of takes long to refute anything.
            if candidate.estimate < beta {
                continue;
            }
            let found = self.value_of(&candidate, beta - 1, beta, depth)?;
            if found.value >= beta {
                self.refutations[turn][..=number].rotate_right(1);
                return Ok(Some((found, candidate.mark())));
            }
        }
        Ok(None)
    }

    fn remember_refutation(&mut self, candidate: &Candidate) {
        let Some(listed) = candidate.listed else { return };
        let look = self.position.look_of(&listed.play);
        let refutations = &mut self.refutations[self.turn];
        let known = refutations.iter().flatten().any(|known| known.listed.mark == listed.mark && known.look == look);
        if !known {
            refutations.rotate_right(1);
            refutations[0] = Some(Refutation { listed, look });
        }
    }

    /// Takes the moves off the stack that are certainly worth no more than `alpha`; an upper bound of what they are worth, and
    /// the mark of the one that has it.
    fn drop_hopeless(&mut self, first: usize, alpha: i32) -> (i32, u32) {
        let mut best = (-MOST, 0);
        self.find_outs();
        self.find_singles(first);
        let mut kept = first;
        for number in first..self.stack.len() {
            let candidate = self.stack[number];
            let bound = if candidate.ends { MOST } else { self.bound_by_outs(&candidate) };
            let bound =
                if candidate.ends || bound <= alpha { bound } else { bound.min(self.bound_by_last_tile(&candidate)) };
            if bound > alpha {
                self.stack[kept] = candidate;
                kept += 1;
            } else if bound > best.0 {
                best = (bound, candidate.mark());
            }
        }
        self.stack.truncate(kept);
        best
    }

    /// What the moves of the position are worth at most, as far as that is seen without search.
    pub(super) fn upper_bounds(&mut self, candidates: &[Candidate]) -> Vec<i32> {
        let first = self.stack.len();
        self.stack.extend_from_slice(candidates);
        self.find_outs();
        self.find_singles(first);
        self.stack.truncate(first);
        let mut bound = |candidate: &Candidate| {
            if candidate.ends {
                candidate.estimate
            } else {
                self.bound_by_outs(candidate).min(self.bound_by_last_tile(candidate))
            }
        };
        candidates.iter().map(&mut bound).collect()
    }

    /// Finds the best plays with which the other player would go out now.
    fn find_outs(&mut self) {
        let Search { position, outs, .. } = self;
        let (other, held) = (1 - position.to_move(), position.held());
        outs.clear();
        position.list(other, |listed| {
            if listed.part == held[other] {
                outs.push(Out { play: listed.play, footprint: Squares::default() });
            }
        });
        outs.sort_unstable_by_key(|out| std::cmp::Reverse(out.play.score));
        outs.truncate(MOST_OUTS);
        for out in outs {
            out.footprint = position.footprint(&out.play);
        }
    }

    /// Finds what each single tile scores at best now, among the moves on the stack.
    fn find_singles(&mut self, first: usize) {
        self.singles.fill(-MOST);
        for listed in self.stack[first..].iter().filter_map(|candidate| candidate.listed) {
            if listed.play.tiles.len() == 1 {
                let best = &mut self.singles[listed.part as usize];
                *best = (*best).max(listed.play.score);
            }
        }
    }

    /// The player to move may pass for good. No more than this is then in it for the other, if that has two tiles or fewer.
    ///
    /// Of two tiles, the second that is laid scores what it can score now, or its word has the first tile in it: then the two are
    /// a play of this board together.
    fn most_alone(&mut self) -> i32 {
        let Search { position, pairs, .. } = self;
        let other = 1 - position.to_move();
        let held = position.held()[other];
        let parts = &position.parts[other];
        if parts.mask(held).count_ones() > 2 {
            return MOST;
        }
        let (mine, all) = (position.points(1 - other), parts.points(held));
        let singles = parts.singles(held);
        let mut now = [-MOST; 2];
        let mut together = -MOST;
        pairs.clear();
        position.list(other, |listed| {
            let score = listed.play.score;
            if listed.part == held {
                together = together.max(score);
                pairs.push(listed.play);
            }
            for (now, single) in now.iter_mut().zip(singles) {
                if single == Some(listed.part) {
                    *now = (*now).max(score);
                }
            }
        });
        let mut most = (together + 2 * mine).max(mine - all);
        let [Some(first), Some(second)] = singles else { return most };
        let mut after = now;
        for play in &*pairs {
            for (after, single) in after.iter_mut().zip([first, second]) {
                *after = (*after).max(position.most_of_last(play, other, single));
            }
        }
        for (now, last, single) in [(now[0], after[1], second), (now[1], after[0], first)] {
            most = most.max(now + (last + 2 * mine).max(mine - position.parts[other].points(single)));
        }
        most
    }

    /// After a move that leaves one of its outs open, the other player goes out, unless the move ends the game by being scoreless.
    fn bound_by_outs(&self, candidate: &Candidate) -> i32 {
        let position = &self.position;
        if self.outs.is_empty() || (candidate.score() == 0 && position.is_last_scoreless()) {
            return MOST;
        }
        let to_move = position.to_move();
        let part = candidate.listed.map_or(0, |listed| listed.part);
        let laid = candidate.listed.map_or_else(Squares::default, |listed| position.laid(&listed.play));
        let left = position.parts[to_move].points(position.held()[to_move] - part);
        let open = self.outs.iter().find(|out| !out.footprint.meet(&laid));
        open.map_or(MOST, |out| candidate.score() - out.play.score - 2 * left)
    }

    /// After a move that leaves one tile, the other player may do nothing, so that the tile scores no more than it can now, or
    /// where it touches what the move lays.
    fn bound_by_last_tile(&mut self, candidate: &Candidate) -> i32 {
        let Some(listed) = &candidate.listed else { return MOST };
        let position = &mut self.position;
        let to_move = position.to_move();
        let left = position.held()[to_move] - listed.part;
        let parts = &position.parts[to_move];
        let Some(kind) = parts.only_kind(left) else { return MOST };
        let (own, other) = (parts.points(left), position.points(1 - to_move));
        let last = self.singles[left as usize].max(position.most_beside(&listed.play, kind));
        listed.play.score + (last + 2 * other).max(other - own)
    }

    /// Brings the most promising of the moves that are left to place `number`.
    fn bring_forward(&mut self, first: usize, number: usize, mark: u32, beta: i32) {
        let left = &mut self.stack[number..];
        if number == first && mark != 0 {
            if let Some(at) = left.iter().position(|candidate| candidate.mark() == mark) {
                left.swap(0, at);
                return;
            }
        }
        if number - first < SELECTED {
            let at = (0..left.len()).max_by_key(|&at| (left[at].promise(beta), std::cmp::Reverse(at)));
            left.swap(0, at.unwrap_or_default());
        } else if number - first == SELECTED {
            left.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.promise(beta)));
        }
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.until.nodes.is_some_and(|most| self.nodes > most) {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(256) && self.until.time.is_some_and(|end| Instant::now() >= end) {
            return Err(Stopped);
        }
        Ok(())
    }
}
