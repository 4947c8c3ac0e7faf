//! Reports: pieces of HTML and Markdown, drawings, and the shell of a page with its style sheet.

pub mod html;
pub mod markdown;
pub mod svg;
pub mod page;
