//! Training of leave tables from nothing but a word list and a tile set.
//!
//! ```text
//! last table ─┬─► census of boards ─► rack values ─► least squares ─┐ prior
//!             └─► self-play ────────► rack values ─► least squares ◄┘ ─► every rack's value ─► completion average ─► next table
//! ```
//!
//! [`run`] does the whole run. `shards` plays the games and takes the censuses, shard by shard; `knowledge` collects the
//! rack values of a generation. `census` values racks on boards, [`least_squares`] fits the racks, [`lattice`] turns
//! racks into leaves, and `late` fits adjustments for few tiles in the bag. [`synergies`], [`vowels`], [`warnings`] and
//! [`difference`] analyse a table.

pub mod lattice;
pub mod least_squares;
pub mod config;
pub mod budget;
mod census;
mod late;
mod shards;
pub mod detail;
mod knowledge;
pub mod run;
pub mod difference;
pub mod generations;
pub mod artefact;
pub mod vowels;
pub mod warnings;
pub mod synergies;
