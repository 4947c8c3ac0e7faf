//! The ranking of candidates by their games, and the race that stops clear losers early.

use std::cmp::Ordering;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use tilewright_engine::series::Pair;

use crate::journal::JournalError;

/// The figure that ranks candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fitness {
    /// Mean spread per pair.
    Spread,
    /// Games won. A draw counts half.
    WinRate,
    /// Games won, then the spread (Barbicels).
    WinsThenSpread,
}

/// The pairs of each candidate, as player A, or `None` if a stop was requested before the end.
pub type Played = Result<Option<Vec<Vec<Pair>>>, JournalError>;

/// The results of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateScore {
    /// Pairs played. If the candidate stopped early, it has fewer than others.
    pub pairs: u64,
    /// Half wins over all pairs, 0 to 4 per pair.
    pub half_wins: u64,
    /// The candidate's spread over all pairs, in points.
    pub spread: i64,
}

impl CandidateScore {
    fn from_pairs(pairs: &[Pair]) -> CandidateScore {
        CandidateScore {
            pairs: pairs.len() as u64,
            half_wins: pairs.iter().map(Pair::half_wins).sum(),
            spread: pairs.iter().map(|pair| i64::from(pair.spread())).sum(),
        }
    }

    /// The sum of both.
    pub(super) fn plus(&self, other: &CandidateScore) -> CandidateScore {
        CandidateScore {
            pairs: self.pairs + other.pairs,
            half_wins: self.half_wins + other.half_wins,
            spread: self.spread + other.spread,
        }
    }

    /// The win rate, 0–1.
    pub fn win_rate(&self) -> f64 {
        self.half_wins as f64 / (4 * self.pairs.max(1)) as f64
    }

    /// The mean spread per game, in points.
    pub fn mean_spread(&self) -> f64 {
        self.spread as f64 / (2 * self.pairs.max(1)) as f64
    }
}

impl Fitness {
    /// Orders candidates, the better first. A candidate that stopped early comes after the others.
    fn compare(self, one: &CandidateScore, other: &CandidateScore) -> Ordering {
        let by_spread = other.mean_spread().total_cmp(&one.mean_spread());
        let by_wins = other.win_rate().total_cmp(&one.win_rate());
        let by_fitness = match self {
            Fitness::Spread => by_spread,
            Fitness::WinRate => by_wins,
            Fitness::WinsThenSpread => by_wins.then(by_spread),
        };
        other.pairs.cmp(&one.pairs).then(by_fitness)
    }

    /// The value of one pair in a race.
    fn pair_value(self, pair: &Pair) -> f64 {
        match self {
            Fitness::Spread => f64::from(pair.spread()),
            Fitness::WinRate | Fitness::WinsThenSpread => pair.half_wins() as f64,
        }
    }

    /// The place of each candidate, 0 for the best. Equal candidates keep their order.
    pub fn places(self, scores: &[CandidateScore]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&one, &other| self.compare(&scores[one], &scores[other]));
        let mut places = vec![0.0; scores.len()];
        order.into_iter().enumerate().for_each(|(place, candidate)| places[candidate] = place as f64);
        places
    }
}

/// The number of blocks of a generation's pairs in a race.
const BLOCKS: u64 = 4;
/// The fewest pairs per block. Fewer show no clear difference.
const LEAST_PER_BLOCK: u64 = 5;
/// A candidate is clearly beaten if it trails the last of the better half by this many standard errors of the difference.
const CLEARLY: f64 = 2.5;

/// Plays candidates on the same pairs by `play`. In a race, candidates that are clearly beaten after a block stop, except for the
/// first `spared` ones. `None` if a stop was requested before the end.
///
/// # Errors
/// Those of the journal that keeps the games.
pub fn play_candidates(
    play: impl Fn(&[&[f64]], Range<u64>) -> Played,
    candidates: &[&[f64]],
    pairs: Range<u64>,
    fitness: Fitness,
    race: Option<usize>,
) -> Result<Option<Vec<CandidateScore>>, JournalError> {
    let count = pairs.end - pairs.start;
    let blocks = if race.is_some() { BLOCKS.min(count / LEAST_PER_BLOCK).max(1) } else { 1 };
    let mut results: Vec<Vec<Pair>> = vec![Vec::new(); candidates.len()];
    let mut running: Vec<usize> = (0..candidates.len()).collect();
    for block in 0..blocks {
        let [begin, end] = [block, block + 1].map(|block| pairs.start + count * block / blocks);
        let points: Vec<&[f64]> = running.iter().map(|&candidate| candidates[candidate]).collect();
        let Some(played) = play(&points, begin..end)? else { return Ok(None) };
        for (&candidate, played) in running.iter().zip(played) {
            results[candidate].extend(played);
        }
        if let Some(spared) = race.filter(|_| block + 1 < blocks) {
            running = survivors(&results, &running, fitness, spared);
        }
    }
    Ok(Some(results.iter().map(|results| CandidateScore::from_pairs(results)).collect()))
}

/// The candidates that are not clearly worse than the last of the better half of all.
fn survivors(results: &[Vec<Pair>], running: &[usize], fitness: Fitness, spared: usize) -> Vec<usize> {
    let scores: Vec<CandidateScore> = results.iter().map(|results| CandidateScore::from_pairs(results)).collect();
    let mut order = running.to_vec();
    order.sort_by(|&one, &other| fitness.compare(&scores[one], &scores[other]));
    let Some(&bar) = order.get((results.len() / 2).min(order.len() - 1)) else { return order };
    let is_beaten = |candidate: usize| {
        let differences = results[bar].iter().zip(&results[candidate]);
        let differences: Vec<f64> =
            differences.map(|(bar, own)| fitness.pair_value(bar) - fitness.pair_value(own)).collect();
        let pairs = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / pairs;
        let variance =
            differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (pairs - 1.0).max(1.0);
        // Equal differences on all pairs give no estimate of the variance.
        variance > 0.0 && mean > CLEARLY * (variance / pairs).sqrt()
    };
    running.iter().copied().filter(|&candidate| candidate < spared || !is_beaten(candidate)).collect()
}

#[cfg(test)]
mod tests {
    use rand_distr::{Distribution, StandardNormal};
    use tilewright_engine::rng::stream;
    use tilewright_engine::selfplay::GameResult;

    use super::super::search::{Method, Search};
    use super::*;

    /// Matches of candidates whose strength falls with the distance from planted weights. The noise has a part that all
    /// candidates share on a deal, and a part of each candidate's own.
    struct PlantedWeights {
        weights: Vec<f64>,
    }

    impl PlantedWeights {
        fn play(&self, candidates: &[&[f64]], pairs: &Range<u64>) -> Vec<Vec<Pair>> {
            let play = |candidate: &&[f64]| {
                let distance: f64 = candidate.iter().zip(&self.weights).map(|(at, top)| (at - top).powi(2)).sum();
                let name = candidate.iter().fold(17u64, |hash, at| hash.wrapping_mul(31) ^ at.to_bits());
                let pair = |pair: u64| {
                    let shared: f64 = StandardNormal.sample(&mut stream(1, "deal", pair));
                    let own: f64 = StandardNormal.sample(&mut stream(name, "play", pair));
                    let spread = 2.0 * (30.0 - 10.0 * distance + 20.0 * shared + 50.0 * own);
                    let first = GameResult { scores: [spread as i32, 0], ..GameResult::default() };
                    Pair { index: pair, games: [first, GameResult::default()], ..Pair::default() }
                };
                pairs.clone().map(pair).collect()
            };
            candidates.iter().map(play).collect()
        }
    }

    #[test]
    fn planted_weights_are_found_through_the_noise_of_matches() {
        let planted = PlantedWeights { weights: vec![1.2, -0.8, 0.5, 0.0, -0.3, 0.9] };
        let dimensions = planted.weights.len();
        let search =
            Search { method: Method::CmaEs, dimensions, population: 48, sigma: 0.8, mean_rate: 0.5, elites: 10, seed: 3 };
        let mut ranks = Vec::new();
        let mut pairs_played = 0;
        for generation in 0..40u64 {
            let points = search.next(&ranks).points;
            let candidates: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
            let pairs = generation * 100..(generation + 1) * 100;
            let play = |candidates: &[&[f64]], pairs| Ok(Some(planted.play(candidates, &pairs)));
            let scores = play_candidates(play, &candidates, pairs, Fitness::Spread, Some(0)).unwrap().unwrap();
            pairs_played += scores.iter().map(|scores| scores.pairs).sum::<u64>();
            ranks.push(Fitness::Spread.places(&scores));
        }
        let mean = search.next(&ranks).mean;
        for (found, planted) in mean.iter().zip(&planted.weights) {
            assert!((found - planted).abs() < 0.25, "{mean:?}");
        }
        // The race saves pairs, but does not stop every candidate.
        let all = 48 * 100 * 40;
        assert!((all / 2..all * 99 / 100).contains(&pairs_played), "{pairs_played}");
    }

    #[test]
    fn candidates_are_ranked_by_their_fitness() {
        let scores = |pairs, half_wins, spread| CandidateScore { pairs, half_wins, spread };
        let all = [scores(10, 20, 50), scores(10, 20, 90), scores(10, 24, -10), scores(5, 20, 900)];
        assert_eq!(Fitness::Spread.places(&all), [1.0, 0.0, 2.0, 3.0]);
        assert_eq!(Fitness::WinRate.places(&all), [1.0, 2.0, 0.0, 3.0]);
        assert_eq!(Fitness::WinsThenSpread.places(&all), [2.0, 1.0, 0.0, 3.0]);
        assert_eq!((all[0].win_rate(), all[0].mean_spread()), (0.5, 2.5));
    }
}
