//! The data dictionary: a page of all tables that `export` writes.

use tilewright_train::candidates::OnSets;
use tilewright_train::evolve::run::Evolution;
use tilewright_train::leaves::run::LeavesRun;
use tilewright_train::match_games;
use tilewright_train::network::run::NetworkRun;
use tilewright_train::run::Run;
use tilewright_train::schema::{Field, Schema};
use tilewright_train::selfplay::Selfplay;
use tilewright_train::stored_match::MatchRun;
use tilewright_train::td::artefact::TdRun;
use tilewright_train::win_percentage::run::WinPercentageRun;

use crate::experiment;
use crate::report::markdown;

/// The tables of all kinds of runs.
fn schemas() -> Vec<&'static Schema> {
    fn of<R: Run>() -> &'static [&'static Schema] {
        R::TABLES
    }
    [
        of::<Selfplay<'_>>(),
        of::<MatchRun<'_>>(),
        &[&match_games::CANDIDATES_SCHEMA],
        of::<LeavesRun<'_>>(),
        of::<Evolution<'_>>(),
        of::<TdRun<'_>>(),
        of::<OnSets<'_, NetworkRun<'_>>>(),
        of::<WinPercentageRun<'_>>(),
        &[&experiment::LINES_SCHEMA],
    ]
    .concat()
}

pub fn page() -> String {
    let mut page = String::from(
        "# Data dictionary\n\nThe tables that `tilewright export RUN --out DIR` writes. `tilewright export --dictionary` prints this page; \
         a test compares the two.\nA name that ends in `*` stands for columns that begin so.\n\nIn CSV a text that begins with `=`, `+`, `-`, `@`, a tab or a \
         carriage return, such as an exchange, has an apostrophe before it, so that no spreadsheet computes it. NaN is an empty cell.\n",
    );
    for Schema { name, row, fields } in schemas() {
        let cells = |field: &Field| {
            let kind = format!("{:?}", field.kind).to_lowercase();
            vec![field.name.into(), kind, field.unit.into(), field.view.into(), field.meaning.into()]
        };
        let table = markdown::table(&["`column", "type", "unit", "point of view", "meaning"], fields.iter().map(cells));
        page += &format!("\n## `{name}`\n\nA row is {row}.\n\n{table}");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_the_repository_is_this_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../notebooks-export/data-dictionary.md");
        let committed = std::fs::read_to_string(path).unwrap();
        assert_eq!(committed, page(), "write it with: tilewright export --dictionary > notebooks-export/data-dictionary.md");
    }

    #[test]
    fn no_two_tables_have_one_name() {
        let schemas = schemas();
        for (at, schema) in schemas.iter().enumerate() {
            assert!(schemas[..at].iter().all(|other| other.name != schema.name), "{}", schema.name);
            for (at, field) in schema.fields.iter().enumerate() {
                assert!(schema.fields[..at].iter().all(|other| other.name != field.name), "{}", field.name);
            }
        }
    }
}
