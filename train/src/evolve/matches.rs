//! Candidates as players, in paired games against the baseline.

use std::ops::{Range, RangeInclusive};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Deals;
use tilewright_engine::hash::sha256;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::series::{Pair, Series};
use tilewright_engine::setup::Setup;

use super::fitness::Objective;
use super::space::Space;
use crate::journal::{Journal, JournalError, ShardJob};

/// The number of shards that share the matches of a stage, if they are not too small or too large. A stage ends with its last shard, so
/// processes wait less for each other the more there are; but each costs some three milliseconds for its files.
const SHARDS: u64 = 32;
/// The fewest and the most pairs in a shard.
const PAIRS_PER_SHARD: RangeInclusive<u64> = 25..=150;

/// Candidates and the baseline that they play.
pub struct Matches<'a> {
    pub setup: &'a Setup,
    /// What the points of candidates stand for.
    pub space: &'a Space<'a>,
    pub baseline: &'a Player,
    /// Counts pairs.
    pub monitor: &'a dyn Monitor,
}

/// Matches on the deals of one domain.
pub struct MatchesOnDeals<'a> {
    pub matches: &'a Matches<'a>,
    pub deals: Deals,
}

impl MatchesOnDeals<'_> {
    /// Plays some of the matches, numbered by candidate and then by pair, but those that are `known`: these are given in order, as far as
    /// there are any. `None` stands for a match that the monitor has stopped.
    fn play_some(
        &self,
        candidates: &[&[f64]],
        pairs: &Range<u64>,
        matches: Range<u64>,
        known: &[Option<Pair>],
    ) -> Vec<Option<Pair>> {
        let Matches { setup, space, baseline, monitor } = self.matches;
        let count = (pairs.end - pairs.start).max(1);
        let first = matches.start / count;
        let player = |candidate: &&[f64]| {
            space.player(candidate).unwrap_or_else(|error| unreachable!("the config was checked up to its bounds: {error}"))
        };
        let players = candidates[first as usize..matches.end.div_ceil(count) as usize].iter().map(player);
        let players: Vec<Player> = players.collect();
        let play = |generator: &mut Generator<'_>, at: usize| {
            let task = matches.start + at as u64;
            let players = [&players[(task / count - first) as usize], *baseline];
            let series = Series { setup, players, deals: self.deals, clock: None };
            let pair = match known.get(at) {
                Some(Some(pair)) => pair.clone(),
                _ => series.pair_until(generator, pairs.start + task % count, *monitor)?.without_moves(),
            };
            monitor.advance(1);
            Some(pair)
        };
        let all = (0..(matches.end - matches.start) as usize).into_par_iter().with_max_len(8);
        all.map_init(|| Generator::new(setup), play).collect()
    }
}

/// The matches of all candidates, in order, as those of each; `None` if one of them is missing.
fn by_candidate(played: Vec<Option<Pair>>, pairs: &Range<u64>) -> Option<Vec<Vec<Pair>>> {
    let played: Vec<Pair> = played.into_iter().collect::<Option<_>>()?;
    Some(played.chunks(((pairs.end - pairs.start) as usize).max(1)).map(<[Pair]>::to_vec).collect())
}

impl Objective for MatchesOnDeals<'_> {
    fn play(&self, candidates: &[&[f64]], pairs: Range<u64>) -> Result<Option<Vec<Vec<Pair>>>, JournalError> {
        let matches = 0..candidates.len() as u64 * (pairs.end - pairs.start);
        Ok(by_candidate(self.play_some(candidates, &pairs, matches, &[]), &pairs))
    }
}

/// The matches of a generation, kept in the journal. The processes of a shared run divide them among them.
pub struct KeptMatches<'a> {
    pub matches: MatchesOnDeals<'a>,
    pub journal: &'a Journal<'a>,
    /// The name of the generation in work files.
    pub name: &'a str,
}

impl Objective for KeptMatches<'_> {
    fn play(&self, candidates: &[&[f64]], pairs: Range<u64>) -> Result<Option<Vec<Vec<Pair>>>, JournalError> {
        let KeptMatches { matches, journal, .. } = self;
        let name = format!("{}-pairs-{:07}", self.name, pairs.start);
        let points: Vec<u8> = candidates.iter().flat_map(|point| point.iter().flat_map(|at| at.to_le_bytes())).collect();
        let (identity, units) = (sha256(&points), candidates.len() as u64 * (pairs.end - pairs.start));
        if !journal.is_shared() {
            // What is finished when the run stops is not played again.
            let known: Vec<Option<Pair>> = journal.read(&name, &identity)?.unwrap_or_default();
            let played = matches.play_some(candidates, &pairs, 0..units, &known);
            return Ok(by_candidate(journal.write(&name, &identity, &played)?, &pairs));
        }
        let size = units.div_ceil(SHARDS).clamp(*PAIRS_PER_SHARD.start(), *PAIRS_PER_SHARD.end());
        let job = ShardJob { name: &name, units, size };
        let play = |some| Ok(matches.play_some(candidates, &pairs, some, &[]).into_iter().collect());
        let mut played = Vec::new();
        let take = |_, shard: Vec<Pair>| played.extend(shard.into_iter().map(Some));
        journal.each_unless_stopped(&job, &identity, play, take)?;
        Ok(by_candidate(played, &pairs))
    }
}
