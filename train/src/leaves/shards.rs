//! The games and matches of a leave run, in shards that its journal stores.

use std::ops::Range;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Leave;
use tilewright_engine::game::Game;
use tilewright_engine::hash::{sha256, sha256_parts};
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::rack::{Rack, Ranking};
use tilewright_engine::series::{Series, Tally};
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;

use super::late::LateTally;
use crate::journal::{Journal, JournalError, Json, ShardJob};
use crate::rack_values::RackValues;

/// Pairs of a match in a shard.
const MATCH_SHARD: u64 = 250;

/// The sharded work of a leave run.
pub(super) struct Shards<'a> {
    pub setup: &'a Setup,
    pub ranking: &'a Ranking,
    pub journal: &'a Journal<'a>,
    pub seed: u64,
}

/// The self-play of a generation.
#[derive(Clone, Copy)]
pub(super) struct RackJob<'a> {
    pub generation: u64,
    pub table: &'a LeaveTable,
    /// The prior value of each full rack by its number, in thousandths of a point.
    pub prior: &'a [i32],
    /// Games in all shards together.
    pub games: u64,
    /// Games per shard.
    pub size: u64,
}

impl RackJob<'_> {
    /// The name of the work files.
    pub fn name(generation: u64) -> String {
        format!("generation-{generation}-racks")
    }
}

fn static_player(table: &LeaveTable) -> StaticPlayer {
    StaticPlayer::new(Leave::new(Arc::new(table.clone())))
}

/// The player of a table.
pub(super) fn player(table: &LeaveTable) -> Player {
    let mut player = Player::from_static("leave", static_player(table));
    player.identity = identity(table);
    player
}

/// A hash of a table's values.
fn identity(table: &LeaveTable) -> String {
    sha256(&bytes_of(table.values().iter().map(|value| value.0)))
}

fn bytes_of(values: impl Iterator<Item = i32>) -> Vec<u8> {
    values.flat_map(i32::to_le_bytes).collect()
}

impl Shards<'_> {
    /// The rack values of a generation's self-play games.
    pub fn self_play(&self, job: RackJob<'_>) -> Result<RackValues, JournalError> {
        let RackJob { generation, table, prior, games, size } = job;
        let player = static_player(table);
        let play = |games: Range<u64>| {
            let worker = || Generator::new(self.setup);
            let of_game = |generator: &mut Generator<'_>, game| self.game(generator, &player, generation, game);
            let turns: Vec<Vec<(u32, i32)>> = games.into_par_iter().map_init(worker, of_game).collect();
            RackValues::tally(turns.concat())
        };
        let identity =
            sha256_parts([&bytes_of(table.values().iter().map(|value| value.0))[..], &bytes_of(prior.iter().copied())]);
        let shards = ShardJob { name: &RackJob::name(generation), units: games, size };
        let mut parts = Vec::new();
        self.journal.each(&shards, &identity, play, |_, part| parts.push(part))?;
        Ok(RackValues::merge(parts))
    }

    /// (rack, best equity) of every turn of a game with tiles in the bag.
    fn game(&self, generator: &mut Generator<'_>, player: &StaticPlayer, generation: u64, game: u64) -> Vec<(u32, i32)> {
        let mut position = Game::deal(self.setup, Domain::LeaveGeneration(generation).deals(self.seed), game);
        let mut turns = Vec::with_capacity(24);
        while !position.is_over() {
            let turn = position.turn(self.setup);
            let chosen = player.choose(generator, &turn);
            if !position.bag.is_empty() {
                turns.push((self.rack_number(&turn.rack), chosen.reported_equity().0));
            }
            position.make(self.setup, &chosen.chosen);
        }
        self.journal.monitor().advance(1);
        turns
    }

    /// The number of a full rack among the full racks.
    fn rack_number(&self, rack: &Rack) -> u32 {
        (self.ranking.rank(rack) - self.ranking.indices_of_size(self.ranking.max_size()).start) as u32
    }

    /// The comparisons of late plays with a table, shard by shard.
    pub fn late(&self, table: &LeaveTable, games: u64, shard_games: u64) -> Result<LateTally, JournalError> {
        let evaluator = Leave::new(Arc::new(table.clone())).with_pool(&self.setup.tileset);
        let player = StaticPlayer::new(evaluator);
        let advance = || self.journal.monitor().advance(1);
        let deals = Domain::LatePlays.deals(self.seed);
        let compare = |games| LateTally::play(self.setup, &player, deals, games, advance);
        let mut sum = LateTally::new(&self.setup.tileset);
        let job = ShardJob { name: "late", units: games, size: shard_games };
        self.journal.each(&job, &identity(table), compare, |_, tally: LateTally| sum = tally.plus(&sum))?;
        Ok(sum)
    }

    /// A match, shard by shard; `name` distinguishes its work files from those of other matches.
    pub fn series(&self, name: &str, players: [&Player; 2], pairs: u64, seed: u64) -> Result<Tally, JournalError> {
        let identity = format!("{} {}", players[0].identity, players[1].identity);
        let series = Series { setup: self.setup, players, deals: Domain::Match.deals(seed), clock: None };
        let play = |pairs| Ok(series.play_all(pairs, self.journal.monitor()).map(Json));
        let mut sum = Tally::default();
        let job = ShardJob { name, units: pairs, size: MATCH_SHARD };
        self.journal.each_unless_stopped(&job, &identity, play, |_, Json(tally)| sum = tally.plus(&sum))?;
        Ok(sum)
    }
}
