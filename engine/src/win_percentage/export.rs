//! Win tables in the layouts of other tools, which have only the number of unseen tiles. [`super::import`] describes them.

use std::fmt::Write;

use super::WinPercentage;

/// The largest lead that both tools read, in points.
pub(crate) const MAX_SPREAD: i32 = 300;
/// The number of games in MAGPIE's counts. Win probabilities are rounded to a two-millionth.
const GAMES: u32 = 1_000_000;

/// The largest number of unseen tiles: that after the deal.
fn most_unseen(table: &WinPercentage) -> usize {
    table.states().most_bag + table.states().rack_size
}

/// Writes Macondo's CSV, 601 rows from +300 down. The unused column of 0 unseen tiles has the result of a final lead.
pub fn macondo(table: &WinPercentage) -> String {
    let most = most_unseen(table);
    let mut text = String::new();
    for unseen in 0..=most {
        let _ = write!(text, ",{unseen}");
    }
    text.push('\n');
    for spread in (-MAX_SPREAD..=MAX_SPREAD).rev() {
        let _ = write!(text, "{spread},{}", super::final_win_probability(spread));
        for unseen in 1..=most {
            let _ = write!(text, ",{:.5}", table.win_probability_unseen(unseen, spread));
        }
        text.push('\n');
    }
    text
}

/// Writes MAGPIE's text: for 1, 2, … unseen tiles a line with the games and 601 counts of doubled wins from −300 up.
pub fn magpie(table: &WinPercentage) -> String {
    let mut text = String::new();
    for unseen in 1..=most_unseen(table) {
        let _ = write!(text, "{GAMES}");
        for spread in -MAX_SPREAD..=MAX_SPREAD {
            let doubled = (f64::from(2 * GAMES) * table.win_probability_unseen(unseen, spread)).round();
            let _ = write!(text, " {doubled}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::States;
    use super::*;
    use crate::equity::Equity;
    use crate::win_percentage::import::{read_any, read_magpie};
    use crate::win_percentage::load::logistic;
    use crate::win_percentage::{TilesLeft, final_win_probability};

    #[test]
    fn exported_tables_can_be_imported() {
        let probability = |left: TilesLeft, spread: i32| {
            let (lead, width) = (f64::from(spread) + 2.0 * left.own as f64, 5.0 + left.unseen() as f64);
            if left.is_over() { final_win_probability(spread) } else { logistic(lead, width) }
        };
        let table = WinPercentage::from_fn(States { rack_size: 7, most_bag: 86 }, 400, probability);
        let turns = table.states().all().map(|left| u64::from(left.own == 3)).collect();
        let table = table.with_turns(turns);
        for (text, tolerance) in [(macondo(&table), 6e-6), (magpie(&table), 6e-7)] {
            let read = read_any(&text).unwrap();
            assert_eq!((read.most_spread, read.rows.len()), (300, 93));
            let back = read.table(7, 100).unwrap();
            for bag in [0, 1, 40, 86] {
                // With an empty bag only racks of three tiles have turns, so the export has their probabilities.
                let left = TilesLeft { bag, own: if bag == 0 { 3 } else { 7 }, other: 7 };
                for spread in [-300, -41, 0, 7, 300] {
                    let [a, b] = [&table, &back].map(|table| table.win_probability(left, Equity::from_points(spread)));
                    assert!((a - b).abs() < tolerance, "{left:?} {spread}: {a} {b}");
                }
            }
        }
        assert_eq!(macondo(&table).lines().count(), 602);
        assert!(macondo(&table).starts_with(",0,1,2,") && macondo(&table).contains("\n300,1,"));
        assert!(read_magpie(&magpie(&table)).is_ok());
    }
}
