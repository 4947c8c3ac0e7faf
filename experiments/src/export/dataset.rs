//! A folder of tables that appears when it is complete.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use tilewright_engine::Feature;
use tilewright_engine::features::About;
use tilewright_engine::folder::GrowingFolder;
use tilewright_train::npz;
use tilewright_train::parquet_file::{self, Column};
use tilewright_train::schema::{Field, Schema, Table};

use crate::flags::{JsonFlag, ReadFlags};
use crate::{Failure, InFile, Input};

/// The name of the file with the meaning of every column.
const SCHEMA_FILE: &str = "schema.json";

/// A dataset that is being written.
pub struct Dataset<'a> {
    out: &'a Path,
    folder: GrowingFolder,
    format: TableFormat,
    content: Content,
}

/// The content of `schema.json`, and the result of `export`.
#[derive(schemars::JsonSchema, Serialize)]
struct Content {
    /// The facts of the run: kind, players, seed, words, tiles, version.
    run: BTreeMap<String, String>,
    tables: Vec<TableJson>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct TableJson {
    name: &'static str,
    row: &'static str,
    rows: usize,
    /// The files, in the order of the rows.
    files: Vec<String>,
    columns: Vec<ColumnJson>,
}

#[derive(schemars::JsonSchema, Serialize)]
struct ColumnJson {
    name: String,
    #[serde(flatten)]
    field: Field,
}

impl<'a> Dataset<'a> {
    /// A dataset for the folder `out`, with the facts of its `run`.
    ///
    /// # Errors
    /// [`Failure::Input`] if the folder exists and is not empty.
    pub fn new(out: &'a Path, format: TableFormat, run: BTreeMap<String, String>) -> Result<Dataset<'a>, Failure> {
        let is_free = !out.exists() || out.read_dir().is_ok_and(|mut entries| entries.next().is_none());
        if !is_free {
            let out = out.display();
            return Err(Failure::input(format!("{out} already exists and is never overwritten; choose another folder")));
        }
        let folder = GrowingFolder::new(out).map_err(|error| Failure::input(format!("cannot write {error}")))?;
        Ok(Dataset { out, folder, format, content: Content { run, tables: Vec::new() } })
    }

    /// Writes a table, or more rows of it, which come from a file of the run.
    pub fn add(&mut self, schema: &Schema, source: &Path, columns: &[(String, Column)]) -> Result<(), Failure> {
        let fields = schema.fields_of(columns).in_file(source)?;
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        let (ending, bytes) = match self.format {
            TableFormat::Parquet => {
                let marks = self.content.run.iter().map(|(key, value)| (key.as_str(), value.clone()));
                ("parquet", parquet_file::to_bytes(columns, &marks.collect::<Vec<_>>()).map_err(std::io::Error::other)?)
            }
            TableFormat::Csv => ("csv", csv(columns, rows).into_bytes()),
            TableFormat::Npz => ("npz", npz::to_bytes(columns, &fields).map_err(std::io::Error::other)?),
        };
        let known = self.content.tables.iter_mut().find(|table| table.name == schema.name);
        let file = format!("{}-{:05}.{ending}", schema.name, known.as_ref().map_or(0, |table| table.files.len()));
        self.folder.folder().write(&file, &bytes)?;
        if let Some(table) = known {
            table.rows += rows;
            table.files.push(file);
            return Ok(());
        }
        let described = |((name, _), mut field): (&(String, Column), Field)| {
            let feature = name.strip_prefix("feature_");
            let feature = feature.and_then(|name| Feature::all().iter().find(|feature| feature.about().name == name));
            if let Some(About { meaning, unit, .. }) = feature.map(|feature| feature.about()) {
                (field.meaning, field.unit) = (meaning, unit);
            }
            ColumnJson { name: name.clone(), field }
        };
        let columns = columns.iter().zip(fields).map(described).collect();
        self.content.tables.push(TableJson { name: schema.name, row: schema.row, rows, files: vec![file], columns });
        Ok(())
    }

    /// Writes tables that come from a file of the run.
    pub fn add_tables(&mut self, source: &Path, tables: impl IntoIterator<Item = Table>) -> Result<(), Failure> {
        tables.into_iter().try_for_each(|Table { schema, columns }| self.add(schema, source, &columns))
    }

    /// Writes `schema.json`, and moves the folder to its place.
    pub fn finish(self) -> Result<Exported, Failure> {
        let Dataset { out, folder, content, .. } = self;
        let json = serde_json::to_string_pretty(&content)? + "\n";
        folder.folder().write(SCHEMA_FILE, json.as_bytes())?;
        folder.finish().input()?;
        Ok(Exported { folder: out.to_path_buf(), content })
    }
}

#[derive(schemars::JsonSchema, Serialize)]
pub struct Exported {
    folder: PathBuf,
    #[serde(flatten)]
    content: Content,
}

impl fmt::Display for Exported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for TableJson { name, row, rows, files, columns, .. } in &self.content.tables {
            writeln!(f, "{name:<22} {rows:>9} rows, {:>3} columns, {:>3} files: {row}", columns.len(), files.len())?;
        }
        write!(f, "{}: what every column is stands in {SCHEMA_FILE}", self.folder.display())
    }
}

fn csv(columns: &[(String, Column)], rows: usize) -> String {
    let names: Vec<String> = columns.iter().map(|(name, _)| quoted(name)).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..rows {
        for (number, (_, column)) in columns.iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            match column {
                Column::Double(values) if values[row].is_nan() => {}
                Column::Text(values) => text += &quoted(&values[row]),
                numbers => text += &numbers.show(row),
            }
        }
        text.push('\n');
    }
    text
}

/// A text as a cell, with an apostrophe if a spreadsheet would compute it.
fn quoted(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { &format!("'{text}") } else { text };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The run: a folder of selfplay, match --out or --games-out, leaves train, evolve, td, network train, win-percentage train or experiment
    /// run, or a file of match --pairs-out or network eval --json
    #[arg(value_name = "RUN", required_unless_present = "dictionary")]
    pub run: Option<PathBuf>,
    /// New folder for the tables and schema.json
    #[arg(long, value_name = "DIR", required_unless_present = "dictionary")]
    pub out: Option<PathBuf>,
    /// Format of the tables
    #[arg(long, value_name = "FORMAT", default_value = "parquet")]
    pub format: TableFormat,
    /// Print the data dictionary: every table with its columns, types, units and points of view
    #[arg(long, conflicts_with_all = ["run", "out", "json"])]
    pub dictionary: bool,
    /// The game. Runs name their own tile set and need no lexicon.
    #[command(flatten)]
    pub flags: ReadFlags,
    #[command(flatten)]
    pub json: JsonFlag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Parquet. The metadata of each file name the run
    Parquet,
    /// Comma-separated values with a line of names
    Csv,
    /// Arrays for NumPy, one per column. Columns of features or unseen tiles are one matrix with an array of their names
    Npz,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_what_it_must() {
        let columns = [
            ("a".to_string(), Column::Text(vec!["8D FA(C)Es".into(), "x, \"y\"".into()])),
            ("b".to_string(), Column::Double(vec![0.5, f64::NAN])),
        ];
        assert_eq!(csv(&columns, 2), "a,b\n8D FA(C)Es,0.5\n\"x, \"\"y\"\"\",\n");
    }

    #[test]
    fn a_spreadsheet_computes_no_text() {
        let texts = ["=1+1", "+1", "-AAI", "@SUM(A1)", "\t=1", "\r=1", "a=1"].map(String::from).to_vec();
        let columns = [("unseen_,=1".to_string(), Column::Text(texts)), ("score".to_string(), Column::Int32(vec![-1; 7]))];
        let rows = csv(&columns, 7);
        let cells: Vec<&str> = rows.split(",-1\n").collect();
        let wanted = ["\"unseen_,=1\",score\n'=1+1", "'+1", "'-AAI", "'@SUM(A1)", "'\t=1", "\"'\r=1\"", "a=1", ""];
        assert_eq!(cells, wanted);
    }
}
