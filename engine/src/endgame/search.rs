//! The negamax search.

use super::MAX_VALUE;
use super::bounds::Bounds;
use super::plan::{BestScores, Candidate, Plan};
use super::position::{Position, Undo};
use super::solution::StopConditions;
use super::table::{Bound, Entry, Refutation, Refutations, SearchValue, Table};

/// A depth beyond the end of any endgame.
pub(super) const TO_THE_END: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct LimitReached;

impl SearchValue {
    /// Converts the value of a position to the value of the move of `score` points that led to it.
    fn after(self, score: i32) -> SearchValue {
        SearchValue { value: score - self.value, ..self }
    }
}

/// The number of moves that are selected one by one before the others are sorted.
const SELECTED: usize = 4;

#[derive(Debug)]
pub(super) struct Search<'a, 't> {
    pub position: Position<'a>,
    pub plan: Plan,
    pub table: &'t mut Table,
    pub until: StopConditions,
    pub nodes: u64,
    /// The moves of every position from the root to the current position.
    stack: Vec<Candidate>,
    bounds: Bounds,
    refutations: Refutations,
}

impl<'a, 't> Search<'a, 't> {
    pub(super) fn new(mut position: Position<'a>, table: &'t mut Table, until: StopConditions) -> Search<'a, 't> {
        table.clear();
        let mut scores = [0, 1].map(|player| BestScores::new(&position.sub_racks[player]));
        for (player, scores) in scores.iter_mut().enumerate() {
            position.list(player, |listed| scores.add(listed.sub_rack, listed.play.score));
        }
        let plan = Plan::new(position.sub_racks.each_ref(), &scores);
        Search::with_plan(position, plan, table, until)
    }

    /// Creates a search of a position with a known plan. It does not clear the table.
    pub(super) fn with_plan(
        position: Position<'a>,
        plan: Plan,
        table: &'t mut Table,
        until: StopConditions,
    ) -> Search<'a, 't> {
        Search {
            position,
            plan,
            table,
            until,
            nodes: 0,
            stack: Vec::new(),
            bounds: Bounds::default(),
            refutations: Refutations::default(),
        }
    }

    /// Returns the moves of the position, the best estimate first. The order of moves breaks ties.
    pub(super) fn candidates(&mut self) -> Vec<Candidate> {
        self.first_candidates(usize::MAX)
    }

    /// Returns the first `most` moves of [`Search::candidates`].
    pub(super) fn first_candidates(&mut self, most: usize) -> Vec<Candidate> {
        let first = self.stack.len();
        self.list_candidates();
        let mut candidates = self.stack.split_off(first);
        let order = |candidate: &Candidate| (-candidate.estimate, candidate.play().is_none(), candidate.play());
        if most < candidates.len() {
            candidates.select_nth_unstable_by_key(most, order);
            candidates.truncate(most);
        }
        candidates.sort_unstable_by_key(order);
        candidates
    }

    pub(super) fn upper_bounds(&mut self, candidates: &[Candidate]) -> Vec<i32> {
        self.bounds.upper_bounds(&mut self.position, candidates)
    }

    /// Pushes the moves of the position on the stack.
    fn list_candidates(&mut self) {
        let Search { position, plan, stack, .. } = self;
        let (to_move, held) = (position.to_move(), position.held());
        let other_points = position.points(1 - to_move);
        position.list(to_move, |listed| stack.push(Candidate::from_play(plan, to_move, held, other_points, listed)));
        let pass = -self.plan.value(1 - to_move, held);
        stack.push(Candidate { listed: None, estimate: pass, ends: false });
    }

    pub(super) fn make(&mut self, candidate: &Candidate) -> Undo {
        self.refutations.next_turn();
        match &candidate.listed {
            Some(listed) => self.position.make(listed),
            None => self.position.pass(),
        }
    }

    pub(super) fn unmake(&mut self, undo: &Undo) {
        self.refutations.previous_turn();
        self.position.unmake(undo);
    }

    pub(super) fn search_move(
        &mut self,
        candidate: &Candidate,
        alpha: i32,
        beta: i32,
        depth: u8,
    ) -> Result<SearchValue, LimitReached> {
        if candidate.ends {
            return Ok(SearchValue { value: candidate.estimate, proved: true });
        }
        let score = candidate.score();
        if depth == 1 && score > 0 {
            return Ok(SearchValue { value: candidate.estimate, proved: false });
        }
        if let Some(found) = self.look_up_after(candidate, score - beta, score - alpha, depth - 1) {
            return Ok(found.after(score));
        }
        let undo = self.make(candidate);
        let found = self.search(score - beta, score - alpha, depth - 1);
        self.unmake(&undo);
        Ok(found?.after(score))
    }

    /// Returns the result of the table for the position after a play, if it decides the window.
    fn look_up_after(&self, candidate: &Candidate, alpha: i32, beta: i32, depth: u8) -> Option<SearchValue> {
        let listed = candidate.listed.filter(|listed| listed.play.score > 0)?;
        let entry = self.table.get(self.position.key_after(&listed))?;
        entry.decides(alpha, beta, depth)
    }

    /// Returns the value of the position if it is between `alpha` and `beta`, otherwise a lower bound of at least `beta` or
    /// an upper bound of at most `alpha`.
    fn search(&mut self, alpha: i32, beta: i32, depth: u8) -> Result<SearchValue, LimitReached> {
        self.count()?;
        let to_move = self.position.to_move();
        if self.position.is_stalled() {
            let value = self.position.points(1 - to_move) - self.position.points(to_move);
            return Ok(SearchValue { value, proved: true });
        }
        if depth == 0 {
            return Ok(SearchValue { value: self.plan.value(to_move, self.position.held()), proved: false });
        }
        let key = self.position.key();
        let entry = self.table.get(key);
        if let Some(found) = entry.and_then(|entry| entry.decides(alpha, beta, depth)) {
            return Ok(found);
        }
        let bound = -self.bounds.max_gain_after_passes(&mut self.position);
        if bound >= beta {
            let found = SearchValue { value: bound, proved: true };
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
    ) -> Result<(SearchValue, u32), LimitReached> {
        let mut best = SearchValue { value: -MAX_VALUE, proved: true };
        let mut best_mark = 0;
        if depth > 1 {
            let (bound, mark) = self.bounds.drop_hopeless(&mut self.position, &mut self.stack, first, alpha);
            (best.value, best_mark) = (bound, mark);
        }
        for number in first..self.stack.len() {
            self.bring_forward(first, number, mark, beta);
            let candidate = self.stack[number];
            let found = if number == first || beta - alpha == 1 {
                self.search_move(&candidate, alpha, beta, depth)?
            } else {
                let found = self.search_move(&candidate, alpha, alpha + 1, depth)?;
                if found.value > alpha && found.value < beta {
                    self.search_move(&candidate, alpha, beta, depth)?
                } else {
                    found
                }
            };
            if found.value > best.value {
                best.value = found.value;
                best_mark = candidate.mark();
            }
            if found.value >= beta {
                if let Some(listed) = candidate.listed {
                    self.refutations.remember(listed, self.position.lane_hash(&listed.play));
                }
                return Ok((found, best_mark));
            }
            best.proved &= found.proved;
            alpha = alpha.max(found.value);
        }
        Ok((best, best_mark))
    }

    /// Tries the plays that refuted other positions at this turn. Usually one of them refutes this position too, and no plays need to be
    /// listed.
    fn try_refutations(&mut self, beta: i32, depth: u8) -> Result<Option<(SearchValue, u32)>, LimitReached> {
        let refutations = self.refutations.all().into_iter().flatten();
        if depth == 1 {
            // Any of them would do, but deeper searches begin with the remembered move.
            let candidates = refutations.filter_map(|refutation| self.candidate_again(&refutation, beta));
            let best = candidates.max_by_key(|candidate| candidate.promise(beta));
            return best.map_or(Ok(None), |candidate| self.try_to_refute(&candidate, beta, depth));
        }
        for refutation in refutations {
            if let Some(candidate) = self.candidate_again(&refutation, beta)
                && let Some(found) = self.try_to_refute(&candidate, beta, depth)?
            {
                self.refutations.remember(refutation.listed, refutation.lane_hash);
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns the candidate of a play that refuted another position, if its lane has the same hash here, so that it is legal and scores
    /// the same, and if its estimate is high enough: otherwise it rarely refutes the position, and its search takes long.
    fn candidate_again(&self, Refutation { listed, lane_hash }: &Refutation, beta: i32) -> Option<Candidate> {
        let position = &self.position;
        if position.lane_hash(&listed.play) != *lane_hash || !position.holds(listed) {
            return None;
        }
        let to_move = position.to_move();
        let candidate = Candidate::from_play(&self.plan, to_move, position.held(), position.points(1 - to_move), listed);
        (candidate.estimate >= beta).then_some(candidate)
    }

    fn try_to_refute(
        &mut self,
        candidate: &Candidate,
        beta: i32,
        depth: u8,
    ) -> Result<Option<(SearchValue, u32)>, LimitReached> {
        let found = self.search_move(candidate, beta - 1, beta, depth)?;
        Ok((found.value >= beta).then_some((found, candidate.mark())))
    }

    /// Moves the most promising of the remaining moves to place `number`.
    fn bring_forward(&mut self, first: usize, number: usize, mark: u32, beta: i32) {
        let left = &mut self.stack[number..];
        if number == first
            && mark != 0
            && let Some(at) = left.iter().position(|candidate| candidate.mark() == mark)
        {
            left.swap(0, at);
            return;
        }
        if number - first < SELECTED {
            let at = (0..left.len()).max_by_key(|&at| (left[at].promise(beta), std::cmp::Reverse(at)));
            left.swap(0, at.unwrap_or_default());
        } else if number - first == SELECTED {
            left.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.promise(beta)));
        }
    }

    fn count(&mut self) -> Result<(), LimitReached> {
        self.nodes += 1;
        if self.until.are_met(self.nodes) { Err(LimitReached) } else { Ok(()) }
    }
}
