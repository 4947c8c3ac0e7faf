//! Players that search the endgame.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::judged::{Basis, JudgedMove};
use super::kinds::{Decide, Player};
use crate::clock::SearchLimits;
use crate::endgame::{Limits, Solution, Solver, SolverMemory};
use crate::equity::Equity;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};

/// The settings of a player's endgame search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndgameSettings {
    /// The maximum number of positions searched per move. If an endgame needs more, the player makes the best move
    /// found. 0 for a player that does not search.
    pub nodes: u64,
}

impl Default for EndgameSettings {
    fn default() -> EndgameSettings {
        EndgameSettings { nodes: 20_000 }
    }
}

/// Plays like another player until the bag is empty, then the best move that an endgame search with a fixed number of
/// positions finds.
#[derive(Debug)]
pub struct WithEndgame {
    base: Player,
    settings: EndgameSettings,
    memories: Memories,
}

impl WithEndgame {
    /// Creates a player that plays like `base` until the bag is empty.
    pub fn new(base: Player, settings: EndgameSettings) -> WithEndgame {
        WithEndgame { base, settings, memories: Memories::default() }
    }

    /// The best move that the search finds. `game` has an empty bag.
    fn search(&self, generator: &Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> Option<Solution> {
        let mut solver = Solver::with_memory(generator.setup(), self.memories.take());
        let (nodes, time) = (Some(self.settings.nodes), limits.time.map(|time| time.share));
        let solution = solver.solve(game, &Limits { nodes, time, ..Limits::default() });
        self.memories.give_back(solver.into_memory());
        solution.ok()
    }
}

impl Decide for WithEndgame {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove {
        if !game.bag.is_empty() {
            return self.base.choose_within(generator, game, limits);
        }
        match self.search(generator, game, limits) {
            Some(solution) => ValuedMove { chosen: solution.best, equity: Equity::from_points(solution.value) },
            None => self.base.choose_within(generator, game, limits),
        }
    }

    fn judge(
        &self,
        generator: &mut Generator<'_>,
        game: &Game,
        also: Option<ValuedMove>,
        limits: SearchLimits<'_>,
    ) -> Option<(Basis, Vec<JudgedMove>)> {
        if !game.bag.is_empty() {
            return self.base.judge(generator, game, also, limits.monitor);
        }
        let solution = self.search(generator, game, limits).filter(|solution| solution.is_exact)?;
        let ranked = self.base.ranker()?.rank(generator, &game.turn(generator.setup()));
        let equity = ranked.iter().find(|valued| valued.chosen == solution.best)?.reported_equity();
        Some((Basis::Endgame, vec![JudgedMove::of_endgame(solution.best, solution.value, game.spread(), equity)]))
    }
}

/// A pool of solver memories, one for each thread that plays at the same time.
#[derive(Default, Debug)]
pub(super) struct Memories(Mutex<Vec<SolverMemory>>);

impl Memories {
    pub(super) fn take(&self) -> SolverMemory {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, memory: SolverMemory) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }
}
