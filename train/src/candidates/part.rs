//! The parts of a candidate's results, each of which can be learned alone.

use std::fmt;

use serde::{Deserialize, Serialize};
use tilewright_engine::setup::Setup;

use super::label::{CandidateSet, Label, LabelledMove};
use super::target::{Target, TargetConfig, Targets};

/// A part of what the playouts of a candidate come to. Configs and reports hold its name in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The gain.
    Gain,
    /// The win probability, in points at the slope of the position, weighted as [`TargetConfig`] weights it.
    Win,
    /// The points of the opponent's next turn.
    Reply,
    /// The points of the player's own next turn.
    NextTurn,
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Part::Gain => "gain",
            Part::Win => "win",
            Part::Reply => "reply",
            Part::NextTurn => "next_turn",
        })
    }
}

impl Part {
    /// Whether the score of the move is in the label, so that a fit explains what is beyond score and prior.
    pub fn contains_the_score(self) -> bool {
        matches!(self, Part::Gain | Part::Win)
    }
}

impl Targets<'_> {
    /// The labels of one part for the candidates of a set: differences from the mean of the set. Replies and next turns weigh as much
    /// as the target does.
    pub fn of_part(self, part: Part, set: &CandidateSet, setup: &Setup) -> Vec<Target> {
        let mixed = |win_probability| Targets { config: TargetConfig { win_probability, ..self.config }, ..self };
        let points = |label: fn(&LabelledMove) -> Label| {
            let label_of = |(target, labelled)| {
                let label = label(labelled);
                let (points, noise) = (label.mean(self.deals) / 1e3, label.variance(self.deals) / 1e6);
                Target { points, noise, ..target }
            };
            self.of_set(set, setup).zip(&set.candidates).map(label_of).collect()
        };
        match part {
            Part::Gain => mixed(0.0).of_set(set, setup).collect(),
            Part::Win => mixed(1.0).of_set(set, setup).collect(),
            Part::Reply => points(|labelled| labelled.reply),
            Part::NextTurn => points(|labelled| labelled.next_turn),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewright_engine::win_percentage::WinPercentage;

    use super::*;
    use crate::candidates::samples::labelled_sets;

    #[test]
    fn parts_are_the_labels_in_points_and_the_target_is_a_mix_of_gain_and_win() {
        let setup = Setup::embedded("english").unwrap();
        let table = WinPercentage::for_setup(&setup).0;
        let config = TargetConfig { win_probability: 0.4, points_per_win: 200.0 };
        let targets = Targets { config, deals: 4, win_percentage: &table, start: None };
        for set in labelled_sets(&setup) {
            let of_part = |part| targets.of_part(part, &set, &setup);
            let [gains, wins, replies, next_turns] = [Part::Gain, Part::Win, Part::Reply, Part::NextTurn].map(of_part);
            for (number, (target, labelled)) in targets.of_set(&set, &setup).zip(&set.candidates).enumerate() {
                let is_near = |found: f64, expected: f64| (found - expected).abs() < 1e-9 * (1.0 + expected.abs());
                assert!(is_near(gains[number].points, labelled.gain.sum as f64 / 4000.0));
                assert!(is_near(replies[number].points, labelled.reply.sum as f64 / 4000.0));
                assert!(is_near(next_turns[number].noise, labelled.next_turn.variance(4) / 1e6));
                assert!(is_near(replies[number].weight, target.weight));
                // The losses of gain and win probability add up to that of the target.
                let weight = 0.6 * gains[number].weight + 0.4 * wins[number].weight;
                let sum =
                    0.6 * gains[number].weight * gains[number].points + 0.4 * wins[number].weight * wins[number].points;
                assert!(is_near(target.weight, weight) && is_near(target.points, sum / weight), "{target:?}");
            }
        }
    }
}
