//! Warnings about leaves whose value the data do not support.
//!
//! The known failure of leave tables is the gravity well: a large leave that was rarely held has a value far from anything
//! observed. Then a player aims for it. Three rules find such leaves by the table, the support and the errors:
//!
//! 1. **Far from its parts.** The expected value of a leave L is the median, over the pairs of its kinds t and u, of
//!    `V(L − t) + V(L − u) − V(L − t − u)`: each tile adds as much as without the other one. The rule covers leaves held in
//!    fewer than [`WELL_SUPPORTED`] turns. It warns if the near end of the 95 % interval is more than [`FACTOR`] times the
//!    usual distance from the expected value, the [`USUAL`] quantile of the well-supported leaves of that length. With the
//!    median over kinds instead of the mean over tiles, a gravity well does not affect the larger leaves around it.
//! 2. **Beyond anything seen.** The rule covers the same leaves. It warns if the whole 95 % interval lies above the best, or
//!    below the worst, of all well-supported leaves.
//! 3. **No more than a guess.** The rule covers all leaves. It warns if the standard error exceeds the standard deviation of
//!    the values of that length: the number of tiles alone would predict the value as well.
//!
//! For a table without support and errors only the first rule applies, to every leave, compared with all leaves.

use std::fmt;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::series::NORMAL_95;

use super::detail::Detail;

/// The number of turns with a leave from which on the leave's own observations determine its value.
pub const WELL_SUPPORTED: i64 = 50;
/// The largest distance from the expected value, in multiples of the usual distance.
pub const FACTOR: f64 = 3.0;
/// The quantile of distances that counts as usual.
pub const USUAL: f64 = 0.99;
/// With fewer well-supported leaves of a length, the usual distance comes from all leaves of the length.
const LEAST_COMPARED: usize = 100;
/// Distances below this share of the standard deviation of the values are ignored as rounding.
const LEAST_DISTANCE: f64 = 0.1;

/// The reason of a warning, with values in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// Rarely held, and far from the value expected from its sub-leaves.
    FarFromParts {
        /// The expected value.
        expected: f64,
        /// The largest distance without a warning, apart from the leave's own interval.
        limit: f64,
    },
    /// Rarely held, and more extreme than every well-supported leave.
    BeyondSeen {
        /// The value of the most extreme well-supported leave on the same side.
        extreme: f64,
    },
    /// No more certain than a guess from its length.
    Guess {
        /// Standard deviation of the values of the length.
        spread: f64,
    },
}

/// A warning about one leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    /// Its number in the table.
    pub index: usize,
    /// The reasons: at least one, each variant at most once.
    pub reasons: Vec<Reason>,
    /// How far the value may be off, by the worst of the reasons, in points.
    pub points: f64,
}

/// All warnings about a table, the worst first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warnings {
    /// The leaves.
    pub leaves: Vec<Warning>,
}

/// How many leaves have warnings, in all and by reason. A leave may have several reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WarningCounts {
    /// Leaves with a warning.
    pub leaves: usize,
    /// Leaves that are far from the value expected from their sub-leaves.
    pub far_from_parts: usize,
    /// Leaves that are more extreme than every well-supported leave.
    pub beyond_seen: usize,
    /// Leaves that are no more certain than a guess from their length.
    pub guesses: usize,
}

/// Statistics of the leaves of one length, in points.
struct Length {
    /// Standard deviation of the values.
    spread: f64,
    /// The largest distance from the expected value without a warning.
    limit: f64,
}

impl Warnings {
    /// Checks every leave of a table. `detail` has the support and the errors, if they are known.
    ///
    /// # Cost
    /// About 20 look-ups per leave: one CPU-second for the 914,624 English leaves.
    pub fn new(table: &LeaveTable, detail: Option<&Detail>) -> Warnings {
        let expected: Vec<Option<f64>> =
            (0..table.ranking().len()).into_par_iter().map(|index| from_parts(table, index)).collect();
        let extremes = extremes(table, detail);
        let mut leaves = Vec::new();
        for tiles in 1..=table.ranking().max_size() {
            let length = Length::new(table, detail, &expected, tiles);
            let indices = table.ranking().indices_of_size(tiles);
            leaves.extend(indices.filter_map(|index| length.warning(table, detail, index, expected[index], extremes)));
        }
        leaves.sort_by(|a, b| b.points.total_cmp(&a.points).then(a.index.cmp(&b.index)));
        Warnings { leaves }
    }

    /// The numbers of warnings, for the end of a run.
    pub fn counts(&self) -> WarningCounts {
        let count = |is: fn(&Reason) -> bool| self.leaves.iter().filter(|warning| warning.reasons.iter().any(is)).count();
        WarningCounts {
            leaves: self.leaves.len(),
            far_from_parts: count(|reason| matches!(reason, Reason::FarFromParts { .. })),
            beyond_seen: count(|reason| matches!(reason, Reason::BeyondSeen { .. })),
            guesses: count(|reason| matches!(reason, Reason::Guess { .. })),
        }
    }
}

impl fmt::Display for WarningCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WarningCounts { leaves, far_from_parts, beyond_seen, guesses } = self;
        match leaves {
            0 => return f.write_str("no leave has a value that the data do not support"),
            1 => f.write_str("1 leave has")?,
            _ => write!(f, "{leaves} leaves have")?,
        }
        write!(
            f,
            " a value that the data do not support: {far_from_parts} far from their parts, {beyond_seen} beyond anything seen, \
             {guesses} no more than a guess"
        )
    }
}

impl Length {
    fn new(table: &LeaveTable, detail: Option<&Detail>, expected: &[Option<f64>], tiles: usize) -> Length {
        let range = table.ranking().indices_of_size(tiles);
        let values: Vec<f64> = range.clone().map(|index| table.values()[index].points()).collect();
        let many = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / many;
        let spread = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / many).sqrt();
        let distances = |well_only: bool| -> Vec<f64> {
            let counted =
                range.clone().filter(|&index| detail.is_none_or(|detail| !well_only || is_supported(detail, index)));
            counted.filter_map(|index| Some((table.values()[index].points() - expected[index]?).abs())).collect()
        };
        let mut compared = distances(true);
        if compared.len() < LEAST_COMPARED {
            compared = distances(false);
        }
        compared.sort_by(f64::total_cmp);
        let usual = compared.get((compared.len() as f64 * USUAL) as usize).copied().unwrap_or_default();
        Length { spread, limit: (FACTOR * usual).max(LEAST_DISTANCE * spread) }
    }

    /// The warning about a leave of this length, if it has reasons.
    fn warning(
        &self,
        table: &LeaveTable,
        detail: Option<&Detail>,
        index: usize,
        expected: Option<f64>,
        extremes: Option<(f64, f64)>,
    ) -> Option<Warning> {
        let &Length { spread, limit } = self;
        let value = table.values()[index].points();
        let error = detail.map_or(0.0, |detail| detail.standard_error[index]);
        let near = NORMAL_95 * error;
        let is_rare = detail.is_none_or(|detail| !is_supported(detail, index));
        // Each with the points that the value may be off.
        let mut reasons = Vec::new();
        if is_rare {
            if let Some(expected) = expected.filter(|expected| (value - expected).abs() - near > limit) {
                reasons.push((Reason::FarFromParts { expected, limit }, (value - expected).abs()));
            }
            let beyond = extremes.and_then(|(worst, best)| match value {
                value if value + near < worst => Some(worst),
                value if value - near > best => Some(best),
                _ => None,
            });
            reasons.extend(beyond.map(|extreme| (Reason::BeyondSeen { extreme }, (value - extreme).abs())));
        }
        if error > spread {
            reasons.push((Reason::Guess { spread }, error));
        }
        let points = reasons.iter().map(|&(_, points)| points).reduce(f64::max)?;
        Some(Warning { index, reasons: reasons.into_iter().map(|(reason, _)| reason).collect(), points })
    }
}

/// The value of a leave of two or more tiles that is expected from its parts, in points.
fn from_parts(table: &LeaveTable, index: usize) -> Option<f64> {
    let leave = table.ranking().unrank(index);
    if leave.size() < 2 {
        return None;
    }
    let kinds: Vec<(u8, u8)> = leave.kinds().collect();
    let value_without = |tiles: &[u8]| {
        let mut part = leave;
        for &kind in tiles {
            part.remove(kind);
        }
        table.values()[table.ranking().rank(&part)].points()
    };
    let mut expectations = Vec::with_capacity(kinds.len() * kinds.len().div_ceil(2));
    for (at, &(first, count)) in kinds.iter().enumerate() {
        let without_first = value_without(&[first]);
        // A kind pairs with itself only if the leave has two of it.
        for &(second, _) in &kinds[at + usize::from(count < 2)..] {
            expectations.push(without_first + value_without(&[second]) - value_without(&[first, second]));
        }
    }
    expectations.sort_by(f64::total_cmp);
    let middle = expectations.len() / 2;
    let upper = expectations[middle];
    Some(if expectations.len() % 2 == 1 { upper } else { f64::midpoint(upper, expectations[middle - 1]) })
}

/// Whether a leave's own observations determine its value.
pub fn is_supported(detail: &Detail, index: usize) -> bool {
    detail.support[index] >= WELL_SUPPORTED
}

/// The worst and the best value of a well-supported leave, or `None` without support.
fn extremes(table: &LeaveTable, detail: Option<&Detail>) -> Option<(f64, f64)> {
    let detail = detail?;
    let supported = (1..table.values().len()).filter(|&index| is_supported(detail, index));
    supported.fold(None, |extremes, index| {
        let value = table.values()[index].points();
        let (worst, best): (f64, f64) = extremes.unwrap_or((value, value));
        Some((worst.min(value), best.max(value)))
    })
}

#[cfg(test)]
mod tests {
    use tilewright_engine::equity::Equity;
    use tilewright_engine::rack::Rack;
    use tilewright_engine::tileset::TileSet;

    use super::*;

    /// Enough kinds for gravity wells and their neighbours, but few enough for a quick test.
    const FEWER: &str = r#"
        name = "fewer"
        board = "standard"
        total_tiles = 45
        total_points = 76
        blanks = 2
        letters = [
            { letter = "A", count = 9, value = 1, vowel = true },
            { letter = "D", count = 4, value = 2 },
            { letter = "E", count = 12, value = 1, vowel = true },
            { letter = "L", count = 4, value = 1 },
            { letter = "Q", count = 1, value = 10 },
            { letter = "S", count = 6, value = 1 },
            { letter = "T", count = 5, value = 1 },
            { letter = "V", count = 1, value = 14 },
            { letter = "X", count = 1, value = 8 },
        ]
        [rules]
        rack_size = 7
        bingo_bonus = 50
        exchange_minimum = 7
    "#;

    /// A table without interactions: a vowel is worth a point, a blank 25, a consonant nothing. The leaves of five and
    /// six tiles without both blanks are rarely held.
    fn clean() -> (TileSet, LeaveTable, Detail) {
        let tileset = TileSet::from_toml(FEWER, "fewer").unwrap();
        let mut table = LeaveTable::zero(&tileset);
        for index in 1..table.ranking().len() {
            let worth = |kind: u8| if kind == 0 { 25 } else { i32::from(tileset.is_vowel(kind)) };
            let points = table.ranking().unrank(index).tiles().map(|tile| worth(tile.kind())).sum();
            table.set(index, Equity::from_points(points));
        }
        let short = table.ranking().indices_of_size(4).end;
        let held = |index: usize| if index < short || table.ranking().unrank(index).count(0) == 2 { 1000 } else { 2 };
        let support: Vec<i64> = (0..table.ranking().len()).map(held).collect();
        let detail = Detail { support, standard_error: vec![0.4; table.ranking().len()] };
        (tileset, table, detail)
    }

    fn named(warnings: &Warnings, table: &LeaveTable, tileset: &TileSet) -> Vec<String> {
        warnings.leaves.iter().map(|warning| table.ranking().unrank(warning.index).show(tileset)).collect()
    }

    #[test]
    fn a_clean_table_has_no_warnings() {
        let (_, table, detail) = clean();
        for detail in [Some(&detail), None] {
            let warnings = Warnings::new(&table, detail);
            assert!(warnings.leaves.is_empty(), "{}", warnings.counts().to_string());
            assert!(warnings.counts().to_string().starts_with("no leave"));
        }
    }

    #[test]
    fn a_planted_gravity_well_is_found_and_its_neighbours_are_not() {
        let (tileset, mut table, detail) = clean();
        let well = table.ranking().rank(&Rack::parse("DLQX?", &tileset).unwrap());
        table.set(well, Equity::from_points(228));
        let warnings = Warnings::new(&table, Some(&detail));
        assert_eq!(named(&warnings, &table, &tileset), ["DLQX?"]);
        let [Reason::FarFromParts { expected, limit }, Reason::BeyondSeen { extreme }] = warnings.leaves[0].reasons[..]
        else {
            panic!("{warnings:?}")
        };
        assert!((expected - 25.0).abs() < 1e-9 && limit < 10.0, "{limit}");
        // The best well-supported leave holds both blanks and four vowels.
        assert!((extreme - 54.0).abs() < 1e-9 && (warnings.leaves[0].points - 203.0).abs() < 1e-9);
        assert!(
            warnings.counts().to_string().contains("1 leave has") && warnings.counts().to_string().contains("1 far"),
            "{}",
            warnings.counts().to_string()
        );
        assert_eq!(named(&Warnings::new(&table, None), &table, &tileset), ["DLQX?"], "without support and errors");
    }

    #[test]
    fn odd_values_that_the_data_support_give_no_warning() {
        let (tileset, mut table, mut detail) = clean();
        let odd = table.ranking().rank(&Rack::parse("DLQX?", &tileset).unwrap());
        table.set(odd, Equity::from_points(228));
        detail.support[odd] = WELL_SUPPORTED;
        assert!(Warnings::new(&table, Some(&detail)).leaves.is_empty());
        detail.support[odd] = WELL_SUPPORTED - 1;
        assert_eq!(Warnings::new(&table, Some(&detail)).leaves.len(), 1);
    }

    #[test]
    fn a_value_within_its_own_error_is_a_guess_but_not_far() {
        let (tileset, mut table, mut detail) = clean();
        let leave = table.ranking().rank(&Rack::parse("DLQX?", &tileset).unwrap());
        table.set(leave, Equity::from_points(228));
        detail.standard_error[leave] = 120.0;
        let warnings = Warnings::new(&table, Some(&detail));
        assert_eq!(named(&warnings, &table, &tileset), ["DLQX?"]);
        assert!(matches!(warnings.leaves[0].reasons[..], [Reason::Guess { spread }] if spread > 1.0), "{warnings:?}");
    }
}
