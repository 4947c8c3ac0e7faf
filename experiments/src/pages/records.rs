//! The page of recorded games in Parquet: some of them turn by turn, and figures of all.

use tilewright_engine::game::{cgp, unseen};
use tilewright_engine::moves::{Move, notation};
use tilewright_engine::{Artefact, Board, Layout, Manifest, Rack, TileSet};
use tilewright_train::match_games::GamesConfig;
use tilewright_train::records::RECORDS_KIND;
use toml::{Table, Value};

use super::made::{ByTurn, FEWEST, Head, Made, Mean, Spreads, chart_by_turn};
use super::matches;
use crate::flags::{GameFlags, shell_word};
use crate::loading::{self, Opened};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{Markup, Section, folded, game_facts, grouped, html, made_by, repeat, signed, sortable_table};
use crate::report::svg::Colour;
use crate::report::viewer::{SCRIPT, Step, ViewedGame, Viewer, counted, laid, rack_tiles};
use crate::{Failure, Input};

mod turns;

use turns::{Game, REPLAYED, Turns};

/// The most games whose turns are read. Figures of more games are the same.
const READ: usize = 20_000;
const LISTED: usize = 500;

/// Recorded games, and the data that all sections need.
struct Records<'a> {
    artefact: &'a Artefact,
    tileset: TileSet,
    layout: Layout,
    turns: Turns,
    games: Vec<Game>,
    /// The names of the players, in order of their first game.
    players: Vec<String>,
}

pub fn page(artefact: &Artefact, game: &GameFlags) -> Result<Made, Failure> {
    let run = artefact.folder();
    let Opened { tileset, layout, .. } = loading::open(run, RECORDS_KIND, game)?;
    let turns = Turns::read(artefact, &tileset, READ)?;
    let games = turns.games();
    let mut players: Vec<String> = Vec::new();
    for name in games.iter().flat_map(|game| &game.names) {
        // A player who forfeits before its first turn has no name.
        if !name.is_empty() && !players.contains(name) {
            players.push(name.clone());
        }
    }
    Records { artefact, tileset, layout, turns, games, players }.page()
}

impl Records<'_> {
    fn page(&self) -> Result<Made, Failure> {
        let manifest = self.artefact.manifest();
        let title = format!("Games of {}", self.players.join(" and "));
        let games = self.games.iter().take(REPLAYED).map(|game| self.viewed(game));
        let viewer = Viewer { games: games.collect::<Result<_, _>>()? };
        let lead = "The same seed deals the same tiles. tilewright export makes tables of all turns for notebooks.";
        let repeat = repeat(&command(manifest).unwrap_or_default(), lead, None);
        let mut sections = vec![self.replay(&viewer), self.player_table(), self.by_turn()];
        sections.extend([self.spreads(), self.all_games(), repeat]);
        Ok(Made::with_script(self.head(title), sections, made_by(manifest), Some((viewer.data()?, SCRIPT))))
    }

    fn head(&self, title: String) -> Head {
        let manifest = self.artefact.manifest();
        let facts = game_facts(&manifest.lexicon.name, &manifest.tileset.name, manifest.seed, []);
        let [mut points, mut turns, mut bingos, mut first] = [Mean::default(); 4];
        for game in &self.games {
            turns.add(game.rows.len() as i64);
            game.points.iter().for_each(|&own| points.add(own));
            game.bingos.iter().for_each(|&own| bingos.add(own));
            first.add(1 + i64::from(game.spread.signum()));
        }
        let lead = if self.turns.is_whole {
            "Some games turn by turn, and figures of all.".to_string()
        } else {
            format!("Some games turn by turn, and figures of the first {}.", grouped(self.games.len() as u64))
        };
        let points = KeyFigure::number("points per player and game", points.value(), 1);
        let figures = vec![
            KeyFigure::count("games", self.games.len() as u64),
            points.note("without the tiles left at the end"),
            KeyFigure::number("bingos per player and game", bingos.value(), 2),
            KeyFigure::number("turns per game", turns.value(), 1),
            KeyFigure::percent("first mover wins", certain(first.value() / 2.0), 1),
        ];
        Head { kind: "games".into(), title, facts, lead, figures }
    }

    fn replay(&self, viewer: &Viewer) -> Section {
        let shown = viewer.games.len();
        let lead = format!(
            "{} The arrow keys go from turn to turn, Home and End to the first and the last.",
            if shown == 1 { "One game.".into() } else { format!("The first {shown} games.") }
        );
        Section::new("games", "Replay", "Turn by turn", lead, viewer.show(&self.layout))
    }

    fn player_table(&self) -> Section {
        let rows = self.players.iter().map(|name| {
            let [mut points, mut bingos, mut wins, mut spread] = [Mean::default(); 4];
            for (game, seat) in self.seats().filter(|(game, seat)| game.names[*seat] == *name) {
                let own = if seat == 0 { game.spread } else { -game.spread };
                points.add(game.points[seat]);
                bingos.add(game.bingos[seat]);
                wins.add(1 + i64::from(own.signum()));
                spread.add(i64::from(own));
            }
            [
                name.clone(),
                grouped(points.count),
                format!("{:.1}", 50.0 * wins.value()),
                signed(spread.value(), 1),
                format!("{:.1}", points.value()),
                format!("{:.2}", bingos.value()),
            ]
        });
        let head = ["player", "#games", "#won, %", "#points ahead", "#points", "#bingos"];
        let lead = "Means per game; a game of a player against itself counts twice.";
        Section::new("players", "Players", "Players", lead, sortable_table("by-player", &head, rows))
    }

    fn seats(&self) -> impl Iterator<Item = (&Game, usize)> {
        self.games.iter().flat_map(|game| [(game, 0), (game, 1)])
    }

    /// A chart of a mean by turn of a player, for the first few players.
    fn chart<'a>(&'a self, caption: &str, up: &str, unit: f64, value: impl Fn(usize) -> i64) -> Markup {
        let colours = [Colour::First, Colour::Third, Colour::Second];
        let of_player = |(name, colour): (&'a String, Colour)| {
            let mut means = ByTurn::default();
            for game in &self.games {
                for row in game.rows.clone().filter(|&row| self.turns.name[row] == *name) {
                    means.add((row - game.rows.start) / 2, value(row));
                }
            }
            (name.as_str(), colour, means)
        };
        chart_by_turn(caption, up, unit, self.players.iter().zip(colours).map(of_player))
    }

    fn by_turn(&self) -> Section {
        let bingos = |row: usize| i64::from(self.turns.is_bingo[row]);
        let lead = format!("Turns that fewer than {FEWEST} games have are left out.");
        let body = html! { div.two {
            (self.chart("Mean score by turn", "points", 1.0, |row| i64::from(self.turns.score[row])))
            (self.chart("Bingos by turn", "percent of the turns", 100.0, bingos))
        } };
        Section::new("turns", "Turns", "Scores and bingos by turn", lead, body)
    }

    fn spreads(&self) -> Section {
        let mut spreads = Spreads::default();
        self.games.iter().for_each(|game| spreads.add(game.spread));
        let chart = spreads.chart("Spread of the player who moved first");
        let lead = "At the end of the game, with the tiles that were left.";
        Section::new("spreads", "Spreads", "Spreads", lead, chart)
    }

    fn all_games(&self) -> Section {
        let row = |game: &Game| {
            let [first, second] = &game.names;
            let [points, others] = game.points;
            [
                game.number.to_string(),
                first.clone(),
                second.clone(),
                format!("{points} : {others}"),
                signed(f64::from(game.spread), 0),
                game.rows.len().to_string(),
                game.bingos.iter().sum::<i64>().to_string(),
            ]
        };
        let all = self.games.len();
        let lead = if all > LISTED { format!("The first {LISTED} of {}.", grouped(all as u64)) } else { String::new() };
        let head = ["#game", "moved first", "moved second", "#points", "#spread", "#turns", "#bingos"];
        let lead = format!(
            "{lead} The points are those of the moves; the spread, of the first, counts the tiles left at the end too."
        );
        let body = folded("The games", sortable_table("by-game", &head, self.games.iter().take(LISTED).map(row)));
        Section::new("all", "All games", "All games", lead, body)
    }

    /// A game for the viewer.
    ///
    /// # Errors
    /// [`Failure::Input`] for a row that is no turn of a game with this tile set.
    fn viewed(&self, game: &Game) -> Result<ViewedGame, Failure> {
        let [first, second] = &game.names;
        let name = format!("Game {}: {first} against {second}, {}", game.number, signed(f64::from(game.spread), 0));
        let steps = game.rows.clone().map(|row| {
            let fault = |failure: Failure| {
                let turn = row - game.rows.start;
                Failure::input(format!("game {}, turn {turn}: {}", game.number, failure.message()))
            };
            self.step(row).map_err(fault)
        });
        Ok(ViewedGame { name, start: Vec::new(), steps: steps.collect::<Result<_, _>>()? })
    }

    fn step(&self, row: usize) -> Result<Step, Failure> {
        let (turns, tileset) = (&self.turns, &self.tileset);
        let position = cgp::read(&turns.position[row], tileset, self.layout.side()).input()?;
        let rack = Rack::from_notation(&turns.rack[row], tileset).input()?;
        let (score, [own, other]) = (turns.score[row], position.scores);
        let mut facts = vec![
            ("score", signed(f64::from(score), 0)),
            ("total", (own + score).to_string()),
            ("opponent", other.to_string()),
            ("equity", format!("{:.1}", turns.equity[row])),
        ];
        if let Some(unseen) = unseen(tileset, &position.board, &rack) {
            let bag = unseen.size().saturating_sub(tileset.rules().rack_size);
            facts.push(("tiles in the bag", bag.to_string()));
            facts.push(("unseen tiles", counted(&unseen, tileset)));
        }
        Ok(Step {
            title: format!("{}: {}", turns.name[row], turns.chosen[row]),
            rack: rack_tiles(&rack, tileset),
            facts,
            laid: laid(&self.chosen(row, &position.board)?, &position.board, tileset),
            cgp: turns.position[row].clone(),
            ..Step::default()
        })
    }

    /// The move of a turn, as far as the board shows it.
    fn chosen(&self, row: usize, board: &Board) -> Result<Move, Failure> {
        let Some((coordinate, word)) = self.turns.chosen[row].split_once(' ') else { return Ok(Move::Pass) };
        Ok(Move::Play(notation::read_play(coordinate, word, board, &self.tileset).input()?))
    }
}

/// The command whose games have this manifest, for a new folder.
fn command(manifest: &Manifest) -> Option<String> {
    if let Some(GamesConfig { pairs, candidates, played, .. }) = GamesConfig::of(manifest) {
        let candidates = if candidates > 0 { format!(" --candidates {candidates}") } else { String::new() };
        return Some(matches::command(&played, pairs) + &candidates + " --games-out games");
    }
    let config: Table = toml::from_str(&manifest.config).ok()?;
    let mut command = String::from("tilewright");
    let mut add = |flag: &str, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        command += &format!(" {flag} {}", shell_word(&text));
    };
    add("selfplay --games", config.get("games")?);
    add("--player", config.get("player")?);
    config.get("opponent").iter().for_each(|opponent| add("--opponent", opponent));
    if let Some(valued) = config.get("valued").and_then(Value::as_table) {
        add("--candidates", valued.get("candidates")?);
        add("--deals", valued.get("deals")?);
        add("--every", valued.get("every")?);
    }
    add("--seed", &Value::Integer(i64::try_from(manifest.seed).ok()?));
    add("--lexicon", &Value::String(manifest.lexicon.name.clone()));
    add("--tileset", &Value::String(manifest.tileset.name.clone()));
    Some(command + " --out games")
}
