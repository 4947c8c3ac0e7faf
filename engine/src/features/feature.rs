//! A feature of any family, and its name in files.

use std::iter;
use std::sync::LazyLock;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::catalogue::About;
use super::leave::LeaveFeature;
use super::placed::PlacedFeature;
use super::position::PositionFeature;

/// A number that describes a position and a move. Files hold its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Points of the move.
    Score,
    /// A feature of the position alone.
    Position(PositionFeature),
    /// A feature of the leave.
    Leave(LeaveFeature),
    /// A feature of where a play lays its tiles.
    Placed(PlacedFeature),
}

static ALL: LazyLock<Vec<Feature>> = LazyLock::new(|| {
    let position = PositionFeature::ALL.iter().copied().map(Feature::Position);
    let leave = LeaveFeature::ALL.iter().copied().map(Feature::Leave);
    let placed = PlacedFeature::ALL.iter().copied().map(Feature::Placed);
    iter::once(Feature::Score).chain(position).chain(leave).chain(placed).collect()
});
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| ALL.iter().map(|feature| feature.about().name).collect());

impl Feature {
    /// Every feature, in the order of the catalogue.
    pub fn all() -> &'static [Feature] {
        &ALL
    }

    /// The feature's row of the catalogue.
    pub const fn about(self) -> About {
        match self {
            Feature::Score => About { name: "score", unit: "points", meaning: "Points of the move.", source: "rules" },
            Feature::Position(feature) => feature.about(),
            Feature::Leave(feature) => feature.about(),
            Feature::Placed(feature) => feature.about(),
        }
    }

    /// Whether the feature needs a leave table.
    pub const fn needs_leaves(self) -> bool {
        match self {
            Feature::Leave(feature) => feature.needs_leaves(),
            Feature::Score | Feature::Position(_) | Feature::Placed(_) => false,
        }
    }
}

impl Serialize for Feature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.about().name)
    }
}

impl<'de> Deserialize<'de> for Feature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Feature, D::Error> {
        let name = String::deserialize(deserializer)?;
        let feature = ALL.iter().copied().find(|feature| feature.about().name == name);
        feature.ok_or_else(|| D::Error::unknown_variant(&name, &NAMES))
    }
}
