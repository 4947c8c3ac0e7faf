//! Training of leave tables from nothing but a word list and a tile set.
//!
//! ```text
//! last table ─► self-play ─► rack values ─► least squares ─► every rack's value ─► completion average ─► next table
//! ```
//!
//! [`run`] does the whole run. `shards` plays the games, shard by shard. [`least_squares`] fits the racks, [`lattice`] turns
//! racks into leaves, and `late` fits adjustments for few tiles in the bag. [`synergies`], [`warnings`] and
//! [`difference`] analyse a table.

pub mod lattice;
pub mod least_squares;
pub mod config;
mod late;
mod shards;
pub mod detail;
pub mod run;
pub mod difference;
pub mod generations;
pub mod artefact;
pub mod warnings;
pub mod synergies;
