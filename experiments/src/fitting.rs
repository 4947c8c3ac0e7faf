//! What fits have in common: what they load, where they write, and what they print.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use tilewright_engine::features::Feature;
use tilewright_engine::leave::LeaveData;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::WinPercentage;
use tilewright_train::candidates::{CandidateConfig, FitInputs, SetPlayer};
use tilewright_train::linear::report::Explanation;
use tilewright_train::linear::run::RunError;

use crate::failure::Failure;
use crate::flags::{GameFlags, PlayFlags, shell_word};
use crate::output::say;
use crate::{loading, run_config};

/// What a fit is computed from, loaded.
pub struct Loaded {
    /// What is played.
    pub setup: Arc<Setup>,
    /// The player of the candidate sets, with the key of the config.
    player: (&'static str, Player),
    policy: Option<(&'static str, Player)>,
    horizon: Option<(&'static str, Player)>,
    leaves: Option<LeaveData>,
    win_percentage: WinPercentage,
}

impl Loaded {
    /// Loads the game of the flags, which `game` has too, with the tables of players that name none, the players of the candidate sets and, if the features need one, the leave table: that at `leaves`, or the embedded one.
    pub fn new(
        flags: &PlayFlags,
        game: &GameFlags,
        candidates: &CandidateConfig,
        needs_leaves: bool,
        leaves: Option<&Path>,
    ) -> Result<Loaded, Failure> {
        let setup = loading::start(flags)?;
        let leaves = needs_leaves.then(|| loading::feature_leaves(leaves, &setup, game)).transpose()?;
        Loaded::with_setup(setup, game, candidates, leaves)
    }

    /// Loads the players of the candidate sets for a game that is loaded already, with the leave table of the features.
    pub fn with_setup(
        setup: Arc<Setup>,
        game: &GameFlags,
        candidates: &CandidateConfig,
        leaves: Option<LeaveData>,
    ) -> Result<Loaded, Failure> {
        let load = |key, name: &String| Ok::<_, Failure>((key, loading::player(name, &setup, game)?));
        let player = load("player", &candidates.player)?;
        let policy = candidates.policy.as_ref().map(|name| load("policy", name)).transpose()?;
        let horizon = candidates.horizon.as_ref().map(|name| load("horizon", name)).transpose()?;
        let win_percentage = loading::win_percentage(&setup, game)?;
        Ok(Loaded { setup, player, policy, horizon, leaves, win_percentage })
    }

    /// The inputs of the fit. The players of the candidate sets must be static.
    pub fn inputs(&self) -> Result<FitInputs<'_>, Failure> {
        let Loaded { setup, player, policy, horizon, leaves, win_percentage } = self;
        let (policy, horizon) =
            (policy.as_ref().map(set_player).transpose()?, horizon.as_ref().map(set_player).transpose()?);
        let ranker = set_player(player)?;
        Ok(FitInputs { setup, ranker, policy, horizon, leaves: leaves.clone(), win_percentage })
    }
}

/// A player of the candidate sets, with its key.
fn set_player<'a>((key, player): &'a (&str, Player)) -> Result<SetPlayer<'a>, Failure> {
    let refusal = || Failure::input(format!("candidates.{key} = {}; expected a static player", player.name));
    SetPlayer::new(player).ok_or_else(refusal)
}

/// The outcome of a fit; what another config would avoid is an error of the input.
pub fn checked<T>(outcome: Result<T, RunError>) -> Result<T, Failure> {
    match outcome {
        Err(error @ (RunError::TooFewSets { .. } | RunError::Feature(_) | RunError::Singular(_))) => {
            Err(Failure::input(error.to_string()))
        }
        outcome => Ok(outcome?),
    }
}

/// The name of the default folder of a fit.
pub fn default_name(kind: &str, config: Option<&Path>, built_in: &str, setup: &Setup, size: &str, seed: u64) -> String {
    format!("{kind}-{}-{}-{size}-{seed}", run_config::stem(config, built_in), setup.lexicon.name)
}

/// Says where `what` is, such as "The weights are", and how to try it as a player of this kind.
pub fn print_place(what: &str, kind: &str, out: &Path, setup: &Setup, game: &GameFlags) {
    say!(
        "{what} in {0}. Try: tilewright match --player-a {kind}:{0} --player-b {1} --pairs 1000{2}",
        shell_word(&out.to_string_lossy()),
        Player::name_without_files(setup),
        game.repeated()
    );
}

/// The weight of a feature in points per unit: that of a linear evaluator, or the skip weight of a network, which also has a start.
#[derive(Serialize)]
pub struct FeatureWeight {
    /// The feature.
    pub feature: Feature,
    /// The skip weight at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// The result.
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

impl fmt::Display for ExplanationTable<'_> {
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
