//! The shards of a run: what is played and counted, kept on disk as it is done, and read back instead of being done again.

use std::path::PathBuf;
use std::sync::Arc;

use rand::RngExt;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::deals::Purpose;
use tilewright_engine::evaluator::Leave;
use tilewright_engine::game::Game;
use tilewright_engine::hash::{sha256, sha256_parts};
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::monitor::Monitor;
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
use super::failure::RunError;
use super::late::LateTally;
use crate::rack_values::RackValues;

/// Pairs of a match in a shard.
const MATCH_SHARD: u64 = 250;

/// One machine's share of the shards: those whose number leaves `index` when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 0.
    pub index: u64,
    /// How many parts there are.
    pub of: u64,
}

/// Where shards are, and what they are a function of.
pub(super) struct Shards<'a> {
    pub setup: &'a Setup,
    pub ranking: &'a Ranking,
    pub folder: PathBuf,
    /// Everything the shards depend on.
    pub key: String,
    pub seed: u64,
    /// Racks drawn at each turn beside the one held.
    pub extra_racks: u64,
    pub monitor: &'a dyn Monitor,
}

/// What a generation's shards are made with.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    pub generation: u64,
    pub table: &'a LeaveTable,
    pub prior: &'a [i32],
    /// Units, games or boards, in all and in a shard.
    pub units: u64,
    pub shard: u64,
    /// The shards to make; the others must be there.
    pub part: Option<Part>,
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

/// Which half of a census a shard belongs to. By the bits of its number, since the slots of every second shard are boards of
/// the same stages of the game.
fn half_of(shard: u64) -> usize {
    shard.count_ones() as usize % 2
}

impl Shards<'_> {
    /// The rack values of a generation's self-play games.
    pub fn self_play(&self, making: Making<'_>) -> Result<RackValues, RunError> {
        let player = static_player(making.table);
        let play = |games: std::ops::Range<u64>| {
            let turns: Vec<Vec<(u32, i32)>> = games
                .into_par_iter()
                .map_init(
                    || Generator::new(self.setup),
                    |generator, game| self.game(generator, &player, making.generation, game),
                )
                .collect();
            RackValues::tally(turns.concat())
        };
        let mut parts = Vec::new();
        self.each(making, "racks", play, |_, part| parts.push(part))?;
        Ok(RackValues::merge(parts))
    }

    /// The rack values of a generation's census, in two halves of different boards.
    pub fn census(&self, making: Making<'_>) -> Result<[RackValues; 2], RunError> {
        let player = static_player(making.table);
        let Making { table, prior, generation, .. } = making;
        let deals = Purpose::LeaveCensus(generation).deals(self.seed);
        let source = BoardSource { setup: self.setup, player: &player, table, prior, deals };
        let count = |slots| source.tally(slots, || self.monitor.advance(1));
        let mut halves = [RackValues::default(), RackValues::default()];
        self.each(making, "census", count, |shard, part| {
            let half = &mut halves[half_of(shard)];
            *half = half.plus(&part);
        })?;
        Ok(halves)
    }

    /// Hands over the shards one after the other, made or read back. A shard that is begun is finished, and kept: a kill
    /// loses one at most.
    fn each(
        &self,
        making: Making<'_>,
        name: &str,
        make: impl Fn(std::ops::Range<u64>) -> RackValues,
        mut take: impl FnMut(u64, RackValues),
    ) -> Result<(), RunError> {
        let Making { generation, table, prior, units, shard: size, part } = making;
        let made_with =
            sha256_parts([&bytes_of(table.values().iter().map(|value| value.0))[..], &bytes_of(prior.iter().copied())]);
        let mut missing = 0;
        for shard in 0..units.div_ceil(size) {
            let range = shard * size..((shard + 1) * size).min(units);
            let path = self.folder.join(format!("generation-{generation}-shard-{shard:05}.{name}"));
            let key = format!("{}generation {generation} {name} {shard} {made_with}", self.key);
            if let Some(values) = RackValues::read(&path, &key)? {
                self.monitor.advance(range.end - range.start);
                take(shard, values);
            } else if part.is_some_and(|part| shard % part.of != part.index) {
                missing += 1;
            } else if self.monitor.is_stopped() {
                return Err(RunError::Interrupted);
            } else {
                let values = make(range);
                values.write(&path, &key)?;
                take(shard, values);
            }
        }
        if missing > 0 { Err(RunError::PartDone { missing }) } else { Ok(()) }
    }

    /// (rack, best equity) of every turn of a game with tiles in the bag, for the rack held and those drawn beside it.
    fn game(&self, generator: &mut Generator<'_>, player: &StaticPlayer, generation: u64, game: u64) -> Vec<(u32, i32)> {
        let deals = Purpose::LeaveGeneration(generation).deals(self.seed);
        let mut draws = deals.side_stream("extra racks", game);
        let mut position = Game::deal(self.setup, deals, game);
        let mut turns = Vec::with_capacity(24);
        while !position.is_over() {
            let turn = position.turn(self.setup);
            let chosen = player.choose(generator, &turn);
            if !position.bag.is_empty() {
                turns.push((self.number(&turn.rack), chosen.reported_equity().0));
                for _ in 0..self.extra_racks {
                    let drawn = with_improbable_rack(&turn, &mut draws);
                    turns.push((self.number(&drawn.rack), player.choose(generator, &drawn).reported_equity().0));
                }
            }
            position.make(self.setup, &chosen.chosen);
        }
        self.monitor.advance(1);
        turns
    }

    /// A full rack's number among them.
    fn number(&self, rack: &Rack) -> u32 {
        (self.ranking.rank(rack) - self.ranking.indices_of_size(self.ranking.max_size()).start) as u32
    }

    /// Late plays of a table compared, shard by shard.
    pub fn late(&self, table: &LeaveTable, games: u64, shard_games: u64) -> Result<LateTally, RunError> {
        let evaluator = Leave::new(Arc::new(table.clone())).with_pool(&self.setup.tileset);
        let (player, identity) = (StaticPlayer::new(evaluator), identity(table));
        let advance = || self.monitor.advance(1);
        let mut sum = LateTally::new(&self.setup.tileset);
        for shard in 0..games.div_ceil(shard_games) {
            let range = shard * shard_games..((shard + 1) * shard_games).min(games);
            let tally = self.kept_json(&format!("late-{shard:05}"), &identity, range.end - range.start, || {
                LateTally::of_games(self.setup, &player, Purpose::LatePlays.deals(self.seed), range.clone(), advance)
            })?;
            sum = sum.plus(&tally);
        }
        Ok(sum)
    }

    /// A small shard of games of these players: read back if it is there, else made and kept.
    fn kept_json<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        players: &str,
        units: u64,
        make: impl FnOnce() -> T,
    ) -> Result<T, RunError> {
        let key = sha256(format!("{}{name} {players} {units}", self.key).as_bytes());
        let path = self.folder.join(format!("{name}.json"));
        let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<(String, T)>(&bytes).ok());
        if let Some((_, kept)) = kept.filter(|(own, _)| *own == key) {
            self.monitor.advance(units);
            return Ok(kept);
        }
        if self.monitor.is_stopped() {
            return Err(RunError::Interrupted);
        }
        let made = make();
        write_atomically(&path, serde_json::to_string(&(&key, &made)).unwrap_or_default().as_bytes())?;
        Ok(made)
    }

    /// A match, shard by shard; `name` tells it from others.
    pub fn series(&self, name: &str, players: [&Player; 2], pairs: u64, seed: u64) -> Result<Tally, RunError> {
        let [a, b] = players;
        let identities = format!("{} {}", a.identity, b.identity);
        let mut sum = Tally::default();
        for shard in 0..pairs.div_ceil(MATCH_SHARD) {
            let range = shard * MATCH_SHARD..((shard + 1) * MATCH_SHARD).min(pairs);
            let tally = self.kept_json(&format!("{name}-{shard:05}"), &identities, range.end - range.start, || {
                Series { setup: self.setup, players, deals: Purpose::Match.deals(seed), clock: None }
                    .play(range, &Steady(self.monitor))
            })?;
            sum = sum.plus(&tally);
        }
        Ok(sum)
    }
}

/// Racks drawn, of which the least probable is taken.
const DRAWN: usize = 4;

/// The turn with another rack: of [`DRAWN`] racks drawn from the tiles that are not on the board, the one that a full bag deals
/// least often.
fn with_improbable_rack<'a>(turn: &Turn<'a>, draws: &mut Stream) -> Turn<'a> {
    let tileset = &turn.setup.tileset;
    let mut pool = turn.unseen;
    turn.rack.tiles().for_each(|tile| pool.add(tile.kind()));
    let kinds: Vec<u8> = pool.tiles().map(Tile::kind).collect();
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
    turn.with_rack(rack, pool.minus(&rack).unwrap_or_default())
}

/// Ways to choose so many tiles from so many.
fn choose(from: u8, many: u8) -> u64 {
    (0..many).fold(1, |ways, step| ways * u64::from(from - step) / u64::from(step + 1))
}

/// Passes progress on, but lets what is begun come to its end.
struct Steady<'a>(&'a dyn Monitor);

impl Monitor for Steady<'_> {
    fn begin(&self, what: &str, units: u64, unit: &'static str) {
        self.0.begin(what, units, unit);
    }
    fn ahead(&self, multiple: f64) {
        self.0.ahead(multiple);
    }
    fn advance(&self, done: u64) {
        self.0.advance(done);
    }
    fn is_stopped(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaves::census::unplayed_of_slot;
    use tilewright_engine::rng::stream;

    #[test]
    fn the_halves_of_a_census_are_of_the_same_stages() {
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
        let game = Game::deal(&setup, Purpose::Match.deals(1), 2);
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
