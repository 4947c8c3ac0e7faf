//! The flags of benches, the positions of self-play that they measure, and figures of measurements.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use serde::Serialize;
use tilewright_engine::deals::Domain;
use tilewright_engine::pre_endgame::MAX_BAG;
use tilewright_engine::selfplay::{TurnSeen, play_game};
use tilewright_engine::{Base, Game, Generator, Monitor, Player, PlayerSpec, Setup};

use crate::flags::{GameFlags, PlayFlags, TableFlags, duration, player_named};
use crate::{Failure, Memos, NewFile, Progress, loading};

/// The most games that are played in search of one position.
const MAX_GAMES: u64 = 10_000;

/// A measurement that can begin.
pub struct Started<'a> {
    pub json: NewFile<'a>,
    pub setup: Arc<Setup>,
    /// The time to load the lexicon and to build the word map or the search graph.
    pub setup_seconds: f64,
    pub player: Player,
    pub subject: Subject,
    pub progress: Progress,
}

#[derive(Clone, schemars::JsonSchema, Serialize)]
pub struct Subject {
    lexicon: String,
    tileset: String,
    player: String,
    pub seed: u64,
}

impl Started<'_> {
    /// Loads the inputs of every measurement, and begins its reports.
    pub fn new(bench: &BenchFlags) -> Result<Started<'_>, Failure> {
        let common = &bench.flags.common;
        let json = NewFile::new(bench.json.as_deref())?;
        let begun = Instant::now();
        let setup = loading::start(&bench.flags, &Memos::default())?;
        let setup_seconds = begun.elapsed().as_secs_f64();
        let greedy = PlayerSpec::from(Base::Greedy);
        let default = (bench.tables.leaves.is_none() && bench.tables.network.is_none()).then_some(&greedy);
        let player = loading::player_or_default(bench.player.as_ref().or(default), &setup, &bench.game())?;
        let subject = Subject {
            lexicon: setup.lexicon.name.clone(),
            tileset: setup.tileset.name().into(),
            player: player.name.clone(),
            seed: common.seed.unwrap_or(1),
        };
        Ok(Started { json, setup, setup_seconds, player, subject, progress: Progress::new(common.game.quiet) })
    }

    /// Measures `count` positions of self-play. Each is of another game, at the turn that begins with `bag` tiles in the bag.
    /// `measure` takes the number of the game and the position.
    ///
    /// # Errors
    /// [`Failure::Input`] if many games have no such turn. [`Failure::Interrupted`] if a signal stops the bench.
    pub fn measure<T>(
        &self,
        (count, what): (u64, &'static str),
        bag: usize,
        mut measure: impl FnMut(u64, &Game) -> Result<T, Failure>,
    ) -> Result<Vec<T>, Failure> {
        let Started { setup, player, subject, progress, .. } = self;
        progress.begin("bench", count, what);
        let (mut generator, mut measured) = (Generator::new(setup), Vec::new());
        let (mut index, mut last) = (0, MAX_GAMES);
        while (measured.len() as u64) < count {
            go_on(progress)?;
            if index == last {
                let player = &player.name;
                return Err(Failure::input(format!(
                    "in none of {MAX_GAMES} games of {player} a turn begins with {bag} tiles in the bag; are there too few words?"
                )));
            }
            let mut game = Game::deal(setup, Domain::Match.deals(subject.seed), index);
            while !game.is_over() && game.bag.len() > bag {
                let chosen = player.choose(&mut generator, &game).chosen;
                game.make(setup, &chosen);
            }
            if !game.is_over() && game.bag.len() == bag {
                measured.push(measure(index, &game)?);
                progress.advance(1);
                last = index + 1 + MAX_GAMES;
            }
            index += 1;
        }
        progress.finish();
        Ok(measured)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.lexicon, self.tileset, self.player)
    }
}

/// Ends the bench if a signal asked for it.
pub fn go_on(progress: &Progress) -> Result<(), Failure> {
    if progress.is_stopped() { Err(Failure::Interrupted("nothing was written".into())) } else { Ok(()) }
}

/// All positions of the first games of self-play.
pub fn positions(setup: &Setup, player: &Player, seed: u64, games: u64) -> Vec<Game> {
    let (mut generator, mut positions) = (Generator::new(setup), Vec::new());
    for index in 0..games {
        let see = |seen: &TurnSeen<'_>| positions.push(seen.game.clone());
        play_game(&mut generator, [player; 2], Domain::Match.deals(seed), index, see);
    }
    positions
}

/// The head of a table of distributions.
pub const HEAD: &str = "                                median        95 %        most        mean";

/// The median, the 95th percentile, the maximum and the mean of a measured quantity.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Distribution {
    pub median: f64,
    pub percentile_95: f64,
    pub most: f64,
    /// The mean, or null without numbers.
    #[schemars(with = "Option<f64>")]
    pub mean: f64,
}

impl Distribution {
    /// The distribution of numbers. Without numbers the mean is NaN.
    pub fn from_numbers(numbers: impl Iterator<Item = f64>) -> Distribution {
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_by(f64::total_cmp);
        let at = |share: f64| numbers.get((numbers.len() as f64 * share) as usize).copied().unwrap_or_default();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        Distribution { median: at(0.5), percentile_95: at(0.95), most: numbers.last().copied().unwrap_or_default(), mean }
    }
}

/// The four numbers in the columns of [`HEAD`].
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Distribution { median, percentile_95, most, mean } = self;
        write!(f, "{median:>12.2}{percentile_95:>12.2}{most:>12.2}{mean:>12.2}")
    }
}

/// The peak memory of this process in megabytes, where the system reports it.
pub fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?;
    kilobytes.trim().parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0 / 1e6)
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct BenchArguments {
    #[command(subcommand)]
    pub verb: Option<BenchVerb>,
    #[command(flatten)]
    pub speed: SpeedArguments,
}

/// The measurements of `bench` besides the playing speed.
#[derive(Debug, Subcommand)]
pub enum BenchVerb {
    /// CPU time of each feature, on positions of self-play
    Features(FeaturesArguments),
    /// CPU time of endgame solving, and the errors of the fast evaluator and of static play against the solutions
    Endgames(EndgamesArguments),
    /// CPU time of pre-endgames, and the win probability of the chosen moves compared with the static ones
    PreEndgames(PreEndgamesArguments),
}

/// The flags of every measurement.
#[derive(Debug, Args)]
pub struct BenchFlags {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// Player of both sides: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: greedy, which any lexicon has;
    /// network with --network, or leave with --leaves]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    #[command(flatten)]
    pub tables: TableFlags,
    /// Also write the table as JSON to a new file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

impl BenchFlags {
    /// The game, with the tables of players that name none.
    pub fn game(&self) -> GameFlags {
        self.flags.common.game.with_tables(&self.tables)
    }
}

#[derive(Debug, Args)]
pub struct SpeedArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Repeats of each measurement. The table shows the best and the median
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
}

#[derive(Debug, Args)]
pub struct FeaturesArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Self-play games from which the positions come
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub games: u64,
}

#[derive(Debug, Args)]
pub struct EndgamesArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Endgames to solve, from the turn at which the bag is empty
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// Stop each search after N positions. An endgame that needs more stays unsolved [default: no limit]
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Also search each endgame for this CPU time only, and report the points that the moves chosen by then lose, such as 50ms or 2s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
}

#[derive(Debug, Args)]
pub struct PreEndgamesArguments {
    #[command(flatten)]
    pub bench: BenchFlags,
    /// Pre-endgames to solve
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// Tiles in the bag
    #[arg(long, value_name = "TILES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MAX_BAG as u64))]
    pub bag: u64,
}
