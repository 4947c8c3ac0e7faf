//! The contest between candidates: which of them the next deals are spent on.
//!
//! The race between candidates: best-arm identification on paired differences.
//!
//! After every round of iterations, the candidate with the highest mean utility leads, and every other candidate is compared with it
//! on the deals that both were tried on. A candidate whose mean is behind by more than
//!
//! ```text
//! s · √(2 · ln((K − 1) · c · (c + 1) / 2δ) / n)
//! ```
//!
//! is beaten and gets no more iterations. Here s is the standard deviation of the n paired differences, K the number of candidates, c
//! the number of this check, and δ is 1 − confidence. A normal variable exceeds z standard deviations with probability at most
//! exp(−z²/2) / 2, so one check drops the best candidate in favour of a given rival with probability at most
//! δ / ((K − 1) · c · (c + 1)). Over all rivals and any number of checks this sums to at most δ. The mean difference is assumed to be
//! normal, so the first check waits for a full round. The bound exceeds the true tail, which compensates for the estimated s.

use std::cmp::Reverse;

use super::merging::Candidate;
use super::posterior::Posterior;
use super::settings::{PlayoutResult, Settings, Utility};
use crate::evaluator::Prior;

/// The candidates that are tried beside the leader: those that are expected to exceed it the most.
const CHALLENGERS: usize = 3;

/// The rule of a contest, and its state.
pub(super) enum Contest {
    /// Playouts alone count: a candidate that is beaten drops out.
    Race { race: Race, utility: Utility, is_open: bool },
    /// The ranker counts too. The leader and a few challengers go on, until no challenger is expected to exceed the leader by
    /// `least_excess`, in utility.
    Posterior { posterior: Posterior, running: Vec<usize>, least_excess: f64, is_decided: bool },
}

impl Contest {
    /// Begins with all candidates or, with a prior, with the leader and its challengers. `even_slope` is the utility of a point with an
    /// even score.
    pub(super) fn new(settings: &Settings, prior: Option<Prior>, even_slope: f64, candidates: &[Candidate]) -> Contest {
        let &Settings { utility, confidence, .. } = settings;
        let least_excess = settings.least_excess * even_slope;
        let Some(prior) = prior else {
            let race = Race::new(candidates.len(), confidence);
            return Contest::Race { race, utility, is_open: confidence >= 1.0 };
        };
        let equities = candidates.iter().map(|candidate| candidate.valued.reported_equity());
        let posterior = Posterior::new(prior, utility, even_slope, equities);
        let mut contest = Contest::Posterior { posterior, running: Vec::new(), least_excess, is_decided: false };
        contest.check();
        contest
    }

    /// Whether more deals would not change the choice, or hardly.
    pub(super) fn is_decided(&self) -> bool {
        match self {
            Contest::Race { race, is_open, .. } => race.running().len() == 1 && !is_open,
            Contest::Posterior { is_decided, .. } => *is_decided,
        }
    }

    /// The candidates that the next deals are spent on, in order.
    pub(super) fn running(&self) -> &[usize] {
        match self {
            Contest::Race { race, .. } => race.running(),
            Contest::Posterior { running, .. } => running,
        }
    }

    /// The number of deals until the next check.
    pub(super) fn round(&self, done: u64) -> u64 {
        // The number of deals of the first rounds, and the part of the deals so far that later rounds last.
        let (first, share) = match self {
            Contest::Race { .. } => (32, 8),
            Contest::Posterior { .. } => (4, 8),
        };
        first.max(done / share)
    }

    /// Adds a round: results by deal, in the order of the running candidates.
    pub(super) fn add(&mut self, results: &[Vec<PlayoutResult>]) {
        match self {
            Contest::Race { race, utility, .. } => {
                let running = race.running().to_vec();
                for deal in results {
                    running.iter().zip(deal).for_each(|(&candidate, reached)| race.add(candidate, utility.value(reached)));
                }
            }
            Contest::Posterior { posterior, running, .. } => posterior.add(running, results),
        }
    }

    /// Chooses the candidates that go on.
    pub(super) fn check(&mut self) {
        match self {
            Contest::Race { race, .. } => race.check(),
            Contest::Posterior { posterior, running, least_excess, is_decided } => {
                let Some(leader) = posterior.leader() else { return };
                let challengers = posterior.challengers(leader, CHALLENGERS);
                *is_decided = challengers.first().map_or(0.0, |first| first.1) * posterior.slope < *least_excess;
                *running = challengers.iter().map(|challenger| challenger.0).chain([leader]).collect();
                running.sort_unstable();
            }
        }
    }

    /// With a prior, how far a candidate is behind the best one, in points, and the standard error of that.
    pub(super) fn behind(&self, candidate: usize) -> Option<(f64, f64)> {
        match self {
            Contest::Race { .. } => None,
            Contest::Posterior { posterior, .. } => Some(posterior.behind(candidate)),
        }
    }

    /// All candidates, the best first. In a race, those that dropped out come last, in reverse order of dropping out, because those
    /// with fewer deals cannot be compared by mean.
    pub(super) fn order(&self, playouts: &[u64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..playouts.len()).collect();
        match self {
            Contest::Race { race, .. } => order.sort_by(|&a, &b| {
                let of = |candidate: usize| (!race.running().contains(&candidate), Reverse(playouts[candidate]));
                of(a).cmp(&of(b)).then_with(|| race.mean(b).total_cmp(&race.mean(a)))
            }),
            Contest::Posterior { posterior, .. } => {
                let mean = |candidate: usize| posterior.estimates[candidate].mean;
                order.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
            }
        }
        order
    }
}

/// The utilities of one candidate, by iteration.
type Utilities = Vec<i64>;

/// A race between candidates.
#[derive(Clone, Debug)]
pub(super) struct Race {
    /// 1 − confidence. 0 drops nothing.
    doubt: f64,
    utilities: Vec<Utilities>,
    /// Numbers of the candidates that are not beaten, in order.
    running: Vec<usize>,
    checks: u32,
}

impl Race {
    /// Creates a race between `candidates` candidates. At a confidence of 1 none drops out.
    pub(super) fn new(candidates: usize, confidence: f64) -> Race {
        Race {
            doubt: 1.0 - confidence,
            utilities: vec![Vec::new(); candidates],
            running: (0..candidates).collect(),
            checks: 0,
        }
    }

    pub(super) fn running(&self) -> &[usize] {
        &self.running
    }

    /// Adds the utility of a candidate on the next deal.
    pub(super) fn add(&mut self, candidate: usize, utility: i64) {
        self.utilities[candidate].push(utility);
    }

    /// The mean utility of a candidate over its deals.
    pub(super) fn mean(&self, candidate: usize) -> f64 {
        let utilities = &self.utilities[candidate];
        utilities.iter().sum::<i64>() as f64 / utilities.len().max(1) as f64
    }

    /// Drops the candidates that the leader beats. All candidates still in the race have been tried on the same deals.
    pub(super) fn check(&mut self) {
        if self.doubt <= 0.0 {
            return;
        }
        self.checks += 1;
        let total = |candidate: usize| self.utilities[candidate].iter().sum::<i64>();
        // The first of equals leads.
        let Some(leader) = self.running.iter().copied().rev().max_by_key(|&candidate| total(candidate)) else { return };
        let rivals = (self.utilities.len() - 1).max(1) as f64;
        let checks = f64::from(self.checks);
        let squared_errors = 2.0 * (rivals * checks * (checks + 1.0) / (2.0 * self.doubt)).ln();
        let Race { utilities, running, .. } = self;
        running.retain(|&candidate| !is_beaten(&utilities[leader], &utilities[candidate], squared_errors));
    }
}

/// Whether the second is behind the first by more than the square root of `squared_errors` standard errors of their difference.
fn is_beaten(leader: &Utilities, other: &Utilities, squared_errors: f64) -> bool {
    let (mut sum, mut squares) = (0i128, 0i128);
    for (ahead, behind) in leader.iter().zip(other) {
        let difference = i128::from(ahead - behind);
        sum += difference;
        squares += difference * difference;
    }
    let count = leader.len() as f64;
    let mean = sum as f64 / count;
    let variance = (squares as f64 / count - mean * mean).max(0.0) * count / (count - 1.0).max(1.0);
    mean > 0.0 && mean * mean > squared_errors * variance / count
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt};

    use super::*;
    use crate::rng::stream;

    const ROUND: usize = 32;
    const ROUNDS: usize = 20;

    /// Runs a race whose candidate 0 is the best and tells whether it was dropped, and how many were left at the end.
    fn run(confidence: f64, candidates: usize, mut draw: impl FnMut(usize) -> i64) -> (bool, usize) {
        let mut race = Race::new(candidates, confidence);
        for _ in 0..ROUNDS {
            for _ in 0..ROUND {
                for &candidate in &race.running().to_vec() {
                    let utility = draw(candidate);
                    race.add(candidate, utility);
                }
            }
            race.check();
        }
        (!race.running().contains(&0), race.running().len())
    }

    fn normal(stream: &mut impl Rng) -> f64 {
        (0..12).map(|_| stream.random::<f64>()).sum::<f64>() - 6.0
    }

    #[test]
    fn the_best_is_dropped_no_more_often_than_stated() {
        // Hard cases: nearly as good, with spreads of their own, and wins or losses of unequal odds.
        for (index, confidence) in [(0, 0.9), (1, 0.99)] {
            let mut draws = stream(11, "test", index);
            let races = 1500;
            let normals = (0..races).filter(|_| {
                run(confidence, 8, |candidate| {
                    (1e6 * normal(&mut draws) * (1.0 + candidate as f64 / 4.0)) as i64 - 1000 * i64::from(candidate > 0)
                })
                .0
            });
            let wrong = normals.count();
            assert!(wrong as f64 <= (1.0 - confidence) * f64::from(races), "{wrong} at {confidence}");
            let coins = (0..races).filter(|_| {
                run(confidence, 8, |candidate| {
                    let chance = if candidate == 0 { 0.105 } else { 0.1 };
                    i64::from(draws.random::<f64>() < chance) * 1_000_000
                })
                .0
            });
            let wrong = coins.count();
            assert!(wrong as f64 <= (1.0 - confidence) * f64::from(races), "{wrong} coins at {confidence}");
        }
    }

    #[test]
    fn clear_losers_are_dropped_and_equals_stay() {
        let mut draws = stream(12, "test", 0);
        // Candidates 2 and 3 lie a standard deviation behind; 0 and 1 are the same on every deal.
        let mut deal = 0.0;
        let (dropped, left) = run(0.99, 4, |candidate| {
            if candidate == 0 {
                deal = normal(&mut draws);
            }
            match candidate {
                0 | 1 => (1e6 * deal) as i64,
                _ => (1e6 * (normal(&mut draws) - 1.0)) as i64,
            }
        });
        assert_eq!((dropped, left), (false, 2));
    }

    #[test]
    fn at_confidence_1_nothing_is_dropped() {
        assert_eq!(run(1.0, 3, |candidate| -(candidate as i64)), (false, 3));
        assert_eq!(run(0.9, 3, |candidate| -(candidate as i64)), (false, 1));
    }

    #[test]
    fn a_candidate_is_beaten_just_beyond_its_bound() {
        // Differences 2, 4, 6, 8: mean 5 with a squared error of 20 / 3 / 4, so 5² is 15 squared errors.
        let (leader, other) = (vec![12, 4, 16, 28], vec![10, 0, 10, 20]);
        assert!(is_beaten(&leader, &other, 14.9) && !is_beaten(&leader, &other, 15.1));
        assert!(!is_beaten(&other, &leader, 14.9), "the other is ahead");
    }
}
