//! `selfplay`: plays games and records every turn as Parquet. Each file holds one shard, a range of games.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde::{Deserialize, Serialize};
use tilewright_engine::features::{Feature, Features};
use tilewright_engine::win_percentage::{WinPercentage, csv};
use tilewright_engine::{LeaveData, Player, PlayerSpec, Setup};
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::selfplay::Selfplay;
use tilewright_train::selfplay::valued::ValuedConfig;

use crate::fitting::{self, RunJson};
use crate::flags::{PlayFlags, RunFlags, TableFlags, player_named, shell_word};
use crate::runs::{Context, Finished, RunRequest, Told};
use crate::{Failure, Input, Progress, loading};

#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfplayArguments {
    #[command(flatten)]
    pub flags: PlayFlags,
    /// The tables of players without a path. The leave table is also for the features.
    #[command(flatten)]
    pub tables: TableFlags,
    /// Games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Player of both sides: greedy, leave, leave:PATH, leave+pool+late:PATH, … [default: leave, or network with --network]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub player: Option<PlayerSpec>,
    /// Another player for the other side. The two take turns to move first [default: the same player]
    #[arg(long, value_name = "PLAYER", value_parser = player_named::<PlayerSpec>)]
    pub opponent: Option<PlayerSpec>,
    /// Also record the N best moves of some turns as the player ranks them, with features and the board as CGP: a training set. Every game is played
    /// twice for it, so the player must not have a time limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=500))]
    pub candidates: Option<u32>,
    /// Simulate each of them on N deals, two plies deep. 0 simulates none
    #[arg(long, value_name = "N", requires = "candidates", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub deals: u64,
    /// The turns: one in N of each game
    #[arg(long, value_name = "N", requires = "candidates", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub every: u64,
    /// Features of the moves, separated by commas [default: those of the shipped network]
    #[arg(long, value_name = "NAMES", requires = "candidates", value_delimiter = ',')]
    pub features: Vec<String>,
    #[command(flatten)]
    #[serde(skip)]
    pub run: RunFlags,
}

pub struct LoadedSelfplay {
    player: Player,
    opponent: Option<Player>,
    wanted: Option<Wanted>,
    begun: Instant,
}

impl AsRef<PlayFlags> for SelfplayArguments {
    fn as_ref(&self) -> &PlayFlags {
        &self.flags
    }
}

impl RunRequest for SelfplayArguments {
    type Loaded = LoadedSelfplay;
    type Run<'a> = Selfplay<'a>;
    const DOING: &'static str = "playing";

    fn load(&mut self, setup: &Arc<Setup>, _context: &Context<'_>, _progress: &Progress) -> Result<LoadedSelfplay, Failure> {
        let game = &self.flags.common.game;
        let player = loading::player(&self.player(setup), setup, game)?;
        let opponent = self.opponent.as_ref().map(|spec| loading::player(spec, setup, game)).transpose()?;
        let wanted = Wanted::new(self, &player, setup)?;
        Ok(LoadedSelfplay { player, opponent, wanted, begun: Instant::now() })
    }

    fn run<'a>(&'a self, setup: &'a Setup, loaded: &'a LoadedSelfplay) -> Result<Self::Run<'a>, Failure> {
        let LoadedSelfplay { player, opponent, wanted, .. } = loaded;
        let valued = |Wanted { features: wanted, leaves, win_percentage, identity }: &'a Wanted| {
            let features = Features::new(wanted, setup, leaves.clone()).input()?;
            let sizes = (self.candidates.unwrap_or_default() as usize, self.every, self.deals);
            let ranker = (loading::ranker(player)?, identity.as_str());
            Ok::<_, Failure>(ValuedConfig::new(ranker, sizes, (features, wanted.clone()), win_percentage))
        };
        let valued = wanted.as_ref().map(valued).transpose()?;
        let players = [player, opponent.as_ref().unwrap_or(player)];
        Ok(Selfplay { setup, players, seed: self.seed(), games: self.games, valued })
    }

    fn name(&self, setup: &Setup) -> String {
        let (lexicon, games) = (&setup.lexicon.name, self.games);
        format!("selfplay-{lexicon}-{}-{games}-games-{}", self.player(setup).kind(), self.seed())
    }

    fn finish(&self, finished: Finished<'_, Selfplay<'_>>, loaded: &LoadedSelfplay) -> Result<Told, Failure> {
        let (seconds, games) = (loaded.begun.elapsed().as_secs_f64(), self.games);
        let (games_per_second, opponent) = (games as f64 / seconds, loaded.opponent.as_ref().map(|player| &*player.name));
        let (run, player) = (finished.json, &*loaded.player.name);
        let summary =
            format!("{games} games by {player}{}", opponent.map_or(String::new(), |other| format!(" and {other}")));
        let times = Some(format!("{seconds:.1} s, {games_per_second:.0} games per second"));
        let written = finished.file.write_json(&SelfplayResult { run, player, opponent, games, seconds, games_per_second });
        Ok(Told { summary, times, written })
    }

    fn next(&self, out: &Path, _setup: &Setup, _loaded: &LoadedSelfplay) -> String {
        let folder = shell_word(&out.to_string_lossy());
        let next = match self.candidates {
            Some(_) => {
                format!("tilewright export {folder} --out dataset writes the valued moves with the meaning of each column")
            }
            None => format!("tilewright analyse {folder}"),
        };
        format!("The records are in {}.\nNext: {next}", out.display())
    }
}

impl SelfplayArguments {
    /// The request of these flags, with the tables of players that name none.
    ///
    /// # Errors
    /// As [`loading::name_game_of`].
    pub fn request(mut self) -> Result<SelfplayArguments, Failure> {
        loading::name_game_of_players(self.player.iter().chain(&self.opponent), &self.tables, &mut self.flags.common)?;
        Ok(SelfplayArguments { flags: self.flags.with_tables(&self.tables), ..self })
    }

    fn player(&self, setup: &Setup) -> PlayerSpec {
        let game = &self.flags.common.game;
        self.player.clone().unwrap_or_else(|| PlayerSpec::default_of(game.loader(setup)))
    }

    fn seed(&self) -> u64 {
        self.flags.common.seed.unwrap_or(1)
    }
}

/// The inputs of the valued candidates, besides the flags.
pub struct Wanted {
    features: Vec<Feature>,
    leaves: Option<LeaveData>,
    win_percentage: WinPercentage,
    /// The identity of the ranker and the leave table.
    identity: String,
}

impl Wanted {
    /// The inputs for these flags, or `None` without `--candidates`.
    fn new(arguments: &SelfplayArguments, player: &Player, setup: &Setup) -> Result<Option<Wanted>, Failure> {
        if arguments.candidates.is_none() {
            return Ok(None);
        }
        let game = &arguments.flags.common.game;
        let features = features(&arguments.features)?;
        let needs_leaves = features.iter().any(|feature| feature.needs_leaves());
        let leaves = loading::needed_leaves(needs_leaves, None, setup, game)?;
        let table = leaves.as_ref().map(|leaves| leaves.identity(&setup.tileset)).unwrap_or_default();
        let win_percentage = loading::win_percentage(setup, game)?;
        let own_win_percentage =
            game.tables.win_percentage.as_ref().map(|_| csv::write(&win_percentage)).unwrap_or_default();
        let identity = format!("{} {table}{}", player.identity, own_win_percentage);
        Ok(Some(Wanted { features, leaves, win_percentage, identity }))
    }
}

/// The features of these names. Without names, the features of the shipped network.
fn features(names: &[String]) -> Result<Vec<Feature>, Failure> {
    if names.is_empty() {
        return Ok(fitting::from_file::<NetworkConfig>(Path::new("enable2k"))?.features.into_iter().collect());
    }
    let named = |name: &String| {
        let found = Feature::all().iter().find(|feature| feature.about().name == name);
        found.copied().ok_or_else(|| {
            Failure::input(format!("--features {name}: there is no such feature; tilewright features lists them"))
        })
    };
    if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        return Err(Failure::input(format!("--features names {twice} twice")));
    }
    names.iter().map(named).collect()
}

/// The result of `selfplay`, with the times of this process.
#[derive(schemars::JsonSchema, Serialize)]
pub struct SelfplayResult<'a> {
    #[serde(flatten)]
    run: RunJson,
    player: &'a str,
    /// The other player, if two were named.
    opponent: Option<&'a str>,
    games: u64,
    seconds: f64,
    games_per_second: f64,
}
