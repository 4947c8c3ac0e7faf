//! The configs of runs: a file, and the flags that override it.

use std::path::Path;

use tilewright_train::run_config::{Basics, RunConfig};

use crate::failure::{Failure, Input};
use crate::flags::{CommonFlags, PlayFlags};

/// Reads the config of a file.
///
/// # Errors
/// [`Failure::Input`] with the file and the line.
pub fn from_file<C: RunConfig>(path: &Path) -> Result<C, Failure> {
    let origin = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(format!("config {origin}: {error}")))?;
    C::from_toml(&text, &origin).input()
}

/// Overrides a config with the flags; `change` applies those of the verb. Returns the config, and the flags with its game
/// filled in.
///
/// # Errors
/// [`Failure::Input`] if the resulting config is invalid.
pub fn with_flags<C: RunConfig>(
    mut config: C,
    flags: &PlayFlags,
    change: impl FnOnce(&mut C),
) -> Result<(C, PlayFlags), Failure> {
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
    let config = C::from_toml(&config.to_toml(), "with these flags").input()?;
    Ok((config, flags))
}
