//! Win tables by the names of flags, and tables and their scores as text. The text has no times, so the same run writes the same bytes.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use tilewright_engine::win_percentage::TilesLeft;
use tilewright_engine::win_percentage::embedded::DefaultWinTable;
use tilewright_engine::win_percentage::load::WIN_PERCENTAGE_KIND;
use tilewright_engine::win_percentage::scaled::scaled;
use tilewright_engine::{Equity, Player, PlayerSpec, Setup, WinPercentage};
use tilewright_train::win_percentage::comparison::{Comparison, TableScore};
use tilewright_train::win_percentage::config::WinPercentageConfig;
use tilewright_train::win_percentage::run::WinPercentageOutcome;

use crate::flags::GameFlags;
use crate::loading::{self, Opened};
use crate::report::markdown;
use crate::{Failure, Input, Number};
pub use tilewright_train::win_percentage::artefact::SCALED;

pub const EMBEDDED: &str = "embedded";

/// The win table with this name, or from this path.
pub fn table(name: &str, setup: &Setup, game: &GameFlags) -> Result<WinPercentage, Failure> {
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

/// Like [`table`], for a verb that only shows or converts a table: an artefact has its own tile set.
pub fn shown_table(name: &str, game: &GameFlags) -> Result<WinPercentage, Failure> {
    if [EMBEDDED, SCALED].contains(&name) {
        return table(name, &loading::few_positions(game)?, game);
    }
    let Opened { content, tileset, .. } = loading::open(Path::new(name), WIN_PERCENTAGE_KIND, game)?;
    WinPercentage::read(&content, &tileset).input()
}

/// The player of the games; by default the embedded leave table. It must be static: only then
/// does the rest of a game not depend on the lead.
pub fn player(named: Option<&PlayerSpec>, setup: &Setup, game: &GameFlags) -> Result<Player, Failure> {
    loading::static_player(named, "player", ", and its moves may depend on the lead", setup, game)
}

/// Leads of the grid, in points.
const LEADS: [i32; 13] = [-150, -100, -60, -40, -20, -10, 0, 10, 20, 40, 60, 100, 150];

pub fn write(
    setup: &Setup,
    config: &WinPercentageConfig,
    player: &str,
    outcome: &WinPercentageOutcome,
    comparison: &Comparison,
) -> String {
    format!(
        "# Win percentage for {} ({} tile set)\n\n{} games of self-play by {}, {} turns. A network of {} hidden units and {} pairs of curves, trained for {} \
         steps; its final loss is {:.6} nats per turn above the smallest possible loss.\n\n\
         ## Win probability of the player to move, in percent\n\n{}\n\
         ## Scores on {} held-out games\n\n{}",
        markdown::escape(&setup.lexicon.name),
        markdown::escape(setup.tileset.name()),
        outcome.tally.games,
        markdown::escape(player),
        outcome.tally.turns(),
        config.hidden,
        config.pairs,
        config.steps,
        outcome.losses.last().copied().unwrap_or_default(),
        markdown::code("text", &Grid::new(&outcome.table).to_string()),
        comparison.games,
        scores(comparison)
    )
}

/// The win probabilities of the player to move by tiles left and lead. The text shows them in percent.
#[derive(Serialize)]
pub struct Grid {
    /// Leads of the player to move, in points.
    leads: &'static [i32],
    rows: Vec<GridRow>,
}

/// The win probabilities with some tiles left.
#[derive(Serialize)]
struct GridRow {
    /// Tiles in the bag, on the own rack and on the other rack.
    bag: usize,
    own: usize,
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
    let against = |mean: f64, error: f64| match at {
        0 => String::new(),
        _ => format!("{:+.2} ± {:.2}", Number(1e5 * mean), 1e5 * error),
    };
    [
        format!("{:.5}", score.log_loss),
        format!("{:.5}", score.brier),
        format!("{:.3}", 100.0 * score.calibration_error),
        against(difference.log_loss, difference.log_loss_error),
        against(difference.brier, difference.brier_error),
    ]
}

/// The scores of all tables in all strata, as Markdown.
pub fn scores(comparison: &Comparison) -> String {
    let first = comparison.strata.first().and_then(|stratum| stratum.scores.first());
    let mut text = format!(
        "Log-loss in nats, Brier score, and expected calibration error (20 bins) in percentage points; lower is better. The \
         last two columns are the score of {} minus that of the table, times 100,000, with standard errors over shards of \
         games.\n\n",
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
