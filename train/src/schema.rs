//! What the columns of a table mean. The code that makes a table owns its schema; exports and the data dictionary are written from it.

use serde::Serialize;

use crate::parquet_file::{Column, Columns};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// A column.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Field {
    /// Its name. A name that ends in `*` stands for columns that begin so, so it is not serialized with the rest.
    #[serde(skip)]
    pub name: &'static str,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type,
    /// The unit; empty for numbers of things and for texts.
    pub unit: &'static str,
    /// From whose point of view the value is; empty if it has none.
    #[serde(rename = "point_of_view")]
    pub view: &'static str,
    /// What it is.
    pub meaning: &'static str,
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Its name.
    pub name: &'static str,
    /// What a row is.
    pub row: &'static str,
    /// The columns, in order.
    pub fields: &'static [Field],
}

/// The rows of a table, with its schema.
#[derive(Clone, Debug)]
pub struct Table {
    /// What the columns are.
    pub schema: &'static Schema,
    /// The columns with their names, in order.
    pub columns: Columns,
}

impl Table {
    /// A table of named columns.
    pub fn new<'a>(schema: &'static Schema, columns: impl IntoIterator<Item = (&'a str, Column)>) -> Table {
        Table { schema, columns: columns.into_iter().map(|(name, column)| (name.to_string(), column)).collect() }
    }
}

/// A column of 32-bit integers, without unit and view.
pub const fn int32(name: &'static str, meaning: &'static str) -> Field {
    Field { name, kind: Type::Int32, unit: "", view: "", meaning }
}

/// A column of 64-bit integers, without unit and view.
pub const fn int64(name: &'static str, meaning: &'static str) -> Field {
    Field { name, kind: Type::Int64, unit: "", view: "", meaning }
}

/// A column of floating-point numbers, without unit and view.
pub const fn double(name: &'static str, meaning: &'static str) -> Field {
    Field { name, kind: Type::Double, unit: "", view: "", meaning }
}

/// A column of texts, without unit and view.
pub const fn text(name: &'static str, meaning: &'static str) -> Field {
    Field { name, kind: Type::Text, unit: "", view: "", meaning }
}

impl Field {
    /// The column in this unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Field {
        Field { unit, ..self }
    }

    /// The column with values from this point of view.
    #[must_use]
    pub const fn view(self, view: &'static str) -> Field {
        Field { view, ..self }
    }

    fn is_of(&self, name: &str, column: &Column) -> bool {
        let kind = match column {
            Column::Int32(_) => Type::Int32,
            Column::Int64(_) => Type::Int64,
            Column::Double(_) => Type::Double,
            Column::Text(_) => Type::Text,
        };
        let named = self.name.strip_suffix('*').map_or(name == self.name, |start| name.starts_with(start));
        named && kind == self.kind
    }
}

impl Schema {
    /// The field of each column of a table.
    ///
    /// # Errors
    /// A column is not in the schema, the schema has one that is missing, or columns differ in length.
    pub fn fields_of(&self, columns: &[(String, Column)]) -> Result<Vec<Field>, String> {
        let missing = self.fields.iter().filter(|field| !field.name.ends_with('*'));
        let missing: Vec<&str> = missing
            .filter(|field| !columns.iter().any(|(name, column)| field.is_of(name, column)))
            .map(|field| field.name)
            .collect();
        if let Some(missing) = missing.first() {
            return Err(format!("{} need a column {missing} of another type, or it is missing", self.name));
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
