//! Games that were recorded, as trajectories.

use std::path::{Path, PathBuf};

use tilewright_engine::rack::Rack;
use tilewright_engine::tileset::TileSet;

use super::learner::{Step, Trajectory};
use super::patterns::Patterns;
use crate::parquet_file::{self, Column, TableError};

/// The records of a folder of `tilewright selfplay`, or of one file, game by game.
///
/// # Errors
/// [`TableError`], with the file and the row.
pub fn read(path: &Path, patterns: &Patterns, tileset: &TileSet) -> Result<Vec<[Trajectory; 2]>, TableError> {
    let content = |reason: String| TableError::Content { path: path.into(), reason };
    let mut files: Vec<PathBuf> = if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|error| content(error.to_string()))?;
        let is_table = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "parquet");
        entries.flatten().map(|entry| entry.path()).filter(is_table).collect()
    } else {
        vec![path.into()]
    };
    files.sort();
    let mut games = Vec::new();
    for file in files {
        read_file(&file, patterns, tileset, &mut games)?;
    }
    if games.is_empty() { Err(content("it holds no games".into())) } else { Ok(games) }
}

fn read_file(
    path: &Path,
    patterns: &Patterns,
    tileset: &TileSet,
    games: &mut Vec<[Trajectory; 2]>,
) -> Result<(), TableError> {
    let content = |reason: String| TableError::Content { path: path.into(), reason };
    let names = ["game", "player", "score", "leave", "bag", "spread_before", "final_spread"];
    let columns = parquet_file::read(path, &names)?;
    let [
        Column::Int64(game),
        Column::Int32(player),
        Column::Int32(score),
        Column::Text(leave),
        Column::Int32(bag),
        Column::Int32(spread),
        Column::Int32(final_spread),
    ] = columns.as_slice()
    else {
        return Err(content(format!("its columns {} are not of the kinds that self-play records have", names.join(", "))));
    };
    for row in 0..game.len() {
        if row == 0 || game[row] != game[row - 1] {
            games.push(Default::default());
        }
        let trajectory = games.last_mut().and_then(|game| game.get_mut(usize::try_from(player[row]).unwrap_or(usize::MAX)));
        let trajectory =
            trajectory.ok_or_else(|| content(format!("row {}: player {} is not 0 or 1", row + 1, player[row])))?;
        trajectory.final_spread = final_spread[row];
        if bag[row] > 0 {
            let kept =
                Rack::from_notation(&leave[row], tileset).map_err(|error| content(format!("row {}: {error}", row + 1)))?;
            let spread = spread[row] + score[row];
            trajectory.steps.push(Step { patterns: patterns.of(&kept), spread, explored: false });
        }
    }
    Ok(())
}
