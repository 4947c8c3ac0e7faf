//! A win table as one self-contained HTML page: curves by tiles left, and reliability and scores on held-out games. The
//! page has no times, so the same run writes the same bytes.

use tilewright_engine::win_percentage::{TilesLeft, WinPercentage};
use tilewright_engine::{Artefact, Equity, Manifest};
use tilewright_train::run_config::RunConfig;
use tilewright_train::win_percentage::artefact::read_scores;
use tilewright_train::win_percentage::comparison::{Comparison, StratumScores};
use tilewright_train::win_percentage::config::WinPercentageConfig;

use super::summary::{figures, shown_table};
use crate::flags::GameFlags;
use crate::report::html::{
    Markup, Page, Section, figure, grouped, html, key_figure, made_by, page_header, repeat_in_folder, table,
};
use crate::report::svg::{Anchor, Scale, Svg, tick};
use crate::{Failure, Input};

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 24.0;
/// The largest lead shown, in points.
const MAX_LEAD: i32 = 150;
/// The tables whose reliability is drawn: their place among the scores, and the class of their colour.
const DRAWN: [(usize, &str); 3] = [(0, "first"), (1, "second"), (2, "third")];

/// The page of the table of an artefact.
pub fn of_artefact(artefact: &Artefact, game: &GameFlags) -> Result<String, Failure> {
    let manifest = artefact.manifest();
    let config = WinPercentageConfig::from_toml(&manifest.config, &artefact.folder().display().to_string()).input()?;
    let (table, scores) = (shown_table(&artefact.folder().to_string_lossy(), game)?, read_scores(artefact).input()?);
    Ok(write(config.games, &table, &scores, manifest))
}

/// The page of a table that was trained on this many games.
pub fn write(games: u64, table: &WinPercentage, comparison: &Comparison, manifest: &Manifest) -> String {
    let title = format!("Win percentage for {}", manifest.lexicon.name);
    let repeat = repeat_in_folder("win-percentage train");
    let sections = vec![curves(table), reliability(comparison), scores(comparison), repeat];
    Page::new(&title, header(games, comparison, manifest), sections, made_by(manifest)).write()
}

fn header(games: u64, comparison: &Comparison, manifest: &Manifest) -> Markup {
    let all = comparison.strata.first().and_then(|stratum| stratum.scores.first());
    let start = comparison.chance_at_start.first().copied().unwrap_or_default();
    let facts = [
        format!("{} tile set", manifest.tileset.name),
        format!("{} training games, {} held-out games", grouped(games), grouped(comparison.games)),
    ];
    let figures = html! {
        (key_figure("win probability of the first mover", format!("{:.1} %", 100.0 * start), ""))
        @if let Some(all) = all {
            (key_figure("log-loss, nats", format!("{:.4}", all.score.log_loss), ""))
            (key_figure("Brier score", format!("{:.4}", all.score.brier), ""))
            (key_figure("calibration error, points", format!("{:.2}", 100.0 * all.score.calibration_error), ""))
        }
    };
    page_header("Win percentage", &manifest.lexicon.name, &facts, "", figures)
}

/// Draws the axes: 0 to 100 percent upwards, and `across`. Returns the upward scale.
fn axes(svg: &mut Svg, across: &Scale) -> Scale {
    let up = Scale::new([0.0, 1.0], HEIGHT - BOTTOM, TOP);
    svg.ticks_before(&up, (LEFT, WIDTH - RIGHT), |value| 100.0 * value);
    for value in across.ticks(6) {
        svg.text("tick", (across.at(value), HEIGHT - 8.0), Anchor::Middle, &tick(value));
    }
    up
}

fn curves(table: &WinPercentage) -> Section {
    let (rack, most) = (table.states().rack_size, table.states().most_bag);
    let across = || Scale::new([f64::from(-MAX_LEAD), f64::from(MAX_LEAD)], LEFT, WIDTH - RIGHT);
    let stages = ["empty bag, both racks full", "a rack in the bag", "half the bag", "start of the game"];
    let drawing = |(bag, stage)| {
        let mut svg = Svg::new(WIDTH, HEIGHT, &format!("Win probability by lead: {stage}"));
        let (across, left) = (across(), TilesLeft { bag, own: rack, other: rack });
        let up = axes(&mut svg, &across);
        let point = |lead: i32| (across.at(f64::from(lead)), up.at(table.win_probability(left, Equity::from_points(lead))));
        svg.path("line first", &(-MAX_LEAD..=MAX_LEAD).step_by(3).map(point).collect::<Vec<_>>());
        figure(svg.finish(), format!("{stage} ({bag} tiles): win probability in percent by lead in points"))
    };
    let lead = "The win probability of the player to move. The curve is steeper when fewer tiles are left, because the rest \
               of the game can hardly undo a lead.";
    let body = html! { div.maps { @for stage in [0, rack, most / 2, most].into_iter().zip(stages) { (drawing(stage)) } } };
    Section::new("curves", "Curves", "Win probability by lead", lead, body)
}

fn reliability(comparison: &Comparison) -> Section {
    let drawing = |stratum: &StratumScores| {
        let mut svg = Svg::new(WIDTH, HEIGHT, &format!("Predicted and observed win rate: {}", stratum.stratum));
        let across = Scale::new([0.0, 100.0], LEFT, WIDTH - RIGHT);
        let up = axes(&mut svg, &across);
        svg.line("axis", (across.at(0.0), up.at(0.0)), (across.at(100.0), up.at(1.0)));
        for (at, class) in DRAWN {
            for bin in stratum.scores.get(at).into_iter().flat_map(|scored| &scored.score.bins).filter(|bin| bin.turns > 0) {
                svg.dot(&format!("mark {class}"), (across.at(100.0 * bin.forecast), up.at(bin.won)), 2.4);
            }
            if let Some(scored) = stratum.scores.get(at) {
                let place = (LEFT + 8.0, TOP + 12.0 + 13.0 * at as f64);
                svg.text(&format!("label {class}"), place, Anchor::Start, &scored.table);
            }
        }
        figure(svg.finish(), &stratum.stratum)
    };
    let lead = "Each dot stands for the turns in one twentieth of the scale: the percentage that was won, over the win \
               probability that the table predicted. A reliable table has its dots on the line.";
    let body = html! { div.maps { @for stratum in &comparison.strata { (drawing(stratum)) } } };
    Section::new("reliability", "Reliability", "Predicted and observed win rates", lead, body)
}

fn scores(comparison: &Comparison) -> Section {
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
               are the score of the first table minus that of this table, times 100,000, with standard errors.";
    Section::new("scores", "Scores", "Scores on held-out games", lead, table(&head, &rows))
}
