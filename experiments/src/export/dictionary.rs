//! The data dictionary: a page of all tables that `export` writes.

use tilewright_train::evolve::dataset::{CANDIDATES_SCHEMA as EVOLUTION_CANDIDATES, GENERATIONS_SCHEMA};
use tilewright_train::leaves::{detail, generations};
use tilewright_train::network::dataset as network;
use tilewright_train::schema::{Field, Schema};
use tilewright_train::selfplay::valued;
use tilewright_train::td::course;
use tilewright_train::{match_games, pair_records, records, win_percentage};

use crate::experiment;
use crate::report::markdown;

const SCHEMAS: [&Schema; 21] = [
    &records::GAMES_SCHEMA,
    &records::SCHEMA,
    &match_games::CANDIDATES_SCHEMA,
    &valued::SCHEMA,
    &pair_records::SCHEMA,
    &detail::SCHEMA,
    &generations::SCHEMA,
    &generations::MATCHES_SCHEMA,
    &GENERATIONS_SCHEMA,
    &EVOLUTION_CANDIDATES,
    &course::SNAPSHOTS_SCHEMA,
    &course::WEIGHTS_SCHEMA,
    &network::EXPLAINED_SCHEMA,
    &network::HEADS_SCHEMA,
    &network::EPOCHS_SCHEMA,
    &network::LEARNING_CURVE_SCHEMA,
    &network::SOURCES_SCHEMA,
    &network::CALIBRATION_SCHEMA,
    &network::INPUTS_SCHEMA,
    &win_percentage::dataset::SCHEMA,
    &experiment::LINES_SCHEMA,
];

pub fn page() -> String {
    let mut page = String::from(
        "# Data dictionary\n\nThe tables that `tilewright export RUN --out DIR` writes. `tilewright export --dictionary` prints this page; \
         a test compares the two.\nA name that ends in `*` stands for columns that begin so.\n",
    );
    for Schema { name, row, fields } in SCHEMAS {
        let cells = |field: &Field| {
            let kind = format!("{:?}", field.kind).to_lowercase();
            vec![format!("`{}`", field.name), kind, field.unit.into(), field.view.into(), field.meaning.into()]
        };
        let table = markdown::table(&["column", "type", "unit", "point of view", "meaning"], fields.iter().map(cells));
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
        for (at, schema) in SCHEMAS.iter().enumerate() {
            assert!(SCHEMAS[..at].iter().all(|other| other.name != schema.name), "{}", schema.name);
            for (at, field) in schema.fields.iter().enumerate() {
                assert!(schema.fields[..at].iter().all(|other| other.name != field.name), "{}", field.name);
            }
        }
    }
}
