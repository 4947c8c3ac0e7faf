//! `solve`: the best line with an empty bag, or the best move with few tiles in the bag.

use std::time::Instant;

use cpu_time::ProcessTime;
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{self, Limits, Solver};
use tilewright_engine::game::Game;
use tilewright_engine::setup::Setup;

use super::flags::SolveArguments;
use super::position::{Position, start};
use crate::failure::{Failure, Input};
use crate::output;

mod given;
mod answer;
mod pre_endgame;
mod many;

use answer::EndgameResult;
use given::read_game;

pub fn run(arguments: &SolveArguments) -> Result<(), Failure> {
    let Some(cgp) = &arguments.cgp else { return many::run(arguments) };
    let [html, json] = arguments.files.new_files()?;
    let setup = start(&arguments.flags, Some(cgp))?;
    let game = read_game(cgp, arguments.rack.as_deref(), arguments.any_board, &setup)?;
    if !game.bag.is_empty() {
        return pre_endgame::run(arguments, &setup, &game, html, json);
    }
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let result = solve(arguments, &setup, &game)?;
    let answer = result.answer(&setup, &game, begun.elapsed(), cpu.elapsed());
    let page = || Position::page_of_line(&game, &setup, &result.line, &answer.in_words());
    output::show_and_page(&answer, json, html, page)
}

fn solve(arguments: &SolveArguments, setup: &Setup, game: &Game) -> Result<EndgameResult, Failure> {
    if arguments.fast {
        return Ok(EndgameResult::from_estimate(FastEvaluator::new(setup).evaluate(game).input()?));
    }
    if let Some(most) = arguments.best {
        let (solution, best) = Solver::new(setup).solve_best(game, most).input()?;
        return Ok(EndgameResult::from_solution(solution, best));
    }
    let limits = Limits { nodes: arguments.nodes, time: arguments.time, first_win: arguments.first_win };
    Ok(EndgameResult::from_solution(endgame::solve(setup, game, &limits).input()?, Vec::new()))
}
