//! Tables of plain columns in Parquet files, read as a whole, and written as a whole or in row groups.

use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::reader::ColumnReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use thiserror::Error;
use tilewright_engine::artefact::{ArtefactError, stated_code_version};
use tilewright_engine::folder::{FileError, GrowingFile, write_atomically};
use tilewright_engine::input_file::{self, limits};

mod pages;

/// The most rows that are decoded at once, which bounds the memory that the damaged counts of a page can take.
const BATCH: usize = 1 << 16;

/// The most memory of the columns, in bytes per byte of the file, but at least [`ROOM`]: repeated values take hardly any room in a file.
const ROOM_PER_BYTE: usize = 256;
/// See [`ROOM_PER_BYTE`].
const ROOM: usize = 64 << 20;

/// The name of the thread that reads a file. If it panics, the file is damaged, and [`read`] returns that error. A program
/// may leave out the message of the panic.
pub const READER: &str = "parquet reader";
/// The stack of that thread in bytes, as large as the main thread's.
const STACK: usize = 8 << 20;

/// The key in the metadata of a table that was stopped before its end. The value names the work.
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
#[expect(missing_docs, reason = "the messages describe the variants and their fields")]
pub enum TableError {
    #[error(transparent)]
    Artefact(#[from] ArtefactError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{path}: {reason}")]
    Content { path: PathBuf, reason: String },
}

/// The columns of a table with their names.
pub type Columns = Vec<(String, Column)>;

impl Column {
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

    /// A value as text. A text is in quotes.
    pub fn show(&self, row: usize) -> String {
        match self {
            Column::Int32(values) => values[row].to_string(),
            Column::Int64(values) => values[row].to_string(),
            Column::Double(values) => values[row].to_string(),
            Column::Text(values) => format!("{:?}", values[row]),
        }
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
            _ => Err(general("a column of another type than its schema")),
        }
    }

    /// Appends at most `most` values of a column of one row group to the groups before. Texts take of the `room`.
    fn append(before: Option<Column>, reader: ColumnReader, most: usize, room: &mut Room) -> Result<Column, ParquetError> {
        let column = match reader {
            ColumnReader::Int32ColumnReader(reader) => Column::Int32(decode(reader, most)?),
            ColumnReader::Int64ColumnReader(reader) => Column::Int64(decode(reader, most)?),
            ColumnReader::DoubleColumnReader(reader) => Column::Double(decode(reader, most)?),
            ColumnReader::ByteArrayColumnReader(reader) => {
                let values = decode(reader, most)?;
                values.iter().try_for_each(|value: &ByteArray| room.take(size_of::<String>() + value.len()))?;
                let texts = values.iter().map(|value| value.as_utf8().map(str::to_string));
                Column::Text(texts.collect::<Result<_, _>>()?)
            }
            _ => return Err(general("a column type that tilewright does not use")),
        };
        let Some(mut all) = before else { return Ok(column) };
        all.extend(column).ok_or_else(|| general("a column has another type in another row group"))?;
        Ok(all)
    }

    /// Appends the values of another column, or returns `None` if they have another type.
    pub(crate) fn extend(&mut self, more: Column) -> Option<()> {
        match (self, more) {
            (Column::Int32(values), Column::Int32(more)) => values.extend(more),
            (Column::Int64(values), Column::Int64(more)) => values.extend(more),
            (Column::Double(values), Column::Double(more)) => values.extend(more),
            (Column::Text(values), Column::Text(more)) => values.extend(more),
            _ => return None,
        }
        Some(())
    }
}

/// The bytes of memory that a file may still take.
struct Room(usize);

impl Room {
    fn of_file(size: usize) -> Room {
        Room(size.saturating_mul(ROOM_PER_BYTE).max(ROOM))
    }

    fn take(&mut self, bytes: usize) -> Result<(), ParquetError> {
        let left = self.0.checked_sub(bytes);
        self.0 =
            left.ok_or_else(|| general(format!("its values take more than {ROOM_PER_BYTE} times the size of the file")))?;
        Ok(())
    }
}

/// The values of a column of one row group, at most `most`.
fn decode<T: DataType>(mut reader: ColumnReaderImpl<T>, most: usize) -> Result<Vec<T::T>, ParquetError> {
    let mut values = Vec::new();
    while values.len() < most {
        let (_, decoded, _) = reader.read_records((most - values.len()).min(BATCH), None, None, &mut values)?;
        if decoded == 0 {
            break;
        }
    }
    Ok(values)
}

/// A table that grows by row groups. The file appears complete or not at all.
pub struct TableWriter {
    path: PathBuf,
    writer: SerializedFileWriter<GrowingFile>,
}

impl TableWriter {
    /// Begins the table that is to be at `path`, with the names and types of these columns.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn new(path: &Path, columns: &[(String, Column)], marks: &[(&str, String)]) -> Result<TableWriter, TableError> {
        let writer = writer(GrowingFile::new(path)?, columns, marks).map_err(|error| content(path, error.to_string()))?;
        Ok(TableWriter { path: path.into(), writer })
    }

    /// Writes a row group.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn add(&mut self, columns: &[(String, Column)]) -> Result<(), TableError> {
        write_group(&mut self.writer, columns).map_err(|error| content(&self.path, error.to_string()))
    }

    /// Finishes the file, with a further mark if there is one.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn finish(mut self, mark: Option<(&str, String)>) -> Result<(), TableError> {
        if let Some((key, value)) = mark {
            self.writer.append_key_value_metadata(KeyValue::new(key.into(), value));
        }
        let file = self.writer.into_inner().map_err(|error| content(&self.path, error.to_string()))?;
        Ok(file.finish()?)
    }
}

/// Encodes a table as a Parquet file. The same input gives the same bytes. Marks are keys and values of the metadata.
///
/// # Errors
/// Columns of different lengths, or an invalid column name.
pub fn to_bytes(columns: &[(String, Column)], marks: &[(&str, String)]) -> Result<Vec<u8>, ParquetError> {
    let mut writer = writer(Vec::new(), columns, marks)?;
    write_group(&mut writer, columns)?;
    writer.into_inner()
}

/// A writer of a table with the names and types of these columns.
fn writer<W: Write + Send>(
    file: W,
    columns: &[(String, Column)],
    marks: &[(&str, String)],
) -> Result<SerializedFileWriter<W>, ParquetError> {
    let field = |(name, column): &(String, Column)| {
        let (kind, logical) = column.kind();
        format!("  REQUIRED {kind} {name}{logical};\n")
    };
    let fields: String = columns.iter().map(field).collect();
    let schema = Arc::new(parse_message_type(&format!("message table {{\n{fields}}}"))?);
    let marks = marks.iter().map(|(key, value)| KeyValue::new((*key).into(), value.clone()));
    let marks = Some(marks.collect::<Vec<_>>()).filter(|marks| !marks.is_empty());
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("tilewright".into())
        .set_key_value_metadata(marks)
        .build();
    SerializedFileWriter::new(file, schema, Arc::new(properties))
}

fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &[(String, Column)],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for (_, column) in columns {
        let mut writer = group.next_column()?.ok_or_else(|| general("fewer columns than the schema has"))?;
        column.write(writer.untyped())?;
        writer.close()?;
    }
    group.close().map(drop)
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

/// The mark of a table that was stopped before its end. The value names the work.
pub fn stopped_mark(work: &str) -> (&'static str, String) {
    (STOPPED, work.into())
}

/// The work whose table in a file was stopped before its end, or `None` for any other file.
pub fn stopped(path: &Path) -> Option<String> {
    marks(path).ok()?.into_iter().find(|(key, _)| key == STOPPED).map(|(_, value)| value)
}

/// The marks of a table.
///
/// # Errors
/// [`TableError`]: no such file, or not Parquet.
pub fn marks(path: &Path) -> Result<Vec<(String, String)>, TableError> {
    let file = input_file::open(path, limits::TABLE).map_err(|source| FileError::File { path: path.into(), source })?;
    let marks =
        open(path, file, |reader| Ok(reader.metadata().file_metadata().key_value_metadata().cloned().unwrap_or_default()))?;
    // Other programs add marks without a value.
    Ok(marks.into_iter().filter_map(|mark| Some((mark.key, mark.value?))).collect())
}

/// The names of the columns of a table in memory. `path` names it in errors.
///
/// # Errors
/// [`TableError`]: not Parquet.
pub fn names(path: &Path, bytes: Vec<u8>) -> Result<Vec<String>, TableError> {
    open(path, Bytes::from(bytes), |reader| {
        let schema = reader.metadata().file_metadata().schema_descr();
        Ok(schema.columns().iter().map(|column| column.name().to_string()).collect())
    })
}

/// Reads the named columns of a table, in that order.
///
/// # Errors
/// [`TableError`]: no such file, not Parquet, or a column missing.
pub fn read(path: &Path, names: &[&str]) -> Result<Vec<Column>, TableError> {
    let bytes = input_file::read(path).map_err(|source| FileError::File { path: path.into(), source })?;
    from_bytes(path, bytes, names)
}

/// Reads the named columns of a table in memory, in that order, from all of its row groups. `path` names it in errors.
///
/// # Errors
/// [`TableError`]: not Parquet, damaged, a column missing, or more rows or text than a file of this size can hold.
pub fn from_bytes(path: &Path, bytes: Vec<u8>, names: &[&str]) -> Result<Vec<Column>, TableError> {
    let bytes = Bytes::from(bytes);
    in_groups(path, [bytes.clone(), bytes], names, |groups| 0..groups)
}

/// The named columns of one row group of an open table, or `None` after the last. The rest of the file is not read.
pub(crate) fn group(path: &Path, file: &File, names: &[&str], group: usize) -> Result<Option<Vec<Column>>, TableError> {
    let handle = || file.try_clone().map_err(|source| FileError::File { path: path.into(), source });
    let columns = in_groups(path, [handle()?, handle()?], names, |groups| group..groups.min(group + 1))?;
    Ok(Some(columns).filter(|columns| !columns.is_empty()))
}

/// The named columns of some row groups. `choose` selects them from their number. Without a group there is no column.
/// Of two handles of a file, one is for the checks.
fn in_groups<R: ChunkReader + 'static>(
    path: &Path,
    [file, checked]: [R; 2],
    names: &[&str],
    choose: impl FnOnce(usize) -> Range<usize> + Send,
) -> Result<Vec<Column>, TableError> {
    open(path, file, |reader| {
        let size = usize::try_from(checked.len()).unwrap_or(usize::MAX);
        let rows = row_counts(reader.as_ref(), size)?;
        if rows.is_empty() {
            return Err(general("it has no rows"));
        }
        let groups = choose(rows.len());
        let mut room = Room::of_file(size);
        let column = |name: &&str| read_column(reader.as_ref(), &checked, name, groups.clone(), &rows, &mut room);
        if groups.is_empty() { Ok(Vec::new()) } else { names.iter().map(column).collect() }
    })
}

/// The rows of each row group. A row takes at least a bit in some column, so more than eight rows per byte of the file are damage.
fn row_counts(reader: &dyn FileReader, size: usize) -> Result<Vec<usize>, ParquetError> {
    let stated = (0..reader.num_row_groups()).map(|group| reader.metadata().row_group(group).num_rows());
    let most = size.saturating_mul(8);
    let mut left = most;
    stated
        .map(|rows| {
            let count = usize::try_from(rows).ok().filter(|&rows| rows <= left);
            let count = count
                .ok_or_else(|| general(format!("it states {rows} rows, and a file of {size} bytes has 0 to {most}")))?;
            left -= count;
            Ok(count)
        })
        .collect()
}

/// A column, with the stated number of rows from each of these row groups.
fn read_column(
    reader: &dyn FileReader,
    file: &impl ChunkReader,
    name: &str,
    groups: Range<usize>,
    rows: &[usize],
    room: &mut Room,
) -> Result<Column, ParquetError> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let index = schema.columns().iter().position(|column| column.name() == name);
    let index = index.ok_or_else(|| general(format!("no column {name}")))?;
    let mut column: Option<Column> = None;
    for group in groups {
        let rows = rows[group];
        let before = column.as_ref().map_or(0, Column::len);
        let (start, length) = reader.metadata().row_group(group).column(index).byte_range();
        if start.checked_add(length).is_none_or(|end| end > file.len()) {
            return Err(general(format!("{name} lies outside the file")));
        }
        pages::check(&file.get_bytes(start, length as usize)?).map_err(|reason| general(format!("{name}: {reason}")))?;
        room.take(rows.saturating_mul(size_of::<i64>()))?;
        let appended = Column::append(column, reader.get_row_group(group)?.get_column_reader(index)?, rows, room)?;
        let found = appended.len() - before;
        if found != rows {
            return Err(general(format!("{name} has {found} of {rows} rows")));
        }
        column = Some(appended);
    }
    column.ok_or_else(|| general("it has no rows"))
}

/// Opens a table and reads from it. The library panics on some damaged files. Here that is an error like any other, and only
/// the thread [`READER`] ends.
fn open<T: Send>(
    path: &Path,
    file: impl ChunkReader + 'static,
    read: impl FnOnce(Box<dyn FileReader>) -> Result<T, ParquetError> + Send,
) -> Result<T, TableError> {
    let all = || read(Box::new(SerializedFileReader::new(file)?));
    let reader = thread::Builder::new().name(READER.into()).stack_size(STACK);
    let read = thread::scope(|scope| reader.spawn_scoped(scope, all).map(ScopedJoinHandle::join))
        .map_err(|source| FileError::File { path: path.into(), source })?
        .map_err(|_| content(path, "it is damaged: the Parquet library gave up on it".into()))?;
    read.map_err(|error| match error {
        ParquetError::General(reason) => content(path, reason),
        error => content(path, format!("it is damaged: {error}")),
    })
}

fn general(reason: impl Into<String>) -> ParquetError {
    ParquetError::General(reason.into())
}

fn content(path: &Path, reason: String) -> TableError {
    TableError::Content { path: path.into(), reason }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt};
    use tilewright_engine::rng::stream;

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

    fn reason(bytes: Vec<u8>, names: &[&str]) -> String {
        from_bytes(Path::new("t.parquet"), bytes, names).unwrap_err().to_string()
    }

    /// A table of 12,345 rows in this number of row groups.
    fn table(groups: usize) -> Vec<u8> {
        let schema = "message table { REQUIRED INT64 game; REQUIRED BYTE_ARRAY rack (UTF8); }";
        let mut bytes = Vec::new();
        let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
        let mut writer =
            SerializedFileWriter::new(&mut bytes, Arc::new(parse_message_type(schema).unwrap()), properties).unwrap();
        for part in (0..12_345).collect::<Vec<i64>>().chunks(12_345_usize.div_ceil(groups)) {
            let racks = Column::Text(part.iter().map(|game| format!("E{game}")).collect());
            let columns = [("game".into(), Column::Int64(part.to_vec())), ("rack".into(), racks)];
            write_group(&mut writer, &columns).unwrap();
        }
        writer.close().unwrap();
        bytes
    }

    #[test]
    fn all_row_groups_are_read() {
        for groups in [1, 2, 7] {
            let columns = from_bytes(Path::new("t.parquet"), table(groups), &["rack", "game"]).unwrap();
            assert_eq!(columns[1], Column::Int64((0..12_345).collect()));
            let Column::Text(racks) = &columns[0] else { panic!("racks are text") };
            assert_eq!((racks.len(), racks[12_344].as_str()), (12_345, "E12344"));
            let (mut file, mut whole) = (tempfile::tempfile().unwrap(), columns[1].clone());
            file.write_all(&table(groups)).unwrap();
            let group = |number| group(Path::new("t.parquet"), &file, &["game"], number).unwrap();
            let Column::Int64(own) = &mut whole else { panic!("games are numbers") };
            for columns in (0..groups).map(|number| group(number).unwrap()) {
                let Column::Int64(part) = &columns[0] else { panic!("games are numbers") };
                assert_eq!(own.drain(..part.len()).collect::<Vec<_>>(), *part);
            }
            assert_eq!((own.len(), group(groups)), (0, None));
        }
    }

    /// The bytes of a number in the footer: zigzag, seven bits per byte, the lowest first.
    fn varint(number: i64) -> Vec<u8> {
        let mut rest = ((number << 1) ^ (number >> 63)) as u64;
        let mut bytes = Vec::new();
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
        bytes
    }

    /// The table with every 12,345 of its footer replaced.
    fn with_rows(rows: i64) -> Vec<u8> {
        let bytes = table(1);
        let (from, footer_end) = (varint(12_345), bytes.len() - 8);
        let size = u32::from_le_bytes(bytes[footer_end..footer_end + 4].try_into().unwrap()) as usize;
        let (data, mut footer) = (&bytes[..footer_end - size], &bytes[footer_end - size..footer_end]);
        let mut replaced = Vec::new();
        while let Some((&first, rest)) = footer.split_first() {
            if let Some(rest) = footer.strip_prefix(from.as_slice()) {
                replaced.extend(varint(rows));
                footer = rest;
            } else {
                replaced.push(first);
                footer = rest;
            }
        }
        let size = (replaced.len() as u32).to_le_bytes();
        [data, replaced.as_slice(), size.as_slice(), b"PAR1"].concat()
    }

    #[test]
    fn more_rows_than_the_file_can_hold_are_refused() {
        assert_eq!(with_rows(12_345), table(1));
        for rows in [1 << 62, 1 << 36, i64::MAX, -1, i64::MIN] {
            let reason = reason(with_rows(rows), &["game"]);
            assert!(reason.contains(&format!("it states {rows} rows")) || rows < 0, "{reason}");
        }
        assert!(reason(with_rows(12_346), &["game"]).contains("game has 12345 of 12346 rows"));
    }

    #[test]
    fn a_long_text_that_repeats_does_not_fill_the_memory() {
        let bytes = |length: usize, rows: usize| {
            let racks = Column::Text(vec!["A".repeat(length); rows]);
            // A column of different values, without which the file would have too few bytes for its rows.
            let games = Column::Int64((0..rows as i64).collect());
            to_bytes(&[("game".into(), games), ("rack".into(), racks)], &[]).unwrap()
        };
        let short = bytes(100, 10_000);
        assert_eq!(from_bytes(Path::new("t.parquet"), short, &["rack"]).unwrap()[0].len(), 10_000);
        // 100 MB of text in a dictionary of one.
        let long = bytes(10_000, 10_000);
        assert!(long.len() < 200_000, "{}", long.len());
        assert!(reason(long, &["rack"]).contains("take more than 256 times the size of the file"));
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let good = table(2);
        let mut stream = stream(1, "damaged tables", 0);
        let mut given_up = 0;
        for _ in 0..3000 {
            let mut bytes = good.clone();
            for _ in 0..stream.random_range(1..4) {
                // Mostly in the footer, and in the headers of pages at the start.
                let last = bytes.len() - 1;
                let at =
                    if stream.random_bool(0.8) { last - stream.random_range(0..600) } else { stream.random_range(0..200) };
                bytes[at] = stream.next_u32() as u8;
            }
            match from_bytes(Path::new("t.parquet"), bytes, &["game", "rack"]) {
                Ok(columns) => assert_eq!(columns[0].len(), columns[1].len()),
                Err(error) => given_up += usize::from(error.to_string().contains("the Parquet library gave up on it")),
            }
        }
        assert!(given_up > 0, "the library does not panic any more; what catches it can go");
    }
}
