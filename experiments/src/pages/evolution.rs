//! The page of an evolution: fitness, distribution, weights and races by generation, and the held-out test.

use std::collections::BTreeMap;
use std::path::Path;

use tilewright_engine::evaluator::linear::Weights;
use tilewright_engine::evaluator::linear::load::WEIGHTS_FILE;
use tilewright_engine::series::sequential::Decision;
use tilewright_engine::series::{ERROR_RATE, Estimate, Summary, Tally};
use tilewright_engine::{Feature, Manifest};
use tilewright_train::evolve::artefact::{LOG_FILE, read_log};
use tilewright_train::evolve::config::{EvolveConfig, Promotion};
use tilewright_train::evolve::run::{Candidate, GenerationRecord, stored_generations, stored_looks};
use tilewright_train::journal::StoredRun;
use tilewright_train::run_config::RunConfig;

use super::compared::{Compared, Curve, Strength, Values};
use super::made::{CONFIG_FILE, Head, Made, chart_of_test, repeat_with_config};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{Markup, Section, folded, grouped, html, made_by, missing, signed, sortable_table, table};
use crate::report::svg::{Colour, Layer, Mark, layered_chart, line_chart};
use crate::{Failure, InFile, Input, Progress};

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

fn chart(caption: &str, up: &str, layers: &[Layer<'_>]) -> Markup {
    layered_chart(caption, "generation", up, layers)
}

impl Evolution<'_> {
    fn made(&self) -> Made {
        let mut sections =
            vec![self.test(), self.fitness(), self.distribution(), self.weights(), self.races(), self.candidates()];
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
        let points = self.by_generation(|record| 100.0 * record.mean.score.win_rate());
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

    /// A value of each generation, over its number among all searches.
    fn by_generation(&self, value: impl Fn(&GenerationRecord) -> f64) -> Vec<(f64, f64)> {
        (1..).zip(self.log).map(|(number, record)| (f64::from(number), value(record))).collect()
    }

    /// A value of each candidate, over the number of its generation.
    fn by_candidate(&self, value: impl Fn(&Candidate) -> f64) -> Vec<(f64, f64)> {
        let all = (1..).zip(self.log).flat_map(|(number, record)| record.candidates.iter().map(move |one| (number, one)));
        all.map(|(number, one)| (f64::from(number), value(one))).collect()
    }

    fn pairs(&self) -> u64 {
        self.log.iter().flat_map(|record| record.candidates.iter().chain([&record.mean])).map(|one| one.score.pairs).sum()
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
            KeyFigure::count("games of the searches", 2 * self.pairs()),
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
                ("equal to the baseline", Colour::Second, Mark::Level(equal)),
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
                ("start", Colour::Second, Mark::Level(start)),
            ];
            let about = feature.about();
            chart(about.name, &format!("points per unit ({})", about.unit), &layers)
        };
        let body = if self.config.weights.is_empty() {
            missing("The search has no weights of features, but those of a network's last layer.")
        } else {
            html! { div.two { @for feature in self.config.weights.keys() { (one(feature)) } } }
        };
        let row = |(feature, weight): (&Feature, &f64)| {
            let about = feature.about();
            [about.name.to_string(), signed(*weight, 3), format!("points per unit ({})", about.unit)]
        };
        let body = html! {
            @if !self.weights.is_empty() { (table(&["weight of the answer", "#value", "unit"], self.weights.iter().map(row))) }
            (body)
        };
        let lead = "In points for each unit of the feature. For a network, the weight is added to its skip weight.";
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
            ("all pairs", Colour::Second, Mark::Level(self.config.pairs as f64)),
        ];
        let body = chart("Pairs that a candidate plays on average", "pairs", &layers);
        Section::new("races", "Races", "Races", lead, body)
    }

    fn candidates(&self) -> Section {
        let features: Vec<Feature> = self.config.weights.keys().copied().collect();
        let mut head = ["#place", "#pairs", "#win rate, %", "#points per game"].map(String::from).to_vec();
        head.extend(features.iter().map(|feature| format!("#{}", feature.about().name)));
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
        let body = folded("The candidates", sortable_table("by-candidate", &head, last.into_iter().map(row)));
        Section::new("candidates", "Candidates", "Candidates of the last generation", lead, body)
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
