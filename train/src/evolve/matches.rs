//! Candidates as players, in paired games against the baseline.

use std::ops::Range;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use tilewright_engine::deals::Deals;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::movegen::Generator;
use tilewright_engine::player::Player;
use tilewright_engine::series::{Pair, Series};
use tilewright_engine::setup::Setup;

use super::fitness::Objective;
use super::space::Space;

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
    fn play(&self, candidates: &[&[f64]], pairs: Range<u64>) -> Vec<Vec<Pair>> {
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
        played.chunks(count.max(1)).map(<[Pair]>::to_vec).collect()
    }
}
