//! A leave table as one self-contained HTML page: nothing is fetched, nothing depends on when or how fast, so the same
//! artefact writes the same bytes. A section a module; [`html`] and [`svg`] are what they are written with.

use tilewright_engine::artefact::Manifest;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::tileset::TileSet;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::Warnings;

mod convergence;
mod head;
mod html;
mod lengths;
mod search;
mod support;
mod svg;
mod synergies;
mod tiles;
mod vowels;
mod warned;

/// What the page tells of.
pub struct Subject<'a> {
    /// The lexicon of an artefact, the file name of a bare table.
    pub name: &'a str,
    /// Words of the lexicon, if it is the one that the table was made for.
    pub words: Option<usize>,
    /// The tiles.
    pub tileset: &'a TileSet,
    /// The values.
    pub table: &'a LeaveTable,
    /// What stands behind them; bare tables have none.
    pub detail: Option<&'a Detail>,
    /// What is to be said against them.
    pub warnings: &'a Warnings,
    /// How the artefact was made.
    pub manifest: Option<&'a Manifest>,
    /// How its run went, if the artefact tells.
    pub generations: Option<&'a Generations>,
}

/// The page; about 2 MB at most.
pub fn write(subject: &Subject<'_>) -> String {
    let (search, data) = search::section_and_data(subject);
    let sections = [
        tiles::section(subject),
        lengths::section(subject),
        synergies::section(subject),
        vowels::section(subject),
        support::section(subject),
        convergence::section(subject),
        warned::section(subject),
        search,
    ];
    let links: String =
        sections.iter().map(|section| format!("<a href=\"#{}\">{}</a>", section.id, html::escape(section.link))).collect();
    let body: String = sections.iter().map(html::Section::show).collect();
    let title = html::escape(&format!("Leave table for {}", subject.name));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{head}<nav>{links}</nav>\n<main>\n{body}</main>\n\
         {foot}{data}<script>\n{script}</script>\n</body>\n</html>\n",
        style = include_str!("leaves_page/page.css"),
        head = head::header(subject),
        foot = head::footer(subject),
        script = include_str!("leaves_page/search.js"),
    )
}

/// The quantile `share` (0–1) of rising values; 0 without values.
fn quantile(rising: &[f64], share: f64) -> f64 {
    let at = ((rising.len() as f64 * share) as usize).min(rising.len().saturating_sub(1));
    rising.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_are_there() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        let tenths = [0.0, 0.25, 0.5, 1.0].map(|share| (10.0 * quantile(&rising, share)) as i32);
        assert_eq!((tenths, quantile(&[], 0.5) as i32), ([10, 20, 30, 40], 0));
    }
}
