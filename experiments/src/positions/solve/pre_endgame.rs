//! `solve` with tiles in the bag: the candidates and how often they win.

use std::fmt;
use std::time::Instant;

use serde::Serialize;
use tilewright_engine::game::Game;
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::pre_endgame::{Candidate, Certainty, PreEndgame, Settings};
use tilewright_engine::setup::Setup;

use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::{self, NewFile};
use crate::positions::flags::SolveArguments;

/// The answer, printed and written as JSON. Chances are 0–1 and values in points, from the view of the player to move.
#[derive(Serialize)]
struct PreEndgameAnswer {
    rack: String,
    bag: usize,
    /// On the other rack or in the bag.
    unseen: String,
    player: String,
    lexicon: String,
    tileset: String,
    /// Before the move.
    spread: i32,
    legal_moves: usize,
    /// Ways to part the unseen tiles, as many as can be told apart.
    splits: usize,
    /// Searched, and positions searched for them.
    endgames: u64,
    nodes: u64,
    seconds: f64,
    /// The best first.
    candidates: Vec<Row>,
    /// Candidates that are printed.
    #[serde(skip)]
    top: usize,
}

/// A candidate with its values.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    chosen: String,
    score: i32,
    leave: String,
    /// From 1.
    static_rank: usize,
    win_chance: f64,
    /// The chance is certainly between these, where the replies are what they are taken to be.
    win_bounds: (f64, f64),
    /// Mean at the end of the game.
    final_spread: f64,
    spread_exact: bool,
    certainty: &'static str,
    /// That it leads to, and how many of them are decided.
    endgames: usize,
    decided: usize,
    /// Whether another candidate certainly wins more often.
    beaten: bool,
}

/// Calculates the pre-endgame, prints the answer and writes it to `json`.
///
/// # Errors
/// [`Failure::Input`] for flags of an empty bag, and for a player that cannot be loaded.
pub fn run(arguments: &SolveArguments, setup: &Setup, game: &Game, json: NewFile<'_>) -> Result<(), Failure> {
    if arguments.fast || arguments.first_win || arguments.time.is_some() {
        return Err(Failure::input(
            "--fast, --first-win and --time are for an empty bag; with tiles in the bag, --nodes sets a limit",
        ));
    }
    let name = arguments.player.as_deref().unwrap_or(Player::default_name(setup));
    let player = loading::player(name, setup, &arguments.flags.game)?;
    let settings = Settings::for_bag(game.bag.len());
    let settings = Settings { nodes: arguments.nodes.or(settings.nodes), ..settings };
    let pre_endgame = PreEndgame::new(setup, loading::ranker(&player)?.clone()).with_settings(settings);
    let begun = Instant::now();
    let analysis = pre_endgame.with_threads(rayon::current_num_threads()).solve(game).input()?;
    let seconds = begun.elapsed().as_secs_f64();
    let answer = PreEndgameAnswer {
        rack: game.rack().show(&setup.tileset),
        bag: game.bag.len(),
        unseen: game.unseen().show(&setup.tileset),
        player: player.name,
        lexicon: setup.lexicon.name.clone(),
        tileset: setup.tileset.name().into(),
        spread: game.spread(),
        legal_moves: analysis.legal_moves,
        splits: analysis.splits,
        endgames: analysis.endgames,
        nodes: analysis.nodes,
        seconds,
        candidates: analysis.candidates.iter().map(|candidate| row(candidate, setup, game)).collect(),
        top: arguments.top as usize,
    };
    output::show(&answer, json)
}

fn row(candidate: &Candidate, setup: &Setup, game: &Game) -> Row {
    Row {
        chosen: notation::show(&candidate.chosen, &game.board, &setup.tileset),
        score: candidate.chosen.score(),
        leave: candidate.leave.show(&setup.tileset),
        static_rank: candidate.static_place + 1,
        win_chance: candidate.win_probability,
        win_bounds: candidate.win_bounds,
        final_spread: candidate.spread,
        spread_exact: candidate.is_spread_calculated,
        certainty: match candidate.certainty {
            Certainty::Exact => "exact",
            Certainty::GuessedReplies => "guessed replies",
            Certainty::Partial => "partial",
            Certainty::Estimate => "estimate",
        },
        endgames: candidate.endgames,
        decided: candidate.decided,
        beaten: candidate.is_beaten,
    }
}

impl fmt::Display for PreEndgameAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PreEndgameAnswer {
            rack, bag, unseen, spread, legal_moves, splits, endgames, nodes, seconds, candidates, ..
        } = self;
        writeln!(f, "{rack}, {bag} in the bag of {unseen} unseen, spread {spread:+}")?;
        let rows = &candidates[..candidates.len().min(self.top)];
        let width = |longest: Option<usize>| longest.unwrap_or(0).max(6);
        let moves = width(rows.iter().map(|row| row.chosen.chars().count()).max());
        let leaves = width(rows.iter().map(|row| row.leave.chars().count()).max());
        writeln!(f, "  # {:<moves$} score  {:<leaves$}   win %   spread  decided", "move", "leave")?;
        for (number, row) in (1..).zip(rows) {
            let Row { chosen, score, leave, win_chance, final_spread, endgames, decided, certainty, .. } = row;
            let (win, about) = (100.0 * win_chance, if row.spread_exact { ' ' } else { '~' });
            let beaten = if row.beaten { ", beaten" } else { "" };
            let decided = format!("{decided}/{endgames}");
            writeln!(
                f,
                "{number:>3} {chosen:<moves$} {score:>5}  {leave:<leaves$} {win:>7.2} {about}{final_spread:>+7.1} {decided:>8}  \
                 {certainty}{beaten}",
            )?;
        }
        writeln!(f, "{} of {legal_moves} moves tried on {splits} splits of the unseen tiles", candidates.len())?;
        write!(f, "{endgames} endgames searched, {nodes} positions, {seconds:.3} s")?;
        if rows.iter().any(|row| row.certainty == "guessed replies") {
            write!(
                f,
                "\nguessed replies: tiles stay in the bag, and until it is empty both sides are taken to play the static move"
            )?;
        }
        Ok(())
    }
}
