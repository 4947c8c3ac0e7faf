//! The configs of runs: a file, and the flags that override it.

use std::path::Path;

use serde::Serialize;
use tilewright_engine::Setup;
use tilewright_train::run_config::{Basics, RunConfig};

use crate::configs;
use crate::flags::{CommonFlags, PlayFlags};
use crate::{Failure, Input};

/// Reads the config of a file, or the embedded one of this name.
pub fn from_file<C: RunConfig>(path: &Path) -> Result<C, Failure> {
    let (text, origin) = configs::read(path, C::FOLDER)?;
    C::from_toml(&text, &origin).input()
}

/// The first keys of the JSON of every run.
#[derive(Serialize)]
pub struct RunJson {
    pub folder: String,
    seed: u64,
    lexicon: String,
    tileset: String,
}

impl RunJson {
    pub fn new(folder: &Path, setup: &Setup, seed: u64) -> RunJson {
        let (lexicon, tileset) = (setup.lexicon.name.clone(), setup.tileset.name().to_string());
        RunJson { folder: folder.display().to_string(), seed, lexicon, tileset }
    }
}

/// The name of a config's file without its ending, or `built_in` for the config in the program.
pub fn stem(config: Option<&Path>, built_in: &str) -> String {
    config.and_then(Path::file_stem).map_or(built_in.into(), |stem| stem.to_string_lossy().into_owned())
}

/// Overrides a config with the flags; `change` applies those of the verb. Returns the config, and the flags with its game
/// filled in.
pub fn with_flags<C: RunConfig>(
    mut config: C,
    flags: &PlayFlags,
    change: impl FnOnce(&mut C),
) -> Result<(C, PlayFlags), Failure> {
    let before = config.to_toml();
    let CommonFlags { game, seed: named_seed, .. } = &flags.common;
    let Basics { lexicon, tileset, seed } = config.basics();
    if let Some(named) = &game.tileset {
        // The lexicon of the config is for the tile set of the config.
        if named != tileset {
            lexicon.clear();
        }
        tileset.clone_from(named);
    }
    if let Some(named) = &game.lexicon {
        lexicon.clone_from(named);
    }
    *seed = named_seed.unwrap_or(*seed);
    let mut flags = flags.clone();
    flags.common.game.lexicon = (!lexicon.is_empty()).then(|| lexicon.clone());
    flags.common.game.tileset = Some(tileset.clone());
    change(&mut config);
    let changed = config.to_toml();
    let config = C::from_toml(&changed, &format!("with {}", flags_between(&before, &changed))).input()?;
    Ok((config, flags))
}

/// The flags that made one config of the other, with their values.
fn flags_between(before: &str, after: &str) -> String {
    /// The keys that flags of the same name override.
    const KEYS: [&str; 8] = ["tileset", "lexicon", "seed", "games", "held_out_games", "match_pairs", "player", "leaves"];
    let [before, after] = [before, after].map(|text| toml::from_str::<toml::Table>(text).unwrap_or_default());
    let changed = KEYS.iter().filter(|&&key| before.get(key) != after.get(key));
    let flags = changed.filter_map(|key| Some(format!("--{} {}", key.replace('_', "-"), after.get(*key)?)));
    let flags: Vec<String> = flags.collect();
    if flags.is_empty() { "these flags".into() } else { flags.join(" ") }
}
