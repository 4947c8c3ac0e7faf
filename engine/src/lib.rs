//! engine
pub mod bag;
pub mod board;
pub mod cross_set;
pub mod equity;
pub mod evaluator;
pub mod game;
pub mod hash;
pub mod layout;
pub mod leave;
pub mod lexicon;
pub mod movegen;
pub mod moves;
pub mod player;
pub mod rack;
pub mod rng;
pub mod setup;
pub mod tileset;
