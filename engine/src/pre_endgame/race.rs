//! The race of the candidates: endgames are searched where they may still change which candidate is the best.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::contender::{Contender, Effort, Found, Line, WON};
use super::settings::{LISTING, Settings};
use super::worker::{Scene, Worker};
use crate::moves::Move;

/// Endgames searched before the candidates are compared again: at least so many, and at least one in so many lines. More would be
/// searched in vain, fewer leave threads idle.
const BATCH: usize = 4;
const BATCHES: usize = 8;
/// A candidate whose chance is estimated so far below the best, in the unit of chances, is not thought to tie.
const NO_TIE: i64 = WON / 10;
/// A candidate whose mean spread is estimated so many points below the best is not thought to be better.
const CLEARLY_LESS: i64 = 12;
/// Static play to the end is hardly ever so many points off: the fast evaluator is not asked.
const BEYOND_DOUBT: i32 = 75;

/// What was spent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub nodes: u64,
    pub endgames: u64,
    /// By the fast evaluator.
    pub estimates: u64,
}

pub(super) struct Race<'r, 'a> {
    pub workers: &'r mut [Worker<'a>],
    pub scene: Scene<'r>,
    pub settings: &'r Settings,
    pub contenders: Vec<Contender>,
    pub spent: Spent,
}

impl Race<'_, '_> {
    /// The candidates that look best are estimated, then searched: for who wins, then for the spread among those that win as often.
    pub(super) fn run(&mut self) {
        self.contenders.sort_by_cached_key(Contender::rank);
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
        let most = most.min(self.contenders.len());
        let contenders = &self.contenders[..most];
        let jobs: Vec<(Move, &Line)> = contenders
            .iter()
            .flat_map(|contender| contender.lines.iter().map(|line| (contender.chosen.chosen, line)))
            .filter(|(_, line)| line.guess.abs() <= BEYOND_DOUBT)
            .collect();
        let scene = self.scene;
        let lines = share_out(self.workers, &jobs, |worker, (chosen, line)| worker.estimated(scene, chosen, line));
        self.spent.estimates += lines.len() as u64;
        let mut lines = lines.into_iter();
        for contender in &mut self.contenders[..most] {
            contender.effort = Effort::Estimated;
            let doubtful = contender.lines.iter_mut().filter(|line| line.guess.abs() <= BEYOND_DOUBT);
            doubtful.zip(&mut lines).for_each(|(line, estimated)| *line = estimated);
        }
    }

    /// Searches all lines of a candidate, whatever comes of the first.
    pub(super) fn search_all(&mut self, number: usize, effort: Effort) {
        while !self.is_spent() && self.contenders[number].has_open_lines(effort) {
            self.search_some(number, effort);
        }
    }

    fn is_spent(&self) -> bool {
        let Spent { nodes, endgames, estimates } = self.spent;
        self.settings.nodes.is_some_and(|most| nodes + LISTING * (endgames + estimates) >= most)
    }

    fn least_wins_of_best(&self) -> i64 {
        self.contenders.iter().map(Contender::least_wins).max().unwrap_or(0)
    }

    fn drop_beaten(&mut self) {
        let best = self.least_wins_of_best();
        if self.settings.prune {
            self.contenders.iter_mut().for_each(|contender| contender.is_beaten |= contender.most_wins() < best);
        }
    }

    fn count(&self, effort: Effort) -> usize {
        self.contenders.iter().filter(|contender| contender.effort >= effort).count()
    }

    /// The candidate that looks best of those that may still win more often than all others.
    fn next_for_wins(&self) -> Option<usize> {
        let best = self.least_wins_of_best();
        let whole = self.contenders.first().map_or(0, Contender::ways) as f64 * WON as f64;
        let hope = (best as f64 - self.settings.margin * whole).max(self.settings.least_chance * whole);
        let is_full = self.count(Effort::Decided) >= self.settings.calculated;
        let may_lead = |contender: &Contender| {
            contender.effort >= Effort::Estimated
                && contender.has_open_lines(Effort::Decided)
                && !contender.is_beaten
                && (!self.settings.prune || contender.most_wins() > best && contender.wins() as f64 >= hope)
                && (!is_full || contender.effort >= Effort::Decided)
        };
        self.best_of(may_lead)
    }

    /// The candidate that looks best of those that may still win as often as the best.
    fn next_for_spread(&self) -> Option<usize> {
        let best = self.least_wins_of_best();
        let ways = self.contenders.first().map_or(0, Contender::ways) as i64;
        let may_tie = |contender: &&Contender| {
            contender.effort >= Effort::Estimated
                && !contender.is_beaten
                && contender.most_wins() >= best
                && contender.wins() >= best - NO_TIE * ways
        };
        let tied: Vec<&Contender> = self.contenders.iter().filter(may_tie).collect();
        let valued = tied.iter().filter(|contender| !contender.has_open_lines(Effort::Valued) && contender.wins() == best);
        let best_spread = valued.map(|contender| contender.spread()).max();
        let is_full = self.count(Effort::Valued) >= self.settings.compared;
        let may_lead = |contender: &Contender| {
            contender.has_open_lines(Effort::Valued)
                && may_tie(&contender)
                && (!is_full || contender.effort == Effort::Valued)
                && (!self.settings.prune || best_spread.is_none_or(|best| contender.spread() + CLEARLY_LESS * ways > best))
        };
        if tied.len() < 2 || self.is_spent() {
            return None;
        }
        let order = |number: &usize| (std::cmp::Reverse(self.contenders[*number].spread()), *number);
        (0..self.contenders.len()).filter(|&number| may_lead(&self.contenders[number])).min_by_key(order)
    }

    fn best_of(&self, may_lead: impl Fn(&Contender) -> bool) -> Option<usize> {
        if self.is_spent() {
            return None;
        }
        let numbers = (0..self.contenders.len()).filter(|&number| may_lead(&self.contenders[number]));
        numbers.min_by_key(|&number| self.contenders[number].rank())
    }

    /// Searches some endgames of a candidate.
    fn search_some(&mut self, number: usize, effort: Effort) {
        let contender = &self.contenders[number];
        let (lines, chosen) = (&contender.lines, contender.chosen.chosen);
        let mut open = contender.open_lines(effort);
        open.truncate(BATCH.max(lines.len().div_ceil(BATCHES)));
        let (scene, nodes) = (self.scene, self.settings.endgame_nodes);
        let found: Vec<Found> =
            share_out(self.workers, &open, |worker, &at| worker.search(scene, &chosen, &lines[at], effort, nodes));
        let contender = &mut self.contenders[number];
        contender.effort = contender.effort.max(effort);
        for (&at, found) in open.iter().zip(&found) {
            contender.lines[at].learn(found, effort);
            self.spent.nodes += found.nodes;
            self.spent.endgames += 1;
        }
    }
}

/// Does jobs with as many workers as there are; the results come in the order of the jobs.
pub(super) fn share_out<'a, J: Sync, R: Send>(
    workers: &mut [Worker<'a>],
    jobs: &[J],
    work: impl Fn(&mut Worker<'a>, &J) -> R + Sync,
) -> Vec<R> {
    if let [worker] = workers {
        return jobs.iter().map(|job| work(worker, job)).collect();
    }
    let next = AtomicUsize::new(0);
    let take = |worker: &mut Worker<'a>| {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let mine = numbers.take_while(|&number| number < jobs.len());
        mine.map(|number| (number, work(worker, &jobs[number]))).collect::<Vec<_>>()
    };
    let mut results: Vec<(usize, R)> = workers.par_iter_mut().flat_map_iter(take).collect();
    results.sort_unstable_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}
