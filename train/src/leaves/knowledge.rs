//! The rack values of a generation while it takes in its sources, and the leave table that follows from them.

use tilewright_engine::equity::Equity;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::tileset::TileSet;

use super::config::LeavesConfig;
use super::detail::{Detail, boards, support};
use super::lattice::Lattice;
use super::least_squares::{DRAWS, Evidence, Fit, FitOptions, FitReport};
use crate::journal::Journal;
use crate::rack_values::RackValues;
use crate::run::RunError;

/// Everything that a generation knows about racks so far.
pub(super) struct Knowledge<'a> {
    pub tileset: &'a TileSet,
    pub config: &'a LeavesConfig,
    pub lattice: &'a Lattice,
    pub journal: &'a Journal<'a>,
    pub generation: u64,
    /// The value of each full rack by its number, in thousandths of a point.
    pub rack_values: Vec<i32>,
    /// All observations, in a run without pooling.
    pub unpooled: Option<RackValues>,
    /// Turns that held each leave.
    pub support: Vec<i64>,
    /// Boards that valued each leave.
    pub boards: Vec<i64>,
    /// Observations of racks that contain each leave, in the last source.
    pub weights: Vec<i64>,
    /// Support and standard errors, once they were requested.
    pub detail: Detail,
}

impl Knowledge<'_> {
    /// Takes in a census, in two halves.
    pub fn take_census(
        &mut self,
        halves: &[RackValues; 2],
        options: FitOptions,
        wants_detail: bool,
    ) -> Result<Option<FitReport>, RunError> {
        let whole = halves[0].plus(&halves[1]);
        self.boards = boards(&whole, self.lattice);
        self.weights = support(&whole, self.lattice);
        self.fit(Evidence { whole: &whole, halves: Some(halves.each_ref()) }, options, wants_detail)
    }

    /// Takes in the turns of self-play.
    pub fn take_games(
        &mut self,
        played: &RackValues,
        options: FitOptions,
        wants_detail: bool,
    ) -> Result<Option<FitReport>, RunError> {
        self.support = support(played, self.lattice);
        self.weights.clone_from(&self.support);
        self.fit(Evidence { whole: played, halves: None }, options, wants_detail)
    }

    /// Updates the rack values from one source.
    fn fit(
        &mut self,
        evidence: Evidence<'_>,
        options: FitOptions,
        wants_detail: bool,
    ) -> Result<Option<FitReport>, RunError> {
        if !self.config.pooling {
            self.add_unpooled(evidence.whole);
            return Ok(None);
        }
        let prior = std::mem::take(&mut self.rack_values);
        let fit = Fit::new(evidence, &prior, self.lattice, options)
            .map_err(|error| RunError::Failed(format!("generation {}: {error}", self.generation)))?;
        self.rack_values = fit.rack_values();
        if wants_detail {
            self.detail = self.detail_of(&fit)?;
            if let Some(halves) = evidence.halves {
                self.widen(halves);
            }
        }
        Ok(Some(fit.report))
    }

    /// The leave table: the completion averages of the rack values.
    pub fn table(&self) -> LeaveTable {
        let mut table = LeaveTable::zero(self.tileset);
        let racks = self.lattice.racks();
        match &self.unpooled {
            None => {
                let mut values = vec![[0.0]; self.lattice.ranking().len()];
                values[racks]
                    .iter_mut()
                    .zip(&self.rack_values)
                    .for_each(|(value, &rack)| value[0] = f64::from(rack) / 1000.0);
                self.lattice.average(&mut values);
                for index in 1..table.values().len() {
                    table.set(index, Equity::from_fractional_points(values[index][0] - values[0][0]));
                }
            }
            Some(data) => {
                // A weighted sum over racks, and the sum of the weights.
                let mut values = vec![[0.0; 2]; self.lattice.ranking().len()];
                let has_census = self.boards.iter().any(|&boards| boards > 0);
                for entry in data.entries() {
                    // A census values all racks, so each counts once; self-play sees racks as often as they are dealt.
                    let weight = if has_census { 1.0 } else { f64::from(entry.count) };
                    values[racks.start + entry.rack as usize] = [weight * entry.mean(), weight];
                }
                if has_census {
                    self.lattice.average(&mut values);
                } else {
                    self.lattice.sum_over_ways_kept(&mut values);
                }
                let mean = values[0][0] / values[0][1];
                let mut known = vec![true; table.values().len()];
                for index in 1..known.len() {
                    let [sum, weight] = values[index];
                    known[index] = weight > 0.0;
                    if known[index] {
                        table.set(index, Equity::from_fractional_points(sum / weight - mean));
                    }
                }
                table.complete(&known);
            }
        }
        table
    }

    /// Support, and standard errors from draws of the whole table from its posterior.
    fn detail_of(&self, fit: &Fit<'_>) -> Result<Detail, RunError> {
        let draws = self.config.posterior_draws;
        self.journal.monitor().begin("standard errors", draws, "draws");
        let mut squares = vec![0.0; self.support.len()];
        for batch in 0..draws / DRAWS as u64 {
            self.journal.check_stop()?;
            let mut deviations = fit.posterior_deviations(self.config.seed, batch);
            self.lattice.average(&mut deviations);
            let empty = deviations[0];
            for (square, deviation) in squares.iter_mut().zip(&deviations) {
                *square += deviation.iter().zip(empty).map(|(deviation, empty)| (deviation - empty).powi(2)).sum::<f64>();
            }
            self.journal.monitor().advance(DRAWS as u64);
        }
        let standard_error = squares.iter().map(|square| (square / draws as f64).sqrt()).collect();
        Ok(Detail { support: self.support.clone(), boards: self.boards.clone(), standard_error })
    }

    /// Raises the standard errors to half the difference between the leave values of the two halves of a census, as root mean
    /// square over the leaves of a length. The posterior treats racks as independent, but a board moves them together.
    fn widen(&mut self, halves: [&RackValues; 2]) {
        // For each half, the value and the presence of each rack, then both averaged over draws.
        let mut values = vec![[0.0; 4]; self.lattice.ranking().len()];
        for (half, data) in halves.into_iter().enumerate() {
            for entry in data.entries() {
                let place = &mut values[self.lattice.racks().start + entry.rack as usize];
                (place[2 * half], place[2 * half + 1]) = (entry.mean(), 1.0);
            }
        }
        self.lattice.average(&mut values);
        let difference = |[a, in_a, b, in_b]: [f64; 4]| a / in_a - b / in_b;
        let empty = difference(values[0]);
        for tiles in 1..self.lattice.ranking().max_size() {
            let range = self.lattice.ranking().indices_of_size(tiles);
            let known = values[range.clone()].iter().filter(|value| value[1] > 0.0 && value[3] > 0.0);
            let squares: Vec<f64> = known.map(|&value| ((difference(value) - empty) / 2.0).powi(2)).collect();
            let least = (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt();
            self.detail.standard_error[range].iter_mut().for_each(|error| *error = error.max(least));
        }
    }

    /// Sets each observed rack to the mean of its own observations.
    fn add_unpooled(&mut self, data: &RackValues) {
        // The values of a census have no zero of their own, so they are shifted to the level of self-play.
        let before = self.unpooled.take().unwrap_or_default();
        let by = data.mean_above(&before).round() as i64;
        let data = before.shifted(by).plus(data);
        for entry in data.entries() {
            self.rack_values[entry.rack as usize] = (1000.0 * entry.mean()).round() as i32;
        }
        self.detail = Detail::from_own_observations(&data, &self.support, &self.boards);
        self.unpooled = Some(data);
    }
}
