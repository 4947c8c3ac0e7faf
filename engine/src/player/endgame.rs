//! Players that calculate once the bag is empty.

use std::sync::{Mutex, PoisonError};

use super::{Decide, Player};
use crate::endgame::{Limits, Solver, SolverMemory};
use crate::equity::Equity;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};

/// Positions looked at for each move: what keeps a game short. Endgames that need more are played by the best that was found.
const MOST_NODES: u64 = 20_000;

/// Plays another player's move until the bag is empty, then the best move of the endgame as far as a fixed number of positions shows
/// it.
pub struct WithEndgame {
    before: Player,
    /// Memory for as many threads as have played at once.
    memories: Mutex<Vec<SolverMemory>>,
}

impl WithEndgame {
    /// A player that moves like `before` until the bag is empty.
    pub fn new(before: Player) -> WithEndgame {
        WithEndgame { before, memories: Mutex::default() }
    }

    /// What its choices depend on beside that player.
    pub fn identity() -> String {
        format!("endgame {MOST_NODES}")
    }

    fn take_memory(&self) -> SolverMemory {
        self.memories.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, memory: SolverMemory) {
        self.memories.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}

impl Decide for WithEndgame {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game) -> ValuedMove {
        if !game.bag.is_empty() {
            return self.before.choose(generator, game);
        }
        let mut solver = Solver::with_memory(generator.setup(), self.take_memory());
        let limits = Limits { nodes: Some(MOST_NODES), ..Limits::default() };
        let solution = solver.solve(game, &limits);
        self.give_back(solver.into_memory());
        match solution {
            Ok(solution) => ValuedMove { chosen: solution.best, equity: Equity::from_points(solution.value) },
            Err(_) => self.before.choose(generator, game),
        }
    }
}
