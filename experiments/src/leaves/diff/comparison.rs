//! The comparison of two tables.

use std::path::Path;

use tilewright_engine::setup::rules_hash;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::difference::Difference;

use crate::Failure;
use crate::flags::shell_word;
use crate::leaves::flags::LeavesDiffArguments;
use crate::leaves::table::{OpenTable, Place};
use crate::report::html::grouped;

/// Two tables of one tile set.
pub struct Comparison {
    /// The tables, A and B.
    pub tables: [OpenTable; 2],
    /// Support and standard errors of their values, if the artefacts have them.
    pub details: [Option<Detail>; 2],
    pub difference: Difference,
    /// The command that makes the page.
    pub command: String,
}

impl Comparison {
    /// Opens the tables that the arguments name.
    pub fn open(arguments: &LeavesDiffArguments) -> Result<Comparison, Failure> {
        let game = &arguments.flags.game;
        let [a, b] = [&arguments.a, &arguments.b].map(|path| OpenTable::open(&Place::named(path), game));
        let (a, b) = (a?, b?);
        if rules_hash(&a.tileset, &a.layout) != rules_hash(&b.tileset, &b.layout) {
            let [tiles_a, tiles_b] = [&a, &b].map(|open| open.tileset.name());
            return Err(Failure::input(format!(
                "{} is for the tile set {tiles_a} and {} for {tiles_b}; only tables of one tile set and board can be compared",
                a.name, b.name
            )));
        }
        let difference = Difference::between(&a.table, &b.table, &a.tileset);
        // The intervals are on the page alone.
        let details = if arguments.html.is_some() { [a.detail()?, b.detail()?] } else { [None, None] };
        let word = |path: &Path| shell_word(&path.display().to_string());
        let (path_a, path_b) = (word(&arguments.a), word(&arguments.b));
        let page = arguments.html.as_ref().map_or(String::new(), |page| format!(" --html {}", word(page)));
        let command = format!("tilewright leaves diff {path_a} {path_b}{}{page}", game.repeated());
        Ok(Comparison { tables: [a, b], details, difference, command })
    }

    /// The values of a leave by its number in A and B, in points.
    pub fn values(&self, index: usize) -> [f64; 2] {
        self.tables.each_ref().map(|open| open.table.values()[index].points())
    }

    /// How many times a million random racks hold a leave, as text.
    pub fn often(&self, index: usize) -> String {
        match 1e6 * self.difference.weight(index) {
            rare if rare < 0.1 => "less than 0.1".into(),
            few if few < 99.5 => format!("{few:.1}"),
            many => grouped(many.round() as u64),
        }
    }

    /// The difference of a leave by its number, A − B, in points.
    pub fn of(&self, index: usize) -> f64 {
        let [a, b] = self.values(index);
        a - b
    }

    pub fn leave(&self, index: usize) -> String {
        self.tables[0].table.ranking().unrank(index).show(&self.tables[0].tileset)
    }
}

/// A correlation with four decimals.
pub fn correlation_text(correlation: f64) -> String {
    format!("{correlation:.4}").replace('-', "−")
}
