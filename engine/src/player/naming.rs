//! Players by name: the one place where `greedy` and `leave:PATH` get their meaning.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::configured::{self, Config};
use super::endgame::EndgameSettings;
use super::external::{Address, External, TIME_TO_GET_READY};
use super::{Player, WithEndgame};
use crate::artefact::{ArtefactError, Manifest};
use crate::evaluator::linear::Weights;
use crate::evaluator::{Greedy, Leave, Linear};
use crate::hash::sha256_parts;
use crate::leave::embedded::{NotEmbedded, embedded, has_embedded};
use crate::leave::late::LateValues;
use crate::leave::{LeaveTable, csv, klv};
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

/// The kind of artefact that holds a leave table.
pub const LEAVES_KIND: &str = "leaves";
/// The leave table in such an artefact.
pub const LEAVES_FILE: &str = "leaves.klv2";
/// The adjustments for few tiles in the bag.
pub const LATE_FILE: &str = "late.csv";

/// Players that value leaves. Alone they take the embedded table, with `:PATH` the one of a path.
pub const LEAVE_PLAYERS: [&str; 4] = ["leave", "leave+pool", "leave+late", "leave+pool+late"];
/// The kind of artefact that holds the weights of a linear evaluator, and the file with them.
pub const LINEAR_KIND: &str = "linear";
/// The weights in such an artefact.
pub const WEIGHTS_FILE: &str = "weights.toml";

/// Players with weights of their own.
const LINEAR_PLAYERS: [(&str, &str); 3] = [
    ("heuri1", include_str!("../../../configs/linear/heuri1.toml")),
    ("heuri2", include_str!("../../../configs/linear/heuri2.toml")),
    ("heuri3", include_str!("../../../configs/linear/heuri3.toml")),
];

/// What follows the name of a static player that calculates once the bag is empty.
const ENDGAME: &str = "+endgame";
/// No unpacked leave table is larger.
const MOST_BYTES: u64 = 1 << 30;

/// Why a name is no player.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// No such kind of player.
    #[error(
        "{name:?} is no player; players are greedy, leave (the embedded table) and leave:PATH, where PATH is an artefact folder, a \
         .klv2 or a .csv; leave+pool values leaves for the unseen tiles, leave+late for the tiles left in the bag, leave+pool+late \
         for both; linear:PATH weighs features, as its artefact folder or .toml says, and heuri1, heuri2 and heuri3 as published; \
         static ranks moves at a glance, sim simulates, full calculates pre-endgames and endgames too, each with \
         :FILE.toml as its file says; with +endgame, as in greedy+endgame or leave+endgame:PATH, a player calculates once the bag is \
         empty; stdio:COMMAND and tcp:HOST:PORT are players that run elsewhere (tilewright serve --help)"
    )]
    Unknown {
        /// As given.
        name: String,
    },
    /// The table cannot be read.
    #[error("leave table {path}: {reason}")]
    Table {
        /// As given.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The artefact cannot be used.
    #[error("leave table {0}")]
    Artefact(#[from] ArtefactError),
    /// The file of a player cannot be used.
    #[error("player {name}: {reason}")]
    Configured {
        /// As given.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A player that runs elsewhere cannot be reached, or does not want to play.
    #[error("player {name}: {reason}")]
    Foreign {
        /// As given.
        name: String,
        /// What went wrong.
        reason: String,
    },
    /// There is no embedded table for these words and tiles.
    #[error(transparent)]
    NotEmbedded(#[from] NotEmbedded),
}

impl Player {
    /// The player of a name.
    ///
    /// # Errors
    /// [`PlayerError`].
    pub fn named(name: &str, setup: &Setup, accept_other_lexicon: bool) -> Result<Player, PlayerError> {
        if let Some(address) = Address::of_name(name) {
            let external = External::connect(address, setup, TIME_TO_GET_READY);
            return match external {
                Ok(external) => Ok(Player::of_external(name, external)),
                Err(reason) => Err(PlayerError::Foreign { name: name.into(), reason }),
            };
        }
        let (kind, path) = name.split_once(':').map_or((name, None), |(kind, path)| (kind, Some(path)));
        let Some(kind) = kind.strip_suffix(ENDGAME) else {
            return Player::without_endgame(name, setup, accept_other_lexicon);
        };
        let without = path.map_or_else(|| kind.to_string(), |path| format!("{kind}:{path}"));
        let player = Player::without_endgame(&without, setup, accept_other_lexicon).map_err(|error| {
            if let PlayerError::Unknown { .. } = error { PlayerError::Unknown { name: name.into() } } else { error }
        })?;
        let settings = EndgameSettings::default();
        let identity = sha256_parts([player.identity.as_bytes(), format!("endgame {}", settings.nodes).as_bytes()]);
        let decide = Arc::new(WithEndgame::new(player.clone(), settings));
        Ok(Player { name: name.into(), identity, ..player }.deciding(decide))
    }

    fn without_endgame(name: &str, setup: &Setup, accept_other_lexicon: bool) -> Result<Player, PlayerError> {
        match name.split_once(':') {
            None if name == "greedy" => Ok(Player::of_static(name, StaticPlayer::new(Greedy))),
            None if LEAVE_PLAYERS.contains(&name) => {
                let (table, late) = embedded(setup, accept_other_lexicon)?;
                Player::of_table(name, name, table, || Ok(late), setup)
            }
            None if LINEAR_PLAYERS.iter().any(|&(known, _)| known == name) => {
                let text = LINEAR_PLAYERS.iter().find(|&&(known, _)| known == name).map_or("", |&(_, text)| text);
                Player::of_weights(name, text, Path::new(""), setup, accept_other_lexicon)
            }
            Some(("linear", path)) if !path.is_empty() => {
                let path = Path::new(path);
                let text = read_weights(path, setup, accept_other_lexicon)?;
                let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
                Player::of_weights(name, &text, folder, setup, accept_other_lexicon)
            }
            None if configured::is_kind(name) => Player::configured(name, name, None, setup, accept_other_lexicon),
            Some((kind, path)) if configured::is_kind(kind) && !path.is_empty() => {
                Player::configured(name, kind, Some(Path::new(path)), setup, accept_other_lexicon)
            }
            Some((kind, path)) if LEAVE_PLAYERS.contains(&kind) && !path.is_empty() => {
                let path = Path::new(path);
                let table = load_leaves(path, setup, accept_other_lexicon)?;
                let warning = estimates_in_words(path, &table);
                let player = Player::of_table(name, kind, table, || load_late(path, setup), setup)?;
                Ok(Player { warning, ..player })
            }
            _ => Err(PlayerError::Unknown { name: name.into() }),
        }
    }

    fn configured(
        name: &str,
        kind: &str,
        path: Option<&Path>,
        setup: &Setup,
        accept_other_lexicon: bool,
    ) -> Result<Player, PlayerError> {
        let config = Config::of(name, kind, path)?;
        config.player(name, setup, accept_other_lexicon, |name| Player::named(name, setup, accept_other_lexicon))
    }

    /// Who plays where nobody is named: `leave` where the embedded table fits, else `greedy`.
    pub fn default_name(setup: &Setup) -> &'static str {
        if has_embedded(setup) { "leave" } else { "greedy" }
    }

    /// The player of a file of weights in a folder.
    fn of_weights(
        name: &str,
        text: &str,
        folder: &Path,
        setup: &Setup,
        accept_other_lexicon: bool,
    ) -> Result<Player, PlayerError> {
        let fault = |error: &dyn std::fmt::Display| PlayerError::Configured { name: name.into(), reason: error.to_string() };
        let weights = Weights::from_toml(text).map_err(|error| fault(&error))?;
        let leaves = match &weights.leaves {
            _ if !weights.needs_leaves() => None,
            Some(path) => Some(load_leaves(&folder.join(path), setup, accept_other_lexicon)?),
            None => Some(embedded(setup, accept_other_lexicon)?.0),
        };
        let table = leaves.iter().flat_map(|table| table.values().iter().flat_map(|value| value.0.to_le_bytes()));
        let identity = sha256_parts([text.as_bytes(), &table.collect::<Vec<u8>>()]);
        let evaluator = Linear::new(&weights, setup, leaves.map(Arc::new)).map_err(|error| fault(&error))?;
        Ok(Player { identity, ..Player::of_static(name, StaticPlayer::new(evaluator)) })
    }

    /// A player of one of [`LEAVE_PLAYERS`] with this table.
    fn of_table(
        name: &str,
        kind: &str,
        table: LeaveTable,
        late: impl FnOnce() -> Result<LateValues, PlayerError>,
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
        Ok(Player { identity, ..Player::of_static(name, StaticPlayer::new(evaluator)) })
    }
}

/// The weights of an artefact folder or a file.
fn read_weights(path: &Path, setup: &Setup, accept_other_lexicon: bool) -> Result<String, PlayerError> {
    let fault = |reason: String| PlayerError::Configured { name: format!("linear:{}", path.display()), reason };
    let bytes = if path.is_dir() {
        Manifest::load(path, LINEAR_KIND, setup, accept_other_lexicon).map_err(|error| fault(error.to_string()))?;
        let listed = || "its manifest lists no weights; make it again".to_string();
        let bytes = Manifest::payload(path, WEIGHTS_FILE).map_err(|error| error.to_string());
        bytes.and_then(|bytes| bytes.ok_or_else(listed))
    } else {
        std::fs::read(path).map_err(|error| error.to_string())
    };
    String::from_utf8(bytes.map_err(fault)?)
        .map_err(|error| fault(format!("not UTF-8 from byte {}", error.utf8_error().valid_up_to())))
}

/// Loads the adjustments for few tiles in the bag from an artefact folder, or from `NAME.late.csv` beside `NAME.klv2`.
fn load_late(path: &Path, setup: &Setup) -> Result<LateValues, PlayerError> {
    let beside = || {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        path.with_file_name(format!("{}.{LATE_FILE}", name.split('.').next().unwrap_or_default()))
    };
    let (file, bytes) = if path.is_dir() {
        let bytes = Manifest::payload(path, LATE_FILE)?.ok_or_else(|| "its manifest lists no such file".to_string());
        (path.join(LATE_FILE), bytes)
    } else {
        let file = beside();
        let bytes = std::fs::read(&file).map_err(|error| error.to_string());
        (file, bytes)
    };
    let fault = |reason: String| PlayerError::Table { path: file.clone(), reason };
    let bytes = bytes.map_err(|reason| {
        fault(format!("{reason}; +late needs the adjustments that leaves train writes when late_games > 0"))
    })?;
    let text = std::str::from_utf8(&bytes).map_err(|error| fault(format!("not UTF-8 from byte {}", error.valid_up_to())))?;
    LateValues::from_csv(text, &setup.tileset).map_err(|error| fault(error.to_string()))
}

/// What a user should know of a table that was read from a file which does not name every leave; `None` if it does.
pub fn estimates_in_words(path: &Path, table: &LeaveTable) -> Option<String> {
    let (estimated, all) = (table.estimated(), table.values().len() - 1);
    (estimated > 0).then(|| {
        format!(
            "leave table {} names {} of {all} leaves; the other {estimated} are estimated from the smaller leaves that it names",
            path.display(),
            all - estimated
        )
    })
}

/// Loads a leave table from an artefact folder, a `.klv2` (or `.klv`), a `.klv2.gz`, or a `.csv`.
///
/// # Errors
/// [`PlayerError`]. Bare files carry no lexicon, so only their tiles can be checked; a `.klv2` must hold every leave, a `.csv`
/// need not ([`estimates_in_words`]).
pub fn load_leaves(path: &Path, setup: &Setup, accept_other_lexicon: bool) -> Result<LeaveTable, PlayerError> {
    let fault = |reason: String| PlayerError::Table { path: path.into(), reason };
    if path.is_dir() {
        let manifest = Manifest::load(path, LEAVES_KIND, setup, accept_other_lexicon)?;
        if !manifest.files.contains_key(LEAVES_FILE) {
            return Err(fault(format!("its manifest has no checksum of {LEAVES_FILE}; make it again")));
        }
        return load_leaves(&path.join(LEAVES_FILE), setup, accept_other_lexicon);
    }
    let bytes = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let (bytes, name) = match name.strip_suffix(".gz") {
        None => (bytes, name.as_str()),
        Some(name) => {
            let mut plain = Vec::new();
            let read = flate2::read::GzDecoder::new(&bytes[..]).take(MOST_BYTES).read_to_end(&mut plain);
            read.map_err(|error| fault(format!("damaged gzip data ({error})")))?;
            (plain, name)
        }
    };
    let table = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("klv2" | "klv") => klv::read(&bytes, &setup.tileset).map_err(|error| fault(error.to_string()))?,
        Some("csv") => {
            let text = std::str::from_utf8(&bytes)
                .map_err(|error| fault(format!("not UTF-8 from byte {}", error.valid_up_to())))?;
            csv::read(text, &setup.tileset).map_err(|error| fault(error.to_string()))?
        }
        _ => return Err(fault("not an artefact folder, a .klv2, a .klv2.gz or a .csv".into())),
    };
    Ok(table.0)
}
