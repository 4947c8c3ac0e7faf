//! Reports: HTML, Markdown and SVG elements, and the frame of a page with its style sheet.

/// A report as Markdown, in the artefact that it describes.
pub const REPORT_FILE: &str = "report.md";
pub const PAGE_FILE: &str = "report.html";

pub mod html;
pub mod markdown;
pub mod svg;
pub mod chart;
pub mod page;
pub mod board;
pub mod viewer;
