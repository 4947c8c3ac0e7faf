//! Training of leave tables from nothing but a word list and a tile set.
//!
//! ```text
//! last table ─┬─► census of boards ─► rack values ─► least squares ─┐ prior
//!             └─► self-play ────────► rack values ─► least squares ◄┘ ─► every rack's value ─► completion average ─► next table
//! ```
//!
//! [`run`] is the whole of it; `shards` plays and counts, shard by shard, and `knowledge` holds what is known about the racks. [`census`] takes boards, [`least_squares`] fits the racks, [`lattice`] turns racks into leaves, [`late`] fits what changes when few tiles are
//! left in the bag. What a table says is worked out from it: [`synergies`], [`vowels`], [`warnings`], [`difference`].

pub mod lattice;
pub mod least_squares;
pub mod config;
pub mod budget;
pub mod census;
pub mod late;
pub mod failure;
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
