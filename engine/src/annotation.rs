//! Annotation of recorded games: each move next to the best moves of its turn, with its loss.
//!
//! With tiles in the bag, moves are compared by the equity of a static player, by simulation, or by a player that looks ahead. With an empty bag they are
//! compared by the endgame solver, unless it does not finish. A loss is the value of the best move minus the value of the
//! move that was made, from the view of the player to move. The annotator sees only the tiles that the player saw: the tiles
//! of the opponent's rack are unseen, even if the file names them.

mod known;
#[cfg(test)]
mod tests;

use std::iter::once;

use crate::board::Board;
use crate::endgame::{Limits, Solver};
use crate::equity::Equity;
use crate::game::Game;
use crate::game::gcg::{GcgError, GcgGame, GcgPosition, replay};
use crate::monitor::{Monitor, StopOnly};
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::player::Player;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::simulator::{Candidate, Mean, Simulator, Situation, laid, merged};
use crate::static_player::StaticPlayer;
use crate::turn::Turn;

pub use crate::player::{Basis, JudgedMove};
use known::Recorded;
pub use known::{Unjudged, game_before};

/// Positions that the endgame solver may search for a turn: about a tenth of a second.
const ENDGAME_NODES: u64 = 200_000;

/// Annotates the turns of recorded games.
#[derive(Debug)]
pub struct Annotator<'a> {
    /// The player whose equity ranks the moves.
    pub ranker: &'a StaticPlayer,
    /// The player that looks ahead and compares the moves. `None` compares as the simulator says.
    pub player: Option<&'a Player>,
    /// The simulator that compares the best moves, with its seed. `None` compares by equity.
    pub simulator: Option<(Simulator<'a>, u64)>,
    /// The number of best moves that are kept and simulated. The move that was made is kept besides.
    pub most: usize,
    /// Threads for a simulation. The result does not depend on it.
    pub threads: usize,
}

/// A turn of a recorded game: an event in which a player moved.
#[derive(Clone, Debug)]
pub struct AnnotatedTurn {
    /// The index of the event in [`GcgGame::events`].
    pub event: usize,
    /// The move next to the best ones, or why it was not judged.
    pub judgement: Result<Judgement, Unjudged>,
}

/// The best moves of a turn, and the place of the move that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// How the moves are compared.
    pub basis: Basis,
    /// The best moves in order, and the move that was made: at least one move.
    pub moves: Vec<JudgedMove>,
    /// The index of the move that was made in `moves`.
    pub made: usize,
    /// The number of moves of the turn with more equity than the move that was made.
    pub better_by_equity: usize,
}

impl Judgement {
    /// The move that was made.
    pub fn made(&self) -> &JudgedMove {
        &self.moves[self.made]
    }

    /// The loss of the move in points. A simulated loss may be negative: the best move has the highest win probability.
    pub fn loss(&self) -> f64 {
        self.moves[0].points - self.made().points
    }

    /// The loss of the move in points and in win probability, 0–1, if it was simulated or searched. The errors treat the deals
    /// of both moves as independent.
    pub fn expected_loss(&self) -> Option<[Mean; 2]> {
        let (best, made) = (self.moves[0].expected?, self.made().expected?);
        let loss = |at: usize| Mean {
            mean: best[at].mean - made[at].mean,
            error: if self.made == 0 { 0.0 } else { best[at].error.hypot(made[at].error) },
        };
        Some([loss(0), loss(1)])
    }

    /// The loss of the move in win probability, 0–1, if it was simulated or searched.
    pub fn win_loss(&self) -> Option<f64> {
        Some(self.expected_loss()?[1].mean)
    }
}

impl Annotator<'_> {
    /// Annotates the turns of a game. Scores count as they are written: [`replay`] checks them.
    ///
    /// The monitor counts turns. After its stop request no further turn is judged, and the simulation of the last one is cut short, so the
    /// result is not to be used.
    ///
    /// # Errors
    /// [`GcgError`] at the first event that is impossible.
    pub fn annotate(
        &self,
        game: &GcgGame,
        generator: &mut Generator<'_>,
        monitor: &dyn Monitor,
    ) -> Result<Vec<AnnotatedTurn>, GcgError> {
        let setup = generator.setup();
        let positions = once(Ok(GcgPosition::start(setup))).chain(replay(game, setup).accepting_scores());
        let recorded = Recorded { setup, game, positions: positions.collect::<Result<_, _>>()? };
        let mut turns = Vec::new();
        for event in (0..game.events.len()).filter(|&event| recorded.is_turn(event)) {
            if monitor.is_stopped() {
                break;
            }
            let judgement = recorded
                .turn(event)
                .and_then(|(game, chosen)| self.judge(&game, &chosen, generator, monitor).ok_or(Unjudged::Impossible));
            turns.push(AnnotatedTurn { event, judgement });
            monitor.advance(1);
        }
        Ok(turns)
    }

    /// The judgement of a turn, or `None` if the move is not legal.
    fn judge(&self, game: &Game, chosen: &Move, generator: &mut Generator<'_>, monitor: &dyn Monitor) -> Option<Judgement> {
        let setup = generator.setup();
        let turn = game.turn(setup);
        let ranked = self.ranker.rank(generator, &turn);
        let made = *ranked.iter().find(|valued| is_same(game.board(), &valued.chosen, chosen))?;
        let better_by_equity = ranked.iter().take_while(|valued| valued.equity > made.equity).count();
        let (moves, place) = self.best(&turn, &ranked, made);
        let (basis, moves, made) = (turn.bag == 0)
            .then(|| solved(game, &moves, place, setup))
            .flatten()
            .or_else(|| self.by_player(game, made, generator, monitor))
            .or_else(|| self.simulated(game, &moves, place, monitor))
            .unwrap_or_else(|| {
                (Basis::Equity, moves.iter().map(|candidate| JudgedMove::ranked(candidate.valued)).collect(), place)
            });
        Some(Judgement { basis, moves, made, better_by_equity })
    }

    /// The best moves by equity and the move that was made, with equivalent moves merged, and the index of that move.
    fn best(&self, turn: &Turn<'_>, ranked: &[ValuedMove], made: ValuedMove) -> (Vec<Candidate>, usize) {
        let layout = &turn.setup.layout;
        // The first play of a game is the same across and down: the list then has every play twice.
        let shown = ranked.get(..2 * self.most).unwrap_or(ranked);
        let of_made = merged(turn.board, layout, &[made]);
        let mut best = merged(turn.board, layout, shown);
        best.truncate(self.most);
        let holds = |candidate: &Candidate| candidate.valued.chosen == made.chosen || candidate.same.contains(&made.chosen);
        let place = best.iter().position(holds).unwrap_or_else(|| {
            best.extend(of_made);
            best.len() - 1
        });
        // Of equivalent moves, the move that was made is shown.
        best[place].valued = made;
        (best, place)
    }

    /// The moves that the player looks at, if it values the move that was made.
    fn by_player(
        &self,
        game: &Game,
        made: ValuedMove,
        generator: &mut Generator<'_>,
        monitor: &dyn Monitor,
    ) -> Option<(Basis, Vec<JudgedMove>, usize)> {
        let (basis, mut moves) = self.player?.judge(generator, game, Some(made), monitor)?;
        let place = moves.iter().position(|judged| is_same(game.board(), &judged.chosen, &made.chosen))?;
        let kept = moves.len().min(self.most);
        let made = if place < kept {
            place
        } else {
            moves.swap(kept, place);
            kept
        };
        moves.truncate(kept.max(made + 1));
        Some((basis, moves, made))
    }

    /// The moves by simulation.
    fn simulated(
        &self,
        game: &Game,
        moves: &[Candidate],
        made: usize,
        monitor: &dyn Monitor,
    ) -> Option<(Basis, Vec<JudgedMove>, usize)> {
        let (simulator, seed) = self.simulator?;
        let made = moves[made].valued.chosen;
        let situation = Situation { game: game.clone(), known: Rack::default(), last: None, seed };
        let result = simulator.run(&situation, moves, self.threads, &StopOnly(monitor), &mut |_| {});
        let judged: Vec<JudgedMove> = result.standings.iter().map(JudgedMove::simulated).collect();
        let made = judged.iter().position(|judged| judged.chosen == made)?;
        Some((Basis::Simulation, judged, made))
    }
}

/// The best move by the endgame solver and the move that was made, if the solver finishes. `game` has an empty bag.
fn solved(game: &Game, moves: &[Candidate], made: usize, setup: &Setup) -> Option<(Basis, Vec<JudgedMove>, usize)> {
    let limits = Limits { nodes: Some(ENDGAME_NODES), ..Limits::default() };
    let mut solver = Solver::new(setup);
    let made = moves[made].valued;
    let best = solver.solve(game, &limits).ok().filter(|solution| solution.is_exact)?;
    let (value, _) = solver.bounds_of(game, &made.chosen, &limits).ok().filter(|(least, most)| least == most)?;
    let made = JudgedMove::of_endgame(made.chosen, value, game.spread(), made.reported_equity());
    if value == best.value {
        return Some((Basis::Endgame, vec![made], 0));
    }
    let found = moves.iter().find(|candidate| is_same(game.board(), &candidate.valued.chosen, &best.best));
    let equity = found.map_or(Equity::from_points(best.best.score()), |candidate| candidate.valued.reported_equity());
    let best = JudgedMove::of_endgame(best.best, best.value, game.spread(), equity);
    Some((Basis::Endgame, vec![best, made], 1))
}

/// Whether two moves of one rack make the same board with the same leave.
fn is_same(board: &Board, one: &Move, other: &Move) -> bool {
    match (one, other) {
        (Move::Play(_), Move::Play(_)) => {
            one.score() == other.score() && laid(board, one, false) == laid(board, other, false)
        }
        (Move::Exchange(one), Move::Exchange(other)) => Rack::from_tiles(one) == Rack::from_tiles(other),
        (Move::Pass, Move::Pass) => true,
        _ => false,
    }
}
