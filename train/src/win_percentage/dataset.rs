//! A win table as a table of rows.

use tilewright_engine::equity::Equity;
use tilewright_engine::win_percentage::{TilesLeft, WinPercentage};

use crate::parquet_file::Column;
use crate::schema::{Schema, double, int32, int64};

/// The columns.
pub const SCHEMA: Schema = Schema {
    name: "win_percentages",
    row: "a lead with some tiles left",
    fields: &[
        int32("bag", "tiles in the bag").unit("tiles"),
        int32("own", "tiles on the own rack").unit("tiles").view("player to move"),
        int32("other", "tiles on the other rack").unit("tiles").view("player to move"),
        int32("lead", "points ahead").unit("points").view("player to move"),
        double("win_probability", "probability to win; a draw counts half").unit("0 to 1").view("player to move"),
        int64("observed_turns", "turns of self-play with these tiles left; 0 if the table does not know").unit("turns"),
    ],
};

/// A row for each lead from the greatest deficit of the table to the greatest lead, for all tiles left.
pub fn columns(table: &WinPercentage) -> Vec<(String, Column)> {
    let leads = || -table.most_spread()..=table.most_spread();
    let rows: Vec<(TilesLeft, i32)> = table.states().all().flat_map(|left| leads().map(move |lead| (left, lead))).collect();
    let ints = |value: fn(&(TilesLeft, i32)) -> i32| Column::Int32(rows.iter().map(value).collect());
    let columns = [
        ("bag", ints(|(left, _)| left.bag as i32)),
        ("own", ints(|(left, _)| left.own as i32)),
        ("other", ints(|(left, _)| left.other as i32)),
        ("lead", ints(|(_, lead)| *lead)),
        ("win_probability", Column::doubles(&rows, |row| table.win_probability(row.0, Equity::from_points(row.1)))),
        ("observed_turns", Column::counts(&rows, |row| table.turns(row.0))),
    ];
    columns.map(|(name, column)| (name.to_string(), column)).into()
}
