//! Players, which choose the moves of a game.

pub mod external;
mod thinking_time;
mod kinds;
pub mod host;
mod seat;
mod time_manager;
mod simulating;
mod endgame;
mod pre_endgame;
mod error;
pub mod configured;
pub mod naming;

pub use endgame::WithEndgame;
pub use error::PlayerError;
pub use host::Host;
pub use kinds::{Decide, Player};
pub use pre_endgame::WithPreEndgame;
pub use seat::Seat;
pub use simulating::SimulationPlayer;
