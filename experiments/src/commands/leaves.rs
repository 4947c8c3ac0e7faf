//! `leaves train`, `show`, `diff`, `export`.

pub mod inspect;
pub mod train;
