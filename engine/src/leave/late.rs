//! Adjustments of leave values when few tiles are left in the bag.
//!
//! A leave is worth less when fewer turns are left to use it, tiles that are hard to play may stay unplayed, and the number
//! of tiles in the bag decides who moves first when it is empty. With `b` tiles in the bag after the draw, leave K is worth
//!
//! ```text
//! constant(b) + scale(b) · V(K) + Σ over tiles of K of tile(b)
//! ```
//!
//! The move generator has one value per leave, whether the other tiles are played or exchanged. An exchange is therefore
//! valued as if it took tiles out of the bag, too. This is a known error: with 7 to 9 tiles in the bag and English rules, an
//! exchange of most of the rack is valued some points too high.

use std::fmt::Write;

use super::clamped;
use super::csv::CsvError;
use crate::equity::Equity;
use crate::rack::{MAX_SUB_RACKS, SubRacks};
use crate::tileset::TileSet;
use crate::turn::Turn;

/// The adjustment for one number of tiles left in the bag.
#[derive(Clone, Debug, PartialEq)]
pub struct LateRow {
    /// Added to the leave's value, in points.
    pub constant: f32,
    /// Multiplies the leave's value.
    pub scale: f32,
    /// By kind, added for each tile of the leave, in points.
    pub tiles: Vec<f32>,
}

/// The adjustments for 0, 1, 2, … tiles left in the bag. With more tiles left than rows, there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LateValues {
    /// By the number of tiles left in the bag after the draw.
    pub rows: Vec<LateRow>,
}

/// The largest magnitude of a number in a table. No known game needs a larger one.
const LARGEST: f32 = 1000.0;

impl LateRow {
    /// The adjusted value of a leave worth `value` whose tiles add `tiles` points in total, within the limits of leave values.
    #[inline]
    pub(crate) fn adjusted(&self, value: Equity, tiles: f32) -> Equity {
        clamped(1000.0 * (self.constant + tiles) + self.scale * value.0 as f32)
    }
}

impl LateValues {
    /// Adjusts the value of each leave of a turn for the number of tiles that its draw leaves in the bag. `sizes` are the
    /// sizes of the leaves.
    pub(crate) fn adjust(
        &self,
        turn: &Turn<'_>,
        sub_racks: &SubRacks,
        sizes: &[u8; MAX_SUB_RACKS],
        leave_values: &mut [Equity; MAX_SUB_RACKS],
    ) {
        let full = turn.setup.tileset.rules().rack_size;
        if turn.bag.saturating_sub(full) >= self.rows.len() {
            return;
        }
        for (number, value) in leave_values[..sub_racks.whole()].iter_mut().enumerate() {
            let left = turn.bag.saturating_sub(full - sizes[number] as usize);
            let Some(row) = self.rows.get(left) else { continue };
            let mut rest = number;
            let mut tiles = 0.0;
            for &(kind, most) in sub_racks.kinds() {
                let count = rest % (most as usize + 1);
                rest /= most as usize + 1;
                tiles += count as f32 * row.tiles[kind as usize];
            }
            *value = row.adjusted(*value, tiles);
        }
    }

    /// Writes CSV: tiles left, constant, scale, and a column for each kind of tile.
    pub fn to_csv(&self, tileset: &TileSet) -> String {
        let mut text = header(tileset);
        for (left, row) in self.rows.iter().enumerate() {
            let _ = write!(text, "\n{left},{:.3},{:.4}", row.constant, row.scale);
            row.tiles.iter().for_each(|value| {
                let _ = write!(text, ",{value:.3}");
            });
        }
        text + "\n"
    }

    /// Reads the output of [`LateValues::to_csv`] for the same tile set.
    ///
    /// # Errors
    /// [`CsvError`], with the line.
    pub fn from_csv(text: &str, tileset: &TileSet) -> Result<LateValues, CsvError> {
        let mut lines = text.lines();
        let expected = header(tileset);
        if lines.next() != Some(&expected) {
            return Err(CsvError {
                line: 1,
                reason: format!("expected the columns {expected:?}; is the file for another tile set?"),
            });
        }
        let kinds = tileset.kinds().len();
        let rows = (2..).zip(lines).map(|(line, text)| {
            let fault = |reason: String| CsvError { line, reason };
            let numbers: Vec<f32> = text
                .split(',')
                .map(|part| part.parse().ok().filter(|number: &f32| number.abs() <= LARGEST).ok_or(part))
                .collect::<Result<_, _>>()
                .map_err(|part| fault(format!("{part:?} is not a number from -{LARGEST} to {LARGEST}")))?;
            match numbers.split_at_checked(3) {
                Some((&[left, constant, scale], tiles)) if tiles.len() == kinds && left as usize == line - 2 => {
                    Ok(LateRow { constant, scale, tiles: tiles.to_vec() })
                }
                _ => Err(fault(format!("expected {} tiles left and then {} numbers", line - 2, kinds + 2))),
            }
        });
        Ok(LateValues { rows: rows.collect::<Result<_, _>>()? })
    }
}

fn header(tileset: &TileSet) -> String {
    let labels: Vec<&str> = tileset.kinds().iter().map(|kind| kind.label.as_str()).collect();
    format!("left,constant,scale,{}", labels.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leave::MAX_POINTS;

    #[test]
    fn adjustments_round_trip_or_are_refused_by_line() {
        let english = TileSet::embedded("english").unwrap();
        let row = |number: i16| LateRow {
            constant: f32::from(number) / 8.0,
            scale: 0.5,
            tiles: (0..27).map(|kind| f32::from(kind - number) / 4.0).collect(),
        };
        let values = LateValues { rows: (0..5).map(row).collect() };
        let text = values.to_csv(&english);
        assert_eq!(LateValues::from_csv(&text, &english).unwrap(), values);
        assert_eq!(values.rows[2].adjusted(Equity::from_points(10), 1.0), Equity(6250));
        let extreme = LateRow { constant: LARGEST, scale: -LARGEST, tiles: Vec::new() };
        let least = Equity::from_fractional_points(-MAX_POINTS);
        assert_eq!(
            [Equity::from_fractional_points(MAX_POINTS), least].map(|value| extreme.adjusted(value, 7000.0)),
            [least, -least]
        );
        let error = |text: &str| LateValues::from_csv(text, &english).unwrap_err().to_string();
        assert!(error(&text.replace("\n3,", "\n4,")).starts_with("line 5: expected 3 tiles left"));
        assert!(error(&text.replace("0.5000", "x")).contains("line 2: \"x\""));
        assert!(error(&text.replace("0.5000", "NaN")).contains("\"NaN\""));
        assert!(error(&text.replace(",A,", ",CH,")).contains("line 1"));
        assert!(error("").contains("line 1"));
    }
}
