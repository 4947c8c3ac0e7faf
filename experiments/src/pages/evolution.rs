//! The page of an evolution: fitness, distribution, weights and races by generation, and the held-out test.

use std::path::Path;

use tilewright_engine::series::{ERROR_RATE, Summary, Tally};
use tilewright_engine::{Feature, Manifest};
use tilewright_train::evolve::artefact::{LOG_FILE, read_log};
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::{Candidate, GenerationRecord, stored_generations, stored_looks};
use tilewright_train::journal::StoredRun;
use tilewright_train::run_config::RunConfig;

use super::made::{CONFIG_FILE, Made, chart_of_test, repeat_with_config};
use super::matches::interval;
use crate::report::html::{
    Markup, Page, Section, folded, grouped, html, key_figure, made_by, missing, page_header, signed, sortable_table,
};
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
}

/// The page of an evolution that has ended, with the text of its log and its config.
pub fn page(run: &Path, log: &str, manifest: &Manifest, progress: &Progress) -> Result<Made, Failure> {
    let config = EvolveConfig::from_toml(&manifest.config, &run.join(CONFIG_FILE).display().to_string()).input()?;
    let log =
        read_log(log, &config).and_then(|log| if log.is_empty() { Err("it has no generation".into()) } else { Ok(log) });
    let log = log.in_file(&run.join(LOG_FILE))?;
    let stored = StoredRun::open(run)?;
    let looks = stored.map(|stored| stored_looks(&stored, &config, progress)).transpose()?.unwrap_or_default();
    Ok(Evolution { run, config: &config, manifest: Some(manifest), log: &log, looks }.page())
}

/// The page of an evolution that goes on or was stopped. `None` if the run is no evolution, or has no finished generation.
pub fn page_of_unfinished(run: &Path, stored: &StoredRun, progress: &Progress) -> Result<Option<Made>, Failure> {
    let Ok(config) = EvolveConfig::from_toml(&stored.key.config, "") else { return Ok(None) };
    let log = stored_generations(stored, &config, progress).input()?;
    let looks = stored_looks(stored, &config, progress)?;
    let evolution = Evolution { run, config: &config, manifest: None, log: &log, looks };
    Ok((!log.is_empty()).then(|| evolution.page()))
}

fn chart(caption: &str, up: &str, layers: &[Layer<'_>]) -> Markup {
    layered_chart(caption, "generation", up, layers)
}

impl Evolution<'_> {
    fn page(&self) -> Made {
        let title = format!("Evolution against {}", self.config.baseline);
        let mut sections =
            vec![self.test(), self.fitness(), self.distribution(), self.weights(), self.races(), self.candidates()];
        // The foot of the page of an artefact has its config.
        let config = self.manifest.is_none().then(|| self.config.to_toml());
        sections.push(repeat_with_config("evolve", self.run, "weights", config.as_deref()));
        let footer = self.manifest.map(made_by).unwrap_or_default();
        let page = Page::new(&title, self.header(&title), sections, footer);
        Made::new("evolution", page, self.manifest.is_some())
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

    /// The win rate of the held-out test, its anytime-valid interval if the pairs are at hand, and the number of pairs.
    fn tested(&self) -> Option<(f64, String, u64)> {
        let metric = |name: &str| self.manifest?.metrics.get(name).copied();
        let so_far = self.looks.iter().fold(Tally::default(), |sum, look| sum.plus(look));
        let found = so_far
            .anytime_win_rate(ERROR_RATE)
            .map_or(String::new(), |rate| format!("at any time, {}", interval(rate, 100.0, 1)));
        Some((metric("promotion_win_rate")?, found, metric("promotion_pairs")? as u64))
    }

    fn header(&self, title: &str) -> Markup {
        let EvolveConfig { population, seed, pairs, baseline, weights, .. } = self.config;
        let searches = self.log.last().map_or(0, |record| record.search) + 1;
        let facts = [
            format!("{} tile set", self.config.tileset),
            format!("seed {seed}"),
            format!("{} {}", grouped(searches), if searches == 1 { "search" } else { "searches" }),
            format!("{population} candidates, {pairs} pairs each"),
        ];
        let against = &self.config.promotion.against;
        // A config may ask for more than can be counted. A run of it is never finished.
        let all = self.config.generations.saturating_mul(self.config.restarts.saturating_add(1));
        let verdict = match self.manifest {
            Some(manifest) if manifest.is_refused() => {
                format!("The held-out test against {against} did not promote the answer.")
            }
            Some(_) => format!("The held-out test against {against} promoted the answer."),
            None => format!("{} of {} generations are finished.", self.log.len(), grouped(all)),
        };
        let lead = format!(
            "{verdict} All candidates of a generation play the same deals against {baseline}, so they can be compared with each other. \
             Candidates of two generations play different deals."
        );
        let tested = self.tested();
        let figures = html! {
            @if let Some((rate, interval, pairs)) = tested {
                @let note = format!("{interval}; {} pairs against {against}", grouped(pairs));
                (key_figure("win rate on held-out deals", format!("{:.1} %", 100.0 * rate), note))
            } @else if let Some(score) = self.log.last().map(|record| &record.mean.score) {
                @let note = format!("over {} pairs of the last generation, not held out", score.pairs);
                (key_figure("win rate of the mean", format!("{:.1} %", 100.0 * score.win_rate()), note))
            }
            (key_figure("generations", grouped(self.log.len() as u64), ""))
            (key_figure("games of the searches", grouped(2 * self.pairs()), ""))
            (key_figure("searched weights", grouped(weights.len() as u64), ""))
        };
        page_header("Evolution", title, &facts, lead, figures)
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
            ("all pairs", Colour::Second, Mark::Level(self.config.pairs as f64)),
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
        let body = folded("The candidates", sortable_table("by-candidate", &head, last.into_iter().map(row)));
        Section::new("candidates", "Candidates", "Candidates of the last generation", lead, body)
    }

    fn test(&self) -> Section {
        let promotion = &self.config.promotion;
        let lead = format!(
            "The answer plays {} on deals of seed {} that no search has seen. It is promoted if a sequential test prefers a win rate of {} % \
             to {} %. The figures are biased by the stop of the test.",
            promotion.against, promotion.seed, promotion.h1, promotion.h0
        );
        let mut so_far = Tally::default();
        let sum = |look: &Tally| {
            so_far = look.clone().plus(&so_far);
            so_far.clone()
        };
        let course: Vec<Tally> = self.looks.iter().map(sum).collect();
        let body = match so_far.summary() {
            Some(Summary { win_rate, spread, .. }) => html! {
                dl.figures {
                    (key_figure("pairs", grouped(so_far.pairs), ""))
                    (key_figure("win rate", format!("{:.2} %", 100.0 * win_rate.mean), interval(win_rate, 100.0, 2)))
                    (key_figure("points per game", signed(spread.mean, 2), interval(spread, 1.0, 2)))
                }
                (chart_of_test(&promotion.test(), &course))
            },
            None if self.manifest.is_none() => missing("The search comes first."),
            None => missing("The folder of the run has no work files, which hold the pairs of the test."),
        };
        Section::new("test", "Test", "The held-out test", lead, body)
    }
}
