//! `leaves train`, `evaluate`, `show`, `report`, `diff`, `export`.

pub mod evaluate;
pub mod inspect;
pub mod report;
pub mod train;
