//! The whole evolution: searches generation by generation, each kept on disk as it is done; the answer, and its test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, write_atomically};
use tilewright_engine::deals::Purpose;
use tilewright_engine::evaluator::linear::{BadWeights, Weights};
use tilewright_engine::features::{Feature, FeatureError, Features};
use tilewright_engine::hash::sha256;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::monitor::Monitor;
use tilewright_engine::player::Player;
use tilewright_engine::series::sequential::{Decision, SequentialTest};
use tilewright_engine::series::{Series, Tally};
use tilewright_engine::setup::Setup;

use super::config::EvolveConfig;
use super::fitness::{Judged, judge};
use super::matches::{Matches, MatchesOnDeals};
use super::search::Generation;
use crate::run_config::RunConfig;

/// Where generations live inside the run's folder.
const WORK: &str = "work";

/// Why an evolution ended early.
#[derive(Debug, Error)]
pub enum RunError {
    /// It was asked to.
    #[error("interrupted")]
    Interrupted,
    /// A file of it cannot be read or written.
    #[error(transparent)]
    File(#[from] ArtefactError),
    /// The features cannot be computed.
    #[error(transparent)]
    Features(#[from] FeatureError),
    /// No player can be made of the weights.
    #[error(transparent)]
    Weights(#[from] BadWeights),
}

/// One generation, as the log has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationRecord {
    /// Of what it is a generation: a hash of config, rules and words.
    pub key: String,
    /// Search, from 0.
    pub search: u64,
    /// Generation of it, from 1.
    pub generation: u64,
    /// Size of the distribution.
    pub sigma: f64,
    /// Longest by shortest axis of it.
    pub axis_ratio: f64,
    /// The mean of the distribution, and what it makes of the deals of the generation; in scales from the starts, as all points.
    pub mean: Candidate,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// A point of a search and what it has done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// In scales from the starts.
    pub point: Vec<f64>,
    /// Its place among the candidates of the generation, the best 0; the mean has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<f64>,
    /// What it made of the deals.
    pub judged: Judged,
}

/// What an evolution ends with.
pub struct EvolveOutcome {
    /// The weights of the answer.
    pub weights: Weights,
    /// All generations in order.
    pub generations: Vec<GenerationRecord>,
    /// What the start, then the final means of the searches, made of new deals.
    pub finals: Vec<Candidate>,
    /// Which of them is the answer.
    pub answer: usize,
    /// Games that the searches played.
    pub games: u64,
    /// The test of the answer.
    pub promotion: Tally,
    /// What it says.
    pub decision: Decision,
}

impl EvolveOutcome {
    /// Whether the test accepted the answer.
    pub fn is_promoted(&self) -> bool {
        self.decision == Decision::AcceptH1
    }
}

/// Who plays, beside the candidates.
pub struct Opponents<'a> {
    /// Whom candidates are judged against.
    pub baseline: &'a Player,
    /// Whom the answer is tested against.
    pub promotion: &'a Player,
    /// The leave table of the features, if they need one.
    pub leaves: Option<Arc<LeaveTable>>,
}

struct Run<'a> {
    matches: Matches<'a>,
    folder: PathBuf,
    key: String,
}

/// Evolves weights in `folder`, which exists. Interrupted and started again, it goes on after the last finished generation and ends
/// with the same result.
///
/// # Errors
/// [`RunError`]; [`RunError::Interrupted`] leaves every finished generation on disk.
pub fn run(
    setup: &Setup,
    config: &EvolveConfig,
    opponents: &Opponents<'_>,
    folder: &Path,
    monitor: &dyn Monitor,
) -> Result<EvolveOutcome, RunError> {
    let work = folder.join(WORK);
    std::fs::create_dir_all(&work).map_err(|source| ArtefactError::File { path: work.clone(), source })?;
    let wanted: Vec<Feature> = config.weights.keys().chain(config.fixed.keys()).copied().collect();
    let features = Arc::new(Features::new(&wanted, setup, opponents.leaves.clone())?);
    let leaves = opponents.leaves.iter().flat_map(|table| table.values().iter().flat_map(|value| value.0.to_le_bytes()));
    let leaves = sha256(&leaves.collect::<Vec<u8>>());
    let identity = [&opponents.baseline.identity, &opponents.promotion.identity, &leaves].map(String::as_str).join(" ");
    let version = env!("CARGO_PKG_VERSION");
    let key = format!("{version} {}{identity} {} {}", config.to_toml(), setup.rules_hash(), setup.lexicon.hash);
    let matches = Matches { setup, config, features, baseline: opponents.baseline, monitor };
    let run = Run { matches, folder: work, key: sha256(key.as_bytes()) };
    run.matches.player(&vec![0.0; config.weights.len()])?;
    let (mut generations, mut means) = (Vec::new(), vec![vec![0.0; config.weights.len()]]);
    for search in 0..=config.restarts {
        let (records, mean) = run.search(search)?;
        generations.extend(records);
        means.push(mean);
    }
    let finals = run.finals(&means)?;
    let judged: Vec<Judged> = finals.iter().map(|candidate| candidate.judged).collect();
    let answer = config.fitness.places(&judged).iter().position(|&place| place == 0.0).unwrap_or_default();
    let (promotion, decision) = run.promotion(&finals[answer].point, opponents.promotion)?;
    let all = |record: &GenerationRecord| {
        record.candidates.iter().chain([&record.mean]).map(|candidate| candidate.judged.pairs).sum::<u64>()
    };
    Ok(EvolveOutcome {
        weights: config.weights_of(&finals[answer].point),
        games: 2 * generations.iter().map(all).sum::<u64>(),
        generations,
        finals,
        answer,
        promotion,
        decision,
    })
}

impl Run<'_> {
    /// All generations of a search, and the mean that it ends with.
    fn search(&self, number: u64) -> Result<(Vec<GenerationRecord>, Vec<f64>), RunError> {
        let (config, monitor) = (self.matches.config, self.matches.monitor);
        let search = config.search(number);
        let (mut records, mut told): (Vec<GenerationRecord>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        for generation in 1..=config.generations {
            let next = search.next(&told);
            let pairs = config.pairs * (next.points.len() as u64 + 1);
            monitor.begin(
                &format!("search {}, generation {generation} of {}", number + 1, config.generations),
                pairs,
                "pairs",
            );
            monitor.ahead((config.generations - generation) as f64);
            if let Some(last) = records.last() {
                monitor.note(&describe(last));
            }
            let path = self.folder.join(format!("search-{number:02}-generation-{generation:05}.json"));
            let record = match self.kept(&path, number, generation, &next) {
                Some(record) => {
                    monitor.advance(pairs);
                    record
                }
                None => self.generation(number, generation, next, &path)?,
            };
            told.push(record.candidates.iter().map(|candidate| candidate.place.unwrap_or_default()).collect());
            records.push(record);
        }
        let mean = search.next(&told).mean;
        Ok((records, mean))
    }

    /// A generation that was played before, of the candidates that are due.
    fn kept(&self, path: &Path, search: u64, generation: u64, next: &Generation) -> Option<GenerationRecord> {
        let record: GenerationRecord = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        let is_due = record.key == self.key && (record.search, record.generation) == (search, generation);
        let points = record.candidates.iter().map(|candidate| &candidate.point);
        (is_due && record.mean.point == next.mean && points.eq(&next.points)).then_some(record)
    }

    /// Plays a generation and keeps it.
    fn generation(&self, search: u64, generation: u64, next: Generation, path: &Path) -> Result<GenerationRecord, RunError> {
        let config = self.matches.config;
        let first = (generation - 1) * config.pairs;
        let points: Vec<&[f64]> = std::iter::once(&next.mean).chain(&next.points).map(Vec::as_slice).collect();
        let race = config.race.then_some(1);
        let judged = judge(&self.on(Purpose::Search(search)), &points, first..first + config.pairs, config.fitness, race);
        let judged = judged.ok_or(RunError::Interrupted)?;
        let places = config.fitness.places(&judged[1..]);
        let candidates = next.points.into_iter().zip(&judged[1..]).zip(places);
        let record = GenerationRecord {
            key: self.key.clone(),
            search,
            generation,
            sigma: next.sigma,
            axis_ratio: next.axis_ratio,
            mean: Candidate { point: next.mean, place: None, judged: judged[0] },
            candidates: candidates
                .map(|((point, &judged), place)| Candidate { point, place: Some(place), judged })
                .collect(),
        };
        let text = serde_json::to_string(&record).unwrap_or_else(|error| unreachable!("a record is plain data: {error}"));
        write_atomically(path, text.as_bytes())?;
        Ok(record)
    }

    /// Matches on the deals of a purpose.
    fn on(&self, purpose: Purpose) -> MatchesOnDeals<'_> {
        MatchesOnDeals { matches: &self.matches, deals: purpose.deals(self.matches.config.seed) }
    }

    /// The final means on new deals.
    fn finals(&self, means: &[Vec<f64>]) -> Result<Vec<Candidate>, RunError> {
        let config = self.matches.config;
        self.matches.monitor.begin("final means", config.final_pairs * means.len() as u64, "pairs");
        let points: Vec<&[f64]> = means.iter().map(Vec::as_slice).collect();
        let judged = judge(&self.on(Purpose::FinalMeans), &points, 0..config.final_pairs, config.fitness, None);
        let judged = judged.ok_or(RunError::Interrupted)?;
        let candidates = means.iter().zip(judged);
        Ok(candidates.map(|(point, judged)| Candidate { point: point.clone(), place: None, judged }).collect())
    }

    /// The sequential test of the answer.
    fn promotion(&self, answer: &[f64], against: &Player) -> Result<(Tally, Decision), RunError> {
        let promotion = &self.matches.config.promotion;
        let player = self.matches.player(answer)?;
        let (setup, monitor) = (self.matches.setup, self.matches.monitor);
        let series = Series { setup, players: [&player, against], deals: Purpose::Match.deals(promotion.seed), clock: None };
        let rate = promotion.error_rate;
        let Ok(test) = SequentialTest::new(promotion.h0 / 100.0, promotion.h1 / 100.0, rate, rate) else {
            unreachable!("the config was checked");
        };
        monitor.begin("promotion", promotion.pairs, "pairs");
        let played = test.play(&series, promotion.pairs, monitor);
        if monitor.is_stopped() && played.decision == Decision::Open && played.tally.pairs < promotion.pairs {
            return Err(RunError::Interrupted);
        }
        Ok((played.tally, played.decision))
    }
}

/// A generation in a few words.
pub fn describe(record: &GenerationRecord) -> String {
    let (mean, best) = (&record.mean.judged, record.candidates.iter().find(|candidate| candidate.place == Some(0.0)));
    let best = best.map_or(0.0, |best| best.judged.mean_spread());
    format!(
        "mean {:+.1} points, {:.1} %; best {best:+.1}; sigma {:.2}",
        mean.mean_spread(),
        100.0 * mean.win_rate(),
        record.sigma
    )
}
