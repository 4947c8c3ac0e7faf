//! The page of an evolution: fitness, distribution, weights and races by generation, and the held-out test.

use std::path::{Path, PathBuf};

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{Summary, Tally};
use tilewright_engine::{Feature, Manifest};
use tilewright_train::evolve::artefact::{LOG_FILE, read_log};
use tilewright_train::evolve::config::{EvolveConfig, Promotion};
use tilewright_train::evolve::run::{Candidate, GenerationRecord, stored_generations, stored_looks};
use tilewright_train::journal::StoredRun;
use tilewright_train::run_config::RunConfig;

use super::compared::{Compared, Curve, Strength, Values};
use super::made::{CONFIG_FILE, Made, chart_of_test, repeat_with_config};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{Markup, Page, Section, grouped, html, made_by, missing, page_header, signed, sortable_table};
use crate::report::svg::{Colour, Layer, Mark, layered_chart, line_chart};
use crate::{Failure, InFile, Input, Progress};

/// An evolution with the data that all its sections need.
struct Evolution {
    run: PathBuf,
    config: EvolveConfig,
    /// The manifest of the artefact, or `None` until the run has ended.
    manifest: Option<Manifest>,
    log: Vec<GenerationRecord>,
    /// The tallies after each look of the held-out test, if there are any.
    looks: Vec<Tally>,
}

/// The page of an evolution that has ended, with the texts of its log and of its weights, if it has weights of features.
pub fn page(
    run: &Path,
    log: &str,
    weights: Option<&str>,
    manifest: &Manifest,
    progress: &Progress,
) -> Result<Made, Failure> {
    let config = EvolveConfig::from_toml(&manifest.config, &run.join(CONFIG_FILE).display().to_string()).input()?;
    let log =
        read_log(log, &config).and_then(|log| if log.is_empty() { Err("it has no generation".into()) } else { Ok(log) });
    let log = log.in_file(&run.join(LOG_FILE))?;
    let stored = StoredRun::open(run)?;
    let looks = stored.map(|stored| stored_looks(&stored, &config, progress)).transpose()?.unwrap_or_default();
    let weights = weights.map(toml::from_str).transpose().in_file(&run.join(WEIGHTS_FILE))?;
    Ok(Evolution { run: run.into(), config, manifest: Some(manifest.clone()), log, looks: sums(looks) }.made(weights))
}

/// The sum up to each of some tallies.
fn sums(looks: Vec<Tally>) -> Vec<Tally> {
    let mut so_far = Tally::default();
    let sum = |look: Tally| {
        so_far = look.plus(&so_far);
        so_far.clone()
    };
    looks.into_iter().map(sum).collect()
}

/// The page of an evolution that goes on or was stopped. `None` if the run is no evolution, or has no finished generation.
pub fn page_of_unfinished(run: &Path, stored: &StoredRun, progress: &Progress) -> Result<Option<Made>, Failure> {
    let Ok(config) = EvolveConfig::from_toml(&stored.key.config, "") else { return Ok(None) };
    let log = stored_generations(stored, &config, progress).input()?;
    let looks = stored_looks(stored, &config, progress)?;
    let evolution = Evolution { run: run.into(), config, manifest: None, log, looks: sums(looks) };
    Ok((!evolution.log.is_empty()).then(|| evolution.made(None)))
}

fn chart(caption: &str, up: &str, layers: &[Layer<'_>]) -> Markup {
    layered_chart(caption, "generation", up, layers)
}

impl Evolution {
    /// The run with the weights of its answer.
    fn made(self, weights: Option<Weights>) -> Made {
        let title = format!("Evolution against {}", self.config.baseline);
        let (facts, figures, is_finished) = (self.facts(), self.figures(), self.manifest.is_some());
        let compared = self.compared(weights);
        let head = title.clone();
        let draw = move || {
            let mut sections = vec![self.fitness(), self.distribution(), self.weights(), self.races(), self.candidates()];
            // The foot of the page of an artefact has its config.
            let config = self.manifest.is_none().then(|| self.config.to_toml());
            sections.extend([self.test(), repeat_with_config("evolve", &self.run, "weights", config.as_deref())]);
            let footer = self.manifest.as_ref().map(made_by).unwrap_or_default();
            Ok(Page::new(&head, self.header(&head), sections, footer).write())
        };
        Made { is_finished, compared, ..Made::new("evolution", title, facts, figures, draw) }
    }

    fn compared(&self, weights: Option<Weights>) -> Compared {
        let EvolveConfig { promotion, .. } = &self.config;
        let game =
            self.manifest.as_ref().map_or(String::new(), |manifest| format!("{} {}", manifest.lexicon, manifest.tileset));
        let strength = Strength {
            figure: 0,
            is_less_better: false,
            sample: "pairs",
            against: promotion.against.to_string(),
            yardstick: format!("{}, {game}", promotion.against),
            deals: format!("the deals of seed {}", promotion.seed),
            half_wins: Vec::new(),
            caveat: " The tests stop early, which biases their win rates.",
        };
        let weights = weights.map(|weights| weights.weights).unwrap_or_default();
        let weights = weights.iter().map(|(feature, weight)| (feature.about().name.to_string(), *weight)).collect();
        let curve = Curve {
            caption: "Win rate of the mean",
            across: "generation",
            up: "percent",
            points: self.by_generation(|record| 100.0 * record.mean.score.win_rate()),
        };
        let outcome = self.manifest.as_ref().map_or(String::new(), |manifest| self.verdict(manifest));
        let values = vec![Values { title: "Weights, points per unit", decimals: 3, values: weights }];
        Compared { strength: Some(strength), outcome, values, curves: vec![curve], ..Compared::default() }
    }

    /// Why the held-out test did or did not promote the answer.
    fn verdict(&self, manifest: &Manifest) -> String {
        let Promotion { h0, h1, .. } = self.config.promotion;
        match self.looks.last().map(|tally| self.config.promotion.test().decide(&tally.outcomes)) {
            _ if !manifest.is_refused() => format!("promoted: the test preferred {h1} % to {h0} %"),
            Some(Decision::AcceptH0) => format!("not promoted: the test preferred {h0} % to {h1} %"),
            Some(_) => format!("not promoted: the test did not decide between {h0} % and {h1} %"),
            None => "not promoted".into(),
        }
    }

    /// A value of each generation, over its number among all searches.
    fn by_generation(&self, value: impl Fn(&GenerationRecord) -> f64) -> Vec<(f64, f64)> {
        (1..).zip(&self.log).map(|(number, record)| (f64::from(number), value(record))).collect()
    }

    /// A value of each candidate, over the number of its generation.
    fn by_candidate(&self, value: impl Fn(&Candidate) -> f64) -> Vec<(f64, f64)> {
        let all = (1..).zip(&self.log).flat_map(|(number, record)| record.candidates.iter().map(move |one| (number, one)));
        all.map(|(number, one)| (f64::from(number), value(one))).collect()
    }

    fn pairs(&self) -> u64 {
        self.log.iter().flat_map(|record| record.candidates.iter().chain([&record.mean])).map(|one| one.score.pairs).sum()
    }

    fn header(&self, title: &str) -> Markup {
        let baseline = &self.config.baseline;
        let against = &self.config.promotion.against;
        // A config may ask for more than can be counted. A run of it is never finished.
        let all = self.config.generations.saturating_mul(self.config.restarts.saturating_add(1));
        let verdict = match &self.manifest {
            Some(manifest) if manifest.is_refused() => {
                format!("The held-out test against {against} did not promote the answer.")
            }
            Some(_) => format!("The held-out test against {against} promoted the answer."),
            None => format!("{} of {} generations are finished.", self.log.len(), grouped(all)),
        };
        let lead = format!(
            "{verdict} All candidates of a generation play the same deals against {baseline}, so they can be compared with each other; those of \
             two generations play different deals."
        );
        page_header("Evolution", title, &self.facts(), lead, &self.figures())
    }

    fn facts(&self) -> [String; 4] {
        let EvolveConfig { tileset, population, seed, pairs, .. } = &self.config;
        let searches = self.log.last().map_or(0, |record| record.search) + 1;
        [
            format!("{tileset} tile set"),
            format!("seed {seed}"),
            format!("{} {}", grouped(searches), if searches == 1 { "search" } else { "searches" }),
            format!("{population} candidates, {pairs} pairs each"),
        ]
    }

    fn figures(&self) -> Vec<KeyFigure> {
        let metric = |name: &str| self.manifest.as_ref()?.metrics.get(name).copied();
        let mean = || Some(&self.log.last()?.mean.score);
        let first = match (metric("promotion_win_rate").zip(metric("promotion_pairs")), mean()) {
            (Some((rate, pairs)), _) => {
                let tested = self.looks.last().and_then(Tally::summary).map(|summary| summary.win_rate);
                let note = format!("over {} pairs", grouped(pairs as u64));
                Some(KeyFigure::percent("win rate on held-out deals", tested.unwrap_or(certain(rate)), 1).note(note))
            }
            (None, Some(score)) => {
                let note = format!("over {} pairs of the last generation", score.pairs);
                Some(KeyFigure::percent("win rate of the mean", certain(score.win_rate()), 1).note(note))
            }
            (None, None) => None,
        };
        let others = [
            KeyFigure::count("generations", self.log.len() as u64),
            KeyFigure::count("games of the searches", 2 * self.pairs()),
            KeyFigure::count("searched weights", self.config.weights.len() as u64),
        ];
        first.into_iter().chain(others).collect()
    }

    fn fitness(&self) -> Section {
        let finished = |one: &Candidate, value: f64| if one.score.pairs >= self.config.pairs { value } else { f64::NAN };
        let dots = |value: &dyn Fn(&Candidate) -> f64| {
            let all = self.by_candidate(|one| finished(one, value(one)));
            Mark::Dots(all.into_iter().filter(|(_, value)| value.is_finite()).collect())
        };
        let rate = |one: &Candidate| 100.0 * one.score.win_rate();
        let spread = |one: &Candidate| one.score.mean_spread();
        let layers = |value: &dyn Fn(&Candidate) -> f64, equal: f64| {
            [
                ("candidates that played all pairs", Colour::Second, dots(value)),
                ("mean of the distribution", Colour::First, Mark::Line(self.by_generation(|record| value(&record.mean)))),
                ("equal to the baseline", Colour::Third, Mark::Level(equal)),
            ]
        };
        let lead =
            "A good search climbs and then stays level. The best candidate of a generation is lucky; the mean is not.";
        let body = html! { div.two {
            (chart("Win rate against the baseline", "percent", &layers(&rate, 50.0)))
            (chart("Spread against the baseline", "points per game", &layers(&spread, 0.0)))
        } };
        Section::new("fitness", "Fitness", "Fitness", lead, body)
    }

    fn distribution(&self) -> Section {
        let line = |caption, up, points| line_chart(caption, "generation", up, points);
        let lead = "A step size that falls says that the search closes in; one that grows, that the scales are too small or the fitness is \
                   mostly noise. A large ratio says that some directions matter much less than others.";
        let body = html! { div.two {
            (line("Step size", "scales of each weight", self.by_generation(|record| record.sigma)))
            (line("Longest axis over the shortest", "ratio", self.by_generation(|record| record.axis_ratio)))
        } };
        Section::new("distribution", "Distribution", "The distribution", lead, body)
    }

    /// A weight of a point, in points per unit of its feature.
    fn weight(&self, feature: Feature, point: &[f64]) -> f64 {
        self.config.sought_at(point).find(|(own, _)| *own == feature).map_or(f64::NAN, |(_, weight)| weight)
    }

    fn weights(&self) -> Section {
        let one = |&feature: &Feature| {
            let start = self.config.weights.get(&feature).map_or(0.0, |sought| sought.start);
            let layers = [
                ("candidates", Colour::Second, Mark::Dots(self.by_candidate(|one| self.weight(feature, &one.point)))),
                ("mean", Colour::First, Mark::Line(self.by_generation(|record| self.weight(feature, &record.mean.point)))),
                ("start", Colour::Third, Mark::Level(start)),
            ];
            let about = feature.about();
            chart(about.name, &format!("points per unit ({})", about.unit), &layers)
        };
        let body = if self.config.weights.is_empty() {
            missing("The search has no weights of features, but those of a network's last layer.")
        } else {
            html! { div.two { @for feature in self.config.weights.keys() { (one(feature)) } } }
        };
        let lead = "In points for each unit of the feature; for a network, what is added to its skip weight.";
        Section::new("weights", "Weights", "Weights", lead, body)
    }

    fn races(&self) -> Section {
        let played = self.by_generation(|record| {
            let all: u64 = record.candidates.iter().map(|one| one.score.pairs).sum();
            all as f64 / record.candidates.len().max(1) as f64
        });
        let lead = if self.config.race {
            "A candidate that is clearly beaten stops early. What it saves is the distance to the upper line."
        } else {
            "Without races every candidate plays all pairs."
        };
        let layers = [
            ("pairs per candidate", Colour::First, Mark::Bars(played, 0.8)),
            ("all pairs", Colour::Third, Mark::Level(self.config.pairs as f64)),
        ];
        let body = chart("Pairs that a candidate plays on average", "pairs", &layers);
        Section::new("races", "Races", "Races", lead, body)
    }

    fn candidates(&self) -> Section {
        let features: Vec<Feature> = self.config.weights.keys().copied().collect();
        let names: Vec<String> = features.iter().map(|feature| format!("#{}", feature.about().name)).collect();
        let mut head = vec!["#place", "#pairs", "#win rate, %", "#points per game"];
        head.extend(names.iter().map(String::as_str));
        let row = |one: &Candidate| {
            let mut cells = vec![
                one.place.map_or(String::new(), |place| format!("{}", place + 1.0)),
                one.score.pairs.to_string(),
                format!("{:.1}", 100.0 * one.score.win_rate()),
                signed(one.score.mean_spread(), 1),
            ];
            cells.extend(features.iter().map(|&feature| signed(self.weight(feature, &one.point), 3)));
            cells
        };
        let mut last: Vec<&Candidate> = self.log.last().iter().flat_map(|record| &record.candidates).collect();
        last.sort_by(|one, next| one.place.partial_cmp(&next.place).unwrap_or(std::cmp::Ordering::Equal));
        let lead = "Places are those of the ranking that moves the distribution.";
        let body = sortable_table("by-candidate", &head, last.into_iter().map(row));
        Section::new("candidates", "Candidates", "Candidates of the last generation", lead, body)
    }

    fn test(&self) -> Section {
        let promotion = &self.config.promotion;
        let lead = format!(
            "The answer plays {} on deals of seed {} that no search has seen. It is promoted if a sequential test prefers a win rate of {} % \
             to {} %. The figures are biased by the stop of the test.",
            promotion.against, promotion.seed, promotion.h1, promotion.h0
        );
        let body = match self.looks.last().and_then(Tally::summary) {
            Some(Summary { pairs, win_rate, spread, .. }) => html! {
                dl.figures {
                    (KeyFigure::count("pairs", pairs))
                    (KeyFigure::percent("win rate", win_rate, 2))
                    (KeyFigure::estimate("points per game", spread, 2).signed())
                }
                (chart_of_test(&promotion.test(), &self.looks))
            },
            None if self.manifest.is_none() => missing("The search comes first."),
            None => missing("The folder of the run has no work files, which hold the pairs of the test."),
        };
        Section::new("test", "Test", "The held-out test", lead, body)
    }
}
