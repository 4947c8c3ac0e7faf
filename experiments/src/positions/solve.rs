//! `solve`: the best line with an empty bag, or the best move with few tiles in the bag.

use std::time::Instant;

use cpu_time::ProcessTime;
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{self, Solver};

use super::flags::SolveArguments;
use super::position::{Position, limits_of, read_game, start};
use crate::{Failure, Input, output};

mod answer;
mod pre_endgame;
mod many;

use answer::EndgameAnswer;

pub fn run(arguments: &SolveArguments) -> Result<(), Failure> {
    let Some(cgp) = &arguments.cgp else { return many::run(arguments) };
    let [html, json] = arguments.files.new_files()?;
    let setup = start(&arguments.flags, Some(cgp))?;
    let game = read_game(&arguments.board, cgp, &setup)?;
    if !game.bag.is_empty() {
        return pre_endgame::run(arguments, &setup, &game, html, json);
    }
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let answer = if arguments.fast {
        EndgameAnswer::from_estimate(&setup, &game, &FastEvaluator::new(&setup).evaluate(&game).input()?)
    } else {
        let (solution, best) = match arguments.best {
            Some(most) => Solver::new(&setup).solve_best(&game, most).input()?,
            None => (endgame::solve(&setup, &game, &limits_of(arguments)).input()?, Vec::new()),
        };
        EndgameAnswer::from_solution(&setup, &game, solution, &best)
    };
    let answer = answer.timed(begun.elapsed(), cpu.elapsed());
    let page = || Position::page_of_line(&game, &setup, &answer.moves, &answer.in_words());
    output::show_and_page(&answer, json, html, page)
}
