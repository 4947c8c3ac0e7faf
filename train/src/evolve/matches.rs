//! Candidates as players, in paired games against the baseline.

use std::ops::{Range, RangeInclusive};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Deals;
use tilewright_engine::hash::sha256;
use tilewright_engine::series::{Pair, Series};
use tilewright_engine::{Generator, Monitor, Player, Setup};

use super::fitness::Played;
use super::space::Space;
use crate::journal::{Journal, ShardJob};

/// The number of shards that share the matches of a stage, within [`PAIRS_PER_SHARD`]. A stage ends with its last shard, so
/// with more shards processes wait less for each other. But each shard costs some three milliseconds for its files.
const SHARDS: u64 = 32;
/// The fewest and the most pairs in a shard.
const PAIRS_PER_SHARD: RangeInclusive<u64> = 25..=150;

/// Matches of candidates against the baseline.
#[derive(Clone, Copy)]
pub struct Matches<'a> {
    pub setup: &'a Setup,
    /// The meaning of the candidates' points.
    pub space: &'a Space<'a>,
    pub baseline: &'a Player,
    /// Counts pairs.
    pub monitor: &'a dyn Monitor,
    pub deals: Deals,
}

impl Matches<'_> {
    /// Plays every candidate, as player A, on each of these pairs.
    pub fn play(&self, candidates: &[&[f64]], pairs: &Range<u64>) -> Option<Vec<Vec<Pair>>> {
        let matches = 0..candidates.len() as u64 * (pairs.end - pairs.start);
        by_candidate(self.play_some(candidates, pairs, matches, &[]), pairs)
    }

    /// The same for the generation called `generation` in work files. The journal keeps its matches. The processes of a
    /// shared run divide them.
    pub fn play_kept(&self, candidates: &[&[f64]], pairs: &Range<u64>, journal: &Journal<'_>, generation: &str) -> Played {
        let name = format!("{generation}-pairs-{:07}", pairs.start);
        let points: Vec<u8> = candidates.iter().flat_map(|point| point.iter().flat_map(|at| at.to_le_bytes())).collect();
        let (identity, units) = (sha256(&points), candidates.len() as u64 * (pairs.end - pairs.start));
        if !journal.is_shared() {
            // A resumed run plays only the missing pairs.
            let known: Vec<Option<Pair>> = journal.read(&name, &identity)?.unwrap_or_default();
            let played = self.play_some(candidates, pairs, 0..units, &known);
            return Ok(by_candidate(journal.write(&name, &identity, &played)?, pairs));
        }
        let size = units.div_ceil(SHARDS).clamp(*PAIRS_PER_SHARD.start(), *PAIRS_PER_SHARD.end());
        let job = ShardJob { name: &name, units, size };
        let play = |some| Ok(self.play_some(candidates, pairs, some, &[]).into_iter().collect());
        let mut played = Vec::new();
        let take = |_, shard: Vec<Pair>| played.extend(shard.into_iter().map(Some));
        journal.each_unless_stopped(&job, &identity, play, take)?;
        Ok(by_candidate(played, pairs))
    }

    /// Plays some of the matches, numbered by candidate and then by pair, but those that are `known`: these are given in order, as far as
    /// there are any. `None` stands for a match that the monitor has stopped.
    fn play_some(
        &self,
        candidates: &[&[f64]],
        pairs: &Range<u64>,
        matches: Range<u64>,
        known: &[Option<Pair>],
    ) -> Vec<Option<Pair>> {
        let Matches { setup, space, baseline, monitor, deals } = *self;
        let count = (pairs.end - pairs.start).max(1);
        let first = matches.start / count;
        let player = |candidate: &&[f64]| {
            space.player(candidate).unwrap_or_else(|error| unreachable!("the config was checked up to its bounds: {error}"))
        };
        let players = candidates[first as usize..matches.end.div_ceil(count) as usize].iter().map(player);
        let players: Vec<Player> = players.collect();
        let play = |generator: &mut Generator<'_>, at: usize| {
            let task = matches.start + at as u64;
            let players = [&players[(task / count - first) as usize], baseline];
            let series = Series::new(setup, players, deals);
            let pair = match known.get(at) {
                Some(Some(pair)) => pair.clone(),
                _ => series.pair_until(generator, pairs.start + task % count, monitor)?.without_moves(),
            };
            monitor.advance(1);
            Some(pair)
        };
        let all = (0..(matches.end - matches.start) as usize).into_par_iter().with_max_len(8);
        all.map_init(|| Generator::new(setup), play).collect()
    }
}

/// The list of all matches, divided by candidate, or `None` if a match is missing.
fn by_candidate(played: Vec<Option<Pair>>, pairs: &Range<u64>) -> Option<Vec<Vec<Pair>>> {
    let played: Vec<Pair> = played.into_iter().collect::<Option<_>>()?;
    Some(played.chunks(((pairs.end - pairs.start) as usize).max(1)).map(<[Pair]>::to_vec).collect())
}
