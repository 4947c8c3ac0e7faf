//! The moves of the root position, with the bounds proved of each.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use super::MAX_VALUE;
use super::plan::Candidate;
use super::search::{LimitReached, Search, TO_THE_END};
use super::solution::{BestMoves, Choice, MoveValue, Solution, StopConditions};
use super::table::{SearchValue, Table};
use crate::game::{Game, scoreless_after};
use crate::moves::Move;

/// The depths of iterative deepening, in turns. Each improves the order of moves for the next.
const DEPTHS: [u8; 4] = [1, 2, 4, TO_THE_END];
/// The first aspiration window around the value of the previous depth, in points.
const ASPIRATION: i32 = 8;

#[derive(Clone, Copy, Debug)]
struct RootMove {
    candidate: Candidate,
    /// Its place in the order that breaks ties.
    rank: usize,
    /// The value by the last search.
    value: i32,
    /// The proved bounds of its value.
    bounds: (i32, i32),
}

impl RootMove {
    /// Updates the value and the bounds with the result of a search within a window.
    fn learn(&mut self, found: SearchValue, window: (i32, i32)) {
        self.value = found.value;
        if found.proved && found.value > window.0 {
            self.bounds.0 = self.bounds.0.max(found.value);
        }
        if found.proved && found.value < window.1 {
            self.bounds.1 = self.bounds.1.min(found.value);
        }
    }
}

/// All moves of the root position, the best known move first.
pub(super) struct Roots<'a, 't> {
    search: Search<'a, 't>,
    moves: Vec<RootMove>,
    /// The bounds of the value of the position before the search.
    limits: (i32, i32),
    /// The value that makes a draw, if only the winner is searched.
    draw: Option<i32>,
    /// The numbers of consecutive scoreless turns and passes before the root.
    scoreless: (u32, u32),
    /// The move that is chosen if a limit stops the search.
    choice: Choice,
}

impl<'a, 't> Roots<'a, 't> {
    pub(super) fn new(mut search: Search<'a, 't>, game: &Game, first_win: bool) -> Roots<'a, 't> {
        let candidates = search.candidates();
        let most = search.upper_bounds(&candidates);
        let gains = search.position.max_gains();
        let root = |(rank, (candidate, most)): (usize, (Candidate, i32))| {
            let value = candidate.estimate;
            let least = if candidate.ends { value } else { candidate.score() - gains[1] };
            RootMove { candidate, rank, value, bounds: (least, most.min(gains[0])) }
        };
        let moves: Vec<RootMove> = candidates.into_iter().zip(most).enumerate().map(root).collect();
        let best_score = moves.iter().map(|root| root.candidate.score()).max().unwrap_or_default();
        let limits = (best_score - gains[1], gains[0]);
        let proved = moves.iter().map(|root| root.bounds.0).max().unwrap_or(-MAX_VALUE);
        let choice = Choice::new(0, moves[0].value, moves[0].bounds.1, proved);
        let (draw, scoreless) = (first_win.then(|| -game.spread()), (game.scoreless_turns, game.passes));
        Roots { search, moves, limits, draw, scoreless, choice }
    }

    /// Returns the proved bounds of the value of the position.
    fn bounds(&self) -> (i32, i32) {
        let bounds = self.moves.iter().map(|root| root.bounds);
        bounds.fold((-MAX_VALUE, -MAX_VALUE), |all, one| (all.0.max(one.0), all.1.max(one.1)))
    }

    fn is_decided(&self) -> bool {
        let (lower, upper) = self.bounds();
        lower == upper || self.draw.is_some_and(|draw| lower > draw || upper < draw)
    }

    /// Searches deeper and deeper, until the value is known or a limit is reached.
    pub(super) fn deepen(&mut self) {
        for depth in DEPTHS {
            if self.is_decided() || self.look_ahead(depth).is_err() {
                break;
            }
        }
    }

    /// Searches deeper and deeper. The last depth takes longest, so it runs on all threads.
    pub(super) fn deepen_together(&mut self, table: impl Fn() -> Table + Sync) {
        for depth in DEPTHS.into_iter().filter(|&depth| depth < TO_THE_END) {
            if self.is_decided() || self.look_ahead(depth).is_err() {
                return;
            }
        }
        let first = self.moves[0].candidate;
        if let Ok(found) = self.search.search_move(&first, -MAX_VALUE, MAX_VALUE, TO_THE_END) {
            self.moves[0].learn(found, (-MAX_VALUE, MAX_VALUE));
        }
        let (roots, next, least) = (&self.moves, AtomicUsize::new(1), AtomicI32::new(self.bounds().0));
        let (position, plan) = (&self.search.position, &self.search.plan);
        let searched = rayon::broadcast(|_| {
            let mut table = table();
            let mut search = Search::with_plan(position.clone(), plan.clone(), &mut table, StopConditions::default());
            let mut searched = Vec::new();
            while let Some(root) = roots.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut root = *root;
                // No limit stops this search.
                let _ = improve(&mut search, &mut root, least.load(Ordering::Relaxed));
                least.fetch_max(root.bounds.0, Ordering::Relaxed);
                searched.push(root);
            }
            (searched, search.nodes)
        });
        self.moves.truncate(1);
        for (roots, nodes) in searched {
            self.moves.extend(roots);
            self.search.nodes += nodes;
        }
    }

    fn look_ahead(&mut self, depth: u8) -> Result<(), LimitReached> {
        if let Some(draw) = self.draw {
            return self.search_within(draw - 1, draw + 1, depth).map(|_| ());
        }
        let guess = self.moves[0].value;
        let mut step = ASPIRATION;
        let (mut alpha, mut beta) = (guess - step, guess + step);
        let (mut was_below, mut was_above) = (false, false);
        loop {
            let value = self.search_within(alpha.max(-MAX_VALUE), beta.min(MAX_VALUE), depth)?;
            step *= 2;
            if value <= alpha {
                was_below = true;
                // With estimates, different windows may give contradictory values.
                (alpha, beta) = (value - step, value + if was_above { step } else { 1 });
            } else if value >= beta {
                was_above = true;
                (alpha, beta) = (value - if was_below { step } else { 1 }, value + step);
            } else {
                return Ok(());
            }
        }
    }

    /// Searches the moves in order with null windows, and moves the best one to the front.
    fn search_within(&mut self, mut alpha: i32, beta: i32, depth: u8) -> Result<i32, LimitReached> {
        let mut best = -MAX_VALUE;
        for number in 0..self.moves.len() {
            let RootMove { candidate, bounds, .. } = self.moves[number];
            if bounds.1 <= alpha {
                best = best.max(bounds.1);
                continue;
            }
            let mut window = (alpha, if number == 0 { beta } else { alpha + 1 });
            let mut found = self.search.search_move(&candidate, window.0, window.1, depth)?;
            if found.value > alpha && found.value < beta && window.1 < beta {
                self.learn(number, found, window);
                window = (alpha, beta);
                found = self.search.search_move(&candidate, window.0, window.1, depth)?;
            }
            self.learn(number, found, window);
            if found.value > best {
                best = found.value;
                self.moves[..=number].rotate_right(1);
            }
            alpha = alpha.max(found.value);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// Updates a move, and the choice, with the result of a search within a window.
    fn learn(&mut self, number: usize, found: SearchValue, window: (i32, i32)) {
        let root = &mut self.moves[number];
        root.learn(found, window);
        if found.value > window.0 {
            self.choice.prefer(root.rank, found.value, root.bounds.1);
        }
        self.choice.learn(root.rank, root.bounds);
    }

    /// Moves the chosen move to the front, and returns its value: a proved lower bound or an estimate.
    fn settle_choice(&mut self) -> i32 {
        let Choice { rank, estimate, is_by_proof, .. } = self.choice;
        let key = |root: &RootMove| if is_by_proof { root.bounds.0 } else { i32::from(root.rank == rank) };
        let number = (0..self.moves.len()).max_by_key(|&number| (key(&self.moves[number]), Reverse(number)));
        self.moves.swap(0, number.unwrap_or_default());
        let (least, most) = self.moves[0].bounds;
        if is_by_proof { least } else { estimate.clamp(least, most) }
    }

    /// Returns the `most` best moves with their exact values, the best first. A pass is an exception if another search must
    /// find its value. The search must not have a limit.
    pub(super) fn best_moves(&mut self, most: usize) -> BestMoves {
        self.moves.sort_by_key(|root| (Reverse(root.bounds.0), Reverse(root.value), root.rank));
        let stalled = self.search.position.points(1) - self.search.position.points(0);
        let passes_left = self.search.position.setup.tileset.rules().passes_left(self.scoreless.0, self.scoreless.1);
        let mut best = BestMoves::new(most);
        for root in &mut self.moves {
            let is_pass = root.candidate.listed.is_none();
            let least = if is_pass { best.least().min(stalled - 1) } else { best.least() };
            if settle(&mut self.search, root, least).is_err() {
                break;
            }
            if is_pass && root.bounds.0 == stalled && passes_left > 2 {
                // The search makes all but the last of the scoreless turns equal. This hides the gain of a pass if the
                // opponent passes too and the player then plays.
                best.has_open_pass = true;
            } else if root.bounds.0 > least {
                best.add(root.rank, MoveValue { chosen: root.candidate.as_move(), value: root.bounds.0 });
            }
        }
        best
    }

    pub(super) fn solution(mut self) -> Solution {
        let bounds = self.bounds();
        let is_exact = bounds.0 == bounds.1;
        let nodes = self.search.nodes;
        self.search.until = StopConditions::default();
        let value = self.settle_choice();
        if is_exact && self.draw.is_none() {
            self.settle_ties(bounds.0);
        }
        let value = if is_exact { bounds.0 } else { value };
        let best = self.moves[0].candidate;
        let mut line = vec![best.as_move()];
        if is_exact && self.draw.is_none() {
            self.extend_line(&best, value, &mut line);
            self.extend_passes(&mut line);
        }
        let best = self.moves[0].candidate.as_move();
        Solution { best, value, bounds, limits: self.limits, line, nodes, is_exact }
    }

    /// Moves the first of the best moves, in the order that breaks ties, to the front.
    fn settle_ties(&mut self, value: i32) {
        self.moves.sort_by_key(|root| root.rank);
        for number in 0..self.moves.len() {
            let root = &mut self.moves[number];
            if root.bounds.0 < value && root.bounds.1 >= value {
                let window = (value - 1, value);
                if let Ok(found) = self.search.search_move(&root.candidate, window.0, window.1, TO_THE_END) {
                    root.learn(found, window);
                }
            }
            if root.bounds.0 >= value {
                self.moves.swap(0, number);
                return;
            }
        }
    }

    /// Extends a line that ends in passes to the number of passes that ends the game: the search stops after two.
    fn extend_passes(&self, line: &mut Vec<Move>) {
        if !self.search.position.is_stalled() {
            return;
        }
        let (turns, passes) = line.iter().fold(self.scoreless, scoreless_after);
        let left = self.search.position.setup.tileset.rules().passes_left(turns, passes);
        line.extend((0..left).map(|_| Move::Pass));
    }

    /// Extends the line with the best replies to a move of value `value`, up to the end of the game.
    fn extend_line(&mut self, candidate: &Candidate, value: i32, line: &mut Vec<Move>) {
        if candidate.ends {
            return;
        }
        self.search.make(candidate);
        let value = candidate.score() - value;
        if self.search.position.is_stalled() {
            return;
        }
        for reply in self.search.candidates() {
            let found = self.search.search_move(&reply, value - 1, value, TO_THE_END);
            if found.is_ok_and(|found| found.value >= value) {
                line.push(reply.as_move());
                return self.extend_line(&reply, value, line);
            }
        }
    }
}

/// Finds the value of a move if it is above `alpha`.
fn improve(search: &mut Search<'_, '_>, root: &mut RootMove, alpha: i32) -> Result<(), LimitReached> {
    if root.bounds.1 <= alpha {
        return Ok(());
    }
    let found = search.search_move(&root.candidate, alpha, alpha + 1, TO_THE_END)?;
    root.learn(found, (alpha, alpha + 1));
    if found.value > alpha && root.bounds.0 < root.bounds.1 {
        let found = search.search_move(&root.candidate, alpha, MAX_VALUE, TO_THE_END)?;
        root.learn(found, (alpha, MAX_VALUE));
    }
    Ok(())
}

/// Finds the exact value of a move if it is above `least`.
fn settle(search: &mut Search<'_, '_>, root: &mut RootMove, least: i32) -> Result<(), LimitReached> {
    let mut window = (least, least + 1);
    let mut step = ASPIRATION;
    while root.bounds.1 > least && root.bounds.0 < root.bounds.1 {
        if root.bounds.0 > least {
            let guess = root.value.clamp(root.bounds.0, root.bounds.1);
            window = ((guess - step).max(root.bounds.0 - 1), (guess + step).min(root.bounds.1 + 1));
            step *= 2;
        }
        let found = search.search_move(&root.candidate, window.0, window.1, TO_THE_END)?;
        root.learn(found, window);
    }
    Ok(())
}
