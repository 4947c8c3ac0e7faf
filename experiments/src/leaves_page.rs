//! A leave table as one self-contained HTML page: nothing is fetched, nothing depends on when or how fast, so the same
//! artefact writes the same bytes. A section a module; [`html`] and [`svg`] are what they are written with.

use tilewright_engine::artefact::Manifest;
use tilewright_engine::leave::LeaveTable;
use tilewright_engine::tileset::TileSet;
use tilewright_train::leaves::detail::Detail;
use tilewright_train::leaves::generations::Generations;
use tilewright_train::leaves::warnings::{WELL_COUNTED, WELL_SUPPORTED, Warnings};

mod convergence;
mod head;
pub(crate) mod html;
mod lengths;
mod search;
mod support;
pub(crate) mod svg;
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

/// What can stand behind a value.
struct Source<'a> {
    /// How its column is called.
    head: &'static str,
    /// What is counted.
    unit: &'static str,
    /// What a leave that it never met is called.
    never: &'static str,
    /// Where a leave is well known by it alone.
    well_known: i64,
    /// How often each leave was met, by its number.
    counts: &'a [i64],
}

impl Source<'_> {
    fn count(&self, index: usize) -> u64 {
        self.counts[index].max(0).unsigned_abs()
    }

    /// The head of a column with the counts.
    fn column(&self) -> String {
        format!("#{}", self.head)
    }
}

/// What stands behind the values: turns of self-play, boards of the census, or both, if the run had them.
fn sources<'a>(subject: &Subject<'a>) -> Vec<Source<'a>> {
    let Some(detail) = subject.detail else { return Vec::new() };
    let turns = Source {
        head: "turns held",
        unit: "turns",
        never: "never held",
        well_known: WELL_SUPPORTED,
        counts: &detail.support,
    };
    let boards =
        Source { head: "boards", unit: "boards", never: "on none", well_known: WELL_COUNTED, counts: &detail.boards };
    [turns, boards].into_iter().filter(|source| source.counts.iter().any(|&count| count > 0)).collect()
}

/// The quantile `share` (0–1) of rising values; 0 without values.
fn quantile(rising: &[f64], share: f64) -> f64 {
    let at = ((rising.len() as f64 * share) as usize).min(rising.len().saturating_sub(1));
    rising.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: &str = r#"
        name = "few"
        board = "standard"
        total_tiles = 12
        total_points = 20
        blanks = 1
        letters = [
            { letter = "A", count = 5, value = 1, vowel = true },
            { letter = "B", count = 3, value = 3 },
            { letter = "C", count = 3, value = 2 },
        ]
        [rules]
        rack_size = 4
        bingo_bonus = 30
        exchange_minimum = 4
    "#;

    /// The page of a table without values whose leaves were met this often, in turns and on boards.
    fn page(met: Option<[i64; 2]>) -> String {
        let tileset = TileSet::from_toml(FEW, "few").unwrap();
        let table = LeaveTable::zero(&tileset);
        let leaves = table.ranking().len();
        let detail = met.map(|[turns, boards]| Detail {
            support: vec![turns; leaves],
            boards: vec![boards; leaves],
            standard_error: vec![0.0; leaves],
        });
        let warnings = Warnings::of(&table, detail.as_ref());
        write(&Subject {
            name: "few",
            words: None,
            tileset: &tileset,
            table: &table,
            detail: detail.as_ref(),
            warnings: &warnings,
            manifest: None,
            generations: None,
        })
    }

    #[test]
    fn what_a_run_had_is_shown_and_what_it_had_not_is_not() {
        let (of_turns, of_boards) =
            (["never held", "turns held</th>", "\"support\":[70"], ["on none", ">boards</th>", "\"boards\":[9"]);
        for (met, turns, boards) in
            [(Some([70, 0]), true, false), (Some([0, 9]), false, true), (Some([70, 9]), true, true), (None, false, false)]
        {
            let page = page(met);
            for (parts, wanted) in [(of_turns, turns), (of_boards, boards)] {
                for part in parts {
                    assert_eq!(page.contains(part), wanted, "{part} of {met:?}");
                }
            }
            assert_eq!(page.contains("every value is supported"), met.is_some());
            assert_eq!(page.contains("by the one rule that needs no support"), met.is_none());
        }
    }

    #[test]
    fn quantiles_are_values_that_are_there() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        let tenths = [0.0, 0.25, 0.5, 1.0].map(|share| (10.0 * quantile(&rising, share)) as i32);
        assert_eq!((tenths, quantile(&[], 0.5) as i32), ([10, 20, 30, 40], 0));
    }
}
