//! The figures of a network as tables: those of its training, and those of an evaluation.
//!
//! ```text
//! report of network train ─► explained, heads, epochs, learning curve ─┐
//!                         └─► details ─► sources, calibration, inputs ◄┴─ figures of network eval
//! ```
//!
//! A table without rows is left out: a run without auxiliary heads has no table of heads.

use super::eval::calibration::Bin;
use super::eval::{Details, NetworkEvaluation};
use super::matches::MatchFigures;
use super::run::NetworkReport;
use super::training::Epoch;
use crate::linear::report::{Explained, Explanation};
use crate::parquet_file::Column;
use crate::schema::Table;

mod schemas;

pub use schemas::SCHEMAS;
use schemas::{
    CALIBRATION_SCHEMA, EPOCHS_SCHEMA, EXPLAINED_SCHEMA, HEADS_SCHEMA, INPUTS_SCHEMA, LEARNING_CURVE_SCHEMA, SOURCES_SCHEMA,
};

/// The positions of the network itself.
const WITH_BAG: &str = "with_bag";
/// The positions of the network for the endgame.
const EMPTY_BAG: &str = "empty_bag";

/// What the figures of one evaluator say of one stage.
struct StageRow<'a> {
    positions: &'static str,
    evaluator: &'static str,
    stage: &'a str,
    figures: &'a Explained,
}

/// The figures of a training run.
pub fn of_report(report: &NetworkReport) -> Vec<Table> {
    let endgame = report.endgame.iter().map(|endgame| (EMPTY_BAG, endgame.as_ref()));
    let reports: Vec<(&'static str, &NetworkReport)> = [(WITH_BAG, report)].into_iter().chain(endgame).collect();
    let stages: Vec<StageRow<'_>> = reports
        .iter()
        .flat_map(|&(positions, NetworkReport { linear, network, .. })| {
            stages(positions, "linear_fit", linear).chain(stages(positions, "network", network))
        })
        .collect();
    let mut tables = vec![explained(&stages), heads(&reports), epochs(&reports), learning_curve(report)];
    tables.extend(report.details.iter().flat_map(details));
    with_rows(tables)
}

/// The figures of an evaluation.
pub fn of_evaluation(evaluation: &NetworkEvaluation) -> Vec<Table> {
    let NetworkEvaluation { network, skip, details: own, endgame, .. } = evaluation;
    let both = |positions, [skip, network]: [_; 2]| {
        stages(positions, "skip_connection", skip).chain(stages(positions, "network", network))
    };
    let endgame = endgame.iter().flat_map(|endgame| both(EMPTY_BAG, [&endgame.skip, &endgame.network]));
    let stages: Vec<StageRow<'_>> = both(WITH_BAG, [skip, network]).chain(endgame).collect();
    with_rows([explained(&stages)].into_iter().chain(details(own)).collect())
}

fn with_rows(mut tables: Vec<Table>) -> Vec<Table> {
    tables.retain(|table| table.columns.first().is_some_and(|(_, column)| !column.is_empty()));
    tables
}

/// The stages of an explanation that have sets, and all together.
fn stages<'a>(
    positions: &'static str,
    evaluator: &'static str,
    explanation: &'a Explanation,
) -> impl Iterator<Item = StageRow<'a>> + use<'a> {
    explanation.rows().map(move |(stage, figures)| StageRow { positions, evaluator, stage, figures })
}

/// The explained share of the signal; NaN without a signal.
fn of_signal(figures: &Explained) -> f64 {
    if figures.signal > 0.0 { figures.explained / figures.signal } else { f64::NAN }
}

/// The columns that say what is explained, in their order.
fn figures<R>(rows: &[R], of: impl Fn(&R) -> &Explained) -> [(&'static str, Column); 8] {
    let doubles = |value: fn(&Explained) -> f64| Column::doubles(rows, |row| value(of(row)));
    [
        ("sets", Column::counts(rows, |row| of(row).sets)),
        ("signal", doubles(|one| one.signal)),
        ("explained", doubles(|one| one.explained)),
        ("explained_of_signal", doubles(of_signal)),
        ("gain", doubles(|one| one.gain)),
        ("gain_error", doubles(|one| one.gain_error)),
        ("win_gain", doubles(|one| one.win_gain)),
        ("win_gain_error", doubles(|one| one.win_gain_error)),
    ]
}

fn explained(rows: &[StageRow<'_>]) -> Table {
    let columns = [
        ("positions", Column::texts(rows, |row| row.positions.into())),
        ("evaluator", Column::texts(rows, |row| row.evaluator.into())),
        ("stage", Column::texts(rows, |row| row.stage.into())),
    ];
    Table::new(&EXPLAINED_SCHEMA, columns.into_iter().chain(figures(rows, |row| row.figures)))
}

fn heads(reports: &[(&'static str, &NetworkReport)]) -> Table {
    let of_report = |&(positions, report): &(&'static str, &NetworkReport)| {
        report.heads.iter().map(|head| (positions, *head)).collect::<Vec<_>>()
    };
    let rows: Vec<_> = reports.iter().flat_map(of_report).collect();
    let columns = [
        ("positions", Column::texts(&rows, |(positions, _)| (*positions).into())),
        ("part", Column::texts(&rows, |(_, head)| head.part.to_string())),
        ("share", Column::doubles(&rows, |(_, head)| head.share)),
        ("signal", Column::doubles(&rows, |(_, head)| head.signal)),
        ("explained_by_linear_fit", Column::doubles(&rows, |(_, head)| head.linear)),
        ("explained", Column::doubles(&rows, |(_, head)| head.explained)),
    ];
    Table::new(&HEADS_SCHEMA, columns)
}

fn epochs(reports: &[(&'static str, &NetworkReport)]) -> Table {
    let of_report = |&(positions, report): &(&'static str, &NetworkReport)| {
        (1..).zip(report.epochs.iter().copied()).map(move |(number, epoch)| (positions, number, epoch)).collect::<Vec<_>>()
    };
    let rows: Vec<(&'static str, u64, Epoch)> = reports.iter().flat_map(of_report).collect();
    let doubles = |value: fn(&Epoch) -> f64| Column::doubles(&rows, |(_, _, epoch)| value(epoch));
    let matched = |value: fn(&MatchFigures) -> f64| {
        Column::doubles(&rows, |(_, _, epoch)| epoch.matched.as_ref().map_or(f64::NAN, value))
    };
    let columns = [
        ("positions", Column::texts(&rows, |(positions, ..)| (*positions).into())),
        ("epoch", Column::counts(&rows, |&(_, number, _)| number)),
        ("error", doubles(|epoch| epoch.error)),
        ("explained", doubles(|epoch| epoch.explained)),
        ("explained_of_signal", doubles(|epoch| epoch.explained_of_signal.unwrap_or(f64::NAN))),
        ("pairs", Column::counts(&rows, |(_, _, epoch)| epoch.matched.as_ref().map_or(0, |matched| matched.pairs))),
        ("win_rate", matched(|matched| matched.win_rate)),
        ("win_rate_low", matched(|matched| matched.win_rate_interval[0])),
        ("win_rate_high", matched(|matched| matched.win_rate_interval[1])),
        ("spread", matched(|matched| matched.spread)),
        ("spread_low", matched(|matched| matched.spread_interval[0])),
        ("spread_high", matched(|matched| matched.spread_interval[1])),
    ];
    Table::new(&EPOCHS_SCHEMA, columns)
}

fn learning_curve(report: &NetworkReport) -> Table {
    let rows = &report.learning_curve;
    let sets = [("training_sets", Column::counts(rows, |point| point.training_sets))];
    Table::new(&LEARNING_CURVE_SCHEMA, sets.into_iter().chain(figures(rows, |point| &point.held_out)))
}

fn details(details: &Details) -> [Table; 3] {
    let Details { sources, attributions, .. } = details;
    let of_sources = [
        ("part", Column::texts(sources, |source| source.part.clone())),
        ("stage", Column::texts(sources, |source| source.stage.clone())),
        ("signal", Column::doubles(sources, |source| source.signal)),
        ("correlation", Column::doubles(sources, |source| source.correlation.unwrap_or(f64::NAN))),
        ("explained_of_signal", Column::doubles(sources, |source| source.share.unwrap_or(f64::NAN))),
    ];
    let of_inputs = [
        ("input", Column::texts(attributions, |one| one.input.clone())),
        ("fall", Column::doubles(attributions, |one| one.fall)),
    ];
    [Table::new(&SOURCES_SCHEMA, of_sources), calibration(details), Table::new(&INPUTS_SCHEMA, of_inputs)]
}

fn calibration(details: &Details) -> Table {
    let numbered =
        details.calibration.iter().flat_map(|stage| (1..).zip(&stage.bins).map(|(bin, of)| (&stage.stage, bin, of)));
    let rows: Vec<(&String, u64, &Bin)> = numbered.collect();
    let doubles = |value: fn(&Bin) -> f64| Column::doubles(&rows, |(_, _, bin)| value(bin));
    let columns = [
        ("stage", Column::texts(&rows, |(stage, ..)| (*stage).clone())),
        ("bin", Column::counts(&rows, |&(_, number, _)| number)),
        ("candidates", Column::counts(&rows, |(_, _, bin)| bin.candidates)),
        ("predicted", doubles(|bin| bin.predicted)),
        ("target", doubles(|bin| bin.target)),
        ("simulated", doubles(|bin| bin.simulated)),
        ("simulated_low", doubles(|bin| bin.simulated - bin.interval)),
        ("simulated_high", doubles(|bin| bin.simulated + bin.interval)),
    ];
    Table::new(&CALIBRATION_SCHEMA, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation(explained: f64) -> serde_json::Value {
        let figures = |sets: u64, signal: f64| {
            serde_json::json!({ "sets": sets, "signal": signal, "explained": explained, "gain": 0.5, "gain_error": 0.25,
                                "win_gain": 0.01, "win_gain_error": 0.02 })
        };
        serde_json::json!({ "stages": [["early", figures(3, 0.5)], ["late", figures(0, 0.5)]], "all": figures(3, 0.0) })
    }

    fn details() -> serde_json::Value {
        serde_json::json!({
            "sources": [{ "part": "reply", "stage": "all", "signal": 0.2, "correlation": null, "share": null }],
            "calibration": [{ "stage": "all", "bins": [
                { "candidates": 7, "predicted": -1.0, "target": -0.5, "simulated": -2.0, "interval": 0.5 },
                { "candidates": 8, "predicted": 1.0, "target": 0.5, "simulated": 2.0, "interval": 0.25 } ] }],
            "attributions": [{ "input": "score", "fall": 0.125 }],
        })
    }

    fn columns<'a>(tables: &'a [Table], name: &str, wanted: &[&str]) -> Vec<&'a Column> {
        let table = tables.iter().find(|table| table.schema.name == name).unwrap();
        table.schema.fields_of(&table.columns).unwrap();
        wanted.iter().map(|wanted| &table.columns.iter().find(|(name, _)| name == wanted).unwrap().1).collect()
    }

    fn texts(values: &[&str]) -> Column {
        Column::Text(values.iter().map(ToString::to_string).collect())
    }

    fn names(tables: &[Table]) -> Vec<&str> {
        tables.iter().map(|table| table.schema.name).collect()
    }

    #[test]
    fn the_report_of_a_training_becomes_tables() {
        let epoch = |error: f64| serde_json::json!({ "error": error, "explained": 0.1, "explained_of_signal": null });
        let mut played = epoch(0.75);
        played["match"] = serde_json::json!({ "pairs": 5, "win_rate": 0.5, "win_rate_interval": [0.25, 0.75], "spread": 1.0,
                                              "spread_interval": [-3.0, 5.0] });
        let endgame = serde_json::json!({ "training_sets": 2, "linear": explanation(0.3), "network": explanation(0.4),
                                          "epochs": [epoch(0.5)] });
        let point = |sets: u64| serde_json::json!({ "training_sets": sets, "held_out": explanation(0.2)["all"] });
        let report = serde_json::json!({ "training_sets": 9, "linear": explanation(0.1), "network": explanation(0.2),
            "epochs": [epoch(1.0), played], "learning_curve": [point(1), point(9)], "details": details(), "endgame": endgame });
        let report: NetworkReport = serde_json::from_value(report).unwrap();
        let tables = of_report(&report);
        let wanted = ["explained", "epochs", "learning_curve", "sources", "calibration", "inputs"]
            .map(|name| format!("network_{name}"));
        assert_eq!(names(&tables), wanted, "no head was trained");

        // Stages without sets are left out.
        let of =
            columns(&tables, "network_explained", &["positions", "evaluator", "stage", "explained", "explained_of_signal"]);
        let [with, empty] = ["with_bag", "empty_bag"];
        assert_eq!(of[0], &texts(&[with, with, with, with, empty, empty, empty, empty]));
        let both = ["linear_fit", "linear_fit", "network", "network"];
        assert_eq!((of[1], of[2]), (&texts(&[both, both].concat()), &texts(&["early", "all"].repeat(4))));
        assert_eq!(of[3], &Column::Double([0.1, 0.2, 0.3, 0.4].into_iter().flat_map(|share| [share; 2]).collect()));
        let Column::Double(shares) = of[4] else { panic!() };
        assert!(
            shares.iter().enumerate().all(|(row, share)| share.is_nan() == (row % 2 == 1))
                && (shares[2] - 0.4).abs() < 1e-12
        );

        let of =
            columns(&tables, "network_epochs", &["positions", "epoch", "error", "pairs", "win_rate_low", "spread_high"]);
        assert_eq!((of[0], of[1]), (&texts(&[with, with, empty]), &Column::Int64(vec![1, 2, 1])));
        assert_eq!((of[2], of[3]), (&Column::Double(vec![1.0, 0.75, 0.5]), &Column::Int64(vec![0, 5, 0])));
        let [Column::Double(low), Column::Double(high)] = of[4..] else { panic!() };
        assert!(low[0].is_nan() && low[2].is_nan() && (low[1], high[1]) == (0.25, 5.0));
        let sets = columns(&tables, "network_learning_curve", &["training_sets", "sets"]);
        assert_eq!(sets, [&Column::Int64(vec![1, 9]), &Column::Int64(vec![3, 3])]);
    }

    #[test]
    fn an_evaluation_becomes_tables() {
        let mut evaluation = details();
        evaluation["candidates"] = 15.into();
        (evaluation["network"], evaluation["skip"]) = (explanation(0.2), explanation(0.1));
        let evaluation: NetworkEvaluation = serde_json::from_value(evaluation).unwrap();
        let tables = of_evaluation(&evaluation);
        let wanted = ["explained", "sources", "calibration", "inputs"].map(|name| format!("network_{name}"));
        assert_eq!(names(&tables), wanted);
        let evaluators = ["skip_connection", "skip_connection", "network", "network"];
        assert_eq!(columns(&tables, "network_explained", &["evaluator"]), [&texts(&evaluators)]);
        let wanted = ["bin", "candidates", "simulated_low", "simulated_high"];
        let [bins, candidates, low, high] = columns(&tables, "network_calibration", &wanted)[..] else { panic!() };
        assert_eq!((bins, candidates), (&Column::Int64(vec![1, 2]), &Column::Int64(vec![7, 8])));
        assert_eq!((low, high), (&Column::Double(vec![-2.5, 1.75]), &Column::Double(vec![-1.5, 2.25])));
        let [Column::Double(share)] = columns(&tables, "network_sources", &["explained_of_signal"])[..] else { panic!() };
        assert!(share.iter().all(|share| share.is_nan()));
        assert_eq!(columns(&tables, "network_inputs", &["fall"]), [&Column::Double(vec![0.125])]);
    }
}
