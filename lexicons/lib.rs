//! The words and the trained tables that Tilewright embeds, all for `enable2k` and the English tiles.
//!
//! README lists the source of each file. This crate holds only bytes. The engine reads and checks them.

/// The words, gzipped text.
pub static WORDS: &[u8] = include_bytes!("enable2k.txt.gz");
/// The leave table, gzipped klv2.
pub static LEAVES: &[u8] = include_bytes!("leaves/enable2k.klv2.gz");
/// The adjustments of leave values for few tiles in the bag, CSV.
pub static LATE: &str = include_str!("leaves/enable2k.late.csv");
/// The win table, gzipped CSV.
pub static WIN_PERCENTAGE: &[u8] = include_bytes!("win-percentage/enable2k.csv.gz");
/// The settings of the network, TOML.
pub static NETWORK: &str = include_str!("networks/enable2k.toml");
/// The weights of the network, safetensors.
pub static NETWORK_TENSORS: &[u8] = include_bytes!("networks/enable2k.safetensors");
