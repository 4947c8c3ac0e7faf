//! `leaves train`, `evaluate`, `show`, `diff`, `export`.

pub mod evaluate;
pub mod inspect;
pub mod train;
