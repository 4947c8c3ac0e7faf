//! `solve`: the best line with an empty bag, or the best move with few tiles in the bag. `solve --cgp-file`: many endgames, with an answer
//! per line.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use cpu_time::{ProcessTime, ThreadTime};
use tilewright_engine::endgame::fast::FastEvaluator;
use tilewright_engine::endgame::{self, Solver};
use tilewright_engine::game::cgp;
use tilewright_engine::input_file::{self, limits};
use tilewright_engine::{Game, Setup};

use super::flags::SolveArguments;
use super::given::Given;
use super::position::{Position, limits_of, read_game};
use crate::flags::{GameFlags, shell_word};
use crate::loading::is_file_name;
use crate::output::JsonLines;
use crate::{Failure, Input, NewFile, output, say};

pub mod answer;
pub mod pre_endgame;

use answer::EndgameAnswer;

pub fn run(arguments: &SolveArguments) -> Result<(), Failure> {
    if arguments.cgp_file.is_some() {
        return run_many(arguments);
    }
    let [html, json] = arguments.files.new_files()?;
    let given = Given::new(arguments.cgp.as_deref(), &arguments.recorded, &arguments.flags.game)?;
    let setup = given.start(&arguments.flags, &arguments.board.tables, arguments.player.as_ref())?;
    let game = read_game(&arguments.board, &given, &setup)?;
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

/// The name that stands for standard input and standard output.
const STANDARD: &str = "-";

/// The answers that are known. Each is written as soon as all before it are.
struct Answers {
    lines: JsonLines,
    /// The number of written answers.
    written: usize,
    /// Later answers, by place.
    waiting: BTreeMap<usize, Result<EndgameAnswer, Failure>>,
    failure: Option<Failure>,
}

impl Answers {
    /// Takes the answer with this place. False if no more are wanted, because one failed.
    fn add(&mut self, place: usize, answer: Result<EndgameAnswer, Failure>) -> bool {
        self.waiting.insert(place, answer);
        while let Some(answer) = self.waiting.remove(&self.written).filter(|_| self.failure.is_none()) {
            self.failure = answer.and_then(|answer| self.lines.add(&answer)).err();
            self.written += 1;
        }
        self.failure.is_none()
    }
}

/// Solves the endgames of a file, each on one thread, and writes the answers as JSON lines in the order of the file. All lines are
/// checked before the first search.
///
/// # Errors
/// [`Failure::Input`] for a line that is no endgame, with the file and the number of the line.
pub fn run_many(arguments: &SolveArguments) -> Result<(), Failure> {
    let file = NewFile::new(arguments.files.json.as_deref().filter(|path| path.as_os_str() != STANDARD))?;
    let (name, text) = read_lines(arguments.cgp_file.as_deref().unwrap_or(Path::new(STANDARD)))?;
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect();
    let Some(&(_, first)) = lines.first() else { return Err(Failure::input(format!("{name}: no positions"))) };
    lines.iter().try_for_each(|&(number, line)| {
        check_names(&arguments.flags.game, line).map_err(|failure| failure.within(&place(&name, number)))
    })?;
    let setup = Given::Cgp(first).start(&arguments.flags, &arguments.board.tables, arguments.player.as_ref());
    let setup = setup.map_err(|failure| failure.within(&place(&name, lines[0].0)))?;
    let read = |&(number, line): &(usize, &str)| {
        let game =
            game_of_line(arguments, &setup, (first, line)).map_err(|failure| failure.within(&place(&name, number)))?;
        Ok((number, game))
    };
    lines.iter().try_for_each(|line| read(line).map(drop))?;
    let answers = Answers { lines: file.begin_lines()?, written: 0, waiting: BTreeMap::new(), failure: None };
    let (answers, next) = (Mutex::new(answers), AtomicUsize::new(0));
    rayon::broadcast(|_| {
        // A thread without a position needs no memory of a solver.
        let mut solver = LazyCell::new(|| Solver::new(&setup));
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(line) = lines.get(place) else { break };
            // A game takes many times the memory of its line, so each is read again when its turn comes.
            let answer = read(line).and_then(|given| answer_of(arguments, &mut solver, &setup, &given));
            if !answers.lock().unwrap_or_else(PoisonError::into_inner).add(place, answer) {
                break;
            }
        }
    });
    if let Some(failure) = answers.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
        return Err(failure);
    }
    if let Some(path) = file.path() {
        say!("{}: {} endgames", path.display(), lines.len());
    }
    Ok(())
}

fn place(name: &str, number: usize) -> String {
    format!("{name}, line {number}")
}

/// Reads a file or standard input, and returns its name too.
fn read_lines(path: &Path) -> Result<(String, String), Failure> {
    let is_standard = path.as_os_str() == STANDARD;
    let name = if is_standard { "standard input".into() } else { path.display().to_string() };
    let most = limits::POSITIONS;
    let read =
        if is_standard { input_file::read_all(std::io::stdin().lock(), most) } else { input_file::read_up_to(path, most) };
    let bytes = read.map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| Failure::input(format!("{}: not UTF-8", place(&name, input_file::line_of(&error)))))?;
    // A byte order mark is no part of the first position.
    let text = text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text);
    Ok((name, text))
}

/// Refuses a position whose opcodes name files. Somebody else may have written it, and only the command line names files to read.
fn check_names(game: &GameFlags, line: &str) -> Result<(), Failure> {
    let opcodes = cgp::opcodes(line).input()?;
    let tileset = opcodes.tile_set().filter(|name| game.tileset.is_none() && is_file_name(name));
    let lexicon = opcodes.lexicon().filter(|name| game.lexicon.is_none() && Path::new(name).is_file());
    for (opcode, flag, name) in [("ld", "--tileset", tileset), ("lex", "--lexicon", lexicon)] {
        if let Some(name) = name {
            let advice = format!("only the command line names files; if this one is right, add {flag} {}", shell_word(name));
            return Err(Failure::input(format!("{opcode} {name}: {advice}")));
        }
    }
    Ok(())
}

/// The endgame of a line, which must be of the same game as the first line.
fn game_of_line(arguments: &SolveArguments, setup: &Setup, (first, line): (&str, &str)) -> Result<Game, Failure> {
    let game_of = |line: &str| Given::Cgp(line).fill_in(&arguments.flags).map(|flags| flags.game.repeated());
    if game_of(line)? != game_of(first)? {
        return Err(Failure::input(format!(
            "the position names another tile set or lexicon than the first ({}); use one file per game",
            setup.tileset.name()
        )));
    }
    let game = read_game(&arguments.board, &Given::Cgp(line), setup)?;
    endgame::check(setup, &game).input()?;
    Ok(game)
}

fn answer_of(
    arguments: &SolveArguments,
    solver: &mut Solver<'_>,
    setup: &Setup,
    (number, game): &(usize, Game),
) -> Result<EndgameAnswer, Failure> {
    let (begun, cpu) = (Instant::now(), ThreadTime::now());
    let (solution, best) = match arguments.best {
        Some(most) => solver.solve_best(game, most).input()?,
        None => (solver.solve(game, &limits_of(arguments)).input()?, Vec::new()),
    };
    let mut answer = EndgameAnswer::from_solution(setup, game, solution, &best).timed(begun.elapsed(), cpu.elapsed());
    answer.number = Some(*number);
    Ok(answer)
}
