//! How alike the leave tables of some runs are.

use std::path::Path;

use tilewright_engine::setup::rules_hash;
use tilewright_train::leaves::difference::{Difference, LengthDifference};

use crate::Failure;
use crate::flags::{GameFlags, shell_word};
use crate::leaves::table::{OpenTable, Place};
use crate::report::html::{Section, grouped, html, missing, signed, table};

/// The first table, compared leave by leave with each other one of the same tile set.
pub fn alike(runs: &[(&str, &Path)], game: &GameFlags) -> Result<Section, Failure> {
    let quiet = GameFlags { quiet: true, ..game.clone() };
    let opened =
        |(name, path): &(&str, &Path)| Ok::<_, Failure>((name.to_string(), OpenTable::open(&Place::named(path), &quiet)?));
    let tables = runs.iter().map(opened).collect::<Result<Vec<_>, _>>()?;
    let [(_, first), others @ ..] = &tables[..] else { unreachable!("two runs at least are compared") };
    let rules = |open: &OpenTable| rules_hash(&open.tileset, &open.layout);
    let row = |(name, other): &(String, OpenTable)| {
        let difference = Difference::between(&other.table, &first.table, &first.tileset, |_| 0.0);
        let LengthDifference { leaves, correlation, mean, mean_absolute, root_mean_square, .. } =
            difference.by_length.last()?;
        let [correlation, absolute, root] =
            [format!("{correlation:.4}"), format!("{mean_absolute:.2}"), format!("{root_mean_square:.2}")];
        Some([name.clone(), grouped(*leaves as u64), correlation.replace('-', "−"), signed(*mean, 2), absolute, root])
    };
    let rows: Vec<_> = others.iter().filter(|(_, other)| rules(other) == rules(first)).filter_map(row).collect();
    let name = runs[0].0;
    let head = ["table", "#leaves", "#correlation", "#mean difference, points", "#absolute", "#root mean square"];
    let [a, b] = [0, 1].map(|place| shell_word(&runs[place].1.to_string_lossy()));
    let lead = format!(
        "Each table against {name}. A random full rack contains some leaves more often than others, and they weigh more. For single leaves: \
         tilewright leaves diff {a} {b} --html diff.html"
    );
    let body = if rows.is_empty() {
        missing("The tables are for different tile sets.")
    } else {
        html! { (table(&head, &rows)) }
    };
    Ok(Section::new("alike", "Alike", "How alike the tables are", lead, body))
}
