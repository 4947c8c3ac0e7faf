//! The config of a network run, as TOML.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewright_engine::features::{ExtraInput, Feature};
use tilewright_engine::player::PlayerSpec;

use super::shape::NetworkShape;
use crate::candidates::{CandidateConfig, Part, Split, TargetConfig};
use crate::linear::config::LinearFitConfig;
pub use crate::models::Processor;
use crate::run_config::{Basics, RunConfig, above_zero, within};

/// A network run: everything that determines its result besides the tile set and the words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// The lexicon, as on the command line. An empty text stands for the default lexicon of the tile set.
    pub lexicon: String,
    /// The tile set, as on the command line.
    pub tileset: String,
    /// The seed of every random draw.
    pub seed: u64,
    /// The leave table of the features, relative to the working directory. The default is the embedded table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<PathBuf>,
    /// Games whose positions are used.
    pub games: u64,
    /// Of each `held_out` games the last is for the report and the last but one chooses strengths and epochs. The fit learns
    /// from neither.
    pub held_out: u64,
    /// The inputs. Features of the position are inputs of the layers only.
    pub features: BTreeSet<Feature>,
    /// Inputs of the layers besides the features.
    #[serde(default)]
    pub extra_inputs: Vec<ExtraInput>,
    /// The number of best moves by score and leave that the network values.
    pub candidate_moves: usize,
    /// The network values moves at most this many points behind the best.
    pub margin: f64,
    /// Units of each hidden layer.
    pub hidden: Vec<usize>,
    /// Passes over the candidate sets.
    pub epochs: usize,
    /// Candidate sets per step.
    pub batch_sets: usize,
    /// The learning rate at the start. It falls to a hundredth along half a cosine.
    pub learning_rate: f64,
    /// The share of each weight that a step of rate 1 would take away.
    pub weight_decay: f64,
    /// The processor that computes the steps.
    #[serde(default, skip_serializing_if = "is_default")]
    pub device: Processor,
    /// The skip connection.
    #[serde(default, skip_serializing_if = "is_default")]
    pub skip: Skip,
    /// The target of the fit to the candidate sets.
    #[serde(default)]
    pub target: TargetConfig,
    /// Auxiliary heads.
    #[serde(default, skip_serializing_if = "is_default")]
    pub heads: HeadConfig,
    /// Whether layers are trained on the first sixteenth and the first quarter of the sets too, for the report alone: how fast the explained
    /// share grows with the games. It takes a third more time for training.
    #[serde(default, skip_serializing_if = "is_default")]
    pub learning_curve: bool,
    /// Matches during training.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<MatchConfig>,
    /// How the candidate sets are made.
    pub candidates: CandidateConfig,
}

/// The skip connection, to which the layers add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Skip {
    /// The linear fit.
    #[default]
    Fit,
    /// The prior of the linear fit: the value by `leave+pool+late`, as far as the features have it.
    Prior,
}

/// Auxiliary heads, which predict a part of the labels from the last hidden layer during training. Each value is a share:
/// the mean norm of the head's gradient at the activations of that layer, relative to the network's output. 0 is no head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeadConfig {
    /// Predicts the gain.
    pub gain: f64,
    /// Predicts the win probability.
    pub win: f64,
    /// Predicts the points of the opponent's next turn.
    pub reply: f64,
    /// Predicts the points of the player's own next turn.
    pub next_turn: f64,
}

/// A short match of the network after some epochs. All of them are on the same deals, which no other run plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchConfig {
    /// Epochs from one match to the next.
    pub every: usize,
    /// Pairs of games.
    pub pairs: u64,
    /// The other player, as on the command line.
    pub against: PlayerSpec,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl HeadConfig {
    /// The parts with a head, and their shares.
    pub fn shares(self) -> Vec<(Part, f64)> {
        let HeadConfig { gain, win, reply, next_turn } = self;
        let all = [(Part::Gain, gain), (Part::Win, win), (Part::Reply, reply), (Part::NextTurn, next_turn)];
        all.into_iter().filter(|&(_, share)| share != 0.0).collect()
    }

    /// The parts with a head.
    pub fn parts(self) -> Vec<Part> {
        self.shares().into_iter().map(|(part, _)| part).collect()
    }

    fn check(self) -> Result<(), String> {
        match self.shares().into_iter().find(|(_, share)| !(0.0..=100.0).contains(share)) {
            Some((part, share)) => Err(format!("heads.{part} = {share}; expected a share of 0 to 100, such as 0.3")),
            None => Ok(()),
        }
    }
}

impl MatchConfig {
    fn check(&self) -> Result<(), String> {
        within("match.every", self.every, &(1..=10_000))?;
        within("match.pairs", self.pairs, &(1..=1_000_000))
    }
}

impl RunConfig for NetworkConfig {
    const FOLDER: &str = "networks";

    fn check(&self) -> Result<(), String> {
        self.shape().check()?;
        within("epochs", self.epochs, &(1..=10_000))?;
        within("batch_sets", self.batch_sets, &(1..=100_000))?;
        above_zero("learning_rate", self.learning_rate, "a number", 1.0)?;
        above_zero("weight_decay", self.weight_decay, "a number", 1.0)?;
        Split { games: self.games, held_out: self.held_out }.check()?;
        self.target.check()?;
        self.heads.check()?;
        self.matches.as_ref().map_or(Ok(()), MatchConfig::check)?;
        self.candidates.check()
    }

    fn basics(&mut self) -> Basics<'_> {
        Basics { lexicon: &mut self.lexicon, tileset: &mut self.tileset, seed: &mut self.seed }
    }
}

impl NetworkConfig {
    /// The inputs of the network, its size and its settings in play.
    pub fn shape(&self) -> NetworkShape {
        NetworkShape {
            leaves: self.leaves.clone(),
            features: self.features.clone(),
            extra_inputs: self.extra_inputs.clone(),
            candidate_moves: self.candidate_moves,
            margin: self.margin,
            hidden: self.hidden.clone(),
        }
    }

    /// The config of the linear fit that becomes the skip connection.
    pub fn linear(&self) -> LinearFitConfig {
        LinearFitConfig {
            lexicon: self.lexicon.clone(),
            tileset: self.tileset.clone(),
            seed: self.seed,
            leaves: self.leaves.clone(),
            games: self.games,
            held_out: self.held_out,
            features: self.features.clone(),
            candidate_moves: self.candidate_moves,
            target: self.target,
            candidates: self.candidates.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_config_can_be_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/networks");
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let name = entry.path().display().to_string();
            let config = NetworkConfig::from_toml(&std::fs::read_to_string(entry.path()).unwrap(), &name).unwrap();
            assert_eq!(NetworkConfig::from_toml(&config.to_toml(), &name).unwrap(), config);
        }
        assert_eq!(NetworkConfig::built_in("small").linear().features, NetworkConfig::built_in("small").features);
    }
}
