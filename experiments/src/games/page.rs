//! The page of recorded games: a viewer that replays them, the players, and all turns.

use tilewright_engine::annotation::{AnnotatedTurn, Basis, JudgedMove};
use tilewright_engine::game::cgp::CgpPosition;
use tilewright_engine::game::gcg::GcgPosition;
use tilewright_engine::game::unseen;
use tilewright_engine::{Rack, Setup};

use super::course::{self, address};
use super::files::{GameFile, Loaded};
use super::result::{PlayerSummary, RecordedGames, ShownGame, ShownJudgement, ShownMove, ShownTurn};
use crate::Failure;
use crate::report::figures::KeyFigure;
use crate::report::html::{Markup, Page, Render, Section, html, page_header, signed, sortable_table, with_half};
use crate::report::viewer::{SCRIPT, Step, ViewedGame, ViewedMove, Viewer, counted, drawn_tiles, laid, rack_tiles};

pub fn write(loaded: &Loaded, games: &RecordedGames, annotated: &[Vec<AnnotatedTurn>]) -> Result<String, Failure> {
    let viewed = loaded.games.iter().zip(&games.games).enumerate().map(|(number, (file, shown))| {
        let turns = annotated.get(number).map_or(&[][..], Vec::as_slice);
        viewed(file, shown, turns, &loaded.setup)
    });
    let viewer = Viewer { games: viewed.collect() };
    let title = match &games.games[..] {
        [game] => game.title.clone(),
        all => format!("{} games", all.len()),
    };
    let keys = "The arrow keys go from turn to turn, Home and End to the first and the last. A move of the table, once chosen, is shown on \
                the board.";
    let replay = Section::new("games", "Replay", "Turn by turn", keys, viewer.show(&loaded.setup.layout));
    let (sections, script) =
        (vec![course::section(loaded, games), replay, players(games), turns(games)], Some((viewer.data()?, SCRIPT)));
    Ok(Page { script, ..Page::new(&title, header(&title, games), sections, footer(games)) }.write())
}

fn header(title: &str, games: &RecordedGames) -> Markup {
    let facts = [format!("lexicon {}", games.lexicon), format!("{} tile set", games.tileset)];
    let figure = |player: &PlayerSummary| {
        let name = if player.games == 1 { "score of" } else { "points per game of" };
        let name = format!("{name} {}", player.player);
        let PlayerSummary { lost, judged, .. } = player;
        let lost = if *judged > 0 { format!("{lost:.1} points lost in {judged} judged turns") } else { String::new() };
        KeyFigure::number(name, player.mean_points(), 0).note(lost)
    };
    let figures: Vec<KeyFigure> = games.players.iter().take(4).map(figure).collect();
    let kind = if games.comparison.is_some() { "Annotated game" } else { "Game" };
    let result = match &games.games[..] {
        [ShownGame { players, scores: [first, second], .. }] if first != second => {
            let (winner, own, other) = if first > second { (0, first, second) } else { (1, second, first) };
            format!("{} won {own} to {other}.", players[winner])
        }
        _ => String::new(),
    };
    page_header(kind, title, &facts, result, &figures)
}

fn players(games: &RecordedGames) -> Section {
    let is_judged = games.comparison.is_some();
    let mut head = vec!["player", "#games", "#mean score", "#turns", "#bingos"];
    if is_judged {
        head.extend(["#judged", "#best", "#small mistakes", "#medium", "#large", "#points lost", "#per turn"]);
        head.push("#games lost");
    }
    let row = |player: &PlayerSummary| {
        let PlayerSummary { player: name, games, turns, bingos, judged, best_moves, win_lost, .. } = player;
        let mean = player.mean_points();
        let mut cells = vec![name.clone(), games.to_string(), format!("{mean:.1}"), turns.to_string(), bingos.to_string()];
        if is_judged {
            let lost = [format!("{:.1}", player.lost), format!("{:.2}", player.mean_loss())];
            let win_lost = if *win_lost == 0.0 { String::new() } else { format!("{win_lost:.2}") };
            let counts = [*judged, *best_moves].into_iter().chain(player.mistakes_by_size);
            cells.extend(counts.map(|count| count.to_string()).chain(lost).chain([win_lost]));
        }
        cells
    };
    let lead = games.comparison.as_ref().map_or_else(
        || "The players over all games.".render(),
        |comparison| {
            let simulated = comparison.deals.map(|deals| format!("by simulation on up to {deals} deals, two plies deep"));
            let equity = if comparison.looks_ahead { "as this player looks ahead" } else { "by equity" };
            let how = simulated.unwrap_or_else(|| equity.into());
            html! {
                "Moves are ranked by " code { (comparison.player) } " and compared " (how) ". Endgames are solved. \
                 Here " (comparison.rule()) ". The number after ± is half of a 95 % interval, so a smaller loss may be chance. "
                i { "Games lost" } " is the win probability lost in simulated or solved turns."
            }
        },
    );
    Section::new("players", "Players", "Players", lead, sortable_table("by-player", &head, games.players.iter().map(row)))
}

fn turns(games: &RecordedGames) -> Section {
    let many = games.games.len() > 1;
    let is_judged = games.comparison.is_some();
    let mut head = if many { vec!["game"] } else { Vec::new() };
    head.extend(["#turn", "player", "rack", "move", "leave", "#score", "#total"]);
    if is_judged {
        head.extend(["#points lost", "#win % lost", "mistake", "best move, or why there is none"]);
    }
    let mut rows = Vec::new();
    for (number, game) in (1..).zip(&games.games) {
        for (at, turn) in (1..).zip(&game.turns) {
            let mut row = if many { vec![game.title.render()] } else { Vec::new() };
            row.push(html! { a href=(address(number, at, many)) { (at) } });
            row.extend(cells(game, turn, is_judged));
            rows.push(row);
        }
    }
    let lead = "Every event of the games; the number of a turn shows it on the board.";
    Section::new("turns", "Turns", "All turns", lead, sortable_table("by-turn", &head, &rows))
}

fn cells(game: &ShownGame, turn: &ShownTurn, is_judged: bool) -> Vec<Markup> {
    let leave = turn.leave.clone().unwrap_or_default();
    let mut cells = [&game.players[turn.player], &turn.rack, &turn.chosen, &leave].map(Render::render).to_vec();
    cells.extend([turn.score, turn.total].map(|points| points.render()));
    if is_judged {
        let judged = turn.judged.as_ref();
        let size = judged.and_then(|judged| judged.mistake).map(|size| html! { span.cost { (size) } });
        cells.push(judged.map_or(String::new(), ShownJudgement::lost_points).render());
        let win_lost = judged.and_then(|judged| judged.win_loss).filter(|loss| *loss > 0.0);
        cells.push(win_lost.map_or(String::new(), |loss| format!("{:.1}", 100.0 * loss)).render());
        cells.push(size.unwrap_or_default());
        let best = judged.and_then(|judged| judged.best.first()).map(|best| &best.chosen).or(turn.not_judged.as_ref());
        cells.push(best.map(Render::render).unwrap_or_default());
    }
    cells
}

fn footer(games: &RecordedGames) -> Markup {
    let files: Vec<&str> = games.games.iter().take(20).map(|game| game.file.as_str()).collect();
    let command = if games.comparison.is_some() { "annotate" } else { "show" };
    html! { p { "Made by " code { "tilewright game " (command) } " from " (files.join(", ")) "." } }
}

fn viewed(file: &GameFile, shown: &ShownGame, annotated: &[AnnotatedTurn], setup: &Setup) -> ViewedGame {
    let [first, second] = &shown.players;
    let step = |(number, turn): (usize, &ShownTurn)| {
        let found = annotated.iter().find(|turn| turn.event == number);
        step(file, number, turn, &shown.players[turn.player], found, setup)
    };
    ViewedGame {
        name: format!("{}: {first} {}, {second} {}", shown.title, shown.scores[0], shown.scores[1]),
        start: Vec::new(),
        steps: shown.turns.iter().enumerate().map(step).collect(),
    }
}

fn step(
    file: &GameFile,
    number: usize,
    turn: &ShownTurn,
    player: &str,
    annotated: Option<&AnnotatedTurn>,
    setup: &Setup,
) -> Step {
    let (before, after) = (file.before(number, setup), &file.positions[number]);
    let event = &file.game.events[number];
    let [old, new] = [&before, after].map(|position| drawn_tiles(&position.board, &setup.tileset));
    let [own, other] = [event.player, 1 - event.player].map(|player| before.scores[player]);
    let mut facts = vec![
        ("score", signed(f64::from(turn.score), 0)),
        ("total", turn.total.to_string()),
        ("opponent", other.to_string()),
    ];
    facts.extend(turn.leave.iter().filter(|leave| !leave.is_empty()).map(|leave| ("leave", leave.clone())));
    facts.push(("tiles in the bag", before.bag.to_string()));
    if let Some(unseen) = unseen(&setup.tileset, &before.board, &event.rack).filter(|_| !event.rack.is_empty()) {
        facts.push(("unseen tiles", counted(&unseen, &setup.tileset)));
    }
    facts.extend(turn.comparison().map(|text| ("next to the best", text)));
    facts.extend(event.notes.iter().map(|note| ("note", note.clone())));
    let judged = turn.judged.as_ref();
    // As the player of the move saw it.
    let racks = [event.rack, Rack::default()];
    let seen = CgpPosition::new(setup, before.board.clone(), racks, [own, other], before.scoreless_turns);
    Step {
        title: format!("{player}: {}", turn.chosen),
        cost: judged.and_then(|judged| Some(format!("{} mistake: {}", judged.mistake?, judged.lost()))),
        rack: rack_tiles(&event.rack, &setup.tileset),
        facts,
        laid: new.iter().filter(|tile| !old.contains(tile)).cloned().collect(),
        removed: old.iter().filter(|tile| !new.contains(tile)).map(|tile| tile.square).collect(),
        cgp: seen.write(&setup.tileset),
        heads: judged.map_or(&[], |judged| heads(judged.by)),
        moves: judged.zip(annotated).map_or(Vec::new(), |(judged, annotated)| moves(judged, annotated, &before, setup)),
    }
}

fn heads(by: Basis) -> &'static [&'static str] {
    match by {
        Basis::Simulation | Basis::PreEndgame => &["move", "#score", "#win %", "#spread", "#equity"],
        Basis::Endgame => &["move", "#score", "#to the end"],
        Basis::Equity => &["move", "#score", "#equity"],
    }
}

fn moves(judged: &ShownJudgement, annotated: &AnnotatedTurn, before: &GcgPosition, setup: &Setup) -> Vec<ViewedMove> {
    let Ok(judgement) = &annotated.judgement else { return Vec::new() };
    let moves = judged.best.iter().zip(&judgement.moves);
    let view = |(shown, judged_move): (&ShownMove, &JudgedMove)| ViewedMove {
        cells: cells_of_move(judged.by, shown),
        laid: laid(&judged_move.chosen, &before.board, &setup.tileset),
        made: shown.made,
    };
    moves.map(view).collect()
}

fn cells_of_move(by: Basis, shown: &ShownMove) -> Vec<String> {
    let ShownMove { chosen, score, equity, value, spread, win, .. } = shown;
    let mut cells = vec![chosen.clone(), score.to_string()];
    match by {
        Basis::Simulation | Basis::PreEndgame => {
            let win = win.map(|win| win.times(100.0));
            cells.push(win.map_or(String::new(), |win| with_half(format!("{:.1}", win.mean), win, 1)));
            cells.push(spread.map_or(String::new(), |spread| with_half(signed(spread.mean, 1), spread, 1)));
            cells.push(format!("{equity:.1}"));
        }
        Basis::Endgame => cells.push(signed(*value, 0)),
        Basis::Equity => cells.push(format!("{equity:.1}")),
    }
    cells
}
