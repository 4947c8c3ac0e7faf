//! `features`: the catalogue of features, from which weights, inputs and configs take their names.

use std::collections::BTreeMap;
use std::fmt;

use clap::Args;
use serde::Serialize;
use tilewright_engine::features::{Feature, VERSION};

use crate::flags::JsonFlag;
use crate::status::did_you_mean;
use crate::{Failure, output};

/// The measured costs, by name.
const COSTS: &str = include_str!("features/costs.toml");

#[derive(Debug, Args)]
pub struct FeaturesArguments {
    /// Features to print. A part of a name prints all features with that part [default: all]
    pub names: Vec<String>,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Catalogue {
    /// The version of the features. Weights of another version are refused.
    version: u32,
    features: Vec<Row>,
}

/// A feature with its cost.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Row {
    pub name: &'static str,
    pub part: &'static str,
    meaning: &'static str,
    pub unit: &'static str,
    /// Measured CPU time per turn, for this feature alone: for all leaves of the rack, or for twenty plays.
    pub microseconds: f64,
    source: &'static str,
}

impl Row {
    pub fn new(feature: Feature, microseconds: f64) -> Row {
        let about = feature.about();
        let (name, meaning, unit, source) = (about.name, about.meaning, about.unit, about.source);
        Row { name, part: part(feature), meaning, unit, microseconds, source }
    }
}

/// The part of a turn that a feature describes, as people call it.
pub fn part(feature: Feature) -> &'static str {
    match feature {
        Feature::Position(_) => "position",
        Feature::Score => "score",
        Feature::Leave(_) => "leave",
        Feature::Placed(_) => "placed",
    }
}

pub fn run(arguments: &FeaturesArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    for name in &arguments.names {
        if !Feature::all().iter().any(|feature| feature.about().name.contains(name.as_str())) {
            let near = did_you_mean(name, Feature::all().iter().map(|feature| feature.about().name));
            return Err(Failure::input(format!("no feature has {name:?} in its name; tilewright features lists all{near}")));
        }
    }
    let is_named =
        |name: &str| arguments.names.is_empty() || arguments.names.iter().any(|part| name.contains(part.as_str()));
    let costs = costs();
    let row = |&feature: &Feature| Row::new(feature, costs.get(feature.about().name).copied().unwrap_or_default());
    let features = Feature::all().iter().filter(|feature| is_named(feature.about().name)).map(row).collect();
    output::show(&Catalogue { version: VERSION, features }, json)
}

fn costs() -> BTreeMap<String, f64> {
    toml::from_str(COSTS).unwrap_or_else(|error| unreachable!("a test reads this text: {error}"))
}

impl fmt::Display for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Row { name, part, meaning, unit, microseconds, source } in &self.features {
            writeln!(f, "{name}  ({part}; {unit}; {microseconds} µs per turn; {source})\n    {meaning}")?;
        }
        write!(f, "{} features, version {}", self.features.len(), self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_a_measured_cost() {
        let names: Vec<&str> = Feature::all().iter().map(|feature| feature.about().name).collect();
        let costs = costs();
        assert!(names.iter().all(|name| costs.contains_key(*name)) && costs.len() == names.len(), "{costs:?}");
    }
}
