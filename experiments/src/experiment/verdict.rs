//! A figure of a study: its place in the result of a command, the published value, and the verdict on that value.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// A figure that was published, in the unit of the measured one.
#[derive(Clone, Debug, PartialEq, schemars::JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// In the unit of the line.
    pub value: f64,
    /// Its 95 % interval, or the interval that its rounding leaves open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    pub source: String,
}

/// The sources of figures that nobody published: earlier runs of our own, and theory.
const OWN_SOURCES: [&str; 2] = ["study ", "equality"];

/// No published figure is larger.
const LARGEST: f64 = 1e12;

impl Published {
    /// Whether it is a figure of the literature, not of a study of our own.
    pub fn is_of_literature(&self) -> bool {
        !OWN_SOURCES.iter().any(|own| self.source.starts_with(own))
    }

    /// Whether its numbers are in order, and of a readable size.
    pub fn check(&self) -> Result<(), String> {
        let [low, high] = self.interval.unwrap_or([self.value; 2]);
        if low <= self.value && self.value <= high && low >= -LARGEST && high <= LARGEST {
            return Ok(());
        }
        Err(format!("published {:?} ({low:?} to {high:?}) is not a figure within its interval", self.value))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, schemars::JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// In the unit of the line.
    pub value: f64,
    /// Its 95 % interval, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The pairs of games that were played for it, if it is a figure of a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
}

impl Measured {
    /// A figure without an interval, such as a time.
    pub fn alone(value: f64) -> Measured {
        Measured { value, interval: None, pairs: None }
    }
}

/// Whether a measured figure agrees with a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// They differ by no more than their intervals allow.
    Agrees,
    /// They differ by more.
    Differs,
    /// The study is too small.
    CannotTell,
}

/// Intervals from fewer pairs are not to be trusted.
const FEWEST_PAIRS: u64 = 100;
/// A measured interval that is this many times as wide as the published one does not repeat the finding that nothing happens.
const WIDEST: f64 = 3.0;
/// A figure without a figure of no effect is known too loosely if half its interval is more than this share of the published one.
const LOOSEST: f64 = 0.2;

/// The rule of the verdicts, as a page states it.
pub const RULE: &str = "A line *differs* if the two figures are further apart than √(a² + b²), where a and b are half the widths of their \
                        intervals (95 %, or what rounding leaves open; 0 for a figure without one). Otherwise it *agrees*, unless the study \
                        is too small to say so: with fewer than 100 pairs; if the measured interval of a match holds no effect (50 % or 0 \
                        points) and the published one does not, or both hold it and the measured one is more than three times as \
                        wide; or, for any other figure, if a is more than b and more than a fifth of the published figure, unless that is 0. \
                        Then it *cannot tell*.";

impl Verdict {
    /// The verdict on a figure. `none` is the figure of no effect of a match: 50 % of games, 0 points.
    pub fn new(measured: Measured, published: &Published, none: Option<f64>) -> Verdict {
        if measured.pairs.is_some_and(|pairs| pairs < FEWEST_PAIRS) {
            return Verdict::CannotTell;
        }
        let ends = measured.interval.unwrap_or([measured.value; 2]);
        let published_ends = published.interval.unwrap_or([published.value; 2]);
        let half = |[low, high]: [f64; 2]| (high - low) / 2.0;
        let (own, open) = (half(ends), half(published_ends));
        if (measured.value - published.value).abs() > f64::hypot(own, open) + 1e-9 {
            return Verdict::Differs;
        }
        let is_weak = match none {
            Some(none) => {
                let holds = |[low, high]: [f64; 2]| (low..=high).contains(&none);
                holds(ends) && (!holds(published_ends) || own > WIDEST * open)
            }
            None => published.value != 0.0 && own > open.max(LOOSEST * published.value.abs()),
        };
        if is_weak { Verdict::CannotTell } else { Verdict::Agrees }
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

/// A figure in the JSON of a command, or one for each `{key}` of a published table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Its name, in a few words.
    pub name: String,
    /// Its place in the JSON, as in `/pairs`, `/stages/0/signal` or `/candidates/move=8H OH/spread`, where the step with `=` finds the
    /// element of a list.
    pub at: String,
    /// The place of a figure that is subtracted.
    pub minus: Option<String>,
    /// The places of the ends of its 95 % interval.
    pub interval: Option<[String; 2]>,
    /// The place of its standard error.
    pub standard_error: Option<String>,
    /// The unit, as it is printed.
    pub unit: String,
    /// The figure in the JSON times this is in that unit.
    #[serde(default = "one")]
    pub scale: f64,
    pub published: Option<Published>,
    pub published_table: Option<PublishedTable>,
    /// The keys of a table without published figures.
    #[serde(default)]
    pub keys: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedTable {
    pub values: BTreeMap<String, f64>,
    /// Half the width of the interval of each.
    pub half_width: f64,
    pub source: String,
}

/// Scales with which any result of a command is a number, and readable.
const SCALES: RangeInclusive<f64> = 1e-9..=1e9;

impl Figure {
    /// The figures that it stands for, in the order of the keys: numbers before words.
    pub fn each(&self) -> Vec<Figure> {
        let mut keys: Vec<(&String, Option<Published>)> = match &self.published_table {
            Some(PublishedTable { values, half_width, source }) => {
                let published = |value| {
                    let interval = Some([value - half_width, value + half_width]);
                    Some(Published { value, interval, source: source.clone() })
                };
                values.iter().map(|(key, &value)| (key, published(value))).collect()
            }
            None if self.keys.is_empty() => return vec![self.clone()],
            None => self.keys.iter().map(|key| (key, None)).collect(),
        };
        let number = |key: &str| key.parse::<f64>().unwrap_or(f64::INFINITY);
        keys.sort_by(|(one, _), (two, _)| number(one).total_cmp(&number(two)));
        let figure = |(key, published): (&String, Option<Published>)| {
            let of_key = |text: &String| text.replace("{key}", key);
            Figure {
                name: of_key(&self.name),
                at: of_key(&self.at),
                minus: self.minus.as_ref().map(of_key),
                interval: self.interval.as_ref().map(|ends| [of_key(&ends[0]), of_key(&ends[1])]),
                standard_error: self.standard_error.as_ref().map(of_key),
                published,
                published_table: None,
                keys: Vec::new(),
                ..self.clone()
            }
        };
        keys.into_iter().map(figure).collect()
    }

    /// Whether its parts fit each other.
    pub fn check(&self) -> Result<(), String> {
        let name = &self.name;
        if !SCALES.contains(&self.scale) {
            return Err(format!("the scale of {name} is {:?}; expected 10^-9 to 10^9", self.scale));
        }
        if self.interval.is_some() && self.standard_error.is_some() {
            return Err(format!("{name} has interval and standard_error; give one of them"));
        }
        let tables = usize::from(self.published_table.is_some()) + usize::from(!self.keys.is_empty());
        let has_keys = name.contains("{key}") && self.at.contains("{key}");
        if tables > 1 || (tables == 1 && (self.published.is_some() || !has_keys)) {
            return Err(format!("{name} has a table: it needs {{key}} in name and at, and one of published_table and keys"));
        }
        self.published.iter().try_for_each(Published::check)
    }
}

fn one() -> f64 {
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_rule() {
        let measured = |value, half| Measured { value, interval: Some([value - half, value + half]), pairs: Some(1000) };
        let alone = Measured::alone;
        let published = |value, half| {
            let interval = (half > 0.0).then_some([value - half, value + half]);
            Published { value, interval, source: "a page".into() }
        };
        let (gain, nothing, exact) = (published(51.0, 0.3), published(50.1, 0.3), published(51.0, 0.0));
        let cases = [
            (measured(51.4, 0.4), &gain, Verdict::Agrees),
            (measured(51.6, 0.4), &gain, Verdict::Differs),
            (measured(50.6, 0.7), &gain, Verdict::CannotTell),
            (measured(50.6, 0.7), &nothing, Verdict::Agrees),
            (measured(50.6, 1.0), &nothing, Verdict::CannotTell),
            (measured(51.3, 0.4), &exact, Verdict::Agrees),
            (measured(51.5, 0.4), &exact, Verdict::Differs),
            (Measured { pairs: Some(99), ..measured(60.0, 1.0) }, &gain, Verdict::CannotTell),
            (alone(51.0), &exact, Verdict::Agrees),
            (alone(51.1), &exact, Verdict::Differs),
            (alone(51.2), &gain, Verdict::Agrees),
        ];
        for (measured, published, expected) in cases {
            assert_eq!(Verdict::new(measured, published, Some(50.0)), expected, "{measured:?} {published:?}");
        }
        let of_measure = [(0.7, Verdict::Agrees), (10.0, Verdict::Agrees), (10.4, Verdict::CannotTell)];
        for (half, expected) in of_measure {
            let measured = Measured { pairs: None, ..measured(50.6, half) };
            assert_eq!(Verdict::new(measured, &gain, None), expected, "half an interval of {half}");
        }
        assert_eq!(Verdict::new(measured(0.1, 0.7), &published(0.0, 0.0), None), Verdict::Agrees);
    }

    #[test]
    fn published_figures_lie_in_their_intervals() {
        let published = |value, interval| Published { value, interval, source: String::new() }.check();
        assert!(published(1.0, None).is_ok() && published(1.0, Some([0.5, 1.5])).is_ok());
        for wrong in
            [published(f64::NAN, None), published(1.0, Some([1.5, 0.5])), published(1.0, Some([0.0, f64::INFINITY]))]
        {
            assert!(wrong.unwrap_err().contains("within its interval"));
        }
    }
}
