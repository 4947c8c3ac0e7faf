//! How moves are compared, and the sizes of mistakes.

use std::fmt;

use serde::Serialize;

/// The percentage of a win that counts as a point.
const PERCENT_PER_POINT: f64 = 0.5;

#[derive(schemars::JsonSchema, Serialize)]
pub struct Comparison {
    /// The player that ranks or judges the moves.
    pub player: String,
    /// Whether the player looks ahead, so that it compares the moves by its own search.
    pub looks_ahead: bool,
    /// The most deals of the simulation that compares the moves of another player.
    pub deals: Option<u64>,
    /// The loss in points from which a move is a mistake. Half a percent of a win counts as a point.
    pub mistake: f64,
}

impl Comparison {
    /// The sizes of mistakes, as the end of a sentence.
    pub fn rule(&self) -> String {
        let (points, percent) = (self.mistake, self.mistake * PERCENT_PER_POINT);
        let least = format!("at least {points} points or {percent} % of a win");
        format!("a mistake loses {least}, a medium one twice as much, a large one four times as much")
    }
}

/// The size of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MistakeSize {
    Small,
    Medium,
    Large,
}

impl MistakeSize {
    /// The size of the mistake if a move costs so many points, or `None`. `least` is the cost of a small mistake.
    pub fn of(cost: f64, least: f64) -> Option<MistakeSize> {
        let sizes = [(4.0, MistakeSize::Large), (2.0, MistakeSize::Medium), (1.0, MistakeSize::Small)];
        sizes.into_iter().find(|(factor, _)| cost >= factor * least).map(|(_, size)| size)
    }
}

impl fmt::Display for MistakeSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["small", "medium", "large"][*self as usize])
    }
}

/// The cost of a move in points: its loss in points, or its loss of win probability (0–1) if that counts for more.
pub fn cost(loss: f64, win_loss: Option<f64>) -> f64 {
    win_loss.map_or(loss, |win_loss| loss.max(100.0 * win_loss / PERCENT_PER_POINT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_sized_by_points_or_by_the_win() {
        let size = |loss, win_loss| MistakeSize::of(cost(loss, win_loss), 5.0);
        assert_eq!([4.9, 5.0, 9.9, 10.0, 19.9, 20.0].map(|loss| size(loss, None)), {
            use MistakeSize::{Large, Medium, Small};
            [None, Some(Small), Some(Small), Some(Medium), Some(Medium), Some(Large)]
        });
        // A move may gain points and lose the game.
        assert_eq!(size(-3.0, Some(0.12)), Some(MistakeSize::Large));
        assert_eq!((size(6.0, Some(0.0)), size(-3.0, Some(0.02))), (Some(MistakeSize::Small), None));
    }
}
