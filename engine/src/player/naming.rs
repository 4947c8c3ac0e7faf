//! The names of players: this module alone interprets `no-leaves` and `leave:PATH`.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use super::configured::{self, Config};
use super::endgame::{EndgameSettings, WithEndgame};
use super::error::PlayerError;
use super::external::{Address, External, TIME_TO_GET_READY};
use super::kinds::Player;
use crate::artefact::{ArtefactOrFile, Loader, Tables};
use crate::evaluator::linear::load::LoadedLinear;
use crate::evaluator::network::load::LoadedNetwork;
use crate::evaluator::{Greedy, Leave, NoLeaves};
use crate::hash::sha256_parts;
use crate::leave::LeaveTable;
use crate::leave::embedded::{embedded, has_embedded};
use crate::leave::late::LateValues;
use crate::leave::load::{LEAVES_KIND, LeaveTableError};
use crate::monitor::{Monitor, NoMonitor};
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

/// The players that value leaves. They use the embedded leave table, or with `:PATH` the one at this path.
pub const LEAVE_PLAYERS: [&str; 4] = [LEAVE, "leave+pool", "leave+late", "leave+pool+late"];
/// The player that values moves by their score alone.
pub const GREEDY: &str = "greedy";
/// The player that values no leaves, against which leave tables are measured.
pub const NO_LEAVES: &str = "no-leaves";
/// The player with a network: the embedded one, or with `:PATH` the one at this path.
const NETWORK: &str = "network";
/// The default player, which has the embedded leave table.
const LEAVE: &str = "leave";
/// The beginning of the names of Heuri's engines, which are linear evaluators with names of their own.
const HEURI: &str = "heuri";
/// The suffix of players that search endgames.
const ENDGAME: &str = "+endgame";

/// The name of a player with the path of the table that it uses, as in `leave:PATH`, if it is one of `leave` and its kin or `network` and
/// names no path; otherwise the name as it is.
pub fn with_path<'a>(name: &'a str, tables: Tables<'_>) -> Cow<'a, str> {
    let path = match name.strip_suffix(ENDGAME).unwrap_or(name) {
        NETWORK => tables.network,
        kind if LEAVE_PLAYERS.contains(&kind) => tables.leaves,
        _ => None,
    };
    path.map_or(Cow::Borrowed(name), |path| format!("{name}:{}", path.display()).into())
}

impl Player {
    /// Creates the player of a name. An external player is connected to.
    ///
    /// # Errors
    /// [`PlayerError`] if the name is unknown, or a file or program that it names cannot be used.
    pub fn from_name(name: &str, loader: Loader<'_>) -> Result<Player, PlayerError> {
        Player::from_name_until(name, loader, &NoMonitor)
    }

    /// Like [`Player::from_name`]; a stop request of the monitor ends the wait for an external player.
    ///
    /// # Errors
    /// [`PlayerError`]; after a stop request the reason of [`PlayerError::External`] says so.
    pub fn from_name_until(name: &str, loader: Loader<'_>, monitor: &dyn Monitor) -> Result<Player, PlayerError> {
        let name = &*with_path(name, loader.tables);
        if let Some(address) = Address::from_name(name) {
            let external = External::connect(address, loader.setup, TIME_TO_GET_READY, monitor);
            return match external {
                Ok(external) => Ok(Player::from_external(name, external)),
                Err(reason) => Err(PlayerError::External { name: name.into(), reason }),
            };
        }
        let (kind, path) = name.split_once(':').map_or((name, None), |(kind, path)| (kind, Some(path)));
        let Some(kind) = kind.strip_suffix(ENDGAME) else {
            return Player::without_endgame(name, loader);
        };
        let without = path.map_or_else(|| kind.to_string(), |path| format!("{kind}:{path}"));
        let player = Player::without_endgame(&without, loader).map_err(|error| {
            if let PlayerError::Unknown { .. } = error { PlayerError::Unknown { name: name.into() } } else { error }
        })?;
        let settings = EndgameSettings::default();
        let identity = sha256_parts([player.identity.as_bytes(), format!("endgame {}", settings.nodes).as_bytes()]);
        let decide = Arc::new(WithEndgame::new(player.clone(), settings));
        Ok(Player { name: name.into(), identity, ..player }.with_decider(decide))
    }

    fn without_endgame(name: &str, loader: Loader<'_>) -> Result<Player, PlayerError> {
        let (kind, path) = match name.split_once(':') {
            Some((kind, path)) if !path.is_empty() => (kind, Some(Path::new(path))),
            Some(_) => return Err(PlayerError::Unknown { name: name.into() }),
            None => (name, None),
        };
        if configured::is_kind(kind) {
            let config = Config::load(name, kind, path)?;
            return config.player(name, loader, |name| Player::from_name(name, loader));
        }
        if kind == NETWORK {
            let loaded = LoadedNetwork::open(path, loader);
            let loaded = loaded.map_err(|source| PlayerError::Network { name: name.into(), source })?;
            let player = Player::from_static(name, StaticPlayer::new(loaded.evaluator));
            return Ok(Player { identity: loaded.identity, ..player });
        }
        let linear = match path {
            Some(path) if kind == "linear" => Some(LoadedLinear::load(path, loader)),
            None if kind.starts_with(HEURI) => LoadedLinear::embedded(kind, loader),
            _ => None,
        };
        if let Some(loaded) = linear {
            let loaded = loaded.map_err(|source| PlayerError::Linear { name: name.into(), source })?;
            let player = Player::from_static(name, StaticPlayer::new(loaded.evaluator));
            return Ok(Player { identity: loaded.identity, ..player });
        }
        match path {
            None if kind == GREEDY => Ok(Player::from_static(name, StaticPlayer::new(Greedy))),
            None if kind == NO_LEAVES => Ok(Player::no_leaves()),
            None if LEAVE_PLAYERS.contains(&kind) => {
                let (table, late) = embedded(loader)?;
                Player::from_table(name, kind, table, || Ok(late), loader.setup)
            }
            Some(path) if LEAVE_PLAYERS.contains(&kind) => {
                let place = ArtefactOrFile::open(path, LEAVES_KIND, loader).map_err(LeaveTableError::from)?;
                let tileset = &loader.setup.tileset;
                let table = LeaveTable::read(&place, tileset)?;
                let warning = table.estimate_warning(path);
                let late = || LateValues::read(&place, tileset);
                Ok(Player { warning, ..Player::from_table(name, kind, table, late, loader.setup)? })
            }
            _ => Err(PlayerError::Unknown { name: name.into() }),
        }
    }

    /// Creates the player `no-leaves`.
    pub fn no_leaves() -> Player {
        Player::from_static(NO_LEAVES, StaticPlayer::new(NoLeaves))
    }

    /// Returns the name of the default player: `network` if the loader has the file of one, otherwise `leave`. It cannot be loaded if the
    /// loader has no leave table and the embedded one does not fit: playing `greedy` instead would be another player in disguise.
    pub fn default_name(loader: Loader<'_>) -> &'static str {
        if loader.tables.network.is_some() { NETWORK } else { LEAVE }
    }

    /// The name of the player that replies in simulations whose ranker is slow.
    pub(super) const QUICK: &'static str = LEAVE;

    /// Returns the name of the player that ranks moves for simulations by default: `network` if the loader has the file of one, or no
    /// other leave table where the embedded one fits; otherwise [`Player::default_name`].
    pub fn default_ranker(loader: Loader<'_>) -> &'static str {
        let is_embedded = loader.tables.leaves.is_none() && has_embedded(loader.setup);
        if is_embedded { NETWORK } else { Player::default_name(loader) }
    }

    /// Returns the name of a player that needs no file: `leave` if the embedded leave table fits the setup, otherwise `greedy`.
    pub fn name_without_files(setup: &Setup) -> &'static str {
        if has_embedded(setup) { LEAVE } else { GREEDY }
    }

    /// Creates a player of a kind in [`LEAVE_PLAYERS`] with this leave table.
    fn from_table(
        name: &str,
        kind: &str,
        table: LeaveTable,
        late: impl FnOnce() -> Result<LateValues, LeaveTableError>,
        setup: &Setup,
    ) -> Result<Player, PlayerError> {
        let mut identity = vec![kind.as_bytes().to_vec()];
        identity.push(table.values().iter().flat_map(|value| value.0.to_le_bytes()).collect());
        let mut evaluator = Leave::new(Arc::new(table));
        if kind.contains("+pool") {
            evaluator = evaluator.with_pool(&setup.tileset);
        }
        if kind.contains("+late") {
            let late = late()?;
            identity.push(late.to_csv(&setup.tileset).into_bytes());
            evaluator = evaluator.with_late(late);
        }
        let identity = sha256_parts(identity.iter().map(Vec::as_slice));
        Ok(Player { identity, ..Player::from_static(name, StaticPlayer::new(evaluator)) })
    }
}
