//! The training of a win table as a run, its artefact, and a table of its rows.

use tilewright_engine::artefact::{Artefact, ArtefactError, ArtefactWriter};
use tilewright_engine::win_percentage::csv;
use tilewright_engine::win_percentage::load::{WIN_PERCENTAGE_FILE, WIN_PERCENTAGE_KIND, scaled};
use tilewright_engine::{Equity, WinPercentage};

use super::run::{WinPercentageOutcome, WinPercentageRun};
use super::scores::Comparison;
use crate::journal::{Journal, RunKey};
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;
use crate::schema::Cell::{Double, Int32, Int64};
use crate::schema::{Schema, Table, double, int32, int64};

/// The name of the table that follows from the tile set alone.
pub const SCALED: &str = "scaled";
/// The empirical table.
const EMPIRICAL_FILE: &str = "empirical.csv";
/// The table of the logistic curves.
const LOGISTIC_FILE: &str = "logistic.csv";
/// The network that the win table is computed from.
const NETWORK_FILE: &str = "network.json";
/// The scores of the tables on held-out games.
const SCORES_FILE: &str = "scores.json";

/// The scores that an artefact holds.
///
/// # Errors
/// [`ArtefactError`] if it holds no scores, or they cannot be read.
pub fn read_scores(artefact: &Artefact) -> Result<Comparison, ArtefactError> {
    let fault =
        |source: serde_json::Error| ArtefactError::Encoding { path: artefact.path(SCORES_FILE), source: source.into() };
    serde_json::from_slice(&artefact.payload(SCORES_FILE)?).map_err(fault)
}

impl WinPercentageRun<'_> {
    /// The scores of the tables of a run, and of the table that follows from the tile set alone, on held-out games.
    pub fn compare(&self, outcome: &WinPercentageOutcome) -> Comparison {
        let tables = [
            ("network", outcome.table.clone()),
            ("empirical", outcome.empirical.clone()),
            ("logistic", outcome.curves.clone()),
            (SCALED, scaled(&self.setup.tileset)),
        ];
        Comparison::new(&tables.map(|(name, table)| (name.to_string(), table)), &self.setup.tileset, &outcome.held_out)
    }
}

impl Run for WinPercentageRun<'_> {
    const KIND: &'static str = kind::WIN_PERCENTAGE;
    const TABLES: &'static [&'static Schema] = &[&SCHEMA];
    type Outcome = WinPercentageOutcome;

    fn seed(&self) -> u64 {
        self.config.seed
    }

    fn key(&self) -> RunKey {
        RunKey::new(Self::KIND, self.config.to_toml()).with_setup(self.setup).with_input("player", &*self.player.identity)
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<WinPercentageOutcome, RunError> {
        Ok(self.run(journal)?)
    }

    fn write(&self, outcome: &WinPercentageOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let comparison = self.compare(outcome);
        let mut artefact = place.artefact(WIN_PERCENTAGE_KIND, self.setup, "tiles left, version 1", self.config.seed)?;
        if let Some(&probability) = comparison.chance_at_start.first() {
            artefact.measure("chance_at_start", probability);
        }
        for scored in comparison.strata.first().iter().flat_map(|stratum| &stratum.scores) {
            artefact.measure(format!("{}_log_loss", scored.table), scored.score.log_loss);
            artefact.measure(format!("{}_brier", scored.table), scored.score.brier);
            artefact.measure(format!("{}_calibration_error", scored.table), scored.score.calibration_error);
        }
        artefact.add(WIN_PERCENTAGE_FILE, csv::write(&outcome.table))?;
        artefact.add(EMPIRICAL_FILE, csv::write(&outcome.empirical))?;
        artefact.add(LOGISTIC_FILE, csv::write(&outcome.curves))?;
        let line = |text: String| text + "\n";
        artefact.add_encoded(NETWORK_FILE, serde_json::to_string(&outcome.network).map(line))?;
        artefact.add_encoded(SCORES_FILE, serde_json::to_string_pretty(&comparison).map(line))?;
        Ok(Some(artefact))
    }
}

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "win_percentages",
    row: "a lead with some tiles left",
    fields: &[
        int32("bag", "tiles in the bag").unit("tiles"),
        int32("own", "tiles on the own rack").unit("tiles").view("player to move"),
        int32("other", "tiles on the other rack").unit("tiles").view("player to move"),
        int32("lead", "points ahead").unit("points").view("player to move"),
        double("win_probability", "probability to win; a draw counts half").unit("0 to 1").view("player to move"),
        int64("observed_turns", "turns of self-play with these tiles left; 0 if the table does not know").unit("turns"),
    ],
};

/// A row for each lead from the greatest deficit of the table to the greatest lead, for all tiles left.
pub fn rows(table: &WinPercentage) -> Table {
    let mut rows = Table::new(&SCHEMA);
    for left in table.states().all() {
        for lead in -table.most_spread()..=table.most_spread() {
            rows.add([
                ("bag", Int32(left.bag as i32)),
                ("own", Int32(left.own as i32)),
                ("other", Int32(left.other as i32)),
                ("lead", Int32(lead)),
                ("win_probability", Double(table.win_probability(left, Equity::from_points(lead)))),
                ("observed_turns", Int64(table.turns(left) as i64)),
            ]);
        }
    }
    rows
}
