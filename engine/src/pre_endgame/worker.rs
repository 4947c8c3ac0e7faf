//! One thread's work: following lines to the empty bag, and judging what is there.

use super::contender::{Effort, Found, Line, in_parts, played_out_chance};
use super::splits::{Split, factorial, orders};
use crate::endgame::fast::FastEvaluator;
use crate::endgame::{Limits, Solver, SolverMemory};
use crate::game::Game;
use crate::movegen::Generator;
use crate::moves::Move;
use crate::rng::stream;
use crate::setup::Setup;
use crate::static_player::StaticPlayer;

/// Beyond any final spread, in points.
const ANY: i32 = 1 << 24;

/// What a thread works with; each job's result depends on the job alone.
#[derive(Debug)]
pub(super) struct Worker<'a> {
    setup: &'a Setup,
    generator: Generator<'a>,
    solver: Solver<'a>,
    fast: FastEvaluator<'a>,
}

/// How lines of a position are followed.
#[derive(Clone, Copy)]
pub(super) struct Scene<'s> {
    /// The position before the candidate; what cannot be seen is dealt by the lines.
    pub game: &'s Game,
    /// Who moves until the bag is empty.
    pub static_player: &'s StaticPlayer,
}

impl<'a> Worker<'a> {
    pub(super) fn new(setup: &'a Setup, memory: SolverMemory) -> Worker<'a> {
        let solver = Solver::with_memory(setup, memory);
        Worker { setup, generator: Generator::new(setup), solver, fast: FastEvaluator::new(setup) }
    }

    pub(super) fn into_memory(self) -> SolverMemory {
        self.solver.into_memory()
    }

    /// All lines of a candidate on a split, with their estimates.
    pub(super) fn lines(&mut self, scene: Scene<'_>, split: &Split, chosen: &Move) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let all = split.ways * factorial(split.bag.size());
        let orders = orders(&split.bag);
        let ways = all / orders.len() as u64;
        for bag in orders {
            let (mut line, game) = self.follow(scene, bag, chosen);
            if line.replies.is_empty() {
                // Whoever draws all of the bag at once draws it in any order.
                line.ways = all;
                self.guess(&mut line, game, scene);
                return vec![line];
            }
            line.ways = ways;
            if let Some(same) = lines.iter_mut().find(|same| same.is_same(&line)) {
                same.ways += ways;
            } else {
                self.guess(&mut line, game, scene);
                lines.push(line);
            }
        }
        lines
    }

    /// The candidate, then static play until the bag is empty or the game over.
    fn follow(&mut self, scene: Scene<'_>, bag: Vec<u8>, chosen: &Move) -> (Line, Game) {
        let mut game = dealt(scene.game, &bag);
        game.make(self.setup, chosen);
        let mut replies = Vec::new();
        while !game.bag.is_empty() && !game.is_over() {
            let reply = scene.static_player.choose(&mut self.generator, &game.turn(self.setup)).chosen;
            game.make(self.setup, &reply);
            replies.push(reply);
        }
        let racks = game.racks;
        let line = Line { bag, replies, ways: 0, guess: 0, likely: 0, bounds: (-ANY, ANY), effort: Effort::Guessed, racks };
        (line, game)
    }

    /// Estimates a line by static play of both to the end; exact where the game is over.
    fn guess(&mut self, line: &mut Line, mut game: Game, scene: Scene<'_>) {
        let player = scene.game.to_move;
        let is_over = game.is_over();
        while !game.is_over() {
            let chosen = scene.static_player.choose(&mut self.generator, &game.turn(self.setup)).chosen;
            game.make(self.setup, &chosen);
        }
        line.guess = game.scores[player] - game.scores[1 - player];
        line.likely = played_out_chance(line.guess);
        if is_over {
            line.bounds = (line.guess, line.guess);
        }
    }

    /// The line with the estimate of the fast evaluator in place of static play.
    pub(super) fn estimated(&mut self, scene: Scene<'_>, chosen: &Move, line: &Line) -> Line {
        let mut line = line.clone();
        let game = self.endgame(scene, chosen, &line);
        // Where the game is over, all is known.
        if let Ok(estimate) = self.fast.evaluate(&game) {
            let spread = game.spread() + estimate.value;
            let is_mine = game.to_move == scene.game.to_move;
            let chance = estimate.win_probability;
            (line.guess, line.likely) = if is_mine { (spread, in_parts(chance)) } else { (-spread, in_parts(1.0 - chance)) };
        }
        line.effort = Effort::Estimated;
        line
    }

    /// The position that a line leads to.
    fn endgame(&self, scene: Scene<'_>, chosen: &Move, line: &Line) -> Game {
        let mut game = dealt(scene.game, &line.bag);
        for made in std::iter::once(chosen).chain(&line.replies) {
            game.make(self.setup, made);
        }
        game
    }

    /// Searches the endgame of a line.
    pub(super) fn search(
        &mut self,
        scene: Scene<'_>,
        chosen: &Move,
        line: &Line,
        effort: Effort,
        nodes: Option<u64>,
    ) -> Found {
        let game = self.endgame(scene, chosen, line);
        let player = scene.game.to_move;
        let now = game.scores[player] - game.scores[1 - player];
        let limits = Limits { nodes, time: None, first_win: effort == Effort::Decided };
        match self.solver.solve(&game, &limits) {
            Ok(solution) => {
                let (low, high) = solution.bounds;
                let bounds = if game.to_move == player { (now + low, now + high) } else { (now - high, now - low) };
                Found { bounds, nodes: solution.nodes }
            }
            // Where the game is over, all is known.
            Err(_) => Found { bounds: (-ANY, ANY), nodes: 0 },
        }
    }
}

/// The game with the bag dealt so.
fn dealt(game: &Game, bag: &[u8]) -> Game {
    let mut game = game.clone();
    game.deal_bag(bag.to_vec(), stream(0, "pre-endgame", 0));
    game
}
