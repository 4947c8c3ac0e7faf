//! The search of an evolution in charts: fitness, distribution, weights and races by generation, and the last candidates.

use std::collections::BTreeMap;

use tilewright_engine::Feature;
use tilewright_train::evolve::config::EvolveConfig;
use tilewright_train::evolve::run::{Candidate, GenerationRecord};

use crate::report::html::{Markup, Section, folded, html, missing, signed, sortable_table, table};
use crate::report::svg::{Colour, Layer, Mark, layered_chart, line_chart};

/// The generations of an evolution.
pub struct Search<'a> {
    pub config: &'a EvolveConfig,
    pub log: &'a [GenerationRecord],
}

fn chart(caption: &str, up: &str, layers: &[Layer<'_>]) -> Markup {
    layered_chart(caption, "generation", up, layers)
}

impl Search<'_> {
    /// A value of each generation, over its number among all searches.
    pub fn by_generation(&self, value: impl Fn(&GenerationRecord) -> f64) -> Vec<(f64, f64)> {
        (1..).zip(self.log).map(|(number, record)| (f64::from(number), value(record))).collect()
    }

    /// A value of each candidate, over the number of its generation.
    fn by_candidate(&self, value: impl Fn(&Candidate) -> f64) -> Vec<(f64, f64)> {
        let all = (1..).zip(self.log).flat_map(|(number, record)| record.candidates.iter().map(move |one| (number, one)));
        all.map(|(number, one)| (f64::from(number), value(one))).collect()
    }

    pub fn pairs(&self) -> u64 {
        self.log.iter().flat_map(|record| record.candidates.iter().chain([&record.mean])).map(|one| one.score.pairs).sum()
    }

    pub fn fitness(&self) -> Section {
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

    pub fn distribution(&self) -> Section {
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

    /// The weights by generation, below the weights of the answer, if there are any.
    pub fn weights(&self, answer: &BTreeMap<Feature, f64>) -> Section {
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
            @if !answer.is_empty() { (table(&["weight of the answer", "#value", "unit"], answer.iter().map(row))) }
            (body)
        };
        let lead = "In points for each unit of the feature. For a network, the weight is added to its skip weight.";
        Section::new("weights", "Weights", "Weights", lead, body)
    }

    pub fn races(&self) -> Section {
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

    pub fn candidates(&self) -> Section {
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
}
