//! The training of a leave table as a run, and its artefact.

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::leave::load::{LATE_FILE, LEAVES_FILE, LEAVES_KIND};
use tilewright_engine::leave::{csv, klv};

use super::detail::{self, DETAIL_FILE};
use super::generations::{self, GENERATIONS_FILE, Generations};
use super::run::{LeavesOutcome, LeavesRun};
use crate::journal::{Journal, RunKey};
use crate::run::{Place, Run, RunError, kind};
use crate::run_config::RunConfig;
use crate::schema::Schema;

/// The leave table as text.
const CSV_FILE: &str = "leaves.csv";

impl Run for LeavesRun<'_> {
    const KIND: &'static str = kind::LEAVES;
    const TABLES: &'static [&'static Schema] = &[&detail::SCHEMA, &generations::SCHEMA, &generations::MATCHES_SCHEMA];
    type Outcome = LeavesOutcome;

    fn seed(&self) -> u64 {
        self.config.seed
    }

    fn key(&self) -> RunKey {
        RunKey::new(Self::KIND, self.config.to_toml()).with_setup(self.setup)
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<LeavesOutcome, RunError> {
        self.run(journal)
    }

    fn write(&self, outcome: &LeavesOutcome, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let LeavesRun { setup, config, .. } = *self;
        let mut artefact = place.artefact(LEAVES_KIND, setup, "sub-multisets to 3 tiles, version 1", config.seed)?;
        if let Some(summary) = outcome.closing_match.summary() {
            artefact.measure("match_pairs", outcome.closing_match.pairs as f64);
            artefact.measure("match_win_rate", summary.win_rate.mean);
            artefact.measure("match_spread", summary.spread.mean);
        }
        if let Some(last) = outcome.generations.last() {
            artefact.measure("held_out_error", last.fit.held_out_error);
        }
        artefact.add_encoded(LEAVES_FILE, klv::write(&outcome.table))?;
        if let Some(late) = &outcome.late {
            artefact.add(LATE_FILE, late.to_csv(&setup.tileset))?;
        }
        artefact.add(CSV_FILE, csv::write(&outcome.table, &setup.tileset))?;
        artefact.add_encoded(DETAIL_FILE, outcome.detail.to_bytes(&outcome.table, &setup.tileset))?;
        artefact.add_encoded(GENERATIONS_FILE, Generations::new(outcome, config).to_bytes())?;
        Ok(Some(artefact))
    }
}
