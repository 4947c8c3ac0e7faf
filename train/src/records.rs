//! Self-play records: one row per turn, in Parquet.
//!
//! | column | type | what it is |
//! | --- | --- | --- |
//! | `game` | int64 | game index; with the seed it names the self-play deal |
//! | `turn` | int32 | turn of the game, from 0 |
//! | `player` | int32 | the player to move: 0 moved first, 1 second |
//! | `rack` | text | tiles held before the move |
//! | `move` | text | `8D FA(C)Es`, `-AAI`, `pass` |
//! | `score` | int32 | points of the move |
//! | `leave` | text | the tiles that stay on the rack |
//! | `equity` | double | the player's equity of the move, in points |
//! | `bag` | int32 | tiles in the bag before the move |
//! | `spread_before` | int32 | spread before the move, from the view of the player to move |
//! | `final_spread` | int32 | final spread, from the same view |
//! | `unseen_A` … | int32 | tiles of each kind that the player to move cannot see; `unseen_blank` for the blank |
//!
//! A file holds whole games; games are independent, so split data by game, never by row.

use std::path::{Path, PathBuf};
use tilewright_engine::deals::Deals;

use tilewright_engine::artefact::{ArtefactError, ArtefactOrFile, Loader};
use tilewright_engine::hash::sha256;
use tilewright_engine::movegen::Generator;
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::rack::Rack;
use tilewright_engine::selfplay::{GameResult, TurnSeen, play_game};
use tilewright_engine::setup::Setup;

use crate::parquet_file::Column;

/// The kind of artefact that holds records.
pub const RECORDS_KIND: &str = "records";

/// Rows of one game or of many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    game: Vec<i64>,
    turn: Vec<i32>,
    player: Vec<i32>,
    rack: Vec<String>,
    chosen: Vec<String>,
    score: Vec<i32>,
    leave: Vec<String>,
    equity: Vec<f64>,
    bag: Vec<i32>,
    spread_before: Vec<i32>,
    final_spread: Vec<i32>,
    unseen: Vec<Vec<i32>>,
}

impl Records {
    /// Plays deal `index` and records it.
    pub fn play(generator: &mut Generator<'_>, players: [&Player; 2], deals: Deals, index: u64) -> (Records, GameResult) {
        let setup = generator.setup();
        let mut records = Records { unseen: vec![Vec::new(); setup.tileset.kinds().len()], ..Records::default() };
        let finished = play_game(generator, players, deals, index, |seen| records.add(setup, index, seen));
        let spread = finished.scores[0] - finished.scores[1];
        records.final_spread = records.player.iter().map(|&player| if player == 0 { spread } else { -spread }).collect();
        (records, finished)
    }

    fn add(&mut self, setup: &Setup, index: u64, seen: &TurnSeen<'_>) {
        let (game, turn) = (seen.game, seen.game.turn(setup));
        let chosen = &seen.chosen.chosen;
        let leave = turn.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
        self.game.push(index as i64);
        self.turn.push(seen.number as i32);
        self.player.push(game.to_move as i32);
        self.rack.push(turn.rack.show(&setup.tileset));
        self.chosen.push(notation::show(chosen, turn.board, &setup.tileset));
        self.score.push(chosen.score());
        self.leave.push(leave.show(&setup.tileset));
        self.equity.push(seen.chosen.reported_equity().points());
        self.bag.push(turn.bag as i32);
        self.spread_before.push(turn.spread);
        for (kind, column) in (0u8..).zip(&mut self.unseen) {
            column.push(i32::from(turn.unseen.count(kind)));
        }
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
        self.rack.append(&mut more.rack);
        self.chosen.append(&mut more.chosen);
        self.score.append(&mut more.score);
        self.leave.append(&mut more.leave);
        self.equity.append(&mut more.equity);
        self.bag.append(&mut more.bag);
        self.spread_before.append(&mut more.spread_before);
        self.final_spread.append(&mut more.final_spread);
        self.unseen.resize(more.unseen.len().max(self.unseen.len()), Vec::new());
        self.unseen.iter_mut().zip(&mut more.unseen).for_each(|(mine, theirs)| mine.append(theirs));
    }

    /// The columns as documented above.
    pub fn into_columns(self, setup: &Setup) -> Vec<(String, Column)> {
        let fixed = [
            ("game", Column::Int64(self.game)),
            ("turn", Column::Int32(self.turn)),
            ("player", Column::Int32(self.player)),
            ("rack", Column::Text(self.rack)),
            ("move", Column::Text(self.chosen)),
            ("score", Column::Int32(self.score)),
            ("leave", Column::Text(self.leave)),
            ("equity", Column::Double(self.equity)),
            ("bag", Column::Int32(self.bag)),
            ("spread_before", Column::Int32(self.spread_before)),
            ("final_spread", Column::Int32(self.final_spread)),
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
        let place = ArtefactOrFile::open(path, RECORDS_KIND, loader)?;
        let shards = match &place {
            ArtefactOrFile::Artefact(artefact) => artefact.manifest().files.clone().into_iter().collect(),
            ArtefactOrFile::File(_) => Vec::new(),
        };
        Ok(RecordFiles { path: path.into(), place, shards })
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

    /// The path and the content of each file. The checksums of an artefact are verified.
    pub fn contents(&self) -> impl Iterator<Item = Result<(PathBuf, Vec<u8>), ArtefactError>> {
        let names = self.shards.iter().map(|(name, _)| name.as_str());
        let bare = matches!(self.place, ArtefactOrFile::File(_)).then_some("");
        names.chain(bare).map(|name| self.place.read(name))
    }
}
