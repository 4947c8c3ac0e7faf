//! A player, and the three kinds of it: static, deciding and external.

use std::sync::Arc;
use std::time::Duration;

use super::external::{External, FaultRecord};
use crate::game::Game;
use crate::hash::sha256;
use crate::movegen::{Generator, ValuedMove};
use crate::rng::stream;
use crate::static_player::StaticPlayer;

/// Chooses moves by looking ahead.
pub trait Decide: Send + Sync {
    /// A move for the player to move. What that player cannot see, the other rack and the order of the bag, is dealt at random
    /// in `game`, so there is nothing to peek at; with an empty bag the other rack is the true one.
    ///
    /// The move is a function of what can be seen, unless there is a limit of time.
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, time: Option<Duration>) -> ValuedMove;
}

/// A player with its name.
#[derive(Clone)]
pub struct Player {
    /// As named on the command line: `greedy`, `leave:PATH`.
    pub name: String,
    /// A hash of everything that its choices depend on, except the game.
    pub identity: String,
    /// What a user should know before it plays, such as values that had to be estimated.
    pub warning: Option<String>,
    pub(super) kind: Kind,
}

/// How a player chooses its moves.
#[derive(Clone)]
pub(super) enum Kind {
    /// It plays the move of highest static equity.
    Static(StaticPlayer),
    /// It looks ahead from the moves that `ranker` likes.
    Deciding { ranker: StaticPlayer, decide: Arc<dyn Decide> },
    /// Another program plays.
    External(External),
}

impl Player {
    /// A player that plays the move of highest static equity.
    pub fn from_static(name: impl Into<String>, static_player: StaticPlayer) -> Player {
        Player::from_kind(name.into(), Kind::Static(static_player))
    }

    /// A player that runs elsewhere. Its identity is its name: what it depends on is not known.
    pub fn from_external(name: impl Into<String>, external: External) -> Player {
        Player::from_kind(name.into(), Kind::External(external))
    }

    fn from_kind(name: String, kind: Kind) -> Player {
        Player { identity: sha256(name.as_bytes()), name, warning: None, kind }
    }

    /// The same player, with its moves decided by looking ahead from its static ranking. An external player stays as it is.
    #[must_use]
    pub fn with_decider(self, decide: Arc<dyn Decide>) -> Player {
        let kind = match self.kind {
            Kind::Static(ranker) | Kind::Deciding { ranker, .. } => Kind::Deciding { ranker, decide },
            external @ Kind::External(_) => external,
        };
        Player { kind, ..self }
    }

    /// The same player, with this time for each answer if it is external.
    #[must_use]
    pub fn with_answer_time(self, time: Duration) -> Player {
        match self.kind {
            Kind::External(external) => Player { kind: Kind::External(external.with_answer_time(time)), ..self },
            Kind::Static(_) | Kind::Deciding { .. } => self,
        }
    }

    /// The static player that it is, if it is one: it plays the move of highest static equity, without looking ahead.
    pub fn as_static(&self) -> Option<&StaticPlayer> {
        match &self.kind {
            Kind::Static(static_player) => Some(static_player),
            Kind::Deciding { .. } | Kind::External(_) => None,
        }
    }

    /// How it ranks moves at a glance; `None` for an external player, which is asked for its move alone.
    pub fn ranker(&self) -> Option<&StaticPlayer> {
        match &self.kind {
            Kind::Static(ranker) | Kind::Deciding { ranker, .. } => Some(ranker),
            Kind::External(_) => None,
        }
    }

    /// Whether another program plays, so that nothing is known of it except its moves.
    pub fn is_external(&self) -> bool {
        matches!(self.kind, Kind::External(_))
    }

    /// The faults so far of an external player, by their places, at most [`super::external::MOST_RECORDS`] of them; none of other
    /// players.
    pub fn faults(&self) -> Vec<FaultRecord> {
        match &self.kind {
            Kind::External(external) => external.faults(),
            Kind::Static(_) | Kind::Deciding { .. } => Vec::new(),
        }
    }

    /// Its move for the player to move.
    pub fn choose(&self, generator: &mut Generator<'_>, game: &Game) -> ValuedMove {
        self.choose_within(generator, game, None)
    }

    /// Its move, found within a time. A static player needs no time worth limiting. With a limit the move of any other player
    /// depends on the machine.
    pub fn choose_within(&self, generator: &mut Generator<'_>, game: &Game, time: Option<Duration>) -> ValuedMove {
        match &self.kind {
            Kind::Static(static_player) => static_player.choose(generator, &game.turn(generator.setup())),
            Kind::Deciding { decide, .. } => {
                let mut seen = game.clone();
                seen.shuffle_unseen(stream(0, "unseen", 0));
                decide.decide(generator, &seen, time)
            }
            Kind::External(external) => external.choose(generator.setup(), game, time),
        }
    }
}
