//! What a fit explains of labels that it has not seen.

use std::fmt::Write;

use serde::Serialize;
use tilewright_engine::evaluator::linear::Weights;

use super::dataset::Dataset;

/// The stages of a game by the share of the bag that is left, from the first.
pub const STAGES: [(&str, f64); 3] = [("early", 2.0 / 3.0), ("middle", 1.0 / 3.0), ("late", 0.0)];

/// Figures of a fit on held-out games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinearReport {
    /// Candidate sets that the fit has seen.
    pub training_sets: u64,
    /// Standard deviation of what moves gain beyond score and prior, without the noise of the labels, in points.
    pub correction: f64,
    /// Strengths by group of features, in points per standard deviation of a feature.
    pub strengths: Vec<(String, f64)>,
    /// What the weights explain of the held-out sets.
    pub held_out: Explanation,
}

/// What a fit explains of some sets, by stage of the game and in all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// By stage.
    pub stages: Vec<(String, Explained)>,
    /// All sets.
    pub all: Explained,
}

/// What a fit explains of the labels of some sets.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Explained {
    /// Candidate sets.
    pub sets: u64,
    /// The share of the labels' variance beyond score and prior that is signal; the rest is noise of the deals.
    pub signal: f64,
    /// The share of that variance that the fit explains, 0–1.
    pub explained: f64,
    /// Points that the choice of the fit gains over the best move by static equity, per turn.
    pub gain: f64,
    /// The standard error of that.
    pub gain_error: f64,
}

impl Explanation {
    /// The figures over a dataset of a fit that adds these predictions to score and prior, in points.
    pub fn new(data: &Dataset, predictions: &[f64]) -> Explanation {
        let stages = STAGES.iter().enumerate();
        let stages = stages.map(|(stage, (name, _))| ((*name).into(), Explained::new(data, predictions, Some(stage))));
        Explanation { stages: stages.collect(), all: Explained::new(data, predictions, None) }
    }

    /// The figures with the name of each stage; those of all sets come last.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &Explained)> {
        self.stages.iter().map(|(name, one)| (name.as_str(), one)).chain([("all", &self.all)])
    }

    /// The figures as a table in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text =
            String::from("| stage | candidate sets | signal, % of the variance | explained, % | gain per turn, points |\n");
        text += "| --- | ---: | ---: | ---: | ---: |\n";
        for (name, Explained { sets, signal, explained, gain, gain_error }) in self.rows() {
            let (signal, explained) = (100.0 * signal, 100.0 * explained);
            let _ =
                writeln!(text, "| {name} | {sets} | {signal:.1} | {explained:.1} | {gain:+.2} ± {:.2} |", 1.96 * gain_error);
        }
        text
    }
}

impl Explained {
    /// The figures over the sets of a dataset in a stage; `None` for all stages.
    fn new(data: &Dataset, predictions: &[f64], stage: Option<usize>) -> Explained {
        let is_meant = |bag: f64| stage.is_none_or(|stage| stage_of(bag) == stage);
        let (mut squares, mut errors, mut noises) = (0.0, 0.0, 0.0);
        let (mut sets, mut sum, mut sum_of_squares) = (0u64, 0.0, 0.0);
        for (rows, _) in data.sets().filter(|&(_, bag)| is_meant(bag)) {
            let value = |row: usize| data.priors[row] + predictions[row];
            let best = rows.clone().max_by(|&a, &b| value(a).total_cmp(&value(b)).then(b.cmp(&a))).unwrap_or(rows.start);
            let gain = data.gains[best] - data.gains[rows.start];
            (sets, sum, sum_of_squares) = (sets + 1, sum + gain, sum_of_squares + gain * gain);
            for row in rows {
                squares += data.residuals[row].powi(2);
                errors += (data.residuals[row] - predictions[row]).powi(2);
                noises += data.noises[row];
            }
        }
        let (count, squares) = (sets.max(1) as f64, f64::max(squares, 1e-9));
        let gain = sum / count;
        let gain_error = ((sum_of_squares / count - gain * gain).max(0.0) / count).sqrt();
        Explained { sets, signal: 1.0 - noises / squares, explained: 1.0 - errors / squares, gain, gain_error }
    }
}

fn stage_of(bag: f64) -> usize {
    STAGES.iter().position(|&(_, least)| bag >= least).unwrap_or(STAGES.len() - 1)
}

impl LinearReport {
    /// The report as Markdown, with the weights.
    pub fn to_markdown(&self, weights: &Weights) -> String {
        let mut text = String::from("# Weights by least squares on simulated gains\n\n## Held-out games\n\n");
        text += &self.held_out.to_markdown();
        let _ = writeln!(
            text,
            "\nThe fit saw {} candidate sets. Moves differ by {:.1} points (standard deviation) beyond score and leave.\n",
            self.training_sets, self.correction
        );
        text += "## Weights\n\n| feature | points per unit | unit |\n| --- | ---: | --- |\n";
        for (feature, weight) in &weights.weights {
            let about = feature.about();
            let _ = writeln!(text, "| {} | {weight:.3} | {} |", about.name, about.unit);
        }
        text
    }
}
