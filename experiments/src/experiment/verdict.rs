//! What a measured figure says about a published one.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A figure that was published, in the unit of the measured one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Which figure of a match: win_rate in percent, or spread in points per game. Not needed where the figure is named already.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub figure: String,
    /// The figure.
    pub value: f64,
    /// Its 95 % interval, or what its rounding leaves open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Where it was published.
    pub source: String,
}

/// A measured figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The figure.
    pub value: f64,
    /// Its 95 % interval, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
}

/// Whether a measured figure agrees with a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The intervals overlap.
    Agrees,
    /// The intervals do not overlap.
    Differs,
    /// The intervals overlap, but the measured one also holds the figure of no effect, which the published one does not.
    CannotTell,
}

/// The rule of the verdicts, as a page states it.
pub const RULE: &str = "A line *agrees* if the measured and the published 95 % interval overlap (a published figure without one stands for \
                        itself), and *differs* if they do not. It *cannot tell* if they overlap but the measured one also holds 50 % or 0 \
                        points, no effect, and the published one does not.";

impl Verdict {
    /// The verdict on a figure. `none` is the figure of no effect: 50 % of games, 0 points.
    pub fn new(measured: Measured, published: &Published, none: Option<f64>) -> Verdict {
        let [low, high] = measured.interval.unwrap_or([measured.value; 2]);
        let [published_low, published_high] = published.interval.unwrap_or([published.value; 2]);
        if high < published_low || low > published_high {
            return Verdict::Differs;
        }
        let open = |none: f64| (low..=high).contains(&none) && !(published_low..=published_high).contains(&none);
        if none.is_some_and(open) { Verdict::CannotTell } else { Verdict::Agrees }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::CannotTell => "cannot tell",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_rule() {
        let measured = |value, low, high| Measured { value, interval: Some([low, high]) };
        let published = |value, interval| Published { figure: String::new(), value, interval, source: "a page".into() };
        let gain = published(51.0, Some([50.8, 51.2]));
        let cases = [
            (measured(51.1, 50.9, 51.3), &gain, Verdict::Agrees),
            (measured(51.5, 51.3, 51.7), &gain, Verdict::Differs),
            (measured(50.3, 49.8, 50.9), &gain, Verdict::CannotTell),
            (measured(50.3, 49.9, 50.7), &gain, Verdict::Differs),
            // Nothing was published as the effect.
            (measured(50.3, 49.8, 50.9), &published(50.1, Some([49.9, 50.3])), Verdict::Agrees),
            // A published figure alone.
            (measured(51.1, 50.9, 51.3), &published(51.0, None), Verdict::Agrees),
            (measured(51.1, 51.05, 51.3), &published(51.0, None), Verdict::Differs),
            (Measured { value: 3.0, interval: None }, &published(3.0, None), Verdict::Agrees),
            (Measured { value: 3.0, interval: None }, &published(3.1, None), Verdict::Differs),
        ];
        for (measured, published, expected) in cases {
            assert_eq!(Verdict::new(measured, published, Some(50.0)), expected, "{measured:?} {published:?}");
        }
        assert_eq!(Verdict::new(measured(50.3, 49.8, 50.9), &gain, None), Verdict::Agrees);
    }
}
