//! `export`: the tables of a run as a dataset, tidy Parquet or CSV files next to a `schema.json` that says what every column is.
//!
//! The code that makes a table owns its schema; the data dictionary in `notebooks-export` is written from the same schemas.

use crate::{Failure, say};

pub mod flags;
mod dataset;
mod dictionary;
mod sources;

use flags::ExportArguments;

pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    if let (Some(run), Some(out)) = (&arguments.run, &arguments.out) {
        sources::export(arguments, run, out)
    } else {
        say!("{}", dictionary::page().trim_end());
        Ok(())
    }
}
