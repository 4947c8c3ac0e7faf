//! Candidates as players, in paired games against the baseline.

use std::ops::Range;

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

/// Pairs of all candidates together in a shard of a generation, of which each candidate has at least one.
const PAIRS_PER_SHARD: u64 = 150;

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

impl Objective for MatchesOnDeals<'_> {
    fn play(&self, candidates: &[&[f64]], pairs: Range<u64>) -> Result<Vec<Vec<Pair>>, JournalError> {
        let Matches { setup, baseline, monitor, .. } = *self.matches;
        let player = |candidate: &&[f64]| {
            self.matches
                .space
                .player(candidate)
                .unwrap_or_else(|error| unreachable!("the config was checked up to its bounds: {error}"))
        };
        let players: Vec<Player> = candidates.iter().map(player).collect();
        let count = (pairs.end - pairs.start) as usize;
        let played: Vec<Pair> = (0..players.len() * count)
            .into_par_iter()
            .with_max_len(8)
            .map_init(
                || Generator::new(setup),
                |generator, task| {
                    let players = [&players[task / count], baseline];
                    let series = Series { setup, players, deals: self.deals, clock: None };
                    let pair = series.pair(generator, pairs.start + (task % count) as u64);
                    monitor.advance(1);
                    pair
                },
            )
            .collect();
        Ok(played.chunks(count.max(1)).map(<[Pair]>::to_vec).collect())
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
        let job = ShardJob {
            name: &format!("{}-pairs-{:07}", self.name, pairs.start),
            units: pairs.end - pairs.start,
            size: (PAIRS_PER_SHARD / candidates.len().max(1) as u64).max(1),
            part: None,
        };
        let play =
            |units: Range<u64>| self.matches.play(candidates, pairs.start + units.start..pairs.start + units.end).map(Some);
        let mut played = vec![Vec::new(); candidates.len()];
        self.journal.each_unless_stopped(&job, &sha256(&points), play, |_, shard: Vec<Vec<Pair>>| {
            played.iter_mut().zip(shard).for_each(|(played, more)| played.extend(more));
        })?;
        Ok(played)
    }
}
