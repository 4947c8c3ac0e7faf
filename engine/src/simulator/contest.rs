//! The contest between candidates: which of them the next deals are spent on.

use std::cmp::Reverse;

use super::merging::Candidate;
use super::playout_result::PlayoutResult;
use super::posterior::Posterior;
use super::race::Race;
use super::settings::{Settings, Utility};
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
