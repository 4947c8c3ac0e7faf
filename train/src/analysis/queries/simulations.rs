//! Moves by simulation against moves by equity, from the valued candidates of records, without turns whose deals are all one.

use polars::prelude::{DataType, Expr, LazyFrame, SortMultipleOptions, SortOptions, UnionArgs, col, concat, lit};

use crate::analysis::query::{Of, Query, Rules, number, rows};
use crate::records::RecordTable;

pub const BEST_RANK: Query = Query {
    name: "best-rank",
    key: "rank by equity",
    value: "turns, with ten tiles or more in the bag, whose best simulated move has this rank",
    unit: "%",
    scale: 100.0,
    table: RecordTable::Candidates,
    of: Of::All,
    columns: &["turn", "rank", "bag", "deals", "gain"],
    label: number,
    rows: |moves, _| {
        let turns = by_turn(moves.filter(col("bag").gt_eq(lit(10))), best("rank").alias("best"));
        rows(turns, col("best"), lit(1))
    },
};

pub const BEST_GAP: Query = Query {
    name: "best-gap",
    key: "points",
    value: "turns whose best simulated move is less than this above the second",
    of: Of::Key,
    columns: &["turn", "deals", "gain"],
    label: halves,
    rows: |moves, _| {
        let sorted =
            |at: i64| col("gain").sort(SortOptions::default().with_order_descending(true)).slice(lit(at), lit(1)).first();
        let turns = by_turn(moves, (sorted(0) - sorted(1)).alias("gap"));
        let below = |half_points: &i32| {
            let is_below = col("gap").lt(lit(f64::from(*half_points) / 2.0)).cast(DataType::Int64);
            rows(turns.clone(), lit(*half_points), is_below)
        };
        let all: Vec<LazyFrame> = GAPS.iter().map(below).collect();
        concat(all, UnionArgs::default()).unwrap_or_else(|error| unreachable!("all have the same columns: {error}"))
    },
    ..BEST_RANK
};

pub const SIMULATION_GAIN: Query = Query {
    name: "simulation-gain",
    key: "turns",
    value: "simulated gain of the best simulated move over the best by equity; noise makes it too large",
    unit: "points",
    scale: 1e-3,
    columns: &["turn", "rank", "deals", "gain"],
    label: all,
    rows: |moves, _| {
        let first = col("gain").sort_by([col("rank")], SortMultipleOptions::default()).first();
        let turns = by_turn(moves, (best("gain") - first).alias("more"));
        rows(turns, lit(0), thousandths(col("more")))
    },
    ..BEST_GAP
};

pub const PLAYOUT_DEVIATION: Query = Query {
    name: "playout-deviation",
    key: "moves",
    value: "standard deviation of a playout of two plies",
    columns: &["deals", "playout_deviation"],
    rows: |moves, _| rows(simulated(moves), lit(0), thousandths(col("playout_deviation"))),
    ..SIMULATION_GAIN
};

pub const DIFFERENCE_DEVIATION: Query = Query {
    name: "difference-deviation",
    key: "rank by equity",
    value: "standard deviation of the difference from the move of rank 1 on the same deal",
    columns: &["rank", "deals", "difference_deviation"],
    label: number,
    rows: |moves, _| {
        let others = simulated(moves).filter(col("rank").gt(lit(1)));
        rows(others, col("rank"), thousandths(col("difference_deviation")))
    },
    ..SIMULATION_GAIN
};

pub const COMMON_DEALS: Query = Query {
    name: "common-deals",
    value: "variance of the difference from the move of rank 1 on common deals, in that on separate deals",
    scale: 0.1,
    of: Of::Key,
    columns: &["turn", "rank", "deals", "playout_deviation", "difference_deviation"],
    rows: |moves, _| {
        let square = |name: &str| col(name) * col(name);
        let first = square("playout_deviation")
            .filter(col("rank").eq(lit(1)))
            .first()
            .over([col("game"), col("turn")])
            .unwrap_or_else(|error| unreachable!("a turn has a name: {error}"));
        let separate = (square("playout_deviation") + first).alias("separate");
        let moves = simulated(moves).with_column(separate).filter(col("rank").gt(lit(1)).and(col("separate").gt(lit(0.0))));
        rows(moves, col("rank"), thousandths(square("difference_deviation") / col("separate")))
    },
    ..BEST_RANK
};

/// The points of [`BEST_GAP`], in halves.
const GAPS: [i32; 26] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 25, 30, 40, 50, 60, 70, 80, 90, 110];

/// Moves that were simulated on different deals.
fn simulated(moves: LazyFrame) -> LazyFrame {
    moves.filter(col("deals").gt(lit(1)))
}

/// One row for each turn.
fn by_turn(moves: LazyFrame, value: Expr) -> LazyFrame {
    simulated(moves).group_by([col("game"), col("turn")]).agg([value])
}

/// A column of the move with the best gain. Between equal gains the better equity decides.
fn best(column: &str) -> Expr {
    let order = SortMultipleOptions::default().with_order_descending_multi([true, false]);
    col(column).sort_by([col("gain"), col("rank")], order).first()
}

/// A column that is not negative as an integer.
fn thousandths(column: Expr) -> Expr {
    (column * lit(1000.0) + lit(0.5)).cast(DataType::Int64)
}

fn all(_: i32, _: &Rules) -> String {
    "all".into()
}

fn halves(key: i32, _: &Rules) -> String {
    (f64::from(key) / 2.0).to_string()
}
