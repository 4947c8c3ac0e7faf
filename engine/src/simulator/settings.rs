//! How a simulation is run.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::playout_result::PlayoutResult;

/// The most plies; no game is longer.
pub const MOST_PLIES: usize = 200;
/// The most candidates: each keeps a generator for each ply and thread.
pub const MOST_CANDIDATES: usize = 500;
/// The most iterations; the utility of each is kept, to compare candidates deal by deal.
pub const MOST_ITERATIONS: u64 = 10_000_000;

/// Billionths of a win that a thousandth of a point counts: ten points break ties of less than 0.01 %.
const TIE_BREAKER: i64 = 10;

/// What candidates are ranked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Utility {
    /// The chance to win; a point of spread counts a thousandth of a per cent, so that it decides where the game is decided.
    #[default]
    Win,
    /// The spread.
    Spread,
}

impl Utility {
    pub(super) fn of(self, reached: &PlayoutResult) -> i64 {
        match self {
            Utility::Win => reached.chance + TIE_BREAKER * i64::from(reached.gain.0),
            Utility::Spread => i64::from(reached.gain.0),
        }
    }
}

/// What a simulation is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Replies of a playout; 2 are one of each side.
    pub plies: usize,
    /// Moves to try: the best of a static ranking.
    pub candidates: usize,
    /// Deals that each candidate is tried on, unless it is beaten before.
    pub iterations: u64,
    /// How sure to be, 0.5 to 1, that the best candidate is not dropped as beaten; 1 drops none.
    pub confidence: f64,
    /// What the best is best by.
    pub utility: Utility,
    /// Whether a playout goes on to the end of the game where the bag is nearly empty at its horizon. It costs little, since little
    /// is left, and no table knows who goes out first.
    pub to_the_end: bool,
    /// Tiles in the bag that are nearly none.
    pub end_bag: usize,
    /// Whether endgames that a playout comes to are estimated by [`crate::endgame::fast`] in place of static play: a fifth of its
    /// error, for some thirty times the time.
    pub fast_endgame: bool,
    /// Whether the other rack is dealt as its last play suggests; see [`super::inference`].
    pub inference: bool,
    /// Seconds after which no new round of iterations begins. With a limit of time the result depends on the machine and on
    /// what else it does: it cannot be reproduced.
    pub seconds: Option<f64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            plies: 2,
            candidates: 15,
            iterations: 300,
            confidence: 0.95,
            utility: Utility::Win,
            to_the_end: true,
            end_bag: 0,
            fast_endgame: false,
            inference: false,
            seconds: None,
        }
    }
}

/// Settings that no simulation can be run with.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum BadSettings {
    /// Not a number in the range.
    #[error("{name} = {value}; a simulation has 1 to {most}")]
    Count {
        /// The setting.
        name: &'static str,
        /// As given.
        value: u64,
        /// The largest.
        most: u64,
    },
    /// Not a probability.
    #[error("confidence = {0}; it is a probability from 0.5 to 1, as in 0.95, and 1 drops no candidate")]
    Confidence(f64),
    /// Not a time.
    #[error("seconds = {0}; a limit of time is a number of seconds above 0 and up to 1000000")]
    Seconds(f64),
}

impl Settings {
    /// Whether a simulation can be run with them.
    ///
    /// # Errors
    /// [`BadSettings`], with the setting and what it may be.
    pub fn check(&self) -> Result<(), BadSettings> {
        let counts = [
            ("plies", self.plies as u64, MOST_PLIES as u64),
            ("candidates", self.candidates as u64, MOST_CANDIDATES as u64),
            ("iterations", self.iterations, MOST_ITERATIONS),
        ];
        for (name, value, most) in counts {
            if !(1..=most).contains(&value) {
                return Err(BadSettings::Count { name, value, most });
            }
        }
        if !(0.5..=1.0).contains(&self.confidence) {
            return Err(BadSettings::Confidence(self.confidence));
        }
        match self.seconds {
            Some(seconds) if !(seconds > 0.0 && seconds <= 1e6) => Err(BadSettings::Seconds(seconds)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_range_are_told() {
        let message = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            settings.check().map_err(|error| error.to_string())
        };
        assert_eq!(message(|_| ()), Ok(()));
        let zero = message(|settings| settings.iterations = 0).unwrap_err();
        assert_eq!(zero, "iterations = 0; a simulation has 1 to 10000000");
        assert!(message(|settings| settings.plies = 201).unwrap_err().contains("1 to 200"));
        assert!(message(|settings| settings.candidates = 0).unwrap_err().contains("candidates = 0"));
        assert!(message(|settings| settings.confidence = 95.0).unwrap_err().contains("0.5 to 1"));
        assert!(message(|settings| settings.confidence = f64::NAN).is_err());
        assert!(message(|settings| settings.seconds = Some(0.0)).unwrap_err().contains("above 0"));
    }
}
