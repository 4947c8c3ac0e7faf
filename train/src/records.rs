//! Self-play records: one row per turn, in Parquet.
//!
//! [`SCHEMA`] says what the columns are.
//!
//! A file holds whole games; games are independent, so split data by game, never by row. In a match, game 2p is the one of pair p in
//! which A moves first, and 2p + 1 the other. There a game that a player forfeited by its faults ends early, and its final spread is that
//! of the forfeit; the games of a match that was stopped are those of its finished pairs.

use std::path::{Path, PathBuf};
use tilewright_engine::deals::Deals;

use tilewright_engine::artefact::{ArtefactError, ArtefactOrFile, Loader};
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::hash::sha256;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::selfplay::{GameResult, TurnSeen, play_timed_game};
use tilewright_engine::setup::Setup;

use crate::parquet_file::Column;
use crate::schema::{Schema, double, int32, int64, text};

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

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "turns",
    row: "a turn of a game",
    fields: &[
        int64("game", "number of the game; with the seed it names the deal, in a match that of pair game / 2"),
        int32("turn", "turn of the game, from 0"),
        int32("player", "the player to move: 0 moved first, 1 second"),
        text("name", "name of that player"),
        text("rack", "tiles held before the move; ? is a blank, [CH] one tile").view("player to move"),
        text("move", "the move: 8D FA(C)Es, -AAI for an exchange, pass"),
        int32("score", "points of the move").unit("points").view("player to move"),
        text("leave", "tiles that stay on the rack").view("player to move"),
        double("equity", "the player's equity of the move").unit("points").view("player to move"),
        int32("bag", "tiles in the bag before the move").unit("tiles"),
        int32("spread_before", "spread before the move").unit("points").view("player to move"),
        int32("final_spread", "spread at the end of the game").unit("points").view("player to move"),
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
            .unit("points")
            .view("player who moved first"),
        int32("points_second", "the same").unit("points").view("other player"),
        int32("final_spread", "spread at the end of the game").unit("points").view("player who moved first"),
    ],
};

/// One row for each game of some columns of records.
///
/// # Errors
/// A column is missing or has another type.
pub fn games(columns: &[(String, Column)]) -> Result<Vec<(String, Column)>, String> {
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
    let (mut games, mut names, mut turns) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
    let (mut points, mut spreads) = ([Vec::new(), Vec::new()], Vec::new());
    let mut first = 0;
    for same in game.chunk_by(i64::eq) {
        let rows = first..first + same.len();
        first = rows.end;
        games.push(same[0]);
        turns.push(same.len() as i32);
        spreads.push(if player[rows.start] == 0 { final_spread[rows.start] } else { -final_spread[rows.start] });
        for seat in 0..2 {
            let own: Vec<usize> = rows.clone().filter(|&row| player[row] == seat as i32).collect();
            names[seat].push(own.first().map_or_else(String::new, |&row| name[row].clone()));
            points[seat].push(own.iter().map(|&row| score[row]).sum());
        }
    }
    let ([name_first, name_second], [points_first, points_second]) = (names, points);
    let columns = [
        ("game", Column::Int64(games)),
        ("name_first", Column::Text(name_first)),
        ("name_second", Column::Text(name_second)),
        ("turns", Column::Int32(turns)),
        ("points_first", Column::Int32(points_first)),
        ("points_second", Column::Int32(points_second)),
        ("final_spread", Column::Int32(spreads)),
    ];
    Ok(columns.map(|(name, column)| (name.to_string(), column)).into())
}

/// Rows of one game or of many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    game: Vec<i64>,
    turn: Vec<i32>,
    player: Vec<i32>,
    name: Vec<String>,
    rack: Vec<String>,
    chosen: Vec<String>,
    score: Vec<i32>,
    leave: Vec<String>,
    equity: Vec<f64>,
    bag: Vec<i32>,
    spread_before: Vec<i32>,
    final_spread: Vec<i32>,
    position: Vec<String>,
    unseen: Vec<Vec<i32>>,
}

impl Records {
    /// No rows yet.
    pub fn new(setup: &Setup) -> Records {
        Records { unseen: vec![Vec::new(); setup.tileset.kinds().len()], ..Records::default() }
    }

    /// Plays deal `index` and records it as the game with this number; `None` if the monitor stops it.
    pub fn play(
        generator: &mut Generator<'_>,
        players: [&Player; 2],
        deals: Deals,
        index: u64,
        monitor: &dyn Monitor,
    ) -> Option<(Records, GameResult)> {
        let setup = generator.setup();
        let mut records = Records::new(setup);
        let names = players.map(|player| player.name.as_str());
        let see = |seen: &TurnSeen<'_>| records.add(setup, index, names, seen);
        let finished = play_timed_game(generator, players, deals, index, None, monitor, see)?;
        records.end_game(finished.scores);
        Some((records, finished))
    }

    /// Adds a turn of a game; `names` are those of its players.
    pub fn add(&mut self, setup: &Setup, game: u64, names: [&str; 2], seen: &TurnSeen<'_>) {
        self.game.push(game as i64);
        let (game, turn) = (seen.game, seen.game.turn(setup));
        let chosen = &seen.chosen.chosen;
        let leave = turn.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
        self.turn.push(seen.number as i32);
        self.player.push(game.to_move as i32);
        self.name.push(names[game.to_move].into());
        self.rack.push(turn.rack.show(&setup.tileset));
        self.chosen.push(notation::show(chosen, turn.board, &setup.tileset));
        self.score.push(chosen.score());
        self.leave.push(leave.show(&setup.tileset));
        self.equity.push(seen.chosen.reported_equity().points());
        self.bag.push(turn.bag as i32);
        self.spread_before.push(turn.spread);
        self.position.push(CgpPosition::seen_in(game, setup).write(&setup.tileset));
        for (kind, column) in (0u8..).zip(&mut self.unseen) {
            column.push(i32::from(turn.unseen.count(kind)));
        }
    }

    /// Ends the game whose turns were added last, with its final scores by seat.
    pub fn end_game(&mut self, scores: [i32; 2]) {
        let spread = scores[0] - scores[1];
        let of_game = self.player[self.final_spread.len()..].iter();
        self.final_spread.extend(of_game.map(|&player| if player == 0 { spread } else { -spread }));
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.game.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.game.is_empty()
    }

    /// Adds the rows of further games.
    pub fn append(&mut self, mut more: Records) {
        self.game.append(&mut more.game);
        self.turn.append(&mut more.turn);
        self.player.append(&mut more.player);
        self.name.append(&mut more.name);
        self.rack.append(&mut more.rack);
        self.chosen.append(&mut more.chosen);
        self.score.append(&mut more.score);
        self.leave.append(&mut more.leave);
        self.equity.append(&mut more.equity);
        self.bag.append(&mut more.bag);
        self.spread_before.append(&mut more.spread_before);
        self.final_spread.append(&mut more.final_spread);
        self.position.append(&mut more.position);
        self.unseen.resize(more.unseen.len().max(self.unseen.len()), Vec::new());
        self.unseen.iter_mut().zip(&mut more.unseen).for_each(|(mine, theirs)| mine.append(theirs));
    }

    /// The columns as documented above.
    pub fn into_columns(self, setup: &Setup) -> Vec<(String, Column)> {
        let fixed = [
            ("game", Column::Int64(self.game)),
            ("turn", Column::Int32(self.turn)),
            ("player", Column::Int32(self.player)),
            ("name", Column::Text(self.name)),
            ("rack", Column::Text(self.rack)),
            ("move", Column::Text(self.chosen)),
            ("score", Column::Int32(self.score)),
            ("leave", Column::Text(self.leave)),
            ("equity", Column::Double(self.equity)),
            ("bag", Column::Int32(self.bag)),
            ("spread_before", Column::Int32(self.spread_before)),
            ("final_spread", Column::Int32(self.final_spread)),
            ("position", Column::Text(self.position)),
        ];
        let unseen = setup.tileset.kinds().iter().zip(self.unseen).map(|(kind, counts)| {
            let label = if kind.label == "?" { "blank" } else { &kind.label };
            (format!("unseen_{label}"), Column::Int32(counts))
        });
        fixed.into_iter().map(|(name, column)| (name.to_string(), column)).chain(unseen).collect()
    }
}

/// The files of records: the shards of an artefact in the order of their names, or one bare file.
#[derive(Clone, Debug)]
pub struct RecordFiles {
    path: PathBuf,
    place: ArtefactOrFile,
    /// Payloads of the artefact with their SHA-256; empty for a bare file.
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

    /// The files of a table in an artefact of records, or a bare file; `path` names it.
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

    /// The folder or the file, as it was opened.
    pub fn path(&self) -> &Path {
        &self.path
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
