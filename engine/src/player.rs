//! Players, which choose the moves of a game.

pub mod external;
mod spec;
mod thinking_time;
mod judged;
mod kinds;
pub mod host;
mod simulating;
mod endgame;
mod configured;
mod loading;

pub use endgame::{EndgameSettings, PreEndgameSettings, WithEndgame, WithPreEndgame};
pub use host::Host;
pub use judged::{Basis, JudgedMove};
pub use kinds::{Decide, Player, PlayerError, Warning};
pub use spec::{Base, MatchPlayer, PlayerSpec, SpecError};
