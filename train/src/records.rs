//! Self-play records: one row per turn, in Parquet.
//!
//! [`SCHEMA`] describes the columns.
//!
//! A file holds whole games. Games are independent, so split data by game, never by row. In a match, A moves first in game
//! 2p of pair p, and B in game 2p + 1. If a player forfeits a game by its faults, the game ends early, and the forfeit
//! decides its final spread. From a match that was stopped, only finished pairs have games.

use std::path::{Path, PathBuf};
use tilewright_engine::deals::Deals;

use tilewright_engine::artefact::{ArtefactError, ArtefactOrFile, Loader};
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::hash::sha256;
use tilewright_engine::moves::notation;
use tilewright_engine::selfplay::{TurnSeen, play_timed_game};
use tilewright_engine::tileset::TileKind;
use tilewright_engine::{Generator, Monitor, Player, Rack, Setup};

use crate::parquet_file::Column;
use crate::schema::Cell::{Double, Int32, Int64, Text};
use crate::schema::{Cell, Schema, Table, double, int32, int64, text};

/// The kind of artefact that holds records.
pub const RECORDS_KIND: &str = "records";
/// The version of the columns.
pub const RECORDS_FEATURES: &str = "records 2";

/// The tables of an artefact of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordTable {
    /// The turns of its games.
    Turns,
    /// The best moves of some turns, which only some records have.
    Candidates,
}

impl RecordTable {
    /// The names of its files begin with this and a dash.
    pub fn files(self) -> &'static str {
        match self {
            RecordTable::Turns => "games",
            RecordTable::Candidates => "valued",
        }
    }

    /// Whether a file is one of its files.
    pub fn has(self, file: &str) -> bool {
        file.strip_prefix(self.files()).is_some_and(|rest| rest.starts_with('-'))
    }
}

/// The column that is known when a game ends.
const FINAL_SPREAD: &str = "final_spread";

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "turns",
    row: "a turn of a game",
    fields: &[
        int64("game", "number of the game; with the seed it names the deal, in a match that of pair game / 2"),
        int32("turn", "turn of the game, from 0"),
        int32("player", "the player to move: 0 moved first, 1 second").within(0, 1),
        text("name", "name of that player").within(1, i64::MAX),
        text("rack", "tiles held before the move; ? is a blank, [CH] one tile").view("player to move"),
        text("move", "the move: 8D FA(C)Es, -AAI for an exchange, pass"),
        int32("score", "points of the move").points().view("player to move"),
        text("leave", "tiles that stay on the rack").view("player to move"),
        double("equity", "the player's equity of the move").points().view("player to move"),
        int32("bag", "tiles in the bag before the move").unit("tiles"),
        int32("spread_before", "spread before the move").points().view("player to move"),
        int32(FINAL_SPREAD, "spread at the end of the game").points().view("player to move"),
        text("position", "the position before the move in CGP").view("player to move"),
        int32("unseen_*", "tiles of each kind that the player cannot see; unseen_blank for the blank")
            .unit("tiles")
            .view("player to move"),
    ],
};

/// The columns of [`games`].
pub const GAMES_SCHEMA: Schema = Schema {
    name: "games",
    row: "a game",
    fields: &[
        int64("game", "number of the game, as in turns"),
        text("name_first", "name of the player who moved first"),
        text("name_second", "name of the other player"),
        int32("turns", "turns of both players").unit("turns"),
        int32("points_first", "points of all moves, without what the tiles left at the end change")
            .points()
            .view("player who moved first"),
        int32("points_second", "the same").points().view("other player"),
        int32("final_spread", "spread at the end of the game").points().view("player who moved first"),
    ],
};

/// One row for each game of some columns of records, whose values are in range.
///
/// # Errors
/// A column is missing or has another type, or a game has too many points.
pub fn games(columns: &[(String, Column)]) -> Result<Table, String> {
    let named = |name: &str| columns.iter().find(|(own, _)| own == name).map(|(_, column)| column);
    let (
        Some(Column::Int64(game)),
        Some(Column::Int32(player)),
        Some(Column::Text(name)),
        Some(Column::Int32(score)),
        Some(Column::Int32(final_spread)),
    ) = (named("game"), named("player"), named("name"), named("score"), named("final_spread"))
    else {
        return Err("records have the columns game, player, name, score and final_spread".into());
    };
    let mut games = Table::new(&GAMES_SCHEMA);
    let mut first = 0;
    for same in game.chunk_by(i64::eq) {
        let rows = first..first + same.len();
        first = rows.end;
        let of_seat = |seat: i32| {
            let own: Vec<usize> = rows.clone().filter(|&row| player[row] == seat).collect();
            let name = own.first().map_or_else(String::new, |&row| name[row].clone());
            let points: i64 = own.iter().map(|&row| i64::from(score[row])).sum();
            let points = i32::try_from(points).map_err(|_| format!("game {} has {points} points", same[0]))?;
            Ok::<_, String>((Text(name), Int32(points)))
        };
        let ((name_first, points_first), (name_second, points_second)) = (of_seat(0)?, of_seat(1)?);
        let spread = final_spread[rows.start];
        games.add([
            ("game", Int64(same[0])),
            ("name_first", name_first),
            ("name_second", name_second),
            ("turns", Int32(same.len() as i32)),
            ("points_first", points_first),
            ("points_second", points_second),
            ("final_spread", Int32(if player[rows.start] == 0 { spread } else { -spread })),
        ]);
    }
    Ok(games)
}

/// Rows of one game or of many.
#[derive(Clone, Debug)]
pub struct Records {
    finished: Table,
    /// The players and the rows of the turns of a game that has not ended.
    turns: Vec<(usize, Vec<(&'static str, Cell)>)>,
}

impl Records {
    /// No rows yet.
    pub fn new(setup: &Setup) -> Records {
        let label = |kind: &TileKind| if kind.label == "?" { "blank".into() } else { kind.label.clone() };
        let unseen: Vec<String> = setup.tileset.kinds().iter().map(|kind| format!("unseen_{}", label(kind))).collect();
        Records { finished: Table::with_starred(&SCHEMA, &unseen), turns: Vec::new() }
    }

    /// Plays deal `index`. Returns its table as the game with this number, or `None` if the monitor stops it.
    pub fn play(
        generator: &mut Generator<'_>,
        players: [&Player; 2],
        deals: Deals,
        index: u64,
        monitor: &dyn Monitor,
    ) -> Option<Table> {
        let setup = generator.setup();
        let mut records = Records::new(setup);
        let names = players.map(|player| player.name.as_str());
        let see = |seen: &TurnSeen<'_>| records.add(setup, index, names, seen);
        let finished = play_timed_game(generator, players, deals, index, None, monitor, see)?;
        records.end_game(finished.scores);
        Some(records.into_table())
    }

    /// Adds a turn of a game. `names` are the names of its players.
    pub fn add(&mut self, setup: &Setup, game: u64, names: [&str; 2], seen: &TurnSeen<'_>) {
        let (turn, mover, tileset) = (seen.game.turn(setup), seen.game.to_move, &setup.tileset);
        let chosen = &seen.chosen.chosen;
        let leave = turn.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
        let mut row = vec![
            ("game", Int64(game as i64)),
            ("turn", Int32(seen.number as i32)),
            ("player", Int32(mover as i32)),
            ("name", Text(names[mover].into())),
            ("rack", Text(turn.rack.show(tileset))),
            ("move", Text(notation::show(chosen, turn.board, tileset))),
            ("score", Int32(chosen.score())),
            ("leave", Text(leave.show(tileset))),
            ("equity", Double(seen.chosen.reported_equity().points())),
            ("bag", Int32(turn.bag as i32)),
            ("spread_before", Int32(turn.spread)),
            (FINAL_SPREAD, Int32(0)),
            ("position", Text(CgpPosition::seen_in(seen.game, setup).write(tileset))),
        ];
        let kinds = 0..tileset.kinds().len() as u8;
        row.extend(kinds.map(|kind| ("unseen_*", Int32(i32::from(turn.unseen.count(kind))))));
        self.turns.push((mover, row));
    }

    /// Ends the game whose turns were added last, with its final scores by seat.
    pub fn end_game(&mut self, scores: [i32; 2]) {
        for (mover, mut row) in self.turns.drain(..) {
            let spread = scores[mover] - scores[1 - mover];
            row.iter_mut().filter(|(name, _)| *name == FINAL_SPREAD).for_each(|(_, cell)| *cell = Int32(spread));
            self.finished.add(row);
        }
    }

    /// The table of the games that have ended.
    pub fn into_table(self) -> Table {
        self.finished
    }
}

/// The files of records: the shards of an artefact in the order of their names, or one bare file.
#[derive(Clone, Debug)]
pub struct RecordFiles {
    /// The folder or the file, as it was opened.
    pub path: PathBuf,
    place: ArtefactOrFile,
    /// Payloads of the artefact with their SHA-256. A bare file has none.
    shards: Vec<(String, String)>,
}

impl RecordFiles {
    /// Opens a folder of `tilewright selfplay` or a Parquet file. No record is read.
    ///
    /// # Errors
    /// [`ArtefactError`] if the folder is not an artefact of records that the loader accepts.
    pub fn open(path: &Path, loader: Loader<'_>) -> Result<RecordFiles, ArtefactError> {
        Ok(RecordFiles::new(path, ArtefactOrFile::open(path, RECORDS_KIND, loader)?, RecordTable::Turns))
    }

    /// The files of a table in an artefact of records, or a bare file. `path` names it.
    pub fn new(path: &Path, place: ArtefactOrFile, table: RecordTable) -> RecordFiles {
        let shards = match &place {
            ArtefactOrFile::Artefact(artefact) => {
                let files = artefact.manifest().files.clone().into_iter();
                files.filter(|(name, _)| table.has(name)).collect()
            }
            ArtefactOrFile::File(_) => Vec::new(),
        };
        RecordFiles { path: path.into(), place, shards }
    }

    /// The hash of the content of all files.
    ///
    /// # Errors
    /// [`ArtefactError`] if a bare file cannot be read.
    pub fn hash(&self) -> Result<String, ArtefactError> {
        let hashes = match &self.place {
            ArtefactOrFile::Artefact(_) => self.shards.iter().map(|(_, hash)| hash.as_str()).collect::<Vec<_>>().join(" "),
            ArtefactOrFile::File(_) => sha256(&self.place.read("")?.1),
        };
        Ok(sha256(hashes.as_bytes()))
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.shards.is_empty() && matches!(self.place, ArtefactOrFile::Artefact(_))
    }

    /// The path and the content of each file. The checksums of an artefact are verified.
    pub fn contents(&self) -> impl Iterator<Item = Result<(PathBuf, Vec<u8>), ArtefactError>> {
        let names = self.shards.iter().map(|(name, _)| name.as_str());
        let bare = matches!(self.place, ArtefactOrFile::File(_)).then_some("");
        names.chain(bare).map(|name| self.place.read(name))
    }
}
