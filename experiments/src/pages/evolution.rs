//! The page of an evolution: fitness, distribution, weights and races by generation, and the held-out test.

use std::path::Path;

use tilewright_engine::artefact::Manifest;
use tilewright_engine::features::Feature;
use tilewright_train::evolve::artefact::{LOG_FILE, read_log};
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::{Candidate, GenerationRecord};
use tilewright_train::run_config::RunConfig;

use super::made::{CONFIG_FILE, Made};
use crate::failure::{Failure, Input};
use crate::flags::shell_word;
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Section, escape, grouped, key_figure, missing, signed, sortable_table};
use crate::report::page::{Page, made_by, page_header, repeat};

/// An evolution, and what all its sections need.
struct Evolution<'a> {
    run: &'a Path,
    config: &'a EvolveConfig,
    /// Of the answer, if it was promoted.
    manifest: Option<&'a Manifest>,
    log: &'a [GenerationRecord],
}

/// The page of an evolution with this log and this config.
///
/// # Errors
/// [`Failure::Input`] for a log that is not one of this config, or is empty.
pub fn page(run: &Path, log: &str, config: &str, manifest: Option<&Manifest>) -> Result<Made, Failure> {
    let config = EvolveConfig::from_toml(config, &run.join(CONFIG_FILE).display().to_string()).input()?;
    let fault = |reason: &str| Failure::input(format!("{}: {reason}", run.join(LOG_FILE).display()));
    let log = read_log(log, &config).map_err(|reason| fault(&reason))?;
    if log.is_empty() {
        return Err(fault("it has no generation"));
    }
    let subject = Evolution { run, config: &config, manifest, log: &log };
    let title = format!("Evolution against {}", config.baseline);
    let html = Page {
        title: title.clone(),
        header: subject.header(&title),
        sections: vec![
            subject.fitness(),
            subject.distribution(),
            subject.weights(),
            subject.races(),
            subject.candidates(),
            subject.test(),
            subject.repeat(),
        ],
        footer: manifest.map_or(String::new(), made_by),
        script: None,
    }
    .write();
    Ok(Made { kind: "evolution".into(), title, html })
}

fn chart(caption: &str, up: &str, layers: Vec<(&str, Colour, Mark)>) -> String {
    let layers = layers.into_iter().map(|(name, colour, mark)| Layer::new(name, colour, mark)).collect();
    Chart { caption, across: "generation", up, layers }.show()
}

impl Evolution<'_> {
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

    fn header(&self, title: &str) -> String {
        let EvolveConfig { population, seed, pairs, baseline, weights, .. } = self.config;
        let searches = self.log.last().map_or(0, |record| record.search) + 1;
        let facts = [
            format!("{} tile set", self.config.tileset),
            format!("seed {seed}"),
            format!("{} {}", grouped(searches), if searches == 1 { "search" } else { "searches" }),
            format!("{population} candidates, {pairs} pairs each"),
        ];
        let verdict = match self.manifest {
            Some(_) => format!("The held-out test against {} promoted the answer.", escape(&self.config.promotion.against)),
            None => format!("The answer is not promoted against {}.", escape(&self.config.promotion.against)),
        };
        let lead = format!(
            "{verdict} All candidates of a generation play the same deals against {}, so they can be compared with each other; those of \
             two generations play different deals.",
            escape(baseline)
        );
        let last = self.log.last().map(|record| &record.mean.score);
        let mut figures = key_figure("generations", &grouped(self.log.len() as u64), "")
            + &key_figure("games of the searches", &grouped(2 * self.pairs()), "")
            + &key_figure("searched weights", &grouped(weights.len() as u64), "");
        if let Some(score) = last {
            let note = format!("over {} pairs of the last generation", score.pairs);
            figures += &key_figure("win rate of the mean", &format!("{:.1} %", 100.0 * score.win_rate()), &note);
        }
        page_header("Evolution", title, &facts, &lead, &figures)
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
            vec![
                ("candidates that played all pairs", Colour::Second, dots(value)),
                ("mean of the distribution", Colour::First, Mark::Line(self.by_generation(|record| value(&record.mean)))),
                ("equal to the baseline", Colour::Third, Mark::Level(equal)),
            ]
        };
        let body = chart("Win rate against the baseline", "percent", layers(&rate, 50.0))
            + &chart("Spread against the baseline", "points per game", layers(&spread, 0.0));
        Section {
            id: "fitness",
            link: "Fitness",
            title: "Fitness".into(),
            lead: "A good search climbs and then stays level. The best candidate of a generation is lucky; the mean is not."
                .into(),
            body: format!("<div class=\"two\">\n{body}</div>\n"),
        }
    }

    fn distribution(&self) -> Section {
        let line = |value: &dyn Fn(&GenerationRecord) -> f64| Mark::Line(self.by_generation(value));
        let body = chart("Step size", "scales of each weight", vec![("", Colour::First, line(&|record| record.sigma))])
            + &chart(
                "Longest axis over the shortest",
                "ratio",
                vec![("", Colour::First, line(&|record| record.axis_ratio))],
            );
        Section {
            id: "distribution",
            link: "Distribution",
            title: "The distribution".into(),
            lead: "A step size that falls says that the search closes in; one that grows, that the scales are too small or the fitness is \
                   mostly noise. A large ratio says that some directions matter much less than others."
                .into(),
            body: format!("<div class=\"two\">\n{body}</div>\n"),
        }
    }

    /// A weight of a point, in points per unit of its feature.
    fn weight(&self, feature: Feature, point: &[f64]) -> f64 {
        self.config.sought_at(point).find(|(own, _)| *own == feature).map_or(f64::NAN, |(_, weight)| weight)
    }

    fn weights(&self) -> Section {
        let one = |&feature: &Feature| {
            let start = self.config.weights.get(&feature).map_or(0.0, |sought| sought.start);
            let layers = vec![
                ("candidates", Colour::Second, Mark::Dots(self.by_candidate(|one| self.weight(feature, &one.point)))),
                ("mean", Colour::First, Mark::Line(self.by_generation(|record| self.weight(feature, &record.mean.point)))),
                ("start", Colour::Third, Mark::Level(start)),
            ];
            let about = feature.about();
            chart(about.name, &format!("points per unit ({})", about.unit), layers)
        };
        let charts: String = self.config.weights.keys().map(one).collect();
        let body = if charts.is_empty() {
            missing("The search has no weights of features, but those of a network's last layer.")
        } else {
            format!("<div class=\"two\">\n{charts}</div>\n")
        };
        Section {
            id: "weights",
            link: "Weights",
            title: "Weights".into(),
            lead: "In points for each unit of the feature; for a network, what is added to its skip weight.".into(),
            body,
        }
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
        let layers = vec![
            ("pairs per candidate", Colour::First, Mark::Bars(played, 0.8)),
            ("all pairs", Colour::Third, Mark::Level(self.config.pairs as f64)),
        ];
        Section {
            id: "races",
            link: "Races",
            title: "Races".into(),
            lead: lead.into(),
            body: chart("Pairs that a candidate plays on average", "pairs", layers),
        }
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
        Section {
            id: "candidates",
            link: "Candidates",
            title: "Candidates of the last generation".into(),
            lead: "Places are those of the ranking that moves the distribution.".into(),
            body: sortable_table("by-candidate", &head, &last.into_iter().map(row).collect::<Vec<_>>()),
        }
    }

    fn test(&self) -> Section {
        let promotion = &self.config.promotion;
        let lead = format!(
            "The answer plays {} on deals of seed {} that no search has seen. It is promoted if a sequential test prefers a win rate of {} % \
             to {} %.",
            escape(&promotion.against),
            promotion.seed,
            promotion.h1,
            promotion.h0
        );
        let metric = |name: &str| self.manifest.and_then(|manifest| manifest.metrics.get(name));
        let body = match (metric("promotion_pairs"), metric("promotion_win_rate"), metric("promotion_spread")) {
            (Some(pairs), Some(rate), Some(spread)) => format!(
                "<dl class=\"figures\">{}{}{}</dl>\n",
                key_figure("pairs until the test decided", &format!("{pairs:.0}"), ""),
                key_figure("win rate, biased by the stop", &format!("{:.2} %", 100.0 * rate), ""),
                key_figure("points per game, biased by the stop", &signed(*spread, 2), ""),
            ),
            _ => missing(
                "The test did not promote the answer; the run printed its figures, and <code>--json</code> keeps them.",
            ),
        };
        Section { id: "test", link: "Test", title: "The held-out test".into(), lead, body }
    }

    fn repeat(&self) -> Section {
        let command = format!("tilewright evolve {}", shell_word(&self.run.join(CONFIG_FILE).display().to_string()));
        // The foot of the page of an artefact has its config.
        let config = self.manifest.is_none().then(|| self.config.to_toml());
        repeat(&command, "The same config gives the same weights on any number of threads.", config.as_deref())
    }
}
