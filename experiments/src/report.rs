//! HTML pages: their pieces, their drawings, their shell and its style sheet.

pub mod html;
pub mod svg;
pub mod page;
