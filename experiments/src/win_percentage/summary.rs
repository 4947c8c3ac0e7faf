//! Win tables by the names of flags, and tables and their scores as text and as one self-contained HTML page: curves by tiles
//! left, and reliability and scores on held-out games. Neither has times, so the same run writes the same bytes.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use tilewright_engine::series::Estimate;
use tilewright_engine::win_percentage::TilesLeft;
use tilewright_engine::win_percentage::load::{DefaultWinTable, WIN_PERCENTAGE_KIND, scaled};
use tilewright_engine::{Equity, Manifest, Player, PlayerSpec, Setup, WinPercentage};
use tilewright_train::win_percentage::run::WinPercentageOutcome;
use tilewright_train::win_percentage::scores::{Comparison, StratumScores, TableScore};

use crate::flags::GameFlags;
use crate::loading::{self, Opened};
use crate::report::figures::{KeyFigure, certain};
use crate::report::html::{Page, Section, grouped, html, made_by, page_header, repeat_in_folder, table};
use crate::report::markdown;
use crate::report::svg::{Colour, Mark, layered_chart};
use crate::{Failure, Input, Number};

pub use tilewright_train::win_percentage::artefact::SCALED;

pub const EMBEDDED: &str = "embedded";

/// The win table with this name, or from this path.
pub fn table_named(name: &str, setup: &Setup, game: &GameFlags) -> Result<WinPercentage, Failure> {
    match name {
        SCALED => Ok(scaled(&setup.tileset)),
        EMBEDDED => match WinPercentage::for_setup(setup) {
            (_, Some(DefaultWinTable::Scaled { .. })) => Err(Failure::input(format!(
                "no win table is embedded for the {} tile set; name one that tilewright win-percentage train made, or {SCALED}",
                setup.tileset.name()
            ))),
            (table, warning) => {
                loading::warn_of(game, warning.as_ref());
                Ok(table)
            }
        },
        path => WinPercentage::load(Path::new(path), game.loader(setup)).input(),
    }
}

/// Like [`table_named`], for a verb that only shows or converts a table: an artefact has its own tile set.
pub fn shown_table(name: &str, game: &GameFlags) -> Result<WinPercentage, Failure> {
    if [EMBEDDED, SCALED].contains(&name) {
        return table_named(name, &loading::few_positions(game)?, game);
    }
    let Opened { content, tileset, .. } = loading::open(Path::new(name), WIN_PERCENTAGE_KIND, game)?;
    WinPercentage::read(&content, &tileset).input()
}

/// The player of the games, by default the embedded leave table. It must be static, as only then the lead changes no move.
pub fn player(named: Option<&PlayerSpec>, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    loading::static_player(named, "player", ", and its moves may depend on the lead", setup, game)
}

/// Leads of the grid, in points.
const LEADS: [i32; 13] = [-150, -100, -60, -40, -20, -10, 0, 10, 20, 40, 60, 100, 150];

/// The run in a few lines: the scores of its tables on held-out games, and the stratum that is calibrated worst.
pub fn in_short(setup: &Setup, player: &str, outcome: &WinPercentageOutcome, comparison: &Comparison) -> String {
    let (lexicon, tileset, games) = (&setup.lexicon.name, setup.tileset.name(), grouped(outcome.tally.games));
    let mut lines = vec![format!("{lexicon} ({tileset} tile set): a win table from {games} games of self-play by {player}")];
    lines.push(format!("on {} held-out games (log-loss in nats, calibration error in points):", grouped(comparison.games)));
    let own = |stratum: &StratumScores| stratum.scores.first().map_or(0.0, |scored| scored.score.calibration_error);
    for (at, scored) in comparison.strata.first().iter().flat_map(|all| &all.scores).enumerate() {
        let [log_loss, brier, calibration, difference, _] = figures(at, scored);
        let against =
            if at == 0 { String::new() } else { format!("; the first minus this, log-loss × 10⁵: {difference}") };
        lines.push(format!("{:10} log-loss {log_loss}, Brier {brier}, calibration {calibration}{against}", scored.table));
    }
    lines.extend(
        comparison
            .strata
            .iter()
            .skip(1)
            .max_by(|one, other| own(one).total_cmp(&own(other)))
            .map(|weak| format!("weakest: {}, with a calibration error of {:.2} points", weak.stratum, 100.0 * own(weak))),
    );
    lines.join("\n")
}

/// The win probabilities of the player to move by tiles left and lead. The text shows them in percent.
#[derive(schemars::JsonSchema, Serialize)]
pub struct Grid {
    /// Leads of the player to move, in points.
    leads: &'static [i32],
    rows: Vec<GridRow>,
}

/// The win probabilities with some tiles left.
#[derive(schemars::JsonSchema, Serialize)]
struct GridRow {
    bag: usize,
    /// Tiles on the rack of the player to move.
    own: usize,
    /// Tiles on the other rack.
    other: usize,
    /// By lead, 0–1.
    win_probabilities: Vec<f64>,
}

impl Grid {
    pub fn new(table: &WinPercentage) -> Grid {
        let row = |left: TilesLeft| {
            let win = |&lead: &i32| table.win_probability(left, Equity::from_points(lead));
            GridRow { bag: left.bag, own: left.own, other: left.other, win_probabilities: LEADS.iter().map(win).collect() }
        };
        Grid { leads: &LEADS, rows: shown_states(table).into_iter().map(row).collect() }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(" bag  own other |")?;
        self.leads.iter().try_for_each(|lead| write!(f, "{lead:>6}"))?;
        for GridRow { bag, own, other, win_probabilities } in &self.rows {
            write!(f, "\n{bag:>4} {own:>4} {other:>5} |")?;
            win_probabilities.iter().try_for_each(|win| write!(f, "{:>6.1}", 100.0 * win))?;
        }
        Ok(())
    }
}

/// The states of a grid: a few for each part of the game.
fn shown_states(table: &WinPercentage) -> Vec<TilesLeft> {
    let states = table.states();
    let (rack, most) = (states.rack_size, states.most_bag);
    let racks = [(1, 1), (rack / 2, rack / 2), (1, rack), (rack, 1), (rack, rack)];
    let mut lefts = racks.map(|(own, other)| TilesLeft { bag: 0, own: own.max(1), other: other.max(1) }).to_vec();
    let bags = [1, rack / 2, rack, 2 * rack, most / 3, most / 2, 2 * most / 3, 5 * most / 6, most];
    lefts.extend(bags.into_iter().map(|bag| TilesLeft { bag: bag.min(most), own: rack, other: rack }));
    lefts.sort_unstable();
    lefts.dedup();
    lefts
}

/// The figures of table `at` of a stratum: log-loss, Brier score and calibration error, and the differences of log-loss and
/// Brier score, first table minus this one.
pub fn figures(at: usize, scored: &TableScore) -> [String; 5] {
    let (score, difference) = (&scored.score, &scored.first_minus_this);
    let against = |difference: Estimate| match at {
        0 => String::new(),
        _ => format!("{:+.2} ± {:.2}", Number(1e5 * difference.mean), 1e5 * difference.half_width()),
    };
    [
        format!("{:.5}", score.log_loss),
        format!("{:.5}", score.brier),
        format!("{:.3}", 100.0 * score.calibration_error),
        against(difference.log_loss),
        against(difference.brier),
    ]
}

/// The scores of all tables in all strata, as Markdown.
pub fn scores(comparison: &Comparison) -> String {
    let first = comparison.strata.first().and_then(|stratum| stratum.scores.first());
    let mut text = format!(
        "Log-loss in nats, Brier score, and expected calibration error (20 bins) in percentage points; lower is better. The \
         last two columns are the score of {} minus that of the table, times 100,000; ± is half of a 95 % interval, from the \
         variation between shards of games.\n\n",
        first.map_or(String::new(), |first| markdown::escape(&first.table))
    );
    let mut rows = Vec::new();
    for stratum in &comparison.strata {
        for (at, scored) in stratum.scores.iter().enumerate() {
            let turns = if at == 0 { format!("{} ({})", stratum.stratum, scored.score.turns) } else { String::new() };
            rows.push([turns, scored.table.clone()].into_iter().chain(figures(at, scored)).collect::<Vec<_>>());
        }
    }
    let head = ["stratum (turns)", "table", "#log-loss", "#Brier", "#calibration", "#log-loss × 10⁵", "#Brier × 10⁵"];
    text += &markdown::table(&head, &rows);
    text += "\nWin probability of the first mover at the start: ";
    let scored = comparison.strata.first().map_or(&[][..], |stratum| &stratum.scores);
    let start = scored.iter().zip(&comparison.chance_at_start);
    let start: Vec<String> = start.map(|(scored, win)| format!("{} {win:.4}", markdown::escape(&scored.table))).collect();
    text + &start.join(", ") + ".\n"
}

/// The largest lead shown, in points.
const MAX_LEAD: i32 = 150;
/// The colours of the tables whose reliability is drawn, by their place among the scores.
const DRAWN: [Colour; 3] = [Colour::First, Colour::Second, Colour::Third];

/// The page of a table that was trained on this many games.
pub fn write_page(games: u64, table: &WinPercentage, comparison: &Comparison, manifest: &Manifest) -> String {
    let title = format!("Win percentage for {}", manifest.lexicon.name);
    let repeat = repeat_in_folder("win-percentage train");
    let sections = vec![curves(table), reliability(comparison), score_section(comparison), repeat];
    let facts = facts(games, comparison, manifest);
    let header = page_header("Win percentage", &manifest.lexicon.name, &facts, "", &key_figures(comparison));
    Page::new(&title, header, sections, made_by(manifest)).write()
}

/// The game and the games of a table that was trained on this many games.
pub fn facts(games: u64, comparison: &Comparison, manifest: &Manifest) -> [String; 2] {
    [
        format!("{} tile set", manifest.tileset.name),
        format!("{} training games, {} held-out games", grouped(games), grouped(comparison.games)),
    ]
}

/// The key figures of the first table, on all turns.
pub fn key_figures(comparison: &Comparison) -> Vec<KeyFigure> {
    let all = comparison.strata.first().map_or(&[][..], |stratum| &stratum.scores);
    let mut figures = Vec::new();
    if let Some(TableScore { score, .. }) = all.first() {
        figures.push(KeyFigure::number("log-loss, nats", score.log_loss, 4));
        // The empirical table is of the run, but the scaled one is the same for all runs.
        figures.extend(all.iter().find(|other| other.table == SCALED).map(|other| {
            let beyond = other.first_minus_this.log_loss.times(1e5);
            // A single shard of games has no variation.
            let beyond = if beyond.half_width() > 0.0 { beyond } else { certain(beyond.mean) };
            KeyFigure::estimate(format!("log-loss beyond {SCALED}, × 10⁵"), beyond, 1).signed()
        }));
        figures.push(KeyFigure::number("Brier score", score.brier, 4));
        figures.push(KeyFigure::number("calibration error, points", 100.0 * score.calibration_error, 2));
    }
    let start = comparison.chance_at_start.first().copied().unwrap_or_default();
    figures.push(KeyFigure::percent("win probability of the first mover", certain(start), 1));
    figures
}

fn curves(table: &WinPercentage) -> Section {
    let (rack, most) = (table.states().rack_size, table.states().most_bag);
    let stages = ["empty bag, both racks full", "a rack in the bag", "half the bag", "start of the game"];
    let drawing = |(bag, stage)| {
        let left = TilesLeft { bag, own: rack, other: rack };
        let point = |lead: i32| (f64::from(lead), 100.0 * table.win_probability(left, Equity::from_points(lead)));
        let curve = ("", Colour::First, Mark::Line((-MAX_LEAD..=MAX_LEAD).step_by(3).map(point).collect()));
        let [none, all] = [0.0, 100.0].map(|level| ("", Colour::Second, Mark::Level(level)));
        layered_chart(&format!("{stage} ({bag} tiles)"), "lead, points", "win probability in percent", &[none, all, curve])
    };
    let lead = "The win probability of the player to move. The curve is steeper when fewer tiles are left, because the rest \
               of the game can hardly undo a lead.";
    let body = html! { div.maps { @for stage in [0, rack, most / 2, most].into_iter().zip(stages) { (drawing(stage)) } } };
    Section::new("curves", "Curves", "Win probability by lead", lead, body)
}

fn reliability(comparison: &Comparison) -> Section {
    let drawing = |stratum: &StratumScores| {
        let dots = |scored: &TableScore| {
            let bins = scored.score.bins.iter().filter(|bin| bin.turns > 0);
            Mark::Dots(bins.map(|bin| (100.0 * bin.forecast, 100.0 * bin.won)).collect())
        };
        let equal = ("", Colour::Second, Mark::Line(vec![(0.0, 0.0), (100.0, 100.0)]));
        let tables = stratum.scores.iter().zip(DRAWN).map(|(scored, colour)| (scored.table.as_str(), colour, dots(scored)));
        layered_chart(
            &stratum.stratum,
            "predicted, percent",
            "won, percent",
            &[equal].into_iter().chain(tables).collect::<Vec<_>>(),
        )
    };
    let lead = "Each dot stands for the turns in one twentieth of the scale: the percentage that was won, over the win \
               probability that the table predicted. A reliable table has its dots on the line.";
    let body = html! { div.maps { @for stratum in &comparison.strata { (drawing(stratum)) } } };
    Section::new("reliability", "Reliability", "Predicted and observed win rates", lead, body)
}

fn score_section(comparison: &Comparison) -> Section {
    let mut rows = Vec::new();
    for stratum in &comparison.strata {
        for (at, scored) in stratum.scores.iter().enumerate() {
            let turns = if at == 0 { stratum.stratum.clone() } else { String::new() };
            let first = [turns, scored.table.clone(), grouped(scored.score.turns)];
            rows.push(first.into_iter().chain(figures(at, scored)).collect::<Vec<_>>());
        }
    }
    let head = ["stratum", "table", "#turns", "#log-loss", "#Brier", "#calibration", "#log-loss × 10⁵", "#Brier × 10⁵"];
    let lead = "Lower is better. Calibration is the expected calibration error in percentage points. The last two columns \
               are the score of the first table minus that of this table, times 100,000; ± is half of a 95 % interval.";
    Section::new("scores", "Scores", "Scores on held-out games", lead, table(&head, &rows))
}
