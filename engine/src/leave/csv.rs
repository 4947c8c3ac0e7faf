//! Leave tables as CSV: one `LEAVE,VALUE` per line, the blank as `?`, values in points.

use std::fmt::Write;

use thiserror::Error;

use super::{LeaveTable, MAX_POINTS};
use crate::equity::Equity;
use crate::rack::Rack;
use crate::tileset::TileSet;

/// Why text is not a leave table, or not a table of adjustments.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct CsvError {
    /// The line, from 1.
    pub line: usize,
    /// The reason of the error.
    pub reason: String,
}

/// Writes every leave of 1 to rack size − 1 tiles, shortest first.
pub fn write(table: &LeaveTable, tileset: &TileSet) -> String {
    let mut text = String::with_capacity(table.values().len() * 16);
    for index in 1..table.ranking().len() {
        let leave = tileset.show_all(&table.ranking().unrank(index).tiles().collect::<Vec<_>>());
        let _ = writeln!(text, "{leave},{}", table.values()[index]);
    }
    text
}

/// Reads a table and the number of leaves in the file. Other leaves are estimated from smaller ones, and
/// [`LeaveTable::estimated`] counts them.
///
/// The tiles of a leave may be in any order and in lower case, because a blank on a rack has no letter. If a file has a
/// bracket anywhere, every tile of several characters must be in brackets, and `CH` is two tiles. In a file without
/// brackets, a leave that can be read in two ways is refused.
///
/// An estimate assumes that two tiles of a leave do not interact. It is a mean over all pairs of its tiles: the value
/// without the one, plus the value without the other, minus the value without both. Smaller leaves are estimated first. The
/// estimate is exact for additive values. A single tile that the file lacks is worth 0. The following root mean square
/// errors are for the English table of `leaves train`, over leaves of six tiles. The error is 1.4 points if a random fifth
/// of all leaves is missing, 1.1 if all leaves of six tiles are, and 8.1 if the file has only the single tiles. A value of 0
/// for every leave is 14.6 points off.
///
/// # Errors
/// [`CsvError`], with the line, if a line cannot be read, a leave is repeated, or the file has no leaves.
pub fn read(text: &str, tileset: &TileSet) -> Result<(LeaveTable, usize), CsvError> {
    let mut table = LeaveTable::zero(tileset);
    let mut named = vec![false; table.ranking().len()];
    let has_brackets = text.contains('[');
    for (line, raw) in (1..).zip(text.lines()) {
        let raw = raw.trim().trim_start_matches('\u{feff}');
        if raw.is_empty() {
            continue;
        }
        let fault = |reason: String| CsvError { line, reason };
        let (leave, value) = raw.rsplit_once(',').ok_or_else(|| fault(format!("{raw:?} is not LEAVE,VALUE")))?;
        let leave = leave.trim().to_uppercase();
        let read = if has_brackets { Rack::from_notation } else { Rack::parse };
        let leave = read(&leave, tileset).map_err(|bad| fault(bad.to_string()))?;
        let most = table.ranking().max_size();
        if leave.is_empty() || !table.ranking().holds(&leave) {
            return Err(fault(format!("{raw:?}: a leave has 1 to {most} tiles, no more of a kind than the tile set")));
        }
        let value: f64 = value.trim().parse().map_err(|_| fault(format!("{value:?} is not a number of points")))?;
        if !value.is_finite() || value.abs() > MAX_POINTS {
            return Err(fault(format!("value {value} is out of range; expected -{MAX_POINTS} to {MAX_POINTS} points")));
        }
        let index = table.ranking().rank(&leave);
        if std::mem::replace(&mut named[index], true) {
            let leave = leave.show(tileset);
            return Err(fault(format!(
                "{raw:?} repeats the leave {leave}; to tell tiles of several characters apart, write them in brackets"
            )));
        }
        table.set(index, Equity::from_fractional_points(value));
    }
    let leaves = named.iter().filter(|&&there| there).count();
    if leaves == 0 {
        return Err(CsvError { line: 1, reason: "the file has no leaves; expected LEAVE,VALUE".into() });
    }
    table.complete(&named);
    Ok((table, leaves))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(table: &LeaveTable, leave: &str, tileset: &TileSet) -> Equity {
        table.get(&Rack::parse(leave, tileset).unwrap()).unwrap()
    }

    #[test]
    fn tiles_are_read_in_any_order_case_and_spelling_of_digraphs() {
        let spanish = TileSet::embedded("spanish").unwrap();
        let (table, leaves) = read("\u{feff}eS[CH],1.5\r\na?,20\r\n[rr]Ñ,-3.0\r\n\r\n", &spanish).unwrap();
        assert_eq!(leaves, 3);
        assert_eq!(["ES[CH]", "A?", "Ñ[RR]"].map(|leave| value(&table, leave, &spanish)), [1500, 20_000, -3000].map(Equity));
        let two = read("A,1\nchse,1.5\n", &spanish).unwrap_err().to_string();
        assert!(two.contains("line 2: rack \"CHSE\" can be the tiles [CH] E S or the tiles C E H S"), "{two}");
        // With brackets anywhere in the file, CH without them is two tiles.
        let (both, leaves) = read("CH,2\n[CH],5\n", &spanish).unwrap();
        assert_eq!(
            (leaves, value(&both, "[C][H]", &spanish), value(&both, "[CH]", &spanish)),
            (2, Equity(2000), Equity(5000))
        );
        let twice = read("[CH],2\nCH,5\nHC,5\n", &spanish).unwrap_err().to_string();
        assert!(twice.contains("line 3: \"HC,5\" repeats the leave CH") && twice.contains("brackets"), "{twice}");
    }

    #[test]
    fn every_fault_is_reported_with_its_line() {
        let english = TileSet::embedded("english").unwrap();
        let fault = |text: &str| read(text, &english).unwrap_err().to_string();
        for (text, parts) in [
            ("", "the file has no leaves"),
            ("A,1\nAE;2\n", "line 2: \"AE;2\" is not LEAVE,VALUE"),
            ("A,1\nÄ,2\n", "line 2: rack \"Ä\", column 1"),
            ("A,1\nZZ,2\n", "line 2: rack \"ZZ\" has 2 Z, but the english tile set has 1"),
            ("AEINRST,2\n", "1 to 6 tiles"),
            (",2\n", "1 to 6 tiles"),
            ("A,nan\n", "value NaN is out of range"),
            ("A,1e9\n", "expected -100000 to 100000 points"),
            ("AE,1\nEA,2\n", "line 2: \"EA,2\" repeats the leave AE"),
        ] {
            assert!(fault(text).contains(parts), "{text:?}: {}", fault(text));
        }
    }

    #[test]
    fn a_whole_table_needs_no_estimate() {
        let swedish = TileSet::embedded("swedish").unwrap();
        let mut table = LeaveTable::zero(&swedish);
        for index in 1..table.ranking().len() {
            table.set(index, Equity((index as i64 * 7919 % 60_000) as i32 - 30_000));
        }
        let (again, leaves) = read(&write(&table, &swedish), &swedish).unwrap();
        assert_eq!((leaves, again.estimated()), (table.values().len() - 1, 0));
        assert_eq!(again.values(), table.values());
    }
}
