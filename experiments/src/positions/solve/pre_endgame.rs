//! `solve` with tiles in the bag: the candidates and how often they win.

use std::time::Instant;

use serde::Serialize;
use tilewright_engine::artefact::write_atomically;
use tilewright_engine::game::Game;
use tilewright_engine::moves::notation;
use tilewright_engine::player::Player;
use tilewright_engine::pre_endgame::{Analysis, Candidate, Certainty, PreEndgame, Settings};
use tilewright_engine::setup::Setup;

use crate::failure::{Failure, Input};
use crate::loading;
use crate::output::say;
use crate::positions::flags::SolveArguments;

/// The answer as JSON: chances 0–1, points, all from the view of the player to move.
#[derive(Serialize)]
struct PreEndgameJson {
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
    candidates: Vec<CandidateJson>,
}

#[derive(Serialize)]
struct CandidateJson {
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

pub fn run(arguments: &SolveArguments, setup: &Setup, game: &Game) -> Result<(), Failure> {
    if arguments.fast || arguments.first_win || arguments.time.is_some() {
        return Err(Failure::input(
            "--fast, --first-win and --time are for an empty bag; with tiles in the bag, --nodes sets a limit",
        ));
    }
    let name = arguments.player.as_deref().unwrap_or(Player::default_name(setup));
    let player = loading::player(name, setup, &arguments.game)?;
    let settings = Settings::for_bag(game.bag.len());
    let settings = Settings { nodes: arguments.nodes.or(settings.nodes), ..settings };
    let pre_endgame = PreEndgame::new(setup, player.static_player().clone()).with_settings(settings);
    let begun = Instant::now();
    let analysis = pre_endgame.on_threads(rayon::current_num_threads()).solve(game).input()?;
    let seconds = begun.elapsed().as_secs_f64();
    print(setup, game, &analysis, seconds, arguments.top as usize);
    if let Some(path) = &arguments.json {
        let json = PreEndgameJson {
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
        };
        write_atomically(path, (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
    }
    Ok(())
}

fn row(candidate: &Candidate, setup: &Setup, game: &Game) -> CandidateJson {
    CandidateJson {
        chosen: notation::show(&candidate.chosen, &game.board, &setup.tileset),
        score: candidate.chosen.score(),
        leave: candidate.leave.show(&setup.tileset),
        static_rank: candidate.static_place + 1,
        win_chance: candidate.win_chance,
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

fn print(setup: &Setup, game: &Game, analysis: &Analysis, seconds: f64, top: usize) {
    let (rack, unseen) = (game.rack().show(&setup.tileset), game.unseen().show(&setup.tileset));
    say!("{rack}, {} in the bag of {unseen} unseen, spread {:+}", game.bag.len(), game.spread());
    let rows: Vec<CandidateJson> =
        analysis.candidates.iter().take(top).map(|candidate| row(candidate, setup, game)).collect();
    let width = |longest: Option<usize>| longest.unwrap_or(0).max(6);
    let moves = width(rows.iter().map(|row| row.chosen.chars().count()).max());
    let leaves = width(rows.iter().map(|row| row.leave.chars().count()).max());
    say!("  # {:<moves$} score  {:<leaves$}   win %   spread  decided", "move", "leave");
    for (number, row) in (1..).zip(&rows) {
        let CandidateJson { chosen, score, leave, win_chance, final_spread, endgames, decided, .. } = row;
        let (win, about) = (100.0 * win_chance, if row.spread_exact { ' ' } else { '~' });
        let beaten = if row.beaten { ", beaten" } else { "" };
        let decided = format!("{decided}/{endgames}");
        say!(
            "{number:>3} {chosen:<moves$} {score:>5}  {leave:<leaves$} {win:>7.2} {about}{final_spread:>+7.1} {decided:>8}  {}{beaten}",
            row.certainty
        );
    }
    let Analysis { candidates, splits, legal_moves, endgames, nodes, .. } = analysis;
    say!("{} of {legal_moves} moves tried on {splits} splits of the unseen tiles", candidates.len());
    say!("{endgames} endgames searched, {nodes} positions, {seconds:.3} s");
    if rows.iter().any(|row| row.certainty == "guessed replies") {
        say!("guessed replies: tiles stay in the bag, and until it is empty both sides are taken to play the static move");
    }
}
