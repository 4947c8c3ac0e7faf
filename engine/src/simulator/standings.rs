//! What a simulation has found so far.

use super::merging::Candidate;
use super::playout_result::PlayoutResult;
use super::race::Race;

/// Sums over the playouts of a candidate; integers, so that their order does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    playouts: u64,
    chances: Sums,
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

    /// The mean of so many values in units of so many.
    fn measured(&self, count: u64, unit: f64) -> Measured {
        let count = count.max(1) as f64;
        let mean = self.sum as f64 / count;
        let variance = (self.squares as f64 / count - mean * mean).max(0.0) / (count - 1.0).max(1.0);
        Measured { mean: mean / unit, error: variance.sqrt() / unit }
    }
}

impl Tally {
    pub(super) fn add(&mut self, reached: &PlayoutResult) {
        self.playouts += 1;
        self.chances.add(reached.chance);
        self.gains.add(i64::from(reached.gain.0));
        for (count, bingo) in self.next_bingos.iter_mut().zip(reached.next_bingos) {
            *count += u64::from(bingo);
        }
    }
}

/// A mean over playouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The mean.
    pub mean: f64,
    /// Its standard error, as if every deal were drawn for itself.
    pub error: f64,
}

/// Why a simulation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All iterations are done.
    Iterations,
    /// One candidate is left.
    Confident,
    /// Nothing is hidden, so one iteration is enough.
    Certain,
    /// The time is up.
    Time,
    /// The monitor stopped it.
    Stopped,
}

/// How a candidate stands, from the view of the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The move, and those that cannot differ from it.
    pub candidate: Candidate,
    /// Deals that it was tried on.
    pub iterations: u64,
    /// The chance to win, 0–1, a draw being half a win.
    pub win: Measured,
    /// Points by which the lead grows, with the values of both leaves unless the game ends.
    pub gain: Measured,
    /// How often the player to move, and the other, play a full rack at their next turns, 0–1.
    pub bingos: [f64; 2],
    /// Whether it was dropped as beaten.
    pub is_beaten: bool,
}

/// All candidates, the best first; those that were dropped stand last, the last dropped first.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// In order.
    pub standings: Vec<Standing>,
    /// Deals so far.
    pub iterations: u64,
    /// Playouts so far: what each candidate was tried on, together.
    pub playouts: u64,
    /// Why the simulation stopped, if it has.
    pub ended: Option<Ended>,
}

impl Simulated {
    pub(super) fn new(
        candidates: &[Candidate],
        tallies: &[Tally],
        race: &Race,
        iterations: u64,
        ended: Option<Ended>,
    ) -> Simulated {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        // A beaten one was tried on fewer deals, so the means compare only among those that were dropped together.
        let is_beaten = |candidate: usize| !race.running().contains(&candidate);
        order.sort_by(|&a, &b| {
            let of = |candidate: usize| (is_beaten(candidate), std::cmp::Reverse(tallies[candidate].playouts));
            of(a).cmp(&of(b)).then_with(|| race.mean(b).total_cmp(&race.mean(a))).then(a.cmp(&b))
        });
        let standing = |&candidate: &usize| {
            let Tally { playouts, chances, gains, next_bingos } = &tallies[candidate];
            Standing {
                candidate: candidates[candidate].clone(),
                iterations: *playouts,
                win: chances.measured(*playouts, 1e9),
                gain: gains.measured(*playouts, 1e3),
                bingos: next_bingos.map(|bingos| bingos as f64 / (*playouts).max(1) as f64),
                is_beaten: is_beaten(candidate),
            }
        };
        let playouts = tallies.iter().map(|tally| tally.playouts).sum();
        Simulated { standings: order.iter().map(standing).collect(), iterations, playouts, ended }
    }

    /// The best candidate; `None` if there was none.
    pub fn best(&self) -> Option<&Standing> {
        self.standings.first()
    }
}
