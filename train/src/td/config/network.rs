//! The network of a TD run, in its config.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::network::shape::{NetworkShape, network_path};

/// The network that a run trains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdNetwork {
    /// The network that the run begins with, as the name of a player: `network` or `network:PATH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The parts that learn.
    #[serde(default = "all_parts")]
    pub learn: BTreeSet<Part>,
    /// Games per gradient step. The games of a batch are played with the same weights, and learned from in several steps.
    #[serde(default = "step_games")]
    pub step_games: u64,
    /// The network that begins from nothing, if there is no start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<NetworkShape>,
}

/// A part of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The skip weights of the features that differ between the moves of a turn.
    Skip,
    /// The hidden layers.
    Layers,
    /// The last layer.
    Output,
}

fn all_parts() -> BTreeSet<Part> {
    BTreeSet::from([Part::Skip, Part::Layers, Part::Output])
}

fn step_games() -> u64 {
    20
}

/// The most games of a step; the gradient of each is kept until the step.
const MOST_STEP_GAMES: u64 = 10_000;

impl TdNetwork {
    pub(super) fn check(&self) -> Result<(), String> {
        if self.learn.is_empty() {
            return Err("network.learn = []; expected at least one of \"skip\", \"layers\" and \"output\"".into());
        }
        if !(1..=MOST_STEP_GAMES).contains(&self.step_games) {
            return Err(format!("network.step_games = {}; expected 1 to {MOST_STEP_GAMES}", self.step_games));
        }
        match (&self.start, &self.shape) {
            (Some(start), None) => network_path("network.start", start).map(drop),
            (None, Some(shape)) => shape.check().map_err(|reason| format!("[network.shape] {reason}")),
            (Some(_), Some(_)) => Err("network.start has a shape already; remove it or [network.shape]".into()),
            (None, None) => Err("[network] has neither start nor [network.shape]; expected one of them".into()),
        }
    }
}
