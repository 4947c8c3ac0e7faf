//! Reports: HTML, Markdown and SVG elements, and the frame of a page with its style sheet.

pub mod html;
pub mod svg;
pub mod viewer;

/// A report as Markdown, in the artefact that it describes.
pub const REPORT_FILE: &str = "report.md";
pub const PAGE_FILE: &str = "report.html";

pub use tilewright_train::markdown;
