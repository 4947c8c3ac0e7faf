//! The meaning of a table's columns. The code that makes a table owns its schema. Exports and the data dictionary use it.

use std::fs::File;
use std::mem::discriminant;
use std::path::Path;

use serde::Serialize;

use crate::parquet_file::{self, Column, Columns, TableError};

/// The largest count, and the largest magnitude of points and other numbers: sums of them stay in their types.
const MOST: i64 = 10_000_000;
/// The largest number of a game that a floating-point number holds exactly.
const MOST_GAMES: i64 = 1 << 53;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// 32-bit integers.
    Int32,
    /// 64-bit integers.
    Int64,
    /// Floating-point numbers.
    Double,
    /// UTF-8 text.
    Text,
}

impl Type {
    /// A column of the type without values.
    fn column(self) -> Column {
        match self {
            Type::Int32 => Column::Int32(Vec::new()),
            Type::Int64 => Column::Int64(Vec::new()),
            Type::Double => Column::Double(Vec::new()),
            Type::Text => Column::Text(Vec::new()),
        }
    }
}

/// A column.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema)]
pub struct Field {
    /// Its name. A name that ends in `*` stands for columns that begin so, so it is not serialized with the rest.
    #[serde(skip)]
    pub name: &'static str,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type,
    /// The unit. It is empty for numbers of things and for texts.
    pub unit: &'static str,
    /// The player from whose point of view the value is, or an empty text.
    #[serde(rename = "point_of_view")]
    pub view: &'static str,
    /// The meaning.
    pub meaning: &'static str,
    /// The least and the largest value that is read. For a text, they limit its length in bytes.
    #[serde(skip)]
    range: [i64; 2],
    /// Whether NaN stands for an unknown value.
    #[serde(skip)]
    may_be_unknown: bool,
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Its name.
    pub name: &'static str,
    /// The meaning of a row.
    pub row: &'static str,
    /// The columns, in order.
    pub fields: &'static [Field],
}

/// The rows of a table, with its schema.
#[derive(Clone, Debug)]
pub struct Table {
    /// The meaning of the columns.
    pub schema: &'static Schema,
    /// The columns with their names, in order.
    pub columns: Columns,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A 32-bit integer.
    Int32(i32),
    /// A 64-bit integer.
    Int64(i64),
    /// A floating-point number.
    Double(f64),
    /// A text.
    Text(String),
}

impl Table {
    /// A table without rows.
    pub fn new(schema: &'static Schema) -> Table {
        Table::with_starred(schema, &[])
    }

    /// A table without rows, in which columns of these names stand for the starred fields.
    pub fn with_starred(schema: &'static Schema, names: &[String]) -> Table {
        let columns = schema.fields.iter().flat_map(|field| {
            let own = (!field.is_starred()).then(|| field.name.to_string());
            let starred = names.iter().filter(|name| field.is_starred() && field.is_named(name)).cloned();
            own.into_iter().chain(starred).map(|name| (name, field.kind.column()))
        });
        Table { schema, columns: columns.collect() }
    }

    /// Adds a row: a value for each column in order, with the name of its field.
    pub fn add(&mut self, row: impl IntoIterator<Item = (&'static str, Cell)>) {
        let mut row = row.into_iter();
        for ((name, column), (field, cell)) in self.columns.iter_mut().zip(&mut row) {
            debug_assert!(field == name || field.ends_with('*'), "{field} in the column {name}");
            match (column, cell) {
                (Column::Int32(values), Cell::Int32(value)) => values.push(value),
                (Column::Int64(values), Cell::Int64(value)) => values.push(value),
                (Column::Double(values), Cell::Double(value)) => values.push(value),
                (Column::Text(values), Cell::Text(value)) => values.push(value),
                (_, cell) => unreachable!("{cell:?} in the column {name}"),
            }
        }
        debug_assert!(row.next().is_none(), "a row with more values than columns");
    }

    /// Adds the rows of another table with the same columns.
    pub fn append(&mut self, more: Table) {
        for ((name, column), (_, more)) in self.columns.iter_mut().zip(more.columns) {
            column.extend(more).unwrap_or_else(|| unreachable!("the column {name} of another table"));
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }
}

/// A column of 32-bit integers, without unit and view.
pub const fn int32(name: &'static str, meaning: &'static str) -> Field {
    field(name, Type::Int32, meaning, [0, MOST])
}

/// A column of 64-bit integers, without unit and view.
pub const fn int64(name: &'static str, meaning: &'static str) -> Field {
    field(name, Type::Int64, meaning, [0, MOST_GAMES])
}

/// A column of floating-point numbers, without unit and view.
pub const fn double(name: &'static str, meaning: &'static str) -> Field {
    field(name, Type::Double, meaning, [-MOST, MOST])
}

/// A column of texts, without unit and view.
pub const fn text(name: &'static str, meaning: &'static str) -> Field {
    field(name, Type::Text, meaning, [0, i64::MAX])
}

const fn field(name: &'static str, kind: Type, meaning: &'static str, range: [i64; 2]) -> Field {
    Field { name, kind, unit: "", view: "", meaning, range, may_be_unknown: false }
}

impl Field {
    /// The column in this unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Field {
        Field { unit, ..self }
    }

    /// The column in points of either sign.
    #[must_use]
    pub const fn points(self) -> Field {
        Field { unit: "points", range: [-MOST, MOST], ..self }
    }

    /// The column with values in this range. For a text, the range limits its length in bytes.
    #[must_use]
    pub const fn within(self, least: i64, most: i64) -> Field {
        Field { range: [least, most], ..self }
    }

    /// The column in which NaN stands for an unknown value.
    #[must_use]
    pub const fn or_unknown(self) -> Field {
        Field { may_be_unknown: true, ..self }
    }

    /// The column with values from this point of view.
    #[must_use]
    pub const fn view(self, view: &'static str) -> Field {
        Field { view, ..self }
    }

    fn is_starred(&self) -> bool {
        self.name.ends_with('*')
    }

    fn is_named(&self, name: &str) -> bool {
        self.name.strip_suffix('*').map_or(name == self.name, |start| name.starts_with(start))
    }

    fn is_of(&self, name: &str, column: &Column) -> bool {
        self.is_named(name) && discriminant(column) == discriminant(&self.kind.column())
    }

    /// Checks that all values of a column are in range.
    fn check(&self, name: &str, column: &Column) -> Result<(), String> {
        let [least, most] = self.range;
        let is_good = |value: f64| (least as f64..=most as f64).contains(&value) || value.is_nan() && self.may_be_unknown;
        let outside = match column {
            Column::Int32(values) => values.iter().position(|&value| !is_good(value.into())),
            Column::Int64(values) => values.iter().position(|&value| !is_good(value as f64)),
            Column::Double(values) => values.iter().position(|&value| !is_good(value)),
            Column::Text(values) => values.iter().position(|text| !is_good(text.len() as f64)),
        };
        let Some(row) = outside else { return Ok(()) };
        Err(format!("column {name}, row {}: {:.40}; expected {least} to {most}", row + 1, column.show(row)))
    }
}

impl Schema {
    /// Reads the named columns of a table in memory, in that order. `path` names it in errors.
    ///
    /// # Errors
    /// [`TableError`]: as [`from_bytes`](parquet_file::from_bytes), or a value is out of the range of its column.
    pub fn read(&self, path: &Path, bytes: Vec<u8>, names: &[&str]) -> Result<Vec<Column>, TableError> {
        self.checked(path, names, parquet_file::from_bytes(path, bytes, names)?)
    }

    /// Reads the named columns of an open table, one row group after the other. Errors count the rows of a group.
    ///
    /// # Errors
    /// As [`read`](Schema::read).
    pub fn groups(&self, path: &Path, file: &File, names: &[&str]) -> impl Iterator<Item = Result<Vec<Column>, TableError>> {
        let read = move |group| parquet_file::group(path, file, names, group).transpose();
        (0..).map_while(read).map(|columns| self.checked(path, names, columns?))
    }

    /// The columns, if all values are in range.
    fn checked(&self, path: &Path, names: &[&str], columns: Vec<Column>) -> Result<Vec<Column>, TableError> {
        let check = |(name, column): (&&str, &Column)| {
            let own = self.fields.iter().find(|field| field.is_of(name, column));
            own.map_or(Ok(()), |field| field.check(name, column))
        };
        let checked = names.iter().zip(&columns).try_for_each(check);
        checked.map_err(|reason| TableError::Content { path: path.into(), reason }).map(|()| columns)
    }

    /// The field of each column of a table.
    ///
    /// # Errors
    /// A column is not in the schema, a column of the schema is missing, or columns differ in length.
    pub fn fields_of(&self, columns: &[(String, Column)]) -> Result<Vec<Field>, String> {
        let is_missing = |field: &&Field| !columns.iter().any(|(name, column)| field.is_of(name, column));
        if let Some(missing) = self.fields.iter().filter(|field| !field.is_starred()).find(is_missing) {
            return Err(format!("{} need a column {} of another type, or it is missing", self.name, missing.name));
        }
        if let Some((name, _)) = columns.iter().find(|(_, column)| column.len() != columns[0].1.len()) {
            return Err(format!("the column {name} has fewer or more rows than the others"));
        }
        let of_column = |(name, column): &(String, Column)| {
            let field = self.fields.iter().find(|field| field.is_of(name, column));
            field.copied().ok_or_else(|| format!("{} have no column {name}, or it has another type", self.name))
        };
        columns.iter().map(of_column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: Schema = Schema {
        name: "t",
        row: "a thing",
        fields: &[int64("game", "number"), int32("unseen_*", "tiles of a kind").unit("tiles")],
    };

    #[test]
    fn values_out_of_range_are_named() {
        let own = [
            int32("bag", "").within(0, 100),
            int32("score", "").points(),
            int64("game", ""),
            double("equity", "").points(),
            double("error", "").points().or_unknown(),
            text("name", "").within(1, 5),
        ];
        let fault = |number: usize, column| own[number].check("x", &column).err();
        for good in [-MOST as i32, 0, MOST as i32] {
            assert_eq!(fault(1, Column::Int32(vec![good])), None);
        }
        assert_eq!(fault(0, Column::Int32(vec![0, 100, -1])).unwrap(), "column x, row 3: -1; expected 0 to 100");
        assert!(fault(1, Column::Int32(vec![i32::MIN])).unwrap().contains("-2147483648; expected -10000000 to 10000000"));
        assert!(fault(2, Column::Int64(vec![i64::MAX])).unwrap().contains("9223372036854775807"));
        for value in [f64::NAN, f64::INFINITY, 1e300] {
            assert!(fault(3, Column::Double(vec![value])).unwrap().contains(&format!("row 1: {value:.40}")[..10]));
            assert_eq!(fault(4, Column::Double(vec![value])).is_none(), value.is_nan());
        }
        assert_eq!(fault(5, Column::Text(vec![String::new()])).unwrap(), "column x, row 1: \"\"; expected 1 to 5");
        assert!(fault(5, Column::Text(vec!["n".repeat(1000)])).unwrap().len() < 100);
    }

    #[test]
    fn columns_are_those_of_the_schema() {
        let game = ("game".to_string(), Column::Int64(vec![1]));
        let unseen = ("unseen_A".to_string(), Column::Int32(vec![1]));
        let fields = SCHEMA.fields_of(&[game.clone(), unseen.clone()]).unwrap();
        assert_eq!(fields.iter().map(|field| field.unit).collect::<Vec<_>>(), ["", "tiles"]);
        let wrong = [vec![unseen], vec![game.clone(), ("move".into(), Column::Text(vec![String::new()]))]];
        for columns in wrong.into_iter().chain([vec![("game".to_string(), Column::Int32(vec![1]))]]) {
            assert!(SCHEMA.fields_of(&columns).is_err(), "{columns:?}");
        }
        let longer = ("unseen_B".to_string(), Column::Int32(vec![1, 2]));
        assert!(SCHEMA.fields_of(&[("game".to_string(), Column::Int64(vec![1])), longer]).unwrap_err().contains("unseen_B"));
    }
}
