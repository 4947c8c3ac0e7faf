//! The table that a page is about, and what the run knew of its values.

use tilewright_engine::{LeaveTable, Manifest, TileSet};
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::Warnings;

use crate::report::html::{Markup, html};

pub struct Subject<'a> {
    /// The lexicon of an artefact, the file name of a bare table.
    pub name: &'a str,
    /// Words of the lexicon, if it is the one that the table was made for.
    pub words: Option<usize>,
    pub tileset: &'a TileSet,
    pub table: &'a LeaveTable,
    /// Support and errors of the values; bare tables have none.
    pub detail: Option<&'a Detail>,
    /// Warnings about the values.
    pub warnings: &'a Warnings,
    pub manifest: Option<&'a Manifest>,
    /// The generations of its run, if the artefact records them.
    pub generations: Option<&'a Generations>,
}

/// The leave with this number in a table.
pub fn leave_html(index: usize, table: &LeaveTable, tileset: &TileSet) -> Markup {
    html! { span.leave { (table.ranking().unrank(index).show(tileset)) } }
}

/// The head of the column of support, a column of numbers.
pub const SUPPORT: &str = "#turns held";
