//! Flags that many verbs share. The comments on fields are the texts of `--help`.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{Lexicons, Loader, Tables};
use tilewright_engine::lexicon::EMBEDDED_NAME;
use tilewright_engine::player::SpecError;
use tilewright_engine::{Monitor, PlayerSpec, Setup};
use tilewright_train::journal::{Journal, Opening, RunKey};

use crate::status::did_you_mean;
use crate::{Failure, NewFile};

/// The tile set if `--tileset` is not given.
pub const DEFAULT_TILESET: &str = "english";

/// The game: its words and its tile set.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameFlags {
    /// Word list: enable2k (embedded), or a text (also as .gz, .xz or .zip) or a .kwg file [default: of the config or the artefact,
    /// otherwise enable2k]
    #[arg(long, value_name = "NAME|FILE")]
    pub lexicon: Option<String>,
    /// Tile set: english, french, german, spanish, polish, dutch, norwegian, swedish, catalan, english_super, slovene,
    /// portuguese, italian, danish, romanian, hungarian, czech, slovak, greek, or a TOML file
    /// [default: of the config or the artefact, otherwise english]
    #[arg(long, value_name = "NAME|FILE")]
    pub tileset: Option<String>,
    /// Use tables made for another lexicon
    #[arg(long)]
    pub accept_other_lexicon: bool,
    /// Print no progress and no warnings
    #[arg(long, short)]
    #[serde(skip)]
    pub quiet: bool,
    /// The tables of players that name none, in verbs that have the flags for them.
    #[arg(skip)]
    pub tables: TableFlags,
}

/// The tables of players that name none.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableFlags {
    /// Leave table of players that name none, such as leave, leave+pool and sim: an artefact folder, a .klv2 or a .csv
    /// [default: the embedded table]
    #[arg(long, value_name = "PATH")]
    pub leaves: Option<PathBuf>,
    /// Win table of simulations: an artefact folder or a file [default: the embedded one, or one scaled to the tile set]
    #[arg(long, value_name = "PATH")]
    pub win_percentage: Option<PathBuf>,
    /// Network of the player network: an artefact folder. Where no player is named, it ranks the moves
    /// [default: the embedded network, for this player alone]
    #[arg(long, value_name = "PATH")]
    pub network: Option<PathBuf>,
}

impl TableFlags {
    fn tables(&self) -> Tables<'_> {
        let TableFlags { leaves, win_percentage, network } = self;
        let [leaves, win_percentage, network] = [leaves, win_percentage, network].map(Option::as_deref);
        Tables { leaves, win_percentage, network }
    }

    /// Adds the paths to players without a path, so that the config of a run names all its inputs.
    pub fn name_in<'a>(&self, players: impl IntoIterator<Item = &'a mut PlayerSpec>) {
        for player in players {
            player.fill_in(self.tables());
        }
    }
}

/// The game, the seed and the threads.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommonFlags {
    #[command(flatten)]
    pub game: GameFlags,
    /// Seed of every random draw [default: 1, or the seed of the config]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Threads to use, without effect on the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[serde(skip)]
    pub threads: Option<u16>,
}

/// The flags of verbs that read tables or words, and play no games.
#[derive(Clone, Debug, Default, Args)]
pub struct ReadFlags {
    #[command(flatten)]
    pub game: GameFlags,
    /// Threads to use, without effect on the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// The flags of verbs that play games.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayFlags {
    #[command(flatten)]
    pub common: CommonFlags,
    /// Generate moves without the word map: less memory, much slower, the same moves
    #[arg(long)]
    pub no_word_map: bool,
}

/// The flag of verbs that go on with stored work.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct BuildFlag {
    /// Go on with work that another build of the program began. The manifest then names both builds
    #[arg(long)]
    pub accept_other_build: bool,
}

/// The file for the result of a verb as JSON.
#[derive(Clone, Debug, Default, Args)]
pub struct JsonFlag {
    /// Also write the result as JSON to a new file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Where a run and its result go.
#[derive(Clone, Debug, Default, Args)]
pub struct RunFlags {
    /// Folder of the run. To resume it, or to see the result again, rerun the command [default: a new folder in runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the finished result of this run
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub build: BuildFlag,
    #[command(flatten)]
    pub json: JsonFlag,
}

/// The names of players, without paths.
const PLAYERS: [&str; 13] = [
    "greedy",
    "no-leaves",
    "leave",
    "leave+pool",
    "leave+late",
    "leave+pool+late",
    "linear",
    "heuri1",
    "heuri2",
    "heuri3",
    "network",
    "static",
    "full",
];

/// Reads the name of a player. An error names the nearest one.
pub fn player_named<P: FromStr<Err = SpecError>>(text: &str) -> Result<P, String> {
    let name = text.split(':').next().unwrap_or_default();
    text.parse().map_err(|error: SpecError| format!("{error}{}", did_you_mean(name, PLAYERS)))
}

impl BuildFlag {
    /// The journal in the folder that `flag` names, or one in memory.
    pub fn journal<'m>(
        self,
        (flag, folder): (&str, Option<&Path>),
        key: &RunKey,
        monitor: &'m dyn Monitor,
    ) -> Result<Journal<'m>, Failure> {
        let Some(folder) = folder else { return Ok(Journal::in_memory(monitor)) };
        let opening = Opening { accept_other_build: self.accept_other_build, ..Opening::new(monitor) };
        Journal::open_as(folder, key, opening).map_err(|error| Failure::of_folder(error, flag))
    }
}

impl JsonFlag {
    /// The file, checked before the work.
    pub fn file(&self) -> Result<NewFile<'_>, Failure> {
        NewFile::new(self.json.as_deref())
    }

    /// The files of `--out` and `--json`, which must differ.
    pub fn files<'a>(&'a self, save: Option<&'a Path>) -> Result<[NewFile<'a>; 2], Failure> {
        new_files([("--save", save), ("--json", self.json.as_deref())])
    }
}

/// The files of some flags, checked before the work. No two may be the same.
pub fn new_files<'a, const N: usize>(flags: [(&str, Option<&'a Path>); N]) -> Result<[NewFile<'a>; N], Failure> {
    for (at, (flag, path)) in flags.iter().enumerate() {
        NewFile::new(*path)?;
        if let (Some(path), Some((other, _))) = (path, flags[..at].iter().find(|(_, other)| other == path)) {
            return Err(Failure::input(format!("{flag} and {other} both name {}; choose two names", path.display())));
        }
    }
    Ok(flags.map(|(_, path)| NewFile::unchecked(path)))
}

impl GameFlags {
    /// The flags that select the same game in a suggested command, each after a space, without defaults.
    pub fn repeated(&self) -> String {
        let mut flags = String::new();
        for (flag, name, default) in
            [("--lexicon", &self.lexicon, EMBEDDED_NAME), ("--tileset", &self.tileset, DEFAULT_TILESET)]
        {
            if let Some(name) = name.as_deref().filter(|&name| name != default) {
                flags += &format!(" {flag} {}", shell_word(name));
            }
        }
        if self.accept_other_lexicon {
            flags += " --accept-other-lexicon";
        }
        flags
    }

    /// The name of the tile set, or its file.
    pub fn tileset_name(&self) -> &str {
        self.tileset.as_deref().unwrap_or(DEFAULT_TILESET)
    }

    /// The lexicons that loaded tables and records may come from.
    pub fn lexicons(&self) -> Lexicons {
        if self.accept_other_lexicon { Lexicons::Any } else { Lexicons::Same }
    }

    /// The loader of players, tables and records for the game of `setup`.
    pub fn loader<'a>(&'a self, setup: &'a Setup) -> Loader<'a> {
        Loader { setup, lexicons: self.lexicons(), tables: self.tables.tables() }
    }

    /// The same game, with these tables of players that name none.
    pub fn with_tables(&self, tables: &TableFlags) -> GameFlags {
        GameFlags { tables: tables.clone(), ..self.clone() }
    }
}

impl PlayFlags {
    /// The same flags, with these tables of players that name none.
    #[must_use]
    pub fn with_tables(&self, tables: &TableFlags) -> PlayFlags {
        let game = self.common.game.with_tables(tables);
        PlayFlags { common: CommonFlags { game, ..self.common.clone() }, ..self.clone() }
    }
}

/// A name as one word of a shell command: in quotes if a shell might interpret one of its characters.
pub fn shell_word(name: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "-_./:,+=@%".contains(character);
    if !name.is_empty() && name.chars().all(is_plain) { name.into() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

/// The flags that name outputs of a verb.
const OUTPUTS: [&str; 9] =
    ["--cache", "--fault-log", "--games-out", "--html", "--json", "--keep", "--out", "--pairs-out", "--save"];

/// Whether a flag names an output.
pub fn names_output(flag: &str) -> bool {
    OUTPUTS.contains(&flag)
}

/// The units of durations, in seconds. No unit ends in an earlier unit.
const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// The longest duration, in seconds: a year.
pub const MOST_SECONDS: f64 = 3e7;

/// Reads a duration such as `50ms`, `90s`, `25m` or `2h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let refuse = || format!("{text:?} is an invalid duration; expected, for example, 50ms, 90s, 25m or 2h");
    let known = UNITS.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = known.ok_or_else(refuse)?;
    let time = seconds * number.parse::<f64>().map_err(|_| refuse())?;
    if time > 0.0 && time < MOST_SECONDS { Ok(Duration::from_secs_f64(time)) } else { Err(refuse()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_need_units() {
        assert_eq!(duration("25m"), Ok(Duration::from_mins(25)));
        assert_eq!(duration("0.5s"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("50ms"), Ok(Duration::from_millis(50)));
        for wrong in ["", "5", "m", "ms", "-1s", "0s", "0ms", "NaNs", "1e99h", "5é"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn players_that_name_no_table_are_given_that_of_the_flags() {
        let tables = TableFlags { leaves: Some("a".into()), win_percentage: Some("w.csv".into()), network: None };
        let names = ["leave", "leave+pool+endgame", "leave:b", "network", "greedy", "sim"];
        let mut players = names.map(|name| name.parse::<PlayerSpec>().unwrap());
        tables.name_in(&mut players);
        assert_eq!(
            players.map(|player| player.to_string()),
            ["leave:a", "leave+pool+endgame:a", "leave:b", "network", "greedy", "sim"]
        );
    }

    #[test]
    fn a_suggested_command_names_the_same_game() {
        let mut game = GameFlags {
            lexicon: Some("enable2k".into()),
            tileset: Some("english".into()),
            accept_other_lexicon: false,
            quiet: true,
            tables: TableFlags::default(),
        };
        assert_eq!(game.repeated(), "");
        game.lexicon = Some("my words/it's.txt".into());
        (game.tileset, game.accept_other_lexicon) = (Some("spanish".into()), true);
        assert_eq!(game.repeated(), r" --lexicon 'my words/it'\''s.txt' --tileset spanish --accept-other-lexicon");
        assert_eq!([shell_word("leave:añil.csv"), shell_word("$a"), shell_word("")], ["leave:añil.csv", "'$a'", "''"]);
    }
}
