//! A win table as a table of rows.

use tilewright_engine::equity::Equity;
use tilewright_engine::win_percentage::WinPercentage;

use crate::parquet_file::Column;
use crate::schema::{Schema, Type, field};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "win_percentages",
    row: "a lead with some tiles left",
    fields: &[
        field("bag", Type::Int32, "tiles", "", "tiles in the bag"),
        field("own", Type::Int32, "tiles", "player to move", "tiles on the own rack"),
        field("other", Type::Int32, "tiles", "player to move", "tiles on the other rack"),
        field("lead", Type::Int32, "points", "player to move", "points ahead"),
        field("win_probability", Type::Double, "0 to 1", "player to move", "probability to win; a draw counts half"),
        field(
            "observed_turns",
            Type::Int64,
            "turns",
            "",
            "turns of self-play with these tiles left; 0 if the table does not know",
        ),
    ],
};

/// A row for each lead from the greatest deficit of the table to the greatest lead, for all tiles left.
pub fn columns(table: &WinPercentage) -> Vec<(String, Column)> {
    let (mut bags, mut owns, mut others, mut leads) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut probabilities, mut turns) = (Vec::new(), Vec::new());
    for left in table.states().all() {
        for lead in -table.most_spread()..=table.most_spread() {
            bags.push(left.bag as i32);
            owns.push(left.own as i32);
            others.push(left.other as i32);
            leads.push(lead);
            probabilities.push(table.win_probability(left, Equity::from_points(lead)));
            turns.push(table.turns(left) as i64);
        }
    }
    let columns = [
        ("bag", Column::Int32(bags)),
        ("own", Column::Int32(owns)),
        ("other", Column::Int32(others)),
        ("lead", Column::Int32(leads)),
        ("win_probability", Column::Double(probabilities)),
        ("observed_turns", Column::Int64(turns)),
    ];
    columns.map(|(name, column)| (name.to_string(), column)).into()
}
