//! `selfplay`: plays games and records every turn as Parquet. Each file holds one shard, a range of games.

use std::fmt;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use tilewright_engine::features::{Feature, Features};
use tilewright_engine::leave::LeaveData;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;
use tilewright_engine::win_percentage::{WinPercentage, csv};
use tilewright_train::network::config::NetworkConfig;
use tilewright_train::selfplay::Selfplay;
use tilewright_train::selfplay::valued::ValuedConfig;

use crate::failure::{Failure, Input};
use crate::flags::CommonFlags;
use crate::progress::Progress;
use crate::run_config::RunJson;
use crate::{crew, loading, output, run_config};

pub mod flags;

use flags::SelfplayArguments;

/// `selfplay`.
pub fn run(arguments: &SelfplayArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let CommonFlags { game, seed, .. } = &arguments.flags.common;
    let game = &game.with_tables(&arguments.tables);
    let setup = loading::start(&arguments.flags)?;
    let player = loading::player_or_default(arguments.player.as_deref(), &setup, game)?;
    let opponent = arguments.opponent.as_deref().map(|name| loading::player(name, &setup, game)).transpose()?;
    let (seed, players) = (seed.unwrap_or(1), [&player, opponent.as_ref().unwrap_or(&player)]);
    let wanted = Wanted::new(arguments, &player, &setup)?;
    let valued = wanted.as_ref().map(|wanted| wanted.config(arguments, &player, &setup)).transpose()?;
    let selfplay = Selfplay { setup: &setup, players, seed, games: arguments.games, valued: valued.as_ref() };
    let (kind, key) = (player.name.split(':').next().unwrap_or_default(), selfplay.key());
    let default = format!("selfplay-{}-{kind}-{}-games-{seed}", setup.lexicon.name, arguments.games);
    let out = run_config::out_folder(arguments.out.as_deref(), &default, &key);
    let progress = Progress::new(game.quiet);
    let journal = crew::open(&out, &key, &progress)?;
    let begun = Instant::now();
    let end = selfplay.record(&journal, &out);
    progress.finish();
    end?;
    let seconds = begun.elapsed().as_secs_f64();
    let games = arguments.games;
    let run = RunJson::new(&out, &setup, seed);
    let games_per_second = games as f64 / seconds;
    let opponent = opponent.as_ref().map(|opponent| opponent.name.as_str());
    output::show(&SelfplayResult { run, player: &player.name, opponent, games, seconds, games_per_second }, json)
}

/// What the valued candidates are made from, besides the flags.
struct Wanted {
    features: Vec<Feature>,
    leaves: Option<LeaveData>,
    win_percentage: WinPercentage,
    /// What identifies the ranker and the leave table.
    identity: String,
}

impl Wanted {
    /// What is wanted; `None` without `--candidates`.
    fn new(arguments: &SelfplayArguments, player: &Player, setup: &Setup) -> Result<Option<Wanted>, Failure> {
        if arguments.candidates.is_none() {
            return Ok(None);
        }
        let game = &arguments.flags.common.game.with_tables(&arguments.tables);
        let features = features(&arguments.features)?;
        let needs_leaves = features.iter().any(|feature| feature.needs_leaves());
        let leaves = || loading::feature_leaves(None, setup, game);
        let leaves = needs_leaves.then(leaves).transpose()?;
        let table = leaves.as_ref().map(|leaves| leaves.identity(&setup.tileset)).unwrap_or_default();
        let win_percentage = loading::win_percentage(setup, game)?;
        let own_win_percentage =
            game.tables.win_percentage.as_ref().map(|_| csv::write(&win_percentage)).unwrap_or_default();
        let identity = format!("{} {table}{}", player.identity, own_win_percentage);
        Ok(Some(Wanted { features, leaves, win_percentage, identity }))
    }

    fn config<'a>(
        &'a self,
        arguments: &SelfplayArguments,
        player: &'a Player,
        setup: &Setup,
    ) -> Result<ValuedConfig<'a>, Failure> {
        let Wanted { features: wanted, leaves, win_percentage, identity } = self;
        let features = Features::new(wanted, setup, leaves.clone()).input()?;
        let sizes = (arguments.candidates.unwrap_or_default() as usize, arguments.every, arguments.simulate);
        Ok(ValuedConfig::new((loading::ranker(player)?, identity), sizes, (features, wanted.clone()), win_percentage))
    }
}

/// The features of these names; without names those of the shipped network.
fn features(names: &[String]) -> Result<Vec<Feature>, Failure> {
    if names.is_empty() {
        return Ok(run_config::from_file::<NetworkConfig>(Path::new("enable2k"))?.features.into_iter().collect());
    }
    let named = |name: &String| {
        let found = Feature::ALL.iter().find(|feature| feature.about().name == name);
        found.copied().ok_or_else(|| {
            Failure::input(format!("--features {name}: there is no such feature; tilewright features lists them"))
        })
    };
    if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        return Err(Failure::input(format!("--features names {twice} twice")));
    }
    names.iter().map(named).collect()
}

/// The result of `selfplay`; times are those of this process.
#[derive(Serialize)]
struct SelfplayResult<'a> {
    #[serde(flatten)]
    run: RunJson,
    player: &'a str,
    /// The other player, if two were named.
    opponent: Option<&'a str>,
    games: u64,
    seconds: f64,
    games_per_second: f64,
}

impl fmt::Display for SelfplayResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SelfplayResult { run, games, seconds, games_per_second, .. } = self;
        write!(f, "{}: {games} games in {seconds:.1} s ({games_per_second:.0} per second)", run.folder)
    }
}
