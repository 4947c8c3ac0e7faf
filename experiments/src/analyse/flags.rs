//! The flags of `analyse`.

use std::path::PathBuf;

use clap::Args;

use crate::flags::{CommonFlags, JsonFlag};

#[derive(Debug, Args)]
pub struct AnalyseArguments {
    /// Records: a folder of selfplay or of match --games-out, or a Parquet file
    #[arg(value_name = "PATH")]
    pub records: PathBuf,
    /// A table: bingos-by-turn, bingos-by-tile, scores-by-turn, scores-by-tile, scores-by-two, tiles-laid, scores-by-tiles-laid,
    /// word-lengths, scores-by-word-length, squares, scores-by-square; of candidates that were simulated: best-rank, best-gap,
    /// simulation-gain, playout-deviation, difference-deviation or common-deals; repeat for more [default: all]
    #[arg(long, value_name = "NAME")]
    pub table: Vec<String>,
    /// The game; records name their own tile set, and need no lexicon. Files are read with `--threads`; polars uses all cores.
    #[command(flatten)]
    pub flags: CommonFlags,
    #[command(flatten)]
    pub json: JsonFlag,
}
