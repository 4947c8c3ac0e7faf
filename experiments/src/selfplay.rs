//! `selfplay`: plays games and records every turn as Parquet, a shard of whole games per file.

use std::path::PathBuf;
use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{ArtefactWriter, Origin};
use tilewright_engine::deals::Purpose;
use tilewright_engine::hash::sha256;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::setup::Setup;
use tilewright_train::parquet_file;
use tilewright_train::records::{RECORDS_KIND, Records};

use crate::failure::Failure;
use crate::flags::CommonFlags;
use crate::output::say;
use crate::progress::Progress;
use crate::{folder, loading};

pub mod flags;

use flags::SelfplayArguments;

/// Games per file. A run resumes at the first missing file.
const SHARD_GAMES: u64 = 1000;

/// Everything that the records depend on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SelfplayConfig {
    lexicon: String,
    lexicon_hash: String,
    tileset: String,
    tileset_hash: String,
    player: String,
    player_hash: String,
    seed: u64,
    games: u64,
}

/// `selfplay`.
pub fn run(arguments: &SelfplayArguments) -> Result<(), Failure> {
    let CommonFlags { game, seed, .. } = &arguments.flags.common;
    let setup = loading::start(&arguments.flags)?;
    let name = arguments.player.as_deref().unwrap_or(Player::default_name(&setup));
    let player = loading::player(name, &setup, game)?;
    let seed = seed.unwrap_or(1);
    let config = SelfplayConfig {
        lexicon: setup.lexicon.name.clone(),
        lexicon_hash: setup.lexicon.hash.clone(),
        tileset: setup.tileset.name().into(),
        tileset_hash: setup.rules_hash(),
        player: name.into(),
        player_hash: player.identity.clone(),
        seed,
        games: arguments.games,
    };
    let config = toml::to_string(&config)?;
    let default = || PathBuf::from(format!("runs/selfplay-{}-{}-{seed}", setup.lexicon.name, arguments.games));
    let out = arguments.out.clone().unwrap_or_else(default);
    folder::prepare(&out, &config)?;

    let progress = Progress::new(game.quiet);
    progress.begin("self-play", arguments.games, "games");
    let begun = Instant::now();
    let origin = Origin { feature_set: "records 1".into(), seed, config };
    let mut artefact = ArtefactWriter::new(&out, RECORDS_KIND, &setup, origin);
    artefact.measure("games", arguments.games as f64);
    for shard in 0..arguments.games.div_ceil(SHARD_GAMES) {
        let name = format!("games-{shard:05}.parquet");
        let path = out.join(&name);
        let games = shard * SHARD_GAMES..((shard + 1) * SHARD_GAMES).min(arguments.games);
        if path.exists() {
            progress.advance(games.end - games.start);
        } else {
            if progress.is_stopped() {
                progress.finish();
                return Err(Failure::resumable(&out));
            }
            let records = play(&setup, &player, seed, games, &progress);
            parquet_file::write(&path, &records.into_columns(&setup))?;
        }
        artefact.add_written(&name, sha256(&std::fs::read(&path)?))?;
    }
    artefact.finish()?;
    progress.finish();
    let seconds = begun.elapsed().as_secs_f64();
    say!(
        "{}: {} games in {seconds:.1} s ({:.0} a second)",
        out.display(),
        arguments.games,
        arguments.games as f64 / seconds
    );
    Ok(())
}

/// The records of a range of games in order.
fn play(setup: &Setup, player: &Player, seed: u64, games: std::ops::Range<u64>, monitor: &dyn Monitor) -> Records {
    let games: Vec<Records> = games
        .into_par_iter()
        .map_init(
            || Generator::new(setup),
            |generator, index| {
                let (records, _) = Records::of_game(generator, [player; 2], Purpose::SelfPlay.deals(seed), index);
                monitor.advance(1);
                records
            },
        )
        .collect();
    let mut all = Records::default();
    for records in games {
        all.append(records);
    }
    all
}
