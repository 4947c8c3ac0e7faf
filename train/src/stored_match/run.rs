//! Matches and round robins as runs.

use tilewright_engine::artefact::{ArtefactError, ArtefactWriter};
use tilewright_engine::series::round_robin::{RoundRobin, Standings};
use tilewright_engine::{Player, Setup};

use super::pairs::{MatchEnd, play_pairs};
use super::spec::{ASKED, FILES, MatchRun, MatchSpec};
use super::stored::{job, list_work, measure, play_deals};
use crate::journal::{Journal, RunKey};
use crate::pair_records;
use crate::run::{Place, Run, RunError, kind};
use crate::schema::Schema;

/// The feature set in the manifest of a match.
const NO_FEATURES: &str = "no features";

impl Run for MatchRun<'_> {
    const KIND: &'static str = kind::MATCH;
    const TABLES: &'static [&'static Schema] = &[&pair_records::SCHEMA];
    type Outcome = MatchEnd;

    fn seed(&self) -> u64 {
        self.spec.seed()
    }

    fn key(&self) -> RunKey {
        self.spec.key(self.series.setup, &self.series.players, self.keeps_moves)
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<MatchEnd, RunError> {
        journal.monitor().begin("match", self.pairs, "pairs");
        Ok(play_pairs(self, journal)?)
    }

    fn write(&self, end: &MatchEnd, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let mut artefact = place.artefact(Self::KIND, self.series.setup, NO_FEATURES, self.seed())?;
        artefact.measure("pairs", end.tally.pairs as f64);
        measure(&mut artefact, &end.tally, self.test.as_ref());
        list_work(&mut artefact, place.folder, &[FILES, ASKED])?;
        Ok(Some(artefact))
    }
}

/// A round robin of three players or more.
pub struct RoundRobinRun<'a> {
    /// The tile set, the board and the words.
    pub setup: &'a Setup,
    /// The players, in the order of the spec.
    pub players: &'a [&'a Player],
    /// The spec of the match.
    pub spec: &'a MatchSpec,
    /// Pairs of each match.
    pub pairs: u64,
    /// Takes the standings of each shard. If the run is stopped, it has received the finished deals up to the shard of the stop.
    pub take: &'a dyn Fn(Standings),
}

impl Run for RoundRobinRun<'_> {
    const KIND: &'static str = kind::ROUND_ROBIN;
    /// The number of deals that this process played.
    type Outcome = u64;

    fn seed(&self) -> u64 {
        self.spec.seed()
    }

    fn key(&self) -> RunKey {
        self.spec.key(self.setup, self.players, false)
    }

    fn execute(&self, journal: &Journal<'_>) -> Result<u64, RunError> {
        let round_robin = RoundRobin::new(self.setup, self.players, self.spec.deals(), self.spec.clock());
        journal.monitor().begin("round robin", self.pairs * round_robin.matches(), "pairs");
        Ok(play_deals(&round_robin, self.pairs, journal, self.take)?)
    }

    fn write(&self, _played: &u64, place: Place<'_>) -> Result<Option<ArtefactWriter>, ArtefactError> {
        let mut artefact = place.artefact(Self::KIND, self.setup, NO_FEATURES, self.seed())?;
        artefact.measure("pairs", self.pairs as f64);
        list_work(&mut artefact, place.folder, &[job(self.pairs).name])?;
        Ok(Some(artefact))
    }
}
