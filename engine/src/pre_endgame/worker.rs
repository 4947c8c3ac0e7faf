//! The work of a thread: following lines until the bag is empty, and evaluating the endgames.

use super::race_candidate::{Effort, Line, SearchResult, probability_after_static_play, to_win_units};
use super::settings::Deadline;
use super::splits::Draw;
use crate::endgame::fast::FastEvaluator;
use crate::endgame::{Limits, Solver, SolverMemory};
use crate::game::Game;
use crate::movegen::Generator;
use crate::moves::Move;
use crate::rng::stream;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

/// A bound above any final spread, in points.
const MAX_SPREAD: i32 = 1 << 24;

/// The tools of a thread. The result of a job depends on the job only.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    setup: &'a Setup,
    generator: Generator<'a>,
    solver: Solver<'a>,
    fast: FastEvaluator<'a>,
}

/// The root position and the player who follows its lines.
#[derive(Clone, Copy)]
pub(super) struct Root<'s> {
    /// The position before the candidate. Each line deals the unseen tiles.
    pub game: &'s Game,
    /// The player who chooses the moves until the bag is empty.
    pub static_player: &'s StaticPlayer,
    /// The end of the search.
    pub deadline: Deadline<'s>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(setup: &'a Setup, memory: SolverMemory) -> Worker<'a> {
        let solver = Solver::with_memory(setup, memory);
        Worker { setup, generator: Generator::new(setup), solver, fast: FastEvaluator::new(setup) }
    }

    pub(super) fn into_memory(self) -> SolverMemory {
        self.solver.into_memory()
    }

    /// Returns all lines of a candidate on a draw, with their estimates.
    pub(super) fn lines(&mut self, root: Root<'_>, draw: &Draw, chosen: &Move) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let (orders, ways) = draw.orders();
        let all = ways * orders.len() as u64;
        for bag in orders {
            let (mut line, game) = self.follow(root, bag, chosen);
            if line.replies.is_empty() {
                // The candidate draws the whole bag, so the order does not matter.
                line.ways = all;
                self.estimate_statically(&mut line, game, root);
                return vec![line];
            }
            line.ways = ways;
            if let Some(same) = lines.iter_mut().find(|same| same.is_same(&line)) {
                same.ways += ways;
            } else {
                self.estimate_statically(&mut line, game, root);
                lines.push(line);
            }
        }
        lines
    }

    /// Makes the candidate, then static moves until the bag is empty or the game is over.
    fn follow(&mut self, root: Root<'_>, bag: Vec<u8>, chosen: &Move) -> (Line, Game) {
        let mut game = with_bag(root.game, &bag);
        game.make(self.setup, chosen);
        let mut replies = Vec::new();
        while !game.bag.is_empty() && !game.is_over() {
            let reply = root.static_player.choose(&mut self.generator, &game.turn(self.setup)).chosen;
            game.make(self.setup, &reply);
            replies.push(reply);
        }
        let racks = game.racks;
        let line = Line {
            bag,
            replies,
            ways: 0,
            estimated_spread: 0,
            estimated_wins: 0,
            bounds: (-MAX_SPREAD, MAX_SPREAD),
            effort: Effort::Guessed,
            racks,
        };
        (line, game)
    }

    /// Estimates a line by static play to the end. The result is exact if the game is over.
    fn estimate_statically(&mut self, line: &mut Line, mut game: Game, root: Root<'_>) {
        let player = root.game.to_move;
        let is_over = game.is_over();
        while !game.is_over() {
            let chosen = root.static_player.choose(&mut self.generator, &game.turn(self.setup)).chosen;
            game.make(self.setup, &chosen);
        }
        line.estimated_spread = game.scores[player] - game.scores[1 - player];
        line.estimated_wins = probability_after_static_play(line.estimated_spread);
        if is_over {
            line.bounds = (line.estimated_spread, line.estimated_spread);
        }
    }

    /// Returns the line with the estimate of the fast evaluator in place of static play.
    pub(super) fn estimate(&mut self, root: Root<'_>, chosen: &Move, line: &Line) -> Line {
        let mut line = line.clone();
        let game = self.endgame(root, chosen, &line);
        // An error means that the game is over, so the line is exact already.
        if let Ok(estimate) = self.fast.evaluate(&game) {
            let spread = game.spread() + estimate.value;
            let is_mine = game.to_move == root.game.to_move;
            let probability = estimate.win_probability;
            (line.estimated_spread, line.estimated_wins) =
                if is_mine { (spread, to_win_units(probability)) } else { (-spread, to_win_units(1.0 - probability)) };
        }
        line.effort = Effort::Estimated;
        line
    }

    /// Returns the position to which a line leads.
    fn endgame(&self, root: Root<'_>, chosen: &Move, line: &Line) -> Game {
        let mut game = with_bag(root.game, &line.bag);
        for made in std::iter::once(chosen).chain(&line.replies) {
            game.make(self.setup, made);
        }
        game
    }

    pub(super) fn search(
        &mut self,
        root: Root<'_>,
        chosen: &Move,
        line: &Line,
        effort: Effort,
        nodes: Option<u64>,
    ) -> SearchResult {
        let game = self.endgame(root, chosen, line);
        let player = root.game.to_move;
        let now = game.scores[player] - game.scores[1 - player];
        let limits = Limits { nodes, time: root.deadline.left(), first_win: effort == Effort::Decided };
        match self.solver.solve(&game, &limits) {
            Ok(solution) => {
                let (low, high) = solution.bounds;
                let bounds = if game.to_move == player { (now + low, now + high) } else { (now - high, now - low) };
                SearchResult { bounds, nodes: solution.nodes }
            }
            // An error means that the game is over, so the bounds are exact already.
            Err(_) => SearchResult { bounds: (-MAX_SPREAD, MAX_SPREAD), nodes: 0 },
        }
    }
}

/// Returns the game with this bag, and all other unseen tiles on the opponent's rack.
fn with_bag(game: &Game, bag: &[u8]) -> Game {
    let mut game = game.clone();
    game.deal_bag(bag.to_vec(), stream(0, "pre-endgame", 0));
    game
}
