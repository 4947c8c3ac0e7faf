//! Players: whoever chooses a move in a game.

use std::sync::Arc;
use std::time::Duration;

use crate::evaluator::Greedy;
use crate::game::Game;
use crate::hash::sha256;
use crate::movegen::{Generator, ValuedMove};
use crate::rng::stream;
use crate::static_player::StaticPlayer;

pub mod configured;
mod endgame;
pub mod external;
pub mod naming;
mod pre_endgame;
mod seat;
mod simulating;

pub use endgame::WithEndgame;
use external::External;
pub use pre_endgame::WithPreEndgame;
pub use seat::Seat;
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
    /// The same as `decide`, if it runs elsewhere.
    external: Option<Arc<External>>,
}

impl Player {
    /// A player that plays the move of highest static equity.
    pub fn of_static(name: impl Into<String>, static_player: StaticPlayer) -> Player {
        let name = name.into();
        Player {
            identity: sha256(name.as_bytes()),
            name,
            warning: None,
            ranking: static_player,
            decide: None,
            external: None,
        }
    }

    /// The same player with its moves decided by looking ahead from its static ranking.
    #[must_use]
    pub fn deciding(self, decide: Arc<dyn Decide>) -> Player {
        Player { decide: Some(decide), external: None, ..self }
    }

    /// A player that runs elsewhere. Its identity is its name: what it is made of is not known.
    pub fn of_external(name: impl Into<String>, external: External) -> Player {
        let external = Arc::new(external);
        let player = Player::of_static(name, StaticPlayer::new(Greedy)).deciding(Arc::clone(&external) as Arc<dyn Decide>);
        Player { external: Some(external), ..player }
    }

    /// The same player, with so long for each move if it runs elsewhere.
    #[must_use]
    pub fn answering_within(self, time: Duration) -> Player {
        match &self.external {
            Some(external) => Player::of_external(self.name.clone(), external.answering_within(time)),
            None => self,
        }
    }

    /// Whether it plays the move of highest static equity, without looking ahead.
    pub fn is_static(&self) -> bool {
        self.decide.is_none()
    }

    /// Whether it runs elsewhere, so that nothing is known of it but its moves.
    pub fn is_foreign(&self) -> bool {
        self.external.is_some()
    }

    /// How it ranks moves at a glance; nothing that a foreign player is asked for.
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
