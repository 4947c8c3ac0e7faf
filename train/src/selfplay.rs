//! Self-play: games of a player against itself or another, recorded as Parquet, one shard of whole games per file.

use std::ops::Range;

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::deals::Domain;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::selfplay::play_timed_game;
use tilewright_engine::setup::Setup;

use crate::journal::{Journal, JournalError, RunKey, ShardJob};
use crate::parquet_file::{self, marks_of_games};
use crate::records::{RECORDS_FEATURES, RECORDS_KIND, RecordTable, Records};
use crate::run::{Place, Run, RunError, kind};

pub mod valued;

use valued::{Turn, Valued, ValuedConfig, ValuedKeys};

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
    /// What is wanted of the best moves of some turns, if anything.
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
    /// The names of the files with their checksums.
    type Outcome = Vec<(String, String)>;

    fn setup(&self) -> &Setup {
        self.setup
    }

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
        let mut artefact = place.artefact(RECORDS_KIND, self.setup, RECORDS_FEATURES, self.seed);
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

    /// Plays the games, and writes the records. Returns the names of the files with their checksums.
    fn record(&self, journal: &Journal<'_>) -> Result<Vec<(String, String)>, JournalError> {
        let monitor = journal.monitor();
        monitor.begin("self-play", self.games, "games");
        let is_static = self.players.iter().all(|player| player.as_static().is_some());
        let size = if is_static { SHARD_GAMES } else { SLOW_GAMES };
        let job = ShardJob { name: RecordTable::Turns.files(), units: self.games, size };
        let Selfplay { setup, players: [one, other], seed, .. } = *self;
        let marks = marks_of_games([&one.name, &other.name], seed, &setup.lexicon.name, setup.tileset.name());
        let make = |games| {
            let Some(records) = self.records(games, monitor) else { return Ok(None) };
            parquet_file::to_bytes(&records.into_columns(self.setup), &marks)
                .map(Some)
                .map_err(|error| JournalError::Payload { name: "records".into(), reason: error.to_string() })
        };
        let (mut files, mut valued) = (Vec::new(), Vec::new());
        JournalError::of_both(
            journal.each_file(&job, "parquet", "", make, |name, checksum| files.push((name, checksum))),
            || match &self.valued {
                Some(config) => self.value(config, &marks, journal, |name, checksum| valued.push((name, checksum))),
                None => Ok(()),
            },
        )?;
        files.append(&mut valued);
        Ok(files)
    }

    /// Writes the files of valued candidates, and passes their names and checksums to `take`.
    fn value(
        &self,
        config: &ValuedConfig<'_>,
        marks: &[(&'static str, String)],
        journal: &Journal<'_>,
        take: impl FnMut(String, String),
    ) -> Result<(), JournalError> {
        let monitor = journal.monitor();
        monitor.begin("valuing moves", self.games, "games");
        let job = ShardJob { name: RecordTable::Candidates.files(), units: self.games, size: SLOW_GAMES };
        let make = |games| {
            let Some(valued) = self.valued(config, games, monitor) else { return Ok(None) };
            parquet_file::to_bytes(&valued.into_columns(&config.wanted), marks)
                .map(Some)
                .map_err(|error| JournalError::Payload { name: "valued candidates".into(), reason: error.to_string() })
        };
        journal.each_file(&job, "parquet", "", make, take)
    }

    /// The players of a game, by who moves first.
    fn players(&self, index: u64) -> [&Player; 2] {
        let [first, second] = self.players;
        if index.is_multiple_of(2) { [first, second] } else { [second, first] }
    }

    /// The valued candidates of a range of games, in order; `None` if the monitor has stopped them. The games are played again.
    fn valued(&self, config: &ValuedConfig<'_>, games: Range<u64>, monitor: &dyn Monitor) -> Option<Valued> {
        let deals = Domain::SelfPlay.deals(self.seed);
        let simulator = config.simulator(self.setup);
        let worker = || Generator::new(self.setup);
        let games = games.into_par_iter().map_init(worker, |generator, index| {
            let mut turns = Vec::new();
            play_timed_game(generator, self.players(index), deals, index, None, monitor, |seen| {
                let (number, game, chosen) = (seen.number, seen.game.clone(), seen.chosen.chosen);
                turns.push(Turn { number, game, chosen });
            })?;
            let (mut valued, mut seeds) = (Valued::default(), deals.side_stream("valued candidates", index));
            for turn in turns {
                if monitor.is_stopped() {
                    return None;
                }
                let seed = seeds.random();
                if config.is_due(index, turn.number) {
                    valued.add(config, &simulator, generator, index, &turn, seed);
                }
            }
            monitor.advance(1);
            Some(valued)
        });
        let games: Vec<Valued> = games.collect::<Option<_>>()?;
        Some(games.into_iter().fold(Valued::default(), |mut all, more| {
            all.append(more);
            all
        }))
    }

    /// The records of a range of games, in order; `None` if the monitor has stopped them.
    fn records(&self, games: Range<u64>, monitor: &dyn Monitor) -> Option<Records> {
        let deals = Domain::SelfPlay.deals(self.seed);
        let games: Option<Vec<Records>> = games
            .into_par_iter()
            .map_init(
                || Generator::new(self.setup),
                |generator, index| {
                    let (records, _) = Records::play(generator, self.players(index), deals, index, monitor)?;
                    monitor.advance(1);
                    Some(records)
                },
            )
            .collect();
        let mut all = Records::default();
        for records in games? {
            all.append(records);
        }
        Some(all)
    }
}
