//! A leave table as one self-contained HTML page. It loads nothing from the network, and the same artefact gives the same
//! bytes. Each section has its own module.

use tilewright_engine::artefact::Manifest;
use tilewright_train::leaves::config::LeavesConfig;
use tilewright_train::run_config::RunConfig;

use crate::report::page::{Page, repeat_in_folder};

mod subject;
mod head;
mod tiles;
pub mod lengths;
mod synergies;
mod vowels;
mod support;
mod convergence;
mod warned;
mod search;

pub use subject::{Subject, leave_html};

/// The page as HTML; about 2 MB at most.
pub fn write(subject: &Subject<'_>) -> String {
    let (search, data) = search::section_and_data(subject);
    let is_trained = |manifest: &&Manifest| LeavesConfig::from_toml(&manifest.config, "").is_ok();
    let repeat = subject.manifest.filter(is_trained).map(|_| repeat_in_folder("leaves train"));
    let mut page = Page {
        title: format!("Leave table for {}", subject.name),
        header: head::header(subject),
        sections: vec![
            tiles::section(subject),
            lengths::section(subject),
            synergies::section(subject),
            vowels::section(subject),
            support::section(subject),
            convergence::section(subject),
            warned::section(subject),
            search,
        ],
        footer: head::footer(subject),
        script: Some((data, include_str!("page/search.js"))),
    };
    page.sections.extend(repeat);
    page.write()
}

#[cfg(test)]
mod tests {
    use tilewright_engine::leave::LeaveTable;
    use tilewright_engine::tileset::TileSet;
    use tilewright_train::leaves::detail::Detail;
    use tilewright_train::leaves::warnings::Warnings;

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

    /// The page of a table of zeros, with this support of every leave in turns and boards; `None` for a bare table.
    fn page(support: Option<[i64; 2]>) -> String {
        let tileset = TileSet::from_toml(FEW, "few").unwrap();
        let table = LeaveTable::zero(&tileset);
        let leaves = table.ranking().len();
        let detail = support.map(|[turns, boards]| Detail {
            support: vec![turns; leaves],
            boards: vec![boards; leaves],
            standard_error: vec![0.0; leaves],
        });
        let warnings = Warnings::new(&table, detail.as_ref());
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
    fn only_the_sources_of_a_run_are_shown() {
        let (turn_parts, board_parts) =
            (["never held", "turns held</th>", "\"support\":[70"], ["on no board", ">boards</th>", "\"boards\":[9"]);
        for (support, turns, boards) in
            [(Some([70, 0]), true, false), (Some([0, 9]), false, true), (Some([70, 9]), true, true), (None, false, false)]
        {
            let page = page(support);
            for (parts, wanted) in [(turn_parts, turns), (board_parts, boards)] {
                for part in parts {
                    assert_eq!(page.contains(part), wanted, "{part} with {support:?}");
                }
            }
            assert_eq!(page.contains("every value is supported"), support.is_some());
            assert_eq!(page.contains("by the only rule that needs no support"), support.is_none());
        }
    }
}
