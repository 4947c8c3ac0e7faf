//! Fits: their configs (a file, and the flags that override it), and for fits to candidate sets their inputs and their tables.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tilewright_engine::{Base, Feature, LeaveData, Player, PlayerSpec, Setup, WinPercentage};
use tilewright_train::candidates::{CandidateConfig, FitInputs, SetPlayer};
use tilewright_train::linear::run::Explanation;
use tilewright_train::run_config::{Basics, RunConfig};

use crate::flags::{CommonFlags, GameFlags, PlayFlags, shell_word};
use crate::report::PAGE_FILE;
use crate::{Failure, Input, Number, configs, loading};

/// Reads the config of a file, or the embedded one of this name.
pub fn from_file<C: RunConfig>(path: &Path) -> Result<C, Failure> {
    let (text, origin) = configs::read(path, C::FOLDER)?;
    C::from_toml(&text, &origin).input()
}

/// The first keys of the JSON of every run.
#[derive(schemars::JsonSchema, Serialize)]
pub struct RunJson {
    pub folder: String,
    seed: u64,
    lexicon: String,
    tileset: String,
}

impl RunJson {
    pub fn new(folder: &Path, setup: &Setup, seed: u64) -> RunJson {
        let (lexicon, tileset) = (setup.lexicon.name.clone(), setup.tileset.name().to_string());
        RunJson { folder: folder.display().to_string(), seed, lexicon, tileset }
    }
}

/// A request for a fit: its config and its flags.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitRequest<C: RunConfig, M = ()> {
    /// The config with the overrides of the flags, stored as TOML.
    #[serde(with = "checked")]
    pub config: C,
    /// The game of the config, the threads and the word map.
    pub flags: PlayFlags,
    /// The name of the config's file without the ending.
    pub stem: String,
    /// The data of this kind of fit alone.
    pub more: M,
}

/// Configs as TOML, which is checked when it is read.
mod checked {
    use std::borrow::Cow;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use tilewright_train::run_config::RunConfig;

    pub fn serialize<C: RunConfig, S: Serializer>(config: &C, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&config.to_toml())
    }

    pub fn deserialize<'de, C: RunConfig, D: Deserializer<'de>>(deserializer: D) -> Result<C, D::Error> {
        let text: Cow<'_, str> = Deserialize::deserialize(deserializer)?;
        C::from_toml(&text, "of the job").map_err(D::Error::custom)
    }
}

impl<C: RunConfig, M> FitRequest<C, M> {
    /// The request for a config file, or for the embedded config of this name. The flags override the config. `change`
    /// applies the flags of the verb.
    ///
    /// # Errors
    /// [`Failure::Input`] for a file that cannot be read, and for invalid values.
    pub fn of_file(path: &Path, flags: &PlayFlags, more: M, change: impl FnOnce(&mut C)) -> Result<Self, Failure> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        FitRequest::new(from_file(path)?, &stem, flags, more, change)
    }

    /// The same. Without a file, the config is the one in the program, with this name.
    pub fn of_file_or(
        built_in: &str,
        path: Option<&Path>,
        flags: &PlayFlags,
        more: M,
        change: impl FnOnce(&mut C),
    ) -> Result<Self, Failure> {
        match path {
            Some(path) => FitRequest::of_file(path, flags, more, change),
            None => FitRequest::new(C::built_in(built_in), built_in, flags, more, change),
        }
    }

    fn new(mut config: C, stem: &str, flags: &PlayFlags, more: M, change: impl FnOnce(&mut C)) -> Result<Self, Failure> {
        let before = config.to_toml();
        let CommonFlags { game, seed: named_seed, .. } = &flags.common;
        let Basics { lexicon, tileset, seed } = config.basics();
        if let Some(named) = &game.tileset {
            // The lexicon of the config is for the tile set of the config.
            if named != tileset {
                lexicon.clear();
            }
            tileset.clone_from(named);
        }
        if let Some(named) = &game.lexicon {
            lexicon.clone_from(named);
        }
        *seed = named_seed.unwrap_or(*seed);
        let mut flags = flags.clone();
        flags.common.game.lexicon = (!lexicon.is_empty()).then(|| lexicon.clone());
        flags.common.game.tileset = Some(tileset.clone());
        change(&mut config);
        let changed = config.to_toml();
        let config = C::from_toml(&changed, &format!("with {}", flags_between(&before, &changed))).input()?;
        Ok(FitRequest { config, flags, stem: stem.into(), more })
    }
}

/// The flags that made one config of the other, with their values.
fn flags_between(before: &str, after: &str) -> String {
    /// The keys that flags of the same name override.
    const KEYS: [&str; 8] = ["tileset", "lexicon", "seed", "games", "held_out_games", "match_pairs", "player", "leaves"];
    let [before, after] = [before, after].map(|text| toml::from_str::<toml::Table>(text).unwrap_or_default());
    let changed = KEYS.iter().filter(|&&key| before.get(key) != after.get(key));
    let flags = changed.filter_map(|key| Some(format!("--{} {}", key.replace('_', "-"), after.get(*key)?)));
    let flags: Vec<String> = flags.collect();
    if flags.is_empty() { "these flags".into() } else { flags.join(" ") }
}

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

/// The place of `what`, such as "The weights are", how to see its page, and the command that plays it against another player.
pub fn place(what: &str, out: &Path, player: Base, against: impl Display, game: &GameFlags) -> String {
    let folder = out.to_string_lossy();
    let page = match out.join(PAGE_FILE) {
        page if page.exists() => format!("its page is {}", page.display()),
        _ => format!("tilewright report {} writes its page", shell_word(&folder)),
    };
    format!(
        "{what} in {folder}, and {page}.\nNext: tilewright match --player-a {} --player-b {against} --pairs 1000{}",
        shell_word(&PlayerSpec::from(player).to_string()),
        game.repeated()
    )
}

/// The most weights that a summary names.
const LARGEST: usize = 6;

/// The largest weights, in a line: in points for a unit of the feature.
pub fn largest_weights(weights: impl IntoIterator<Item = (Feature, f64)>) -> String {
    let mut weights: Vec<(Feature, f64)> = weights.into_iter().filter(|(feature, _)| *feature != Feature::Score).collect();
    weights.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
    let all = weights.len();
    weights.truncate(LARGEST);
    let shown = |(feature, weight): &(Feature, f64)| format!("{} {:+.2}", feature.about().name, Number(*weight));
    let shown: Vec<String> = weights.iter().map(shown).collect();
    format!("largest of {all} weights, in points per unit: {}", shown.join(", "))
}

/// The opponent against which a run shows its gain: its own leave table, or the embedded one.
pub fn opponent(leaves: Option<&PathBuf>, setup: &Setup) -> PlayerSpec {
    leaves.map_or_else(|| PlayerSpec::without_files(setup), |table| Base::leave(Some(table.clone())).into())
}

/// The weight of a feature in points per unit: the weight of a linear evaluator, or the skip weight of a network.
#[derive(schemars::JsonSchema, Serialize)]
pub struct FeatureWeight {
    #[schemars(with = "String")]
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

/// The explained part of held-out games, as a table.
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
