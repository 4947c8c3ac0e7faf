//! Exploration: games from which something is to be learned must not always show the best moves.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use tilewright_engine::movegen::{Generator, ValuedMove};
use tilewright_engine::rack::{Rack, SubRacks};
use tilewright_engine::turn::Turn;
use tilewright_engine::{Move, StaticPlayer};

use crate::run_config::{above_zero, within};

/// Exploration: how often, and how, a turn chooses a move other than the best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Exploration {
    /// The probability that a turn draws among the best moves, each with weight e^(equity / temperature): 0–1.
    pub softmax: f64,
    /// The temperature, in points.
    pub temperature: f64,
    /// The probability that a turn draws a random leave and plays the best move that keeps it: 0–1.
    pub forced_leaves: f64,
}

/// The number of best moves to draw from.
const CHOICES: usize = 20;

impl Exploration {
    /// Checks that the values are valid. `name` names the table in messages.
    ///
    /// # Errors
    /// The invalid value and the valid ones.
    pub fn check(&self, name: &str) -> Result<(), String> {
        let Exploration { softmax, temperature, forced_leaves } = *self;
        within(&format!("{name}.softmax"), softmax, &(0.0..=1.0))?;
        within(&format!("{name}.forced_leaves"), forced_leaves, &(0.0..=1.0))?;
        if softmax + forced_leaves > 1.0 {
            return Err(format!(
                "{name}.softmax = {softmax} and forced_leaves = {forced_leaves}; expected a sum of at most 1"
            ));
        }
        if softmax > 0.0 {
            above_zero(&format!("{name}.temperature"), temperature, "points", 1000.0)?;
        }
        Ok(())
    }

    /// Whether it explores at all.
    pub fn is_on(&self) -> bool {
        self.softmax + self.forced_leaves > 0.0
    }

    /// Chooses a move by `player` or, while the bag has tiles, by exploration. Returns whether it differs from the player's best move.
    pub fn choose(
        &self,
        generator: &mut Generator<'_>,
        player: &StaticPlayer,
        turn: &Turn<'_>,
        draws: &mut impl Rng,
    ) -> (Move, bool) {
        let kind: f64 = draws.random();
        if turn.bag == 0 || kind >= self.softmax + self.forced_leaves {
            return (player.choose(generator, turn).chosen, false);
        }
        if kind >= self.softmax {
            let numbers = SubRacks::new(&turn.rack);
            let leave = numbers.get(draws.random_range(0..numbers.whole()));
            let moves = player.rank(generator, turn);
            let best = moves[0].chosen;
            let keeps = |valued: &&ValuedMove| turn.rack.minus(&Rack::from_tiles(valued.chosen.tiles())) == Some(leave);
            // Late in the game there may be no legal move that keeps the leave.
            return moves.iter().find(keeps).map_or((best, false), |valued| (valued.chosen, valued.chosen != best));
        }
        let moves = player.choose_top(generator, turn, CHOICES);
        let weight = |valued: &ValuedMove| ((valued.equity - moves[0].equity).points() / self.temperature).exp();
        let mut place = draws.random::<f64>() * moves.iter().map(weight).sum::<f64>();
        for valued in &moves {
            place -= weight(valued);
            if place < 0.0 {
                return (valued.chosen, valued.chosen != moves[0].chosen);
            }
        }
        (moves[0].chosen, false)
    }
}
