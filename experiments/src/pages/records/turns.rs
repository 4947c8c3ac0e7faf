//! The turns of recorded games, as columns, and the games that they make.

use std::ops::Range;

use tilewright_engine::artefact::{Artefact, ArtefactOrFile};
use tilewright_engine::{Rack, TileSet};
use tilewright_train::parquet_file::Column;
use tilewright_train::records::{RecordFiles, RecordTable, SCHEMA};

use crate::{Failure, InFile, Input};

/// The columns that are read, in order.
const COLUMNS: [&str; 10] =
    ["game", "player", "name", "rack", "move", "score", "leave", "equity", "final_spread", "position"];

/// The least number of games whose columns for the replay are kept.
pub const REPLAYED: usize = 20;

/// Turns of some games, one row each.
#[derive(Default)]
pub struct Turns {
    pub game: Vec<i64>,
    pub player: Vec<i32>,
    pub name: Vec<String>,
    pub score: Vec<i32>,
    pub final_spread: Vec<i32>,
    /// Of the first games: rack, move, equity in points, and position before the move. They take most of the memory.
    pub rack: Vec<String>,
    pub chosen: Vec<String>,
    pub equity: Vec<f64>,
    pub position: Vec<String>,
    /// Whether the move lays a full rack.
    pub is_bingo: Vec<bool>,
    /// Whether all games of the records were read.
    pub is_whole: bool,
}

pub struct Game {
    pub number: i64,
    /// Its turns.
    pub rows: Range<usize>,
    /// The players in order of their seats.
    pub names: [String; 2],
    /// Points of the moves, by seat.
    pub points: [i64; 2],
    pub bingos: [i64; 2],
    /// The spread of the player who moved first, at the end.
    pub spread: i32,
}

impl Turns {
    /// Reads the turns of whole files until they have `most` games.
    pub fn read(artefact: &Artefact, tileset: &TileSet, most: usize) -> Result<Turns, Failure> {
        let place = ArtefactOrFile::Artefact(Box::new(artefact.clone()));
        let files = RecordFiles::new(artefact.folder(), place, RecordTable::Turns);
        let mut turns = Turns { is_whole: true, ..Turns::default() };
        for file in files.contents() {
            if turns.game.chunk_by(i64::eq).count() >= most {
                turns.is_whole = false;
                break;
            }
            let (path, bytes) = file.input()?;
            let columns = SCHEMA.read(&path, bytes, &COLUMNS).input()?;
            turns.add(columns, tileset).in_file(&path)?;
        }
        if turns.game.is_empty() {
            return Err(Failure::input(format!("{} has no game", artefact.folder().display())));
        }
        Ok(turns)
    }

    fn add(&mut self, columns: Vec<Column>, tileset: &TileSet) -> Result<(), String> {
        let Ok(
            [
                Column::Int64(game),
                Column::Int32(player),
                Column::Text(name),
                Column::Text(rack),
                Column::Text(chosen),
                Column::Int32(score),
                Column::Text(leave),
                Column::Double(equity),
                Column::Int32(final_spread),
                Column::Text(position),
            ],
        ) = <[Column; 10]>::try_from(columns)
        else {
            return Err("a column has another type than records have".into());
        };
        for ((rack, chosen), leave) in rack.iter().zip(&chosen).zip(&leave) {
            let held = Rack::from_notation(rack, tileset).map_err(|error| format!("rack {rack:?}: {error}"))?;
            let is_play = chosen.contains(' ');
            self.is_bingo.push(is_play && leave.is_empty() && held.size() == tileset.rules().rack_size);
        }
        if self.game.chunk_by(i64::eq).count() < REPLAYED {
            self.rack.extend(rack);
            self.chosen.extend(chosen);
            self.equity.extend(equity);
            self.position.extend(position);
        }
        self.game.extend(game);
        self.player.extend(player);
        self.name.extend(name);
        self.score.extend(score);
        self.final_spread.extend(final_spread);
        Ok(())
    }

    pub fn games(&self) -> Vec<Game> {
        let mut games = Vec::new();
        let mut first = 0;
        for same in self.game.chunk_by(i64::eq) {
            let rows = first..first + same.len();
            first = rows.end;
            let mut game = Game {
                number: same[0],
                names: Default::default(),
                points: [0; 2],
                bingos: [0; 2],
                spread: if self.player[rows.start] == 0 { 1 } else { -1 } * self.final_spread[rows.start],
                rows: rows.clone(),
            };
            for row in rows {
                let seat = usize::from(self.player[row] != 0);
                if game.names[seat].is_empty() {
                    game.names[seat].clone_from(&self.name[row]);
                }
                game.points[seat] += i64::from(self.score[row]);
                game.bingos[seat] += i64::from(self.is_bingo[row]);
            }
            games.push(game);
        }
        games
    }
}
