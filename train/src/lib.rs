//! Everything that learns.
//!
//! ```text
//! self-play ─► records (Parquet, a row a turn)
//! self-play, census of boards ─► rack values (exact tallies of full racks) ─► leaves: least squares ─► completion average
//!                                                                              ─► leave table
//! features ─► evolve: CMA-ES ─► matches against a baseline ─► weights of a linear evaluator
//! self-play, records ─► td: TD(λ) over tile patterns ─► leave table
//! self-play ─► swings of finished games (exact tallies by tiles left) ─► win percentage: shares, network ─► win table
//! ```
//!
//! A long run keeps what it has finished in its [`journal`], so that it can be killed and resumed.
//!
//! The engine plays, this crate fits; what it learns goes back to the engine in the field's own formats. Fits take integer
//! tallies, so merging shards is exact, and they give the same bytes at any thread count.
//!
//! Modules stand in the order of their dependencies: each uses only those above it.

pub mod run_config;
pub mod journal;
pub mod parquet_file;
pub mod rack_values;
pub mod records;
pub mod selfplay;
pub mod pair_records;
pub mod stored_match;
pub mod leaves;
pub mod win_percentage;
pub mod evolve;
pub mod td;
