//! Whole win tables as CSV: a row for every state that a game can be in, a column for every lead.
//!
//! ```text
//! bag,own,other,turns,-500,-499,…,499,500
//! 0,1,1,2214,0,0,…,1,1
//! …
//! 86,7,7,200000,0.00013,0.00013,…,0.99991,0.99991
//! ```
//!
//! The first columns are the tiles in the bag, on the rack of the player to move and on the other rack, and the turns seen
//! in this state when the table was made. The others are the win probability of the player to move, 0 to 1 with five
//! decimals, for each lead in points. Rows may be in any order. With an empty bag there is a row for every pair of rack
//! sizes from 1. Otherwise both racks are full.

use std::fmt::Write;

use thiserror::Error;

use super::{States, TilesLeft, WinPercentage, final_win_probability};

/// The beginning of the first line.
pub(crate) const HEAD: &str = "bag,own,other,turns,";
/// Win probabilities are rounded to one part in this many.
const PARTS: f64 = 100_000.0;
/// The number of columns before the leads.
const KEYS: usize = 4;
/// The limit on racks, bags and the number of leads in a file.
const MOST: usize = 10_000;

/// Why text is not a win table of any format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}{}: {reason}", if *column > 0 { format!(", column {column}") } else { String::new() })]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The value in the line, from 1, or 0 if the error is about the whole line.
    pub column: usize,
    /// The reason of the error.
    pub reason: String,
}

/// An error about a whole line.
pub(super) fn fault(line: usize, reason: impl Into<String>) -> TableError {
    TableError { line, column: 0, reason: reason.into() }
}

/// Parses the value in a column. `what` names the expected value in the error.
pub(super) fn read<T: std::str::FromStr>(text: &str, line: usize, column: usize, what: &str) -> Result<T, TableError> {
    let text = text.trim();
    text.parse().map_err(|_| TableError { line, column, reason: format!("{text:?} is not a {what}") })
}

/// Parses the win probability in a column.
pub(super) fn read_probability(text: &str, line: usize, column: usize) -> Result<f64, TableError> {
    let probability: f64 = read(text, line, column, "win probability")?;
    if (0.0..=1.0).contains(&probability) {
        return Ok(probability);
    }
    Err(TableError { line, column, reason: format!("{probability} is not a win probability; expected 0 to 1") })
}

impl WinPercentage {
    /// The same table with every probability rounded as [`write()`] rounds it, so that a written table reads back unchanged.
    #[must_use]
    pub fn rounded(mut self) -> WinPercentage {
        for probability in &mut self.probabilities {
            *probability = (f64::from(*probability) * PARTS).round() as f32 / PARTS as f32;
        }
        self
    }
}

/// Writes a table.
pub fn write(table: &WinPercentage) -> String {
    let mut text = String::from(HEAD);
    let most = table.most_spread;
    text += &(-most..=most).map(|spread| spread.to_string()).collect::<Vec<_>>().join(",");
    text.push('\n');
    for left in table.states.all().filter(|left| !left.is_over()) {
        let _ = write!(text, "{},{},{},{}", left.bag, left.own, left.other, table.turns(left));
        for &probability in table.row(left) {
            let _ = write!(text, ",{}", (f64::from(probability) * PARTS).round() / PARTS);
        }
        text.push('\n');
    }
    text
}

/// The turns of a state, and its win probabilities from the lowest lead up.
type Counts = (u64, Vec<f32>);

/// Reads a table that [`write()`] wrote.
///
/// # Errors
/// [`TableError`], with line and column, also if a probability falls while the lead grows, or if a state is missing.
pub fn read_table(text: &str) -> Result<WinPercentage, TableError> {
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let Some((_, head)) = lines.next() else { return Err(fault(1, "the file is empty; expected a win table")) };
    let most_spread = read_head(head)?;
    let rows = lines.filter(|(_, text)| !text.trim().is_empty()).map(|(line, text)| read_row(text, line, most_spread));
    collect(rows.collect::<Result<_, _>>()?, most_spread)
}

fn read_head(head: &str) -> Result<i32, TableError> {
    let leads =
        head.trim_end().strip_prefix(HEAD).ok_or_else(|| fault(1, format!("the first line must begin with {HEAD}")))?;
    let count = leads.split(',').count();
    let most = (count / 2) as i32;
    if count % 2 == 0 || count > MOST {
        return Err(fault(1, format!("{count} leads; expected an odd number below {MOST}: as many behind as ahead, and 0")));
    }
    for (column, (text, expected)) in leads.split(',').zip(-most..=most).enumerate() {
        let column = KEYS + column + 1;
        let lead: i32 = read(text, 1, column, "lead in points")?;
        if lead != expected {
            let reason = format!("lead {lead}; expected {expected}, because leads rise by 1 from {} to {most}", -most);
            return Err(TableError { line: 1, column, reason });
        }
    }
    Ok(most)
}

fn read_row(text: &str, line: usize, most_spread: i32) -> Result<(TilesLeft, Counts), TableError> {
    let mut parts = text.split(',').zip(1..);
    let mut key = |what| match parts.next() {
        Some((text, column)) => read::<u64>(text, line, column, what),
        None => Err(fault(line, format!("the line ends before the {what}"))),
    };
    let [bag, own, other] = [key("number of tiles")?, key("number of tiles")?, key("number of tiles")?];
    let turns = key("number of turns")?;
    if bag.max(own).max(other) > MOST as u64 || own == 0 || other == 0 {
        return Err(fault(line, format!("bag {bag}, racks {own} and {other}: not a state of a game in progress")));
    }
    let mut probabilities: Vec<f32> = Vec::with_capacity(2 * most_spread as usize + 1);
    for (text, column) in parts {
        let probability = read_probability(text, line, column)? as f32;
        if let Some(last) = probabilities.last().filter(|&&last| last > probability) {
            let reason = format!("{probability} after {last}; the win probability must not fall as the lead grows");
            return Err(TableError { line, column, reason });
        }
        probabilities.push(probability);
    }
    let wanted = 2 * most_spread as usize + 1;
    if probabilities.len() != wanted {
        return Err(fault(line, format!("{} probabilities; the first line has {wanted} leads", probabilities.len())));
    }
    Ok((TilesLeft { bag: bag as usize, own: own as usize, other: other as usize }, (turns, probabilities)))
}

/// Builds the table from its rows, which must cover all states.
fn collect(rows: Vec<(TilesLeft, Counts)>, most_spread: i32) -> Result<WinPercentage, TableError> {
    let largest = |size: fn(&TilesLeft) -> usize| rows.iter().map(|(left, _)| size(left)).max().unwrap_or_default();
    let states = States { rack_size: largest(|left| left.own), most_bag: largest(|left| left.bag) };
    // Checked first, so that one wrong number cannot ask for a huge table.
    let expected = states.rack_size.pow(2) + states.most_bag;
    if rows.len() != expected {
        let (rack, bag) = (states.rack_size, states.most_bag);
        let reason = format!("{} states; racks of {rack} and a bag of {bag} need {expected}", rows.len());
        return Err(fault(rows.len() + 1, reason));
    }
    let mut by_state: Vec<Option<Counts>> = (0..states.len()).map(|_| None).collect();
    for ((left, counts), line) in rows.into_iter().zip(2..) {
        let number = states.number(left);
        let TilesLeft { bag, own, other } = left;
        if states.tiles_left(number) != left {
            let reason = format!("bag {bag}, racks {own} and {other}: with tiles in the bag both racks are full");
            return Err(fault(line, reason));
        }
        if by_state[number].replace(counts).is_some() {
            return Err(fault(line, format!("bag {bag}, racks {own} and {other} appear a second time")));
        }
    }
    let turns = by_state.iter().map(|counts| counts.as_ref().map_or(0, |counts| counts.0)).collect();
    let probability = |left: TilesLeft, spread: i32| match &by_state[states.number(left)] {
        Some((_, probabilities)) => f64::from(probabilities[(spread + most_spread) as usize]),
        None => final_win_probability(spread),
    };
    Ok(WinPercentage::from_fn(states, most_spread, probability).with_turns(turns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::win_percentage::load::logistic;

    fn table() -> WinPercentage {
        let table = WinPercentage::from_fn(States { rack_size: 3, most_bag: 4 }, 20, |left, spread| {
            let width = 3.0 + left.unseen() as f64;
            if left.is_over() { final_win_probability(spread) } else { logistic(f64::from(spread) + left.own as f64, width) }
        });
        let turns = table.states().all().map(|left| if left.is_over() { 0 } else { 7 + left.own as u64 }).collect();
        table.with_turns(turns).rounded()
    }

    #[test]
    fn tables_round_trip_to_the_last_bit() {
        let table = table();
        let text = write(&table);
        assert_eq!(read_table(&text).unwrap(), table);
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1..].reverse();
        assert_eq!(read_table(&format!("\u{feff}{}\r\n\r\n", lines.join("\r\n"))).unwrap(), table);
        assert!(table.probabilities.iter().all(|&probability| (0.0..=1.0).contains(&probability)));
    }

    #[test]
    fn every_fault_is_reported_with_its_place() {
        let good = write(&table());
        let changed = |from: &str, to: &str| {
            assert!(good.contains(from), "{from}");
            read_table(&good.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(changed("bag,own", "bug,own").contains("line 1: the first line must begin with bag,own,other,turns,"));
        assert!(changed(",-19,", ",-18,").contains("line 1, column 6: lead -18; expected -19"));
        assert!(changed(",19,20", ",19").contains("40 leads"));
        assert!(changed("0,1,1,8,", "0,1,1,8,x").contains("line 2, column 5: \"x0."));
        assert!(changed("0,1,1,8,", "0,1,1,8,0.9,").contains("line 2, column 6: 0."));
        assert!(
            changed("0,1,2,8,", "0,1,2,8,-1,").contains("line 3, column 5: -1 is not a win probability; expected 0 to 1")
        );
        assert!(changed("0,1,2,8,", "0,1,2,8,0,").contains("line 3: 42 probabilities; the first line has 41 leads"));
        assert!(changed("0,1,2,8,", "0,1,1,8,").contains("line 3: bag 0, racks 1 and 1 appear a second time"));
        assert!(changed("4,3,3,10,", "4,3,2,10,").contains("line 14: bag 4, racks 3 and 2: with tiles in the bag"));
        assert!(changed("4,3,3,10,", "5,3,3,10,").contains("13 states; racks of 3 and a bag of 5 need 14"));
        assert!(changed("4,3,3,10,", "4,0,3,10,").contains("not a state of a game in progress"));
        assert!(read_table("").unwrap_err().to_string().contains("empty"));
    }
}
