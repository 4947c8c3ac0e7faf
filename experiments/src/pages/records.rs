//! The page of recorded games in Parquet: some of them turn by turn, and figures of all.

use tilewright_engine::artefact::{Artefact, Manifest};
use tilewright_engine::layout::Layout;
use tilewright_engine::tileset::TileSet;
use tilewright_train::records::RECORDS_KIND;
use toml::{Table, Value};

use super::made::Made;
use crate::failure::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::loading::{self, Opened};
use crate::report::chart::{Chart, Colour, Layer, Mark};
use crate::report::html::{Section, escape, grouped, key_figure, side_by_side, signed, sortable_table};
use crate::report::page::{Page, made_by, page_header, repeat};
use crate::report::viewer::{SCRIPT, Viewer};

mod turns;
mod replay;

use replay::Replay;
use turns::{Game, Turns};

/// The most games whose turns are read; figures of more say nothing else.
const READ: usize = 20_000;
const LISTED: usize = 500;
/// The width of a bar of the histogram, in points.
const BAR: f64 = 20.0;
/// The most turns of a player in the charts, and the fewest games that a point of them needs.
const TURNS: usize = 20;
const FEWEST: u64 = 10;

/// Recorded games, and what all sections need.
struct Records<'a> {
    artefact: &'a Artefact,
    tileset: TileSet,
    layout: Layout,
    turns: Turns,
    games: Vec<Game>,
    /// The names of the players, in order of their first game.
    players: Vec<String>,
}

/// The page of the records in a folder.
pub fn page(artefact: &Artefact, game: &GameFlags) -> Result<Made, Failure> {
    let run = artefact.folder();
    let Opened { tileset, layout, .. } = loading::open(run, RECORDS_KIND, game)?;
    let turns = Turns::read(artefact, &tileset, READ)?;
    let games = turns.games();
    let mut players: Vec<String> = Vec::new();
    for name in games.iter().flat_map(|game| &game.names) {
        if !players.contains(name) {
            players.push(name.clone());
        }
    }
    Records { artefact, tileset, layout, turns, games, players }.page()
}

/// The mean of some numbers, and how many there are.
#[derive(Clone, Copy, Default)]
struct Mean {
    count: u64,
    sum: i64,
}

impl Mean {
    fn add(&mut self, value: i64) {
        *self = Mean { count: self.count + 1, sum: self.sum + value };
    }

    fn value(self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }
}

impl Records<'_> {
    fn page(&self) -> Result<Made, Failure> {
        let manifest = self.artefact.manifest();
        let title = format!("Games of {}", self.players.join(" and "));
        let replay = Replay { turns: &self.turns, tileset: &self.tileset, layout: &self.layout };
        let viewer = Viewer { games: replay.games(&self.games)? };
        let html = Page {
            title: title.clone(),
            header: self.header(&title),
            sections: vec![
                self.replay(&viewer),
                self.player_table(),
                self.by_turn(),
                self.spreads(),
                self.all_games(),
                repeat(
                    &command(manifest).unwrap_or_default(),
                    "The same seed deals the same tiles. tilewright export makes tables of all turns for notebooks.",
                    None,
                ),
            ],
            footer: made_by(manifest),
            script: Some((viewer.data()?, SCRIPT)),
        }
        .write();
        Ok(Made { kind: "games".into(), title, html, is_finished: true })
    }

    fn header(&self, title: &str) -> String {
        let manifest = self.artefact.manifest();
        let facts = [
            format!("lexicon {}", manifest.lexicon.name),
            format!("{} tile set", manifest.tileset.name),
            format!("seed {}", manifest.seed),
        ];
        let (mut points, mut turns, mut bingos, mut first) =
            (Mean::default(), Mean::default(), Mean::default(), Mean::default());
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
        let figures = key_figure("games", &grouped(self.games.len() as u64), "")
            + &key_figure(
                "points per player and game",
                &format!("{:.1}", points.value()),
                "without the tiles left at the end",
            )
            + &key_figure("bingos per player and game", &format!("{:.2}", bingos.value()), "")
            + &key_figure("turns per game", &format!("{:.1}", turns.value()), "")
            + &key_figure("first mover wins", &format!("{:.1} %", 50.0 * first.value()), "");
        page_header("Games", title, &facts, &lead, &figures)
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
            vec![
                escape(name),
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
    fn chart_by_turn(&self, caption: &str, up: &str, value: impl Fn(usize) -> i64, unit: f64) -> String {
        let colours = [Colour::First, Colour::Third, Colour::Second];
        let layers = self.players.iter().zip(colours).map(|(name, colour)| {
            let mut means = [Mean::default(); TURNS];
            for game in &self.games {
                for row in game.rows.clone().filter(|&row| self.turns.name[row] == *name) {
                    if let Some(mean) = means.get_mut((row - game.rows.start) / 2) {
                        mean.add(value(row));
                    }
                }
            }
            let points = (1..).zip(means).filter(|(_, mean)| mean.count >= FEWEST);
            Layer::new(name, colour, Mark::Line(points.map(|(turn, mean)| (f64::from(turn), unit * mean.value())).collect()))
        });
        Chart { caption, across: "own turn of the game", up, layers: layers.collect() }.show()
    }

    fn by_turn(&self) -> Section {
        let body = self.chart_by_turn("Mean score by turn", "points", |row| i64::from(self.turns.score[row]), 1.0)
            + &self.chart_by_turn(
                "Bingos by turn",
                "percent of the turns",
                |row| i64::from(self.turns.is_bingo[row]),
                100.0,
            );
        let lead = format!("Turns that fewer than {FEWEST} games have are left out.");
        Section::new("turns", "Turns", "Scores and bingos by turn", lead, side_by_side(&body))
    }

    fn spreads(&self) -> Section {
        let mut counts = std::collections::BTreeMap::new();
        for game in &self.games {
            *counts.entry((f64::from(game.spread) / BAR).floor() as i64).or_insert(0_u64) += 1;
        }
        let bars = counts.iter().map(|(&bin, &count)| ((bin as f64 + 0.5) * BAR, count as f64)).collect();
        let chart = Chart {
            caption: "Spread of the player who moved first",
            across: "points",
            up: "games in 20 points",
            layers: vec![Layer::new("", Colour::First, Mark::Bars(bars, BAR))],
        };
        let lead = "At the end of the game, with the tiles that were left.";
        Section::new("spreads", "Spreads", "Spreads", lead, chart.show())
    }

    fn all_games(&self) -> Section {
        let row = |game: &Game| {
            let [first, second] = &game.names;
            let [points, others] = game.points;
            vec![
                game.number.to_string(),
                escape(first),
                escape(second),
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
        Section::new(
            "all",
            "All games",
            "All games",
            lead,
            sortable_table("by-game", &head, self.games.iter().take(LISTED).map(row)),
        )
    }
}

/// The command whose games have this manifest, for a new folder.
fn command(manifest: &Manifest) -> Option<String> {
    let config: Table = toml::from_str(&manifest.config).ok()?;
    let mut command = String::from("tilewright");
    let mut add = |flag: &str, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        command += &format!(" {flag} {}", shell_word(&text));
    };
    if let Some([a, b]) = config.get("players").and_then(Value::as_array).map(Vec::as_slice) {
        add("match --player-a", a);
        add("--player-b", b);
        add("--pairs", config.get("pairs")?);
        if config.get("candidates")?.as_integer()? > 0 {
            add("--candidates", config.get("candidates")?);
        }
    } else {
        add("selfplay --games", config.get("games")?);
        add("--player", config.get("player")?);
        config.get("opponent").iter().for_each(|opponent| add("--opponent", opponent));
        if let Some(valued) = config.get("valued").and_then(Value::as_table) {
            add("--candidates", valued.get("candidates")?);
            add("--simulate", valued.get("deals")?);
            add("--every", valued.get("every")?);
        }
    }
    add("--seed", &Value::Integer(i64::try_from(manifest.seed).ok()?));
    add("--lexicon", &Value::String(manifest.lexicon.name.clone()));
    add("--tileset", &Value::String(manifest.tileset.name.clone()));
    let is_match = config.contains_key("players");
    if config.get("unpaired").and_then(Value::as_bool) == Some(true) {
        command += " --unpaired";
    }
    Some(command + if is_match { " --games-out games" } else { " --out games" })
}
