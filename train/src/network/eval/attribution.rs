//! The importance of each input of a network: permutation importance.
//!
//! An input is shuffled, and the explained share falls. To shuffle, every set takes the input from another set, drawn at
//! random. Its candidates take the values of that set's candidates in a random order, from the first again if there are too
//! few. So an input of the position still has one value per set, and an input of the move still varies as it does among the
//! moves of one position.
//!
//! The correction, skip connection and layers, sees the shuffled input. Score and prior keep the true one, because the
//! explained share counts only the gain beyond them. Similar inputs stand in for each other, so their falls need not add up.

use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use tilewright_engine::evaluator::network::NetworkWeights;
use tilewright_engine::features::ExtraInput;
use tilewright_engine::rng::{shuffle, stream};

use crate::linear::dataset::{Dataset, centre};

/// The importance of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Attribution {
    /// The feature, or `score`, `leave_tiles` or `unseen_tiles`. The counts of all kinds of tiles are one input.
    pub input: String,
    /// By how much the explained share falls when it is shuffled, as a share of the variance of the targets beyond score and prior.
    pub fall: f64,
}

/// The inputs of a network with their columns, where an input that counts tiles has a column for each of `kinds` kinds.
fn columns(network: &NetworkWeights, kinds: usize) -> Vec<(String, Range<usize>)> {
    let settings = &network.settings;
    let features = settings.features.iter().map(|feature| (feature.about().name, 1));
    let extra = settings.extra_inputs.iter().map(|extra| match extra {
        ExtraInput::Score => ("score", 1),
        ExtraInput::LeaveTiles => ("leave_tiles", kinds),
        ExtraInput::UnseenTiles => ("unseen_tiles", kinds),
    });
    let mut at = 0;
    let mut place = |(name, width): (&str, usize)| {
        at += width;
        (name.to_string(), at - width..at)
    };
    features.chain(extra).map(&mut place).collect()
}

/// The importance of each input, the most important first. `added` has the skip weights less the prior.
pub fn attributions(network: &NetworkWeights, data: &Dataset, added: &[f64], kinds: usize, seed: u64) -> Vec<Attribution> {
    let unexplained = |donors: &[usize], columns| unexplained(network, data, added, donors, columns);
    let whole = unexplained(&(0..data.rows()).collect::<Vec<_>>(), 0..0);
    let inputs: Vec<(usize, (String, Range<usize>))> = columns(network, kinds).into_iter().enumerate().collect();
    let one = |(number, (input, columns)): &(usize, (String, Range<usize>))| {
        let donors = donors(data, seed, *number as u64);
        let fall = unexplained(&donors, columns.clone()) - whole;
        Attribution { input: input.clone(), fall }
    };
    let mut attributions: Vec<Attribution> = inputs.par_iter().map(one).collect();
    attributions.sort_by(|a, b| b.fall.total_cmp(&a.fall).then_with(|| a.input.cmp(&b.input)));
    attributions
}

/// For each row, the row from which it takes the shuffled input.
fn donors(data: &Dataset, seed: u64, number: u64) -> Vec<usize> {
    let mut draws = stream(seed, "network attributions", number);
    let sets: Vec<Range<usize>> = data.sets().map(|(rows, _)| rows).collect();
    let mut order: Vec<usize> = (0..sets.len()).collect();
    shuffle(&mut order, &mut draws);
    let mut donors = Vec::with_capacity(data.rows());
    for (set, donor) in sets.iter().zip(order) {
        let mut rows: Vec<usize> = sets[donor].clone().collect();
        shuffle(&mut rows, &mut draws);
        donors.extend(rows.iter().cycle().take(set.len()));
    }
    donors
}

/// The share of the variance beyond score and prior that the network leaves unexplained, with some columns from donors.
fn unexplained(network: &NetworkWeights, data: &Dataset, added: &[f64], donors: &[usize], columns: Range<usize>) -> f64 {
    let mut shuffled = vec![0.0; network.mean.len()];
    let mut corrections = Vec::with_capacity(data.rows());
    for (set, _) in data.sets() {
        let correction = |number: usize| {
            shuffled.copy_from_slice(data.row(number));
            shuffled[columns.clone()].copy_from_slice(&data.row(donors[number])[columns.clone()]);
            let skip: f64 = shuffled.iter().zip(added).map(|(&value, added)| f64::from(value) * added).sum();
            skip + f64::from(network.added(&shuffled))
        };
        let mut values: Vec<f64> = set.map(correction).collect();
        centre(&mut values);
        corrections.append(&mut values);
    }
    let points = data.targets.iter().map(|target| target.points);
    let errors = points.clone().zip(&corrections).map(|(points, correction)| points - correction);
    data.mean_square(errors) / data.mean_square(points).max(1e-9)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::tests::sample;
    use super::*;

    #[test]
    fn a_set_takes_the_rows_of_one_other_set() {
        sample(|evaluation, _| {
            let data = &evaluation.data;
            let donors = donors(data, 1, 5);
            let sets: Vec<Range<usize>> = data.sets().map(|(rows, _)| rows).collect();
            let mut seen = BTreeSet::new();
            for set in &sets {
                let from = sets.iter().position(|donor| donor.contains(&donors[set.start])).unwrap();
                assert!(seen.insert(from), "{from} gives twice");
                let rows: BTreeSet<usize> = donors[set.clone()].iter().copied().collect();
                assert!(rows.iter().all(|row| sets[from].contains(row)));
                assert_eq!(rows.len(), set.len().min(sets[from].len()));
            }
        });
    }

    #[test]
    fn falls_are_those_of_plain_sums_and_an_unused_input_is_worth_nothing() {
        sample(|evaluation, weights| {
            let (data, kinds) = (&evaluation.data, 27);
            let added = super::super::added(weights);
            let found = attributions(weights, data, &added, kinds, 7);
            assert!(found.is_sorted_by(|a, b| a.fall >= b.fall));
            let fall = |name: &str| found.iter().find(|one| one.input == name).unwrap().fall;
            // The first layer of the sample has no weights for the counts of unseen tiles.
            assert!(fall("unseen_tiles").abs() < 1e-12 && fall("score").abs() > 1e-6, "{found:?}");
            assert_eq!(data.columns, 58);
            for (number, (name, columns)) in columns(weights, kinds).into_iter().enumerate() {
                let donors = donors(data, 7, number as u64);
                let (mut errors, mut squares, mut plain_errors) = (0.0, 0.0, 0.0);
                for (rows, _) in data.sets() {
                    let value = |row: usize, is_shuffled: bool| {
                        let from = |at: usize| if is_shuffled && columns.contains(&at) { donors[row] } else { row };
                        let inputs: Vec<f32> = (0..58).map(|at| data.row(from(at))[at]).collect();
                        let skip: f64 = (0..added.len()).map(|at| f64::from(inputs[at]) * added[at]).sum();
                        skip + f64::from(weights.added(&inputs))
                    };
                    let mean =
                        |is_shuffled| rows.clone().map(|row| value(row, is_shuffled)).sum::<f64>() / rows.len() as f64;
                    for row in rows.clone() {
                        let error = |is_shuffled| data.targets[row].points - (value(row, is_shuffled) - mean(is_shuffled));
                        errors += data.targets[row].weight * error(true).powi(2);
                        plain_errors += data.targets[row].weight * error(false).powi(2);
                        squares += data.targets[row].weight * data.targets[row].points.powi(2);
                    }
                }
                assert!((fall(&name) - (errors - plain_errors) / squares).abs() < 1e-9, "{name}");
            }
        });
    }
}
