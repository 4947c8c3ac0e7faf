//! Inference: the equity of moves by a network.

use std::sync::Arc;

use super::last_turns::{MOST_IN_BAG, count_ends, ends};
use super::weights::{BadNetwork, NetworkSettings, NetworkWeights};
use crate::equity::Equity;
use crate::evaluator::linear::{Linear, Weights, varies_by_move};
use crate::evaluator::{Evaluator, Prior};
use crate::features::{Feature, Inputs};
use crate::leave::{LeaveData, leftover};
use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::setup::Setup;
use crate::turn::Turn;

/// Points beyond which an equity is cut off.
const MAX_POINTS: f64 = 100_000.0;

/// Values moves by a network.
#[derive(Clone, Debug)]
pub struct Network {
    inputs: Arc<Inputs>,
    skip: Linear,
    weights: Arc<NetworkWeights>,
}

impl Network {
    /// The evaluator of these weights. Some features need the leave table `leaves`.
    ///
    /// # Errors
    /// [`BadNetwork`].
    pub fn new(weights: NetworkWeights, setup: &Setup, leaves: Option<LeaveData>) -> Result<Network, BadNetwork> {
        let NetworkSettings { features, extra_inputs, .. } = &weights.settings;
        let inputs = Inputs::new(features, extra_inputs, setup, leaves)?;
        Network::from_inputs(weights, Arc::new(inputs))
    }

    /// The evaluator of these weights on prepared inputs: the inputs of its settings, in their order. Several networks can
    /// share them. It takes about a second to prepare inputs that count replies.
    ///
    /// # Errors
    /// [`BadNetwork`].
    pub fn from_inputs(weights: NetworkWeights, inputs: Arc<Inputs>) -> Result<Network, BadNetwork> {
        weights.check()?;
        if inputs.count() != weights.mean.len() {
            let (found, count) = (weights.mean.len(), inputs.count());
            let reason = format!("mean has {found} values; expected {count}, one for each input with this tile set");
            return Err(BadNetwork::Tensors(reason));
        }
        let skip = Linear::from_features(Arc::clone(&inputs.features), &weights.linear())?;
        Ok(Network { inputs, skip, weights: Arc::new(weights) })
    }

    /// The inputs, for another network with the same settings.
    pub fn inputs(&self) -> &Arc<Inputs> {
        &self.inputs
    }

    /// The equities of some moves of a turn, in points. With an empty bag, they say how the game ends if it is played out. Otherwise their
    /// mean is the mean of the skip connection. With at most [`MOST_IN_BAG`] tiles in the bag they count both.
    ///
    /// # Panics
    /// If board and rack of a hand-made turn in the last turns have more tiles of a kind than the tile set.
    pub fn equities(&self, turn: &Turn<'_>, moves: &[Move]) -> Vec<f64> {
        if turn.bag == 0 {
            return ends(turn, moves).into_iter().map(|end| end.gain.clamp(-MAX_POINTS, MAX_POINTS)).collect();
        }
        let gains = self.weights.gains(&self.inputs.values(turn, moves));
        let equity = |(chosen, gain): (&Move, f32)| f64::from(chosen.score()) + f64::from(gain);
        let mut equities: Vec<f64> = moves.iter().zip(gains).map(equity).collect();
        if turn.bag <= MOST_IN_BAG {
            count_ends(turn, moves, &mut equities);
        }
        equities.into_iter().map(|equity| equity.clamp(-MAX_POINTS, MAX_POINTS)).collect()
    }
}

impl Evaluator for Network {
    fn leave_values(&self, turn: &Turn<'_>, sub_racks: &SubRacks, leave_values: &mut [Equity; MAX_SUB_RACKS]) {
        if turn.bag == 0 {
            return leftover(turn, sub_racks, leave_values);
        }
        self.skip.leave_values(turn, sub_racks, leave_values);
    }

    fn second_look(&self) -> usize {
        self.weights.settings.candidate_moves
    }

    fn prior(&self, bag: usize) -> Prior {
        Prior::of_stage(&self.weights.settings.prior, bag).unwrap_or_else(|| Prior::of_leaves(bag))
    }

    fn add_placed(&self, turn: &Turn<'_>, moves: &mut [ValuedMove]) {
        let best = moves.iter().map(|valued| valued.equity).max().unwrap_or(Equity::ZERO);
        let least = best - Equity::from_fractional_points(self.weights.settings.margin);
        // It costs little to play all of them out.
        let is_close = |valued: &ValuedMove| turn.bag == 0 || valued.equity >= least;
        let (close, far): (Vec<usize>, Vec<usize>) =
            (0..moves.len()).partition(|&number| is_close(&moves[number]) && moves[number].chosen != Move::Pass);
        let chosen: Vec<Move> = close.iter().map(|&number| moves[number].chosen).collect();
        for (&number, equity) in close.iter().zip(self.equities(turn, &chosen)) {
            moves[number].equity = Equity::from_fractional_points(equity);
        }
        // Moves beyond the margin stay behind those that the network has valued, in their order.
        let lowest = close.iter().map(|&number| moves[number].equity).min().unwrap_or(best);
        for number in far {
            let behind = (best - moves[number].equity).max(Equity::ZERO);
            moves[number].equity = if moves[number].equity == Equity::PASS { Equity::PASS } else { lowest - behind };
        }
    }
}

impl NetworkWeights {
    /// The skip connection as the weights of a linear evaluator.
    pub fn linear(&self) -> Weights {
        let skip = self.settings.features.iter().zip(&self.skip).map(|(&feature, &weight)| (feature, f64::from(weight)));
        let moves = skip.filter(|&(feature, _)| varies_by_move(feature));
        Weights { candidates: self.settings.candidate_moves, ..Weights::new(moves.chain([(Feature::Score, 1.0)]).collect()) }
    }
}
