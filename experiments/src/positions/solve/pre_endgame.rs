//! `solve` with tiles in the bag: the candidates and their win probabilities.

use std::fmt;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::Serialize;
use tilewright_engine::moves::notation;
use tilewright_engine::pre_endgame::{Candidate, Certainty, MAX_EXACT_BAG, PreEndgame, Settings};
use tilewright_engine::{Game, Setup};

use crate::positions::flags::SolveArguments;
use crate::positions::position::Position;
use crate::report::html::{grouped, signed};
use crate::{Failure, Input, NewFile, loading, output};

/// How both sides are assumed to play if draws are searched.
const SEARCHED: &str = "while there are tiles in the bag after the move, both sides are assumed to play statically; with an empty bag both \
                        know both racks and play best, as far as endgames are searched";
/// How both sides are assumed to play if draws are too many.
const SIMULATED: &str = "both sides are assumed to play statically until the bag is empty, and the rest is estimated";

/// The answer, printed and written as JSON. Win probabilities are 0–1 and spreads in points, from the view of the player to
/// move.
#[derive(schemars::JsonSchema, Serialize)]
pub struct PreEndgameAnswer {
    rack: String,
    bag: usize,
    /// The tiles on the opponent's rack and in the bag.
    unseen: String,
    player: String,
    lexicon: String,
    tileset: String,
    /// Before the move.
    spread: i32,
    legal_moves: usize,
    /// Distinct splits of the unseen tiles into bag and opponent's rack, or deals that were drawn.
    splits: usize,
    /// How both sides are assumed to play while there are tiles in the bag, and after that.
    opponent_model: &'static str,
    endgames: u64,
    nodes: u64,
    seconds: f64,
    /// CPU time of all threads in milliseconds.
    cpu_ms: f64,
    /// The best first.
    candidates: Vec<Row>,
    #[serde(skip)]
    top: usize,
}

#[derive(schemars::JsonSchema, Serialize)]
struct Row {
    #[serde(rename = "move")]
    chosen: String,
    score: i32,
    leave: String,
    /// The rank by static equity, from 1.
    static_rank: usize,
    win_probability: f64,
    /// The proved bounds of the win probability. Null if replies are assumed or only some draws were tried.
    win_bounds: Option<(f64, f64)>,
    /// The mean spread at the end of the game.
    final_spread: f64,
    spread_exact: bool,
    certainty: &'static str,
    /// The distinct endgames to which it can lead.
    endgames: usize,
    /// The number of endgames whose winner is known.
    decided: usize,
    /// The share of the draws, 0–1, whose winner is certain if both players reply as assumed.
    certain: f64,
    /// The share of the draws, 0–1, whose winner is proved. 0 if replies are assumed.
    proved: f64,
    /// Whether another candidate is certainly better.
    beaten: bool,
}

pub fn run(
    arguments: &SolveArguments,
    setup: &Setup,
    game: &Game,
    html: NewFile<'_>,
    json: NewFile<'_>,
) -> Result<(), Failure> {
    if arguments.fast || arguments.first_win || arguments.best.is_some() {
        return Err(Failure::input(
            "--fast, --first-win and --best need an empty bag; with tiles in the bag, limit the search with --nodes or --time",
        ));
    }
    let flags = arguments.flags.game.with_tables(&arguments.board.tables);
    let player = loading::player_or_default(arguments.player.as_ref(), setup, &flags)?;
    let settings = Settings::for_bag(game.bag.len());
    // A time alone limits the search, as with an empty bag.
    let nodes = if arguments.time.is_some() { arguments.nodes } else { arguments.nodes.or(settings.nodes) };
    let settings = Settings { nodes, time: arguments.time, ..settings };
    let pre_endgame = PreEndgame::new(setup, loading::ranker(&player)?.clone()).with_settings(settings);
    let (begun, cpu) = (Instant::now(), ProcessTime::now());
    let analysis = pre_endgame.with_threads(rayon::current_num_threads()).solve(game).input()?;
    let (seconds, cpu_ms) = (begun.elapsed().as_secs_f64(), 1000.0 * cpu.elapsed().as_secs_f64());
    if analysis.candidates.is_empty() {
        return Err(Failure::input("--time is too short to try even one move on all draws; raise it"));
    }
    let answer = PreEndgameAnswer {
        rack: game.rack().show(&setup.tileset),
        bag: game.bag.len(),
        unseen: game.unseen().show(&setup.tileset),
        player: player.name,
        lexicon: setup.lexicon.name.clone(),
        tileset: setup.tileset.name().into(),
        spread: game.spread(),
        legal_moves: analysis.legal_moves,
        splits: analysis.draws,
        opponent_model: if game.bag.len() > MAX_EXACT_BAG { SIMULATED } else { SEARCHED },
        endgames: analysis.endgames,
        nodes: analysis.nodes,
        seconds,
        cpu_ms,
        candidates: analysis.candidates.iter().map(|candidate| row(candidate, setup, game)).collect(),
        top: arguments.top as usize,
    };
    output::show_and_page(&answer, json, html, || page(&answer, &analysis.candidates, setup, game))
}

fn page(answer: &PreEndgameAnswer, candidates: &[Candidate], setup: &Setup, game: &Game) -> Result<String, Failure> {
    let cells = |row: &Row| {
        let bounds = |(low, high): (f64, f64)| format!("{:.2} to {:.2}", 100.0 * low, 100.0 * high);
        vec![
            row.chosen.clone(),
            row.score.to_string(),
            row.leave.clone(),
            row.static_rank.to_string(),
            format!("{:.2}", 100.0 * row.win_probability),
            row.win_bounds.map_or(String::new(), bounds),
            signed(row.final_spread, 2),
            row.certainty.to_string(),
        ]
    };
    let rows = candidates.iter().zip(&answer.candidates).take(answer.top);
    let how = format!(
        "The pre-endgame with {} in the bag, solved over {} {} of the unseen tiles; candidates by {}. The bounds of the win \
             chance are proved. A candidate after which replies are assumed has none: {}.",
        answer.bag,
        grouped(answer.splits as u64),
        if answer.bag > MAX_EXACT_BAG { "random deals" } else { "splits" },
        answer.player,
        answer.opponent_model
    );
    let heads = &["move", "#score", "leave", "#static place", "#win %", "bounds", "#final spread", "certainty"];
    let rows = rows.map(|(candidate, row)| (candidate.chosen, cells(row)));
    Position::of_game(game).page_of_moves(setup, "solve", &how, heads, rows)
}

fn row(candidate: &Candidate, setup: &Setup, game: &Game) -> Row {
    Row {
        chosen: notation::show(&candidate.chosen, game.board(), &setup.tileset),
        score: candidate.chosen.score(),
        leave: candidate.leave.show(&setup.tileset),
        static_rank: candidate.static_place + 1,
        win_probability: candidate.win_probability,
        win_bounds: candidate.win_bounds,
        final_spread: candidate.spread,
        spread_exact: candidate.is_spread_calculated,
        certainty: match candidate.certainty {
            Certainty::Exact => "exact",
            Certainty::GuessedReplies => "guessed replies",
            Certainty::Partial => "partial",
            Certainty::Simulated => "simulated",
            Certainty::Estimate => "estimate",
        },
        endgames: candidate.endgames,
        decided: candidate.decided,
        certain: candidate.certain,
        proved: candidate.proved,
        beaten: candidate.is_beaten,
    }
}

impl fmt::Display for PreEndgameAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PreEndgameAnswer {
            rack, bag, unseen, spread, legal_moves, splits, endgames, nodes, seconds, candidates, ..
        } = self;
        writeln!(f, "{rack}, {bag} of the unseen tiles {unseen} in the bag, spread {spread:+}")?;
        let rows = &candidates[..candidates.len().min(self.top)];
        let moves = output::width(6, rows.iter().map(|row| &row.chosen));
        let leaves = output::width(6, rows.iter().map(|row| &row.leave));
        writeln!(f, "  # {:<moves$} score  {:<leaves$}   win %   spread  decided", "move", "leave")?;
        for (number, row) in (1..).zip(rows) {
            let Row { chosen, score, leave, win_probability, final_spread, endgames, decided, certainty, .. } = row;
            let (win, about) = (100.0 * win_probability, if row.spread_exact { ' ' } else { '~' });
            let beaten = if row.beaten { ", beaten" } else { "" };
            let decided = format!("{decided}/{endgames}");
            writeln!(
                f,
                "{number:>3} {chosen:<moves$} {score:>5}  {leave:<leaves$} {win:>7.2} {about}{final_spread:>+7.1} {decided:>8}  \
                 {certainty}{beaten}",
            )?;
        }
        let draws = if *bag > MAX_EXACT_BAG { "deals, drawn at random" } else { "splits of the unseen tiles" };
        writeln!(f, "{} of {legal_moves} moves tried on {splits} {draws}", candidates.len())?;
        if let Some(best) = rows.first() {
            let (certain, chosen) = (100.0 * best.certain, &best.chosen);
            let (how, condition) =
                if best.win_bounds.is_some() { ("proved", "") } else { ("certain", ", if the opponent replies as assumed") };
            writeln!(f, "the winner is {how} in {certain:.1} % of the draws after {chosen}{condition}")?;
        }
        writeln!(f, "{endgames} endgames searched, {nodes} positions, {seconds:.3} s")?;
        write!(f, "{}", self.opponent_model)
    }
}
