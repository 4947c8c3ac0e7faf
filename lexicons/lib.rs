//! The files of this folder that are embedded in Tilewright, all for `enable2k` and the English tiles. README says where each is from.
//! This crate holds the bytes alone: they are read, and checked, where they are used.

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
