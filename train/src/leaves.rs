//! Leave tables from nothing.
//!
//! ```text
//! self-play with the last table ─► rack values ─► least squares ─► every rack's value ─► completion average ─► next table
//! ```
//!
//! [`run`] is the whole of it, sharded and resumable; [`least_squares`] fits the racks, [`completion`] turns racks into
//! leaves. What a table says is worked out
//! from it: [`synergies`], [`vowels`], [`warnings`], [`difference`].

pub mod completion;
pub mod config;
pub mod detail;
pub mod difference;
pub mod least_squares;
pub mod run;
pub mod generations;
pub mod synergies;
pub mod vowels;
pub mod warnings;
