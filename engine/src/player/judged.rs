//! The moves that a player has looked at, with its expectations.

use std::fmt;

use serde::Serialize;

use crate::equity::Equity;
use crate::movegen::ValuedMove;
use crate::moves::Move;
use crate::pre_endgame::{Candidate, Certainty};
use crate::simulator::{Mean, Standing};

/// How moves are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// By equity.
    Equity,
    /// By simulation: by win probability, then by spread.
    Simulation,
    /// By the search of the pre-endgame: by win probability, then by spread.
    PreEndgame,
    /// By the solved endgame.
    Endgame,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A move with its values, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedMove {
    /// The move.
    pub chosen: Move,
    /// Its equity under the ranker.
    pub equity: Equity,
    /// Its value in points: the equity, the expected change of the spread, or the change of the spread to the end under best play.
    pub points: f64,
    /// The expected change of the spread in points, and the win probability, 0–1, if they were searched or simulated. The errors of
    /// estimates that no deals gave are NaN.
    pub expected: Option<[Mean; 2]>,
}

impl JudgedMove {
    /// A move that nothing but its equity values.
    pub fn ranked(valued: ValuedMove) -> JudgedMove {
        let equity = valued.reported_equity();
        JudgedMove { chosen: valued.chosen, equity, points: equity.points(), expected: None }
    }

    /// A move of a simulation. A move without a deal has no expectations.
    pub(crate) fn simulated(standing: &Standing) -> JudgedMove {
        let Standing { candidate, gain, win, iterations, .. } = standing;
        JudgedMove {
            chosen: candidate.valued.chosen,
            equity: candidate.valued.reported_equity(),
            points: gain.mean,
            expected: (*iterations > 0).then_some([*gain, *win]),
        }
    }

    /// A move of a pre-endgame in which the player to move is ahead by `spread` points.
    pub(crate) fn of_pre_endgame(candidate: &Candidate, spread: i32, equity: Equity) -> JudgedMove {
        let points = candidate.spread - f64::from(spread);
        let error = |is_known: bool| if is_known { 0.0 } else { f64::NAN };
        let is_exact = candidate.certainty == Certainty::Exact;
        let win = Mean { mean: candidate.win_probability, error: error(is_exact) };
        let gain = Mean { mean: points, error: error(is_exact && candidate.is_spread_calculated) };
        JudgedMove { chosen: candidate.chosen, equity, points, expected: Some([gain, win]) }
    }

    /// A move of an endgame in which the player to move is ahead by `spread` points. The move changes the spread to the end by
    /// `value` points.
    pub(crate) fn of_endgame(chosen: Move, value: i32, spread: i32, equity: Equity) -> JudgedMove {
        let exact = |mean: f64| Mean { mean, error: 0.0 };
        let win = f64::from(1 + (spread + value).signum()) / 2.0;
        let points = f64::from(value);
        JudgedMove { chosen, equity, points, expected: Some([exact(points), exact(win)]) }
    }
}
