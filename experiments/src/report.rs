//! HTML pages: pieces of HTML, diagrams and the style that every page shares.

pub mod html;
pub mod svg;
