//! The inputs of fits and networks: features, and counts of tiles by kind.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Feature, FeatureError, Features};
use crate::leave::LeaveData;
use crate::moves::Move;
use crate::rack::Rack;
use crate::setup::Setup;
use crate::turn::Turn;

/// Inputs for the layers of networks that no linear evaluator weighs. Files hold their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtraInput {
    /// The points of the move.
    Score,
    /// For each kind of tile, how many the leave has.
    LeaveTiles,
    /// For each kind of tile, its share of the unseen tiles, 0–1.
    UnseenTiles,
}

/// The inputs of a fit or of a network: a list of features, then extra inputs.
#[derive(Clone, Debug)]
pub struct Inputs {
    pub(crate) features: Arc<Features>,
    extra: Vec<ExtraInput>,
    /// The number of kinds of tiles.
    kinds: usize,
}

impl Inputs {
    /// Prepares inputs for a setup. Some features need the leave table `leaves`.
    ///
    /// # Errors
    /// [`FeatureError`] if a feature cannot be computed.
    pub fn new(
        features: &[Feature],
        extra: &[ExtraInput],
        setup: &Setup,
        leaves: Option<LeaveData>,
    ) -> Result<Inputs, FeatureError> {
        let features = Arc::new(Features::new(features, setup, leaves)?);
        Ok(Inputs { features, extra: extra.to_vec(), kinds: setup.tileset.kinds().len() })
    }

    /// The number of inputs.
    pub fn count(&self) -> usize {
        let of_extra = |extra: &ExtraInput| match extra {
            ExtraInput::Score => 1,
            ExtraInput::LeaveTiles | ExtraInput::UnseenTiles => self.kinds,
        };
        self.features.wanted.len() + self.extra.iter().map(of_extra).sum::<usize>()
    }

    /// The values for some moves of a turn: by move, the features first.
    pub fn values(&self, turn: &Turn<'_>, moves: &[Move]) -> Vec<Vec<f32>> {
        let values = self.features.values(turn, moves);
        let with_extra = |(values, chosen): (Vec<f64>, &Move)| {
            let mut row = Vec::with_capacity(self.count());
            row.extend(values.into_iter().map(|value| value as f32));
            self.extra.iter().for_each(|&extra| self.add(extra, turn, chosen, &mut row));
            row
        };
        values.into_iter().zip(moves).map(with_extra).collect()
    }

    fn add(&self, extra: ExtraInput, turn: &Turn<'_>, chosen: &Move, row: &mut Vec<f32>) {
        match extra {
            ExtraInput::Score => row.push(chosen.score() as f32),
            ExtraInput::LeaveTiles => {
                let leave = turn.rack.minus(&Rack::from_tiles(chosen.tiles())).unwrap_or_default();
                self.add_counts(&leave, 1.0, row);
            }
            ExtraInput::UnseenTiles => self.add_counts(&turn.unseen, 1.0 / turn.unseen.size().max(1) as f32, row),
        }
    }

    fn add_counts(&self, tiles: &Rack, unit: f32, row: &mut Vec<f32>) {
        let first = row.len();
        row.resize(first + self.kinds, 0.0);
        tiles.kinds().for_each(|(kind, count)| row[first + usize::from(kind)] = unit * f32::from(count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::PositionFeature;
    use crate::features::test_support::{english, no_leaves, positions};
    use crate::movegen::Generator;

    #[test]
    fn extra_inputs_count_score_leave_and_unseen_tiles() {
        let setup = english();
        let spread = Feature::Position(PositionFeature::ScoreDifference);
        let extra = [ExtraInput::UnseenTiles, ExtraInput::Score, ExtraInput::LeaveTiles];
        let inputs = Inputs::new(&[spread], &extra, &setup, None).unwrap();
        assert_eq!(inputs.count(), 1 + 27 + 1 + 27);
        let mut generator = Generator::new(&setup);
        for game in positions(&setup, 6, 2) {
            let turn = game.turn(&setup);
            let moves = generator.top_moves(&turn, &no_leaves(game.rack()), 5);
            let moves: Vec<Move> = moves.iter().map(|valued| valued.chosen).collect();
            for (row, chosen) in inputs.values(&turn, &moves).into_iter().zip(&moves) {
                assert_eq!((row.len(), row[0], row[28]), (inputs.count(), turn.spread as f32, chosen.score() as f32));
                let counts = row[1..28].iter().map(|share| (share * turn.unseen.size() as f32).round() as u8);
                assert_eq!(Rack::from_counts(&counts.collect::<Vec<u8>>()), turn.unseen);
                let mut laid = row[29..].iter().map(|&count| count as u8).collect::<Vec<u8>>();
                chosen.tiles().iter().for_each(|tile| laid[usize::from(tile.kind())] += 1);
                assert_eq!(Rack::from_counts(&laid), turn.rack);
            }
        }
    }
}
