//! `leaves train`, `show`, `report`, `diff`, `export`.

pub mod inspect;
pub mod report;
pub mod train;
