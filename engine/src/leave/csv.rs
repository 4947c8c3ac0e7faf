//! Leave tables as CSV: `LEAVE,VALUE` a line, the blank as `?`, values in points.

use std::fmt::Write;

use thiserror::Error;

use super::LeaveTable;
use crate::equity::Equity;
use crate::rack::Rack;
use crate::tileset::{Style, TileSet};

/// Why text is not a leave table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct CsvError {
    /// 1-based.
    pub line: usize,
    /// What is wrong with it.
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

/// Reads a table; leaves that the file does not name are worth 0. Also says how many it names.
///
/// # Errors
/// [`CsvError`], with the line.
pub fn read(text: &str, tileset: &TileSet) -> Result<(LeaveTable, usize), CsvError> {
    let mut table = LeaveTable::zero(tileset);
    let mut seen = vec![false; table.ranking().len()];
    for (line, raw) in (1..).zip(text.lines()) {
        let raw = raw.trim().trim_start_matches('\u{feff}');
        if raw.is_empty() {
            continue;
        }
        let fault = |reason: String| CsvError { line, reason };
        let (leave, value) = raw.rsplit_once(',').ok_or_else(|| fault(format!("{raw:?} is not LEAVE,VALUE")))?;
        let tiles = tileset.parse(leave.trim(), Style::Bracketed).map_err(|bad| fault(format!("leave {leave:?}, {bad}")))?;
        let most = table.ranking().max_size();
        let leave = Rack::from_tiles(&tiles[..tiles.len().min(most + 1)]);
        if leave.is_empty() || !table.ranking().holds(&leave) {
            return Err(fault(format!("{raw:?}: a leave has 1 to {most} tiles, no more of each than the set has")));
        }
        let value: f64 = value.trim().parse().map_err(|_| fault(format!("{value:?} is no number of points")))?;
        if !value.is_finite() || value.abs() > 100_000.0 {
            return Err(fault(format!("{value} points cannot be the value of a leave")));
        }
        let index = table.ranking().rank(&leave);
        if std::mem::replace(&mut seen[index], true) {
            return Err(fault(format!("{raw:?} names a leave a second time")));
        }
        table.set(index, Equity::from_fractional_points(value));
    }
    let named = seen.iter().filter(|&&there| there).count();
    if named == 0 { Err(CsvError { line: 1, reason: "no leave in the file".into() }) } else { Ok((table, named)) }
}
