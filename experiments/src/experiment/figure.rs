//! A figure of a study: where it stands in the result of a command, and what was published.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::verdict::Published;

/// A figure in the JSON of a command, or one for each key of a published table; `{key}` stands for the key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// What it is, in a few words.
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
        let Some(PublishedTable { values, half_width, source }) = &self.published_table else { return vec![self.clone()] };
        let mut keys: Vec<(&String, f64)> = values.iter().map(|(key, value)| (key, *value)).collect();
        let number = |key: &str| key.parse::<f64>().unwrap_or(f64::INFINITY);
        keys.sort_by(|(one, _), (two, _)| number(one).total_cmp(&number(two)));
        let figure = |(key, value): (&String, f64)| {
            let of_key = |text: &String| text.replace("{key}", key);
            let interval = Some([value - half_width, value + half_width]);
            Figure {
                name: of_key(&self.name),
                at: of_key(&self.at),
                minus: self.minus.as_ref().map(of_key),
                interval: self.interval.as_ref().map(|ends| [of_key(&ends[0]), of_key(&ends[1])]),
                standard_error: self.standard_error.as_ref().map(of_key),
                published: Some(Published { value, interval, source: source.clone() }),
                published_table: None,
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
        if self.published_table.is_some()
            && (self.published.is_some() || !name.contains("{key}") || !self.at.contains("{key}"))
        {
            return Err(format!("{name} has a published_table, so it needs {{key}} in name and at, and no published"));
        }
        self.published.iter().try_for_each(Published::check)
    }
}

fn one() -> f64 {
    1.0
}
