//! The page of recorded games: a viewer that replays them, the players, and all turns.

use tilewright_engine::annotation::AnnotatedTurn;

use super::files::Loaded;
use super::result::{PlayerSummary, RecordedGames, ShownGame, ShownTurn};
use super::steps;
use crate::failure::Failure;
use crate::report::html::{Section, escape, key_figure, signed, sortable_table};
use crate::report::page::{Page, page_header};
use crate::report::viewer::{SCRIPT, Viewer};

/// The page as HTML.
///
/// # Errors
/// Never for games that replay.
pub fn write(loaded: &Loaded, games: &RecordedGames, annotated: &[Vec<AnnotatedTurn>]) -> Result<String, Failure> {
    let viewed = loaded.games.iter().zip(&games.games).enumerate().map(|(number, (file, shown))| {
        let turns = annotated.get(number).map_or(&[][..], Vec::as_slice);
        steps::viewed(file, shown, turns, &loaded.setup)
    });
    let viewer = Viewer { games: viewed.collect() };
    let title = match &games.games[..] {
        [game] => game.title.clone(),
        all => format!("{} games", all.len()),
    };
    let keys = "The arrow keys go from turn to turn, Home and End to the first and the last. A move of the table, once chosen, is shown on \
                the board.";
    let replay = Section {
        id: "games",
        link: "Replay",
        title: "Turn by turn".into(),
        lead: keys.into(),
        body: viewer.show(&loaded.setup.layout),
    };
    let page = Page {
        title: title.clone(),
        header: header(&title, games),
        sections: vec![replay, players(games), turns(games)],
        footer: footer(games),
        script: Some((viewer.data()?, SCRIPT)),
    };
    Ok(page.write())
}

fn header(title: &str, games: &RecordedGames) -> String {
    let facts = [format!("lexicon {}", games.lexicon), format!("{} tile set", games.tileset)];
    let mut figures = String::new();
    for player in games.players.iter().take(4) {
        let mean = player.points as f64 / player.games.max(1) as f64;
        let lost =
            if player.judged > 0 { format!("{} points per turn", signed(-player.mean_loss(), 2)) } else { String::new() };
        figures += &key_figure(&format!("points per game of {}", escape(&player.player)), &format!("{mean:.0}"), &lost);
    }
    let kind = if games.comparison.is_some() { "Annotated game" } else { "Game" };
    page_header(kind, title, &facts, "", &figures)
}

fn players(games: &RecordedGames) -> Section {
    let is_judged = games.comparison.is_some();
    let mut head = vec!["player", "#games", "#points per game", "#turns", "#bingos"];
    if is_judged {
        head.extend(["#judged", "#best moves", "#mistakes", "#points lost per turn", "#games lost"]);
    }
    let row = |player: &PlayerSummary| {
        let PlayerSummary { player: name, games, points, turns, bingos, judged, best_moves, mistakes, win_lost, .. } =
            player;
        let mean = *points as f64 / (*games).max(1) as f64;
        let mut cells = vec![escape(name), games.to_string(), format!("{mean:.1}"), turns.to_string(), bingos.to_string()];
        if is_judged {
            let lost = format!("{:.2}", player.mean_loss());
            let win_lost = if *win_lost == 0.0 { String::new() } else { format!("{win_lost:.2}") };
            cells.extend([judged.to_string(), best_moves.to_string(), mistakes.to_string(), lost, win_lost]);
        }
        cells
    };
    let rows: Vec<Vec<String>> = games.players.iter().map(row).collect();
    let lead = games.comparison.as_ref().map_or("The players over all games.".to_string(), |comparison| {
        let how = comparison
            .deals
            .map_or("by equity".to_string(), |deals| format!("by simulation on up to {deals} deals, two plies deep"));
        format!(
            "Moves are ranked by <code>{}</code> and compared {how}; with an empty bag by the solved endgame. A mistake loses at least \
             {} points. What follows ± is half \
             of a 95 % interval. <i>Games lost</i> is the win probability lost in simulated turns.",
            escape(&comparison.player),
            comparison.mistake
        )
    });
    Section {
        id: "players",
        link: "Players",
        title: "Players".into(),
        lead,
        body: sortable_table("by-player", &head, &rows),
    }
}

fn turns(games: &RecordedGames) -> Section {
    let many = games.games.len() > 1;
    let is_judged = games.comparison.is_some();
    let mut head = if many { vec!["game"] } else { Vec::new() };
    head.extend(["#turn", "player", "rack", "move", "#score", "#total"]);
    if is_judged {
        head.extend(["#lost", "best move, or why there is none"]);
    }
    let mut rows = Vec::new();
    for (number, game) in (1..).zip(&games.games) {
        for (at, turn) in (1..).zip(&game.turns) {
            let mut row = if many { vec![escape(&game.title)] } else { Vec::new() };
            let address = if many { format!("#g{number}t{at}") } else { format!("#t{at}") };
            row.push(format!("<a href=\"{address}\">{at}</a>"));
            row.extend(cells(game, turn, is_judged));
            rows.push(row);
        }
    }
    let lead = "Every event of the games; the number of a turn shows it on the board.".to_string();
    Section { id: "turns", link: "Turns", title: "All turns".into(), lead, body: sortable_table("by-turn", &head, &rows) }
}

fn cells(game: &ShownGame, turn: &ShownTurn, is_judged: bool) -> Vec<String> {
    let mut cells = [&game.players[turn.player], &turn.rack, &turn.chosen].map(|text| escape(text)).to_vec();
    cells.extend([turn.score.to_string(), turn.total.to_string()]);
    if is_judged {
        let lost = turn.judged.as_ref().map(|judged| (format!("{:.1}", judged.loss), judged.is_mistake));
        cells.push(match lost {
            Some((text, true)) => format!("<span class=\"cost\">{text}</span>"),
            Some((text, false)) => text,
            None => String::new(),
        });
        let best = turn.judged.as_ref().and_then(|judged| judged.best.first()).map(|best| escape(&best.chosen));
        cells.push(best.or_else(|| turn.not_judged.as_deref().map(escape)).unwrap_or_default());
    }
    cells
}

fn footer(games: &RecordedGames) -> String {
    let files: Vec<String> = games.games.iter().map(|game| escape(&game.file)).collect();
    let command = if games.comparison.is_some() { "annotate" } else { "show" };
    format!(
        "<footer>\n<p>Made by <code>tilewright game {command}</code> from {}.</p>\n</footer>\n",
        files.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ")
    )
}
