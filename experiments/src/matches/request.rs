//! Match requests: the flags of `match` and the config file that they override, as plain data.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{ArtefactWriter, MANIFEST};
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_engine::{MatchPlayer, Monitor, Player, Setup};
use tilewright_train::journal::{Journal, JournalError};
use tilewright_train::match_games::GamesFormat;
use tilewright_train::run::{Place, Run};
use tilewright_train::stored_match::MatchSpec;
use tilewright_train::stored_match::spec::{Hypotheses, MAX_OVERTIME, MOVES};

use crate::flags::{BuildFlag, CommonFlags, MOST_SECONDS, PlayFlags, TableFlags, duration, player_named};
use crate::runs::{self, Context, Programs};
use crate::status::status;
use crate::{Failure, Input, Progress, configs, loading};

#[derive(Clone, Debug, Args)]
pub struct MatchArguments {
    /// The game, the seed, the threads and the word map.
    #[command(flatten)]
    pub flags: PlayFlags,
    /// The tables of players that name none.
    #[command(flatten)]
    pub tables: TableFlags,
    /// Player A. All figures are from its view. Static players: greedy (the score), no-leaves (with the rule for an empty
    /// bag and random ties), leave (the embedded table), leave:PATH. Suffixes adjust leaves: +pool to the unseen tiles,
    /// +late to a nearly empty bag, +pool+late to both. sim simulates, full also solves pre-endgames and endgames, and
    /// :FILE.toml configures them (engine/configs/players). External players are stdio:COMMAND and tcp:HOST:PORT (tilewright
    /// serve --help)
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<MatchPlayer>, requires = "player_b", required_unless_present_any = ["players", "config"])]
    pub player_a: Option<MatchPlayer>,
    /// Player B
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<MatchPlayer>, requires = "player_a")]
    pub player_b: Option<MatchPlayer>,
    /// Players of a round robin: each plays every other on the same deals. Prints a cross table, a ranking, and simultaneous
    /// intervals. May be repeated
    #[arg(long, visible_alias = "player", value_name = "PLAYER", value_parser = player_named::<MatchPlayer>, num_args = 1.., conflicts_with_all = ["player_a", "player_b"])]
    pub players: Vec<MatchPlayer>,
    /// Config that names players, pairs, seed and test (configs/matches). Other flags override it
    #[arg(value_name = "CONFIG")]
    pub config: Option<PathBuf>,
    /// Pairs of games per match, with --sequential the maximum. The two games of a pair share their deal and swap the seats
    /// [default: 2000; with --sequential 50000]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS)
    )]
    pub pairs: Option<u64>,
    /// Give the two games of a pair separate deals, as in a match without pairing
    #[arg(long)]
    pub unpaired: bool,
    /// Stop when a sequential probability ratio test of the pairs accepts one of these win rates of player A, in percent.
    /// Without a value they are 50:51
    #[arg(
        long,
        visible_alias = "sprt",
        value_name = "H0:H1",
        num_args = 0..=1,
        default_missing_value = "50:51"
    )]
    pub sequential: Option<Hypotheses>,
    #[command(flatten)]
    pub rates: ErrorRates,
    /// Time of each player per game, such as 25m or 30s. The games then depend on the machine and cannot be reproduced
    /// [default: no clock]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub clock: Option<Duration>,
    /// With --clock: penalty in points for each started minute of overtime, as in tournaments
    #[arg(long, value_name = "POINTS", requires = "clock", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..=i64::from(MAX_OVERTIME)))]
    pub overtime: i32,
    /// External players: time per move. After it the turn is lost. The start may take a minute. On Linux without --clock,
    /// stdio: players have CPU time. A program that only waits has ten times as long, at least 5s. All others have elapsed
    /// time [default: 10s elapsed; with --clock 10s more than the time left]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub answer_time: Option<Duration>,
    /// Folder of the match, which keeps its pairs. To resume a killed match, rerun the command. To extend a match of two, add --pairs
    /// [default: in memory]
    #[arg(long, value_name = "DIR", conflicts_with = "fault_log")]
    pub out: Option<PathBuf>,
    /// Whether work of another build is continued.
    #[command(flatten)]
    pub build: BuildFlag,
    /// Also write the figures as JSON to a new file. If this match was stopped, its own file is replaced
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub files: FileFlags,
}

/// The files that `match` writes besides its figures.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileFlags {
    /// External players: new file for their faults, one per line
    #[arg(long, value_name = "FILE")]
    pub fault_log: Option<PathBuf>,
    /// Also write a row for each pair of games as Parquet to a new file. Needs exactly two players. If this match was
    /// stopped, its own file is replaced
    #[arg(long, value_name = "FILE")]
    pub pairs_out: Option<PathBuf>,
    /// Also write every game to a new folder. Needs exactly two players. If this match was stopped, its own folder is
    /// replaced. A match with --out keeps the moves from its first run on, or never
    #[arg(long, value_name = "DIR")]
    pub games_out: Option<PathBuf>,
    /// With --games-out: parquet, with a row per turn as selfplay writes it, or gcg, with a file per game
    #[arg(long, value_name = "FORMAT", requires = "games_out", default_value = "parquet", value_enum)]
    pub games_format: GamesFormatFlag,
    /// With --games-out: also the N best moves of each turn with their equities, as the player ranks them before it looks
    /// ahead. Games that are written after a stop have none
    #[arg(long, value_name = "N", requires = "games_out", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub candidates: Option<u32>,
}

/// A value of `--games-format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum GamesFormatFlag {
    /// A row per turn.
    #[default]
    Parquet,
    /// A file per game.
    Gcg,
}

impl From<GamesFormatFlag> for GamesFormat {
    fn from(flag: GamesFormatFlag) -> GamesFormat {
        match flag {
            GamesFormatFlag::Parquet => GamesFormat::Parquet,
            GamesFormatFlag::Gcg => GamesFormat::Gcg,
        }
    }
}

pub const MAX_PAIRS: u64 = 1_000_000_000;
/// The default number of pairs.
const PAIRS: u64 = 2000;
/// The default limit of a sequential test, which hardly ever reaches it.
const MOST_PAIRS: u64 = 50_000;

/// The error rates of the sequential test.
#[derive(Clone, Debug, Default, Args, Serialize)]
pub struct ErrorRates {
    /// Probability that the test accepts H1 although H0 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub alpha: Option<f64>,
    /// Probability that the test accepts H0 although H1 is true [default: 0.05]
    #[arg(long, value_name = "PROBABILITY", value_parser = read_error_rate)]
    pub beta: Option<f64>,
}

/// Reads an error rate, such as `0.05`.
fn read_error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|&rate: &f64| 0.0 < rate && rate < 0.5);
    rate.ok_or_else(|| "expected a probability above 0 and below 0.5, as in 0.05".into())
}

/// A match between two players, or a round robin between more.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// The game, the threads and the word map.
    pub flags: PlayFlags,
    pub spec: MatchSpec,
    /// The files besides the figures. A job has none: it writes into its folder alone.
    #[serde(skip)]
    pub files: FileFlags,
    /// The config file that names the players, if the command line does not.
    #[serde(skip)]
    config: Option<String>,
}

impl MatchRequest {
    /// A match without files.
    pub fn new(flags: PlayFlags, spec: MatchSpec) -> MatchRequest {
        MatchRequest { flags, spec, files: FileFlags::default(), config: None }
    }

    /// The match of the flags. The config gives the values without a flag.
    ///
    /// # Errors
    /// [`Failure::Input`] for an invalid config, and for flags that do not go together.
    pub fn from_flags(arguments: &MatchArguments) -> Result<MatchRequest, Failure> {
        let mut spec = arguments.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
        let mut config = arguments.config.as_ref().map(|path| path.display().to_string());
        let named: Vec<MatchPlayer> =
            arguments.player_a.iter().chain(&arguments.player_b).chain(&arguments.players).cloned().collect();
        if !named.is_empty() {
            (spec.players, config) = (named, None);
        }
        let mut flags = arguments.flags.clone();
        let game = &mut flags.common.game;
        // The lexicon of the config is for the tile set of the config.
        if game.tileset.is_none() || game.tileset == spec.tileset {
            game.lexicon = game.lexicon.take().or(spec.lexicon.take());
        }
        game.tileset = game.tileset.take().or(spec.tileset.take());
        game.tables.clone_from(&arguments.tables);
        name_game_of(&spec.players, &arguments.tables, &mut flags.common)?;
        spec.seed = flags.common.seed.or(spec.seed);
        spec.unpaired |= arguments.unpaired;
        spec.sequential = arguments.sequential.or(spec.sequential);
        let default = if spec.sequential.is_some() { MOST_PAIRS } else { PAIRS };
        spec.pairs = arguments.pairs.or(spec.pairs).or(Some(default));
        spec.alpha = arguments.rates.alpha.or(spec.alpha);
        spec.beta = arguments.rates.beta.or(spec.beta);
        if let Some(time) = arguments.clock {
            (spec.clock_seconds, spec.overtime) = (Some(time.as_secs_f64()), Some(arguments.overtime));
        }
        spec.answer_seconds = arguments.answer_time.map(|time| time.as_secs_f64()).or(spec.answer_seconds);
        let request = MatchRequest { flags, spec, files: arguments.files.clone(), config };
        request.check()?;
        Ok(request)
    }

    /// Checks the values together. They may come from a config or a job.
    pub fn check(&self) -> Result<(), Failure> {
        let MatchRequest { spec, files, .. } = self;
        let count = spec.players.len();
        if count < 2 {
            let found = spec.players.first().map_or("no player".into(), |player| format!("only {player}"));
            return Err(Failure::input(format!(
                "{found} is named; a match needs two players, a round robin more: add --players, or players = [...] in the config"
            )));
        }
        let flags = [
            ("--sequential", spec.sequential.is_some()),
            ("--pairs-out", files.pairs_out.is_some()),
            ("--games-out", files.games_out.is_some()),
            ("--fault-log", files.fault_log.is_some()),
            ("--answer-time", spec.answer_seconds.is_some()),
            ("an external player", !spec.programs().is_empty()),
        ];
        if let Some((flag, _)) = flags.into_iter().find(|&(_, is_given)| is_given && count > 2) {
            return Err(Failure::input(format!("{flag} needs exactly two players, but {count} are named")));
        }
        if spec.sequential.is_none() && (spec.alpha.is_some() || spec.beta.is_some()) {
            return Err(Failure::input("--alpha and --beta are error rates of a sequential test; add --sequential H0:H1"));
        }
        if spec.clock().is_none() && (spec.clock_seconds.is_some() || spec.overtime.is_some()) {
            return Err(Failure::input("config: clock_seconds, above 0, and overtime, 0 to 10000 points, need each other"));
        }
        if let Some(seconds) = spec.answer_seconds.filter(|seconds| !(*seconds > 0.0 && *seconds <= MOST_SECONDS)) {
            return Err(Failure::input(format!(
                "config: answer_seconds = {seconds:?}; expected seconds above 0, and {MOST_SECONDS} at most"
            )));
        }
        self.test()?;
        self.pairs().map(drop)
    }

    /// Pairs per match, with a test the maximum.
    ///
    /// # Errors
    /// [`Failure::Input`] if the number is missing or out of range.
    pub fn pairs(&self) -> Result<u64, Failure> {
        match self.spec.pairs {
            Some(pairs) if (1..=MAX_PAIRS).contains(&pairs) => Ok(pairs),
            Some(pairs) => Err(Failure::input(format!("config: pairs = {pairs}; expected 1 to {MAX_PAIRS}"))),
            None => Err(Failure::input("no number of pairs; add --pairs N, or pairs = N in the config")),
        }
    }

    /// The sequential test, which may end a match of two players early.
    ///
    /// # Errors
    /// [`Failure::Input`] for rates with which no test exists.
    pub fn test(&self) -> Result<Option<SequentialTest>, Failure> {
        self.spec.test().input()
    }

    /// Says which file names the programs that the match is about to start, unless the command line does.
    ///
    /// # Errors
    /// [`Failure::Input`] for programs that the context refuses.
    fn announce_programs(&self, programs: Programs<'_>) -> Result<(), Failure> {
        let file = match (programs, &self.config) {
            (Programs::Refused, _) => return runs::refuse_programs("the job", &self.spec.programs()),
            (_, Some(config)) => config,
            (Programs::OfStudy(study), None) => study,
            (Programs::Named, None) => return Ok(()),
        };
        self.spec.programs().iter().for_each(|program| status!("{file} names a program, which takes part now: {program}"));
        Ok(())
    }

    /// Loads the players, and starts those that are programs. The answer time limits them.
    ///
    /// # Errors
    /// [`Failure::Input`] for players that cannot be used, and for an answer time without an external player.
    pub fn load_players(&self, setup: &Setup, programs: Programs<'_>, progress: &Progress) -> Result<Vec<Player>, Failure> {
        self.announce_programs(programs)?;
        let (game, players) = (&self.flags.common.game, &self.spec.players);
        let has_external = players.iter().any(MatchPlayer::is_external);
        let load = |player: &MatchPlayer| {
            let mut player = player.clone();
            if let Some(seconds) = self.spec.answer_seconds.filter(|_| player.is_external() || !has_external) {
                player = player.with_answer_time(Duration::from_secs_f64(seconds)).input()?;
            }
            loading::match_player(&player, setup, game, progress)
        };
        players.iter().map(load).collect()
    }

    /// Opens the journal of a run in the folder of the context, or one in memory. A finished match in the folder is not finished any more.
    ///
    /// # Errors
    /// [`JournalError`]. [`Failure::Input`] if only one of the two has moves: the folder's pairs, or this run.
    pub fn journal<'m>(
        &self,
        run: &impl Run,
        context: &Context<'_>,
        monitor: &'m dyn Monitor,
    ) -> Result<Journal<'m>, Failure> {
        let Some(out) = context.out else { return Ok(Journal::in_memory(monitor)) };
        match context.open(out, &run.key(), true, monitor) {
            Err(JournalError::OtherRun { what, .. }) if what == MOVES => {
                let advice = if self.files.games_out.is_some() {
                    "the pairs of this run have no moves; leave --games-out out"
                } else {
                    "this run keeps the moves of its games; add --games-out DIR"
                };
                Err(Failure::input(format!("{}: {advice}, or choose another --out", out.display())))
            }
            journal => {
                let journal = journal?;
                runs::say_resumed(out, self.flags.common.game.quiet);
                journal.folder().map_or(Ok(()), |folder| folder.remove(MANIFEST))?;
                Ok(journal)
            }
        }
    }
}

/// Writes the manifest of a finished match into the folder of its journal, unless that is in memory.
pub fn finish<R: Run>(run: &R, outcome: &R::Outcome, journal: &Journal<'_>) -> Result<(), Failure> {
    let (Some(folder), Some(key)) = (journal.folder(), journal.key()) else { return Ok(()) };
    run.write(outcome, Place { folder, key })?.map_or(Ok(()), ArtefactWriter::finish)?;
    runs::end_outputs(journal);
    Ok(())
}

/// Names the game of the first player that is an artefact, unless flags name one.
pub fn name_game_of(players: &[MatchPlayer], tables: &TableFlags, flags: &mut CommonFlags) -> Result<(), Failure> {
    let own = players.iter().filter_map(|player| match player {
        MatchPlayer::Own(spec) => Some(spec),
        MatchPlayer::External { .. } => None,
    });
    loading::name_game_of_players(own, tables, flags)
}

fn read_config(path: &Path) -> Result<MatchSpec, Failure> {
    let (text, _) = configs::read(path, "matches")?;
    toml::from_str(&text).map_err(|error| Failure::input(format!("config {}: {error}", path.display())))
}
