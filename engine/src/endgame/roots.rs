//! The moves of the position that was asked about, and what is known of each.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use super::MOST;
use super::candidate::Candidate;
use super::search::{Search, Stopped, TO_THE_END, Until};
use super::solution::Solution;
use super::table::{Found, Table};
use crate::game::{Game, SCORELESS_LIMIT};
use crate::moves::Move;

/// Turns that are looked ahead, one after the other, before all that are left: each puts the moves in a better order for the
/// next.
const DEPTHS: [u8; 4] = [1, 2, 3, TO_THE_END];
/// The value is first looked for within so many points of the last depth's.
const ASPIRATION: i32 = 8;

/// A move with what is known of its value.
#[derive(Clone, Copy, Debug)]
struct Root {
    candidate: Candidate,
    /// Its place in the order that decides between equals.
    rank: usize,
    /// By the last search.
    value: i32,
    /// Proved.
    bounds: (i32, i32),
}

impl Root {
    /// Takes note of what a search within a window has found.
    fn learn(&mut self, found: Found, window: (i32, i32)) {
        self.value = found.value;
        if found.proved && found.value > window.0 {
            self.bounds.0 = self.bounds.0.max(found.value);
        }
        if found.proved && found.value < window.1 {
            self.bounds.1 = self.bounds.1.min(found.value);
        }
    }

    fn as_move(&self) -> Move {
        as_move(&self.candidate)
    }
}

fn as_move(candidate: &Candidate) -> Move {
    candidate.listed.map_or(Move::Pass, |listed| Move::Play(listed.play))
}

/// All moves, the best first as far as is known.
pub(super) struct Roots<'a, 't> {
    search: Search<'a, 't>,
    moves: Vec<Root>,
    /// What a draw takes, if all that is asked is who wins.
    draw: Option<i32>,
    /// Scoreless turns before.
    scoreless: u32,
}

impl<'a, 't> Roots<'a, 't> {
    pub(super) fn new(mut search: Search<'a, 't>, game: &Game, first_win: bool) -> Roots<'a, 't> {
        let candidates = search.candidates();
        let most = search.upper_bounds(&candidates);
        let root = |(rank, (candidate, most)): (usize, (Candidate, i32))| {
            let value = candidate.estimate;
            Root { candidate, rank, value, bounds: (if candidate.ends { value } else { -MOST }, most) }
        };
        let moves = candidates.into_iter().zip(most).enumerate().map(root).collect();
        Roots { search, moves, draw: first_win.then(|| -game.spread()), scoreless: game.scoreless_turns }
    }

    /// What is proved of the value.
    fn bounds(&self) -> (i32, i32) {
        let bounds = self.moves.iter().map(|root| root.bounds);
        bounds.fold((-MOST, -MOST), |all, one| (all.0.max(one.0), all.1.max(one.1)))
    }

    fn is_decided(&self) -> bool {
        let (lower, upper) = self.bounds();
        lower == upper || self.draw.is_some_and(|draw| lower > draw || upper < draw)
    }

    /// Looks farther and farther ahead, until all is known or a limit is reached.
    pub(super) fn deepen(&mut self) {
        for depth in DEPTHS {
            if self.is_decided() || self.look_ahead(depth).is_err() {
                break;
            }
        }
    }

    /// The same; the last and longest part on all threads.
    pub(super) fn deepen_together(&mut self, table: impl Fn() -> Table + Sync) {
        for depth in DEPTHS.into_iter().filter(|&depth| depth < TO_THE_END) {
            if self.is_decided() || self.look_ahead(depth).is_err() {
                return;
            }
        }
        let first = self.moves[0].candidate;
        if let Ok(found) = self.search.value_of(&first, -MOST, MOST, TO_THE_END) {
            self.moves[0].learn(found, Solution::NO_BOUNDS);
        }
        let (roots, next, least) = (&self.moves, AtomicUsize::new(1), AtomicI32::new(self.bounds().0));
        let (position, plan) = (&self.search.position, &self.search.plan);
        let searched = rayon::broadcast(|_| {
            let mut table = table();
            let mut search = Search::resumed(position.clone(), plan.clone(), &mut table, Until::default());
            let mut searched = Vec::new();
            while let Some(root) = roots.get(next.fetch_add(1, Ordering::Relaxed)) {
                let mut root = *root;
                // No limit stops this search.
                let _ = raise(&mut search, &mut root, least.load(Ordering::Relaxed));
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

    fn look_ahead(&mut self, depth: u8) -> Result<(), Stopped> {
        if let Some(draw) = self.draw {
            return self.search_within(draw - 1, draw + 1, depth).map(|_| ());
        }
        let guess = self.moves[0].value;
        let mut step = ASPIRATION;
        let (mut alpha, mut beta) = (guess - step, guess + step);
        let (mut was_below, mut was_above) = (false, false);
        loop {
            let value = self.search_within(alpha.max(-MOST), beta.min(MOST), depth)?;
            step *= 2;
            if value <= alpha {
                was_below = true;
                // Estimates of different windows may contradict each other.
                (alpha, beta) = (value - step, value + if was_above { step } else { 1 });
            } else if value >= beta {
                was_above = true;
                (alpha, beta) = (value - if was_below { step } else { 1 }, value + step);
            } else {
                return Ok(());
            }
        }
    }

    /// Searches the moves in turn, each for whether it is better than those before. The best one comes to the front.
    fn search_within(&mut self, mut alpha: i32, beta: i32, depth: u8) -> Result<i32, Stopped> {
        let mut best = -MOST;
        for number in 0..self.moves.len() {
            let Root { candidate, bounds, .. } = self.moves[number];
            if bounds.1 <= alpha {
                best = best.max(bounds.1);
                continue;
            }
            let mut window = (alpha, if number == 0 { beta } else { alpha + 1 });
            let mut found = self.search.value_of(&candidate, window.0, window.1, depth)?;
            if found.value > alpha && found.value < beta && window.1 < beta {
                self.moves[number].learn(found, window);
                window = (alpha, beta);
                found = self.search.value_of(&candidate, window.0, window.1, depth)?;
            }
            self.moves[number].learn(found, window);
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

    /// What came of it.
    pub(super) fn solution(mut self) -> Solution {
        let bounds = self.bounds();
        let is_exact = bounds.0 == bounds.1;
        let nodes = self.search.nodes;
        self.search.until = Until::default();
        let value = if is_exact { bounds.0 } else { self.moves[0].value.clamp(bounds.0, bounds.1) };
        if is_exact && self.draw.is_none() {
            self.settle_ties(value);
        }
        let best = self.moves[0].candidate;
        let mut line = vec![as_move(&best)];
        if is_exact && self.draw.is_none() {
            self.follow(&best, value, &mut line);
            self.pass_to_the_end(&mut line);
        }
        Solution { best: self.moves[0].as_move(), value, bounds, line, nodes, is_exact }
    }

    /// Brings the first of the best moves to the front.
    fn settle_ties(&mut self, value: i32) {
        self.moves.sort_by_key(|root| root.rank);
        for number in 0..self.moves.len() {
            let root = &mut self.moves[number];
            if root.bounds.0 < value && root.bounds.1 >= value {
                let window = (value - 1, value);
                if let Ok(found) = self.search.value_of(&root.candidate, window.0, window.1, TO_THE_END) {
                    root.learn(found, window);
                }
            }
            if root.bounds.0 >= value {
                self.moves.swap(0, number);
                return;
            }
        }
    }

    /// Where best play is to pass, two passes stand for as many as the rules ask for.
    fn pass_to_the_end(&self, line: &mut Vec<Move>) {
        if !self.search.position.is_stalled() {
            return;
        }
        let scoreless = line.iter().rev().take_while(|chosen| chosen.score() == 0).count() as u32;
        let before = if scoreless as usize == line.len() { self.scoreless } else { 0 };
        line.extend((before + scoreless..SCORELESS_LIMIT).map(|_| Move::Pass));
    }

    /// Adds the best replies to a move that is worth `value`, up to the end of the game.
    fn follow(&mut self, candidate: &Candidate, value: i32, line: &mut Vec<Move>) {
        if candidate.ends {
            return;
        }
        self.search.make(candidate);
        let value = candidate.score() - value;
        if self.search.position.is_stalled() {
            return;
        }
        for reply in self.search.candidates() {
            let found = self.search.value_of(&reply, value - 1, value, TO_THE_END);
            if found.is_ok_and(|found| found.value >= value) {
                line.push(as_move(&reply));
                return self.follow(&reply, value, line);
            }
        }
    }
}

/// Finds the value of a move if it is more than `alpha`.
fn raise(search: &mut Search<'_, '_>, root: &mut Root, alpha: i32) -> Result<(), Stopped> {
    if root.bounds.1 <= alpha {
        return Ok(());
    }
    let found = search.value_of(&root.candidate, alpha, alpha + 1, TO_THE_END)?;
    root.learn(found, (alpha, alpha + 1));
    if found.value > alpha && root.bounds.0 < root.bounds.1 {
        let found = search.value_of(&root.candidate, alpha, MOST, TO_THE_END)?;
        root.learn(found, (alpha, MOST));
    }
    Ok(())
}
