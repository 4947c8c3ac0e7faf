//! How alike the leave tables of some runs are.

use tilewright_engine::setup::rules_hash;
use tilewright_train::leaves::difference::Difference;

use super::verdict::Run;
use crate::Failure;
use crate::flags::GameFlags;
use crate::leaves::table::{OpenTable, Place};
use crate::report::html::{Section, grouped, missing, signed, table};

/// Compares the first table with the others leave by leave. All must be of one tile set.
pub fn alike(runs: &[Run<'_>], game: &GameFlags) -> Result<Section, Failure> {
    let quiet = GameFlags { quiet: true, ..game.clone() };
    let opened = runs.iter().map(|(run, _)| OpenTable::open(&Place::named(&run.path), &quiet));
    let tables = opened.collect::<Result<Vec<_>, _>>()?;
    let rules = |open: &OpenTable| rules_hash(&open.tileset, &open.layout);
    let first = &tables[0];
    let row = |((run, _), other): (&Run<'_>, &OpenTable)| {
        let difference = Difference::between(&other.table, &first.table, &first.tileset, |_| 0.0);
        let all = difference.by_length.last()?;
        let correlation = format!("{:.4}", all.correlation).replace('-', "−");
        let [absolute, root] = [all.mean_absolute, all.root_mean_square].map(|points| format!("{points:.2}"));
        Some([run.name.clone(), grouped(all.leaves as u64), correlation, signed(all.mean, 2), absolute, root])
    };
    let lead = format!(
        "Each table against {}, weighted by how often a random full rack contains a leave. For single leaves see tilewright leaves diff.",
        runs[0].0.name
    );
    let head = [
        "table",
        "#common leaves",
        "#correlation",
        "#mean difference, points",
        "#mean absolute difference",
        "#root mean square difference",
    ];
    let body = if tables.iter().all(|table| rules(table) == rules(first)) {
        table(&head, runs.iter().zip(&tables).skip(1).filter_map(row))
    } else {
        missing("The tables are for different tile sets.")
    };
    Ok(Section::new("alike", "Alike", "How alike the tables are", lead, body))
}
