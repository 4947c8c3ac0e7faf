//! Players, which choose the moves of a game.

pub mod external;
mod spec;
mod error;
mod thinking_time;
mod judged;
mod kinds;
pub mod host;
mod seat;
mod time_manager;
mod simulating;
mod endgame;
mod pre_endgame;
mod configured;
mod loading;

pub use endgame::{EndgameSettings, WithEndgame};
pub use error::{PlayerError, Warning};
pub use host::Host;
pub use judged::{Basis, JudgedMove};
pub use kinds::{Decide, Player};
pub use pre_endgame::{PreEndgameSettings, WithPreEndgame};
pub use spec::{Base, MatchPlayer, PlayerSpec, SpecError};
