//! Reports: HTML, Markdown and SVG elements, and the frame of a page with its style sheet.

pub mod html;
pub mod figures;
pub mod svg;
pub mod intervals;
pub mod viewer;

pub const PAGE_FILE: &str = "report.html";

pub use tilewright_train::markdown;
