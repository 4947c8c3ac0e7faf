//! Tables as `.npz`, the archive of arrays that `NumPy` loads: one array per column, and one matrix of doubles (rows × columns,
//! [`ndarray`]) for the columns of a starred field, with an array of their names.

use std::io::{Cursor, Write};
use std::iter::repeat;

use ndarray::Array2;
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

use crate::parquet_file::Column;
use crate::schema::{Field, Type};

/// A table as an archive. `fields` has the field of each column.
///
/// # Errors
/// The archive cannot be written.
pub fn to_bytes(columns: &[(String, Column)], fields: &[Field]) -> ZipResult<Vec<u8>> {
    let mut archive = Archive(ZipWriter::new(Cursor::new(Vec::new())));
    let mut all = columns.iter().zip(fields).peekable();
    while let Some(((name, column), field)) = all.next() {
        let Some(start) = field.name.strip_suffix('*').filter(|_| field.kind != Type::Text) else {
            archive.column(name, column)?;
            continue;
        };
        let mut same = vec![(name, column)];
        while let Some(((name, column), _)) = all.next_if(|(_, next)| next.name == field.name) {
            same.push((name, column));
        }
        let matrix = start.trim_end_matches('_');
        archive.matrix(matrix, &same.iter().map(|(_, column)| *column).collect::<Vec<_>>())?;
        let names = same.iter().map(|(name, _)| name.strip_prefix(start).unwrap_or(name).to_string()).collect();
        archive.column(&format!("{matrix}_names"), &Column::Text(names))?;
    }
    Ok(archive.0.finish()?.into_inner())
}

struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    fn column(&mut self, name: &str, column: &Column) -> ZipResult<()> {
        let shape = format!("({},)", column.len());
        match column {
            Column::Int32(values) => self.array(name, "<i4", &shape, values.iter().map(|value| value.to_le_bytes())),
            Column::Int64(values) => self.array(name, "<i8", &shape, values.iter().map(|value| value.to_le_bytes())),
            Column::Double(values) => self.array(name, "<f8", &shape, values.iter().map(|value| value.to_le_bytes())),
            Column::Text(texts) => {
                // Texts of equal length, in UTF-32. Shorter texts end in zeros.
                let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or_default().max(1);
                let padded = |text: &String| text.chars().map(u32::from).chain(repeat(0)).take(longest).collect::<Vec<_>>();
                let characters = texts.iter().flat_map(padded).map(u32::to_le_bytes);
                self.array(name, &format!("<U{longest}"), &shape, characters)
            }
        }
    }

    fn matrix(&mut self, name: &str, columns: &[&Column]) -> ZipResult<()> {
        let rows = columns.first().map_or(0, |column| column.len());
        let values = Array2::from_shape_fn((rows, columns.len()), |(row, column)| match columns[column] {
            Column::Int32(values) => f64::from(values[row]),
            Column::Int64(values) => values[row] as f64,
            Column::Double(values) => values[row],
            Column::Text(_) => f64::NAN,
        });
        self.array(name, "<f8", &format!("({rows}, {})", columns.len()), values.iter().map(|value| value.to_le_bytes()))
    }

    /// An array of a type as `NumPy` writes it, from the bytes of its elements.
    fn array<const SIZE: usize>(
        &mut self,
        name: &str,
        kind: &str,
        shape: &str,
        elements: impl Iterator<Item = [u8; SIZE]>,
    ) -> ZipResult<()> {
        let mut bytes = header(kind, shape);
        elements.for_each(|element| bytes.extend(element));
        // Without a time, so that the same table has the same bytes.
        let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
        self.0.start_file(format!("{name}.npy"), options)?;
        self.0.write_all(&bytes)?;
        Ok(())
    }
}

/// The header of an `.npy` file, version 1.0: the array begins at a multiple of 64 bytes.
fn header(kind: &str, shape: &str) -> Vec<u8> {
    const BEFORE: usize = 10;
    let about = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = (BEFORE + about.len() + 1).next_multiple_of(64) - BEFORE;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{about:<width$}\n", width = length - 1).into_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use zip::ZipArchive;

    use super::*;
    use crate::schema::{double, int32, int64, text};

    #[test]
    fn arrays_have_the_bytes_that_numpy_writes() {
        let fields =
            [int64("game", ""), text("move", ""), double("feature_*", ""), double("feature_*", ""), int32("unseen_*", "")];
        let columns = [
            ("game", Column::Int64(vec![7, -1])),
            ("move", Column::Text(vec!["é1".into(), "8H OH".into()])),
            ("feature_a", Column::Double(vec![0.5, 1.5])),
            ("feature_b", Column::Double(vec![2.5, f64::NAN])),
            ("unseen_A", Column::Int32(vec![9, 8])),
        ];
        let columns = columns.map(|(name, column)| (name.to_string(), column));
        let bytes = to_bytes(&columns, &fields).unwrap();
        assert_eq!(bytes, to_bytes(&columns, &fields).unwrap());
        let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut file = |name: &str| {
            let mut bytes = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
            bytes
        };
        let matrix = file("feature.npy");
        // As numpy.save writes it.
        let about = b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
        assert!(
            matrix.starts_with(about) && matrix[127] == b'\n' && matrix[about.len()..127].iter().all(|byte| *byte == b' ')
        );
        let doubles: Vec<f64> = matrix[128..].chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
        assert!(doubles[..3] == [0.5, 2.5, 1.5] && doubles[3].is_nan() && doubles.len() == 4);
        let games = file("game.npy");
        assert!(games.starts_with(b"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }"));
        assert_eq!(games[128..], [7i64.to_le_bytes(), (-1i64).to_le_bytes()].concat());
        let moves = file("move.npy");
        assert!(moves[10..].starts_with(b"{'descr': '<U5', ") && moves.len() == 128 + 2 * 5 * 4);
        assert_eq!(moves[128..][..12], [0xE9, 0, 0, 0, b'1', 0, 0, 0, 0, 0, 0, 0]);
        assert!(file("feature_names.npy").ends_with(&[b'a', 0, 0, 0, b'b', 0, 0, 0]));
        assert!(file("unseen.npy")[10..].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }"));
    }
}
