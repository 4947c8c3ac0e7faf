//! The result of a study as a page of Markdown.

use super::ladder::Ladder;
use super::summary::Summary;
use super::verdict::RULE;

/// The drawing of a ladder, next to the page.
pub const DRAWING: &str = "ladder.svg";

/// The page: the question, the ladder if there is one, and all figures.
pub fn page(summary: &Summary) -> String {
    let Summary { study, question, size, version, lines, .. } = summary;
    let source = summary.source.as_ref().map_or(String::new(), |source| format!(" Published in: {source}."));
    let ladder = Ladder::new(lines)
        .map_or(String::new(), |ladder| format!("{}\n![win rate over CPU-seconds per game]({DRAWING})\n\n", ladder.table()));
    format!("# {study}\n\n{question}\n\nThe {size} size, by {version}.{source}\n\n{ladder}{}\n{RULE}\n", summary.table())
}
