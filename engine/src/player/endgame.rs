//! Players that search the endgame, and the pre-endgame with a clock for at most a fair share of the time left.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::judged::{Basis, JudgedMove};
use super::kinds::{Decide, Player};
use crate::clock::SearchLimits;
use crate::endgame::{Limits, Solution, Solver, SolverMemory};
use crate::equity::Equity;
use crate::game::Game;
use crate::movegen::{Generator, ValuedMove};
use crate::pre_endgame::{Candidate, PreEndgame, Settings};
use crate::static_player::StaticPlayer;

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

/// The settings of a player's pre-endgame search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PreEndgameSettings {
    /// The maximum number of tiles in the bag, at most [`crate::pre_endgame::MAX_BAG`], or 0 for a player that does not
    /// search.
    pub bag: usize,
    /// The maximum number of positions searched per move.
    pub nodes: u64,
    /// The maximum number of positions searched per endgame.
    pub endgame_nodes: u64,
}

impl Default for PreEndgameSettings {
    fn default() -> PreEndgameSettings {
        PreEndgameSettings { bag: 2, nodes: 200_000, endgame_nodes: 20_000 }
    }
}

/// Plays like another player, except in pre-endgames: there it plays the best move that a search with a fixed number of
/// positions finds.
#[derive(Debug)]
pub struct WithPreEndgame {
    base: Player,
    ranker: StaticPlayer,
    settings: PreEndgameSettings,
    memories: Memories,
}

impl WithPreEndgame {
    /// Creates a player that plays like `base` outside of pre-endgames, and screens the moves of pre-endgames by `ranker`.
    pub fn new(base: Player, ranker: StaticPlayer, settings: PreEndgameSettings) -> WithPreEndgame {
        WithPreEndgame { base, ranker, settings, memories: Memories::default() }
    }

    /// The result of work with a solver.
    fn searched<'a, T>(
        &self,
        generator: &Generator<'a>,
        game: &Game,
        limits: SearchLimits<'a>,
        work: impl FnOnce(&mut PreEndgame<'a>) -> T,
    ) -> T {
        let settings = self.settings(game.bag.len(), limits.time.map(|time| time.share));
        let solver = PreEndgame::with_memory(generator.setup(), self.ranker.clone(), self.memories.take());
        let mut solver = solver.with_settings(settings).stopped_by(limits.monitor);
        let result = work(&mut solver);
        self.memories.give_back(solver.into_memory());
        result
    }

    fn settings(&self, bag: usize, time: Option<Duration>) -> Settings {
        let PreEndgameSettings { nodes, endgame_nodes, .. } = self.settings;
        Settings { nodes: Some(nodes), endgame_nodes: Some(endgame_nodes), time, ..Settings::for_bag(bag) }
    }
}

impl Decide for WithPreEndgame {
    fn decide(&self, generator: &mut Generator<'_>, game: &Game, limits: SearchLimits<'_>) -> ValuedMove {
        if !(1..=self.settings.bag).contains(&game.bag.len()) {
            return self.base.choose_within(generator, game, limits);
        }
        let chosen = self.searched(generator, game, limits, |solver| solver.choose(game).ok().flatten());
        chosen.unwrap_or_else(|| self.base.choose_within(generator, game, limits))
    }

    fn judge(
        &self,
        generator: &mut Generator<'_>,
        game: &Game,
        also: Option<ValuedMove>,
        limits: SearchLimits<'_>,
    ) -> Option<(Basis, Vec<JudgedMove>)> {
        let by_base = |generator: &mut Generator<'_>| self.base.judge(generator, game, also, limits.monitor);
        if !(1..=self.settings.bag).contains(&game.bag.len()) {
            return by_base(generator);
        }
        let analysis = self.searched(generator, game, limits, |solver| solver.solve(game).ok());
        let ranked = self.ranker.rank(generator, &game.turn(generator.setup()));
        let judged = |candidate: &Candidate| {
            let equity = ranked[candidate.static_place].reported_equity();
            JudgedMove::of_pre_endgame(candidate, game.spread(), equity)
        };
        let moves: Vec<JudgedMove> = analysis.iter().flat_map(|found| &found.candidates).map(judged).collect();
        let has = |also: ValuedMove| moves.iter().any(|judged| judged.chosen == also.chosen);
        if moves.is_empty() || !also.is_none_or(has) { by_base(generator) } else { Some((Basis::PreEndgame, moves)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeLeft;
    use crate::deals::Domain;
    use crate::evaluator::Greedy;
    use crate::setup::Setup;

    #[test]
    fn without_time_it_plays_like_its_base() {
        let setup = Setup::embedded("english").unwrap();
        let mut generator = Generator::new(&setup);
        let greedy = StaticPlayer::new(Greedy);
        let base = Player::from_static("greedy", greedy.clone());
        let settings = PreEndgameSettings { bag: 1, nodes: 4000, endgame_nodes: 300 };
        let player = WithPreEndgame::new(base, greedy.clone(), settings);
        let none = TimeLeft { clock: Duration::ZERO, share: Duration::ZERO };
        let none = SearchLimits { time: Some(&none), ..SearchLimits::NONE };
        let (mut seen, mut different) = (0, 0);
        for index in 0..12 {
            let mut game = Game::deal(&setup, Domain::Match.deals(7), index);
            while !game.is_over() && game.bag.len() > 1 {
                let chosen = greedy.choose(&mut generator, &game.turn(&setup)).chosen;
                game.make(&setup, &chosen);
            }
            if game.is_over() || game.bag.is_empty() {
                continue;
            }
            let as_ranked = greedy.choose(&mut generator, &game.turn(&setup)).chosen;
            assert_eq!(player.decide(&mut generator, &game, none).chosen, as_ranked);
            different += usize::from(player.decide(&mut generator, &game, SearchLimits::NONE).chosen != as_ranked);
            seen += 1;
        }
        assert!(seen > 0 && different > 0, "{seen} {different}");
    }
}
