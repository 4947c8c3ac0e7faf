//! The rules of crossword board games and everything that plays them.
//!
//! ```text
//! word list ─► lexicon ─┐
//! tile set, layout ─────┴─► setup ─► movegen ─► game ─┐
//! leave table ─► features ─► evaluator ─► static player ┼─► endgame ─► pre-endgame
//! win table ──────────────────────────────────────────┴─► simulator ─► player ─► selfplay, series
//! ```
//!
//! Modules stand in the order of their dependencies: each uses only those above it. Values inside are integers: scores in
//! points, [`equity::Equity`] in thousandths of a point, so that no sum depends on the order of its parts. All values are
//! from the view of the player to move. All randomness comes from [`rng::stream`], named by seed, purpose and index; games are dealt by [`deals`].
//!
//! ```
//! use tilewright_engine::{
//!     artefact::Loader, deals::Purpose, layout::Layout, lexicon::Lexicon, movegen::Generator, player::Player, series, setup::Setup,
//!     tileset::TileSet,
//! };
//!
//! let tileset = TileSet::embedded("english")?;
//! let layout = Layout::embedded(tileset.board())?;
//! let lexicon = Lexicon::load("enable2k", &tileset, layout.side(), None)?;
//! let setup = Setup::new(tileset, layout, lexicon);
//! let greedy = Player::from_name("greedy", Loader::new(&setup))?;
//! let same = series::Series { setup: &setup, players: [&greedy; 2], deals: Purpose::Match.deals(1), clock: None };
//! let pair = same.pair(&mut Generator::new(&setup), 0);
//! assert_eq!((pair.half_wins(), pair.spread()), (2, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod equity;
pub mod hash;
pub mod gzip;
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
pub mod census;
pub mod features;
pub mod evaluator;
pub mod static_player;
pub mod game;
pub mod clock;
pub mod win_percentage;
pub mod endgame;
pub mod pre_endgame;
pub mod simulator;
pub mod player;
pub mod selfplay;
pub mod series;
