//! The choice of the endgames to search: only those that may still change which candidate is best.

use super::race_candidate::{Effort, Line, RaceCandidate, SearchResult, WIN};
use super::settings::{LISTING_COST, Settings};
use super::worker::{Root, Worker};
use crate::monitor::share_out;
use crate::moves::Move;

/// Endgames are searched in batches, after which the candidates are compared again. A batch is at least `BATCH` endgames and
/// at least 1 / `BATCHES` of the lines. Larger batches waste searches. Smaller ones leave threads idle.
const BATCH: usize = 4;
const BATCHES: usize = 8;
/// The difference of estimated win probabilities, in units of [`WIN`], beyond which two candidates are not expected to tie.
const TIE_MARGIN: i64 = WIN / 10;
/// The difference of estimated mean spreads, in points, beyond which the lower candidate is not expected to be better.
const SPREAD_MARGIN: i64 = 12;
/// The final spread after static play, in points, beyond which the winner is almost certain and the fast evaluator is not
/// used.
const CERTAIN_SPREAD: i32 = 75;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub nodes: u64,
    pub endgames: u64,
    /// The number of estimates by the fast evaluator.
    pub estimates: u64,
}

pub(super) struct Race<'r, 'a> {
    pub workers: &'r mut [Worker<'a>],
    pub root: Root<'r>,
    pub settings: &'r Settings,
    pub candidates: Vec<RaceCandidate>,
    pub cost: Cost,
}

impl Race<'_, '_> {
    /// Estimates the best candidates, then searches them for the winner, then searches those that win equally often for the
    /// spread.
    pub(super) fn run(&mut self) {
        self.candidates.sort_by_cached_key(RaceCandidate::rank);
        self.estimate_first(self.settings.estimated);
        self.drop_beaten();
        while let Some(number) = self.next_for_wins() {
            self.search_some(number, Effort::Decided);
            self.drop_beaten();
        }
        while let Some(number) = self.next_for_spread() {
            self.search_some(number, Effort::Valued);
            self.drop_beaten();
        }
    }

    fn estimate_first(&mut self, most: usize) {
        let most = most.min(self.candidates.len());
        let candidates = &self.candidates[..most];
        let jobs: Vec<(Move, &Line)> = candidates
            .iter()
            .flat_map(|candidate| candidate.lines.iter().map(|line| (candidate.chosen.chosen, line)))
            .filter(|(_, line)| line.estimated_spread.abs() <= CERTAIN_SPREAD)
            .collect();
        let root = self.root;
        let lines = share_out(self.workers, &jobs, |worker, (chosen, line)| {
            (!root.deadline.is_over()).then(|| worker.estimate(root, chosen, line))
        });
        self.cost.estimates += lines.iter().flatten().count() as u64;
        let mut lines = lines.into_iter();
        for candidate in &mut self.candidates[..most] {
            let doubtful = candidate.lines.iter_mut().filter(|line| line.estimated_spread.abs() <= CERTAIN_SPREAD);
            let pairs: Vec<(&mut Line, Option<Line>)> = doubtful.zip(&mut lines).collect();
            // All lines of a candidate are estimated in the same way, or none.
            if pairs.iter().all(|(_, estimated)| estimated.is_some()) {
                for (line, estimated) in pairs {
                    if let Some(estimated) = estimated {
                        *line = estimated;
                    }
                }
                candidate.effort = Effort::Estimated;
            }
        }
    }

    pub(super) fn search_all(&mut self, number: usize, effort: Effort) {
        while !self.is_exhausted() && self.candidates[number].has_open_lines(effort) {
            self.search_some(number, effort);
        }
    }

    fn is_exhausted(&self) -> bool {
        let Cost { nodes, endgames, estimates } = self.cost;
        self.settings.nodes.is_some_and(|most| nodes + LISTING_COST * (endgames + estimates) >= most)
            || self.root.deadline.is_over()
    }

    fn best_min_wins(&self) -> i64 {
        self.candidates.iter().map(RaceCandidate::min_wins).max().unwrap_or(0)
    }

    fn drop_beaten(&mut self) {
        let best = self.best_min_wins();
        if self.settings.prune {
            self.candidates.iter_mut().for_each(|candidate| candidate.is_beaten |= candidate.max_wins() < best);
        }
    }

    fn count(&self, effort: Effort) -> usize {
        self.candidates.iter().filter(|candidate| candidate.effort >= effort).count()
    }

    /// Returns the best candidate, by its estimate, of those that may still win most often.
    fn next_for_wins(&self) -> Option<usize> {
        let best = self.best_min_wins();
        let whole = self.candidates.first().map_or(0, RaceCandidate::ways) as f64 * WIN as f64;
        let hope = (best as f64 - self.settings.margin * whole).max(self.settings.min_win_probability * whole);
        let is_full = self.count(Effort::Decided) >= self.settings.calculated;
        let may_lead = |candidate: &RaceCandidate| {
            candidate.effort >= Effort::Estimated
                && candidate.has_open_lines(Effort::Decided)
                && !candidate.is_beaten
                && (!self.settings.prune || candidate.max_wins() > best && candidate.wins() as f64 >= hope)
                && (!is_full || candidate.effort >= Effort::Decided)
        };
        self.best_of(may_lead)
    }

    /// Returns the best candidate, by its estimate, of those that may win as often as the best and have a higher spread.
    fn next_for_spread(&self) -> Option<usize> {
        let best = self.best_min_wins();
        let ways = self.candidates.first().map_or(0, RaceCandidate::ways) as i64;
        let may_tie = |candidate: &&RaceCandidate| {
            candidate.effort >= Effort::Estimated
                && !candidate.is_beaten
                && candidate.max_wins() >= best
                && candidate.wins() >= best - TIE_MARGIN * ways
        };
        let tied: Vec<&RaceCandidate> = self.candidates.iter().filter(may_tie).collect();
        let valued = tied.iter().filter(|candidate| !candidate.has_open_lines(Effort::Valued) && candidate.wins() == best);
        let best_spread = valued.map(|candidate| candidate.spread()).max();
        let is_full = self.count(Effort::Valued) >= self.settings.compared;
        let may_lead = |candidate: &RaceCandidate| {
            candidate.has_open_lines(Effort::Valued)
                && may_tie(&candidate)
                && (!is_full || candidate.effort == Effort::Valued)
                && (!self.settings.prune || best_spread.is_none_or(|best| candidate.spread() + SPREAD_MARGIN * ways > best))
        };
        if tied.len() < 2 || self.is_exhausted() {
            return None;
        }
        let order = |number: &usize| (std::cmp::Reverse(self.candidates[*number].spread()), *number);
        (0..self.candidates.len()).filter(|&number| may_lead(&self.candidates[number])).min_by_key(order)
    }

    fn best_of(&self, may_lead: impl Fn(&RaceCandidate) -> bool) -> Option<usize> {
        if self.is_exhausted() {
            return None;
        }
        let numbers = (0..self.candidates.len()).filter(|&number| may_lead(&self.candidates[number]));
        numbers.min_by_key(|&number| self.candidates[number].rank())
    }

    fn search_some(&mut self, number: usize, effort: Effort) {
        let candidate = &self.candidates[number];
        let (lines, chosen) = (&candidate.lines, candidate.chosen.chosen);
        let mut open = candidate.open_lines(effort);
        open.truncate(BATCH.max(lines.len().div_ceil(BATCHES)));
        let (root, nodes) = (self.root, self.settings.endgame_nodes);
        let found: Vec<SearchResult> =
            share_out(self.workers, &open, |worker, &at| worker.search(root, &chosen, &lines[at], effort, nodes));
        let candidate = &mut self.candidates[number];
        candidate.effort = candidate.effort.max(effort);
        for (&at, found) in open.iter().zip(&found) {
            candidate.lines[at].learn(found, effort);
            self.cost.nodes += found.nodes;
            self.cost.endgames += 1;
        }
    }
}
