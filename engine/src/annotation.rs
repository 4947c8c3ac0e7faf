//! Annotation of recorded games: each move next to the best moves of its turn, with its loss.
//!
//! With tiles in the bag, moves are compared by the equity of a static player or by simulation. With an empty bag they are
//! compared by the endgame solver, unless it does not finish. A loss is the value of the best move minus the value of the
//! move that was made, from the view of the player to move. The annotator sees only the tiles that the player saw: the tiles
//! of the opponent's rack are unseen, even if the file names them.

mod known;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::Serialize;

use crate::board::Board;
use crate::endgame::{Limits, Solver};
use crate::equity::Equity;
use crate::game::Game;
use crate::game::gcg::{GcgError, GcgGame, GcgPosition, replay};
use crate::monitor::{Monitor, StopOnly};
use crate::movegen::{Generator, ValuedMove};
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::simulator::{Candidate, Mean, Simulator, Situation, laid, merged};
use crate::static_player::StaticPlayer;
use crate::turn::Turn;

pub use known::Unjudged;

/// Positions that the endgame solver may search for a turn: about a tenth of a second.
const ENDGAME_NODES: u64 = 200_000;

/// Annotates the turns of recorded games.
#[derive(Debug)]
pub struct Annotator<'a> {
    /// The player whose equity ranks the moves.
    pub ranker: &'a StaticPlayer,
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

/// How the moves of a turn are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// By equity.
    Equity,
    /// By simulation: by win probability, then by spread.
    Simulation,
    /// By the solved endgame.
    Endgame,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Basis::Equity => "equity",
            Basis::Simulation => "simulation",
            Basis::Endgame => "endgame",
        })
    }
}

/// A move with its values, from the view of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedMove {
    /// The move.
    pub chosen: Move,
    /// Its equity under the ranker.
    pub equity: Equity,
    /// Its value in points: the equity, the simulated change of the spread, or the change of the spread to the end under best play.
    pub points: f64,
    /// The simulated change of the spread, and the win probability.
    pub simulated: Option<[Mean; 2]>,
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

    /// The loss of the move in win probability, 0–1, if it was simulated.
    pub fn win_loss(&self) -> Option<f64> {
        Some(self.moves[0].simulated?[1].mean - self.made().simulated?[1].mean)
    }
}

impl Annotator<'_> {
    /// Annotates the turns of a game.
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
        let mut before = GcgPosition::start(setup);
        let mut turns = Vec::new();
        for (number, after) in replay(game, setup).enumerate() {
            let after = after?;
            if known::is_turn(&game.events[number]) && !monitor.is_stopped() {
                let judgement = known::known_turn(setup, &game.events, number, &before, &after)
                    .and_then(|(game, chosen)| self.judge(&game, &chosen, generator, monitor).ok_or(Unjudged::Impossible));
                turns.push(AnnotatedTurn { event: number, judgement });
                monitor.advance(1);
            }
            before = after;
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
        let (moves, made) = self.best(&turn, &ranked, made);
        let solved = || solved(game, &moves, made, setup);
        let (basis, moves, made) = (turn.bag == 0)
            .then(solved)
            .flatten()
            .or_else(|| self.simulated(game, &moves, made, monitor))
            .unwrap_or_else(|| (Basis::Equity, moves.iter().map(by_equity).collect(), made));
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
        let judged = result.standings.iter().map(|standing| JudgedMove {
            points: standing.gain.mean,
            simulated: Some([standing.gain, standing.win]),
            ..by_equity(&standing.candidate)
        });
        let judged: Vec<JudgedMove> = judged.collect();
        let made = judged.iter().position(|judged| judged.chosen == made)?;
        Some((Basis::Simulation, judged, made))
    }
}

/// The best move by the endgame solver and the move that was made, if the solver finishes. `game` has an empty bag.
fn solved(game: &Game, moves: &[Candidate], made: usize, setup: &Setup) -> Option<(Basis, Vec<JudgedMove>, usize)> {
    let limits = Limits { nodes: Some(ENDGAME_NODES), ..Limits::default() };
    let mut solver = Solver::new(setup);
    let made = by_equity(&moves[made]);
    let best = solver.solve(game, &limits).ok().filter(|solution| solution.is_exact)?;
    let (value, _) = solver.bounds_of(game, &made.chosen, &limits).ok().filter(|(least, most)| least == most)?;
    let made = JudgedMove { points: f64::from(value), ..made };
    if value == best.value {
        return Some((Basis::Endgame, vec![made], 0));
    }
    let found = moves.iter().find(|candidate| is_same(game.board(), &candidate.valued.chosen, &best.best));
    let equity = found.map_or(Equity::from_points(best.best.score()), |candidate| candidate.valued.reported_equity());
    let best = JudgedMove { chosen: best.best, equity, points: f64::from(best.value), simulated: None };
    Some((Basis::Endgame, vec![best, made], 1))
}

/// A move that is compared by equity.
fn by_equity(candidate: &Candidate) -> JudgedMove {
    let equity = candidate.valued.reported_equity();
    JudgedMove { chosen: candidate.valued.chosen, equity, points: equity.points(), simulated: None }
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
