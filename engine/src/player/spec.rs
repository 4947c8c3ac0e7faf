//! The names of players: this module alone reads and shows `leave+pool:PATH` and `stdio:COMMAND`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::external::Address;
use crate::artefact::{Loader, Tables};
use crate::configs;
use crate::leave::load::has_embedded;
use crate::setup::Setup;

/// A player of this engine as its name describes it, before a file is read.
///
/// [`FromStr`] reads a name, and [`Display`](fmt::Display) shows the same name again. Configs hold the name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "MatchPlayer", into = "MatchPlayer")]
pub struct PlayerSpec {
    /// How it plays until the bag is empty.
    pub base: Base,
    /// Whether it searches endgames: `+endgame`.
    pub endgame: bool,
}

/// A player of a match, by its name. Only matches have external players, so no other name in a file can start a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum MatchPlayer {
    /// A player of this engine.
    Own(PlayerSpec),
    /// Another program.
    External {
        /// How it is reached.
        address: Address,
        /// The time limit of each answer, not shown in the name [default: [`ANSWER_TIME`](super::external::ANSWER_TIME)].
        answer_time: Option<Duration>,
    },
}

/// How a player of this engine plays until the bag is empty. Players without a path use the embedded files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// `greedy`: the score alone.
    Greedy,
    /// `no-leaves`: no leave has a value. Leave tables are measured against it.
    NoLeaves,
    /// `leave`: a leave table.
    Leave {
        /// `+pool`: corrects leave values for the unseen tiles.
        pool: bool,
        /// `+late`: corrects leave values when few tiles are left in the bag.
        late: bool,
        /// An artefact folder or a file.
        table: Option<PathBuf>,
    },
    /// `linear:PATH`: feature weights of an artefact folder or a file, or embedded ones of this name.
    Linear(PathBuf),
    /// `heuri1` and its kin: published weights of Heuri's engines.
    Heuri(&'static str),
    /// `network`: a network, of an artefact folder.
    Network(Option<PathBuf>),
    /// `static`: a static player with a config.
    Static(Option<PathBuf>),
    /// `sim`: a player that simulates, with a config.
    Sim(Option<PathBuf>),
    /// `full`: a player that simulates and searches pre-endgames and endgames, with a config.
    Full(Option<PathBuf>),
}

/// Why there is no such player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum SpecError {
    #[error("{name:?} is not a player; use {PLAYERS}")]
    Unknown { name: String },
    #[error("{name:?} is not a player: {reason}; use {PLAYERS}")]
    Impossible { name: String, reason: &'static str },
    #[error("player {name} is external, and external players only play in a match of two players")]
    External { name: String },
    #[error(
        "player {name} belongs to this program, and a clock limits its time; only stdio:COMMAND and tcp:HOST:PORT have an answer time"
    )]
    AnswerTime { name: String },
}

/// All players, for messages.
const PLAYERS: &str = "greedy, no-leaves, leave (the embedded leave table) or leave:PATH (an artefact folder, a .klv2 or a .csv); \
    leave+pool, leave+late or leave+pool+late, which correct leaves for the unseen tiles, for the tiles left in the bag or for both; \
    linear:PATH (feature weights in an artefact folder or a .toml, or linear:fitted and linear:evolved in the program), heuri1, heuri2 \
    or heuri3 (published weights); network (the embedded one) or network:PATH (an artefact folder); static (no search), sim \
    (simulation) or full (simulation, pre-endgame and endgame search), or one of these with a config, as in sim:FILE.toml; any of these \
    with +endgame, as in leave+endgame:PATH, which searches endgames; in a match also stdio:COMMAND and tcp:HOST:PORT, external players";
/// The beginning of the names of Heuri's engines, which are embedded linear evaluators.
const HEURI: &str = "heuri";

impl Base {
    /// `leave`, with this table.
    pub fn leave(table: Option<PathBuf>) -> Base {
        Base::Leave { pool: false, late: false, table }
    }

    /// The name without its path.
    pub fn name(&self) -> &'static str {
        match self {
            Base::Greedy => "greedy",
            Base::NoLeaves => "no-leaves",
            Base::Leave { pool: false, late: false, .. } => "leave",
            Base::Leave { pool: true, late: false, .. } => "leave+pool",
            Base::Leave { pool: false, late: true, .. } => "leave+late",
            Base::Leave { pool: true, late: true, .. } => "leave+pool+late",
            Base::Linear(_) => "linear",
            Base::Heuri(name) => name,
            Base::Network(_) => "network",
            Base::Static(_) => "static",
            Base::Sim(_) => "sim",
            Base::Full(_) => "full",
        }
    }

    /// The path of its table, network or config.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Base::Greedy | Base::NoLeaves | Base::Heuri(_) => None,
            Base::Linear(path) => Some(path),
            Base::Leave { table: path, .. }
            | Base::Network(path)
            | Base::Static(path)
            | Base::Sim(path)
            | Base::Full(path) => path.as_deref(),
        }
    }
}

impl From<Base> for PlayerSpec {
    fn from(base: Base) -> PlayerSpec {
        PlayerSpec { base, endgame: false }
    }
}

impl From<PlayerSpec> for MatchPlayer {
    fn from(spec: PlayerSpec) -> MatchPlayer {
        MatchPlayer::Own(spec)
    }
}

impl PlayerSpec {
    /// The default player: `network` if the loader has the file of one, otherwise `leave`. It cannot be loaded if the loader has no leave
    /// table and the embedded one does not fit: playing `greedy` instead would be another player in disguise.
    pub fn default_of(loader: Loader<'_>) -> PlayerSpec {
        if loader.tables.network.is_some() { Base::Network(None) } else { Base::leave(None) }.into()
    }

    /// The player that ranks moves for simulations by default. It is `network` if the loader has the file of one, or no
    /// other leave table where the embedded one fits. Otherwise it is [`PlayerSpec::default_of`].
    pub(crate) fn default_ranker(loader: Loader<'_>) -> PlayerSpec {
        let is_embedded = loader.tables.leaves.is_none() && has_embedded(loader.setup);
        if is_embedded { Base::Network(None).into() } else { PlayerSpec::default_of(loader) }
    }

    /// A player that needs no file: `leave` if the embedded leave table fits the setup, otherwise `greedy`.
    pub fn without_files(setup: &Setup) -> PlayerSpec {
        if has_embedded(setup) { Base::leave(None) } else { Base::Greedy }.into()
    }

    /// The name without the part after the colon, as in `leave+pool`.
    pub fn kind(&self) -> String {
        format!("{}{}", self.base.name(), if self.endgame { "+endgame" } else { "" })
    }

    /// Whether the player looks ahead, whatever its file says.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.endgame || matches!(self.base, Base::Sim(_) | Base::Full(_))
    }

    /// Gives the player the file of `tables` if it has a leave table or a network and names none.
    pub fn fill_in(&mut self, tables: Tables<'_>) {
        match &mut self.base {
            Base::Leave { table: path @ None, .. } => *path = tables.leaves.map(Path::to_path_buf),
            Base::Network(path @ None) => *path = tables.network.map(Path::to_path_buf),
            _ => {}
        }
    }
}

impl MatchPlayer {
    /// Whether another program plays.
    pub fn is_external(&self) -> bool {
        matches!(self, MatchPlayer::External { .. })
    }

    /// The external player with a time limit for each answer.
    ///
    /// # Errors
    /// [`SpecError::AnswerTime`] for a player of this engine.
    pub fn with_answer_time(self, time: Duration) -> Result<MatchPlayer, SpecError> {
        match self {
            MatchPlayer::External { address, .. } => Ok(MatchPlayer::External { address, answer_time: Some(time) }),
            MatchPlayer::Own(spec) => Err(SpecError::AnswerTime { name: spec.to_string() }),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind())?;
        self.base.path().map_or(Ok(()), |path| write!(f, ":{}", path.display()))
    }
}

impl fmt::Display for MatchPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchPlayer::Own(spec) => spec.fmt(f),
            MatchPlayer::External { address: Address::Command(command), .. } => write!(f, "stdio:{command}"),
            MatchPlayer::External { address: Address::Socket(address), .. } => write!(f, "tcp:{address}"),
        }
    }
}

impl TryFrom<MatchPlayer> for PlayerSpec {
    type Error = SpecError;

    fn try_from(player: MatchPlayer) -> Result<PlayerSpec, SpecError> {
        match player {
            MatchPlayer::Own(spec) => Ok(spec),
            MatchPlayer::External { .. } => Err(SpecError::External { name: player.to_string() }),
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(name: &str) -> Result<PlayerSpec, SpecError> {
        name.parse::<MatchPlayer>()?.try_into()
    }
}

impl FromStr for MatchPlayer {
    type Err = SpecError;

    fn from_str(name: &str) -> Result<MatchPlayer, SpecError> {
        let impossible = |reason| SpecError::Impossible { name: name.into(), reason };
        let (kind, rest) = name.split_once(':').map_or((name, None), |(kind, rest)| (kind, Some(rest)));
        let mut parts = kind.split('+').peekable();
        let first = parts.next().unwrap_or_default();
        let external = |address| {
            let spec = MatchPlayer::External { address, answer_time: None };
            if first == kind { Ok(spec) } else { Err(impossible("an external player has no +pool, +late or +endgame")) }
        };
        let [pool, late, endgame] = ["pool", "late", "endgame"].map(|part| parts.next_if_eq(&part).is_some());
        let path = rest.map(PathBuf::from);
        let base = match (first, rest) {
            ("stdio", Some(command)) if !command.trim().is_empty() => return external(Address::Command(command.into())),
            ("stdio", _) => return Err(impossible("it has no command")),
            ("tcp", Some(address)) if address.contains(':') => return external(Address::Socket(address.into())),
            ("tcp", _) => return Err(impossible("it has no HOST:PORT")),
            ("greedy", _) => Base::Greedy,
            ("no-leaves", _) => Base::NoLeaves,
            ("leave", _) => Base::Leave { pool, late, table: path },
            ("linear", Some(path)) => Base::Linear(path.into()),
            ("linear", None) => return Err(impossible("it has no path of its weights")),
            ("network", _) => Base::Network(path),
            ("static", _) => Base::Static(path),
            ("sim", _) => Base::Sim(path),
            ("full", _) => Base::Full(path),
            _ => {
                let mut engines = configs::of_folder("linear").filter(|config| config.name.starts_with(HEURI));
                let engine = engines.find(|config| config.name == first);
                Base::Heuri(engine.ok_or_else(|| SpecError::Unknown { name: name.into() })?.name)
            }
        };
        if parts.peek().is_some() {
            return Err(impossible("after its name come +pool, +late and +endgame, each at most once, in this order"));
        }
        if (pool || late) && !matches!(base, Base::Leave { .. }) {
            return Err(impossible("+pool and +late correct a leave table, which only leave has"));
        }
        match rest {
            Some("") => Err(impossible("no path follows the colon")),
            Some(_) if base.path().is_none() => Err(impossible("it uses no file, so it has no path")),
            _ => Ok(PlayerSpec { base, endgame }.into()),
        }
    }
}

impl TryFrom<String> for MatchPlayer {
    type Error = SpecError;

    fn try_from(name: String) -> Result<MatchPlayer, SpecError> {
        name.parse()
    }
}

impl From<MatchPlayer> for String {
    fn from(player: MatchPlayer) -> String {
        player.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every kind of player; those with a file have this one.
    fn specs(path: &str) -> Vec<MatchPlayer> {
        let file = || Some(PathBuf::from(path));
        let switches = [false, true];
        let leave = |table: Option<PathBuf>| {
            let late = move |pool| switches.map(|late| Base::Leave { pool, late, table: table.clone() });
            switches.into_iter().flat_map(late)
        };
        let of_files = [Base::Network, Base::Static, Base::Sim, Base::Full].into_iter();
        let bases = [Base::Greedy, Base::NoLeaves, Base::Heuri("heuri1"), Base::Linear(path.into())].into_iter();
        let bases = bases.chain(leave(None)).chain(leave(file()));
        let bases = bases.chain(of_files.flat_map(|base| [base(None), base(file())]));
        let own = bases.flat_map(|base| switches.map(|endgame| PlayerSpec { base: base.clone(), endgame }.into()));
        let addresses = [Address::Command(path.into()), Address::Socket(format!("{path}:1"))].into_iter();
        own.chain(addresses.map(|address| MatchPlayer::External { address, answer_time: None })).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn names_are_read_as_they_are_shown(path in "\\PC{0,8}[a-z]\\PC{0,8}") {
            for spec in specs(&path) {
                let name = spec.to_string();
                assert_eq!(name.parse::<MatchPlayer>().as_ref(), Ok(&spec), "{name}");
                let text = serde_json::to_string(&spec).unwrap();
                assert_eq!(text, serde_json::to_string(&name).unwrap());
                assert_eq!(serde_json::from_str::<MatchPlayer>(&text).unwrap(), spec);
                let own = name.parse::<PlayerSpec>();
                assert_eq!(own.is_err(), spec.is_external(), "{own:?}");
            }
        }

        #[test]
        fn what_is_read_is_shown_as_it_was(
            name in "((greedy|no-leaves|leave|linear|heuri1|network|static|sim|full|stdio|tcp)(\\+(pool|late|endgame)){0,3}(:.{0,5})?|.*)"
        ) {
            match name.parse::<MatchPlayer>() {
                Ok(spec) => assert_eq!(spec.to_string(), name),
                Err(error) => assert!(error.to_string().starts_with(&format!("{name:?} is not a player"))),
            }
        }
    }

    #[test]
    fn impossible_players_are_refused_with_the_reason() {
        for (name, reason) in [
            ("greedy+pool", "only leave has"),
            ("network+late:net", "only leave has"),
            ("leave+late+pool", "in this order"),
            ("leave+endgame+endgame", "at most once"),
            ("leave+", "each at most once"),
            ("greedy:x", "no file"),
            ("heuri1:x", "no file"),
            ("leave:", "no path"),
            ("linear", "path of its weights"),
            ("stdio: ", "no command"),
            ("stdio+endgame:true", "external"),
            ("tcp:localhost", "HOST:PORT"),
        ] {
            let error = name.parse::<PlayerSpec>().unwrap_err();
            assert!(matches!(error, SpecError::Impossible { .. }) && error.to_string().contains(reason), "{error}");
        }
        for name in ["", ":", "+endgame", "endgame", "heuri", "heuri9", "Leave", "evolved"] {
            assert_eq!(name.parse::<PlayerSpec>(), Err(SpecError::Unknown { name: name.into() }));
        }
    }

    #[test]
    fn only_external_players_have_an_answer_time() {
        let timed = |name: &str| name.parse::<MatchPlayer>().unwrap().with_answer_time(Duration::from_secs(1));
        let external = timed("stdio:engine").unwrap();
        assert!(matches!(&external, MatchPlayer::External { answer_time: Some(_), .. }));
        assert_eq!(external.to_string(), "stdio:engine");
        assert!(timed("sim:a.toml").unwrap_err().to_string().contains("player sim:a.toml belongs to this program"));
    }
}
