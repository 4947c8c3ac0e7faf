//! The games and matches of a leave run, in shards that its journal stores.

use std::ops::Range;
use std::sync::Arc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Domain;
use tilewright_engine::hash::sha256;
use tilewright_engine::leave::CorrectedLeaves;
use tilewright_engine::rack::{Rack, Ranking};
use tilewright_engine::series::{Series, Tally};
use tilewright_engine::{Game, Generator, LeaveTable, Player, Setup, StaticPlayer};

use super::config::LeavesConfig;
use super::late::LateTally;
use crate::journal::{Journal, JournalError, Json, ShardJob};
use crate::rack_values::RackValues;

/// Pairs of a match in a shard.
const MATCH_SHARD: u64 = 250;

/// The sharded work of a leave run.
pub(super) struct Shards<'a> {
    pub setup: &'a Setup,
    pub config: &'a LeavesConfig,
    pub ranking: &'a Ranking,
    pub journal: &'a Journal<'a>,
}

/// The name of the work files of a generation's self-play.
pub(super) fn racks_name(generation: u64) -> String {
    format!("generation-{generation}-racks")
}

fn static_player(table: &LeaveTable) -> StaticPlayer {
    StaticPlayer::new(CorrectedLeaves::new(Arc::new(table.clone())))
}

pub(super) fn player(table: &LeaveTable) -> Player {
    let mut player = Player::from_static("leave", static_player(table));
    player.identity = identity(table);
    player
}

/// A hash of a table's values.
fn identity(table: &LeaveTable) -> String {
    sha256(&table.values().iter().flat_map(|value| value.0.to_le_bytes()).collect::<Vec<u8>>())
}

impl Shards<'_> {
    /// The rack values of a generation's self-play games, which are played with a table.
    pub fn self_play(&self, generation: u64, table: &LeaveTable) -> Result<RackValues, JournalError> {
        let player = static_player(table);
        let play = |games: Range<u64>| {
            let worker = || Generator::new(self.setup);
            let of_game = |generator: &mut Generator<'_>, game| self.game(generator, &player, generation, game);
            let turns: Vec<Vec<(u32, i32)>> = games.into_par_iter().map_init(worker, of_game).collect();
            RackValues::tally(turns.concat())
        };
        let (units, size) = (self.config.games_of(generation), self.config.shard_games);
        let job = ShardJob { name: &racks_name(generation), units, size };
        let mut parts = Vec::new();
        self.journal.each(&job, &identity(table), play, |_, part| parts.push(part))?;
        Ok(RackValues::merge(parts))
    }

    /// (rack, best equity) of every turn of a game with tiles in the bag.
    fn game(&self, generator: &mut Generator<'_>, player: &StaticPlayer, generation: u64, game: u64) -> Vec<(u32, i32)> {
        let mut position = Game::deal(self.setup, Domain::LeaveGeneration(generation).deals(self.config.seed), game);
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
    pub fn late(&self, table: &LeaveTable) -> Result<LateTally, JournalError> {
        let evaluator = CorrectedLeaves::new(Arc::new(table.clone())).with_pool(&self.setup.tileset);
        let player = StaticPlayer::new(evaluator);
        let advance = || self.journal.monitor().advance(1);
        let deals = Domain::LatePlays.deals(self.config.seed);
        let compare = |games| LateTally::play(self.setup, &player, deals, games, advance);
        let mut sum = LateTally::new(&self.setup.tileset);
        let job = ShardJob { name: "late", units: self.config.late_games, size: self.config.shard_games };
        self.journal.each(&job, &identity(table), compare, |_, tally: LateTally| sum = tally.plus(&sum))?;
        Ok(sum)
    }

    /// A match, shard by shard. Its work files have `name` in their names, which no other match has.
    pub fn series(&self, name: &str, players: [&Player; 2], pairs: u64) -> Result<Tally, JournalError> {
        let identity = format!("{} {}", players[0].identity, players[1].identity);
        let series = Series::new(self.setup, players, Domain::Match.deals(self.config.match_seed));
        let play = |pairs| Ok(series.play_all(pairs, self.journal.monitor()).map(Json));
        let mut sum = Tally::default();
        let job = ShardJob { name, units: pairs, size: MATCH_SHARD };
        self.journal.each_unless_stopped(&job, &identity, play, |_, Json(tally)| sum = tally.plus(&sum))?;
        Ok(sum)
    }
}
