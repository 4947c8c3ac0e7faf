//! The page of an evolution: the held-out test and why it failed, and the search.

use std::collections::BTreeMap;
use std::path::Path;

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{ERROR_RATE, Estimate, Summary, Tally};
use tilewright_engine::{Feature, Manifest};
use tilewright_train::evolve::artefact::{LOG_FILE, read_log};
use tilewright_train::evolve::config::{EvolveConfig, Promotion};
use tilewright_train::evolve::run::{GenerationRecord, stored_generations, stored_looks};
use tilewright_train::journal::StoredRun;
use tilewright_train::run_config::RunConfig;

use super::compared::{Compared, Curve, Strength, Values};
use super::made::{CONFIG_FILE, Head, Made, chart_of_test, repeat_with_config};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{Section, grouped, html, made_by, missing, signed};
use crate::{Failure, InFile, Input, Progress};

mod search;

use search::Search;

/// An evolution with the data that all its sections need.
struct Evolution<'a> {
    run: &'a Path,
    config: &'a EvolveConfig,
    /// The manifest of the artefact, or `None` until the run has ended.
    manifest: Option<&'a Manifest>,
    log: &'a [GenerationRecord],
    /// The looks of the held-out test, if there are any.
    looks: Vec<Tally>,
    /// The weights of the answer. Empty until the run has ended, and for networks.
    weights: BTreeMap<Feature, f64>,
}

/// The page of an evolution that has ended, with the texts of its log and of its weights. Networks have no such weights.
pub fn page(run: &Path, texts: [&str; 2], manifest: &Manifest, progress: &Progress) -> Result<Made, Failure> {
    let [log, weights] = texts;
    let config = EvolveConfig::from_toml(&manifest.config, &run.join(CONFIG_FILE).display().to_string()).input()?;
    let log =
        read_log(log, &config).and_then(|log| if log.is_empty() { Err("it has no generation".into()) } else { Ok(log) });
    let log = log.in_file(&run.join(LOG_FILE))?;
    let stored = StoredRun::open(run)?;
    let looks = stored.map(|stored| stored_looks(&stored, &config, progress)).transpose()?.unwrap_or_default();
    let weights = Some(weights).filter(|text| !text.is_empty()).map(toml::from_str::<Weights>);
    let weights = weights.transpose().in_file(&run.join(WEIGHTS_FILE))?.map(|weights| weights.weights).unwrap_or_default();
    let evolution = Evolution { run, config: &config, manifest: Some(manifest), log: &log, looks, weights };
    Ok(Made { compared: evolution.compared(manifest), ..evolution.made() })
}

/// The page of an evolution that goes on or was stopped. `None` if the run is no evolution, or has no finished generation.
pub fn page_of_unfinished(run: &Path, stored: &StoredRun, progress: &Progress) -> Result<Option<Made>, Failure> {
    let Ok(config) = EvolveConfig::from_toml(&stored.key.config, "") else { return Ok(None) };
    let log = stored_generations(stored, &config, progress).input()?;
    let looks = stored_looks(stored, &config, progress)?;
    let evolution = Evolution { run, config: &config, manifest: None, log: &log, looks, weights: BTreeMap::new() };
    Ok((!log.is_empty()).then(|| evolution.made()))
}

/// The win rate and the pairs of the held-out test.
fn tested(manifest: &Manifest) -> Option<(f64, f64)> {
    let metric = |name: &str| manifest.metrics.get(name).copied();
    metric("promotion_win_rate").zip(metric("promotion_pairs"))
}

impl Evolution<'_> {
    fn search(&self) -> Search<'_> {
        Search { config: self.config, log: self.log }
    }

    fn made(&self) -> Made {
        let search = self.search();
        let mut sections = vec![
            self.test(),
            search.fitness(),
            search.distribution(),
            search.weights(&self.weights),
            search.races(),
            search.candidates(),
        ];
        // The foot of the page of an artefact has its config.
        let config = self.manifest.is_none().then(|| self.config.to_toml());
        sections.push(repeat_with_config("evolve", self.run, "weights", config.as_deref()));
        let footer = self.manifest.map(made_by).unwrap_or_default();
        Made { is_finished: self.manifest.is_some(), ..Made::new(self.head(), sections, footer) }
    }

    /// The answer by its win rate on held-out deals.
    fn compared(&self, manifest: &Manifest) -> Compared {
        let Promotion { against, seed, .. } = &self.config.promotion;
        let strength = Strength {
            yardstick: format!("{against} {} {}", manifest.lexicon, manifest.tileset),
            deals: format!("deals of seed {seed}"),
            caveat: " The tests stop early, which biases their win rates.",
            ..Strength::default()
        };
        let rows = self.weights.iter().map(|(feature, weight)| (feature.about().name.to_string(), *weight)).collect();
        let points = self.search().by_generation(|record| 100.0 * record.mean.score.win_rate());
        Compared {
            strength: Some(strength),
            outcome: self.outcome(manifest),
            values: vec![Values { title: "Weights, points per unit", decimals: 3, rows }],
            curves: vec![Curve { caption: "Win rate of the mean", across: "generation", up: "percent", points }],
            ..Compared::default()
        }
    }

    /// Whether the answer was promoted, and the finding of the test.
    fn outcome(&self, manifest: &Manifest) -> String {
        let Promotion { h0, h1, .. } = &self.config.promotion;
        let tested = self.tested();
        match self.config.promotion.test().decide(&tested.outcomes) {
            _ if !manifest.is_refused() => format!("promoted: the test preferred {h1} % to {h0} %"),
            // Without the work files the pairs of the test are not known.
            _ if tested.pairs == 0 => "not promoted".into(),
            Decision::AcceptH0 => format!("not promoted: the test preferred {h0} % to {h1} %"),
            _ => format!("not promoted: no decision between {h0} % and {h1} %"),
        }
    }

    /// The likely causes of an answer that was not promoted, in sentences.
    fn causes(&self) -> Vec<String> {
        let (Some(first), Some(last)) = (self.log.first(), self.log.last()) else { return Vec::new() };
        let rate = 100.0 * last.mean.score.win_rate();
        let (test, tested) = (self.config.promotion.test(), self.tested());
        let [lower, upper] = test.bounds();
        let ratio = test.log_likelihood_ratio(&tested.outcomes);
        let undecided = format!(
            "The test ended undecided after {} pairs: its log-likelihood ratio is {}, and the bounds are {} and {}. More pairs in [promotion] \
             decide it.",
            grouped(tested.pairs),
            signed(ratio, 2),
            signed(lower, 2),
            signed(upper, 2)
        );
        let [from, to] = [first.sigma, last.sigma];
        let found = [
            (tested.pairs > 0 && ratio > lower && ratio < upper, undecided),
            (
                rate <= 50.0,
                format!(
                    "The mean of the last generation wins {rate:.1} % against {}: the search found nothing better.",
                    self.config.baseline
                ),
            ),
            (
                to > from,
                format!(
                    "The step size grew from {from:.2} to {to:.2}: the scales are too small, or the fitness is mostly noise. Larger scales or more pairs for each candidate help."
                ),
            ),
            (
                to > from / 2.0 && to <= from,
                format!(
                    "The step size fell only from {from:.2} to {to:.2}: the search was not at its end. More generations help."
                ),
            ),
            (
                self.config.baseline != self.config.promotion.against,
                format!(
                    "The search plays {}, the test {}: weights that beat one need not beat the other.",
                    self.config.baseline, self.config.promotion.against
                ),
            ),
        ];
        found.into_iter().filter(|(holds, _)| *holds).map(|(_, cause)| cause).collect()
    }

    /// The held-out test so far.
    fn tested(&self) -> Tally {
        self.looks.iter().fold(Tally::default(), Tally::plus)
    }

    fn head(&self) -> Head {
        let EvolveConfig { population, seed, pairs, baseline, weights, .. } = self.config;
        let searches = self.log.last().map_or(0, |record| record.search) + 1;
        let facts = vec![
            format!("{} tile set", self.config.tileset),
            format!("seed {seed}"),
            format!("{} {}", grouped(searches), if searches == 1 { "search" } else { "searches" }),
            format!("{population} candidates, {pairs} pairs each"),
        ];
        let against = &self.config.promotion.against;
        // A config may ask for more than can be counted. A run of it is never finished.
        let all = self.config.generations.saturating_mul(self.config.restarts.saturating_add(1));
        let verdict = match self.manifest {
            Some(manifest) => format!("The answer was {}, against {against}.", self.outcome(manifest)),
            None => format!("{} of {} generations are finished.", self.log.len(), grouped(all)),
        };
        let lead = format!(
            "{verdict} All candidates of a generation play the same deals against {baseline}, so they can be compared with each other. \
             Candidates of two generations play different deals."
        );
        let others = [
            KeyFigure::count("generations", self.log.len() as u64),
            KeyFigure::count("games of the searches", 2 * self.search().pairs()),
            KeyFigure::count("searched weights", weights.len() as u64),
        ];
        let figures = self.win_rate().into_iter().chain(others).collect();
        Head { kind: "evolution".into(), title: format!("Evolution against {baseline}"), facts, lead, figures }
    }

    /// The win rate on held-out deals, or of the mean of the last generation until the run has ended.
    fn win_rate(&self) -> Option<KeyFigure> {
        let figure = |name: &str, rate, note: String| KeyFigure::percent(name, rate, 1).note(note);
        if let Some((rate, pairs)) = self.manifest.and_then(tested) {
            // Without the work files the interval is not known. The test may stop at any time.
            let found = self.tested().anytime_win_rate(ERROR_RATE);
            let rate = found.map_or(certain(rate), |found| Estimate { mean: rate, ..found });
            let note = format!("at any time, {} pairs against {}", grouped(pairs as u64), self.config.promotion.against);
            return Some(figure("win rate on held-out deals", rate, note));
        }
        let score = &self.log.last()?.mean.score;
        let note = format!("over {} pairs of the last generation, not held out", score.pairs);
        Some(figure("win rate of the mean", certain(score.win_rate()), note))
    }

    fn test(&self) -> Section {
        let promotion = &self.config.promotion;
        let lead = format!(
            "The answer plays {} on deals of seed {} that no search has seen. It is promoted if a sequential test prefers a win rate of {} % \
             to {} %.{}",
            promotion.against,
            promotion.seed,
            promotion.h1,
            promotion.h0,
            if self.tested().pairs < promotion.pairs { " A test that stops early overstates its verdict." } else { "" }
        );
        let mut so_far = Tally::default();
        let sum = |look: &Tally| {
            so_far = look.clone().plus(&so_far);
            so_far.clone()
        };
        let course: Vec<Tally> = self.looks.iter().map(sum).collect();
        let body = match so_far.summary() {
            Some(Summary { anytime_win_rate, spread, .. }) => html! {
                dl.figures {
                    (KeyFigure::count("pairs", so_far.pairs))
                    (KeyFigure::percent("win rate", anytime_win_rate, 2).note("at any time"))
                    (KeyFigure::number("points per game", spread.mean, 2).signed())
                }
                (chart_of_test(&promotion.test(), &course))
            },
            None if self.manifest.is_none() => missing("The search comes first."),
            None => missing("The folder of the run has no work files, which hold the pairs of the test."),
        };
        let causes = self.manifest.filter(|manifest| manifest.is_refused()).map_or(Vec::new(), |_| self.causes());
        let body = html! {
            @if !causes.is_empty() { h3 { "Why it was not promoted" } ul { @for cause in &causes { li { (cause) } } } }
            (body)
        };
        Section::new("test", "Test", "The held-out test", lead, body)
    }
}
