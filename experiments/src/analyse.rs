//! `analyse`: tables of bingos, scores, words and squares from records of games. Its queries are polars', which take longer to build
//! than all the rest, so the verb works in a build with the feature `analysis` only.

use crate::Failure;

pub mod flags;
#[cfg(feature = "analysis")]
mod tables;

use flags::AnalyseArguments;

/// How to get a program that analyses.
pub const NEEDED: &str = "this program was built without analysis; build it with cargo build --release --features analysis";

/// Whether this program can analyse.
pub const IS_THERE: bool = cfg!(feature = "analysis");

pub fn run(arguments: &AnalyseArguments) -> Result<(), Failure> {
    #[cfg(feature = "analysis")]
    return tables::run(arguments);
    #[cfg(not(feature = "analysis"))]
    Err(Failure::input(format!("analyse {}: {NEEDED}", arguments.records.display())))
}
