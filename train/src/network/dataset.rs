//! The figures of a network's training and of an evaluation, as tables.
//!
//! ```text
//! report of network train ─► explained, heads, epochs, learning curve ─┐
//!                         └─► details ─► sources, calibration, inputs ◄┴─ figures of network eval
//! ```
//!
//! A table without rows is left out: a run without auxiliary heads has no table of heads.

use tilewright_engine::series::{Estimate, NORMAL_95};

use super::eval::{Details, NetworkEvaluation};
use super::run::NetworkReport;
use crate::linear::run::{Explained, Explanation};
use crate::schema::Cell::{Double, Int64, Text};
use crate::schema::{Cell, Table};

mod schemas;

pub use schemas::SCHEMAS;
use schemas::{
    CALIBRATION_SCHEMA, EPOCHS_SCHEMA, EXPLAINED_SCHEMA, HEADS_SCHEMA, INPUTS_SCHEMA, LEARNING_CURVE_SCHEMA, SOURCES_SCHEMA,
};

/// The figure of a match that was not played.
const UNKNOWN: Estimate = Estimate { mean: f64::NAN, low: f64::NAN, high: f64::NAN };

/// The figures of a training run.
pub fn of_report(report: &NetworkReport) -> Vec<Table> {
    let [mut explained, mut heads, mut epochs, mut curve] =
        [&EXPLAINED_SCHEMA, &HEADS_SCHEMA, &EPOCHS_SCHEMA, &LEARNING_CURVE_SCHEMA].map(Table::new);
    add_explanation(&mut explained, "linear_fit", &report.linear);
    add_explanation(&mut explained, "network", &report.network);
    for head in &report.heads {
        heads.add([
            ("part", Text(head.part.to_string())),
            ("share", Double(head.share)),
            ("signal", Double(head.signal)),
            ("explained_by_linear_fit", Double(head.linear)),
            ("explained", Double(head.explained)),
        ]);
    }
    for (number, epoch) in (1..).zip(&report.epochs) {
        let matched = epoch.matched.as_ref();
        let [win_rate, spread] = [matched.map(|matched| matched.win_rate), matched.map(|matched| matched.spread)]
            .map(|figure| figure.unwrap_or(UNKNOWN));
        epochs.add([
            ("epoch", Int64(number)),
            ("error", Double(epoch.error)),
            ("explained", Double(epoch.explained)),
            ("explained_of_signal", Double(epoch.explained_of_signal.unwrap_or(f64::NAN))),
            ("pairs", Int64(matched.map_or(0, |matched| matched.pairs as i64))),
            ("win_rate", Double(win_rate.mean)),
            ("win_rate_low", Double(win_rate.low)),
            ("win_rate_high", Double(win_rate.high)),
            ("spread", Double(spread.mean)),
            ("spread_low", Double(spread.low)),
            ("spread_high", Double(spread.high)),
        ]);
    }
    for point in &report.learning_curve {
        let sets = [("training_sets", Int64(point.training_sets as i64))];
        curve.add(sets.into_iter().chain(figures(&point.held_out)));
    }
    let details = report.details.iter().flat_map(details);
    [explained, heads, epochs, curve].into_iter().chain(details).filter(|table| table.rows() > 0).collect()
}

/// The figures of an evaluation.
pub fn of_evaluation(evaluation: &NetworkEvaluation) -> Vec<Table> {
    let NetworkEvaluation { network, skip, details: own, .. } = evaluation;
    let mut explained = Table::new(&EXPLAINED_SCHEMA);
    add_explanation(&mut explained, "skip_connection", skip);
    add_explanation(&mut explained, "network", network);
    [explained].into_iter().chain(details(own)).filter(|table| table.rows() > 0).collect()
}

/// Adds the stages of an explanation that have sets, and all together.
fn add_explanation(table: &mut Table, evaluator: &str, explanation: &Explanation) {
    for (stage, explained) in explanation.rows() {
        let row = [("evaluator", Text(evaluator.into())), ("stage", Text(stage.into()))];
        table.add(row.into_iter().chain(figures(explained)));
    }
}

/// The columns of the explained shares, in their order.
fn figures(of: &Explained) -> [(&'static str, Cell); 8] {
    let of_signal = if of.signal > 0.0 { of.explained / of.signal } else { f64::NAN };
    [
        ("sets", Int64(of.sets as i64)),
        ("signal", Double(of.signal)),
        ("explained", Double(of.explained)),
        ("explained_of_signal", Double(of_signal)),
        ("gain", Double(of.gain.mean)),
        ("gain_error", Double(of.gain.half_width() / NORMAL_95)),
        ("win_gain", Double(of.win_gain.mean)),
        ("win_gain_error", Double(of.win_gain.half_width() / NORMAL_95)),
    ]
}

fn details(details: &Details) -> [Table; 3] {
    let [mut sources, mut calibration, mut inputs] = [&SOURCES_SCHEMA, &CALIBRATION_SCHEMA, &INPUTS_SCHEMA].map(Table::new);
    for source in &details.sources {
        sources.add([
            ("part", Text(source.part.clone())),
            ("stage", Text(source.stage.clone())),
            ("signal", Double(source.signal)),
            ("correlation", Double(source.correlation.unwrap_or(f64::NAN))),
            ("explained_of_signal", Double(source.share.unwrap_or(f64::NAN))),
        ]);
    }
    for stage in &details.calibration {
        for (number, bin) in (1..).zip(&stage.bins) {
            calibration.add([
                ("stage", Text(stage.stage.clone())),
                ("bin", Int64(number)),
                ("candidates", Int64(bin.candidates as i64)),
                ("predicted", Double(bin.predicted)),
                ("target", Double(bin.target)),
                ("simulated", Double(bin.simulated.mean)),
                ("simulated_low", Double(bin.simulated.low)),
                ("simulated_high", Double(bin.simulated.high)),
            ]);
        }
    }
    for one in &details.attributions {
        inputs.add([("input", Text(one.input.clone())), ("fall", Double(one.fall))]);
    }
    [sources, calibration, inputs]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet_file::Column;

    fn estimate(mean: f64, half: f64) -> Estimate {
        Estimate { mean, low: mean - half, high: mean + half }
    }

    fn explanation(explained: f64) -> serde_json::Value {
        let figures = |sets: u64, signal: f64| {
            serde_json::json!({ "sets": sets, "signal": signal, "explained": explained, "gain": estimate(0.5, 0.25),
                                "win_gain": estimate(0.01, 0.02) })
        };
        serde_json::json!({ "stages": [["early", figures(3, 0.5)], ["late", figures(0, 0.5)]], "all": figures(3, 0.0) })
    }

    fn details() -> serde_json::Value {
        serde_json::json!({
            "sources": [{ "part": "reply", "stage": "all", "signal": 0.2, "correlation": null, "share": null }],
            "calibration": [{ "stage": "all", "bins": [
                { "candidates": 7, "predicted": -1.0, "target": -0.5, "simulated": estimate(-2.0, 0.5) },
                { "candidates": 8, "predicted": 1.0, "target": 0.5, "simulated": estimate(2.0, 0.25) } ] }],
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
        played["match"] = serde_json::json!({ "pairs": 5, "win_rate": estimate(0.5, 0.25), "spread": estimate(1.0, 4.0) });
        let point = |sets: u64| serde_json::json!({ "training_sets": sets, "held_out": explanation(0.2)["all"] });
        let report = serde_json::json!({ "training_sets": 9, "linear": explanation(0.1), "network": explanation(0.2),
            "epochs": [epoch(1.0), played], "learning_curve": [point(1), point(9)], "details": details() });
        let report: NetworkReport = serde_json::from_value(report).unwrap();
        let tables = of_report(&report);
        let wanted = ["explained", "epochs", "learning_curve", "sources", "calibration", "inputs"]
            .map(|name| format!("network_{name}"));
        assert_eq!(names(&tables), wanted, "no head was trained");

        // Stages without sets are left out.
        let of = columns(&tables, "network_explained", &["evaluator", "stage", "explained", "explained_of_signal"]);
        let both = ["linear_fit", "linear_fit", "network", "network"];
        assert_eq!((of[0], of[1]), (&texts(&both), &texts(&["early", "all"].repeat(2))));
        assert_eq!(of[2], &Column::Double([0.1, 0.2].into_iter().flat_map(|share| [share; 2]).collect()));
        let Column::Double(shares) = of[3] else { panic!() };
        assert!(
            shares.iter().enumerate().all(|(row, share)| share.is_nan() == (row % 2 == 1))
                && (shares[2] - 0.4).abs() < 1e-12
        );

        let of = columns(&tables, "network_epochs", &["epoch", "error", "pairs", "win_rate_low", "spread_high"]);
        assert_eq!(of[0], &Column::Int64(vec![1, 2]));
        assert_eq!((of[1], of[2]), (&Column::Double(vec![1.0, 0.75]), &Column::Int64(vec![0, 5])));
        let [Column::Double(low), Column::Double(high)] = of[3..] else { panic!() };
        assert!(low[0].is_nan() && (low[1], high[1]) == (0.25, 5.0));
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
