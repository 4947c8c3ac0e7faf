//! `static`, `sim` and `full`: players that are assembled from a config.
//!
//! `engine/configs/players` holds the default config of each kind. In `static:FILE.toml`, `sim:FILE.toml` and
//! `full:FILE.toml`, the entries of the file replace the entries of the default config.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::endgame::{EndgameSettings, PreEndgameSettings, WithEndgame, WithPreEndgame};
use super::kinds::{Player, PlayerError, Warning};
use super::simulating::{SimulationPlayer, TimeManager};
use super::spec::{Base, PlayerSpec};
use crate::artefact::Loader;
use crate::configs;
use crate::hash::sha256_parts;
use crate::input_file;
use crate::pre_endgame::MAX_BAG;
use crate::simulator::Settings;
use crate::win_percentage::{WinPercentage, csv};

/// The parts of a player. A player does not have the parts that are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Config {
    /// The name of the static player that ranks moves [default: the default ranker if the player simulates, otherwise
    /// [`PlayerSpec::default_of`]].
    pub ranker: Option<PlayerSpec>,
    /// The name of the static player that chooses the replies in simulations [default: the ranker if it has no second look at moves,
    /// otherwise `leave`].
    pub policy: Option<PlayerSpec>,
    /// The win table of simulations, an artefact folder or a file [default: the win table of the loader, otherwise
    /// [`WinPercentage::for_setup`]].
    pub win_percentage: Option<PathBuf>,
    /// The mean number of playouts that the simulations of a game take. The more there are, the closer candidates must be
    /// before a simulation ends. `least_excess` and `iterations` follow from it [default: they are as in `simulation`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts_per_game: Option<u64>,
    /// The seed of the deals of simulations. Each decision derives its own seed from this one and the visible position.
    pub seed: u64,
    /// The settings of simulations.
    pub simulation: Option<Settings>,
    /// The settings of the search with few tiles in the bag.
    pub pre_endgame: Option<PreEndgameSettings>,
    /// The settings of the search with an empty bag.
    pub endgame: Option<EndgameSettings>,
}

/// The default config of a kind, or `None` if there is no such kind.
fn default_config(kind: &str) -> Option<&'static str> {
    configs::text("players", kind)
}

impl Config {
    /// Loads the config of the player `name`: the default config of its kind, changed by the file at `path`.
    ///
    /// # Errors
    /// [`PlayerError::Unusable`], with the line of the file if its content is wrong.
    pub(crate) fn load(name: &str, kind: &str, path: Option<&Path>) -> Result<Config, PlayerError> {
        let fault = |reason: String| PlayerError::unusable(name, reason);
        let defaults = default_config(kind).unwrap_or_default();
        let read = |text: &str| toml::from_str::<Config>(text).map_err(|error| fault(error.to_string()));
        let Some(path) = path else { return read(defaults) };
        let embedded = path.to_str().filter(|_| !path.exists()).and_then(default_config);
        let text = match embedded {
            Some(text) => text.to_string(),
            None => input_file::read_text(path).map_err(|error| fault(error.to_string()))?,
        };
        let changes = read(&text)?;
        if kind == "static" && changes.simulation.is_some() {
            return Err(fault(
                "the file has a [simulation], but a static player does not simulate; use sim:FILE or full:FILE".into(),
            ));
        }
        let table = |text: &str| toml::from_str::<toml::Table>(text).map_err(|error| fault(error.to_string()));
        let merged = merged(table(defaults)?, table(&text)?);
        merged.try_into().map_err(|error| fault(error.to_string()))
    }

    fn check(&self) -> Result<(), String> {
        self.simulation.iter().try_for_each(Settings::check).map_err(|error| error.to_string())?;
        match (self.playouts_per_game, &self.simulation) {
            (Some(0), _) => return Err("playouts_per_game = 0; expected at least 1".into()),
            (Some(_), None) => {
                return Err("playouts_per_game needs a [simulation]: use sim:FILE or full:FILE".into());
            }
            (Some(_), Some(Settings { prior: false, .. })) => {
                return Err(
                    "playouts_per_game needs prior = true in [simulation]: a race does not know which turns are worth more"
                        .into(),
                );
            }
            _ => {}
        }
        match &self.pre_endgame {
            Some(PreEndgameSettings { bag, .. }) if *bag > MAX_BAG => Err(format!(
                "pre_endgame.bag = {bag}; expected 1 to {MAX_BAG} tiles in the bag, or 0 to search no pre-endgames"
            )),
            Some(PreEndgameSettings { nodes: 0, .. } | PreEndgameSettings { endgame_nodes: 0, .. }) => {
                Err("pre_endgame.nodes and pre_endgame.endgame_nodes must be at least 1; bag = 0 searches no pre-endgames"
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Creates the player and calls it `name`. `named` creates the players that the config names, which must be static.
    ///
    /// # Errors
    /// [`PlayerError`] if a setting is invalid, or if a named player or the win table cannot be loaded.
    pub(crate) fn player(
        &self,
        name: &str,
        loader: Loader<'_>,
        named: impl Fn(&PlayerSpec) -> Result<Player, PlayerError>,
    ) -> Result<Player, PlayerError> {
        let fault = |reason: String| PlayerError::unusable(name, reason);
        self.check().map_err(fault)?;
        let simulates = self.simulation.is_some();
        let default = || if simulates { PlayerSpec::default_ranker(loader) } else { PlayerSpec::default_of(loader) };
        let named = |spec: &PlayerSpec| {
            let player = if spec.looks_ahead() { None } else { Some(named(spec)?) };
            let found = player.and_then(|player| Some((player.as_static()?.clone(), player)));
            found.ok_or_else(|| fault(format!("{spec} is not a static player, as ranker and policy must be")))
        };
        let (static_ranker, ranker) = named(&self.ranker.clone().unwrap_or_else(default))?;
        let (static_policy, policy) = match &self.policy {
            Some(policy) => named(policy)?,
            None if simulates && static_ranker.looks_again() => named(&Base::leave(None).into())?,
            None => (static_ranker.clone(), ranker.clone()),
        };
        let text = serde_json::to_string(self).map_err(|error| fault(error.to_string()))?;
        let mut identity = vec![text, ranker.identity.clone(), policy.identity.clone()];
        let warning = ranker.warning.clone().or(policy.warning);
        let mut player = Player { name: name.into(), warning, ..ranker };
        if let Some(settings) = &self.simulation {
            let win_percentage = match self.win_percentage.as_deref().or(loader.tables.win_percentage) {
                None => {
                    let (table, warning) = WinPercentage::for_setup(loader.setup);
                    player.warning = player.warning.or(warning.map(Warning::WinTable));
                    table
                }
                Some(path) => WinPercentage::load(path, loader).map_err(|error| fault(error.to_string()))?,
            };
            identity.push(csv::write(&win_percentage));
            let (ranker, policy) = (static_ranker.clone(), static_policy);
            let (settings, seed, time_manager) = (settings.clone(), self.seed, TimeManager::new(self.playouts_per_game));
            let simulating = SimulationPlayer { ranker, policy, win_percentage, settings, time_manager, seed };
            player = player.with_decider(Arc::new(simulating))?;
        }
        if let Some(settings) = self.pre_endgame.filter(|settings| settings.bag > 0) {
            player = player.clone().with_decider(Arc::new(WithPreEndgame::new(player, static_ranker, settings)))?;
        }
        if let Some(settings) = self.endgame.filter(|settings| settings.nodes > 0) {
            player = player.clone().with_decider(Arc::new(WithEndgame::new(player, settings)))?;
        }
        Ok(Player { identity: sha256_parts(identity.iter().map(String::as_bytes)), ..player })
    }
}

/// Returns a table with the entries of `changes` in place of its own, in nested tables too.
fn merged(mut table: toml::Table, changes: toml::Table) -> toml::Table {
    for (key, value) in changes {
        let value = match (table.remove(&key), value) {
            (Some(toml::Value::Table(own)), toml::Value::Table(changes)) => merged(own, changes).into(),
            (_, value) => value,
        };
        table.insert(key, value);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefact::Tables;
    use crate::deals::Domain;
    use crate::monitor::{Monitor, NoMonitor};
    use crate::movegen::Generator;
    use crate::player::Basis;
    use crate::rng::stream;
    use crate::selfplay::play_game;
    use crate::series::Series;
    use crate::setup::Setup;

    fn config(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_decision_depends_only_on_what_the_player_sees() {
        let setup = Setup::embedded("english").unwrap();
        let named = |spec: &PlayerSpec| Player::from_spec(spec, Loader::new(&setup));
        let config = config(
            "ranker = \"greedy\"\n[simulation]\nplies = 1\ncandidates = 4\niterations = 32\n\
             [pre_endgame]\nbag = 2\nnodes = 4000\nendgame_nodes = 300\n[endgame]\nnodes = 300\n",
        );
        let player = config.player("full:a.toml", Loader::new(&setup), named).unwrap();
        let mut generator = Generator::new(&setup);
        let mut decided = Vec::new();
        for index in 0..4 {
            play_game(&mut generator, [&player; 2], Domain::Match.deals(1), index, |seen| {
                decided.push((seen.game.clone(), seen.chosen));
            });
        }
        assert!(decided.iter().any(|(game, _)| (1..=2).contains(&game.bag.len())));
        for (number, (game, chosen)) in decided.iter().enumerate() {
            let mut other = game.clone();
            if !game.bag.is_empty() {
                other.shuffle_unseen(stream(9, "test", number as u64));
            }
            assert_eq!(player.choose(&mut Generator::new(&setup), &other), *chosen);
        }
        let mut judged_by = Vec::new();
        for (game, chosen) in &decided {
            let worst = *player.ranker().unwrap().rank(&mut generator, &game.turn(&setup)).last().unwrap();
            let Some((by, judged)) = player.judge(&mut generator, game, None, &NoMonitor) else { continue };
            assert_eq!(judged[0].chosen, chosen.chosen);
            assert!(judged.iter().all(|judged| judged.expected.is_some() || judged.points == 0.0), "{judged:?}");
            let (_, with) = player.judge(&mut generator, game, Some(worst), &NoMonitor).unwrap();
            assert!(by == Basis::Endgame || with.iter().any(|judged| judged.chosen == worst.chosen), "{worst:?}");
            judged_by.push(by);
        }
        assert!([Basis::Simulation, Basis::PreEndgame, Basis::Endgame].iter().all(|by| judged_by.contains(by)));
        // A decision does not change the game, so a player against itself is exactly even.
        let same = Series::new(&setup, [&player; 2], Domain::Match.deals(3));
        assert_eq!(same.pair(&mut generator, 0).spread(), 0);
        let other_seed = Config { seed: 1, ..config }.player("full:a.toml", Loader::new(&setup), named).unwrap();
        assert_ne!(other_seed.identity, player.identity);
    }

    #[test]
    fn a_stop_request_ends_the_search_for_a_move() {
        /// Stops at its second look, which is within the first search of the game.
        struct SecondLook(std::sync::atomic::AtomicU64);
        impl Monitor for SecondLook {
            fn is_stopped(&self) -> bool {
                self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 0
            }
        }
        let setup = Setup::embedded("english").unwrap();
        let named = |spec: &PlayerSpec| Player::from_spec(spec, Loader::new(&setup));
        // Each move would take minutes.
        let slow = config("ranker = \"greedy\"\n[simulation]\niterations = 1_000_000\nleast_excess = 0.0001\n");
        let player = slow.player("sim:a.toml", Loader::new(&setup), named).unwrap();
        let series = Series::new(&setup, [&player; 2], Domain::Match.deals(1));
        let begun = std::time::Instant::now();
        let played = series.pair_until(&mut Generator::new(&setup), 0, &SecondLook(0.into()));
        assert!(played.is_none() && begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_file_changes_only_the_settings_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("quick.toml");
        std::fs::write(&path, "seed = 4\n[simulation]\nplies = 4\n[endgame]\nnodes = 0\n").unwrap();
        let [sim, full] = ["sim", "full"].map(|kind| Config::load(kind, kind, None).unwrap());
        assert_eq!((sim.simulation.clone().unwrap(), sim.pre_endgame), (Settings::default(), None));
        let changed = Config::load("full:quick.toml", "full", Some(&path)).unwrap();
        let simulation = Settings { plies: 4, ..full.simulation.clone().unwrap() };
        let endgame = Some(EndgameSettings { nodes: 0 });
        assert_eq!(changed, Config { seed: 4, simulation: Some(simulation), endgame, ..full });
        let refused = Config::load("static:quick.toml", "static", Some(&path)).unwrap_err().to_string();
        assert!(refused.contains("a static player does not simulate"), "{refused}");
        assert_eq!(Config::load("static", "static", None).unwrap(), Config::default());
    }

    #[test]
    fn no_other_player_replies_where_the_table_of_replies_is_missing() {
        let setup = Setup::embedded("english").unwrap();
        let tables = Tables { leaves: Some(Path::new("nowhere")), ..Tables::default() };
        let loader = Loader { tables, ..Loader::new(&setup) };
        let named = |spec: &PlayerSpec| Player::from_spec(spec, loader);
        let create = |text: &str| config(text).player("sim:a.toml", loader, named);
        let refused = create("ranker = \"network\"\n[simulation]\n").err().unwrap().to_string();
        assert!(refused.contains("leave table nowhere"), "{refused}");
        assert!(create("ranker = \"network\"\npolicy = \"greedy\"\n[simulation]\n").is_ok());
    }

    #[test]
    fn invalid_configs_are_reported() {
        let setup = Setup::embedded("english").unwrap();
        let named = |spec: &PlayerSpec| Player::from_spec(spec, Loader::new(&setup));
        let refuse = |text: &str| config(text).player("sim:a.toml", Loader::new(&setup), named).err().unwrap().to_string();
        assert!(refuse("[simulation]\niterations = 0\n").contains("sim:a.toml: iterations = 0; expected 1 to"));
        assert!(refuse("policy = \"sim\"\n").contains("sim is not a static player"));
        assert!(refuse("playouts_per_game = 0\n").contains("at least 1"));
        assert!(refuse("playouts_per_game = 9\n").contains("needs a [simulation]"));
        assert!(refuse("playouts_per_game = 9\n[simulation]\nprior = false\n").contains("needs prior = true"));
        assert!(refuse("[pre_endgame]\nbag = 7\n").contains("pre_endgame.bag = 7; expected 1 to 6"));
        assert!(refuse("[pre_endgame]\nnodes = 0\n").contains("must be at least 1"));
        let nowhere = Player::from_name("sim:nowhere.toml", Loader::new(&setup));
        assert!(nowhere.err().unwrap().to_string().contains("sim:nowhere.toml: No such file"));
        let misread = |text: &str| toml::from_str::<Config>(text).unwrap_err().to_string();
        assert!(misread("[simulation]\nplys = 2\n").contains("plys"));
        assert!(misread("policy = \"strong\"\n").contains("\"strong\" is not a player"));
    }
}
