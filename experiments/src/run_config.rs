//! The configs of runs as verbs take them: a file, and the flags that say otherwise.

use std::path::Path;

use tilewright_train::run_config::{Basics, RunConfig};

use crate::failure::{Failure, Input};
use crate::flags::{GameArguments, RunArguments};

/// The config of a file.
///
/// # Errors
/// [`Failure::Input`], with the file and the line.
pub fn of_file<C: RunConfig>(path: &Path) -> Result<C, Failure> {
    let origin = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Failure::input(format!("config {origin}: {error}")))?;
    C::from_toml(&text, &origin).input()
}

/// A config with what the flags say, and the game that it is then about; `change` works the flags of the verb in.
///
/// # Errors
/// [`Failure::Input`] if it cannot be run with them.
pub fn with_flags<C: RunConfig>(
    mut config: C,
    game: &GameArguments,
    run: &RunArguments,
    change: impl FnOnce(&mut C),
) -> Result<(C, GameArguments), Failure> {
    let Basics { lexicon, tileset, seed } = config.basics();
    if let Some(named) = &game.tileset {
        // The words of another tile set are none of this one.
        if named != tileset {
            lexicon.clear();
        }
        tileset.clone_from(named);
    }
    if let Some(named) = &game.lexicon {
        lexicon.clone_from(named);
    }
    *seed = run.seed.unwrap_or(*seed);
    let named = (!lexicon.is_empty()).then(|| lexicon.clone());
    let game = GameArguments { lexicon: named, tileset: Some(tileset.clone()), ..game.clone() };
    change(&mut config);
    let config = C::from_toml(&config.to_toml(), "of these flags").input()?;
    Ok((config, game))
}
