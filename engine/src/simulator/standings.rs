//! The standings of a simulation.

use super::contest::Contest;
use super::merging::Candidate;
use super::settings::PlayoutResult;

/// Sums over the playouts of a candidate, as integers, so that their order does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    playouts: u64,
    win_probabilities: Sums,
    gains: Sums,
    next_bingos: [u64; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    sum: i64,
    squares: i128,
}

impl Sums {
    fn add(&mut self, value: i64) {
        self.sum += value;
        self.squares += i128::from(value).pow(2);
    }

    /// The mean of sums over `count` playouts, in units of `unit`.
    fn measured(&self, count: u64, unit: f64) -> Mean {
        let count = count.max(1) as f64;
        let mean = self.sum as f64 / count;
        let variance = (self.squares as f64 / count - mean * mean).max(0.0) / (count - 1.0).max(1.0);
        Mean { mean: mean / unit, error: variance.sqrt() / unit }
    }
}

impl Tally {
    pub(super) fn add(&mut self, reached: &PlayoutResult) {
        self.playouts += 1;
        self.win_probabilities.add(reached.win_probability);
        self.gains.add(i64::from(reached.gain.0));
        for (count, bingo) in self.next_bingos.iter_mut().zip(reached.next_bingos) {
            *count += u64::from(bingo);
        }
    }
}

/// A mean over playouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error, as if all deals were independent.
    pub error: f64,
}

/// The reason why a simulation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// All iterations are done.
    Iterations,
    /// Only one candidate is left.
    Confident,
    /// Nothing is hidden, so one iteration is enough.
    Certain,
    /// The time is up.
    Time,
    /// The monitor stopped it.
    Stopped,
}

/// The standing of a candidate, from the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The move, with its equivalent moves.
    pub candidate: Candidate,
    /// Deals that it was tried on.
    pub iterations: u64,
    /// The win probability, 0–1. A draw counts half.
    pub win: Mean,
    /// The change of the spread in points, with the values of both leaves unless the game ends.
    pub gain: Mean,
    /// The bingo rates of the player to move and of the opponent at their next turns, 0–1.
    pub bingos: [f64; 2],
    /// Whether it gets no more deals, unless the leader falls back.
    pub is_beaten: bool,
    /// With a prior, how far it is behind the best candidate by posterior means, in points, or 0 for the best one.
    pub behind: Option<Mean>,
}

/// All candidates, the best first. Without a prior, those that dropped out come last, in reverse order of dropping out.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationResult {
    /// The candidates in order.
    pub standings: Vec<Standing>,
    /// Deals so far.
    pub iterations: u64,
    /// Playouts so far, over all candidates.
    pub playouts: u64,
    /// The reason why the simulation stopped, if it has.
    pub ended: Option<EndReason>,
}

impl SimulationResult {
    pub(super) fn new(
        candidates: &[Candidate],
        tallies: &[Tally],
        contest: &Contest,
        iterations: u64,
        ended: Option<EndReason>,
    ) -> SimulationResult {
        let playouts: Vec<u64> = tallies.iter().map(|tally| tally.playouts).collect();
        let order = contest.order(&playouts);
        let standing = |&candidate: &usize| {
            let Tally { playouts, win_probabilities, gains, next_bingos } = &tallies[candidate];
            Standing {
                candidate: candidates[candidate].clone(),
                iterations: *playouts,
                win: win_probabilities.measured(*playouts, 1e9),
                gain: gains.measured(*playouts, 1e3),
                bingos: next_bingos.map(|bingos| bingos as f64 / (*playouts).max(1) as f64),
                is_beaten: !contest.running().contains(&candidate),
                behind: contest.behind(candidate).map(|(mean, error)| Mean { mean, error }),
            }
        };
        let standings = order.iter().map(standing).collect();
        SimulationResult { standings, iterations, playouts: playouts.iter().sum(), ended }
    }

    /// The best candidate, if there is one.
    pub fn best(&self) -> Option<&Standing> {
        self.standings.first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_and_its_error_are_as_worked_by_hand() {
        let mut sums = Sums::default();
        for value in [1000, 2000, 3000, 6000] {
            sums.add(value);
        }
        // Mean 3, and squares of 4, 1, 0 and 9 about it: the variance of the mean is 14 / 3 / 4.
        let Mean { mean, error } = sums.measured(4, 1e3);
        assert!((mean - 3.0).abs() < 1e-12 && (error - (14.0f64 / 12.0).sqrt()).abs() < 1e-12, "{mean} {error}");
        let mut once = Sums::default();
        once.add(5000);
        assert_eq!(once.measured(1, 1e3), Mean { mean: 5.0, error: 0.0 });
    }
}
