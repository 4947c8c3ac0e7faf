//! The run of a network, and its start: a network, or only the shape of a network.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::Network;
use tilewright_engine::evaluator::linear::varies_by_move;
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::evaluator::network::load::LoadedNetwork;
use tilewright_engine::features::{FeatureError, Inputs};
use tilewright_engine::turn::Turn;
use tilewright_engine::{LeaveData, Move, Setup, StaticPlayer, TileSet};

use super::super::batches::{Batches, Model, Snapshot};
use super::super::config::{TdConfig, TdNetwork};
use super::super::learner::Equations;
use super::super::terms::Term;
use super::super::trajectory::{Rule, Trajectory};
use super::learner::NetworkLearner;
use super::value::{Observed, STATE_VALUE_NAMES, STATE_VALUE_TERMS, Value, state_value_terms};
use crate::journal::Journal;
use crate::linear::dataset::prior;
use crate::network::shape::{NetworkShape, drawn_layers, standardisation};
use crate::run::RunError;

/// Games by which the state value and the standardisation of a new network are fitted.
const SAMPLE_GAMES: u64 = 500;
/// A run stops when a parameter exceeds this, in points per unit.
const MAX_WEIGHT: f64 = 500.0;

/// A run that trains a network.
pub struct NetworkLearning<'a> {
    /// The network of the config.
    pub network: &'a TdNetwork,
    /// The network or shape that it names, loaded.
    pub start: Start<'a>,
}

/// The result of a run.
pub struct NetworkOutcome {
    /// The network.
    pub network: NetworkWeights,
    /// The network before learning.
    pub start: NetworkWeights,
    /// The errors over time, with the weights of the state value.
    pub snapshots: Vec<Snapshot>,
}

/// The fit to the first games.
#[derive(Serialize, Deserialize)]
struct Sample {
    mean: Vec<f32>,
    scale: Vec<f32>,
    state_value: [f32; STATE_VALUE_TERMS],
}

/// A network that learns.
struct NetworkModel<'a> {
    config: &'a TdConfig,
    network: &'a TdNetwork,
    inputs: Arc<Inputs>,
    start: Value,
}

impl NetworkLearning<'_> {
    /// Learns from games of the network against itself. `journal` is open for the key of the run.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn run(&self, setup: &Setup, config: &TdConfig, journal: &Journal<'_>) -> Result<NetworkOutcome, RunError> {
        let inputs = self.start.inputs(setup)?;
        let start =
            Value { state_value: [0.0; STATE_VALUE_TERMS], network: self.start.network(inputs.count(), config.seed) };
        let mut model = NetworkModel { config, network: self.network, inputs, start };
        let Sample { mean, scale, state_value } = journal.once("sample", "", || self.sample(setup, &model, journal))?;
        let Value { state_value: own_state_value, network: own } = &mut model.start;
        (*own_state_value, own.mean, own.scale) = (state_value, mean, scale);
        let learner = NetworkLearner::new(&model.start);
        let state = Batches { setup, config, model: &model }.run(learner, None, journal)?;
        let learned = model.start.with_parameters(&state.learner.parameters);
        Ok(NetworkOutcome { network: learned.network, start: model.start.network, snapshots: state.snapshots })
    }

    /// Plays games with the network before learning, and fits the state value and the standardisation to them.
    fn sample(&self, setup: &Setup, model: &NetworkModel<'_>, journal: &Journal<'_>) -> Result<Sample, RunError> {
        journal.check_stop()?;
        let (monitor, count) = (journal.monitor(), model.config.games.min(SAMPLE_GAMES));
        monitor.begin("first sample", count, "games");
        let player = model.player(&NetworkLearner::new(&model.start))?;
        let games = Batches { setup, config: model.config, model }.play(&player, 0..count, monitor);
        let mut network = model.start.network.clone();
        if let Start::Nothing(..) = self.start {
            let steps = games.iter().flatten().flat_map(|trajectory| &trajectory.steps);
            let rows = steps.map(|step| step.observed.inputs.as_slice());
            (network.mean, network.scale) = standardisation(&rows, model.inputs.count());
        }
        let state_value = fitted_state_value(&games, &Value { network: network.clone(), ..model.start.clone() });
        Ok(Sample { mean: network.mean, scale: network.scale, state_value })
    }
}

/// The state value that explains best, by least squares, the points that players gained after their moves beyond `value`.
fn fitted_state_value(games: &[[Trajectory<Observed>; 2]], value: &Value) -> [f32; STATE_VALUE_TERMS] {
    let mut equations = Equations::new(STATE_VALUE_TERMS);
    for trajectory in games.iter().flatten() {
        for step in &trajectory.steps {
            let state_value = &step.observed.state_value;
            let terms: Vec<Term> = (0..).zip(state_value).map(|(number, &amount)| Term { number, amount }).collect();
            let points = f64::from(trajectory.final_spread - step.spread) - value.of(&step.observed);
            equations.add(&state_value.map(f64::from), &terms, &[], points);
        }
    }
    let weights = equations.solve();
    std::array::from_fn(|term| weights[term] as f32)
}

impl Model for NetworkModel<'_> {
    type Observed = Observed;
    type Learner = NetworkLearner;

    fn observe(&self, turn: &Turn<'_>, chosen: &Move) -> Observed {
        let mut rows = self.inputs.values(turn, std::slice::from_ref(chosen));
        Observed { state_value: state_value_terms(turn), inputs: rows.remove(0) }
    }

    fn player(&self, learner: &NetworkLearner) -> Result<StaticPlayer, RunError> {
        let network = self.start.with_parameters(&learner.parameters).network;
        Ok(StaticPlayer::new(Network::from_inputs(network, Arc::clone(&self.inputs))?))
    }

    fn learn(&self, learner: &mut NetworkLearner, games: &[[Trajectory<Observed>; 2]], first: u64) -> (f64, u64) {
        let TdConfig { target, lambda, .. } = *self.config;
        let (mut squares, mut count, mut number) = (0.0, 0, first);
        for games in games.chunks(self.network.step_games as usize) {
            let rule = Rule { target, lambda, rate: self.config.rate_after(number) };
            let (sum, differences) = learner.learn(games, &rule, &self.network.learn, &self.start);
            squares += sum;
            count += differences;
            number += games.len() as u64;
        }
        (squares, count)
    }

    fn names(&self) -> Vec<String> {
        STATE_VALUE_NAMES.map(String::from).into()
    }

    fn shown(&self, learner: &NetworkLearner) -> Vec<f64> {
        self.start.with_parameters(&learner.parameters).state_value.map(f64::from).into()
    }

    fn excess(&self, learner: &NetworkLearner) -> Option<String> {
        let (state_value, others) = (self.shown(learner), learner.parameters.iter().skip(1).flatten());
        let largest =
            others.map(|&size| f64::from(size)).chain(state_value).max_by(|one, other| one.abs().total_cmp(&other.abs()))?;
        (largest.is_nan() || largest.abs() > MAX_WEIGHT)
            .then(|| format!("a weight of the network is {largest:.3e} points per standard deviation"))
    }
}

/// The start of a run.
pub enum Start<'a> {
    /// A network.
    Network(Box<LoadedNetwork>),
    /// The shape of a network, and the leave table of its features if they need one.
    Nothing(&'a NetworkShape, Option<LeaveData>),
}

impl Start<'_> {
    /// Its identity in run keys.
    pub fn identity(&self, tileset: &TileSet) -> String {
        match self {
            Start::Network(loaded) => loaded.identity.clone(),
            Start::Nothing(_, leaves) => leaves.as_ref().map(|leaves| leaves.identity(tileset)).unwrap_or_default(),
        }
    }

    /// The leave table that belongs to the network, unless it is the embedded one.
    pub fn own_table(&self) -> Option<&LeaveData> {
        match self {
            Start::Network(loaded) => loaded.own_table(),
            Start::Nothing(shape, leaves) => leaves.as_ref().filter(|_| shape.leaves.is_some()),
        }
    }

    pub(super) fn inputs(&self, setup: &Setup) -> Result<Arc<Inputs>, FeatureError> {
        match self {
            Start::Network(loaded) => Ok(Arc::clone(loaded.evaluator.inputs())),
            Start::Nothing(shape, leaves) => {
                let features: Vec<_> = shape.features.iter().copied().collect();
                Ok(Arc::new(Inputs::new(&features, &shape.extra_inputs, setup, leaves.clone())?))
            }
        }
    }

    /// The network before learning. From nothing, the layers add nothing, and the inputs are not standardised yet. Skip weights of
    /// features of the position are 0: they change no choice, a fit to differences between moves leaves them anywhere, and the value
    /// has a state value instead.
    pub(super) fn network(&self, inputs: usize, seed: u64) -> NetworkWeights {
        match self {
            Start::Network(loaded) => {
                let mut network = loaded.weights.clone();
                for (skip, &feature) in network.skip.iter_mut().zip(&network.settings.features) {
                    *skip = if varies_by_move(feature) { *skip } else { 0.0 };
                }
                network
            }
            Start::Nothing(shape, _) => {
                let settings = shape.settings();
                let skip = settings.features.iter().map(|&feature| prior(feature) as f32).collect();
                let layers = drawn_layers(inputs, &shape.hidden, seed);
                let (mean, scale) = (vec![0.0; inputs], vec![1.0; inputs]);
                NetworkWeights { settings, skip, mean, scale, layers }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::artefact::Loader;

    use super::*;

    /// A network that was fitted to differences between moves may add thousands of points to every move of a turn.
    #[test]
    fn skip_weights_of_the_position_are_dropped_and_no_choice_changes() {
        let setup = Setup::embedded("english").unwrap();
        let mut loaded = LoadedNetwork::embedded(Loader::new(&setup)).unwrap();
        let features = loaded.weights.settings.features.iter();
        for (_, skip) in features.zip(&mut loaded.weights.skip).filter(|(feature, _)| !varies_by_move(**feature)) {
            *skip = 6000.0;
        }
        let start = Start::Network(Box::new(loaded));
        let Start::Network(loaded) = &start else { unreachable!() };
        let network = start.network(loaded.weights.mean.len(), 1);
        let mut dropped = 0;
        for (number, &feature) in network.settings.features.iter().enumerate() {
            let expected = if varies_by_move(feature) { loaded.weights.skip[number] } else { 0.0 };
            assert!(network.skip[number].to_bits() == expected.to_bits(), "{feature:?}");
            dropped += usize::from(loaded.weights.skip[number].to_bits() != expected.to_bits());
        }
        assert!(dropped > 0 && network.linear() == loaded.weights.linear() && network.layers == loaded.weights.layers);
    }
}
