//! The whole evolution: searches generation by generation, the answer, and its test. The journal stores each generation and
//! the shards of the matches that follow.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tilewright_engine::deals::Domain;
use tilewright_engine::series::sequential::{Decision, PAIRS_PER_LOOK, SequentialSeries};
use tilewright_engine::series::{Series, Tally};
use tilewright_engine::{LeaveData, Monitor, Player, Setup};

use super::config::EvolveConfig;
use super::fitness::{CandidateScore, play_candidates};
use super::matches::Matches;
use super::search::Generation;
use super::space::{Evolved, Space};
use crate::journal::{Journal, JournalError, Json, ShardJob, StoredRun};
use crate::run::RunError;

/// Pairs of each final mean per shard.
const FINAL_SHARD: u64 = 250;

/// One generation, as logged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GenerationRecord {
    /// The number of the search, from 0.
    pub search: u64,
    /// The number of the generation in its search, from 1.
    pub generation: u64,
    /// The step size of the distribution.
    pub sigma: f64,
    /// The longest axis of the distribution divided by the shortest.
    pub axis_ratio: f64,
    /// The mean of the distribution, with its results on the same pairs.
    pub mean: Candidate,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// A point of a search and its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The point: the distance of each weight from its start, in units of its scale.
    pub point: Vec<f64>,
    /// The rank among the candidates of the generation, 0 for the best, or `None` for a mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<f64>,
    /// The results.
    pub score: CandidateScore,
}

/// The result of an evolution.
pub struct EvolveOutcome {
    /// The weights of the answer.
    pub weights: Evolved,
    /// All generations in order.
    pub generations: Vec<GenerationRecord>,
    /// The start and the final mean of each search, with their results on new deals.
    pub finals: Vec<Candidate>,
    /// The index of the answer in `finals`.
    pub answer: usize,
    /// The number of games in all searches.
    pub games: u64,
    /// The pairs of the promotion test.
    pub promotion: Tally,
    /// The decision of the promotion test.
    pub decision: Decision,
}

impl EvolveOutcome {
    /// Whether the test accepted the answer.
    pub fn is_promoted(&self) -> bool {
        self.decision == Decision::AcceptH1
    }
}

/// An evolution.
pub struct Evolution<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// The config.
    pub config: &'a EvolveConfig,
    /// The opponent of the candidates.
    pub baseline: &'a Player,
    /// The opponent of the answer in the promotion test.
    pub promotion: &'a Player,
    /// The leave table for the features of linear candidates, or `None` if they need none.
    pub leaves: Option<&'a LeaveData>,
    /// The meaning of the candidates' points.
    pub space: Space<'a>,
}

impl Evolution<'_> {
    pub(super) fn run(&self, journal: &Journal<'_>) -> Result<EvolveOutcome, RunError> {
        let (config, space) = (self.config, &self.space);
        let origin = vec![0.0; space.dimensions()];
        space.player(&origin)?;
        let (mut generations, mut means) = (Vec::new(), vec![origin]);
        for search in 0..=config.restarts {
            let (records, mean) = self.search(search, journal)?;
            generations.extend(records);
            means.push(mean);
        }
        let finals = self.finals(&means, journal)?;
        let scores: Vec<CandidateScore> = finals.iter().map(|candidate| candidate.score).collect();
        let answer = config.fitness.places(&scores).iter().position(|&place| place == 0.0).unwrap_or_default();
        let promotion = self.test(&finals[answer].point, journal)?;
        let all = |record: &GenerationRecord| {
            record.candidates.iter().chain([&record.mean]).map(|candidate| candidate.score.pairs).sum::<u64>()
        };
        Ok(EvolveOutcome {
            weights: space.at(&finals[answer].point),
            games: 2 * generations.iter().map(all).sum::<u64>(),
            generations,
            finals,
            answer,
            promotion: promotion.tally,
            decision: promotion.decision,
        })
    }

    /// All generations of a search, and its final mean.
    fn search(&self, number: u64, journal: &Journal<'_>) -> Result<(Vec<GenerationRecord>, Vec<f64>), RunError> {
        let (config, monitor) = (self.config, journal.monitor());
        let search = config.search(number, self.space.dimensions());
        let (mut records, mut ranks): (Vec<GenerationRecord>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for generation in 1..=config.generations {
            let next = search.next(&ranks);
            let pairs = config.pairs * (next.points.len() as u64 + 1);
            monitor.begin(
                &format!("search {}, generation {generation} of {}", number + 1, config.generations),
                pairs,
                "pairs",
            );
            let same_size = config.generations - generation + (config.restarts - number) * config.generations;
            let later = (self.pairs_of_finals() + self.expected_promotion_pairs()) as f64;
            monitor.ahead(same_size as f64 + later / pairs as f64);
            if let Some(last) = records.last() {
                monitor.note(&describe(last));
            }
            let name = work_file(number, generation);
            let make = || self.generation(&name, (number, generation), next, journal);
            let record = recorded(&name, pairs, journal, make)?;
            ranks.push(record.candidates.iter().map(|candidate| candidate.place.unwrap_or_default()).collect());
            records.push(record);
        }
        let mean = search.next(&ranks).mean;
        Ok((records, mean))
    }

    /// Plays generation `generation` of search `search`.
    fn generation(
        &self,
        name: &str,
        (search, generation): (u64, u64),
        next: Generation,
        journal: &Journal<'_>,
    ) -> Result<GenerationRecord, JournalError> {
        let config = self.config;
        let first = (generation - 1) * config.pairs;
        let points: Vec<&[f64]> = std::iter::once(&next.mean).chain(&next.points).map(Vec::as_slice).collect();
        let race = config.race.then_some(1);
        let matches = self.matches(Domain::Search(search), journal);
        let play = |points: &[&[f64]], pairs| matches.play_kept(points, &pairs, journal, name);
        let scores = play_candidates(play, &points, first..first + config.pairs, config.fitness, race)?;
        let scores = scores.ok_or_else(|| journal.interrupted())?;
        let places = config.fitness.places(&scores[1..]);
        let candidates = next.points.into_iter().zip(&scores[1..]).zip(places);
        Ok(GenerationRecord {
            search,
            generation,
            sigma: next.sigma,
            axis_ratio: next.axis_ratio,
            mean: Candidate { point: next.mean, place: None, score: scores[0] },
            candidates: candidates.map(|((point, &score), place)| Candidate { point, place: Some(place), score }).collect(),
        })
    }

    /// Matches on the deals of a domain.
    fn matches<'b>(&'b self, domain: Domain, journal: &'b Journal<'_>) -> Matches<'b> {
        let Evolution { setup, config, baseline, ref space, .. } = *self;
        Matches { setup, space, baseline, monitor: journal.monitor(), deals: domain.deals(config.seed) }
    }

    /// Plays the final means on new deals.
    fn finals(&self, means: &[Vec<f64>], journal: &Journal<'_>) -> Result<Vec<Candidate>, JournalError> {
        let config = self.config;
        let (matches, count) = (self.matches(Domain::FinalMeans, journal), means.len() as u64);
        let points: Vec<&[f64]> = means.iter().map(Vec::as_slice).collect();
        // A unit is one pair of one mean.
        let job = ShardJob { name: "final-means", units: self.pairs_of_finals(), size: FINAL_SHARD * count };
        journal.monitor().begin("final means", job.units, "pairs");
        journal.monitor().ahead(self.expected_promotion_pairs() as f64 / job.units as f64);
        let play = |units: Range<u64>| {
            let play = |points: &[&[f64]], pairs| Ok(matches.play(points, &pairs));
            play_candidates(play, &points, units.start / count..units.end / count, config.fitness, None)
        };
        let mut sums = vec![CandidateScore::default(); means.len()];
        journal.each_unless_stopped(&job, "", play, |_, shard: Vec<CandidateScore>| {
            sums.iter_mut().zip(shard).for_each(|(sum, score)| *sum = sum.plus(&score));
        })?;
        let candidates = means.iter().zip(sums);
        Ok(candidates.map(|(point, score)| Candidate { point: point.clone(), place: None, score }).collect())
    }

    fn test(&self, answer: &[f64], journal: &Journal<'_>) -> Result<SequentialSeries, RunError> {
        let promotion = &self.config.promotion;
        let player = self.space.player(answer)?;
        let monitor = journal.monitor();
        let series = Series::new(self.setup, [&player, self.promotion], Domain::Match.deals(promotion.seed));
        monitor.begin("promotion", promotion.pairs, "pairs");
        let (test, mut so_far) = (promotion.test(), Tally::default());
        let job = promotion_job(self.config);
        let play = |pairs: Range<u64>| {
            let ahead = test.expected_pairs_left(&so_far.outcomes) as u64 / PAIRS_PER_LOOK;
            let make = |pairs| series.play_all(pairs, monitor).map(Json);
            let Json(look) = journal.next_shard(&job, (pairs.start / PAIRS_PER_LOOK, ahead), "", make)?;
            so_far = look.clone().plus(&so_far);
            Ok::<_, JournalError>(look)
        };
        let played = test.play_by(promotion.pairs, monitor, play)?;
        journal.has_enough(&job)?;
        Ok(played)
    }

    /// The pairs that the start and the final means play.
    fn pairs_of_finals(&self) -> u64 {
        self.config.final_pairs * (self.config.restarts + 2)
    }

    /// The pairs after which the test of the answer is expected to decide, before any is played.
    fn expected_promotion_pairs(&self) -> u64 {
        self.config.promotion.pairs.min(self.config.promotion.test().expected_pairs_left(&[0; 5]) as u64)
    }
}

/// The record of a generation of `pairs` pairs: read back, or made and stored unless a stop was requested.
fn recorded(
    name: &str,
    pairs: u64,
    journal: &Journal<'_>,
    make: impl FnOnce() -> Result<GenerationRecord, JournalError>,
) -> Result<GenerationRecord, JournalError> {
    let Json(record) = if let Some(record) = journal.read(name, "")? {
        journal.monitor().advance(pairs);
        record
    } else {
        journal.check_stop()?;
        journal.write(name, "", &Json(make()?))?
    };
    // Also the pairs of an earlier process that was killed between the two steps.
    journal.forget(&format!("{name}-"))?;
    Ok(record)
}

fn work_file(search: u64, generation: u64) -> String {
    format!("search-{search:02}-generation-{generation:05}")
}

/// The finished generations of an evolution with this config that goes on or was stopped.
///
/// # Errors
/// [`JournalError`] if a work file cannot be read.
pub fn stored_generations(
    run: &StoredRun,
    config: &EvolveConfig,
    monitor: &dyn Monitor,
) -> Result<Vec<GenerationRecord>, JournalError> {
    let names = |search| (1..=config.generations).map(move |generation| work_file(search, generation));
    let stored = (0..=config.restarts).flat_map(names).map_while(|name| run.read(&name, "", monitor).transpose());
    stored.map(|record| record.map(|Json(record)| record)).collect()
}

/// The looks of the held-out test of an evolution with this config, in order, as far as they are stored.
///
/// # Errors
/// [`JournalError`] if a work file cannot be read.
pub fn stored_looks(run: &StoredRun, config: &EvolveConfig, monitor: &dyn Monitor) -> Result<Vec<Tally>, JournalError> {
    let looks = run.shards(&promotion_job(config), "", monitor)?;
    Ok(looks.into_iter().map(|Json(look)| look).collect())
}

/// The held-out test, by looks.
fn promotion_job(config: &EvolveConfig) -> ShardJob<'static> {
    ShardJob { name: "promotion", units: config.promotion.pairs, size: PAIRS_PER_LOOK }
}

/// Describes a generation in one line.
pub fn describe(record: &GenerationRecord) -> String {
    let (mean, best) = (&record.mean.score, record.candidates.iter().find(|candidate| candidate.place == Some(0.0)));
    let best = best.map_or(0.0, |best| best.score.mean_spread());
    format!(
        "mean {:+.1} points, {:.1} %; best {best:+.1}; sigma {:.2}",
        mean.mean_spread(),
        100.0 * mean.win_rate(),
        record.sigma
    )
}
