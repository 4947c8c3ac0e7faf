//! The games, censuses and matches of a leave run, in shards that its journal stores.

use std::ops::Range;
use std::sync::Arc;

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Domain;
use tilewright_engine::evaluator::Leave;
use tilewright_engine::game::Game;
use tilewright_engine::hash::{sha256, sha256_parts};
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::rack::{Rack, Ranking};
use tilewright_engine::rng::Stream;
use tilewright_engine::series::{Series, Tally};
use tilewright_engine::setup::Setup;
use tilewright_engine::static_player::StaticPlayer;
use tilewright_engine::tileset::Tile;
use tilewright_engine::turn::Turn;

use super::census::BoardSource;
use super::late::LateTally;
use crate::journal::{Journal, JournalError, Json, ShardJob};
use crate::rack_values::RackValues;

/// Pairs of a match in a shard.
const MATCH_SHARD: u64 = 250;

/// The sources of rack values, as in the names of their work files: boards and games.
pub(super) const SOURCES: [&str; 2] = ["census", "racks"];

/// The sharded work of a leave run.
pub(super) struct Shards<'a> {
    pub setup: &'a Setup,
    pub ranking: &'a Ranking,
    pub journal: &'a Journal<'a>,
    pub seed: u64,
    /// Improbable racks drawn at each turn in addition to the rack held.
    pub extra_racks: u64,
}

/// A job that collects the rack values of a generation, from games or from boards.
#[derive(Clone, Copy)]
pub(super) struct RackJob<'a> {
    pub generation: u64,
    pub table: &'a LeaveTable,
    pub prior: &'a [i32],
    /// Games or boards in all shards together.
    pub units: u64,
    /// Games or boards per shard.
    pub size: u64,
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

/// The half of a census that a shard belongs to, by the parity of the bits of its number. Alternate shards would not do,
/// because every second shard has boards of the same stages of the game.
fn half_of(shard: u64) -> usize {
    shard.count_ones() as usize % 2
}

impl Shards<'_> {
    /// The rack values of a generation's self-play games.
    pub fn self_play(&self, job: RackJob<'_>) -> Result<RackValues, JournalError> {
        let player = static_player(job.table);
        let play = |games: Range<u64>| {
            let worker = || Generator::new(self.setup);
            let of_game = |generator: &mut Generator<'_>, game| self.game(generator, &player, job.generation, game);
            let turns: Vec<Vec<(u32, i32)>> = games.into_par_iter().map_init(worker, of_game).collect();
            RackValues::tally(turns.concat())
        };
        let mut parts = Vec::new();
        self.each(job, SOURCES[1], play, |_, part| parts.push(part))?;
        Ok(RackValues::merge(parts))
    }

    /// The rack values of a generation's census, in two halves of different boards.
    pub fn census(&self, job: RackJob<'_>) -> Result<[RackValues; 2], JournalError> {
        let player = static_player(job.table);
        let RackJob { table, prior, generation, .. } = job;
        let deals = Domain::LeaveCensus(generation).deals(self.seed);
        let source = BoardSource { setup: self.setup, player: &player, table, prior, deals };
        let count = |slots| source.tally(slots, || self.journal.monitor().advance(1));
        let mut halves = [RackValues::default(), RackValues::default()];
        self.each(job, SOURCES[0], count, |shard, part| {
            let half = &mut halves[half_of(shard)];
            *half = half.plus(&part);
        })?;
        Ok(halves)
    }

    /// The shards of a job in order.
    fn each(
        &self,
        job: RackJob<'_>,
        source: &str,
        make: impl Fn(Range<u64>) -> RackValues,
        take: impl FnMut(u64, RackValues),
    ) -> Result<(), JournalError> {
        let RackJob { generation, table, prior, units, size } = job;
        let identity =
            sha256_parts([&bytes_of(table.values().iter().map(|value| value.0))[..], &bytes_of(prior.iter().copied())]);
        let name = format!("generation-{generation}-{source}");
        self.journal.each(&ShardJob { name: &name, units, size }, &identity, make, take)
    }

    /// (rack, best equity) of every turn of a game with tiles in the bag, for the rack held and for the extra racks.
    fn game(&self, generator: &mut Generator<'_>, player: &StaticPlayer, generation: u64, game: u64) -> Vec<(u32, i32)> {
        let deals = Domain::LeaveGeneration(generation).deals(self.seed);
        let mut draws = deals.side_stream("extra racks", game);
        let mut position = Game::deal(self.setup, deals, game);
        let mut turns = Vec::with_capacity(24);
        while !position.is_over() {
            let turn = position.turn(self.setup);
            let chosen = player.choose(generator, &turn);
            if !position.bag.is_empty() {
                turns.push((self.rack_number(&turn.rack), chosen.reported_equity().0));
                for _ in 0..self.extra_racks {
                    let drawn = with_improbable_rack(&turn, &mut draws);
                    turns.push((self.rack_number(&drawn.rack), player.choose(generator, &drawn).reported_equity().0));
                }
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

/// The number of racks drawn, of which the least probable one is used.
const DRAWN: usize = 4;

/// The turn with another rack: of [`DRAWN`] racks drawn from the unplayed tiles, the one that a full bag deals least often.
fn with_improbable_rack<'a>(turn: &Turn<'a>, draws: &mut Stream) -> Turn<'a> {
    let tileset = &turn.setup.tileset;
    let mut unplayed = turn.unseen;
    turn.rack.tiles().for_each(|tile| unplayed.add(tile.kind()));
    let kinds: Vec<u8> = unplayed.tiles().map(Tile::kind).collect();
    let counts = tileset.counts();
    let draw = || {
        let mut left = kinds.clone();
        let mut rack = Rack::default();
        for _ in 0..tileset.rules().rack_size {
            rack.add(left.swap_remove(draws.random_range(0..left.len())));
        }
        rack
    };
    let ways = |rack: &Rack| -> u64 { rack.kinds().map(|(kind, count)| choose(counts[kind as usize], count)).product() };
    let rack = std::iter::repeat_with(draw).take(DRAWN).min_by_key(ways).unwrap_or_default();
    turn.with_rack(rack, unplayed.minus(&rack).unwrap_or_default())
}

/// The number of ways to choose `many` tiles from `from`.
fn choose(from: u8, many: u8) -> u64 {
    (0..many).fold(1, |ways, step| ways * u64::from(from - step) / u64::from(step + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaves::census::unplayed_of_slot;
    use tilewright_engine::rng::stream;

    #[test]
    fn the_halves_of_a_census_have_boards_of_the_same_stages() {
        for (boards, size) in [(8, 1), (15, 2), (32, 8), (64, 8), (256, 16)] {
            let mut sums = [(0.0, 0.0); 2];
            for slot in 0..boards {
                let half = &mut sums[half_of(slot / size)];
                *half = (half.0 + unplayed_of_slot(slot, 15, 100) as f64, half.1 + 1.0);
            }
            let [a, b] = sums.map(|(sum, count)| sum / count);
            assert!((a - b).abs() < 12.0, "{boards} boards in shards of {size}: {a} and {b}");
            assert!((sums[0].1 - sums[1].1).abs() <= 2.0 * size as f64);
        }
    }

    #[test]
    fn improbable_racks_come_from_the_unplayed_tiles() {
        let setup =
            Setup::from_words(tilewright_engine::tileset::TileSet::embedded("english").unwrap(), "AN\nNA\n").unwrap();
        let game = Game::deal(&setup, Domain::Match.deals(1), 2);
        let full = Rack::from_counts(&setup.tileset.counts());
        let mut draws = stream(1, "test", 0);
        for _ in 0..50 {
            let turn = with_improbable_rack(&game.turn(&setup), &mut draws);
            assert_eq!((turn.rack.size(), turn.unseen.size()), (7, 93));
            assert_eq!(full.minus(&turn.rack), Some(turn.unseen));
        }
        assert_eq!([choose(12, 0), choose(12, 3), choose(2, 2)], [1, 220, 1]);
    }
}
