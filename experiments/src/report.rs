//! Reports: HTML, Markdown and SVG elements, and the frame of a page with its style sheet.

pub mod html;
pub mod svg;
pub mod viewer;

pub const PAGE_FILE: &str = "report.html";

pub use tilewright_train::markdown;
