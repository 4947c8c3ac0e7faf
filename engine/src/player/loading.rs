//! Creates players from their names.

use std::path::Path;
use std::sync::Arc;

use super::configured::Config;
use super::endgame::{EndgameSettings, WithEndgame};
use super::external::{External, TIME_TO_GET_READY};
use super::kinds::{Player, PlayerError, Warning};
use super::spec::{Base, MatchPlayer, PlayerSpec, SpecError};
use crate::artefact::{ArtefactOrFile, Loader};
use crate::evaluator::linear::load::{LinearError, LoadedLinear};
use crate::evaluator::network::load::LoadedNetwork;
use crate::evaluator::{Greedy, NoLeaves};
use crate::hash::{sha256, sha256_parts};
use crate::leave::late::LateValues;
use crate::leave::load::{LEAVES_KIND, LeaveTableError};
use crate::leave::{CorrectedLeaves, LeaveData, LeaveTable};
use crate::monitor::Monitor;
use crate::static_player::StaticPlayer;

/// The most files of players that lead to each other, as from `sim:A` to its ranker `static:B` and on to the ranker of that.
const MAX_FILES: usize = 4;

impl Player {
    /// Creates the player of a name.
    ///
    /// # Errors
    /// [`PlayerError`] if the name is unknown or external, or a file that it names cannot be used.
    pub fn from_name(name: &str, loader: Loader<'_>) -> Result<Player, PlayerError> {
        Player::from_spec(&name.parse()?, loader)
    }

    /// Creates the player of a spec. No program is started, whatever the files that it names say.
    ///
    /// # Errors
    /// [`PlayerError`].
    pub fn from_spec(spec: &PlayerSpec, loader: Loader<'_>) -> Result<Player, PlayerError> {
        from_spec(spec, loader, MAX_FILES)
    }

    /// Creates the player `no-leaves`.
    pub fn no_leaves() -> Player {
        Player::from_static(Base::NoLeaves.name(), StaticPlayer::new(NoLeaves))
    }
}

impl MatchPlayer {
    /// Creates the player. For an external one it connects: only this starts a program. A stop request ends the wait for it.
    ///
    /// # Errors
    /// [`PlayerError`]. After a stop request its reason says so.
    pub fn load(&self, loader: Loader<'_>, monitor: &dyn Monitor) -> Result<Player, PlayerError> {
        match self {
            MatchPlayer::Own(spec) => Player::from_spec(spec, loader),
            MatchPlayer::External { address, answer_time } => {
                let name = self.to_string();
                let connected = External::connect(address.clone(), *answer_time, loader.setup, TIME_TO_GET_READY, monitor);
                let external = connected.map_err(|reason| PlayerError::unusable(&name, reason))?;
                Ok(Player::from_external(name, external))
            }
        }
    }
}

/// Creates the player of a spec, which may lead to `files` files of players.
fn from_spec(spec: &PlayerSpec, loader: Loader<'_>, files: usize) -> Result<Player, PlayerError> {
    let mut spec = spec.clone();
    spec.fill_in(loader.tables);
    let player = from_base(&spec.to_string(), &spec.base, loader, files)?;
    if !spec.endgame {
        return Ok(player);
    }
    let settings = EndgameSettings::default();
    let identity = sha256_parts([player.identity.as_bytes(), format!("endgame {}", settings.nodes).as_bytes()]);
    Player { identity, ..player.clone() }.with_decider(Arc::new(WithEndgame::new(player, settings)))
}

/// Creates a player without the search of endgames, and calls it `name`. Its identity does not depend on this name.
fn from_base(name: &str, base: &Base, loader: Loader<'_>, files: usize) -> Result<Player, PlayerError> {
    let player = |ranker, identity| Player { identity, ..Player::from_static(name, ranker) };
    let refused = |is_refused: bool| is_refused.then(|| Warning::NotPromoted(name.into()));
    let linear = |loaded: Result<LoadedLinear, LinearError>| {
        let loaded = loaded.map_err(|source| PlayerError::unusable(name, source))?;
        let warning = refused(loaded.is_refused);
        Ok(Player { warning, ..player(StaticPlayer::new(loaded.evaluator), loaded.identity) })
    };
    match base {
        Base::Greedy => Ok(player(StaticPlayer::new(Greedy), sha256(base.name().as_bytes()))),
        Base::NoLeaves => Ok(Player { name: name.into(), ..Player::no_leaves() }),
        Base::Leave { pool, late, table } => from_leaves(name, base, [*pool, *late], table.as_deref(), loader),
        Base::Linear(path) => linear(LoadedLinear::load(path, loader)),
        Base::Heuri(engine) => {
            let loaded = LoadedLinear::embedded(engine, loader);
            linear(loaded.ok_or_else(|| SpecError::Unknown { name: name.into() })?)
        }
        Base::Network(path) => {
            let loaded = LoadedNetwork::open(path.as_deref(), loader);
            let loaded = loaded.map_err(|source| PlayerError::unusable(name, source))?;
            let warning = refused(loaded.is_refused);
            Ok(Player { warning, ..player(StaticPlayer::new(loaded.evaluator), loaded.identity) })
        }
        Base::Static(path) | Base::Sim(path) | Base::Full(path) => {
            let config = Config::load(name, base.name(), path.as_deref())?;
            let many = || format!("more than {MAX_FILES} files of players name each other; no file may lead back to itself");
            let files = files.checked_sub(1).ok_or_else(|| PlayerError::unusable(name, many()))?;
            config.player(name, loader, |spec| from_spec(spec, loader, files))
        }
    }
}

/// Creates a player of [`Base::Leave`] and calls it `name`.
fn from_leaves(
    name: &str,
    base: &Base,
    parts: [bool; 2],
    path: Option<&Path>,
    loader: Loader<'_>,
) -> Result<Player, PlayerError> {
    let ([pool, late], tileset) = (parts, &loader.setup.tileset);
    let (LeaveData { table, late: values }, warning) = match path {
        Some(path) => {
            let place = ArtefactOrFile::open(path, LEAVES_KIND, loader).map_err(LeaveTableError::from)?;
            let table = Arc::new(LeaveTable::read(&place, tileset)?);
            let warning = table.estimate_warning(path).map(Warning::EstimatedLeaves);
            let values = late.then(|| LateValues::read(&place, tileset)).transpose()?;
            (LeaveData { table, late: values.map(Arc::new) }, warning)
        }
        None => (LeaveData::embedded(loader)?, None),
    };
    let mut identity = vec![base.name().as_bytes().to_vec()];
    identity.push(table.values().iter().flat_map(|value| value.0.to_le_bytes()).collect());
    let mut evaluator = CorrectedLeaves::new(table);
    if pool {
        evaluator = evaluator.with_pool(tileset);
    }
    if let Some(values) = values.filter(|_| late) {
        identity.push(values.to_csv(tileset).into_bytes());
        evaluator = evaluator.with_late(values);
    }
    let identity = sha256_parts(identity.iter().map(Vec::as_slice));
    Ok(Player { identity, warning, ..Player::from_static(name, StaticPlayer::new(evaluator)) })
}
