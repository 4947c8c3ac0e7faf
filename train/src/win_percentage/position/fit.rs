//! Trains the network on records, turn by turn.
//!
//! A step takes some turns at random and, for each, leads drawn from those at which the plain network's loss is taken, one from each
//! of so many equal parts of their weight. Whether the turn would have won from such a lead follows from its swing and the drift, as for
//! the tallies. So the mean loss is the plain network's, by position instead of by state.

use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::{Device, Tensor};
use rand::RngExt;
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};
use tilewright_engine::monitor::Monitor;
use tilewright_engine::rng::stream;
use tilewright_engine::win_percentage::{States, TilesLeft};

use super::inputs::Sight;
use super::network::PositionNetwork;
use super::records::{GameRecord, Noted};
use crate::win_percentage::drift::{Drift, drifts};
use crate::win_percentage::fit::{Layers, Leads, likelihoods, share_of_rate, tensor};
use crate::win_percentage::network::{Network, is_even, sigma};
use crate::win_percentage::swings::{SwingTally, Turn};

/// Steps over which a loss is told.
const TOLD_STEPS: usize = 100;

/// How the network is trained on from the plain one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// How many.
    pub steps: usize,
    /// Turns in each.
    pub turns: usize,
    /// Leads at which each turn is judged.
    pub leads: usize,
    /// Adam's learning rate at the beginning; it falls to a hundredth along half a cosine.
    pub learning_rate: f64,
    /// Of what is drawn.
    pub seed: u64,
}

/// What a state's turns share.
struct State {
    left: TilesLeft,
    even: f32,
    sigma: f64,
    drift: Drift,
    /// Leads in points, and the sums of the weights up to each, as shares of all.
    leads: Vec<(i32, f64)>,
}

impl State {
    /// The lead at a place among the weights, 0 to 1.
    fn lead(&self, place: f64) -> i32 {
        let at = self.leads.partition_point(|&(_, sum)| sum < place);
        self.leads[at.min(self.leads.len() - 1)].0
    }

    /// How a turn with this swing ends from a lead, 0 to 1; between whole points it is between their ends, as in the tallies.
    fn won(&self, lead: i32, swing: i32) -> f64 {
        let end = self.drift.worth(f64::from(lead)) + f64::from(swing);
        f64::midpoint(end, 1.0).clamp(0.0, 1.0)
    }
}

fn states_of(states: States, tally: &SwingTally, variance_of_tile: f64) -> Vec<State> {
    let drifts = drifts(states, tally);
    let of = |((left, tally), drift)| {
        let sigma = sigma(variance_of_tile, left);
        let weighed = Leads::of(tally, sigma);
        let all: f64 = weighed.iter().map(|(_, weight)| weight).sum();
        let mut sum = 0.0;
        let leads = weighed.iter().map(|(lead, weight)| {
            sum += weight / all.max(f64::MIN_POSITIVE);
            (lead, sum)
        });
        State { left, even: f32::from(u8::from(is_even(states, left))), sigma, drift, leads: leads.collect() }
    };
    states.all().zip(&tally.states).zip(drifts).map(of).collect()
}

/// A turn of a step and the leads, in points, at which it is judged.
struct Judged<'a> {
    turn: &'a Turn<Noted>,
    leads: Vec<i32>,
}

/// The turns of a step: a function of its number.
fn draw<'a>(turns: &[&'a Turn<Noted>], states: &[State], steps: &Steps, step: usize) -> Vec<Judged<'a>> {
    let mut draws = stream(steps.seed, "win percentage positions", step as u64);
    let mut judged = || {
        let turn = turns[draws.random_range(0..turns.len())];
        let mut place = |part: usize| (part as f64 + draws.random::<f64>()) / steps.leads as f64;
        let leads = (0..steps.leads).map(|part| states[turn.noted.state as usize].lead(place(part))).collect();
        Judged { turn, leads }
    };
    (0..steps.turns).map(|_| judged()).collect()
}

/// A step as tensors take it.
struct Batch {
    /// By turn, then by input.
    told: Tensor<2>,
    /// By turn.
    even: Tensor<2>,
    /// By turn and lead, in σ.
    leads: Tensor<2>,
    /// By turn and lead.
    wins: Tensor<2>,
}

impl Batch {
    fn of(drawn: &[Judged<'_>], states: &[State], numbers: States, sight: &Sight, device: &Device) -> Batch {
        let [mut told, mut even, mut leads, mut wins] = [const { Vec::new() }; 4];
        for Judged { turn, leads: judged } in drawn {
            let state = &states[turn.noted.state as usize];
            told.extend(sight.told(numbers, state.left, &turn.noted.seen));
            even.push(state.even);
            leads.extend(judged.iter().map(|&lead| (f64::from(lead) / state.sigma) as f32));
            wins.extend(judged.iter().map(|&lead| state.won(lead, turn.swing) as f32));
        }
        let of = |values: Vec<f32>| {
            let columns = values.len() / drawn.len();
            tensor(values, drawn.len(), columns, device)
        };
        Batch { told: of(told), even: of(even), leads: of(leads), wins: of(wins) }
    }
}

/// The network that the plain one of the same games becomes, and the mean loss in nats over every hundred steps; `None` if it was
/// stopped.
pub fn fit(
    plain: &Network,
    sight: &Sight,
    records: &[GameRecord],
    tally: &SwingTally,
    steps: &Steps,
    monitor: &dyn Monitor,
) -> Option<(PositionNetwork, Vec<f64>)> {
    // One thread: sums that are split among threads would depend on their number.
    let alone = ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    alone.install(|| descend(plain, sight, records, tally, steps, monitor))
}

fn descend(
    plain: &Network,
    sight: &Sight,
    records: &[GameRecord],
    tally: &SwingTally,
    steps: &Steps,
    monitor: &dyn Monitor,
) -> Option<(PositionNetwork, Vec<f64>)> {
    let device = Device::flex().autodiff();
    let numbers = plain.states();
    let states = states_of(numbers, tally, plain.variance_of_tile);
    let turns: Vec<&Turn<Noted>> = records.iter().flatten().collect();
    let mut layers = Layers::of_network(plain, sight.more(), &device);
    let mut optimizer = AdamConfig::new().with_epsilon(1e-8).init();
    let (mut losses, mut sum) = (Vec::new(), 0.0);
    for step in 0..steps.steps {
        if monitor.is_stopped() {
            return None;
        }
        let Batch { told, even, leads, wins } =
            Batch::of(&draw(&turns, &states, steps, step), &states, numbers, sight, &device);
        let loss = likelihoods(layers.chances(told, &even, &leads, plain.pairs), &wins).mean().neg();
        sum += f64::from(loss.clone().into_scalar::<f32>());
        if (step + 1) % TOLD_STEPS == 0 || step + 1 == steps.steps {
            losses.push(sum / (step % TOLD_STEPS + 1) as f64);
            sum = 0.0;
        }
        let gradients = GradientsParams::from_grads(loss.backward(), &layers);
        layers = optimizer.step(steps.learning_rate * share_of_rate(step, steps.steps), layers, gradients);
        monitor.advance(1);
    }
    let network = layers.network(numbers, plain.pairs, plain.variance_of_tile);
    Some((PositionNetwork { sight: sight.clone(), network }, losses))
}

/// The largest difference between the chances of the trainer's tensors and plain arithmetic: of the plain network against the tensors
/// that begin as it, and of a network after some steps against its own tensors.
#[cfg(test)]
pub(super) fn parity(plain: &Network, sight: &Sight, records: &[GameRecord], tally: &SwingTally) -> f64 {
    let device = Device::flex().autodiff();
    let numbers = plain.states();
    let states = states_of(numbers, tally, plain.variance_of_tile);
    let turns: Vec<&Turn<Noted>> = records.iter().flatten().collect();
    let steps = Steps { steps: 15, turns: 64, leads: 5, learning_rate: 0.05, seed: 1 };
    let drawn = draw(&turns, &states, &steps, 0);
    let gap = |network: &Network, more: usize, chance: &dyn Fn(&Turn<Noted>, f64) -> f64| {
        let Batch { told, even, leads, .. } = Batch::of(&drawn, &states, numbers, sight, &device);
        let layers = Layers::of_network(network, more, &device);
        let found: Vec<f32> = layers.chances(told, &even, &leads, network.pairs).into_data().iter::<f32>().collect();
        let asked = drawn.iter().flat_map(|judged| judged.leads.iter().map(|&lead| chance(judged.turn, f64::from(lead))));
        asked.zip(found).map(|(asked, found)| (asked - f64::from(found)).abs()).fold(0.0, f64::max)
    };
    let left = |turn: &Turn<Noted>| numbers.tiles_left(turn.noted.state as usize);
    let begun = gap(plain, sight.more(), &|turn, lead| plain.chance(left(turn), lead));
    let Some((network, _)) = descend(plain, sight, records, tally, &steps, &tilewright_engine::monitor::Unwatched) else {
        return f64::NAN;
    };
    let trained = gap(&network.network, 0, &|turn, lead| network.chance(left(turn), &turn.noted.seen, lead));
    begun.max(trained)
}
