//! The tables of `analyse`, as text and as JSON.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use tilewright_train::analysis::{QUERIES, Query, Row, Rules, tables};
use tilewright_train::records::{RECORDS_KIND, RecordFiles};

use super::flags::AnalyseArguments;
use crate::failure::{Failure, Input};
use crate::progress::Progress;
use crate::{loading, output};

/// Asks the records for the tables of the flags.
///
/// # Errors
/// [`Failure::Input`] for an unknown table, and for records that cannot be read.
pub fn run(arguments: &AnalyseArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let queries = if arguments.table.is_empty() {
        QUERIES.to_vec()
    } else {
        arguments.table.iter().map(|name| query(name)).collect::<Result<_, _>>()?
    };
    loading::start_threads(&arguments.flags)?;
    let opened = loading::open(&arguments.records, RECORDS_KIND, &arguments.flags.game)?;
    let rules = Rules::new(&opened.tileset, &opened.layout);
    let records = RecordFiles::new(&arguments.records, opened.content);
    let waiting = Progress::waiting(arguments.flags.game.quiet, "reading records");
    let found = tables(&records, &queries, &rules).input()?;
    drop(waiting);
    let tables = queries.into_iter().zip(found).map(|(query, rows)| Table::new(query, &rows, &rules)).collect();
    output::show(&Analysis { records: arguments.records.display().to_string(), tables: Tables(tables) }, json)
}

fn query(name: &str) -> Result<&'static Query, Failure> {
    let query = QUERIES.into_iter().find(|query| query.name == name);
    query.ok_or_else(|| {
        let names: Vec<&str> = QUERIES.iter().map(|query| query.name).collect();
        Failure::input(format!("--table {name}: there is no such table; choose from {}", names.join(", ")))
    })
}

/// The result of `analyse`.
#[derive(Serialize)]
struct Analysis {
    records: String,
    tables: Tables,
}

/// Tables by name.
struct Tables(Vec<Table>);

/// A table.
struct Table {
    query: &'static Query,
    rows: Vec<(String, Cells)>,
}

/// A line; the value is in the unit of the table, with its 95 % interval.
#[derive(Serialize)]
struct Cells {
    value: f64,
    /// Null where the games do not tell.
    low: Option<f64>,
    high: Option<f64>,
    /// What the value is a share of.
    n: i64,
    games: i64,
}

impl Table {
    fn new(query: &'static Query, rows: &[Row], rules: &Rules) -> Table {
        let cells = |Row { key, ratio }: &Row| {
            let [value, half] = [ratio.value(), ratio.half_width()].map(|figure| query.scale() * figure);
            let end = |half: f64| half.is_finite().then_some(value + half);
            let cells = Cells { value, low: end(-half), high: end(half), n: ratio.n, games: ratio.games };
            ((query.label)(*key, rules), cells)
        };
        Table { query, rows: rows.iter().map(cells).collect() }
    }
}

impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for table in &self.0 {
            map.serialize_entry(table.query.name, table)?;
        }
        map.end()
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.rows.iter().map(|(key, cells)| (key, cells)))
    }
}

impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables: Vec<String> = self.tables.0.iter().map(Table::to_string).collect();
        f.write_str(tables.join("\n\n").as_str())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Query { name, key, value, unit, .. } = self.query;
        write!(f, "{name}: {value}, by {key}, in {unit}")?;
        for (label, Cells { value, high, n, .. }) in &self.rows {
            let half = high.map_or("?".into(), |high| format!("{:.3}", high - value));
            write!(f, "\n  {label:>4}  {value:8.3} ± {half:<7}  of {n}")?;
        }
        Ok(())
    }
}
