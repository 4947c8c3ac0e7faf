//! Tables of plain columns in Parquet files, written and read as a whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, stated_code_version, write_atomically};

/// The key in the metadata of a table that was stopped before its end; the value names the work.
const STOPPED: &str = "stopped";

/// One column, without missing values.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// 32-bit integers.
    Int32(Vec<i32>),
    /// 64-bit integers.
    Int64(Vec<i64>),
    /// Floating-point numbers.
    Double(Vec<f64>),
    /// UTF-8 text.
    Text(Vec<String>),
}

/// An error that prevents reading or writing a table.
#[derive(Debug, Error)]
pub enum TableError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] ArtefactError),
    /// The content is not as expected.
    #[error("{path}: {reason}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// The columns of a table with their names.
pub type Columns = Vec<(String, Column)>;

impl Column {
    /// A text of each row.
    pub fn texts<R>(rows: &[R], value: impl Fn(&R) -> String) -> Column {
        Column::Text(rows.iter().map(value).collect())
    }

    /// A count of each row, as 64-bit integers.
    pub fn counts<R>(rows: &[R], value: impl Fn(&R) -> u64) -> Column {
        Column::Int64(rows.iter().map(|row| value(row) as i64).collect())
    }

    /// A number of each row.
    pub fn doubles<R>(rows: &[R], value: impl Fn(&R) -> f64) -> Column {
        Column::Double(rows.iter().map(value).collect())
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Column::Int32(values) => values.len(),
            Column::Int64(values) => values.len(),
            Column::Double(values) => values.len(),
            Column::Text(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Column::Int32(_) => ("INT32", ""),
            Column::Int64(_) => ("INT64", ""),
            Column::Double(_) => ("DOUBLE", ""),
            Column::Text(_) => ("BYTE_ARRAY", " (UTF8)"),
        }
    }

    fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<usize, ParquetError> {
        match (self, writer) {
            (Column::Int32(values), ColumnWriter::Int32ColumnWriter(writer)) => writer.write_batch(values, None, None),
            (Column::Int64(values), ColumnWriter::Int64ColumnWriter(writer)) => writer.write_batch(values, None, None),
            (Column::Double(values), ColumnWriter::DoubleColumnWriter(writer)) => writer.write_batch(values, None, None),
            (Column::Text(values), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                let values: Vec<ByteArray> = values.iter().map(|text| text.as_str().into()).collect();
                writer.write_batch(&values, None, None)
            }
            _ => Err(ParquetError::General("a column of another type than its schema".into())),
        }
    }

    fn read(reader: ColumnReader, rows: usize) -> Result<Column, ParquetError> {
        Ok(match reader {
            ColumnReader::Int32ColumnReader(mut reader) => {
                let mut values = Vec::new();
                reader.read_records(rows, None, None, &mut values)?;
                Column::Int32(values)
            }
            ColumnReader::Int64ColumnReader(mut reader) => {
                let mut values = Vec::new();
                reader.read_records(rows, None, None, &mut values)?;
                Column::Int64(values)
            }
            ColumnReader::DoubleColumnReader(mut reader) => {
                let mut values = Vec::new();
                reader.read_records(rows, None, None, &mut values)?;
                Column::Double(values)
            }
            ColumnReader::ByteArrayColumnReader(mut reader) => {
                let mut values: Vec<ByteArray> = Vec::new();
                reader.read_records(rows, None, None, &mut values)?;
                let texts = values.iter().map(|value| value.as_utf8().map(str::to_string));
                Column::Text(texts.collect::<Result<_, _>>()?)
            }
            _ => return Err(ParquetError::General("a column type that tilewright does not use".into())),
        })
    }
}

/// Encodes a table as a Parquet file; the same table and marks give the same bytes. Marks are keys and values in the metadata of the file.
///
/// # Errors
/// Columns of different lengths, or an invalid column name.
pub fn to_bytes(columns: &[(String, Column)], marks: &[(&str, String)]) -> Result<Vec<u8>, ParquetError> {
    let fields: String = columns
        .iter()
        .map(|(name, column)| {
            let (kind, logical) = column.kind();
            format!("  REQUIRED {kind} {name}{logical};\n")
        })
        .collect();
    let schema = Arc::new(parse_message_type(&format!("message table {{\n{fields}}}"))?);
    let marks = marks.iter().map(|(key, value)| KeyValue::new((*key).into(), value.clone()));
    let marks = Some(marks.collect::<Vec<_>>()).filter(|marks| !marks.is_empty());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("tilewright".into())
        .set_key_value_metadata(marks)
        .build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    write_columns(columns, &mut group)?;
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

fn write_columns<W: std::io::Write + Send>(
    columns: &[(String, Column)],
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    for (_, column) in columns {
        let Some(mut writer) = group.next_column()? else {
            return Err(ParquetError::General("fewer columns than the schema has".into()));
        };
        column.write(writer.untyped())?;
        writer.close()?;
    }
    Ok(())
}

/// Writes a table to a file. The file appears complete or not at all.
///
/// # Errors
/// [`TableError`].
pub fn write(path: &Path, columns: &[(String, Column)], marks: &[(&str, String)]) -> Result<(), TableError> {
    let bytes = to_bytes(columns, marks).map_err(|error| content(path, error.to_string()))?;
    Ok(write_atomically(path, &bytes)?)
}

/// The marks of a table of games: who played them, from which seed, with which words and tiles, and by which version of the program.
pub fn marks_of_games(players: [&str; 2], seed: u64, lexicon: &str, tileset: &str) -> Vec<(&'static str, String)> {
    let [one, other] = players;
    let players = if one == other { one.to_string() } else { format!("{one}, {other}") };
    let (lexicon, tileset) = (lexicon.to_string(), tileset.to_string());
    let version = stated_code_version();
    vec![("players", players), ("seed", seed.to_string()), ("lexicon", lexicon), ("tileset", tileset), ("version", version)]
}

/// The mark of a table that was stopped before its end; the value names the work.
pub fn stopped_mark(work: &str) -> (&'static str, String) {
    (STOPPED, work.into())
}

/// The work whose table in a file was stopped before its end; `None` for any other file.
pub fn stopped(path: &Path) -> Option<String> {
    marks(path).ok()?.into_iter().find(|(key, _)| key == STOPPED).map(|(_, value)| value)
}

/// The marks of a table.
///
/// # Errors
/// [`TableError`]: no such file, or not Parquet.
pub fn marks(path: &Path) -> Result<Vec<(String, String)>, TableError> {
    let bytes = std::fs::read(path).map_err(|source| ArtefactError::File { path: path.into(), source })?;
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(|error| content(path, error.to_string()))?;
    let marks = reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default();
    // Other programs add marks without a value.
    Ok(marks.into_iter().filter_map(|mark| Some((mark.key, mark.value?))).collect())
}

/// The names of the columns of a table in memory; `path` names it in errors.
///
/// # Errors
/// [`TableError`]: not Parquet.
pub fn names(path: &Path, bytes: Vec<u8>) -> Result<Vec<String>, TableError> {
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(|error| content(path, error.to_string()))?;
    Ok(reader.metadata().file_metadata().schema_descr().columns().iter().map(|column| column.name().to_string()).collect())
}

/// Reads the named columns of a table, in that order.
///
/// # Errors
/// [`TableError`]: no such file, not Parquet, or a column missing.
pub fn read(path: &Path, names: &[&str]) -> Result<Vec<Column>, TableError> {
    let bytes = std::fs::read(path).map_err(|source| ArtefactError::File { path: path.into(), source })?;
    from_bytes(path, bytes, names)
}

/// Reads the named columns of a table in memory, in that order; `path` names it in errors.
///
/// # Errors
/// [`TableError`]: not Parquet, or a column missing.
pub fn from_bytes(path: &Path, bytes: Vec<u8>, names: &[&str]) -> Result<Vec<Column>, TableError> {
    let fault = |error: ParquetError| content(path, error.to_string());
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(fault)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    if reader.num_row_groups() != 1 {
        let groups = reader.num_row_groups();
        return Err(content(
            path,
            format!("it has {groups} row groups, and files of this program have one; write it as one group"),
        ));
    }
    let group = reader.get_row_group(0).map_err(fault)?;
    let rows = group.metadata().num_rows() as usize;
    names
        .iter()
        .map(|name| {
            let index = schema.columns().iter().position(|column| column.name() == *name);
            let index = index.ok_or_else(|| content(path, format!("no column {name}")))?;
            let column = group.get_column_reader(index).and_then(|reader| Column::read(reader, rows)).map_err(fault)?;
            let found = column.len();
            (found == rows).then_some(column).ok_or_else(|| content(path, format!("{name} has {found} of {rows} rows")))
        })
        .collect()
}

fn content(path: &Path, reason: String) -> TableError {
    TableError::Content { path: path.into(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        let columns = vec![
            ("game".to_string(), Column::Int64(vec![5, 6, 1 << 40])),
            ("unseen_Ñ".to_string(), Column::Int32(vec![0, -1, 2])),
            ("equity".to_string(), Column::Double(vec![0.5, -3.25, f64::MAX])),
            ("rack".to_string(), Column::Text(vec!["AE?".into(), "[CH]".into(), String::new()])),
        ];
        write(&path, &columns, &[("seed", "7".into()), stopped_mark("a match")]).unwrap();
        assert_eq!(stopped(&path).as_deref(), Some("a match"));
        assert_eq!(marks(&path).unwrap()[0], ("seed".to_string(), "7".to_string()));
        write(&path, &columns, &[]).unwrap();
        assert_eq!(names(&path, std::fs::read(&path).unwrap()).unwrap(), ["game", "unseen_Ñ", "equity", "rack"]);
        assert_eq!((stopped(&path), stopped(folder.path())), (None, None));
        let back = read(&path, &["rack", "game", "unseen_Ñ", "equity"]).unwrap();
        assert_eq!(back, [&columns[3].1, &columns[0].1, &columns[1].1, &columns[2].1].map(Clone::clone));
        assert_eq!(to_bytes(&columns, &[]).unwrap(), std::fs::read(&path).unwrap());
        assert!(read(&path, &["move"]).unwrap_err().to_string().contains("no column move"));
        std::fs::write(&path, b"PAR1").unwrap();
        assert!(matches!(read(&path, &["game"]), Err(TableError::Content { .. })));
    }
}
