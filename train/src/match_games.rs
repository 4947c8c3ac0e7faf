//! The games of a match, as Parquet or GCG, in a folder that appears when all are written. The match writes them as it goes
//! on, and its memory does not grow.
//!
//! As Parquet they are [records](crate::records), files of 500 pairs each. With candidates, `candidates-*.parquet` has the
//! best moves of each turn, in the static ranking of the player to move. [`CANDIDATES_SCHEMA`] describes the columns.
//!
//! As GCG each game is a file, `game-` and its number. The players are A and B, and candidates are notes. External players
//! rank no moves, so their turns have no candidates.

use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter, MANIFEST, Manifest, Origin};
use tilewright_engine::folder::{Folder, GrowingFolder};
use tilewright_engine::game::gcg::{GcgAction, GcgEvent, GcgGame, GcgPlayer};
use tilewright_engine::movegen::{Generator, ValuedMove};
use tilewright_engine::moves::notation;
use tilewright_engine::selfplay::{GameResult, TurnSeen, replay_game};
use tilewright_engine::series::{Pair, Series};
use tilewright_engine::setup::Setup;
use tilewright_engine::{Monitor, Player, Rack};

use crate::parquet_file::{self, marks_of_games};
use crate::records::{RECORDS_FEATURES, RECORDS_KIND, Records};
use crate::schema::Cell::{Double, Int32, Int64, Text};
use crate::schema::{Cell, Schema, Table, double, int32, int64, text};
use crate::stored_match::MatchSpec;

/// The kind of artefact that holds GCG files.
pub const GAMES_KIND: &str = "games";
/// Pairs of one Parquet file.
const PAIRS_AT_ONCE: usize = 500;

/// A format of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesFormat {
    /// A row per turn.
    Parquet,
    /// A file per game.
    Gcg,
}

/// The games of a match to be written.
#[derive(Clone, Copy)]
pub struct MatchGames<'a> {
    /// The match.
    pub series: &'a Series<'a>,
    /// The spec of the match.
    pub spec: &'a MatchSpec,
    /// The name of the match. By it, a resumed match finds the games that it wrote before its stop.
    pub work: &'a str,
    /// How they are written.
    pub format: GamesFormat,
    /// Candidates of each turn, or 0.
    pub candidates: usize,
}

/// The config in the manifest of a folder of games.
#[derive(Serialize, Deserialize)]
pub struct GamesConfig {
    /// The pairs whose games are there.
    pub pairs: u64,
    /// Candidates of each turn, or 0.
    pub candidates: usize,
    /// The name of the match, if it was stopped before its end.
    pub stopped: Option<String>,
    /// The match, as its run stores it.
    pub played: MatchSpec,
}

impl GamesConfig {
    /// The config in a manifest, or `None` if the manifest is not of the games of a match.
    pub fn of(manifest: &Manifest) -> Option<GamesConfig> {
        toml::from_str(&manifest.config).ok()
    }
}

/// A folder of games that is written while the match goes on. It appears complete or not at all.
pub struct GamesWriter<'a> {
    games: MatchGames<'a>,
    folder: &'a Path,
    monitor: &'a dyn Monitor,
    /// The pairs of the next file.
    waiting: Vec<Pair>,
    pairs: u64,
    begun: Option<(GrowingFolder, ArtefactWriter)>,
    /// Whether an earlier process of the match left games in the folder.
    replaces: bool,
    /// Why games are missing.
    failed: Option<ArtefactError>,
}

/// One game of a pair.
struct PlayedGame<'a> {
    number: u64,
    deal: u64,
    /// The players by seat, with their letters.
    seats: [(&'a Player, &'static str); 2],
    moves: &'a [ValuedMove],
    result: &'a GameResult,
}

/// Whether a folder has the games of a match, and no files that somebody has put there.
pub fn are_in(folder: &Path) -> bool {
    config_of(folder).is_some()
}

/// The match whose games in a folder were stopped before its end, or `None` for any other folder.
pub fn stopped(folder: &Path) -> Option<String> {
    config_of(folder)?.stopped
}

fn config_of(folder: &Path) -> Option<GamesConfig> {
    let artefact = [RECORDS_KIND, GAMES_KIND].iter().find_map(|kind| Artefact::read(folder, kind).ok())?;
    let names = Folder::open(folder).and_then(|folder| folder.names()).ok()?;
    let is_own = names.iter().all(|name| name == MANIFEST || artefact.has(name));
    GamesConfig::of(artefact.manifest()).filter(|_| is_own)
}

impl<'a> GamesWriter<'a> {
    /// Begins a new or empty folder, or one in place of the match's own games. Nothing is written before the first file.
    pub fn new(games: MatchGames<'a>, folder: &'a Path, monitor: &'a dyn Monitor) -> GamesWriter<'a> {
        let replaces = are_in(folder);
        GamesWriter { games, folder, monitor, waiting: Vec::new(), pairs: 0, begun: None, replaces, failed: None }
    }

    /// Adds pairs that [kept their moves](Pair::without_moves), in the order of their numbers. [`GamesWriter::finish`] returns the errors.
    pub fn add(&mut self, pairs: &[Pair]) {
        for pair in pairs {
            if self.failed.is_some() {
                return;
            }
            self.waiting.push(pair.clone());
            if self.waiting.len() == PAIRS_AT_ONCE {
                self.failed = self.write_waiting().err();
            }
        }
    }

    /// Puts the folder in its place. `is_stopped` marks the match as stopped before its end.
    ///
    /// # Errors
    /// [`ArtefactError`].
    pub fn finish(mut self, is_stopped: bool) -> Result<(), ArtefactError> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        if !self.waiting.is_empty() || self.begun.is_none() {
            self.write_waiting()?;
        }
        let GamesWriter { games, folder, pairs, begun: Some((temporary, mut artefact)), replaces, .. } = self else {
            return Ok(());
        };
        artefact.measure("games", 2.0 * pairs as f64);
        artefact.set_config(games.config(pairs, is_stopped));
        artefact.finish()?;
        if replaces {
            let (above, name) = Folder::of_file(folder)?;
            above.remove_folder(name)?;
        }
        // Anything but an empty folder has come since the check before the match, and stays.
        Ok(temporary.finish()?)
    }

    fn write_waiting(&mut self) -> Result<(), ArtefactError> {
        let pairs = std::mem::take(&mut self.waiting);
        if self.begun.is_none() {
            let temporary = GrowingFolder::new(self.folder)?;
            let artefact = self.games.artefact(temporary.folder());
            self.begun = Some((temporary, artefact));
        }
        let Some((_, artefact)) = &mut self.begun else { return Ok(()) };
        // A stop is not kept waiting for candidates.
        let candidates = if self.monitor.is_stopped() { 0 } else { self.games.candidates };
        let games = MatchGames { candidates, ..self.games };
        let number = self.pairs.div_ceil(PAIRS_AT_ONCE as u64);
        self.pairs += pairs.len() as u64;
        match games.format {
            GamesFormat::Parquet => games.add_records(&pairs, number, artefact),
            GamesFormat::Gcg => games.add_gcg(&pairs, artefact),
        }
    }
}

impl MatchGames<'_> {
    /// An artefact in a folder, without its games and its config.
    fn artefact(&self, folder: &Folder) -> ArtefactWriter {
        let (kind, feature_set) = match self.format {
            GamesFormat::Parquet => (RECORDS_KIND, RECORDS_FEATURES),
            GamesFormat::Gcg => (GAMES_KIND, "none"),
        };
        let origin = Origin { feature_set: feature_set.into(), seed: self.series.deals.seed, ..Origin::default() };
        ArtefactWriter::new(folder, kind, self.series.setup, origin)
    }

    fn config(&self, pairs: u64, is_stopped: bool) -> String {
        let (candidates, stopped) = (self.candidates, is_stopped.then(|| self.work.into()));
        let config = GamesConfig { pairs, candidates, stopped, played: self.spec.stored(self.series.setup) };
        toml::to_string(&config).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"))
    }

    fn add_records(&self, pairs: &[Pair], number: u64, artefact: &mut ArtefactWriter) -> Result<(), ArtefactError> {
        let Series { setup, players: [a, b], deals, .. } = *self.series;
        let marks = marks_of_games([&a.name, &b.name], deals.seed, &setup.lexicon.name, setup.tileset.name());
        let (mut records, mut candidates) = (Records::new(setup).into_table(), Table::new(&CANDIDATES_SCHEMA));
        for (own_records, own_candidates) in self.of_games(pairs, |generator, game| self.rows(generator, game)) {
            records.append(own_records);
            candidates.append(own_candidates);
        }
        artefact.add_encoded(&format!("games-{number:05}.parquet"), parquet_file::to_bytes(&records.columns, &marks))?;
        if self.candidates == 0 {
            return Ok(());
        }
        artefact.add_encoded(&format!("candidates-{number:05}.parquet"), parquet_file::to_bytes(&candidates.columns, &marks))
    }

    fn add_gcg(&self, pairs: &[Pair], artefact: &mut ArtefactWriter) -> Result<(), ArtefactError> {
        for (number, text) in self.of_games(pairs, |generator, game| (game.number, self.gcg(generator, game))) {
            artefact.add(&format!("game-{number:07}.gcg"), text)?;
        }
        Ok(())
    }

    /// Applies `make` to each game of some pairs, on all threads. The results are in order.
    fn of_games<T: Send>(
        &self,
        pairs: &[Pair],
        make: impl Fn(&mut Generator<'_>, &PlayedGame<'_>) -> T + Sync + Send,
    ) -> Vec<T> {
        let games: Vec<PlayedGame<'_>> = pairs.iter().flat_map(|pair| self.games(pair)).collect();
        games.par_iter().map_init(|| Generator::new(self.series.setup), make).collect()
    }

    /// The games of a pair, or nothing if it kept no moves.
    fn games<'g>(&'g self, pair: &'g Pair) -> impl Iterator<Item = PlayedGame<'g>> {
        let ([a, b], index) = (self.series.players, pair.index);
        let seats = [[(a, "A"), (b, "B")], [(b, "B"), (a, "A")]];
        let deals = self.series.deals.pair_deals(index);
        let games = pair.moves.iter().flatten().zip(&pair.games).zip(seats).zip(deals).zip(2 * index..);
        games.map(|((((moves, result), seats), deal), number)| PlayedGame { number, deal, seats, moves, result })
    }

    fn rows(&self, generator: &mut Generator<'_>, game: &PlayedGame<'_>) -> (Table, Table) {
        let (setup, deals) = (self.series.setup, self.series.deals);
        let (mut records, mut candidates) = (Records::new(setup), Table::new(&CANDIDATES_SCHEMA));
        let names = game.seats.map(|(player, _)| player.name.as_str());
        replay_game(setup, deals, game.deal, game.moves, |seen| {
            records.add(setup, game.number, names, seen);
            for (rank, valued) in (1..).zip(self.best_moves(generator, game, seen)) {
                candidates.add(row(setup, game.number, rank, &valued, seen));
            }
        });
        records.end_game(game.result.scores);
        (records.into_table(), candidates)
    }

    /// The candidates of a turn, the best first.
    fn best_moves(&self, generator: &mut Generator<'_>, game: &PlayedGame<'_>, seen: &TurnSeen<'_>) -> Vec<ValuedMove> {
        match game.seats[seen.game.to_move].0.ranker() {
            Some(ranker) if self.candidates > 0 => {
                ranker.choose_top(generator, &seen.game.turn(self.series.setup), self.candidates)
            }
            _ => Vec::new(),
        }
    }

    fn gcg(&self, generator: &mut Generator<'_>, game: &PlayedGame<'_>) -> String {
        let (setup, deals) = (self.series.setup, self.series.deals);
        let tileset = &setup.tileset;
        let named = |(player, letter): (&Player, &str)| GcgPlayer { nickname: letter.into(), name: player.name.clone() };
        let mut record = GcgGame::new(setup, game.seats.map(named));
        record.pragma("title", &format!("Pair {}, seed {}, {} moves first", game.number / 2, deals.seed, game.seats[0].1));
        let after = replay_game(setup, deals, game.deal, game.moves, |seen| {
            record.record(seen.game, &seen.chosen.chosen);
            let best = self.best_moves(generator, game, seen);
            if !best.is_empty() {
                let show = |valued: &ValuedMove| {
                    let chosen = notation::show(&valued.chosen, seen.game.board(), tileset);
                    format!("{chosen} {:.2}", valued.reported_equity().points())
                };
                record.note(&best.iter().map(show).collect::<Vec<String>>().join("; "));
            }
        });
        let mut recorded = record.finish(setup, &after);
        let mut totals = after.scores;
        for seat in (0..2).filter(|&seat| game.result.penalties[seat] != 0) {
            let score = -game.result.penalties[seat];
            totals[seat] += score;
            let (rack, action) = (Rack::default(), GcgAction::Time);
            let event = GcgEvent {
                line: None,
                player: seat,
                rack,
                action,
                score,
                total: totals[seat],
                after: String::new(),
                notes: Vec::new(),
            };
            recorded.events.push(event);
        }
        if let Some(seat) = game.result.forfeited_by {
            let ([first, second], (_, letter)) = (game.result.scores, game.seats[seat]);
            recorded.notes.push(format!("{letter} forfeited the game by faults; it counts as {first}:{second}"));
        }
        recorded.write(tileset)
    }
}

/// The columns.
pub const CANDIDATES_SCHEMA: Schema = Schema {
    name: "candidates",
    row: "one of the best moves of a turn, as the static ranking of the player to move has them",
    fields: &[
        int64("game", "number of the game, as in turns"),
        int32("turn", "turn of the game, as in turns"),
        int32("rank", "1 for the best move"),
        text("move", "the move, as in turns"),
        int32("score", "points of the move").points().view("player to move"),
        double("equity", "equity of the move").points().view("player to move"),
        int32("chosen", "1 for the move that was made, else 0").within(0, 1),
    ],
};

/// The row of one of the best moves of a turn. The best move has `rank` 1.
pub fn row(setup: &Setup, game: u64, rank: i32, valued: &ValuedMove, seen: &TurnSeen<'_>) -> [(&'static str, Cell); 7] {
    [
        ("game", Int64(game as i64)),
        ("turn", Int32(seen.number as i32)),
        ("rank", Int32(rank)),
        ("move", Text(notation::show(&valued.chosen, seen.game.board(), &setup.tileset))),
        ("score", Int32(valued.chosen.score())),
        ("equity", Double(valued.reported_equity().points())),
        ("chosen", Int32(i32::from(valued.chosen == seen.chosen.chosen))),
    ]
}
