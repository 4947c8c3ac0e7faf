//! Everything that learns.
pub mod leaves;
pub mod parquet_file;
pub mod rack_values;
pub mod records;
