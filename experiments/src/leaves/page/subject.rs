//! What the page shows: a table and what is known about it.

use tilewright_engine::artefact::Manifest;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::tileset::TileSet;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::{WELL_COUNTED, WELL_SUPPORTED, Warnings};

use crate::report::html::escape;

/// The contents of the page.
pub struct Subject<'a> {
    /// The lexicon of an artefact, the file name of a bare table.
    pub name: &'a str,
    /// Words of the lexicon, if it is the one that the table was made for.
    pub words: Option<usize>,
    /// The tiles.
    pub tileset: &'a TileSet,
    /// The values.
    pub table: &'a LeaveTable,
    /// What stands behind them; bare tables have none.
    pub detail: Option<&'a Detail>,
    /// What is to be said against them.
    pub warnings: &'a Warnings,
    /// How the artefact was made.
    pub manifest: Option<&'a Manifest>,
    /// How its run went, if the artefact tells.
    pub generations: Option<&'a Generations>,
}

/// A leave by its number, set as a word of tiles.
pub fn leave_cell(index: usize, subject: &Subject<'_>) -> String {
    format!("<span class=\"leave\">{}</span>", escape(&subject.table.ranking().unrank(index).show(subject.tileset)))
}

/// What can stand behind a value.
pub struct Source<'a> {
    /// How its column is called.
    pub head: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// What a leave that it never met is called.
    pub never: &'static str,
    /// Where a leave is well known by it alone.
    pub well_known: i64,
    /// How often each leave was met, by its number.
    pub counts: &'a [i64],
}

impl Source<'_> {
    pub fn count(&self, index: usize) -> u64 {
        self.counts[index].max(0).unsigned_abs()
    }

    /// The head of a column with the counts.
    pub fn column(&self) -> String {
        format!("#{}", self.head)
    }
}

/// What stands behind the values: turns of self-play, boards of the census, or both, if the run had them.
pub fn sources<'a>(subject: &Subject<'a>) -> Vec<Source<'a>> {
    let Some(detail) = subject.detail else { return Vec::new() };
    let turns = Source {
        head: "turns held",
        unit: "turns",
        never: "never held",
        well_known: WELL_SUPPORTED,
        counts: &detail.support,
    };
    let boards =
        Source { head: "boards", unit: "boards", never: "on none", well_known: WELL_COUNTED, counts: &detail.boards };
    [turns, boards].into_iter().filter(|source| source.counts.iter().any(|&count| count > 0)).collect()
}

/// The quantile `share` (0–1) of rising values; 0 without values.
pub fn quantile(rising: &[f64], share: f64) -> f64 {
    let at = ((rising.len() as f64 * share) as usize).min(rising.len().saturating_sub(1));
    rising.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_are_there() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        let tenths = [0.0, 0.25, 0.5, 1.0].map(|share| (10.0 * quantile(&rising, share)) as i32);
        assert_eq!((tenths, quantile(&[], 0.5) as i32), ([10, 20, 30, 40], 0));
    }
}
