//! Players: whoever chooses a move in a game.

use std::sync::Arc;
use std::time::Duration;

use crate::game::Game;
use crate::hash::sha256;
use crate::movegen::{Generator, ValuedMove};
use crate::rng::stream;
use crate::static_player::StaticPlayer;

pub mod configured;
mod endgame;
pub mod naming;
mod pre_endgame;
mod simulating;

pub use endgame::WithEndgame;
pub use pre_endgame::WithPreEndgame;
pub use simulating::Simulating;

/// Chooses moves by looking ahead.
pub trait Decide: Send + Sync {
    /// A move for the player to move. What that player cannot see, the other rack and the order of the bag, is dealt at random
    /// in `game`, so there is nothing to peek at; with an empty bag the other rack is what it is.
    ///
    /// The move is a function of what can be seen, unless it is to be found within some time.
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, time: Option<Duration>) -> ValuedMove;
}

/// A player with its name.
#[derive(Clone)]
pub struct Player {
    /// As named on the command line: `greedy`, `leave:PATH`.
    pub name: String,
    /// A hash of all that its choices depend on beside the game.
    pub identity: String,
    /// What a user should know before it plays, such as values that had to be estimated.
    pub warning: Option<String>,
    ranking: StaticPlayer,
    decide: Option<Arc<dyn Decide>>,
}

impl Player {
    /// A player that plays the move of highest static equity.
    pub fn of_static(name: impl Into<String>, static_player: StaticPlayer) -> Player {
        let name = name.into();
        Player { identity: sha256(name.as_bytes()), name, warning: None, ranking: static_player, decide: None }
    }

    /// The same player with its moves decided by looking ahead from its static ranking.
    #[must_use]
    pub fn deciding(self, decide: Arc<dyn Decide>) -> Player {
        Player { decide: Some(decide), ..self }
    }

    /// Whether it plays the move of highest static equity, without looking ahead.
    pub fn is_static(&self) -> bool {
        self.decide.is_none()
    }

    /// How it ranks moves at a glance.
    pub fn static_player(&self) -> &StaticPlayer {
        &self.ranking
    }

    /// Whether it decides by more than its static ranking.
    pub fn looks_ahead(&self) -> bool {
        self.decide.is_some()
    }

    /// Its move for the player to move.
    pub fn choose(&self, generator: &mut Generator<'_>, game: &Game) -> ValuedMove {
        self.choose_within(generator, game, None)
    }

    /// Its move, found within so much time where it has a say in how long it takes: static players have none. With a limit of time
    /// the move depends on the machine.
    pub fn choose_within(&self, generator: &mut Generator<'_>, game: &Game, time: Option<Duration>) -> ValuedMove {
        match &self.decide {
            None => self.ranking.choose(generator, &game.position(), &game.unseen()),
            Some(decide) => {
                let mut seen = game.clone();
                seen.deal_anew(stream(0, "unseen", 0));
                decide.decide(generator, &seen, time)
            }
        }
    }
}
