//! Rules that share playouts among candidates. All choose by the posterior mean.

use rand::RngExt;
use tilewright_engine::evaluator::Prior;
use tilewright_engine::rng::{Stream, stream};
use tilewright_engine::simulator::Utility;
use tilewright_engine::simulator::posterior::Posterior;

use super::sample::Sample;

/// A rule.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// All candidates, always.
    Equal,
    /// All that have at least this chance to be better than the leader.
    Race { least_chance: f64 },
    /// Sequential halving (Karnin, Koren and Somekh, 2013): equal budgets for the whole field, its better half, and so on.
    Halving,
    /// The four candidates furthest behind their share by optimal computing budget allocation (Chen and others, 2000).
    Ocba,
    /// The leader and up to three candidates that lead a draw from the posterior (Russo, 2020).
    TopTwo,
    /// The leader and those that are expected to exceed it the most.
    Challengers { count: usize },
}

/// When a rule stops.
pub struct Limits {
    /// The most playouts.
    pub playouts: usize,
    /// No candidate is expected to exceed the leader by as much, in points.
    pub excess: f64,
}

/// What a point is taken to add to the win probability before playouts say it, in billionths.
const SLOPE: f64 = 7e6;
/// Candidates of a round of OCBA and of Thompson sampling.
const FEW: usize = 4;
/// Draws of Thompson sampling for one round.
const DRAWS: usize = 30;

/// Returns the choice of a rule, and its playouts.
pub fn choose(rule: &Rule, limits: &Limits, sample: &Sample, prior: Prior) -> (usize, usize) {
    let mut run = Run::new(sample, prior);
    loop {
        let leader = run.posterior.leader().expect("there are candidates");
        let excess = run.posterior.challengers(leader, 1).first().map_or(0.0, |first| first.1);
        if excess <= limits.excess || run.spent >= limits.playouts {
            return (leader, run.spent);
        }
        let (running, deals) = run.next(rule, limits, leader);
        let deals = deals.min((limits.playouts - run.spent) / running.len()).min(sample.deals.len() - run.deal);
        if deals == 0 || running.len() == 1 {
            return (leader, run.spent);
        }
        run.play(running, deals);
    }
}

/// The state of a position.
struct Run<'a> {
    sample: &'a Sample,
    posterior: Posterior,
    running: Vec<usize>,
    /// Playouts by candidate, and in all.
    counts: Vec<usize>,
    spent: usize,
    deal: usize,
    draws: Stream,
}

impl<'a> Run<'a> {
    fn new(sample: &'a Sample, prior: Prior) -> Run<'a> {
        let posterior = Posterior::new(prior, Utility::Win, SLOPE, sample.equities.iter().copied());
        let count = sample.equities.len();
        let draws = stream(1, "allocation", sample.deals.len() as u64);
        Run { sample, posterior, running: (0..count).collect(), counts: vec![0; count], spent: 0, deal: 0, draws }
    }

    fn play(&mut self, running: Vec<usize>, deals: usize) {
        let seen = &self.sample.deals[self.deal..][..deals];
        let results: Vec<_> = seen.iter().map(|deal| running.iter().map(|&number| deal[number]).collect()).collect();
        self.posterior.add(&running, &results);
        for &number in &running {
            self.counts[number] += deals;
        }
        self.spent += deals * running.len();
        self.deal += deals;
        self.running = running;
    }

    /// The candidates of the next round and its deals.
    fn next(&mut self, rule: &Rule, limits: &Limits, leader: usize) -> (Vec<usize>, usize) {
        let count = self.counts.len();
        let few = 4.max(self.deal / 8);
        match *rule {
            Rule::Equal => ((0..count).collect(), few),
            Rule::Race { least_chance } => {
                let has_chance = |&number: &usize| number == leader || self.posterior.chance(number, leader) >= least_chance;
                ((0..count).filter(has_chance).collect(), few)
            }
            Rule::Halving => {
                let rounds = (count as f64).log2().ceil().max(1.0);
                let mut running = self.running.clone();
                if self.spent > 0 {
                    running.sort_by(|&a, &b| self.mean(b).total_cmp(&self.mean(a)));
                    running.truncate(running.len().div_ceil(2).max(2));
                    running.sort_unstable();
                }
                let deals = (limits.playouts as f64 / rounds / running.len() as f64) as usize;
                (running, deals.max(1))
            }
            Rule::Ocba => (self.ocba(leader), few),
            Rule::TopTwo => (self.top_two(leader), few),
            Rule::Challengers { count } => (self.challengers(leader, count), few),
        }
    }

    fn mean(&self, number: usize) -> f64 {
        self.posterior.estimates()[number].mean
    }

    fn ocba(&self, leader: usize) -> Vec<usize> {
        let behind = |number: usize| (self.mean(leader) - self.mean(number)) / self.posterior.slope();
        let mut weights: Vec<f64> = (0..self.counts.len()).map(|number| 1.0 / behind(number).powi(2).max(0.25)).collect();
        weights[leader] = 0.0;
        weights[leader] = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
        let sum: f64 = weights.iter().sum();
        let total = (self.spent + FEW * FEW) as f64;
        let missing = |number: usize| weights[number] / sum * total - self.counts[number] as f64;
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        order.sort_by(|&a, &b| missing(b).total_cmp(&missing(a)));
        order.truncate(FEW);
        order.sort_unstable();
        order
    }

    fn top_two(&mut self, leader: usize) -> Vec<usize> {
        let mut running = vec![leader];
        for _ in 0..DRAWS {
            let mut best = (f64::MIN, leader);
            for (number, estimate) in self.posterior.estimates().iter().enumerate() {
                let uniform: f64 = (0..12).map(|_| self.draws.random::<f64>()).sum();
                let value = estimate.mean + (uniform - 6.0) * estimate.variance.sqrt();
                best = if value > best.0 { (value, number) } else { best };
            }
            if !running.contains(&best.1) && running.len() < FEW {
                running.push(best.1);
            }
        }
        running.sort_unstable();
        running
    }

    fn challengers(&self, leader: usize, count: usize) -> Vec<usize> {
        let challengers = self.posterior.challengers(leader, count);
        let mut running: Vec<usize> = challengers.into_iter().map(|challenger| challenger.0).chain([leader]).collect();
        running.sort_unstable();
        running
    }
}
