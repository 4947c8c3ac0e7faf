//! Self-play: games of a player against itself or another, recorded as Parquet, one shard of whole games per file.

use std::ops::Range;

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::deals::Domain;
use tilewright_engine::selfplay::play_timed_game;
use tilewright_engine::{Generator, Monitor, Player, Setup};

use crate::journal::{Journal, JournalError, RunKey, ShardJob};
use crate::parquet_file::{self, marks_of_games};
use crate::records::{self, RECORDS_FEATURES, RECORDS_KIND, RecordTable, Records};
use crate::run::{Place, Run, RunError, kind};
use crate::schema::{Schema, Table};

pub mod valued;

use valued::{Turn, ValuedConfig, ValuedKeys};

/// Games per file of static players.
const SHARD_GAMES: u64 = 1000;
/// Games per file of other players, and of valued candidates: simulations take a second per game, and a file is lost with the process.
const SLOW_GAMES: u64 = 50;

/// Games to play and to record.
pub struct Selfplay<'a> {
    /// The tile set, the board and the words.
    pub setup: &'a Setup,
    /// The players, twice the same if there is one. The first one moves first in games with even numbers, the other in odd ones.
    pub players: [&'a Player; 2],
    /// Seed of the deals.
    pub seed: u64,
    /// Number of games.
    pub games: u64,
    /// The config of the table of best moves of some turns, if there is one.
    pub valued: Option<ValuedConfig<'a>>,
}

/// Everything that the records depend on.
#[derive(Serialize)]
struct SelfplayConfig<'a> {
    lexicon: &'a str,
    lexicon_hash: &'a str,
    tileset: &'a str,
    tileset_hash: String,
    player: &'a str,
    player_hash: &'a str,
    /// The other player, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_hash: Option<&'a str>,
    seed: u64,
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    valued: Option<ValuedKeys<'a>>,
}

impl Run for Selfplay<'_> {
    const KIND: &'static str = kind::SELFPLAY;
    const TABLES: &'static [&'static Schema] = &[&records::GAMES_SCHEMA, &records::SCHEMA, &valued::SCHEMA];
    /// The names of the files with their checksums.
    type Outcome = Vec<(String, String)>;

    fn seed(&self) -> u64 {
        self.seed
    }

    fn key(&self) -> RunKey {
        RunKey::new(Self::KIND, self.config()).with_input("records", RECORDS_FEATURES)
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<Self::Outcome, RunError> {
        Ok(self.record(journal)?)
    }

    fn write(&self, files: &Self::Outcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let mut artefact = place.artefact(RECORDS_KIND, self.setup, RECORDS_FEATURES, self.seed)?;
        artefact.measure("games", self.games as f64);
        for (name, checksum) in files {
            artefact.add_written(name, checksum.clone())?;
        }
        Ok(Some(artefact))
    }
}

impl Selfplay<'_> {
    /// Everything that the records depend on, as TOML.
    fn config(&self) -> String {
        let Selfplay { setup, players: [player, opponent], seed, games, .. } = *self;
        let opponent = ((&opponent.identity, &opponent.name) != (&player.identity, &player.name)).then_some(opponent);
        let config = SelfplayConfig {
            lexicon: &setup.lexicon.name,
            lexicon_hash: &setup.lexicon.hash,
            tileset: setup.tileset.name(),
            tileset_hash: setup.rules_hash(),
            player: &player.name,
            player_hash: &player.identity,
            opponent: opponent.map(|opponent| opponent.name.as_str()),
            opponent_hash: opponent.map(|opponent| opponent.identity.as_str()),
            seed,
            games,
            valued: self.valued.as_ref().map(ValuedConfig::keys),
        };
        toml::to_string(&config).unwrap_or_else(|error| unreachable!("a config is plain data: {error}"))
    }

    /// Plays the games, and writes the records and the best moves. Returns the names of the files with their checksums.
    fn record(&self, journal: &Journal<'_>) -> Result<Vec<(String, String)>, JournalError> {
        let (monitor, mut files) = (journal.monitor(), Vec::new());
        let is_static = self.players.iter().all(|player| player.as_static().is_some());
        let size = if is_static { SHARD_GAMES } else { SLOW_GAMES };
        monitor.begin("self-play", self.games, "games");
        let turns = self.write_files(RecordTable::Turns, size, journal, |games| self.turns(games, monitor), &mut files);
        JournalError::of_both(turns, || {
            let Some(config) = &self.valued else { return Ok(()) };
            monitor.begin("valuing moves", self.games, "games");
            let make = |games| self.valued(config, games, monitor);
            self.write_files(RecordTable::Candidates, SLOW_GAMES, journal, make, &mut files)
        })?;
        Ok(files)
    }

    /// Writes the files of a table, each with the rows of `size` games, and adds their names and checksums to `files`.
    fn write_files(
        &self,
        table: RecordTable,
        size: u64,
        journal: &Journal<'_>,
        rows: impl Fn(Range<u64>) -> Option<Table>,
        files: &mut Vec<(String, String)>,
    ) -> Result<(), JournalError> {
        let Selfplay { setup, players: [one, other], seed, games, .. } = *self;
        let marks = marks_of_games([&one.name, &other.name], seed, &setup.lexicon.name, setup.tileset.name());
        let job = ShardJob { name: table.files(), units: games, size };
        let make = |games| {
            let bytes = rows(games).map(|table| parquet_file::to_bytes(&table.columns, &marks)).transpose();
            bytes.map_err(|error| JournalError::Payload { name: table.files().into(), reason: error.to_string() })
        };
        journal.each_file(&job, "parquet", "", make, |name, checksum| files.push((name, checksum)))
    }

    /// The players of a game, by who moves first.
    fn players(&self, index: u64) -> [&Player; 2] {
        let [first, second] = self.players;
        if index.is_multiple_of(2) { [first, second] } else { [second, first] }
    }

    /// Plays a range of games again for the best moves of some turns, in order. `None` if the monitor has stopped them.
    fn valued(&self, config: &ValuedConfig<'_>, games: Range<u64>, monitor: &dyn Monitor) -> Option<Table> {
        let deals = Domain::SelfPlay.deals(self.seed);
        let simulator = config.simulator(self.setup);
        let worker = || Generator::new(self.setup);
        let games = games.into_par_iter().map_init(worker, |generator, index| {
            let mut turns = Vec::new();
            play_timed_game(generator, self.players(index), deals, index, None, monitor, |seen| {
                let (number, game, chosen) = (seen.number, seen.game.clone(), seen.chosen.chosen);
                turns.push(Turn { number, game, chosen });
            })?;
            let (mut valued, mut seeds) = (config.table(), deals.side_stream("valued candidates", index));
            for turn in turns {
                if monitor.is_stopped() {
                    return None;
                }
                let seed = seeds.random();
                if config.is_due(index, turn.number) {
                    config.add(&mut valued, &simulator, generator, index, &turn, seed);
                }
            }
            monitor.advance(1);
            Some(valued)
        });
        Some(together(games.collect::<Option<_>>()?, config.table()))
    }

    /// The turns of a range of games, in order, or `None` if the monitor has stopped them.
    fn turns(&self, games: Range<u64>, monitor: &dyn Monitor) -> Option<Table> {
        let deals = Domain::SelfPlay.deals(self.seed);
        let play = |generator: &mut Generator<'_>, index| {
            let game = Records::play(generator, self.players(index), deals, index, monitor)?;
            monitor.advance(1);
            Some(game)
        };
        let games = games.into_par_iter().map_init(|| Generator::new(self.setup), play);
        Some(together(games.collect::<Option<_>>()?, Records::new(self.setup).into_table()))
    }
}

/// The rows of all tables, added to the rows of `all`.
fn together(tables: Vec<Table>, mut all: Table) -> Table {
    for table in tables {
        all.append(table);
    }
    all
}
