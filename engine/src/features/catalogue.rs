//! The rows of the feature catalogue, and the macro that declares a family of features.

use thiserror::Error;

/// The version of the catalogue. It rises when an existing feature or tile pattern counts something else.
pub const VERSION: u32 = 3;

/// A row of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name of the feature in files.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// The meaning of the feature, in one sentence.
    pub meaning: &'static str,
    /// Where the idea comes from.
    pub source: &'static str,
}

/// Why a list of features cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
#[non_exhaustive]
pub enum FeatureError {
    #[error("the feature {0} needs a leave table; name one")]
    NeedsLeaves(&'static str),
    #[error("the feature {0} needs a leave table with late.csv, which a leave run writes with late_games > 0")]
    NeedsLate(&'static str),
}

/// The feature set of an artefact for its manifest: `members`, the purpose of its weights, and the [`VERSION`].
pub fn feature_set(members: &str) -> String {
    format!("{members}, version {VERSION}")
}

/// Declares a family of features, an enum with one variant for each row: variant, name in files, unit, source, meaning.
macro_rules! family {
    ($(#[$about:meta])* $family:ident { $($feature:ident $name:literal $unit:literal $source:literal $meaning:literal)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $family {
            $(#[doc = $meaning] $feature,)*
        }

        impl $family {
            /// The family, in the order of the catalogue.
            pub const ALL: &'static [$family] = &[$($family::$feature),*];

            /// The row of the catalogue.
            pub const fn about(self) -> $crate::features::About {
                match self {
                    $($family::$feature => $crate::features::About {
                        name: $name, unit: $unit, meaning: $meaning, source: $source,
                    },)*
                }
            }
        }
    };
}

pub(super) use family;
