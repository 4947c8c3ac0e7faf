//! Win tables of other tools: Macondo's CSV, MAGPIE's text and Quackle's lines.
//!
//! All three have the win probability by spread and number of unseen tiles, from the view of the player to move. They do not
//! name a tile set, so only their size is checked: the number of unseen tiles after the deal.

use std::collections::BTreeMap;

use super::csv::{TableError, fault, read, read_probability};
use super::{States, WinPercentage};

/// The largest lead in points, and the largest number of unseen tiles, of any table.
const MOST: usize = 5000;

/// Win probabilities by the number of unseen tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct ByUnseen {
    /// The largest lead either way, in points.
    pub most_spread: i32,
    /// For 1, 2, … unseen tiles, the win probabilities of the player to move from the lowest lead up.
    pub rows: Vec<Vec<f32>>,
}

impl ByUnseen {
    /// The win table for racks of `rack_size` tiles. With an empty bag, the rack of the player to move makes no difference.
    ///
    /// # Errors
    /// A message if the table is not for `total_tiles` tiles.
    pub(crate) fn table(&self, rack_size: usize, total_tiles: usize) -> Result<WinPercentage, String> {
        let (unseen, wanted) = (self.rows.len(), total_tiles - rack_size);
        if unseen != wanted {
            return Err(format!(
                "it covers 1 to {unseen} unseen tiles; a set of {total_tiles} with racks of {rack_size} leaves {wanted} unseen"
            ));
        }
        let states = States { rack_size, most_bag: total_tiles - 2 * rack_size };
        Ok(WinPercentage::from_fn(states, self.most_spread, |left, spread| {
            f64::from(self.rows[left.unseen() - 1][(spread + self.most_spread) as usize])
        }))
    }
}

/// Reads a table in any of the three formats.
///
/// # Errors
/// [`TableError`], with line and column.
pub fn read_any(text: &str) -> Result<ByUnseen, TableError> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    match first.split_whitespace().count() {
        0 => Err(fault(1, "the first line is empty; expected a win table")),
        _ if first.contains(',') => read_macondo(text),
        3 => read_quackle(text),
        _ => read_magpie(text),
    }
}

/// Reads Macondo's CSV: `,0,1,…,93` (unseen tiles), then one row per spread from the highest down, which begins with the
/// spread. The column of 0 unseen tiles is not used.
///
/// # Errors
/// [`TableError`].
pub(crate) fn read_macondo(text: &str) -> Result<ByUnseen, TableError> {
    let mut lines = (1..).zip(text.lines());
    let head = lines.next().map_or("", |(_, head)| head.trim_end());
    let columns = head.split(',').count();
    if !(3..=MOST).contains(&columns) {
        return Err(fault(1, format!("{columns} columns; the first line must be ,0,1,… up to the most unseen tiles")));
    }
    for (column, (text, expected)) in head.split(',').skip(1).zip(0_usize..).enumerate() {
        let column = column + 2;
        if read::<usize>(text, 1, column, "number of unseen tiles")? != expected {
            return Err(TableError { line: 1, column, reason: format!("{text:?}; expected {expected} unseen tiles") });
        }
    }
    let mut spreads: Vec<(i32, Vec<f32>)> = Vec::new();
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        let mut parts = text.split(',').zip(1..);
        let spread: i32 = read(parts.next().map_or("", |(text, _)| text), line, 1, "spread in points")?;
        if let Some((last, _)) = spreads.last().filter(|(last, _)| last.checked_sub(1) != Some(spread)) {
            let reason = format!("spread {spread} after {last}; spreads must fall by 1");
            return Err(TableError { line, column: 1, reason });
        }
        let probabilities = parts.map(|(text, column)| Ok(read_probability(text, line, column)? as f32));
        let probabilities: Vec<f32> = probabilities.collect::<Result<_, TableError>>()?;
        if probabilities.len() != columns - 1 {
            let (found, wanted) = (probabilities.len(), columns - 1);
            return Err(fault(line, format!("{found} probabilities; the first line has {wanted} columns of them")));
        }
        spreads.push((spread, probabilities));
    }
    let most_spread = spreads.first().map_or(-1, |(spread, _)| *spread);
    check_spreads(most_spread, spreads.len(), spreads.len() + 1)?;
    let rows = (1..columns - 1)
        .map(|unseen| spreads.iter().rev().map(|(_, probabilities)| probabilities[unseen]).collect())
        .collect();
    Ok(ByUnseen { most_spread, rows })
}

/// Reads MAGPIE's text: for 1, 2, … unseen tiles a line with the games and then twice their wins, from the lowest spread up.
///
/// # Errors
/// [`TableError`].
pub(crate) fn read_magpie(text: &str) -> Result<ByUnseen, TableError> {
    let mut rows: Vec<Vec<f32>> = Vec::new();
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let mut parts = text.split_whitespace().zip(1..);
        let games: u64 = read(parts.next().map_or("", |(text, _)| text), line, 1, "number of games")?;
        if games == 0 || games > u64::from(u32::MAX) {
            return Err(TableError { line, column: 1, reason: format!("{games} games; expected 1 to {}", u32::MAX) });
        }
        let probability = |(text, column): (&str, usize)| {
            let doubled: u64 = read(text, line, column, "count of doubled wins")?;
            if doubled > 2 * games {
                let reason = format!("{doubled} doubled wins in {games} games; expected at most {}", 2 * games);
                return Err(TableError { line, column, reason });
            }
            Ok((doubled as f64 / (2 * games) as f64) as f32)
        };
        let probabilities: Vec<f32> = parts.map(probability).collect::<Result<_, TableError>>()?;
        let spreads = rows.first().map_or(probabilities.len(), Vec::len);
        if probabilities.len() != spreads || spreads.is_multiple_of(2) {
            let reason = format!("{} counts of wins; every line must have the same odd number", probabilities.len());
            return Err(fault(line, reason));
        }
        rows.push(probabilities);
        if rows.len() > MOST || spreads > 2 * MOST + 1 {
            return Err(fault(line, format!("the table has more than {MOST} points of lead or unseen tiles")));
        }
    }
    let spreads = rows.first().map_or(0, Vec::len);
    check_spreads((spreads / 2) as i32, spreads, 1)?;
    Ok(ByUnseen { most_spread: (spreads / 2) as i32, rows })
}

/// Reads Quackle's lines: `lead unseen probability`, in any order, each pair of lead and unseen tiles once.
///
/// # Errors
/// [`TableError`].
pub(crate) fn read_quackle(text: &str) -> Result<ByUnseen, TableError> {
    let mut probabilities: BTreeMap<(usize, i32), f32> = BTreeMap::new();
    let mut last_line = 1;
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let [lead, unseen, probability] = parts[..] else {
            return Err(fault(line, format!("{:?} is not of the form: lead unseen probability", text.trim())));
        };
        let lead: i32 = read(lead, line, 1, "lead in points")?;
        let unseen: usize = read(unseen, line, 2, "number of unseen tiles")?;
        let probability = read_probability(probability, line, 3)? as f32;
        if lead.unsigned_abs() as usize > MOST || !(1..=MOST).contains(&unseen) {
            let reason = format!("lead {lead} with {unseen} unseen; expected at most {MOST} points, and 1 to {MOST} tiles");
            return Err(fault(line, reason));
        }
        if probabilities.insert((unseen, lead), probability).is_some() {
            return Err(fault(line, format!("lead {lead} with {unseen} unseen appears a second time")));
        }
        last_line = line;
    }
    let most_spread = probabilities.keys().map(|(_, lead)| lead.abs()).max().unwrap_or(-1);
    let most_unseen = probabilities.keys().map(|(unseen, _)| *unseen).max().unwrap_or_default();
    let spreads = (2 * most_spread + 1).max(0) as usize;
    if probabilities.len() != spreads * most_unseen || probabilities.is_empty() {
        let reason = format!(
            "{} lines; leads from {} to {most_spread} with 1 to {most_unseen} unseen tiles need {}",
            probabilities.len(),
            -most_spread,
            spreads * most_unseen
        );
        return Err(fault(last_line, reason));
    }
    // Keys are sorted and none is missing, so every `spreads` values are a row.
    let values: Vec<f32> = probabilities.into_values().collect();
    Ok(ByUnseen { most_spread, rows: values.chunks_exact(spreads).map(<[f32]>::to_vec).collect() })
}

/// Checks that `spreads` spreads, with `most_spread` as the highest, have the same number below 0 as above.
fn check_spreads(most_spread: i32, spreads: usize, line: usize) -> Result<(), TableError> {
    if most_spread < 0 || spreads as i64 != 2 * i64::from(most_spread) + 1 {
        let reason = format!("{spreads} spreads from {most_spread} down; expected as many below 0 as above, and 0");
        return Err(fault(line, reason));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::Equity;
    use crate::win_percentage::TilesLeft;

    #[test]
    fn the_three_layouts_give_the_same_table() {
        let macondo = "\u{feff},0,1,2\n1,1,0.75,0.5\n0,0.5,0.25,0.5\n-1,0,0.25,0\n";
        let magpie = "2 1 1 3\n4 0 4 4\n";
        let quackle = "1 1 .75\n0 1 0.25\n-1 1 0.25\n-1 2 0\n0 2 0.5\n1 2 0.5\n";
        let expected = ByUnseen { most_spread: 1, rows: vec![vec![0.25, 0.25, 0.75], vec![0.0, 0.5, 0.5]] };
        for text in [macondo, magpie, quackle] {
            assert_eq!(read_any(text).unwrap(), expected, "{text}");
        }
        let table = expected.table(1, 3).unwrap();
        let probability =
            |bag, spread| table.win_probability(TilesLeft { bag, own: 1, other: 1 }, Equity::from_points(spread));
        let exact = [probability(0, 1), probability(1, -1), probability(1, 9)].map(f64::to_bits);
        assert_eq!(exact, [0.75, 0.0, 0.5].map(f64::to_bits));
        assert!(expected.table(7, 100).unwrap_err().contains("1 to 2 unseen tiles; a set of 100"));
    }

    #[test]
    fn every_fault_is_reported_with_its_place() {
        for (text, part) in [
            ("", "line 1: the first line is empty"),
            (",0,2\n", "line 1, column 3: \"2\"; expected 1"),
            (",0,x\n", "line 1, column 3: \"x\" is not a number of unseen tiles"),
            (",0,1\n1,1,1\n-1,0,0\n", "line 3, column 1: spread -1 after 1"),
            (",0,1\n1,1,1\n0,1\n", "line 3: 1 probabilities"),
            (",0,1\n1,1,1.5\n", "line 2, column 3: 1.5 is not a win probability"),
            (",0,1\n1,1,1\n0,1,1\n", "2 spreads from 1 down"),
            (",0,1\n", "0 spreads"),
            ("0 1 1 1\n", "line 1, column 1: 0 games"),
            ("2 1 1 5\n", "line 1, column 4: 5 doubled wins in 2 games"),
            ("2 1 1 3\n2 1 1 3 4\n", "line 2: 4 counts of wins"),
            ("2 1 1 much\n", "line 1, column 4: \"much\" is not a count"),
            ("0 1 0.5\n0 1 0.5\n", "line 2: lead 0 with 1 unseen appears a second time"),
            ("0 1 0.5\n1 1 0.5\n", "2 lines; leads from -1 to 1 with 1 to 1 unseen tiles need 3"),
            ("0 1 0.5\n0 1\n", "line 2: \"0 1\" is not of the form: lead unseen probability"),
            ("0 0 0.5\n", "lead 0 with 0 unseen"),
            ("-2147483648 1 0.5\n", "at most 5000 points"),
        ] {
            let error = read_any(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
