//! A win table as a table of rows.

use tilewright_engine::{Equity, WinPercentage};

use crate::schema::Cell::{Double, Int32, Int64};
use crate::schema::{Schema, Table, double, int32, int64};

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
pub fn rows(table: &WinPercentage) -> Table {
    let mut rows = Table::new(&SCHEMA);
    for left in table.states().all() {
        for lead in -table.most_spread()..=table.most_spread() {
            rows.add([
                ("bag", Int32(left.bag as i32)),
                ("own", Int32(left.own as i32)),
                ("other", Int32(left.other as i32)),
                ("lead", Int32(lead)),
                ("win_probability", Double(table.win_probability(left, Equity::from_points(lead)))),
                ("observed_turns", Int64(table.turns(left) as i64)),
            ]);
        }
    }
    rows
}
