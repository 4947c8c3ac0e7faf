//! What fits to candidate sets have in common: what they load, and what they print.

use std::fmt::{self, Display};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use tilewright_engine::{Base, Feature, LeaveData, Player, PlayerSpec, Setup, WinPercentage};
use tilewright_train::candidates::{CandidateConfig, FitInputs, SetPlayer};
use tilewright_train::linear::report::Explanation;

use crate::flags::{GameFlags, shell_word};
use crate::{Failure, loading, say};

pub struct Loaded {
    pub setup: Arc<Setup>,
    /// The player of the candidate sets, with the key of the config.
    player: (&'static str, Player),
    policy: Option<(&'static str, Player)>,
    leaves: Option<LeaveData>,
    win_percentage: WinPercentage,
}

impl Loaded {
    /// Loads the players of the candidate sets, with the leave table of the features.
    pub fn new(
        setup: Arc<Setup>,
        game: &GameFlags,
        candidates: &CandidateConfig,
        leaves: Option<LeaveData>,
    ) -> Result<Loaded, Failure> {
        let load = |key, name: &PlayerSpec| Ok::<_, Failure>((key, loading::player(name, &setup, game)?));
        let player = load("player", &candidates.player)?;
        let policy = candidates.policy.as_ref().map(|name| load("policy", name)).transpose()?;
        let win_percentage = loading::win_percentage(&setup, game)?;
        Ok(Loaded { setup, player, policy, leaves, win_percentage })
    }

    /// The inputs of the fit. The players of the candidate sets must be static.
    pub fn inputs(&self) -> Result<FitInputs<'_>, Failure> {
        let Loaded { setup, player, policy, leaves, win_percentage } = self;
        let policy = policy.as_ref().map(set_player).transpose()?;
        let ranker = set_player(player)?;
        Ok(FitInputs { setup, ranker, policy, leaves: leaves.clone(), win_percentage })
    }
}

/// A player of the candidate sets, with its key.
fn set_player<'a>((key, player): &'a (&str, Player)) -> Result<SetPlayer<'a>, Failure> {
    let refusal = || Failure::input(format!("candidates.{key} = {}; expected a static player", player.name));
    SetPlayer::new(player).ok_or_else(refusal)
}

/// Says where `what` is, such as "The weights are", and how to try it as this player against another.
pub fn print_place(what: &str, out: &Path, player: Base, against: impl Display, game: &GameFlags) {
    say!(
        "{what} in {}. Try: tilewright match --player-a {} --player-b {against} --pairs 1000{}",
        shell_word(&out.to_string_lossy()),
        shell_word(&PlayerSpec::from(player).to_string()),
        game.repeated()
    );
}

/// The weight of a feature in points per unit: that of a linear evaluator, or the skip weight of a network, which also has a start.
#[derive(Serialize)]
pub struct FeatureWeight {
    pub feature: Feature,
    /// The skip weight at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    pub weight: f64,
}

impl FeatureWeight {
    /// The skip weight of a feature of a network, before and after.
    pub fn of_skip((feature, (start, weight)): (&Feature, (&f32, &f32))) -> FeatureWeight {
        FeatureWeight { feature: *feature, start: Some(f64::from(*start)), weight: f64::from(*weight) }
    }
}

/// What a fit explains of held-out games as a table.
pub struct ExplanationTable<'a>(pub &'a Explanation);

impl Display for ExplanationTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = "gain per turn: points, % of a win";
        write!(f, "{:8} {:>8} {:>8} {:>11}   {head}", "stage", "sets", "signal", "explained")?;
        for (name, one) in self.0.rows() {
            let (signal, explained, [points, wins]) = (100.0 * one.signal, 100.0 * one.explained, one.gains());
            write!(f, "\n{name:8} {:>8} {signal:>6.1} % {explained:>9.1} %   {points:>14} {wins:>14}", one.sets)?;
        }
        Ok(())
    }
}
