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
    /// The game.
    pub setup: &'a Setup,
    /// What the points of candidates stand for.
    pub space: Space<'a>,
    /// The baseline.
    pub baseline: &'a Player,
    /// Counts pairs.
    pub monitor: &'a dyn Monitor,
}

/// Matches on the deals of one purpose.
pub struct MatchesOnDeals<'a> {
    /// The players.
    pub matches: &'a Matches<'a>,
    /// The deals of the pairs.
    pub deals: Deals,
}

impl MatchesOnDeals<'_> {
    /// Plays some of the matches, numbered by candidate and then by pair.
    fn play_some(&self, candidates: &[&[f64]], pairs: &Range<u64>, matches: Range<u64>) -> Vec<Pair> {
        let Matches { setup, space, baseline, monitor } = self.matches;
        let count = (pairs.end - pairs.start).max(1);
        let first = matches.start / count;
        let player = |candidate: &&[f64]| {
            space.player(candidate).unwrap_or_else(|error| unreachable!("the config was checked up to its bounds: {error}"))
        };
        let players = candidates[first as usize..matches.end.div_ceil(count) as usize].iter().map(player);
        let players: Vec<Player> = players.collect();
        (0..(matches.end - matches.start) as usize)
            .into_par_iter()
            .with_max_len(8)
            .map_init(
                || Generator::new(setup),
                |generator, at| {
                    let task = matches.start + at as u64;
                    let players = [&players[(task / count - first) as usize], *baseline];
                    let series = Series { setup, players, deals: self.deals, clock: None };
                    let pair = series.pair(generator, pairs.start + task % count);
                    monitor.advance(1);
                    pair
                },
            )
            .collect()
    }
}

/// The matches of all candidates, in order, as those of each.
fn by_candidate(played: &[Pair], pairs: &Range<u64>) -> Vec<Vec<Pair>> {
    played.chunks(((pairs.end - pairs.start) as usize).max(1)).map(<[Pair]>::to_vec).collect()
}

impl Objective for MatchesOnDeals<'_> {
    fn play(&self, candidates: &[&[f64]], pairs: Range<u64>) -> Result<Vec<Vec<Pair>>, JournalError> {
        let matches = 0..candidates.len() as u64 * (pairs.end - pairs.start);
        Ok(by_candidate(&self.play_some(candidates, &pairs, matches), &pairs))
    }
}

/// The matches of a generation, which the processes of a shared run divide among them.
pub struct SharedMatches<'a> {
    /// The matches.
    pub matches: MatchesOnDeals<'a>,
    /// The journal of the run.
    pub journal: &'a Journal<'a>,
    /// The name of the generation in work files.
    pub name: &'a str,
}

impl Objective for SharedMatches<'_> {
    fn play(&self, candidates: &[&[f64]], pairs: Range<u64>) -> Result<Vec<Vec<Pair>>, JournalError> {
        if !self.journal.is_shared() {
            return self.matches.play(candidates, pairs);
        }
        let points: Vec<u8> = candidates.iter().flat_map(|point| point.iter().flat_map(|at| at.to_le_bytes())).collect();
        let units = candidates.len() as u64 * (pairs.end - pairs.start);
        let job = ShardJob {
            name: &format!("{}-pairs-{:07}", self.name, pairs.start),
            units,
            size: units.div_ceil(SHARDS).clamp(*PAIRS_PER_SHARD.start(), *PAIRS_PER_SHARD.end()),
            part: None,
        };
        let play = |matches: Range<u64>| Ok(Some(self.matches.play_some(candidates, &pairs, matches)));
        let mut played = Vec::new();
        self.journal.each_unless_stopped(&job, &sha256(&points), play, |_, shard: Vec<Pair>| played.extend(shard))?;
        Ok(by_candidate(&played, &pairs))
    }
}
