//! `bench endgames`: the cost of solving endgames, the points that a time limit loses, and the errors of the fast evaluator and
//! of static play.

use std::time::Duration;

use cpu_time::ThreadTime;
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{Limits, Solution, Solver, stuck_tiles};
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::moves::notation;
use tilewright_engine::{Game, Generator, Monitor, Setup, StaticPlayer};

use super::flags::EndgamesArguments;
use super::measuring::{SelfPlay, Started};
use crate::{Failure, loading, output};

mod costs;

use costs::{EndgameCosts, EndgameMeasurement, LimitedMeasurement};

pub fn run(arguments: &EndgamesArguments) -> Result<(), Failure> {
    let started = Started::new(&arguments.bench)?;
    let Started { json, setup, player, subject, progress, .. } = &started;
    progress.begin("bench", arguments.count, "endgames");
    let mut games = SelfPlay::new(&started);
    let mut bench = Bench {
        setup,
        ranker: loading::ranker(player)?,
        solver: Solver::new(setup),
        fast: FastEvaluator::new(setup),
        arguments,
    };
    let mut measured = Vec::new();
    for _ in 0..arguments.count {
        let (index, game) = games.with_bag(0)?;
        measured.push(bench.measure(index, &game)?);
        progress.advance(1);
    }
    progress.finish();
    let limit = arguments.time.map(|time| 1000.0 * time.as_secs_f64());
    output::show(&EndgameCosts::new(measured, subject.clone(), limit), *json)
}

struct Bench<'a> {
    setup: &'a Setup,
    ranker: &'a StaticPlayer,
    solver: Solver<'a>,
    fast: FastEvaluator<'a>,
    arguments: &'a EndgamesArguments,
}

impl Bench<'_> {
    fn measure(&mut self, index: u64, game: &Game) -> Result<EndgameMeasurement, Failure> {
        let begun = ThreadTime::now();
        let solution = self.solver.solve(game, &self.to_the_end())?;
        let solved = begun.elapsed();
        let estimate = self.fast.evaluate(game)?;
        let estimated = begun.elapsed();
        let played_out = self.play_out(game);
        let times = [solved, estimated.saturating_sub(solved), begun.elapsed().saturating_sub(estimated)];
        let [own, other] = [game.to_move, 1 - game.to_move];
        let stuck = stuck_tiles(self.setup, game)?;
        let tileset = &self.setup.tileset;
        Ok(EndgameMeasurement {
            game: index,
            cgp: CgpPosition::seen_in(game, self.setup).write(tileset),
            solved: solution.is_exact,
            value: solution.value,
            nodes: solution.nodes,
            milliseconds: times.map(milliseconds),
            errors: [estimate.value, played_out].map(|value| f64::from(value - solution.value)),
            turns: estimate.turns,
            stuck: [own, other].map(|player| stuck[player].show(tileset)),
            limited: self.arguments.time.map(|time| self.search_within(time, game, &solution)).transpose()?,
        })
    }

    /// The limits of a search to the end of the game.
    fn to_the_end(&self) -> Limits {
        Limits { nodes: self.arguments.nodes, ..Limits::default() }
    }

    /// Searches for a time, and compares the move with the solution.
    fn search_within(&mut self, time: Duration, game: &Game, solution: &Solution) -> Result<LimitedMeasurement, Failure> {
        let begun = ThreadTime::now();
        let found = self.solver.solve(game, &Limits { time: Some(time), ..Limits::default() })?;
        let elapsed = begun.elapsed();
        let loss = match (solution.is_exact, found.best == solution.best) {
            (false, _) => None,
            (_, true) => Some(0),
            (_, false) => {
                let (low, high) = self.solver.bounds_of(game, &found.best, &self.to_the_end())?;
                (low == high).then_some(solution.value - low)
            }
        };
        Ok(LimitedMeasurement {
            chosen: notation::show(&found.best, game.board(), &self.setup.tileset),
            solved: found.is_exact,
            value: found.value,
            bounds: found.bounds,
            loss,
            milliseconds: milliseconds(elapsed),
        })
    }

    /// The change of the spread, in points, if both sides play the static move to the end.
    fn play_out(&self, game: &Game) -> i32 {
        let mut generator = Generator::new(self.setup);
        let (mover, before) = (game.to_move, game.spread());
        let mut game = game.clone();
        while !game.is_over() {
            let chosen = self.ranker.choose(&mut generator, &game.turn(self.setup));
            game.make(self.setup, &chosen.chosen);
        }
        game.scores[mover] - game.scores[1 - mover] - before
    }
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}
