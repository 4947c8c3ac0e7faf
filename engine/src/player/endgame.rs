//! Players that calculate once the bag is empty.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::kinds::{Decide, Player};
use crate::endgame::{Limits, Solver, SolverMemory};
use crate::equity::Equity;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};

/// How much a player calculates in endgames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndgameSettings {
    /// Positions looked at for each move: what keeps a game short. Endgames that need more are played by the best that was found. 0
    /// for a player that does not calculate.
    pub nodes: u64,
}

impl Default for EndgameSettings {
    fn default() -> EndgameSettings {
        EndgameSettings { nodes: 20_000 }
    }
}

/// Plays another player's move until the bag is empty, then the best move of the endgame as far as a fixed number of positions shows
/// it.
pub struct WithEndgame {
    before: Player,
    settings: EndgameSettings,
    memories: Memories,
}

impl WithEndgame {
    /// A player that moves like `before` until the bag is empty.
    pub fn new(before: Player, settings: EndgameSettings) -> WithEndgame {
        WithEndgame { before, settings, memories: Memories::default() }
    }
}

impl Decide for WithEndgame {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, time: Option<Duration>) -> ValuedMove {
        if !game.bag.is_empty() {
            return self.before.choose_within(generator, game, time);
        }
        let mut solver = Solver::with_memory(generator.setup(), self.memories.take());
        let limits = Limits { nodes: Some(self.settings.nodes), time, ..Limits::default() };
        let solution = solver.solve(game, &limits);
        self.memories.give_back(solver.into_memory());
        match solution {
            Ok(solution) => ValuedMove { chosen: solution.best, equity: Equity::from_points(solution.value) },
            Err(_) => self.before.choose_within(generator, game, time),
        }
    }
}

/// Memory for as many threads as have played at once.
#[derive(Default)]
pub(super) struct Memories(Mutex<Vec<SolverMemory>>);

impl Memories {
    pub(super) fn take(&self) -> SolverMemory {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, memory: SolverMemory) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}
