//! `analyse`: tables of bingos, scores, words and squares from records of games, as text and as JSON.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Serialize, Serializer};
use tilewright_train::analysis::{QUERIES, Query, Row, Rules, tables};
use tilewright_train::records::{RECORDS_KIND, RecordFiles, RecordTable};

use crate::flags::{JsonFlag, ReadFlags};
use crate::loading::Opened;
use crate::{Failure, Input, Progress, loading, output};

#[derive(Debug, Args)]
pub struct AnalyseArguments {
    /// Records: a folder of selfplay or of match --games-out, or a Parquet file
    #[arg(value_name = "PATH")]
    pub records: PathBuf,
    /// A table: bingos-by-turn, bingos-by-tile, scores-by-turn, scores-by-tile, scores-by-two, tiles-laid,
    /// scores-by-tiles-laid, word-lengths, scores-by-word-length, squares, scores-by-square. Of simulated candidates:
    /// best-rank, best-gap, simulation-gain, playout-deviation, difference-deviation, common-deals. May be repeated
    /// [default: all]
    #[arg(long, value_name = "NAME")]
    pub table: Vec<String>,
    /// The game. Records name their own tile set and need no lexicon. `--threads` is for reading, and polars uses all cores.
    #[command(flatten)]
    pub flags: ReadFlags,
    #[command(flatten)]
    pub json: JsonFlag,
}

/// Asks the records for the tables of the flags.
///
/// # Errors
/// [`Failure::Input`] for an unknown table, and for records that cannot be read or lack the data of a named table.
pub fn run(arguments: &AnalyseArguments) -> Result<(), Failure> {
    let json = arguments.json.file()?;
    let named = arguments.table.iter().map(|name| query(name)).collect::<Result<Vec<_>, _>>()?;
    loading::start_threads(arguments.flags.threads)?;
    let Opened { content, tileset, layout } = loading::open(&arguments.records, RECORDS_KIND, &arguments.flags.game)?;
    let rules = Rules::new(&tileset, &layout);
    let records = |table| RecordFiles::new(&arguments.records, content.clone(), table);
    let queries = if named.is_empty() { all_queries(&records, &arguments.records) } else { named };
    let waiting = Progress::waiting(arguments.flags.game.quiet, "reading records");
    let mut found = Vec::new();
    for table in [RecordTable::Turns, RecordTable::Candidates] {
        let asked: Vec<&Query> = queries.iter().copied().filter(|query| query.table == table).collect();
        if let Some(first) = asked.first() {
            let records = records(table);
            if records.is_empty() {
                return Err(Failure::input(format!(
                    "{}: it has no valued candidates for --table {}; make them with selfplay --candidates K --deals N",
                    arguments.records.display(),
                    first.name
                )));
            }
            let rows = tables(&records, &asked, &rules).input()?;
            found.extend(asked.iter().zip(rows).map(|(query, rows)| Table::new(query, &rows, &rules)));
        }
    }
    drop(waiting);
    output::show(&Analysis { records: arguments.records.display().to_string(), tables: Tables(found) }, json)
}

/// The queries that the records can answer. The name of an artefact's file states its content.
fn all_queries(records: &dyn Fn(RecordTable) -> RecordFiles, path: &Path) -> Vec<&'static Query> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let has = |table: RecordTable| {
        if path.is_dir() {
            !records(table).is_empty()
        } else {
            RecordTable::Candidates.has(&name) == (table == RecordTable::Candidates)
        }
    };
    QUERIES.into_iter().filter(|query| has(query.table)).collect()
}

fn query(name: &str) -> Result<&'static Query, Failure> {
    let query = QUERIES.into_iter().find(|query| query.name == name);
    query.ok_or_else(|| {
        let names: Vec<&str> = QUERIES.iter().map(|query| query.name).collect();
        Failure::input(format!("--table {name}: there is no such table; choose from {}", names.join(", ")))
    })
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Analysis {
    records: String,
    /// The lines by table and key.
    #[schemars(with = "std::collections::BTreeMap<String, std::collections::BTreeMap<String, Cells>>")]
    tables: Tables,
}

struct Tables(Vec<Table>);

struct Table {
    query: &'static Query,
    rows: Vec<(String, Cells)>,
}

/// A line. The value is in the unit of the table, with its 95 % interval.
#[derive(schemars::JsonSchema, Serialize)]
struct Cells {
    /// In the unit of the table.
    value: f64,
    /// The lower end of the interval. Null where the games are too few.
    low: Option<f64>,
    /// The upper end of the interval.
    high: Option<f64>,
    /// The count behind the value: the denominator of a share or a mean.
    n: i64,
    /// Games with turns of this line.
    games: i64,
}

impl Table {
    fn new(query: &'static Query, rows: &[Row], rules: &Rules) -> Table {
        let cells = |Row { key, ratio }: &Row| {
            let [value, half] = [ratio.value(), ratio.half_width()].map(|figure| query.scale * figure);
            let end = |half: f64| half.is_finite().then_some(value + half);
            let cells = Cells { value, low: end(-half), high: end(half), n: ratio.n, games: ratio.games };
            ((query.label)(*key, rules), cells)
        };
        Table { query, rows: rows.iter().map(cells).collect() }
    }
}

impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|table| (table.query.name, table)))
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

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::Value;
    use tilewright_train::parquet_file::{Column, write};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        analyse: AnalyseArguments,
    }

    fn analyse(words: &[&str]) -> Result<(), Failure> {
        run(&Line::try_parse_from(["analyse", "--quiet"].iter().chain(words)).unwrap().analyse)
    }

    #[test]
    fn tables_are_named_or_those_that_the_file_can_answer() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name).display().to_string();
        let columns = [
            ("game", Column::Int64(vec![1, 1, 2])),
            ("turn", Column::Int32(vec![0, 1, 0])),
            ("rack", Column::Text(["AEINRST", "QQ", "E"].map(String::from).into())),
            ("move", Column::Text(["8D RETAINS", "pass", "8H E(H)"].map(String::from).into())),
            ("score", Column::Int32(vec![66, 0, 5])),
        ];
        let columns = columns.map(|(name, column)| (name.to_string(), column));
        write(folder.path().join("games.parquet").as_path(), &columns, &[]).unwrap();
        analyse(&[&file("games.parquet"), "--json", &file("all.json"), "--threads", "1"]).unwrap();
        let read = |name: &str| serde_json::from_slice::<Value>(&std::fs::read(file(name)).unwrap()).unwrap();
        let tables = &read("all.json")["tables"];
        assert_eq!(
            tables.as_object().unwrap().len(),
            QUERIES.iter().filter(|query| query.table == RecordTable::Turns).count()
        );
        assert_eq!(tables["bingos-by-turn"]["1"]["value"], 50.0);
        assert_eq!(
            (&tables["scores-by-tile"]["E"]["value"], &tables["scores-by-tile"]["E"]["n"]),
            (&35.5.into(), &2.into())
        );
        analyse(&[&file("games.parquet"), "--table", "squares", "--json", &file("one.json")]).unwrap();
        assert_eq!(read("one.json")["tables"].as_object().unwrap().len(), 1);

        let refused = |words: &[&str]| analyse(words).unwrap_err().message();
        assert!(refused(&[&file("games.parquet"), "--table", "luck"]).contains("choose from bingos-by-turn, "));
        // Turns have no ranks, and these lack the bag too.
        let message = refused(&[&file("games.parquet"), "--table", "best-rank"]);
        assert!(message.contains("games.parquet") && message.contains("bag"), "{message}");
    }
}
