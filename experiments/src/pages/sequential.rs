//! The course of a sequential test.

use tilewright_engine::series::Tally;
use tilewright_engine::series::sequential::SequentialTest;
use tilewright_train::stored_match::spec::percent;

use crate::report::chart::{Chart, Colour, Layer, Mark};

/// The log-likelihood ratio of a test after each of some tallies, with its bounds.
pub fn chart<'a>(test: &SequentialTest, course: impl Iterator<Item = &'a Tally>) -> String {
    let [h0, h1] = test.hypotheses().map(percent);
    let [lower, upper] = test.bounds();
    let ratio = course.map(|tally| (tally.pairs as f64, test.log_likelihood_ratio(&tally.outcomes)));
    Chart {
        caption: &format!("Log-likelihood ratio of {h1} % over {h0} %"),
        across: "pairs",
        up: "nats",
        layers: vec![
            Layer::new("bounds of the test", Colour::Third, Mark::Level(lower)),
            Layer::new("", Colour::Third, Mark::Level(upper)),
            Layer::new("ratio", Colour::First, Mark::Line(ratio.collect())),
        ],
    }
    .show()
}
