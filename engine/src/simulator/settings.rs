//! The settings of a simulation, and the part of one playout in the standings.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::equity::Equity;

/// The most plies: no game is longer.
pub const MAX_PLIES: usize = 200;
/// The most candidates: each leaves a generator for each ply and thread.
pub(crate) const MAX_CANDIDATES: usize = 500;
/// The most iterations. The utility of each is kept, to compare candidates deal by deal.
pub const MAX_ITERATIONS: u64 = 10_000_000;

/// The utility of a thousandth of a point, in billionths of a win: ten points break ties of less than 0.01 %.
const TIE_BREAKER: i64 = 10;

/// The utility that ranks candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Utility {
    /// The win probability. A point of spread counts a thousandth of a percent, so that it decides once the game is decided.
    #[default]
    Win,
    /// The spread.
    Spread,
}

impl Utility {
    /// The least that a point is taken to be worth.
    pub(super) fn least_per_point(self) -> f64 {
        match self {
            Utility::Win => 1000.0 * TIE_BREAKER as f64,
            Utility::Spread => 1000.0,
        }
    }

    pub(super) fn value(self, reached: &PlayoutResult) -> i64 {
        match self {
            Utility::Win => reached.win_probability + TIE_BREAKER * i64::from(reached.gain.0),
            Utility::Spread => i64::from(reached.gain.0),
        }
    }
}

/// The settings of a simulation.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of a config, and none depends on another")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Replies per playout. 2 means one by each side.
    pub plies: usize,
    /// Replies per playout when at most `late_bag` tiles are in the bag before the candidate.
    pub late_plies: usize,
    /// The most tiles in the bag for `late_plies`. 0 means that `plies` holds throughout. With an empty bag it always holds.
    pub late_bag: usize,
    /// Candidates: the best moves of the static ranking.
    pub candidates: usize,
    /// Deals that each candidate is tried on, unless it drops out before.
    pub iterations: u64,
    /// Without a prior, the probability, 0.5 to 1, that the best candidate does not drop out of the race. 1 drops none.
    pub confidence: f64,
    /// The utility.
    pub utility: Utility,
    /// Whether the equities of a player's ranker count too, or playouts alone (see [`super::posterior`]). If a
    /// [`super::Simulator`] is used alone, set it by [`super::Simulator::with_prior`].
    pub prior: bool,
    /// With a prior, the simulation ends once no candidate is expected to exceed the leader by this many points, counting 0
    /// where it is worse. 0 goes on. Points count as at an even score. Once the game is decided, they count little.
    pub least_excess: f64,
    /// The least number of deals, even if fewer decide. Not a key of configs: players need no figures, people do.
    #[serde(skip)]
    pub least_iterations: u64,
    /// Whether a playout continues to the end of the game if the bag is nearly empty at its horizon. This costs little, and a win
    /// table does not know who goes out first.
    pub to_the_end: bool,
    /// The most tiles in a nearly empty bag.
    pub end_bag: usize,
    /// Whether endgames of playouts are estimated by [`crate::endgame::fast`] instead of static play: a quarter of the error for about
    /// thirty times the time.
    pub fast_endgame: bool,
    /// Whether the opponent's rack is dealt by inference from its last play (see [`super::inference`]).
    pub inference: bool,
    /// The time limit in seconds, after which no new round of iterations begins. With a time limit the result cannot be reproduced.
    pub seconds: Option<f64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            plies: 2,
            late_plies: 4,
            late_bag: 0,
            candidates: 15,
            iterations: 2000,
            confidence: 0.95,
            utility: Utility::Win,
            prior: true,
            least_excess: 0.12,
            least_iterations: 0,
            to_the_end: true,
            end_bag: 0,
            fast_endgame: false,
            inference: false,
            seconds: None,
        }
    }
}

/// Invalid settings.
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BadSettings {
    #[error("{name} = {value}; expected 1 to {most}")]
    Count { name: &'static str, value: u64, most: u64 },
    #[error("confidence = {0}; expected a probability from 0.5 to 1, such as 0.95 (1 drops no candidate)")]
    Confidence(f64),
    #[error("least_excess = {0}; expected 0 to 1000 points")]
    Excess(f64),
    #[error("seconds = {0}; expected a time limit above 0 and up to 1000000 seconds")]
    Seconds(f64),
}

impl Settings {
    /// Checks that the settings are valid.
    ///
    /// # Errors
    /// [`BadSettings`], with the setting and its range.
    pub fn check(&self) -> Result<(), BadSettings> {
        let counts = [
            ("plies", self.plies as u64, MAX_PLIES as u64),
            ("late_plies", self.late_plies as u64, MAX_PLIES as u64),
            ("candidates", self.candidates as u64, MAX_CANDIDATES as u64),
            ("iterations", self.iterations, MAX_ITERATIONS),
        ];
        for (name, value, most) in counts {
            if !(1..=most).contains(&value) {
                return Err(BadSettings::Count { name, value, most });
            }
        }
        if !(0.5..=1.0).contains(&self.confidence) {
            return Err(BadSettings::Confidence(self.confidence));
        }
        if !(0.0..=1000.0).contains(&self.least_excess) {
            return Err(BadSettings::Excess(self.least_excess));
        }
        match self.seconds {
            Some(seconds) if !(seconds > 0.0 && seconds <= 1e6) => Err(BadSettings::Seconds(seconds)),
            _ => Ok(()),
        }
    }
}

/// The result of one playout, from the view of the player to move in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// The win probability in billionths.
    pub win_probability: i64,
    /// The growth of the lead, with the values of both leaves unless the game ended.
    pub gain: Equity,
    /// Whether the player to move, and the opponent, played a bingo at their next turns.
    pub next_bingos: [bool; 2],
    /// The points that the player to move, and the opponent, scored at their next turns, or 0 if the playout ended before.
    pub next_scores: [i32; 2],
}

/// Converts a probability to billionths, so that sums do not depend on their order.
pub(super) fn billionths(probability: f64) -> i64 {
    (probability * 1e9).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_range_are_reported() {
        let message = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings.check().map_err(|error| error.to_string())
        };
        assert_eq!(message(|_| ()), Ok(()));
        let zero = message(|settings| settings.iterations = 0).unwrap_err();
        assert_eq!(zero, "iterations = 0; expected 1 to 10000000");
        assert!(message(|settings| settings.plies = 201).unwrap_err().contains("1 to 200"));
        assert!(message(|settings| settings.late_plies = 0).unwrap_err().contains("late_plies = 0"));
        assert!(message(|settings| settings.candidates = 0).unwrap_err().contains("candidates = 0"));
        assert!(message(|settings| settings.confidence = 95.0).unwrap_err().contains("0.5 to 1"));
        assert!(message(|settings| settings.confidence = f64::NAN).is_err());
        assert!(message(|settings| settings.least_excess = f64::NAN).unwrap_err().contains("0 to 1000 points"));
        assert!(message(|settings| settings.seconds = Some(0.0)).unwrap_err().contains("above 0"));
    }
}
