//! Everything that learns: leave tables, win tables, and the weights of linear evaluators and networks.
//!
//! The engine plays the games, and this crate fits evaluators to them. It also holds the journal, which lets every long run
//! resume, and the records of games and matches.
//!
//! ```text
//! self-play ─► records (Parquet, one row per turn)
//! self-play ─► rack values (exact tallies of full racks) ─► leaves: least squares ─► completion average ─► leave table
//! self-play ─► remaining spreads (exact tallies of finished games by unseen tiles) ─► win percentage: empirical table, network ─► win table
//! self-play, playouts on common deals ─► candidate sets ─► linear: least squares ─► weights of a linear evaluator
//!                                                       └─► network: dense layers on top ─► network
//! features, or a network ─► evolve: CMA-ES ─► matches against a baseline ─► weights of a linear evaluator, or network
//! self-play or records ─► td: TD(λ) over tile patterns and features, or of a network ─► leave table, weights, or network
//! ```
//!
//! A fit is a [`Run`](run::Run) with a config ([`run_config`]). It keeps its work in a [`journal`], so it can be killed and
//! resumed. At the end it writes an artefact, which the engine loads as a player:
//!
//! ```
//! use tilewright_engine::artefact::Loader;
//! use tilewright_engine::monitor::NoMonitor;
//! use tilewright_engine::player::{Base, Player};
//! use tilewright_engine::setup::Setup;
//! use tilewright_train::journal::Journal;
//! use tilewright_train::run_config::RunConfig;
//! use tilewright_train::run::{Run, run_in};
//! use tilewright_train::td::{artefact::{Learning, TdRun}, config::TdConfig, run::TermLearning};
//!
//! let setup = Setup::embedded("english")?;
//! let config = r#"
//!     seed = 1
//!     target = "points"
//!     method = "least-squares"
//!     lambda = 0.5
//!     games = 200
//!     batch_games = 100
//! "#;
//! let config = TdConfig::from_toml(config, "example")?;
//!
//! # let temporary = tempfile::tempdir()?;
//! # let folder = temporary.path().join("run");
//! // let folder = Path::new("runs/example");
//! let learning = Learning::Terms(TermLearning::new(None)?);
//! let run = TdRun { setup: &setup, config: &config, learning };
//! let journal = Journal::open(&folder, &run.key(), &NoMonitor)?;
//! run_in(&run, &journal)?;
//!
//! let spec = Base::leave(Some(folder)).into();
//! let player = Player::from_spec(&spec, Loader::new(&setup))?;
//! # assert!(player.as_static().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate `burn` trains networks. Each model is a burn module, and `models` holds the code that all models share. The engine
//! plays with plain arithmetic, and tests compare both on the same inputs. The crate `faer` solves least squares.
//!
//! Tallies are integers, so the merge of shards is exact. Every fit writes the same bytes at any thread count.
//!
//! Modules are listed in dependency order: each uses only modules above it.

#[cfg(test)]
mod test_support;
pub mod run_config;
pub mod markdown;
pub mod cpu_clock;
pub mod journal;
pub mod parquet_file;
pub mod schema;
pub mod run;
pub mod npz;
pub mod rack_values;
pub mod records;
pub mod pair_records;
pub mod stored_match;
pub mod match_games;
mod models;
pub mod leaves;
pub mod win_percentage;
pub mod exploration;
pub mod candidates;
pub mod selfplay;
pub mod analysis;
pub mod linear;
pub mod network;
pub mod evolve;
pub mod td;
