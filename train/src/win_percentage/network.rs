//! The win probability as a small network: a mixture of logistic curves whose components depend on the tiles left.
//!
//! ```text
//! tiles left ─► features ─► tanh ─► tanh ─► shift m, and per component k: weight w_k, centre c_k, width e^(t_k)
//! P(win | lead s) = Σ_k w_k · logistic((s + m·σ − c_k·σ) / (e^(t_k)·σ)),   Σ w_k = 1
//! ```
//!
//! σ is a rough standard deviation of the rest of the game: a constant times the square root of the tiles in the bag and on
//! the larger rack. A mixture of rising curves rises, so the probability is **monotone in the lead by construction**.
//!
//! **Symmetric at even positions by construction.** The probabilities of the two sides always sum to 1, because the side
//! that waits gets the complement.
//! Moreover, while the bag can refill both racks, the two sides differ only by the turn. There the components come in
//! mirrored pairs with equal weights and widths and opposite centres: the turn is worth `m·σ` points, and a lead above −m·σ
//! wins as often as one equally far below it loses. When the bag runs out, the sides differ: the player who goes out scores
//! the other's tiles, and the remaining spreads are skewed (skewness up to 2 with an empty bag), so the components are free.
//!
//! The loss is exact: every remaining spread of a state informs every lead (Maven, Sheppard 2002, section 6.6), corrected for the drift
//! (`remaining_spreads.rs`). So the tallies hold all the data, and every step uses all of them.

use serde::{Deserialize, Serialize};
use tilewright_engine::win_percentage::load::logistic;
use tilewright_engine::win_percentage::{States, TilesLeft, WinPercentage};

/// A layer: outputs are `bias + Σ input · weights[input]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Weights, by input and output.
    pub weights: Vec<Vec<f32>>,
    /// Biases, by output.
    pub bias: Vec<f32>,
}

/// A network, as stored next to its table. Inference is plain f64 arithmetic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Tiles on a full rack.
    pub rack_size: usize,
    /// The most tiles in the bag.
    pub most_bag: usize,
    /// Mirrored pairs of curves.
    pub pairs: usize,
    /// σ² per tile, over the tiles in the bag and on the larger rack plus one, in square points.
    pub variance_of_tile: f64,
    /// Two hidden layers and the output layer.
    pub layers: [Layer; 3],
}

/// A component of the curve of a state, with centre and width in points.
struct Part {
    weight: f64,
    centre: f64,
    width: f64,
}

/// The inputs of a network: the shares of the bag and of the racks, and one input each for the first and the last tiles of
/// the bag and, with an empty bag, for the tiles of either rack, because each tile matters there.
pub fn features(states: States, left: TilesLeft) -> Vec<f32> {
    let (rack_size, most_bag) = (states.rack_size, states.most_bag.max(1));
    let TilesLeft { bag, own, other } = left;
    let share = bag as f32 / most_bag as f32;
    let (own_share, other_share) = (own as f32 / rack_size as f32, other as f32 / rack_size as f32);
    let mut features = vec![2.0 * share - 1.0, share.sqrt(), (-(bag as f32) / rack_size as f32).exp()];
    features.extend([own_share, other_share, own_share * other_share]);
    features.extend((0..2 * rack_size).map(|tiles| f32::from(u8::from(bag == tiles))));
    // The first replies: the board has one play, and a bingo opens it more than a shorter play.
    features.extend((0..2 * rack_size).map(|drawn| f32::from(u8::from(bag > 0 && bag + drawn == states.most_bag))));
    for size in [own, other] {
        features.extend((1..=rack_size).map(|tiles| f32::from(u8::from(bag == 0 && size == tiles))));
    }
    features
}

/// Whether the two sides differ only by the turn.
pub fn is_even(states: States, left: TilesLeft) -> bool {
    left.bag >= 2 * states.rack_size
}

/// The rough standard deviation of the rest of the game, in points.
pub fn sigma(variance_of_tile: f64, left: TilesLeft) -> f64 {
    (variance_of_tile * (left.bag + left.own.max(left.other) + 1) as f64).sqrt()
}

impl Layer {
    fn apply(&self, input: &[f64]) -> Vec<f64> {
        let mut output: Vec<f64> = self.bias.iter().copied().map(f64::from).collect();
        for (value, weights) in input.iter().zip(&self.weights) {
            for (sum, &weight) in output.iter_mut().zip(weights) {
                *sum += value * f64::from(weight);
            }
        }
        output
    }
}

impl Network {
    /// The states of its table.
    pub fn states(&self) -> States {
        States { rack_size: self.rack_size, most_bag: self.most_bag }
    }

    /// The curve of a state.
    fn parts(&self, left: TilesLeft) -> Vec<Part> {
        let states = self.states();
        let mut values: Vec<f64> = features(states, left).into_iter().map(f64::from).collect();
        for layer in &self.layers[..2] {
            values = layer.apply(&values).into_iter().map(f64::tanh).collect();
        }
        let output = self.layers[2].apply(&values);
        let (shift, parts) = output.split_at(1);
        let many = 2 * self.pairs;
        let part = |kind: usize, k: usize| parts[kind * many + k];
        let (even, sigma) = (is_even(states, left), sigma(self.variance_of_tile, left));
        // A component and its mirror share weight and width and have opposite centres.
        let tied = |kind: usize, k: usize, sign: f64| {
            let (own, mirror) = (part(kind, k), sign * part(kind, many - 1 - k));
            if even { f64::midpoint(own, mirror) } else { own }
        };
        let weights: Vec<f64> = (0..many).map(|k| tied(0, k, 1.0).exp()).collect();
        let sum: f64 = weights.iter().sum();
        (0..many)
            .map(|k| Part {
                weight: weights[k] / sum,
                centre: sigma * (tied(1, k, -1.0) - shift[0]),
                width: sigma * tied(2, k, 1.0).exp(),
            })
            .collect()
    }

    /// The win probability of the player to move at a lead in points, not rounded.
    pub fn win_probability(&self, left: TilesLeft, lead: f64) -> f64 {
        sum(&self.parts(left), lead)
    }

    /// The win table for leads up to `most_spread`, rounded as tables are written.
    pub fn table(&self, most_spread: i32) -> WinPercentage {
        let states = self.states();
        let curves: Vec<Vec<Part>> = states.all().map(|left| self.parts(left)).collect();
        WinPercentage::from_fn(self.states(), most_spread, |left, spread| {
            sum(&curves[states.number(left)], f64::from(spread)).clamp(0.0, 1.0)
        })
        .rounded()
    }
}

/// The sum of a curve's components.
fn sum(parts: &[Part], lead: f64) -> f64 {
    parts.iter().map(|part| part.weight * logistic(lead - part.centre, part.width)).sum()
}
