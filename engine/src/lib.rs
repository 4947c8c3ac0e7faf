//! The rules of crossword board games and everything that plays them.
//!
//! Use this crate to load tile sets and lexicons, to generate and value moves, and to run players and paired matches. It
//! is a library for other programs too.
//!
//! ```text
//! word list ─► lexicon ─┐
//! tile set, layout ─────┴─► setup ─► movegen ─► game ─┐
//! leave table ─► features ─► evaluator ─► static player ┼─► endgame ─► pre-endgame
//! win table ──────────────────────────────────────────┴─► simulator ─► player ─► selfplay, series
//! ```
//!
//! Modules are listed in dependency order: each uses only modules above it. Scores are integers in points, and an
//! [`equity::Equity`] is an integer in thousandths of a point. So no sum depends on the order of its parts. All values are from
//! the view of the player to move. Every random number comes from [`rng::stream`], named by seed, purpose and index. The deals of
//! games come from [`deals`].
//!
//! ```
//! use tilewright_engine::artefact::Loader;
//! use tilewright_engine::deals::Domain;
//! use tilewright_engine::game::Game;
//! use tilewright_engine::moves::notation;
//! use tilewright_engine::movegen::Generator;
//! use tilewright_engine::player::Player;
//! use tilewright_engine::series::Series;
//! use tilewright_engine::setup::Setup;
//!
//! // A game: an embedded tile set, its board, and the embedded word list.
//! let setup = Setup::embedded("english")?;
//! let mut generator = Generator::new(&setup);
//!
//! // A player chooses a move.
//! let player = Player::from_name("leave+pool", Loader::new(&setup))?;
//! let game = Game::deal(&setup, Domain::Match.deals(1), 0);
//! let chosen = player.choose(&mut generator, &game).chosen;
//! assert!(notation::show(&chosen, game.board(), &setup.tileset).starts_with("8"));
//!
//! // A pair: one deal played twice with the seats swapped. A player against itself is exactly even.
//! let series = Series::new(&setup, [&player; 2], Domain::Match.deals(1));
//! let pair = series.pair(&mut generator, 0);
//! assert_eq!((pair.half_wins(), pair.spread()), (2, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There are whole programs in `engine/examples`: the best moves of a position, a match between two tables, an evaluator of
//! your own.

#![cfg_attr(not(test), warn(unreachable_pub))]
#![warn(missing_debug_implementations)]

// The reference generator of the tests names the engine from outside.
#[cfg(test)]
extern crate self as tilewright_engine;

pub mod configs;
mod embedded;
pub mod equity;
pub mod hash;
pub mod input_file;
pub mod folder;
mod gzip;
pub mod rng;
pub mod deals;
pub mod tileset;
pub mod rack;
pub mod bag;
pub mod layout;
pub mod board;
pub mod lexicon;
pub mod setup;
pub mod artefact;
pub mod monitor;
pub mod moves;
pub mod cross_set;
pub mod turn;
pub mod movegen;
pub mod leave;
pub mod game;
pub mod features;
pub mod evaluator;
pub mod static_player;
pub mod clock;
pub mod win_percentage;
pub mod endgame;
pub mod pre_endgame;
pub mod simulator;
pub mod player;
pub mod selfplay;
pub mod series;
pub mod annotation;
#[doc = include_str!("../docs/tour.md")]
pub mod tour {}

// The words that most programs need.
pub use artefact::{Artefact, Loader, Manifest};
pub use board::Board;
pub use deals::Domain;
pub use equity::Equity;
pub use evaluator::Evaluator;
pub use features::Feature;
pub use game::Game;
pub use layout::Layout;
pub use leave::{LeaveData, LeaveTable};
pub use monitor::{Monitor, NoMonitor};
pub use movegen::Generator;
pub use moves::Move;
pub use player::{Base, MatchPlayer, Player, PlayerSpec};
pub use rack::Rack;
pub use series::Series;
pub use setup::Setup;
pub use static_player::StaticPlayer;
pub use tileset::{Tile, TileSet};
pub use win_percentage::WinPercentage;
